"""What a short statement says of what: "Sessions are stored in Redis" says of sessions where they are stored.

Two statements can share most of their words and both hold ("uploads are limited to 10 MB", "downloads are …"), so words
alone do not tell that one took the place of the other. What they speak of, what they say of it, and what they say is
over does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

LONGEST = 300
"""Characters of a statement that are looked at: what it says stands at its beginning."""


@dataclass(frozen=True, slots=True)
class Statement:
    head: str
    """Without its reasons."""
    subject: str = ""
    """What it speaks of; empty for "we", and where it tells what to do."""
    verb: str = ""
    """With its preposition: "stored in"."""
    value: str = ""
    """What it says of the subject."""
    rest: str = ""
    """What stands behind that."""
    one_place: bool = False
    """It says where something is, and that is in one place at a time."""
    within: str = ""
    """What it is limited to: "for the job queue"."""
    moved: str = ""
    """What it says was moved."""
    leaving: str = ""
    """How it says that something is no longer so,"""
    left: str = ""
    """what,"""
    left_of: str = ""
    """and of what."""
    changes: bool = False
    adds: bool = False
    """It says that it holds beside something else."""


def read(text: str) -> Statement:
    text = " ".join(text[:LONGEST].split())
    head = _upto(_REASON, text)
    main = _upto(_ASIDE, head)
    says = _SAYS.search(main)
    left, moved, within = _LEFT.search(text), _MOVED.search(text), _WITHIN.search(main)
    found = Statement(
        head,
        rest=text[len(main) :],
        within=within[1] if within else "",
        moved=(moved["what"] or _clause(text[: moved.start()])) if moved else "",
        changes=_CHANGES.search(text) is not None,
        adds=_ADDS.search(text) is not None,
    )
    if left:
        found = _with_left(found, text, left)
    if says is None:
        return found
    verb, place = (says["done"] or says["does"] or "").lower(), (says["place"] or "").lower()
    return replace(
        found,
        subject="" if _NOBODY.match(main) else main[: says.start()],
        verb=f"{verb} {place}".strip(),
        value=main[says.end() :].removesuffix(within[0] if within else ""),
        one_place=place in _PLACES and verb not in _SEVERAL,
    )


def _with_left(found: Statement, text: str, left: re.Match[str]) -> Statement:
    before = _clause(text[: left.start()])
    what = next((one for one in left.groups() if one), "")
    if what:
        return replace(found, left=what, leaving=left[0].replace(what, ""), left_of=before)
    words = before.split()
    return replace(found, left=" ".join(words[-BEFORE:]), leaving=left[0], left_of=" ".join(words[:-BEFORE]))


def is_value(word: str) -> bool:
    """A number, a unit or a day: what is put in another's place without the statement becoming another."""
    return word.isdigit() or word in _VALUES


def _upto(end: re.Pattern[str], text: str) -> str:
    found = end.search(text)
    return text[: found.start()] if found else text


def _clause(text: str) -> str:
    """The last one."""
    return re.split(r"[,;:.] ", text)[-1]


_REASON = re.compile(
    r"(?i)[.;!](?=\s|$)|[。；！]|,? (?:because|so that|due to|as it|which)\b|, (?:it|they|since|as|so)\b"
    # An aside of some words tells why; one that begins like these tells where or when.
    r"|, (?!(?:in|on|for|at|with|of|per|if|when|unless|except|only|but|and|or|not)\b)(?=[\w'-]+ [\w'-]+ [\w'-]+)"
)
_ASIDE = re.compile(r"(?i), | \(| since\b|，")
_DONE = (
    r"stored|kept|hosted|written|saved|held|served|built|rendered|deployed|searched|managed|generated|read|cached"
    r"|published|released|limited|numbered|run|set|pinned"
)
_DOES = (
    r"lives?|comes?|goes|go|runs?|listens?|uses?|needs?|takes?|has|have|expires?|stays?|must|may|can|should|starts?"
    r"|ends?|gets?|reads?|writes?|times? out"
)
_PLACES = frozenset({"in", "on", "at", "to", "from", "by", "under"})
_SAYS = re.compile(
    rf"(?i)(?:\b(?:is|are|was|were)(?: (?:now|only|all|both|\w+ly))?\b(?: (?P<done>{_DONE})\b)?|\b(?P<does>{_DOES})\b"
    r"|(?: = |: |：|是|为|は))(?: (?:now|only|\w+ly)\b)?"
    r"(?: (?P<place>in|on|at|to|from|by|under|with|as|after|for|per)\b)?"
)
_SEVERAL = frozenset(
    {"use", "uses", "has", "have", "need", "needs", "run", "runs", "must", "may", "can", "should", "read"}
)
"""Of these there can be more than one."""
_NOBODY = re.compile(r"(?i)(?:we|i|they|everybody|let's|the team)\b")

_WORD = r"[\w./+#-]{1,40}"
_LEFT = re.compile(
    r"(?i)\b(?:(?:mov|switch|migrat|chang)(?:ed|ing)(?: [\w ]{1,30}?)?? (?:away )?from"
    r"|dropp(?:ed|ing)|replac(?:ed|es|ing)|retired|abandoned|stopped using|got rid of|gave up on|instead of"
    r"|rather than)"
    rf"(?: the| our)? (?P<one>{_WORD})"
    rf"|\bno longer(?! than) (?P<some>(?:{_WORD} ?){{1,4}})"
    rf"|\bnot?(?: to| in| on| with)? (?P<none>{_WORD}) any(?: ?more| longer)"
    rf"|(?<=[,;] )no (?:more )?(?P<no>{_WORD})(?=$|[.,;])"
    r"|\b(?:is|are|was|were) (?:gone|dropped|retired|removed|replaced|abandoned|switched off|no longer"
    r"|not [\w ]{1,20}any (?:more|longer))\b"
)
BEFORE = 2
"""Words before "is gone" that say what is."""
_MOVED = re.compile(
    r"(?i)\b(?:mov(?:e|es|ed|ing)|switch(?:ed|ing)|migrat(?:ed|ing))"
    r"(?: (?P<what>[\w ]{1,30}?))?? (?:away from|from|to)\b"
)
_WITHIN = re.compile(r"(?i) for (?:the |our |all )?((?:[\w./+#-]+ ?){1,2})")
_CHANGES = re.compile(
    r"(?i)\b(?:now|no longer|any ?more|any longer|no more|instead|from now on|as of|these days|again"
    r"|back (?:on|to|in|at)|moved|switched|migrated|replaced|changed|renamed|scrapped|dropped|removed|deleted|retired"
    r"|lifted|abandoned|stopped"
    r"|raised|lowered|bumped|reduced|increased|slipped|postponed|tightened|relaxed|optional|(?:is|are) (?:gone|out)"
    r"|from v?\d[\w.]* on|since (?:v?\d|the|last|this|january|february|march|april|may|june|july|august|september"
    r"|october|november|december))\b"
    r"|改用|改为|改成|不再|现在|已经|今は|もう|変更|移行"
)
_ADDS = re.compile(
    r"(?i), too\b|\btoo(?:[.;]|$)"
    r"|\b(?:also|as well|additionally|besides?|together with|alongside|in addition)\b|也|还|も"
)
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve fifteen twenti thirti forti fifti sixti"
_UNITS = "nineti hundr thousand million onc twice percent kb mb gb tb ms 秒 分 天 日 月 年"
_TIMES = "second minut hour dai week month year daili hourli weekli monthli yearli"
_DAYS = "mondai tuesdai wednesdai thursdai fridai saturdai sundai"
_VALUES = frozenset(f"{_NUMBERS} {_UNITS} {_TIMES} {_DAYS}".split())
"""As stems."""
