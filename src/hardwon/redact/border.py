"""The border: what comes in loses its secrets here, once, before anything else is made of it.

A hook's message, a command line, the arguments of an agent, a line of a transcript or of an import: whoever takes one
in calls `clean` (data) or `clean_event` first, and makes titles, anchors, signatures and vectors of what it gives back.
All that came together is looked at together: what one text gives away as a secret is one in all of them, also where it
stands without its quotes, in base64 or percent-encoded, and where a text is nothing but a piece of it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

from hardwon.event import Event
from hardwon.redact import JSON, Redactor
from hardwon.redact.clip import replaced

IDENTIFIERS = frozenset({"origin_key", "by", "target", "device", "sequence", "project", "hash", "key_id"})
"""Made by hardwon or by a client, never free text; redaction could only break them."""
_MADE = {"skill_mark": re.compile("[0-9a-f]{16}"), "origin_project": re.compile("[0-9a-f-]{36}")}
"""What hardwon makes in a field in which others could put anything: it stays if it has that form."""

UNEXPLAINED = "unexplained"
"""The type of what no rule names: the second line found it."""
SHORTEST = 8
"""A shorter secret may be an ordinary word elsewhere: "root", "redis"."""
LONG_LINE = 20
"""Characters of a line of a secret by which it is known again."""
FAR = 40_000
"""Characters from an end beyond which no secret reaches into what is kept of an event."""
MOST = 124_000
"""Characters from an end in which the secrets of a text are told apart; what is further away is cut out of it."""
_ROUNDS = 3

Finding = tuple[str, str]
"""The name of a field, and that of the rule; never the secret."""


def clean(value: Any, redactor: Redactor) -> Any:
    """Every text in data redacted and storable; identifiers as they are. Doing it again changes nothing."""
    for _ in range(_ROUNDS):
        secrets: dict[str, str] = {}
        value = each_text(value, lambda text: _redacted(text, redactor, secrets))  # noqa: B023
        if not secrets:
            break
        value = without(value, secrets)
    return value


def clean_message(value: Any, redactor: Redactor) -> Any:
    """The same for a client's own message, whose names tell what their values are: `{"password": "…"}`."""
    named = redactor.payload(value)
    secrets: dict[str, str] = {}
    if named != value:
        _learn(value, named, redactor, secrets)
    return without(named, secrets) if secrets else named


def clean_event(event: Event, redactor: Redactor) -> Event:
    """An event as far as it may be kept. Its folder and its transcript stay as they are: by them the project and the
    file are found; `journal` takes the secrets out of them before they are written down."""
    if event.redacted:
        return event
    texts = [_ends(text) for text in (event.target, event.text, event.error)]
    target, text, error = clean(texts, redactor) if any(texts) else texts
    names = (event.session, event.agent, event.prompt, event.call, event.tool, event.branch)
    session, agent, prompt, call, tool, branch = (identifier(name, redactor) for name in names)
    return dataclasses.replace(
        event, target=target, text=text, error=error, redacted=True,
        session=session, agent=agent, prompt=prompt, call=call, tool=tool, branch=branch,
    )  # fmt: skip


def identifier(value: str, redactor: Redactor) -> str:
    """A name that a client gives. One that a rule knows as a secret is kept as its hash, so that it is the same again;
    what looks random is as an id should be."""
    if not value or redactor.text_again(value) == value:
        return value
    if all(name == UNEXPLAINED for name, _, _ in redactor.findings(value)):
        return value
    from hashlib import blake2b

    return f"hidden-{blake2b(value.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def passes(text: str, redactor: Redactor) -> bool:
    """Whether a text may be kept as it stands: for what was made of redacted text and stands alone now."""
    return redactor.text_again(text) == text


def named(text: str, redactor: Redactor) -> str:
    """A text without what a rule knows by name: on its way out, where an id or a hash may be what was asked for."""
    for _ in range(_ROUNDS):
        findings = [one for one in redactor.findings(text) if one[0] != UNEXPLAINED]
        if not findings:
            break
        text = replaced(text, findings)
    return text


def found(value: Any, redactor: Redactor, name: str = "") -> Iterator[Finding]:
    """What a value still holds that should have been taken out at the border."""
    for field, text in _texts(value, name):
        if redactor.text_again(text) != text:
            yield from ((field, rule) for rule in sorted({rule for rule, _, _ in redactor.findings(text)}))


def plain(value: Any) -> Any:
    """The same data as `clean` gives it back where it finds nothing: lists, and texts that can be stored."""
    return each_text(value, _storable)


def without(value: Any, secrets: dict[str, str]) -> Any:
    """The same data without these secrets, whose types stand beside them, in any of their forms."""
    forms = _forms(secrets)

    def cut(text: str) -> str:
        whole = text.strip()
        if len(whole) >= SHORTEST and " " not in whole and "[redacted:" not in whole:
            for secret, rule in secrets.items():
                if whole in secret and _is_telling(whole, secret):
                    return f"[redacted:{rule}]"
        for form, rule in forms.items():
            if form in text:
                text = text.replace(form, f"[redacted:{rule}]")
        return text

    return each_text(value, cut) if forms else value


# ── inside ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _redacted(text: str, redactor: Redactor, secrets: dict[str, str]) -> str:
    storable = _storable(text)
    result = redactor.text_again(storable)
    if result != storable:
        # What only looks random is looked at by itself in each text: the words around it may explain it in another one.
        for part in (storable,) if len(storable) <= 2 * MOST else (storable[:MOST], storable[-MOST:]):
            found = ((name, start, end) for name, start, end in redactor.findings(part) if name != UNEXPLAINED)
            secrets.update({part[start:end]: name for name, start, end in found})
    return result


def _storable(text: str) -> str:
    return (text if text.isascii() else text.encode("utf-8", "replace").decode()).replace("\0", "�")


def _learn(before: JSON, after: JSON, redactor: Redactor, secrets: dict[str, str]) -> None:
    """What was taken out of a message, from the message as it was."""
    if isinstance(before, dict) and isinstance(after, dict):
        for (key, old), new in zip(before.items(), after.values(), strict=False):
            _redacted(key, redactor, secrets)
            _learn(old, new, redactor, secrets)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        for old, new in zip(before, after, strict=False):
            _learn(old, new, redactor, secrets)
    elif isinstance(before, str) and isinstance(after, str) and before != after:
        _redacted(before, redactor, secrets)
        if whole := re.fullmatch(r"\[redacted:([\w.-]{1,64})\]", after):
            secrets[before] = whole[1]


def _forms(secrets: dict[str, str]) -> dict[str, str]:
    """Each secret as it may stand elsewhere, the longest first: the whole of one goes before a part of it does."""
    from urllib.parse import quote, unquote  # only where there is a secret

    forms: dict[str, str] = {}
    for secret, rule in secrets.items():
        bare = secret.strip("\"'`=;, \t\r\n\\")
        written = (secret, bare, quote(secret, safe=""), quote(bare, safe=""), unquote(secret), *_base64(bare))
        lines = (line.strip() for line in secret.splitlines() if "-----" not in line)
        telling = (*written, *(line for line in lines if len(line) >= LONG_LINE))
        forms |= {form: rule for form in telling if len(form) >= SHORTEST}
    return dict(sorted(forms.items(), key=lambda one: -len(one[0])))


def _base64(secret: str) -> Iterator[str]:
    import base64

    raw = secret.encode("utf-8", "replace")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        encoded = encode(raw).decode()
        yield encoded
        yield encoded.rstrip("=")


def _is_telling(piece: str, secret: str) -> bool:
    """Whether a piece gives something of the secret away: a phrase or a cookie is made of words that stand elsewhere,
    too."""
    return not piece.isalpha() or 2 * len(piece) >= len(secret)


def _ends(text: str) -> str:
    """Without the middle of what is very long; of that nothing is ever kept."""
    return text if len(text) <= 2 * FAR else text[:FAR] + text[-FAR:]


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """The same data with every text changed, but for identifiers."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: item if _is_made(key, item) else each_text(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [each_text(item, change) for item in value]
    return value


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            if not _is_made(key, item):
                yield from _texts(item, str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, name)


def _is_made(name: Any, value: Any) -> bool:
    form = _MADE.get(name)
    return name in IDENTIFIERS or (form is not None and isinstance(value, str) and bool(form.fullmatch(value)))
