"""No made-up secret survives, wherever it stands."""

import json
import random
import shlex
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from hardwon.redact import DEFAULT, JSON, RULES, Rule
from hardwon.redact.rules import NEIGHBOURS, SHAPES

from .canaries import Canary, canaries, make
from .formats import FORMATS

CANARIES = canaries()
WRAPPERS: dict[str, Callable[[str], str]] = {
    "repr": lambda text: f"ValueError: kind must be one of a, b, got {text!r}",
    "repr of repr": lambda text: repr(repr(text)),
    "JSON three times": lambda text: json.dumps(json.dumps(json.dumps(text))),
    "JSON with any letter": lambda text: json.dumps({"c": json.dumps(text, ensure_ascii=False)}, ensure_ascii=False),
    "a list": lambda text: repr(["bash", "-c", text]),
    "a shell": lambda text: f"bash -lc {shlex.quote(text)}",
    "a shell in a shell": lambda text: f"ssh host {shlex.quote('bash -c ' + shlex.quote(text))}",
    "Windows lines": lambda text: text.replace("\n", "\r\n"),
    "a comment": lambda text: text.replace("\n", "\n# "),
    "a quotation": lambda text: text.replace("\n", "\n> "),
    "indented": lambda text: text.replace("\n", "\n        "),
}


def test_there_are_canaries_for_every_rule_in_four_contexts_or_more() -> None:
    """At least 200 in all, and no rule is left out."""
    contexts = Counter((canary.rule, canary.context) for canary in CANARIES)
    per_rule = Counter(rule for rule, _ in contexts)
    assert len(CANARIES) >= 200
    assert {rule.name for rule in RULES} <= set(per_rule)
    assert all(count >= 4 for count in per_rule.values())


def test_every_rule_finds_two_canaries_by_itself() -> None:
    """A rule that another one makes superfluous, or that has a typing error, does not go unnoticed."""
    for rule in RULES:
        found = [canary for canary in CANARIES if canary.rule == rule.name and _fires(rule, canary.text)]
        assert len(found) >= 2, f"{rule.name} {rule.keywords}"


@pytest.mark.parametrize("seed", [1, 2])
def test_no_canary_survives_in_text(seed: int) -> None:
    """Another seed makes other secrets in other surroundings."""
    assert [canary for canary in canaries(seed) if canary.secret in DEFAULT.text(canary.text)] == []


def test_no_canary_survives_in_data() -> None:
    """The same text as a string in a payload, as a list's item, and as a key."""
    for canary in CANARIES:
        payload: JSON = {"tool_input": {"command": canary.text}, "lines": [1, canary.text], canary.text: None}
        kept = DEFAULT.payload(payload)
        assert all(canary.secret not in text for text in _strings(kept)), canary


def test_redaction_is_idempotent() -> None:
    """Redacting what was redacted changes nothing, so that text may pass more than once."""
    for canary in CANARIES:
        once = DEFAULT.text(canary.text)
        assert DEFAULT.text(once) == once


def test_findings_say_where_and_never_what() -> None:
    """A report can be printed: types and positions, in order, without overlaps."""
    text = " ".join(canary.text for canary in CANARIES[::40])
    findings = DEFAULT.findings(text)
    assert len(findings) >= len(CANARIES[::40])
    assert all(isinstance(name, str) and 0 <= start < end <= len(text) for name, start, end in findings)
    assert all(one[2] <= other[1] for one, other in pairwise(findings))


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("", "\\u200b", ""),
        ("", "\u200b", ""),
        ("", "\x1b[01;31m\x1b[K", ""),
        ("", "\\u001b[31m", ""),
        ("word\x1b[32m", "", "\x1b[0mword"),
        ("密钥", "", "结束"),
        ('\\"', "", '\\"'),
        ("\\\\n", "", "\\\\n"),
        ("&quot;", "", "&quot;"),
        ("x%3D", "", "%26y"),
        ("(", "", ")."),
        ("a,", "", ",b"),
    ],
)
def test_a_token_is_known_however_it_is_wrapped(before: str, between: str, after: str) -> None:
    """Colours, escapes, zero-width characters and signs around or inside a token do not hide it."""
    for canary in _tokens():
        half = len(canary.secret) // 2
        wrapped = before + canary.secret[:half] + between + canary.secret[half:] + after
        kept = DEFAULT.text(f"see {wrapped} there")
        assert canary.secret[half:] not in kept, canary.rule
        assert canary.secret[:half] not in kept, canary.rule


@pytest.mark.parametrize("name", WRAPPERS)
def test_no_canary_survives_when_its_text_is_quoted(name: str) -> None:
    """Error messages repeat what they were given; clients put text into JSON, shells and pages, several times over."""
    for canary in CANARIES[::4]:
        text = WRAPPERS[name](canary.text)
        kept = DEFAULT.text(text)
        assert canary.secret not in kept, text
        assert DEFAULT.text(kept) == kept


def test_a_token_is_known_with_its_signs_escaped() -> None:
    """`sk\\u002dant\\u002d…` is how some JSON writers put it."""
    for canary in _tokens():
        escaped = canary.secret.replace("-", "\\u002d").replace("_", "\\u005f").replace(".", "\\u002e")
        assert canary.secret[-12:] not in DEFAULT.text(json.dumps({"a": "b"}) + f' "{escaped}"'), canary.rule


def test_neighbouring_secrets_all_go() -> None:
    """Two secrets with one sign between them are two secrets."""
    for one, other in pairwise(_tokens()):
        for sign in (" ", ",", "\n", ":", "|", '","'):
            kept = DEFAULT.text(one.secret + sign + other.secret)
            assert one.secret not in kept
            assert other.secret not in kept


def _tokens() -> list[Canary]:
    """One canary of each format that is known by itself."""
    rng = random.Random(7)
    return [Canary(each.rule, make(each.secret, rng), "", "") for each in FORMATS if not each.lines]


def _fires(rule: Rule, text: str) -> bool:
    everywhere = range(len(text)) if rule in NEIGHBOURS or rule in SHAPES else None
    hits = everywhere or {at for key in rule.keywords for at in _occurrences(text.lower(), key.lower())}
    matches = (rule.pattern.match(text, at - rule.offset) for at in hits if at >= rule.offset)
    return any(found and rule.secret(found) for found in matches)


def _occurrences(text: str, keyword: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(keyword, at)]


def _strings(value: JSON) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *_strings(item))]
    return [text for item in value for text in _strings(item)] if isinstance(value, (list, tuple)) else []
