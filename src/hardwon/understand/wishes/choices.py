"""Decisions: what a person settles, for what reason, against which alternative.

"Let's use X" alone is how people ask for anything at all; it decides something when a reason or an alternative is
named, or when X is a tool of a known category. "We decided", "就用", "に決めた" decide by themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardwon.memory import Rejected
from hardwon.understand.wishes import subjects
from hardwon.understand.wishes.forms import Forms, compiled
from hardwon.understand.wishes.spoken import asks, supposes
from hardwon.understand.wishes.terms import parted, term
from hardwon.understand.wishes.wish import Decision


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: str
    certain: bool = False
    """It decides by itself: no reason and no alternative need be named."""
    has: str = ""
    """As in `forms.Form`."""


_LEAD = (
    r"(?:after [^,]{1,60},\s*|i think (?:that )?|final call[:,]\s*)?"
    r"(?:(?:ok(?:ay)?|alright|right|so|fine|yes|yeah|then|and|no|nope|actually|after all|great"
    r"|good|thanks|also)\b[\s,.!:—–-]*)*"
)
_TAKE = (
    r"(?:use|go with|stick with|stick to|stay with|stay on|adopt|pick|choose|switch to|move to"
    r"|standardi[sz]e on|settle on|do)"
)
_FORMS = Forms(
    _Form(
        rf"{_LEAD}(?:we|i|the team|my team)(?:'ve| have|'re| are)?(?: all| finally| already| just| now)?"
        r" (?:decided|agreed|opted|settled|concluded) (?:to (?!meet\b)|on |for |that |against "
        r"|not to |we )(?P<what>.+)",
        certain=True,
        has="agreed|concluded|decided|opted|settled",
    ),
    _Form(
        rf"{_LEAD}(?:we|i|the team)(?:'ve| have)? (?:chose|chosen|picked|went with) (?P<what>.+)",
        has="chose|picked|went with",
    ),
    _Form(
        rf"{_LEAD}(?:we're|we are|i'm|i am) (?:going|sticking|staying) with (?P<what>.+)",
        certain=True,
        has="going with|staying with|sticking with",
    ),
    _Form(
        rf"{_LEAD}(?:let's|lets|let us|we'll|we will|i'll|i will|we should|i want to|i'd rather)"
        rf"(?: just| rather)? {_TAKE} (?P<what>.+)",
        has="i want to|i will|i'd rather|i'll|let us|let's|lets|we should|we will|we'll",
    ),
    _Form(rf"{_LEAD}(?:go|stick|stay) with (?P<what>.+)", has="go with|stay with|stick with"),
    _Form(
        (
            r"(?:the |my |our |final )*decision(?: is| was)?(?: to| that)? (?P<what>(?:use|go|keep"
            r"|drop|move|adopt|not) .+)"
        ),
        certain=True,
        has="decision",
    ),
    _Form(
        r"(?:我们|我們|我|咱们|团队|團隊|最后|最後|最终|最終|那|好|已经|已經|[，,\s])*(?:决定|決定)(?:了)?"
        r"(?:要|还是|還是)?(?P<what>(?:用|采用|採用|使用|改用|选|選|不用|不再用|不再使用|保留|统一"
        r"|統一|放弃|放棄|先).+)",
        certain=True,
        has="决定|決定",
    ),
    _Form(
        r"(?:那|好|行|嗯|好的|[，,\s])*(?:就|还是|還是|那就)(?P<what>(?:用|采用|採用|使用|选|選).+)", has="就|还是|還是"
    ),
    _Form(r"(?:我们|我們|咱们|最终|最終)*(?P<what>(?:选择|選擇|选|選|采用|採用).+)", has="採用|选|選|采用"),
    _Form(rf"{_LEAD}(?P<what>[\w .+#-]{{2,40}}?) it is(?P<why>,? (?:because|since) .+)?", has="it is"),
    _Form(rf"{_LEAD}let's not (?:use|go with|do|adopt) (?P<not_this>.+)", has="let's not"),
    _Form(r"(?P<what>.{1,80}?)にします[。！!]*", has="にします"),
    _Form(
        r"(?:我们|我們|咱们|最后|最後|最终|最終)*(?:选|選)了(?P<what>.+?[，,]\s*(?:没选|沒選|不是|而不是).+)",
        has="选了|選了",
    ),
    _Form(r"(?:我们|我們|咱们)*(?P<what>改?用.+?[，,。]?\s*(?:因为|因為|毕竟|畢竟).+)", has="用"),
    _Form(
        (
            r"(?P<what>.{1,80}?)に(?:決めた|決めました|決定した|決定しました|することにした|することにしました)[。！!"
            r"よね]*"
        ),
        certain=True,
        has="に決め|に決定|ことにし",
    ),
    _Form(
        (
            r"(?P<what>.{1,120}?)(?:を使うことにした|を使うことにしました|を採用することにした|を採用しました"
            r"|を採用します|を採用する)[。！!よね]*"
        ),
        certain=True,
        has="を使うことに|を採用",
    ),
    _Form(
        r"(?P<what>.{1,120}?)(?:にしよう|にしましょう|を使おう|を使いましょう|を採用しよう|で行こう"
        r"|でいこう|で行きましょう|でいきましょう)[。！!よね]*",
        has="にし|を使|を採用|で行|でい",
    ),
)
_UNDECIDED = re.compile(
    r"\b(?:haven't|have not|not yet|hasn't|didn't|before we|until we|need to|have to|help me|can you"
    r"|who|once we|still)\b.{0,20}"
    r"\bdecide|(?:还没|還沒|没有|尚未|取|由|是否|谁|怎么)决?定|决定于|決定版|未決定",
    re.IGNORECASE,
)
_NOT_TELLING = re.compile(
    r"(?:option|approach|choice|plan|variant|version|number|the (?:first|second|third|last|former"
    r"|latter)|your|that|this|it"
    r"|the same|whatever|what you|either|a different|another)\b|方案[一二三四1-9abAB]|第[一二三]个"
    r"|你的|这个|那个|それ|これ|案[0-9ABa-b]",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?:,\s*|\s+)(?:instead of|rather than|and not|but not|not)\s+(?:the |a |an |with )?(?P<not>.+)"
    r"|[，,]?\s*(?:而不是|而非|不用|不选|不選|没选|沒選|不要用?|代替)(?P<nicht>.+)",
    re.IGNORECASE,
)
_OVER = re.compile(r"(?P<want>.+?)\s+over\s+(?P<not>.+)", re.IGNORECASE)
_NAKU = re.compile(r"(?P<not>.{1,60}?)(?:ではなくて?|じゃなくて|でなくて?|より(?:も)?|をやめて)[、,]?\s*(?P<want>.+)")
_NODE = re.compile(r"(?P<why>.{2,120}?)(?:ので|だから|ため|から)[、,]\s*(?P<rest>.+)")
_VERB = re.compile(
    rf"(?:to )?(?:{_TAKE}|keep using|keep|using)\s+|(?:用|采用|採用|使用|改用|选择|選擇|选|選|先用|统一用|統一用)\s*",
    re.IGNORECASE,
)


def find(sentence: str, after: str = "") -> Decision | None:
    """The decision in one sentence; `after` is the next one, which may give the reason."""
    if asks(sentence) or supposes(sentence) or _UNDECIDED.search(sentence):
        return None
    text = sentence.strip(" .!…。！")
    for form in _FORMS.for_sentence(text):
        if match := compiled(form.pattern).fullmatch(text):
            found = _read(sentence, text, match, after)
            if found and (form.certain or found.because or found.rejected or _is_tool(found.chosen)):
                return found
    return None


def _is_tool(chosen: str) -> bool:
    """One of a category, and little else: "Postgres", "SQLite for the tests"."""
    return bool(subjects.category(chosen)) and len(chosen.split()) <= 8


def _read(said: str, text: str, match: re.Match[str], after: str) -> Decision | None:
    groups = match.groupdict()
    declined = groups.get("not_this")
    what, why = _reason((groups.get("what") or declined or "") + (groups.get("why") or ""), after)
    if declined and not why:
        return None
    chosen, unwanted = ("", _terms(what)) if declined else _against(what, text)
    chosen = term(_VERB.sub("", chosen, count=1) if _VERB.match(chosen) else chosen)
    if not unwanted and (late := _AGAINST.search(why)) and subjects.same_category(chosen, late["not"] or ""):
        why, unwanted = why[: late.start()], _terms(late["not"])
    if not (chosen or unwanted) or (_NOT_TELLING.match(chosen) and not unwanted):
        return None
    named = chosen or " ".join(unwanted)
    about = subjects.subject(text if chosen else named, named)
    return Decision(said, about, chosen, why, tuple(Rejected(one) for one in unwanted))


def _reason(what: str, after: str) -> tuple[str, str]:
    """What is decided and why; a reason may stand before it in Japanese, and in the next sentence."""
    bare, why = parted(what)
    if why:
        return bare, why
    if before := _NODE.fullmatch(bare):
        return before["rest"], before["why"]
    follows = re.match(r"(?:because|since|reason:)\s+(.+)|(?:因为|因為|なぜなら)(.+)", after, re.IGNORECASE)
    return bare, (follows[1] or follows[2]).strip(" .。") if follows else ""


def _against(what: str, text: str) -> tuple[str, list[str]]:
    """What is chosen, and what is not."""
    if rejecting := re.match(r".*\b(?:decided|agreed|opted) (?:against|not to(?: use)?) (.+)", text, re.IGNORECASE):
        return "", _terms(parted(rejecting[1])[0])
    if rejecting := re.match(r"(?:不用|不再用|不再使用|放弃|放棄)(?P<not>.+)", what):
        return "", _terms(rejecting["not"])
    if match := _AGAINST.search(what):
        return what[: match.start()], _terms(match["not"] or match["nicht"])
    if (match := _NAKU.fullmatch(what)) and not what.isascii():
        return match["want"], _terms(match["not"])
    if (match := _OVER.fullmatch(what)) and subjects.same_category(match["want"], match["not"]):
        return match["want"], _terms(match["not"])
    return what, []


def _terms(text: str) -> list[str]:
    parts = re.split(r"\s*,\s*(?:or |nor |and )?|\s+(?:or|nor)\s+|[、，]|或者?", text)
    return [one for one in map(term, parts) if one and len(one) <= 60][:4]
