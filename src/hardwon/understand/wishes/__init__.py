"""What a person wants, read from one prompt of theirs: corrections, decisions, constraints, tasks. Pure; no model.

Precision comes first: what is taken for a wish is remembered, and may be held against an agent for years. So each
sentence is read alone, without what was quoted or pasted, by forms that say what they say in any context. What a form
can't tell is left out. English, Chinese (both scripts) and Japanese.
"""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache

from hardwon.memory import Rejected
from hardwon.understand.wishes import choices, corrections, demands, signs, subjects
from hardwon.understand.wishes.spoken import Spoken, asks, listen
from hardwon.understand.wishes.terms import parted, term
from hardwon.understand.wishes.wish import SURE, Correction, Decision, Wishes

__all__ = ["SURE", "Correction", "Decision", "Wishes", "read"]

MOST = 5
"""Of each sort: a prompt with more of them is a document."""
_MARK = re.compile(
    r"(?P<mark>decision|decided|constraint|requirement|todo|task|决定|決定|決定事項|约束|約束"
    r"|要求|待办|待辦|任务|制約|タスク)"
    r"\s*[:：]\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_DECISION = frozenset({"decision", "decided", "决定", "決定", "決定事項"})
_CONSTRAINT = frozenset({"constraint", "requirement", "约束", "約束", "要求", "制約"})
_BECAUSE = re.compile(
    r"(?:because|reason|why|理由|原因|因为|因為)\s*[:：]?\s+(?P<text>\S.*)|(?:理由|原因|因为)[:：]?(?P<wide>\S.*)",
    re.IGNORECASE,
)
_REJECTED = re.compile(r"[\s,;.，；。—–-]*(?:rejected|却下|否决|否決|放弃|不选)\s*[:：]\s*(?P<text>.+)", re.IGNORECASE)


@lru_cache(maxsize=4)  # several readers of a session ask about the same prompt
def read(prompt: str) -> Wishes:
    spoken = listen(prompt)
    found = _Found(spoken)
    found.read()
    return Wishes(
        tuple(found.corrections[:MOST]),
        tuple(found.decisions[:MOST]),
        tuple(found.constraints[:MOST]),
        tuple(found.tasks[:MOST]),
        signs.red(spoken.sentences),
        signs.fixed(spoken.sentences),
    )


class _Found:
    def __init__(self, spoken: Spoken) -> None:
        self._spoken = spoken
        self.corrections: list[Correction] = []
        self.decisions: list[Decision] = []
        self.constraints: list[str] = []
        self.tasks: list[str] = []

    def read(self) -> None:
        sentences = self._spoken.sentences
        place = 0
        while place < len(sentences):
            if mark := _MARK.fullmatch(sentences[place]):
                place += self._marked(mark, sentences[place + 1 :])
            else:
                before = sentences[place - 1] if place else ""
                after = sentences[place + 1] if place + 1 < len(sentences) else ""
                self._said(sentences[place], before, after)
                place += 1

    def _said(self, sentence: str, before: str, after: str) -> None:
        """Each sentence is one thing: a decision that gives reasons, else a correction, else a constraint or a task."""
        decision, correction = choices.find(sentence, after), corrections.find(sentence, before)
        if decision and (correction is None or decision.because or decision.rejected):
            self.decisions.append(self._whole_decision(decision))
        elif demands.constraint(sentence) and not (correction and correction.wanted):
            self.constraints.append(self._whole(sentence))
        elif correction:
            self.corrections.append(self._whole_correction(correction))
        elif what := demands.task(sentence):
            self.tasks.append(self._whole(what))

    def _marked(self, mark: re.Match[str], rest: tuple[str, ...]) -> int:
        """An explicit mark; how many sentences belong to it."""
        kind, text = mark["mark"].lower(), mark["text"]
        if kind not in _DECISION:
            (self.constraints if kind in _CONSTRAINT else self.tasks).append(self._whole(text))
            return 1
        used, why, turned_down = 1, "", ""
        for sentence in rest[:4]:
            if because := _BECAUSE.fullmatch(sentence):
                why = why or because["text"] or because["wide"]
            elif _REJECTED.fullmatch(sentence):
                turned_down += f"{sentence}\n"
            else:
                break
            used += 1
        if asks(text):
            return used
        if inline := _REJECTED.search(text):
            text, turned_down = text[: inline.start()], f"rejected: {inline['text']}\n{turned_down}"
        what, reason = parted(text)
        if cut := _REJECTED.search(reason):
            reason, turned_down = reason[: cut.start()], f"rejected: {cut['text']}\n{turned_down}"
        if cut := _REJECTED.search(why):
            why, turned_down = why[: cut.start()], f"rejected: {cut['text']}\n{turned_down}"
        spoken = choices.find(text) or choices.find(f"we decided to {text}")
        chosen = spoken.chosen if spoken else term(what)
        rejected = _rejected(turned_down) or (spoken.rejected if spoken else ())
        subject = subjects.subject(what, chosen)
        decision = Decision(what.strip(" .;,，；。"), subject, chosen, (reason or why).strip(" .;,"), rejected)
        self.decisions.append(self._whole_decision(decision))
        return used

    def _whole_correction(self, correction: Correction) -> Correction:
        return dataclasses.replace(
            correction,
            said=self._whole(correction.said),
            wanted=_unquoted(self._whole(correction.wanted)),
            unwanted=_unquoted(self._whole(correction.unwanted)),
        )

    def _whole_decision(self, decision: Decision) -> Decision:
        chosen, subject = self._bare(decision.chosen), decision.subject
        if not subject or self._spoken.restored(subject) != subject:
            subject = subjects.subject(self._bare(decision.said), chosen)
        return dataclasses.replace(
            decision,
            said=self._whole(decision.said),
            because=self._whole(decision.because),
            chosen=chosen,
            subject=subject,
            rejected=tuple(Rejected(self._bare(one.what), self._whole(one.why)) for one in decision.rejected),
        )

    def _whole(self, text: str) -> str:
        return self._spoken.restored(text).strip()

    def _bare(self, text: str) -> str:
        return self._spoken.restored(text).strip(" `\"'“”「」")


def _unquoted(text: str) -> str:
    """One name in quotation marks is the name."""
    match = re.fullmatch(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」", text)
    return next(filter(None, match.groups())) if match else text


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
