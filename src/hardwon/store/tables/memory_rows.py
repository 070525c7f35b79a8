"""A memory as a row of its table, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hardwon.memory import (
    Anchor,
    AnchorKind,
    Kind,
    Link,
    LinkKind,
    Memory,
    Rejected,
    Scope,
    Status,
    Trust,
    Visibility,
    normalise,
)
from hardwon.store.index.search_index import Text

COLUMNS = (
    "id, tail, kind, subtype, status, project, skill, trust, source, author, visibility, title, body, intent, "
    "because, rejected, anchors, links, evidence, complaints, origin_key, pinned, reason, superseded_by, "
    "created_at, updated_at, skill_mark, origin_project, text_hash"
)
"""What is written; the number of hits is counted elsewhere."""
READ = COLUMNS.replace("id, tail,", "id,").replace(", text_hash", "")
"""What is read, in the order of `from_row`."""
TEXT = "title, body, intent, because, rejected, anchors"
"""What is indexed, in the order of `text`."""


def values(memory: Memory, project: str) -> tuple[Any, ...]:
    """In the order of `COLUMNS`. `project` is the one that its own has become."""
    return (
        memory.id,
        memory.id[::-1],
        memory.kind,
        memory.subtype,
        memory.status,
        project,
        memory.scope.skill,
        memory.trust,
        memory.source,
        memory.author,
        memory.visibility,
        memory.title,
        memory.body,
        memory.intent,
        memory.because,
        json.dumps([(item.what, item.why) for item in memory.rejected], ensure_ascii=False),
        json.dumps([(anchor.kind, anchor.value) for anchor in memory.anchors], ensure_ascii=False),
        json.dumps([(link.kind, link.target) for link in memory.links]),
        json.dumps(memory.evidence, ensure_ascii=False),
        json.dumps(memory.complaints, ensure_ascii=False),
        memory.origin_key,
        int(memory.pinned),
        memory.reason,
        memory.superseded_by,
        memory.created_at,
        memory.updated_at,
        memory.skill_mark,
        memory.origin_project,
        text_hash(memory.body),
    )


def text_hash(body: str) -> bytes:
    import hashlib  # loads OpenSSL, which a command that only reads does without

    return hashlib.blake2b(normalise(body).encode(), digest_size=16).digest()


def from_row(row: Sequence[Any]) -> Memory:
    # fmt: off
    (id, kind, subtype, status, project, skill, trust, source, author, visibility, title, body, intent,
     because, rejected, anchors, links, evidence, complaints, origin_key, pinned, reason, superseded_by,
     created_at, updated_at, skill_mark, origin_project) = row
    # fmt: on
    return Memory(
        id=id,
        kind=Kind(kind),
        subtype=subtype,
        status=Status(status),
        scope=Scope(project, skill),
        trust=Trust(trust),
        source=source,
        author=author,
        visibility=Visibility(visibility),
        title=title,
        body=body,
        intent=intent,
        because=because,
        rejected=tuple(Rejected(what, why) for what, why in _listed(rejected)),
        anchors=tuple(Anchor(AnchorKind(kind), value) for kind, value in _listed(anchors)),
        links=tuple(Link(LinkKind(kind), target) for kind, target in _listed(links)),
        evidence=tuple(_listed(evidence)),
        complaints=tuple(_listed(complaints)),
        origin_key=origin_key,
        pinned=bool(pinned),
        reason=reason,
        superseded_by=superseded_by,
        created_at=created_at,
        updated_at=updated_at,
        skill_mark=skill_mark,
        origin_project=origin_project,
    )


def text(row: Sequence[Any]) -> Text:
    title, body, intent, because, rejected, anchors = row
    return Text(title, body, intent, because, _listed(rejected), _listed(anchors))


def _listed(text: str) -> Any:
    """Most lists are empty, and need no reading."""
    return () if text == "[]" else json.loads(text)
