"""A memory as plain text: one line for lists, a few for a closer look."""

from __future__ import annotations

import datetime

from hardwon.memory import ALSO_SAID, SAID, Memory, Status
from hardwon.redact import DEFAULT
from hardwon.text import untrusted
from hardwon.text.speech.made import is_made


def one_line(text: str, width: int = 160) -> str:
    """Without line breaks, tabs and control characters (it may be somebody else's text), cut to a width."""
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def visible(text: str) -> str:
    """Text that can't play tricks on a terminal: control and invisible characters are left out. And as redaction has
    it today: it may be older than a rule, and half of a secret no rule knows."""
    return untrusted.seen(DEFAULT.text_again(text))


def row(memory: Memory, project: str) -> tuple[str, str, str, str, str]:
    where = f"{project}/{memory.scope.skill}" if memory.scope.skill else project
    return (memory.short_id, memory.kind, memory.status, one_line(where, 80), one_line(memory.headline))


def details(memory: Memory, project: str, hits: int, origin: str | None = None) -> list[tuple[str, str]]:
    """Label and value of everything that is set."""
    pairs = [
        ("id", memory.id),
        ("kind", f"{memory.kind} ({memory.subtype})" if memory.subtype else memory.kind),
        ("status", f"{memory.status}: {memory.reason}" if memory.reason else memory.status),
        ("project", project),
        ("learned in", origin or ""),
        ("skill", memory.scope.skill or ""),
        ("title", memory.title),
        ("text", memory.body),
        ("because", memory.because),
        ("rejected", "; ".join(f"{item.what}: {item.why}" if item.why else item.what for item in memory.rejected)),
        ("intent", memory.intent),
        ("anchors", ", ".join(str(one) for one in memory.anchors if not is_made(one))),
        ("trust", f"{memory.trust} (from {memory.source}{', ' + memory.author if memory.author else ''})"),
        ("visibility", memory.visibility),
        ("also said as", "\n".join(memory.wordings)),
        ("evidence", "; ".join(one for one in memory.evidence if not one.startswith((ALSO_SAID, SAID)))),
        ("replaced by", memory.superseded_by[-6:] if memory.superseded_by else ""),
        ("links", ", ".join(f"{link.kind} {link.target[-6:]}" for link in memory.links)),
        ("complaints", "; ".join(memory.complaints)),
        ("learned again", f"{hits} times" if hits else ""),
        ("pinned", "yes" if memory.pinned else ""),
        ("created", day(memory.created_at)),
        ("changed", day(memory.updated_at) if memory.updated_at != memory.created_at else ""),
    ]
    return [(label, visible(str(value))) for label, value in pairs if value]


def since(milliseconds: int) -> str:
    """How long ago, in words: "12 min", "3 h", "2 days"."""
    minutes = max(0, milliseconds) // 60_000
    if minutes < 60:
        return f"{max(1, minutes)} min"
    hours = minutes // 60
    return f"{hours} h" if hours < 48 else f"{hours // 24} days"


def day(at: int) -> str:
    moment = datetime.datetime.fromtimestamp(at / 1000, datetime.UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


STYLES = {
    Status.CANDIDATE: "yellow",
    Status.ACTIVE: "green",
    Status.RESOLVED: "cyan",
    Status.SUPERSEDED: "bright_black",
    Status.STALE: "bright_black",
    Status.ARCHIVED: "bright_black",
}
