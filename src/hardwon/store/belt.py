"""The belt behind the borders: nothing is written down in which redaction still finds something.

What comes in loses its secrets where it comes in (`redact/border.py`). Here it is looked at once more before it is
written: what a border let pass is taken out and counted, and `doctor` says so. With `HARDWON_STRICT_BORDERS` in the
environment, as in the tests, it is an error that names the field and the rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.redact import border

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardwon.redact.border import Finding
    from hardwon.store.connection import Store

COUNT = "let_pass"
"""The number of times in the database."""


class NotRedacted(AssertionError):
    """A border let something pass; says which field and which rule, never what."""


def held(store: Store, value: Any, what: str) -> Any:
    """What is to be written, as it may be: with nothing in it that redaction finds."""
    cleaned = border.clean(value, store.redactor)
    if cleaned != border.plain(value):
        report(store, what, border.found(value, store.redactor))
    return cleaned


def report(store: Store, what: str, found: Iterable[Finding]) -> None:
    """Something was found where nothing should be."""
    leaks = sorted(set(found))
    if not leaks:
        return
    if store.is_strict:
        said = ", ".join(f"{rule} in {field or 'the text'}" for field, rule in leaks)
        raise NotRedacted(f"{what}: a border let something pass: {said}")
    if store.writable:
        store.set_meta(COUNT, str(count(store) + 1))


def count(store: Store) -> int:
    return int(store.meta(COUNT) or 0)
