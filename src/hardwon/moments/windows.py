"""News from the other windows: what other sessions of this project did in the last day about the ids, the files or the
branch that this prompt names. From a closed list of things, a line or two, once, with the time and the window."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import re
from collections.abc import Iterator, Sequence, Set

from hardwon.event import Event
from hardwon.memories import marked, waiting
from hardwon.memories.branches.branch_card import Line
from hardwon.memory import Anchor, AnchorKind, Kind, Memory, Status, Trust
from hardwon.moments.answered import Here
from hardwon.moments.conversation import Conversation
from hardwon.moments.where_stands import head_of
from hardwon.render import context
from hardwon.store.connection import Store
from hardwon.store.tables import branches
from hardwon.text import untrusted
from hardwon.text.branches.fact import Fact, What, is_name

DAY = 86_400_000
MOST = 2
_ID = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b|(?<![\w&])#\d{1,7}\b")
_PULL = re.compile(r"(?:\b(?:pr|pull request|mr)\s*#?|/pull/|/merge_requests/)(\d{1,7})\b", re.IGNORECASE)


def lines(
    store: Store, talk: Conversation, event: Event, where: Here, named: Sequence[Anchor], now: int,
    told: Set[str] = frozenset(),
) -> list[Line]:  # fmt: skip
    """`told`: the memories that are said beside these lines."""
    if not where.project or event.agent or event.text.startswith("/"):
        return []
    known = talk.told[event.agent, talk.context]
    found = [*_memories(store, talk, event, where), *_facts(store, event, where, named, now)]
    return [line for line in found if line.mark not in known and not told & set(line.memories)][:MOST]


def _facts(store: Store, event: Event, where: Here, named: Sequence[Anchor], now: int) -> Iterator[Line]:
    ids = {*_ID.findall(event.text), *(f"#{number}" for number in _PULL.findall(event.text))}
    files = {anchor.value for anchor in named if anchor.kind is AnchorKind.FILE}
    head = head_of(where, event.cwd)
    facts = branches.news(store, where.project, event.host, event.session, now - DAY)
    yield from _marks(store, facts, event.text, ids, files, head.root)
    touched = _branches_with(facts, files)
    told: set[tuple[str, str]] = set()
    for fact in facts:
        about = {fact.value, f"#{fact.value}"} if fact.what in (What.PR, What.ISSUE) else set()
        is_named = len(fact.branch) > 3 and fact.branch in event.text
        if fact.what is What.EDIT or not (about & ids or is_named or fact.branch in touched):
            continue
        if fact.what is What.CHECK and not (is_named or fact.branch in touched):
            continue
        what = _what(fact)
        if what and (str(fact.what), fact.branch + fact.value) not in told:
            told.add((str(fact.what), fact.branch + fact.value))  # the latest of each
            yield _line(fact, what, head.root)


def _marks(
    store: Store, facts: Sequence[Fact], prompt: str, ids: set[str], files: set[str], root: str
) -> Iterator[Line]:
    """What was decided, measured or found there: as far as somebody marked it, in the words that were kept."""
    known = marked.of_branch(store, [fact.value for fact in reversed(facts) if fact.what is What.MARK])
    for fact in facts:
        memory = known.get(fact.value) if fact.what is What.MARK else None
        if memory is None or memory.kind is Kind.RULE:  # a rule is told anyway
            continue
        named = {one.value for one in memory.anchors if one.kind is AnchorKind.FILE}
        is_named = len(fact.branch) > 3 and fact.branch in prompt
        if is_named or named & files or ids & set(_ID.findall(memory.body)):
            on = f" on {fact.branch}" if is_name(fact.branch) else ""
            what = f"{memory.kind} marked{on}: {untrusted.quoted(memory.headline)}"
            yield dataclasses.replace(_line(fact, what, root), memories=(memory.id,))


def _branches_with(facts: Sequence[Fact], files: set[str]) -> set[str]:
    """On which branches these files were changed."""
    return {fact.branch for fact in facts if fact.what is What.EDIT and fact.value in files and fact.branch}


def _what(fact: Fact) -> str:
    branch = fact.branch if is_name(fact.branch) else ""
    match fact.what:
        case What.ISSUE:
            return f"issue {fact.value} was created"
        case What.PR if fact.value:
            state = {"MERGED": "was merged", "CLOSED": "was closed"}.get(fact.state, "")
            state = state or ("was created" if fact.how == "gh pr create" else "")
            return f"PR #{fact.value} {state}" if state else ""
        case What.PUSH if branch:
            return f"{branch} was pushed"
        case What.CHECK:
            command = untrusted.disarmed(" ".join(fact.value.replace("`", "'").split()))
            return f"`{command}` {fact.state}{f' on {branch}' if branch else ''}"
        case _:
            return ""


def _line(fact: Fact, what: str, root: str) -> Line:
    clock = datetime.datetime.fromtimestamp(fact.at / 1000).astimezone().strftime("%H:%M")
    folder = fact.worktree.rpartition("/")[2]
    window = f" in {folder}" if fact.worktree != root and is_name(folder) else ""
    digest = hashlib.blake2b(f"{fact.session}:{fact.key}".encode(), digest_size=8).hexdigest()
    return Line("news", f"- another window{window}, {clock}: {what}", f"news:{digest}", fact.session, fact.how)


def _memories(store: Store, talk: Conversation, event: Event, where: Here) -> Iterator[Line]:
    """A handoff or a rule that came while this session was under way."""
    if not talk.began:
        return
    own = f":{event.session}:"
    for memory in waiting.came_meanwhile(store, where.project, talk.began):
        if memory.trust is Trust.UNTRUSTED or memory.status is not Status.ACTIVE or _is_own(memory, own, event.session):
            continue
        name = context.name(memory)
        yield Line("news", f"- since this session began: {name}", f"news:{memory.id}", "", memory.source)


def _is_own(memory: Memory, own: str, session: str) -> bool:
    return any(own in one or session in one for one in memory.evidence)
