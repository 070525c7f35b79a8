"""What a command prints: tables and colour on a terminal, plain lines when piped, JSON when asked."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hardwon.cli.app import fail
from hardwon.cli.support import quoting, streams
from hardwon.cli.verbs import leaving
from hardwon.memory import GLOBAL, Memory
from hardwon.redact import border
from hardwon.render import plain
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.tables import memories


def print_json(value: Any, store: Store | None = None) -> None:
    """As it may leave; with the store where texts of memories are in it."""
    safe = value if store is None else border.clean(value, store.redactor)
    told = json.dumps(
        leaving.data(safe), ensure_ascii=not streams.is_unicode(), indent=2 if sys.stdout.isatty() else None
    )
    with leaving.safe():
        print(told)


def remark(text: str) -> None:
    """Something beside the result: on stderr."""
    print(text, file=sys.stderr)


def counted(number: int, noun: str) -> str:
    """ "1 project", "2 projects", "2 memories", "2 days", "2 fixes"."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if noun.endswith('x') else 's'}"


def as_json(store: Store, memory: Memory, hits: int = 0) -> dict[str, Any]:
    found = None if memory.scope.project == GLOBAL else projects.get(store, memory.scope.project)
    return {
        "id": memory.id,
        "kind": memory.kind,
        "subtype": memory.subtype,
        "title": memory.title,
        "body": memory.body,
        "scope": {"project": found.name if found else memory.scope.project, "skill": memory.scope.skill},
        "status": memory.status,
        "reason": memory.reason,
        "trust": memory.trust,
        "source": memory.source,
        "author": memory.author,
        "visibility": memory.visibility,
        "intent": memory.intent,
        "because": memory.because,
        "rejected": [{"what": item.what, "why": item.why} for item in memory.rejected],
        "anchors": [{"kind": anchor.kind, "value": anchor.value} for anchor in memory.anchors],
        "links": [{"kind": link.kind, "target": link.target} for link in memory.links],
        "evidence": list(memory.evidence),
        "complaints": list(memory.complaints),
        "superseded_by": memory.superseded_by,
        "pinned": memory.pinned,
        "hits": hits,
        "origin_project": origin(store, memory),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def origin(store: Store, memory: Memory) -> str | None:
    """The name of the project in which something was learned that holds everywhere."""
    if not memory.origin_project:
        return None
    found = projects.get(store, projects.canonical(store, memory.origin_project))
    return found.name if found else None


def items_json(store: Store, found: Sequence[Memory]) -> list[dict[str, Any]]:
    hits = memories.hits(store, [memory.id for memory in found])
    return [as_json(store, memory, hits.get(memory.id, 0)) for memory in found]


def print_memories(found: Sequence[Memory], name: Callable[[str], str]) -> None:
    seen = [quoting.shown(memory, quoting.HEADLINE) for memory in found]
    rows = [plain.row(memory, name(memory.scope.project)) for memory in seen]
    if not rows:
        return
    if sys.stdout.isatty():
        _print_table(rows, [memory.status for memory in found])
    else:
        for row in rows:
            print("\t".join(row))


def _print_table(rows: Sequence[tuple[str, ...]], statuses: Sequence[Any]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Expanded, so that the text takes what is left: a long one gives way, never the id that one is looking for.
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=True)
    for heading in ("id", "kind", "status", "where"):
        table.add_column(heading, no_wrap=True)
    table.add_column("what", overflow="ellipsis", no_wrap=True, ratio=1)
    for row, status in zip(rows, statuses, strict=True):
        cells = [Text(cell) for cell in row]
        cells[0].stylize("bold")
        cells[2].stylize(plain.STYLES.get(status, ""))
        table.add_row(*cells)
    Console().print(table)


def print_details(pairs: Sequence[tuple[str, str]]) -> None:
    """Label and value, the labels in one column; bold on a terminal."""
    width = max(len(label) for label, _ in pairs) + 2
    on, off = ("\x1b[1m", "\x1b[0m") if streams.is_coloured() else ("", "")
    for label, value in pairs:
        lines = value.splitlines() or [""]
        print(f"{on}{label:<{width}}{off}{lines[0]}")
        for line in lines[1:]:
            print(" " * width + line)


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is going on; nothing when nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(what) as status:
        yield lambda text: status.update(f"{what}: {text}")


def confirm(question: str, yes: bool) -> bool:
    """Ask a person; without one, only --yes means yes."""
    return yes or bool(answer(question))


def answer(question: str) -> bool | None:
    """Yes or no; None when there is nobody to ask, or the input ends before a line does. Ctrl-C ends the command."""
    if not streams.can_ask():
        return None
    try:
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        said = sys.stdin.readline()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        fail("Interrupted: what was asked about was not done.", code=130)
    except (OSError, UnicodeDecodeError):  # the terminal has gone; what was typed is no text
        said = ""
    if not said.endswith("\n"):
        sys.stderr.write("\n")
        return None
    return said.strip().lower() in ("y", "yes")
