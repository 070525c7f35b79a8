"""An agent's quotation, found in what a person typed, and widened to all that was said with it.

The agent's cut is never kept: "use npm" may be cut out of "don't use npm here". What is kept is the person's sentence,
with its neighbours where the paragraph is short, with the line that a list stands below, and with what "yes" or "that
one" answered. Case, blanks and the forms of Unicode fold when a quotation is looked for; nothing else does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.text import untrusted
from hardwon.text.common_words import COMMON_WORDS
from hardwon.text.speech import spoken, voice
from hardwon.text.speech.blocks import SHORT, Hand, Sentence, sentences

LEAST, LEAST_WIDE = 8, 4
"""Characters by which a sentence can be known; of Chinese and Japanese fewer."""
LONGEST = 600
"""Characters of what is kept."""
PROPOSAL = 240
BRIEF = 60
"""What is shorter says too little without what it answers."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A person's words, as they are kept."""

    said: str
    waits: str = ""
    """Why a person must look at it first; empty when nothing speaks against it."""
    agrees: bool = False
    """A bare yes: it says nothing without what was proposed."""


class TooShort(Exception):
    """The quotation could be of any sentence."""


def find(prompt: str, quote: str) -> Quoted | None:
    """The sentence or sentences of this prompt that a quotation is cut from; None when it is not in there."""
    said = sentences(prompt)
    places = list(_places(said, fold(quote)))
    if not places:
        return None
    whole = fold(" ".join(one.text for one in said))
    if fold(quote) == whole and agrees(whole):
        return Quoted(quote.strip(), agrees=True)
    first, last = min(places, key=lambda place: any(one.hand is Hand.UNSURE for one in said[place[0] : place[1] + 1]))
    kept = said[first : last + 1]
    if _is_too_short(fold(quote)) and not any(_is_all_of(one, quote) for one in kept):
        raise TooShort
    wide = _widened(said, first, last)
    text = _joined(wide)
    return Quoted(text, _why_it_waits(kept, text, quote, prompt))


def fold(text: str) -> str:
    """The form in which a quotation is looked for."""
    plain = fold_signs(text).casefold()
    return _BESIDE_WIDE.sub("", " ".join(plain.split())).strip()


def fold_signs(text: str) -> str:
    """With its case and its blanks."""
    return unicodedata.normalize("NFKC", text).translate(_SIGNS)


_SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "\u200b": "", "\ufeff": ""}
)
_WIDE = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_BESIDE_WIDE = re.compile(rf"(?<=[{_WIDE}]) | (?=[{_WIDE}])")


def _places(said: Sequence[Sentence], wanted: str) -> list[tuple[int, int]]:
    """The first and last sentence of each place where it stands."""
    wanted = wanted.strip(" \"'")
    if not wanted:
        return []
    whole, ends = "", []
    for one in said:
        whole = fold(f"{whole} {one.text}") if whole else fold(one.text)
        ends.append(len(whole))
    found = []
    for match in re.finditer(_bounded(wanted), whole):
        first = next(at for at, end in enumerate(ends) if match.start() < end)
        last = next(at for at, end in enumerate(ends) if match.end() <= end)
        found.append((first, last))
    return found


def _bounded(wanted: str) -> str:
    """Not in the middle of a word."""
    start = r"(?<![a-z0-9_])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    end = r"(?![a-z0-9_])" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    return start + re.escape(wanted) + end


def _is_too_short(folded: str) -> bool:
    bare = re.sub(r"[\W_]", "", folded)
    return len(bare) < (LEAST if bare.isascii() else LEAST_WIDE)


def _is_all_of(one: Sentence, quote: str) -> bool:
    return fold(one.text).strip(" .,!。！，") == fold(quote).strip(" .,!。！，")


def _widened(said: Sequence[Sentence], first: int, last: int) -> list[Sentence]:
    """With its paragraph where that is short, else with its neighbours as far as there is room; below a list's
    heading, with that."""
    block = [at for at, one in enumerate(said) if said[first].block <= one.block <= said[last].block]
    if len(_joined([said[at] for at in block])) <= SHORT:
        first, last = block[0], block[-1]
    else:
        for step in (-1, 1):
            at = first - 1 if step < 0 else last + 1
            if at in block and len(_joined(said[min(at, first) : max(at, last) + 1])) <= SHORT:
                first, last = min(at, first), max(at, last)
    head = first - 1
    if head >= 0 and said[head].text.rstrip().endswith((":", "：")):
        return [said[head], *said[first : last + 1]]
    return list(said[first : last + 1])


def _joined(some: Sequence[Sentence]) -> str:
    text = " ".join(one.text for one in some)
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1].rstrip() + "…"


def _why_it_waits(kept: Sequence[Sentence], text: str, quote: str, prompt: str) -> str:
    if any(one.hand is Hand.UNSURE for one in kept):
        return "it may be a part of something pasted"
    if why := untrusted.why_planted(text):
        return why
    if "[REDACTED" in text:
        return "a secret was taken out of it"
    if why := voice.why_not_own(text, prompt) or _unclear(kept, prompt, quote):
        return why
    if _is_quotation(text, quote):
        return "it is quoted from somebody else"
    if all(_QUESTION.search(one.text) and not _REQUESTS.match(one.text) for one in kept):
        return "it is a question"
    return ""


_QUESTION = re.compile(r"[?？]\W*$|[吗嗎か]\W*$")
_REQUESTS = re.compile(r"(?i)\W*(?:can|could|would|will|why|how about|what about|shouldn't|should)\b|.*[吗嗎][?？]?$")
_HELD = re.compile(r"\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|「[^」\n]{2,300}」|«[^»\n]{2,300}»")


def _unclear(kept: Sequence[Sentence], prompt: str, quote: str) -> str:
    alone = len(kept) == 1 and fold(kept[0].text) == fold(prompt)
    return voice.why_unclear(fold_signs(kept[0].text), fold_signs(quote).strip(" \"'"), alone)


def _is_quotation(text: str, quote: str) -> bool:
    """All of the quotation stands in quotation marks, in a sentence that says more."""
    wanted = fold(quote).strip(" \"'")
    outside = fold(_HELD.sub(" ", text))
    return any(wanted in fold(held[0]) for held in _HELD.finditer(text)) and wanted not in outside


def agrees(folded: str) -> bool:
    """A bare yes."""
    return folded.strip(" .,!。！，~") in _YES


_AGREE = """
yes|yep|yeah|yup|y|ok|okay|k|sure|agreed|agree|do it|do that|go|go ahead|sounds good|perfect|exactly|correct
right|yes please|please do|that one|the first|the second|both|let's do it|lgtm|fine|good|great|ship it|+1
好|好的|可以|是|是的|行|对|同意|没问题|就这样|はい|ええ|うん|お願いします|そうして|いいよ|それで
si|sí|dale|claro|vale|sim|ja|genau|oui|d'accord|ano|да|давай|ага
"""
_YES = frozenset(one for line in _AGREE.strip().splitlines() for one in line.split("|"))


def proposal(answer: str) -> str:
    """What an agent's answer proposed at its end: the last question or, where there is none, the last sentence."""
    lines = [line.strip(" *_#>-") for line in answer.splitlines() if line.strip(" *_#>-`|")]
    parts = [part for line in lines[-6:] for part in spoken.split(line)]
    asked = [part for part in parts if part.endswith(("?", "？"))]
    said = (asked or parts or [""])[-1]
    return said if len(said) <= PROPOSAL else "…" + said[-PROPOSAL:]


def telling(text: str) -> frozenset[str]:
    """The words of a sentence that few sentences have, in a form that does not depend on their ending."""
    words = {word for word in re.findall(r"[a-z][\w+#.-]{3,}", text.lower()) if word not in _COMMON}
    wide = set(re.findall(r"(?=([\u3040-\u30ff\u3400-\u9fff]{2}))", text))
    return frozenset({word.strip(".-")[:6] for word in words} | wide)


_COMMON = frozenset(COMMON_WORDS.split()) | {"always", "never", "please", "instead", "using", "should", "agent", "user"}
