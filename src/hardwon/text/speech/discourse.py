"""What a passage of a conversation does: whether it asks, settles something, gives a reason, or tells of a change."""

from __future__ import annotations

import re

from hardwon.text.common_words import COMMON_WORDS

SHORT = 120
TELLS = 3
"""With so many sentences before the question, it tells something."""
TURNS_TO = 5
"""Words of a follow-up question that need no question mark: "and the web client"."""


def is_question(text: str) -> bool:
    """Whether it asks and tells nothing: it ends as a question, or begins as one and is a single short line."""
    bare = text.strip().rstrip("\"'”’)")
    if not bare:
        return False
    if bare[-1] in "?？" or _ASKS_WIDE.search(bare[-4:]):
        return len(_SENTENCES.findall(bare[:-1])) < TELLS
    return len(bare) < SHORT and "\n" not in bare and _ASKS.match(bare) is not None


_SENTENCES = re.compile(r"[.!。！](?:\s|$)|[。！]")
_ASKS = re.compile(
    r"(?i)(?:so |and |but |ok |hm+ )?(?:what|why|how|when|where|which|who|whose|do|does|did|is|are|was|were|can|could"
    r"|should|shall|will|would|has|have)\b(?! (?:we|it) (?:do|is)\b)"
)
_ASKS_WIDE = re.compile(r"(?:吗|呢|么|嘛|か|かな|の)[。.]?$")


def asks_anew(text: str) -> bool:
    """A question, or a few words that carry one over to something else: "and the web client"."""
    return is_question(text) or (len(text.split()) <= TURNS_TO and _TURNS_TO.match(text.strip()) is not None)


_TURNS_TO = re.compile(r"(?i)(?:and|for|in|of|what about|how about|same for)\b|(?:那|还有|それで|では)")


def follows_up(text: str, before: str) -> bool:
    """A prompt that goes on with what was said before it, instead of beginning something else: it refers to it in a few
    words, or has a word of it."""
    if not before:
        return False
    if len(text.split()) < FEW and _REFERS.match(text.strip()) is not None:
        return True
    return not _marks(text).isdisjoint(_marks(before))


FEW = 25
_REFERS = re.compile(
    r"(?i)(?:so|ok|okay|yes|no|agreed|then|and|but|fine|good|right)\b"
    r"|(?:\S+\s+){0,4}(?:it|that|them|those|this|both)\b"
)
_MARK = 5
"""Letters by which a word is known again in another form: "deleted", "deleting"."""
_WORD = re.compile(r"[a-z0-9_]{4,}")
_WIDE = re.compile(r"(?=([\u3040-\u30ff\u3400-\u9fff]{2}))")


def _marks(text: str) -> set[str]:
    words = {word[:_MARK] for word in _WORD.findall(text.lower())} - _COMMON
    return words if text.isascii() else words | set(_WIDE.findall(text))


_COMMON = {word[:_MARK] for word in COMMON_WORDS.split()}


def settles(text: str) -> bool:
    """It says how something is done from now on, and does not ask."""
    return _SETTLES.search(text) is not None and not is_question(text)


_SETTLES = re.compile(
    r"(?i)\b(?:keeps?|stays?|never|no more|only|instead|always|must|not|ok|then|we|default|dropped|moved?|now|decided"
    r"|chose|use[sd]?|until|till)\b|决定|改用|采用|保留|只|必须|不再|にする|にした|使う|決め|のみ"
)


def lays_down(text: str) -> bool:
    """It has a word that rules have: never, at most, only."""
    return _LAYS_DOWN.search(text) is not None


_LAYS_DOWN = re.compile(
    r"(?i)\b(?:never|always|must|only|rule|from now on|no exceptions?|not allowed|stays?|at (?:most|least)|max|every"
    r"|decided)\b|必须|不得|只能|最多|至少|每|必ず|だけ|のみ|最大|以上|以下"
)


def has_figure(text: str) -> bool:
    return _FIGURE.search(text) is not None


_FIGURE = re.compile(r"\d")


def wants_figure(text: str) -> bool:
    """It asks for a number, a size, a time."""
    return _WANTS_FIGURE.search(text) is not None


_WANTS_FIGURE = re.compile(
    r"(?i)\bhow (?:many|much|long|large|big|often|old|far|fast|full|high|small|soon)\b"
    r"|\b(?:what|which) (?:size|time|number|version|limit|port|percentage)\b|\buntil when\b"
    r"|\b(?:max(?:imum)?|min(?:imum)?|limit|size|default|timeout)\b|多少|几|多久|多大|いくつ|何[個回日分秒時]|どれくらい"
)


def states(text: str) -> bool:
    """It says what is so, with a full sentence or an equation."""
    return not is_question(text) and _STATES.search(text) is not None


_STATES = re.compile(r"(?i)\b(?:is|are|was|were|has|have|gets?|becomes?|goes)\b| = |是|です|だ(?:。|$)")


def asks_what_was(text: str) -> bool:
    """It asks what happened, not how things are: then what became of it later is not the answer."""
    return _WHAT_WAS.search(text) is not None


_WHAT_WAS = re.compile(
    r"(?i)\b(?:did|didn't|was|wasn't|were|weren't|had|happened|became|made|used to|originally|at first|initially)\b"
    r"|当时|当初|曾经|原来|でしたか|ましたか|だったか|当時|最初"
)


def wants_reason(text: str) -> bool:
    return _WANTS_REASON.search(text) is not None


_WANTS_REASON = re.compile(
    r"(?i)\b(?:why|cause[ds]?|reason|what made|how come|what decided|how did)\b|为什么|为何|原因|なぜ|どうして|理由"
)


def gives_reason(text: str) -> bool:
    return _GIVES_REASON.search(text) is not None


_GIVES_REASON = re.compile(
    r"(?i)\b(?:because|since|due to|caused?|reason|so that|so|thanks to|as it|for the|(?:not|isn't) worth)\b"
    r"|因为|由于|原因|所以|ため|ので|から"
)


def opens_with_cause(text: str) -> bool:
    """A long answer says at its beginning what it is about: "Found it: …", "The cause is …"."""
    return _CAUSE.search(" ".join(text.split()[:OPENING])) is not None


OPENING = 25
_CAUSE = re.compile(
    r"(?i)\b(?:found it|root cause|because|the (?:cause|reason|culprit)|c[ao]mes? from|due to|turns out)\b"
    r"|因为|原因|由于|ため"
)


def tells_change(text: str) -> bool:
    """It says that something is no longer as it was."""
    return _CHANGES.search(text) is not None


_CHANGES = re.compile(
    r"(?i)\b(?:dropp(?:ed|ing)|mov(?:ed?|ing)|replac(?:ed?|es|ing)|switch(?:ed|ing)|chang(?:ed|es|ing)|raised|lowered"
    r"|migrat(?:ed|ion|ing)|convert(?:ed|s|ing)|clos(?:ed|ing)|removed|retired|separate[sd]?|reverted|took over|gone"
    r"|no longer|any (?:longer|more)|anymore|not any|instead|after all|now|back to|isn't|aren't|older?|former(?:ly)?"
    r"|from (?:now|tonight|today|tomorrow|this|next|version|the first)|since (?:last|this|the|yesterday|monday|january"
    r"|february|march|april|may|june|july|august|september|october|november|december)|yesterday|live|only|then"
    r"|everything|everybody|everyone|every|all|both)\b"
    r"|改用|改为|改成|不再|废弃|换成|取消|已经|现在|やめ|変更|切り替え|廃止|移行|今は|もう"
)


def replaces(text: str) -> bool:
    """It says in so many words that something took the place of something else, or is gone."""
    return _REPLACES.search(text) is not None


_REPLACES = re.compile(
    r"(?i)\b(?:replac(?:ed?|es|ing)|no longer|instead of|rather than|gone|go(?:es|ing)? away|dropp(?:ed|ing)|switched"
    r"|moved (?:from|off|to|over)|migrated|retired|raised|lowered|reverted|used to|any ?more|back to|up to|down to"
    r"|as agreed|was \w{1,20},? now|goes (?:up|down)|from \S{1,20} to)\b"
    r"|改用|改为|改成|不再|换成|取消|やめ|変更|切り替え|廃止|移行"
)


def asks_for_cause(text: str) -> bool:
    """It asks what was wrong, in one of the many ways in which people do."""
    return _ASKS_FOR_CAUSE.search(text) is not None


_ASKS_FOR_CAUSE = re.compile(
    r"(?i)\b(?:why|cause[ds]?|reason|what (?:was|is|went|made|broke|happened)|how come|root|culprit|wrong|bug|fix"
    r"|problem|leak|crash|broke|fail)\b|为什么|为何|原因|问题|なぜ|どうして|理由|不具合"
)


def finds_cause(text: str) -> bool:
    """It says what it was, anywhere in it."""
    return _FINDS_CAUSE.search(text) is not None


_FINDS_CAUSE = re.compile(
    r"(?i)\b(?:found|cause|because|culprit|turns out|that's it|that is it|it's the|it is the|comes from"
    r"|the (?:reason|problem|bug|issue))\b|找到|原因|因为|見つか|ため"
)


def carries_out(text: str) -> bool:
    """It begins as who tells that it is done: "Added", "Renamed in 6 files"."""
    return _CARRIES_OUT.match(text) is not None


_CARRIES_OUT = re.compile(
    r"(?i)\s*(?:(?:done|added|changed|renamed|removed|set|moved|fixed|updated|implemented|wrote|written|noted|ok|okay"
    r"|switched|replaced|merged|dropped|put|it's in|in place|understood|will do|that's in|both|bumped)\b"
    r"|好的|已|完成|了解|しました)"
)


def replies(text: str) -> bool:
    """It begins as an answer to what was put to somebody: "no, …", "then we …"."""
    return _REPLIES.match(text) is not None


_REPLIES = re.compile(
    r"(?i)\s*(?:(?:so|ok|okay|then|no|yes|yep|right|fine|good|agreed|alright|decided|let's|lets|go|we)\b"
    r"|好|不|是|那|行|はい|いや|では|じゃあ)"
)


def turns_to_another(text: str) -> bool:
    """It begins with something else: "thanks. and the search: …", "second, …"."""
    return _TURNS_TO_ANOTHER.match(text) is not None


_TURNS_TO_ANOTHER = re.compile(
    r"(?i)\s*(?:(?:thx|thanks|ok|good|nice|great|fine)[.,!]? {0,3})?(?:and |also|second|next|now|another|besides|btw"
    r"|one more|by the way|for the record|other|unrelated|另外|还有|顺便|あと|ところで|次に)"
)
