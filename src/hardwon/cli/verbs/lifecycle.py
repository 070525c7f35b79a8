"""What the lifecycle verbs share: find the memory, ask whether the caller may, change it, say so."""

from __future__ import annotations

from collections.abc import Callable

from hardwon.cli.support import caller, context, output, text
from hardwon.memory import Memory, Status
from hardwon.store import changes
from hardwon.store.connection import Store


def change(reference: str, verb: str, said: str, json: bool, how: Callable[[Store, Memory], Memory]) -> None:
    with context.writing() as store:
        memory = context.existing(store, reference)
        context.may_change(memory, caller.trust(), verb)
        changed = how(store, memory)
        if json:
            output.print_json(output.as_json(store, changed), store)
        else:
            print(f"{said} {changed.short_id}")


def move_to(status: Status, reason: str) -> Callable[[Store, Memory], Memory]:
    def moved(store: Store, memory: Memory) -> Memory:
        why = text.passed(store, reason=reason)["reason"]
        return changes.move(store, memory.id, status, context.now(), reason=why)

    return moved
