"""python -E -P -m hardwon.daemon HOME run|serve|spool

`run` is a person's, with the settings of their environment; `serve` is a hook's, and takes none from the session that
happened to be first: it is there for all of them. Both take the lock before anything heavy is imported: of ten starters
at once, nine cost next to nothing.
"""

import os
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
    from hardwon.settings import without_variables

    environ = os.environ if what == "run" else without_variables(os.environ)
    run(home, environ, lambda: lock.tell_leaving(held))
    lock.release(held)


if __name__ == "__main__":
    main(*sys.argv[1:3])
