"""The queue: asked for, taken by one, done; or taken again after a crash."""

from __future__ import annotations

import dataclasses
import multiprocessing
from pathlib import Path

import pytest

from hardwon import jobs
from hardwon.jobs import Done, Job
from hardwon.store.connection import Store
from hardwon.store.tables import jobs as queue
from hardwon.store.tables.jobs import LEASE, TRIES, State
from tests.support import opened

AT = 1_790_000_000_000


def states(store: Store) -> dict[str, str]:
    return {one.name: str(one.state) for one in queue.listed(store, 100)[0]}


def nothing(store: Store, job: Job) -> Done:
    return Done({"learned": 1})


def test_asking_twice_is_asking_once(tmp_path: Path) -> None:
    """A turn that ends while the one before waits asks for the same."""
    with opened(tmp_path) as store:
        queue.ask(store, "learn", "claude-code:s1", at=AT)
        queue.ask(store, "learn", "claude-code:s1", at=AT + 5)
        assert jobs.run_next(store, {"learn": nothing}, AT + 5)
        assert jobs.run_next(store, {"learn": nothing}, AT + 5) is None
        assert [one.result for one in queue.listed(store, 9)[0]] == [{"learned": 1}]


def test_asked_for_while_it_runs_it_runs_again(tmp_path: Path) -> None:
    """What came meanwhile may be what the running one had passed by already."""
    with opened(tmp_path) as store:
        queue.ask(store, "learn", at=AT)

        def busy(store: Store, job: Job) -> Done:
            if job.asked_at == AT:
                queue.ask(store, "learn", at=AT + 1)
            return Done()

        assert jobs.run_next(store, {"learn": busy}, AT)
        assert states(store) == {"learn": "waiting"}
        assert jobs.run_next(store, {"learn": busy}, AT + 1)
        assert states(store) == {"learn": "done"}


def _take(root: Path, name: str, leave: object) -> None:
    with opened(root) as store:
        taken = queue.take(store, AT)
        leave.put((name, taken.name if taken else ""))  # type: ignore[attr-defined]


def test_two_processes_never_get_the_same(tmp_path: Path) -> None:
    """Two daemons that share a home: each job goes to one of them. They are gone then, and the jobs wait again."""
    with opened(tmp_path) as store:
        for number in range(4):
            queue.ask(store, f"job{number}", at=AT)
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    processes = [context.Process(target=_take, args=(tmp_path, str(n), answers)) for n in range(4)]
    for process in processes:
        process.start()
    got = [answers.get(timeout=60)[1] for _ in processes]
    for process in processes:
        process.join(60)
    with opened(tmp_path) as store:
        assert len(set(got) - {""}) >= 1
        again = queue.take(store, AT)
        assert again
        assert again.tries >= 1


def test_a_lease_keeps_others_away_until_it_is_over(tmp_path: Path) -> None:
    """Who is alive and works longer says so; who says nothing more loses it, and can no longer end it."""
    with opened(tmp_path) as store:
        queue.ask(store, "learn", at=AT)
        first = queue.take(store, AT)
        assert first
        other = "elsewhere:1:00000000"
        store.db.execute("update jobs set owner = ?", (other,))  # as if another machine had taken it
        assert queue.take(store, AT + LEASE - 1) is None
        second = queue.take(store, AT + LEASE)
        assert second
        assert not queue.finish(store, dataclasses.replace(first, owner=other), AT + LEASE, {})
        assert queue.finish(store, second, AT + LEASE, {})


def test_what_never_ends_is_given_up(tmp_path: Path) -> None:
    """A job that kills its process each time does not do so for ever."""
    with opened(tmp_path) as store:
        queue.ask(store, "learn", at=AT)
        for _ in range(TRIES):
            assert queue.take(store, AT)
        assert queue.take(store, AT) is None
        (one,), _ = queue.listed(store, 9)
        assert one.state is State.FAILED
        assert one.result == {"failed": queue.GAVE_UP}


def test_what_goes_wrong_is_tried_again_later(tmp_path: Path) -> None:
    """A full disk passes; the job is not lost by it, nor done again and again meanwhile."""
    with opened(tmp_path) as store:
        queue.ask(store, "mirror", at=AT)

        def full(store: Store, job: Job) -> Done:
            raise OSError("disk full")

        with pytest.raises(OSError, match="disk full"):
            jobs.run_next(store, {"mirror": full}, AT)
        assert queue.take(store, AT + 1) is None
        assert jobs.run_next(store, {"mirror": nothing}, AT + queue.BACK_OFF)
        assert states(store) == {"mirror": "done"}


def test_a_portion_says_how_far_it_is(tmp_path: Path) -> None:
    """What takes long is done in portions, with others between them, and tells its progress."""
    with opened(tmp_path) as store:
        queue.ask(store, "redaction", at=AT)
        assert jobs.run_next(store, {"redaction": lambda s, j: Done(more=AT + 9, done=2, total=5)}, AT)  # noqa: ARG005
        (one,), _ = queue.listed(store, 9)
        assert (one.state, one.done, one.total) == (State.WAITING, 2, 5)
        assert queue.take(store, AT + 8) is None
