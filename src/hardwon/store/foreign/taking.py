"""What of the memories of another tool is new here, and taking it in.

Taking the same in again changes nothing: a memory that came from there is known by its origin, also when it was
edited since, and the hits of the other tool are kept as those of another device, of which the highest number counts.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Status, Trust, normalise
from hardwon.project import STRENGTH, Alias
from hardwon.redact import border
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.foreign import Foreign
from hardwon.store.log import tombstones
from hardwon.store.tables import memories

_DEVICE = "import"
AT_ONCE = 2_000
"""In one transaction: nobody else can write meanwhile, and `undo` takes back one."""
_YEAR_2000 = 946_684_800_000


@dataclass(slots=True)
class Plan:
    new: list[tuple[Foreign, Scope]] = field(default_factory=list)
    known: list[tuple[Foreign, str]] = field(default_factory=list)
    """With the id of the memory here."""
    forgotten: int = 0
    homeless: Counter[str] = field(default_factory=Counter)
    """How many belong to a project that is not known here, by its name."""
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """New, known and forgotten ones, by skill."""

    def count(self, foreign: Foreign, what: str) -> None:
        self.counts.setdefault(foreign.skill or "", Counter())[what] += 1


def plan(store: Store, found: Iterable[Foreign], project: str | None = None) -> Plan:
    """`project` is where those shall go whose own project is not known here."""
    made = Plan()
    planned: dict[tuple[Scope, Kind, str], int] = {}
    for foreign in (_passed(store, one) for one in found):
        target = _project(store, foreign.project) or project
        if target is None:
            made.homeless[foreign.project] += 1
            continue
        scope = Scope(target, foreign.skill)
        key = (scope, foreign.kind, normalise(foreign.body))
        if id := _known(store, foreign, scope):
            made.known.append((foreign, id))
            made.count(foreign, "known")
        elif key in planned:
            _raise_hits(made, planned[key], foreign.hits)
            made.count(foreign, "known")
        elif tombstones.is_buried(store, foreign.body, None):
            made.forgotten += 1
            made.count(foreign, "forgotten")
        else:
            planned[key] = len(made.new)
            made.new.append((foreign, scope))
            made.count(foreign, "new")
    return made


_TEXTS = ("body", "title", "intent", "author", "where", "skill", "subtype")


def _passed(store: Store, foreign: Foreign) -> Foreign:
    """The border: without secrets. What project it is of is only looked up."""
    texts = {name: getattr(foreign, name) for name in _TEXTS}
    return dataclasses.replace(foreign, **border.clean(texts, store.redactor))


def _raise_hits(made: Plan, index: int, hits: int) -> None:
    """The same text stands in two files: it has the hits of the one with more."""
    foreign, scope = made.new[index]
    made.new[index] = dataclasses.replace(foreign, hits=max(foreign.hits, hits)), scope


def _project(store: Store, identity: str) -> str | None:
    """The project here that another tool means: by its first commit, its remote or its folder."""
    if not identity:
        return GLOBAL
    values = dict.fromkeys((identity, identity.partition(":")[2] or identity))
    for value in values:
        for kind in STRENGTH:
            owners = projects.owners(store, Alias(kind, value))
            if len(owners) == 1:
                return projects.canonical(store, owners[0])
    return None


def _known(store: Store, foreign: Foreign, scope: Scope) -> str | None:
    came = memories.by_origin(store, _origin(foreign, scope))
    if came and memories.get(store, came):
        return came
    twin = memories.same_text(store, scope, foreign.body, foreign.kind)
    return twin.id if twin else None


def _origin(foreign: Foreign, scope: Scope) -> str:
    parts = (foreign.kind, scope.project, scope.skill or "", normalise(foreign.body))
    whole = "\0".join(parts).encode()
    return f"import:{hashlib.blake2b(whole, digest_size=16).hexdigest()}"


def take(
    store: Store,
    made: Plan,
    now: int,
    said: Callable[[int], None] = lambda _: None,
    *,
    waits: bool = False,
    accepted: bool = False,
) -> list[str]:
    """Keep what is new; the ids. `said` hears how many are done. `waits`: no person has looked at it, so that it is a
    candidate, and gives what is here already neither hits nor a pin. `accepted`: a person said yes to all of it."""
    kept: list[str] = []
    for start in range(0, len(made.new), AT_ONCE):
        with store.transaction():
            for foreign, scope in made.new[start : start + AT_ONCE]:
                if id := _keep(store, foreign, scope, now, waits):
                    kept.append(id)
        said(min(start + AT_ONCE, len(made.new)))
    if accepted and not waits:
        _accept(store, [id for _, id in made.known], now)
    _keep_all_hits(store, [(foreign, id) for foreign, id in made.known if not waits or _waiting(store, id)])
    return kept


def _waiting(store: Store, id: str) -> Memory | None:
    found = memories.get(store, id)
    return found if found and found.status is Status.CANDIDATE else None


def _accept(store: Store, known: Sequence[str], now: int) -> None:
    """A person takes in what an agent took in before: it has waited for that. What looks planted goes on waiting."""
    for id in known:
        found = _waiting(store, id)
        if found and found.source == "import" and found.trust is not Trust.UNTRUSTED:
            changes.move(store, id, Status.ACTIVE, now, reason="taken in by a person")


def _keep(store: Store, foreign: Foreign, scope: Scope, now: int, waits: bool) -> str | None:
    if _known(store, foreign, scope):  # another process may have been faster
        return None
    origin = _origin(foreign, scope)
    draft = Draft(
        kind=foreign.kind,
        body=foreign.body,
        scope=scope,
        # Models wrote it, whoever takes it in.
        trust=Trust.AGENT,
        source="import",
        title=" ".join(foreign.title.split()),
        subtype=foreign.subtype,
        intent=foreign.intent,
        author=foreign.author,
        evidence=(foreign.where,),
        # One that was taken in, and that was taken back since, may come again.
        origin_key=None if memories.by_origin(store, origin) else origin,
        candidate=waits,
    )
    draft = changes.passed(store, draft)
    noted = changes.note(store, draft, _created(foreign, now))
    is_new = noted.outcome is changes.Outcome.CREATED
    if noted.id and foreign.pinned and (is_new or not waits):
        changes.edit(store, noted.id, {"pinned": True}, now)
    if noted.id and (is_new or not waits):
        _keep_hits(store, noted.id, foreign.hits)
    return noted.id if is_new else None


def _created(foreign: Foreign, now: int) -> int:
    """A millisecond apart within one time, so that they stay in order. A date that can't be is none."""
    at = foreign.created_at
    return min(at + foreign.order, now) if at and at >= _YEAR_2000 else now


def _keep_all_hits(store: Store, known: Sequence[tuple[Foreign, str]]) -> None:
    more = [(id, foreign.hits) for foreign, id in known if foreign.hits > _hits(store, id)]
    if more:
        with store.transaction():
            for id, hits in more:
                _keep_hits(store, id, hits)


def _hits(store: Store, id: str) -> int:
    return store.value("select hits from counts where memory = ? and device = ?", (id, _DEVICE)) or 0


def _keep_hits(store: Store, id: str, hits: int) -> None:
    if hits > _hits(store, id):
        store.db.execute(
            "insert into counts (memory, device, hits) values (?, ?, ?)"
            " on conflict (memory, device) do update set hits = max(hits, excluded.hits)",
            (id, _DEVICE, hits),
        )
        store.remember_line({"type": "hits", "memory": id, "device": _DEVICE, "hits": hits})
