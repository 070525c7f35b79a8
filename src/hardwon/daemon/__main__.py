"""python -E -P -m hardwon.daemon HOME run|spool

`run` takes the lock before anything heavy is imported: of ten starters at once, nine cost next to nothing.
"""

import sys


def main(home: str, what: str) -> None:
    from hardwon.daemon import lock

    if what == "spool":
        from hardwon.daemon.spool import take

        take(home, sys.stdin.buffer.read())
        return
    held = lock.take(home)
    if held is None:
        return
    from hardwon.daemon.server import run

    run(home, lambda: lock.tell_leaving(held))
    lock.release(held)


if __name__ == "__main__":
    main(*sys.argv[1:3])
