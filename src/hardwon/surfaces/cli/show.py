from __future__ import annotations

from hardwon.render import plain
from hardwon.store import memories
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.options import Id, Json


def run(id: Id, json: Json = False) -> None:
    """Show one memory whole

    Example: `hardwon show 7f3a1c`
    """
    with context.reading() as store:
        memory = context.existing(store, id)
        hits = memories.hits(store, [memory.id]).get(memory.id, 0)
        if json:
            output.print_json(output.as_json(store, memory, hits))
        else:
            output.print_details(plain.details(memory, context.project_name(store, memory.scope.project), hits))
