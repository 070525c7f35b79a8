"""Takes secrets out of text before anything else sees it.

Every text that hardwon keeps, sends or logs passes here first. Three steps: *clip* what is too long, without ever
cutting a secret in two; *look for keywords*, which costs next to nothing and settles most texts; *match the rules*
behind the keywords that were found. A secret becomes `[redacted:<type>]`; the rest of the text stays as it is. Every
step takes time in proportion to the text, whatever is in it.

    >>> from hardwon.redact import DEFAULT
    >>> DEFAULT.text("psql postgres://app:" + "s3same" + "@db/shop")
    'psql postgres://app:[redacted:url-password]@db/shop'
"""

import re
from collections.abc import Sequence

from . import unexplained
from .clip import SMALLEST, clipped, replaced
from .contexts import CONTEXTS, EMAIL, USER_NAME
from .own import OwnRules
from .payload import JSON, Payload
from .rules import NEIGHBOURS, SHAPES, TOKENS, Rule
from .scan import Finding, Scanner
from .view import views

__all__ = ["DEFAULT", "EDITION", "JSON", "RULES", "Redactor", "Rule"]

EDITION = 1
"""Goes up with a change of what is found that is no new or changed rule: old homes are looked through once more."""
RULES: tuple[Rule, ...] = TOKENS + NEIGHBOURS + SHAPES + CONTEXTS
"""Every rule that is on by default, the more specific first: where two find the same secret, the first names it."""

_NAMES = (*(rule.name for rule in (*RULES, EMAIL, USER_NAME)), unexplained.ANNOUNCED, unexplained.NAME)
_RANK = {name: rank for rank, name in reversed(list(enumerate(_NAMES)))}
_ROUNDS = 5
_ID = re.compile(r"(?<=\[)[0-9a-f]{6}(?=[\],])")
_STANDS_FOR_ID = "\ue000"
_SHORT, _MOST_KNOWN = 1_000, 2_000


class Redactor:
    """The rules with the user's options. `own_rules` are (name, regular expression) from the settings; with `slow_too`
    also those that would be refused (`own.py`). Without the `second_line` only what a rule knows by name is found."""

    def __init__(
        self,
        *,
        own_rules: Sequence[tuple[str, str]] = (),
        emails: bool = False,
        user_names: bool = False,
        max_chars: int = 200_000,
        slow_too: bool = False,
        second_line: bool = True,
    ) -> None:
        if max_chars < SMALLEST:
            raise ValueError(f"max_chars must be at least {SMALLEST}, got {max_chars}")
        self._max_chars = max_chars
        self._own = OwnRules(own_rules, slow_too=slow_too)
        more = [rule for rule, wanted in ((EMAIL, emails), (USER_NAME, user_names)) if wanted]
        self._scanner = Scanner(more, second_line=second_line)
        self._payload = Payload(self.text, self.findings)
        self._clean: set[str] = set()

    def text(self, value: str) -> str:
        """The text without its secrets, at most `max_chars` long. Doing it again changes nothing.

        What a secret stood beside may read differently once it is gone, so the result is looked at again until
        nothing is found; a text without secrets is looked at once.
        """
        for _ in range(_ROUNDS):
            before = value
            if len(value) > self._max_chars:
                value = clipped(value, self._max_chars, self.findings)
            else:
                value = replaced(value, self.findings(value))
            if value == before:
                break
        return value

    def text_again(self, value: str) -> str:
        """The same as `text`, for texts that come again and again, such as a folder, a command, what was redacted a
        moment ago: a short one in which these rules found nothing is not searched once more."""
        if value in self._clean:
            return value
        result = self.text(value)
        if result == value and len(value) <= _SHORT:
            if len(self._clean) >= _MOST_KNOWN:
                self._clean.clear()
            self._clean.add(value)
        return result

    def leaving(self, value: str) -> str:
        """The same for what is said or shown: a memory may be older than a rule. What was kept passed when it came, so
        an id of ours in brackets is none of its secrets, whatever stands before it."""
        ids = _ID.findall(value)
        left = self.text_again(_ID.sub(_STANDS_FOR_ID, value)).split(_STANDS_FOR_ID)
        if len(left) != len(ids) + 1:
            return self.text_again(value)
        return "".join(part for pair in zip(left, [*ids, ""], strict=True) for part in pair)

    def payload(self, value: JSON) -> JSON:
        """The same for data: every string in it, keys too, and values that only their key gives away."""
        return self._payload.redacted(value)

    def findings(self, value: str) -> list[Finding]:
        """(type, start, end) of every secret, in order, without overlaps; never the secret itself."""
        found = [
            (name, *view.original(start, end))
            for view in views(value)
            for name, start, end in self._scanner.findings(view)
        ]
        found += self._own.findings(value)
        return _merged(found) if found else []


def _merged(findings: list[Finding]) -> list[Finding]:
    """Overlapping findings as one, named by the most specific rule."""
    merged: list[Finding] = []
    for name, start, end in sorted(findings, key=lambda finding: finding[1:]):
        if merged and start < merged[-1][2]:
            other, begin, stop = merged[-1]
            merged[-1] = (min(name, other, key=lambda each: _RANK.get(each, -1)), begin, max(stop, end))
        else:
            merged.append((name, start, end))
    return merged


DEFAULT = Redactor()
