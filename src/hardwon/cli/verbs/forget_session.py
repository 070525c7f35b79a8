"""`hardwon forget --session`: what was said and done in a past session, and with `--memories` what it taught."""

from __future__ import annotations

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.memory import Trust
from hardwon.render import plain
from hardwon.store.changes import Refused
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.erasure import forget_session as store_session
from hardwon.store.erasure.forget_session import Session


def run(reference: str, with_memories: bool, yes: bool, json: bool) -> None:
    with context.writing() as store:
        session = store_session.find(store, reference)
        _only_a_person(store, session)
        taught = store_session.learned(store, session)
        if not json:
            _tell(store, session, len(taught), with_memories)
        if not output.confirm("Forget this for good?", yes):
            fail("Nothing was forgotten. Say --yes to forget without a question.")
        forgotten = 0
        with output.progress("erasing"):
            if with_memories and taught:
                forgotten = forget.forget(store, taught, context.now()).memories
            erased = store_session.forget_session(store, session, context.now())
        left = 0 if with_memories else len(taught)
        if json:
            output.print_json(
                {
                    "session": session.id,
                    "client": session.host,
                    "journal_entries": erased,
                    "forgotten": forgotten,
                    "memories_left": left,
                }
            )
        else:
            print(f"forgotten: {output.counted(erased, 'event')}{_and(forgotten, left)}")


def _only_a_person(store: Store, session: Session) -> None:
    """What was said in a session was said by a person, too."""
    if caller.trust() is not Trust.USER:
        id = store_session.short(store, session.id)
        raise Refused(
            f"A person spoke in the session {id}, and this call comes from an agent. Nothing was changed; "
            f"the person can `hardwon forget --session {id}` in their own terminal."
        )


def _tell(store: Store, session: Session, taught: int, with_memories: bool) -> None:
    id, events = store_session.short(store, session.id), store_session.entries(store, session)
    output.remark(f"{session.host} {id}  {plain.day(session.started_at)}, {output.counted(events, 'event')}")
    if said := store_session.first_prompt(store, session):
        output.remark(f"  {plain.one_line(said, 100)}")
    if taught:
        go = "go with it" if with_memories else "stay; --memories forgets them too"
        output.remark(f"  learned from it: {output.counted(taught, 'memory')}, which {go}")


def _and(forgotten: int, left: int) -> str:
    if forgotten:
        return f" and {output.counted(forgotten, 'memory')}"
    return f"; {output.counted(left, 'memory')} learned from it stay" if left else ""
