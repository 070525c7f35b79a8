"""What an agent's message says of what is done, what comes next, what is open and what was chosen. By its own headings
first, by the sentence where it has none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LONGEST = 200
SHORTEST = 8
_ITEM = re.compile(r"^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX~>-])\]\s*)?(?P<text>\S.*)")
_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+(?P<hash>.+?)\s*#*|\*\*(?P<bold>[^*]{2,80})\*\*:?|(?P<plain>[^\s.!?`-][^.!?`]{1,60}):)\s*$"
)
_LEAD = re.compile(
    r"^\*\*(?P<bold>[^*]{2,60}?):?\*\*:?\s+(?P<rest>\S.*)$"
    r"|^(?P<plain>[A-Za-zÀ-ÿ\u3040-\u9fff][^.!?`:：]{1,40})[:：]\s*(?P<more>\S.*)$"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'“(A-ZÀ-Ý`0-9])|(?<=[。！？])")
_MARKS = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|\[(?P<said>[^\]]{1,80})\]\([^)]{1,300}\)")

_TITLES = (
    ("open", re.compile(
        r"(?i)\b(?:open|unresolved|unanswered|known|blocked|blockers?|limitations?|caveats?|not (?:done|covered"
        r"|yet|tested)|questions?"
        r"|deferred|postponed|later|out of scope|risks?|concerns?|issues?|gaps?|todo for you|needs? your"
        r"|your (?:call|decision))\b"
        r"|offen|ungeklärt|fragen|später|未解决|未決|待定|待确认|问题|遗留|課題|未対応|保留|質問"
        r"|en suspens|questions? ouvertes?"
        r"|pendientes?|preguntas?")),
    ("next", re.compile(
        r"(?i)\b(?:next|remaining|remains|still to|to[- ]?do|left|follow[- ]?ups?|plan|upcoming|what'?s next|rest)\b"
        r"|nächste|als nächstes|verbleib|noch zu|下一步|接下来|接下來|后续|剩余|待办|次|残り|今後"
        r"|prochaines?|suite|reste"
        r"|siguientes?|próxim|falta")),
    ("decisions", re.compile(
        r"(?i)\b(?:decisions?|decided|choices?|chosen|agreed|settled|design)\b|entscheid|beschlossen|决定|決定|选择"
        r"|方針|décisions?|decisi[oó]n")),
    ("done", re.compile(
        r"(?i)\b(?:done|completed?|finished|changes|changed|fixed|implemented|added|summary|what (?:i|we"
        r"|was) (?:did|done|changed))\b"
        r"|erledigt|fertig|geändert|zusammenfassung|已完成|完成|已修复|修改|総括|完了|変更|terminé"
        r"|fait|hecho|cambios|resumen")),
)  # fmt: skip
"""The first one that a heading fits."""

_NEXT = re.compile(
    r"(?i)\b(?:next(?:,| step| up| i\b| we\b|:| is| comes)|i(?:'ll| will| am going to|'m going to)|let me|let's"
    r"|(?:we|i) still (?:need|have) to"
    r"|still (?:needs?|to be|missing|to do|left)|remains? to|remaining|left to do|what'?s left|(?:needs?|has"
    r"|have) to be (?:done|added|fixed|run|moved|written)"
    r"|to ?do\b|then (?:i|we)(?:'ll| will)|up next|the last (?:step|thing) (?:is|will)|after that|tomorrow)\b"
    r"|als nächstes|muss noch|müssen noch|fehlt noch|bleibt noch|noch zu tun|接下来"
    r"|接下來|下一步|还需要|還需要|次に|次は|これから|残りは|あとは"
    r"|ensuite|il reste|prochaine étape|a continuación|falta|siguiente paso|queda por"
)
_OPEN = re.compile(
    r"(?i)\?\s*$|？\s*$|\b(?:not (?:yet|sure|clear|tested|verified|covered|handled|done|implemented|run)|(?:have"
    r"|has)n'?t|did ?n'?t (?:touch|run|test|change|check|add|get)"
    r"|could ?n'?t|can ?n?'?t (?:tell|reproduce|test|run|verify)|unclear|unknown|untested|unverified|skipped"
    r"|left (?:it |that |this )?(?:out|open|as is|alone|for)|known (?:issue|gap|limitation)s?"
    r"|blocked|waiting (?:for|on)|to be decided|your call|let me know|open question|postponed?|put off"
    r"|deferr?(?:ed|ing)?|parked|out of scope|still (?:fails?|failing|open|broken|red)"
    r"|should (?:we|i)\b|do you (?:want|prefer)|would you (?:like|prefer)|need(?:s)? (?:a |your )?(?:decision"
    r"|confirmation|approval|input))\b"
    r"|noch nicht|offen|unklar|später|还没|尚未|还不|暂时|稍后|还未|未确认|まだ|未確認|後で|保留|pas encore"
    r"|à voir|plus tard|todavía no"
    r"|aún no|más tarde|pendiente"
)
_DECIDED = re.compile(
    r"(?i)\b(?:(?:i|we)(?:'ve| have)? (?:decided|chose|opted|picked|settled|agreed|went with|kept)"
    r"|decided (?:to|on|against)|decision:|going with|go with|settled on|opted for"
    r"|(?:i|we)(?:'ll| will) (?:use|go with|keep|stick (?:with|to)|leave)|switch(?:ed|ing)? (?:from|to|over)"
    r"|stick(?:ing)? (?:with|to)|instead of|rather than|in favou?r of|chose|chosen|agreed (?:on|to)|rejected"
    r"|ruled out)\b"
    r"|entschieden|statt(?:dessen)?\b|bleiben bei|nehmen wir|决定|決定|采用|改用|选择|選擇|選ん"
    r"|に決め|採用|ことにし|décid|plutôt que"
    r"|au lieu de|decidi|en lugar de|en vez de"
)
_DONE = re.compile(
    r"(?i)^(?:(?:i|we)(?:'ve| have)? )?(?:now )?(?:added|fixed|implemented|moved|wrote|updated|created|removed"
    r"|renamed|replaced|refactored|migrated|extracted|changed|switched|installed"
    r"|configured|deployed|merged|committed|pushed|released|verified|finished|completed|split|wired|converted"
    r"|documented)\b"
    r"|\b(?:is|are) (?:now )?(?:done|fixed|in place|implemented|merged|green|passing|working)\b"
    r"|\ball (?:\d+ )?(?:tests|checks) (?:now )?pass"
    r"|已(?:经)?(?:完成|修复|添加|实现|更新)|しました|erledigt|ist (?:jetzt )?fertig|behoben"
)


@dataclass(slots=True)
class Said:
    """What one message says, by field."""

    done: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)


def read(message: str) -> Said:
    said = Said()
    title = ""
    code = False
    for line in message.splitlines():
        if line.lstrip().startswith("```"):
            code = not code
            continue
        if code or not line.strip() or line.lstrip().startswith("|"):
            continue
        if heading := _HEADING.match(line):
            title = _title(heading["hash"] or heading["bold"] or heading["plain"])
            continue
        _line(line, title, said)
    return said


def _line(line: str, title: str, said: Said) -> None:
    item = _ITEM.match(line)
    text = _bare(item["text"] if item else line)
    if item and item["box"] is not None:
        (said.done if item["box"] in "xX" else said.next).append(_cut(text))
        return
    lead = _LEAD.match((item["text"] if item else line).strip())
    if lead and (own := _title(lead["bold"] or lead["plain"] or "")):
        rest = _bare(lead["rest"] or lead["more"] or "")
        getattr(said, own).extend(_cut(one) for one in _parts(rest, own))
        return
    if title and (item or title in ("next", "open", "decisions")):
        getattr(said, title).append(_cut(text))
        return
    for sentence in sentences(text):
        if field_ := of_sentence(sentence):
            getattr(said, field_).append(_cut(sentence))


def _parts(text: str, field_: str) -> list[str]:
    return [one.strip() for one in re.split(r"[;；]\s+", text)] if field_ != "decisions" else [text]


def of_sentence(sentence: str) -> str:
    """The field that it belongs to; empty for what is none of this."""
    if len(sentence) < SHORTEST and sentence.isascii():
        return ""
    if _OPEN.search(sentence):
        return "open"
    if _DECIDED.search(sentence):
        return "decisions"
    if _NEXT.search(sentence):
        return "next"
    return "done" if _DONE.search(sentence) else ""


def sentences(text: str) -> list[str]:
    return [one.strip() for one in _SENTENCE.split(" ".join(text.split())) if one.strip()]


def _title(heading: str) -> str:
    return next((name for name, pattern in _TITLES if pattern.search(heading)), "") if len(heading) <= 80 else ""


def _bare(text: str) -> str:
    return " ".join(_MARKS.sub(lambda match: match["said"] or "", text).split())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
