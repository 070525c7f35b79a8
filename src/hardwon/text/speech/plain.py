"""What a person says so plainly that no model is needed: "from now on …", "never …", "decision: …".

Few people speak so (one sentence in a thousand), but then they mean it. All other speech is left to the agent that is
in the session anyway (`learn/marking.py`): forms for it were right in one of five firings. Such a form stands at the
beginning of the person's own sentence, which neither asks nor supposes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon.memory import Kind, Rejected
from hardwon.text.speech import signs, spoken, subjects
from hardwon.text.speech.blocks import Hand, Sentence, sentences

MOST = 5
"""A prompt with more of them is a document."""
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Statement:
    kind: Kind
    said: str
    """The person's sentence; of one with a mark before it, what follows the mark."""
    because: str = ""
    rejected: tuple[Rejected, ...] = ()
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    statements: tuple[Statement, ...] = ()
    expects_red: bool = False
    """A test is meant to fail for now."""
    says_fixed: bool = False
    """What was broken works, says the person."""


@lru_cache(maxsize=4)  # several readers of a session ask about the same prompt
def read(prompt: str) -> Said:
    own = [one for one in sentences(prompt) if one.hand is Hand.OWN]
    heard = spoken.listen(prompt).sentences
    return Said(tuple(_statements(own))[:MOST], signs.red(heard), signs.fixed(heard))


def _statements(own: Sequence[Sentence]) -> Iterator[Statement]:
    place = 0
    while place < len(own):
        text = own[place].text
        if mark := _MARK.fullmatch(text):
            statement, used = _marked(mark, [one.text for one in own[place + 1 : place + 5]])
            if statement:
                yield statement
            place += used
            continue
        if len(text) <= LONGEST and is_plain(text):
            yield Statement(Kind.RULE, text)
        place += 1


def is_plain(sentence: str) -> bool:
    """Whether it lays something down for all times, in so many words."""
    if _ASKS.search(sentence) or spoken.supposes(sentence):
        return False
    return _PLAIN.search(_without_quotations(sentence)) is not None


def _without_quotations(sentence: str) -> str:
    return _HELD.sub("…", sentence)


_HELD = re.compile(r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」")
_ASKS = re.compile(r"[?？]\W*$|[吗嗎呢]\W*$")
_LEAD = (
    r"(?:(?:and|but|also|so|ok|okay|no|please|pls|important|note|(?:you|we) (?:should|must|need to|can)"
    r"|i want you to|make sure (?:to|you|that you)|it should|should|must)[,:;]?\s+){0,3}"
)
_PLAIN = re.compile(
    rf"(?i)^{_LEAD}(?:always|never(?! ?mind\b)|don'?t ever|do not ever|from now on|going forward)\b"
    r"|\b(?:from now on|going forward|in this (?:repo|project), always)\b|,\s*always[.!]*$"
    r"|^(?:remember|merk dir|recuerda|记住|記住|覚えて(?:おいて)?)\s*[:：,，]"
    r"|^(?:我们|我們|请|請|你)?(?:以后|以後|今后|今後|始终|始終|永远|永遠|总是|總是|千万|千萬|务必|務必)"
    r"|^(?:今後|常に|絶対に)|^(?:ab jetzt|immer|niemals|nie wieder|siempre|nunca|a partir de ahora)\b"
)

_MARK = re.compile(
    r"(?P<mark>rule|decision|decided|constraint|requirement|todo|task|规则|規則|ルール|决定|決定|決定事項|约束|約束"
    r"|要求|待办|待辦|任务|制約|タスク)"
    r"\s*[:：]\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_KINDS = {
    Kind.RULE: frozenset({"rule", "规则", "規則", "ルール"}),
    Kind.DECISION: frozenset({"decision", "decided", "决定", "決定", "決定事項"}),
    Kind.CONSTRAINT: frozenset({"constraint", "requirement", "约束", "約束", "要求", "制約"}),
}
_BECAUSE = re.compile(
    r"(?:because|reason|why|理由|原因|因为|因為)\s*[:：]?\s+(?P<text>\S.*)|(?:理由|原因|因为)[:：]?(?P<wide>\S.*)",
    re.IGNORECASE,
)
_REJECTED = re.compile(r"[\s,;.,；。—–-]*(?:rejected|却下|否决|否決|放弃|不选)\s*[:：]\s*(?P<text>.+)", re.IGNORECASE)
_REASON_INSIDE = re.compile(r"(?i)[,;:—–-]?\s+because\s+(?P<why>.+)$|[，,]?因[为為](?P<wide>.+)$")


def _marked(mark: re.Match[str], rest: Sequence[str]) -> tuple[Statement | None, int]:
    """An explicit mark, and how many sentences belong to it."""
    text = mark["text"].strip()
    kind = next((one for one, words in _KINDS.items() if mark["mark"].lower() in words), Kind.TASK)
    if _ASKS.search(text):
        return None, 1
    if kind is not Kind.DECISION:
        return Statement(kind, text), 1
    used, why, turned_down = 1, "", ""
    for sentence in rest:
        if because := _BECAUSE.fullmatch(sentence):
            why = why or because["text"] or because["wide"]
        elif _REJECTED.fullmatch(sentence):
            turned_down += f"{sentence}\n"
        else:
            break
        used += 1
    if inline := _REJECTED.search(text):
        text, turned_down = text[: inline.start()], f"rejected: {inline['text']}\n{turned_down}"
    if reason := _REASON_INSIDE.search(text):
        text, why = text[: reason.start()], why or reason["why"] or reason["wide"]
    if cut := _REJECTED.search(why):
        why, turned_down = why[: cut.start()], f"rejected: {cut['text']}\n{turned_down}"
    what = text.strip(" .;,，；。")
    return Statement(kind, what, why.strip(" .;,"), _rejected(turned_down), subjects.subject(what)), used


def _rejected(text: str) -> tuple[Rejected, ...]:
    """`rejected: X: why; Y: why`, on one line or several."""
    found: list[Rejected] = []
    for line in text.splitlines():
        if match := _REJECTED.fullmatch(line):
            for part in re.split(r"\s*[;；]\s*", match["text"]):
                what, _, why = part.replace("：", ":").partition(":")
                if what.strip():
                    found.append(Rejected(what.strip(" .,"), why.strip(" .,")))
    return tuple(found[:6])
