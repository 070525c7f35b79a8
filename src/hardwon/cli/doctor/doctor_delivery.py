"""Which words of ours reach which client's model, and when: the registry's table, for a person and for programs."""

from __future__ import annotations

from hardwon import clients
from hardwon.cli.support import output
from hardwon.clients.client import Client
from hardwon.event import Moment

IMPOSSIBLE = "impossible"


def tell(as_json: bool) -> None:
    spoken_to = [one for one in clients.every() if one.delivery]
    if as_json:
        output.print_json({"clients": [_described(one) for one in spoken_to]})
        return
    for one in spoken_to:
        print(f"{one.title}{f' (tested with {one.tested})' if one.tested else ''}")
        for moment in Moment:
            found = one.delivery.get(moment)
            print(f"  {moment:<17} {f'{found.reaches}: {found.by}' if found else IMPOSSIBLE}")


def _described(client: Client) -> dict[str, object]:
    moments = {
        str(moment): {"reaches": str(found.reaches), "by": found.by} if found else {"reaches": IMPOSSIBLE, "by": ""}
        for moment, found in ((one, client.delivery.get(one)) for one in Moment)
    }
    return {"client": client.name, "title": client.title, "tested": client.tested, "moments": moments}
