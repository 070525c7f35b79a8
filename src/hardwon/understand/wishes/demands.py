"""Constraints and tasks: what must hold, and what is left for later. Only clear wording.

"Must" stands in every second request ("the button must be blue"): it makes a constraint where it says what has to stay
as it is, what is forbidden, or what has to be supported.
"""

from __future__ import annotations

import re

from hardwon.understand.wishes.forms import Form, Forms
from hardwon.understand.wishes.spoken import SIGN, asks, supposes

_WHAT = rf"[\w{SIGN}][^.!?]{{0,160}}?"
_LEAD = (
    r"(?:(?:please|but|and|also|note:?|important:?|remember:?|ok(?:ay)?|by the way|btw|one more thing:?"
    r"|heads up:?)[\s,:]*)*"
)
_CHANGE = (
    r"(?:touch|change|edit|modify|alter|delete|remove|rename|move|break|overwrite|force-?push to"
    r"|push to|commit to|drop)"
)
_CONSTRAINTS = Forms(
    Form(
        r"(?:whatever you do[\s,]+|under no circumstances[\s,]+|in any case[\s,]+)(?:don't|do not|never) .+",
        has="in any case|under no circumstances|whatever you do",
    ),
    (
        Form(
            rf"{_LEAD}(?:don't|do not) (?:touch|change|modify|break|alter) (?:the |any |our )?(?:public"
            rf"|external|existing|production|prod\b|database schema|schema|backwards?[ -]compat|main branch"
            rf"|master branch|anything (?:else|outside)|api contract).*",
            has="do not|don't",
        )
    ),
    Form(rf"{_LEAD}keep (?:the |our |all )?.{{1,60}}? (?:under|below|within|at most) \d.*", has="keep"),
    Form(
        r"(?:任何情况下?|無論如何|无论如何)(?:都)?(?:不要|不能|不可以|不得|别).{1,100}",
        has="任何情况|无论如何|無論如何",
    ),
    Form(r".{1,60}?絶対に.{1,40}?(?:しないで|するな|ならない)(?:(?:ください|下さい)|ね|よ)*[。！!]*", has="絶対に"),
    (
        Form(
            rf"{_LEAD}(?:never|don't ever|do not ever|under no circumstances|you must never|you must not"
            rf"|we must never|we must not|you may not)\s+{_CHANGE}\b.+",
            has="never|ever|must not|may not|circumstances",
        )
    ),
    (
        Form(
            rf"{_LEAD}{_WHAT} (?:must|has to|have to|needs to|need to) (?:always |still )?(?:stay|remain"
            rf"|keep (?:working|running|compiling|supporting)|continue to|be (?:backwards?[ -]compatible"
            rf"|compatible|reproducible|idempotent|deterministic|reversible|thread-safe|accessible)"
            rf"|work (?:with|on|without|offline)|run "
            rf"(?:on|under|without)|support|compile (?:with|on|under)|build (?:with|on))\b.*",
            has="must|has to|have to|need to|needs to",
        )
    ),
    (
        Form(
            rf"{_LEAD}{_WHAT} must (?:not|never)(?: ever)? (?:be (?:changed|touched|modified|edited|deleted"
            rf"|removed|renamed|committed|logged|exposed|broken|used)|change|depend|import|block|leak|log"
            rf"|use|call|write|exceed|require|break|leave|contain|touch)\b.*",
            has="must never|must not",
        )
    ),
    Form(
        rf"{_LEAD}(?:we|you) (?:must|have to|need to) (?:stay|remain|keep) (?:backwards?[ -])?compatible\b.+",
        has="compatible",
    ),
    (
        Form(
            rf"{_LEAD}(?:we|you) (?:can't|cannot|can not|may not|are not allowed to|aren't allowed to) "
            rf"(?:use|add|introduce|break|change|touch|drop|depend on|upgrade|rely on) .+",
            has="can't|cannot|can not|may not|allowed to",
        )
    ),
    Form(
        rf"{_LEAD}{_WHAT} (?:is|are) (?:not allowed|forbidden|off[ -]limits|frozen|read-only for us)\b.*",
        has="allowed|forbidden|limits|frozen|read-only",
    ),
    Form(
        rf"{_LEAD}no (?:new|external|third-party|runtime) (?:dependencies|dependency|packages|libraries)\b.*",
        has="dependenc|packages|libraries",
    ),
    (
        Form(
            r"(?:但|但是|而且|另外|注意|还有|還有|记住|記住|[，,：:\s])*(?:请|請|你|我们|我們)?(?:千万"
            r"|千萬|绝对|絕對|一定)?(?:不要|别|別|不能|不可以|不得|不许|不許|禁止|严禁|嚴禁)(?:随便|隨便"
            r"|直接)?(?:改|动|動|碰|删|刪|修改|破坏|破壞|改动|改動|变更|變更|引入|升级|升級|提交到|推送到"
            r"|超过|超過|依赖|依賴)(?!不了|掉不|进去).{1,120}",
            has="不可以|不得|不能|不要|不許|不许|严禁|別|别|嚴禁|禁止",
        )
    ),
    (
        Form(
            r"(?:但|但是|而且|另外|注意|记住|[，,：:\s])*.{1,60}?(?:必须|必須|务必|務必|一定要)(?:保持"
            r"|兼容|相容|支持|支援|能|要?能|在|使用|用|向后|向後|遵守|符合|是|先).{1,120}",
            has="必须|必須|务必|務必|一定要",
        )
    ),
    (
        Form(
            r".{1,120}?(?:して|しては|変えては|触っては|使っては|変更しては|ては|では)(?:いけない|いけません"
            r"|ならない|なりません|だめ|ダメ)(?:です|よ|こと)*[。！!]*",
            has="して|ては|では",
        )
    ),
    (
        Form(
            r".{1,120}?(?:絶対に|決して)?(?:変更しないで|触らないで|変えないで|消さないで|壊さないで"
            r"|削除しないで|編集しないで"
            r"|いじらないで)(?:(?:ください|下さい)|ね|よ|ほしい)*[。！!]*",
            has="いじらないで|削除しないで|壊さないで|変えないで|変更しないで|消さないで|編集しないで|触らないで",
        )
    ),
    (
        Form(
            r"(?!.*(?:失敗|エラー|落ち|クラッシュ|発生|なってしま|再現)).{0,80}?必ず.{1,100}?(?:こと|ください"
            r"|下さい|ように|必要がある|なければならない|なければなりません|しろ|しなさい)[。！!]*",
            has="必ず",
        )
    ),
    (
        Form(
            r".{1,100}?(?:互換性|後方互換).{0,20}?(?:保つ|維持|保って|維持して).{0,20}?(?:こと|ください"
            r"|下さい|必要がある|なければならない|なければなりません)[。！!]*",
            has="互換性|後方互換",
        )
    ),
    Form(r".{1,80}?(?:は|を)?禁止(?:です|だ|とする|します)?[。！!]*", has="禁止"),
)
_LATER = (
    r"(?:later(?: on)?|afterwards|tomorrow|next (?:week|sprint|session|time)|at some point|someday"
    r"|another time|in a follow-?up|after (?:the|this) (?:release|merge|launch|migration)|eventually)"
)
_TASKS = Forms(
    (
        Form(
            rf"{_LEAD}{_LATER}[\s,:]+(?:we|i|you)(?:'ll| will)?(?: still| also)? (?:need to|have to|should"
            rf"|must|want to|can|ought to)\s+(?P<what>.+)",
            has="later|afterwards|tomorrow|next |some point|someday|another time|follow|after |eventually",
        )
    ),
    (
        Form(
            rf"{_LEAD}(?:we|i)(?:'ll| will)?(?: still| also)? (?:need to|have to|should|must|want to|ought to)\s+"
            rf"(?P<what>.+?)\s+{_LATER}",
            has="later|afterwards|tomorrow|next |some point|someday|another time|follow|after |eventually",
        )
    ),
    (
        Form(
            rf"{_LEAD}we'll (?P<what>(?:do|fix|add|clean up|handle|refactor|tackle|write|remove|update"
            rf"|migrate) .+?)\s+{_LATER}",
            has="we'll",
        )
    ),
    Form(r"(?:please )?remind me (?:later |tomorrow |next time )?(?:to|that|about)\s+(?P<what>.+)", has="remind me"),
    Form(rf"{_LEAD}(?:don't|do not|dont) (?:let me )?forget to\s+(?P<what>.+?)\s+{_LATER}", has="forget to"),
    Form(
        r"(?:for later|follow-?up|left to do|still open|parked)\s*[:：]\s*(?P<what>.+)",
        has="follow-up|followup|for later|left to do|parked|still open",
    ),
    (
        Form(
            r"(?:我们|我們|咱们|那)?(?:之后|之後|以后|以後|回头|回頭|稍后|稍後|晚点|晚點|改天|下次)(?:我们"
            r"|我們|咱们)?(?:还|還|再|也)*(?:要|需要|得|记得|記得|应该|應該)(?P<what>.{2,160})",
            has="应该|得|應該|要",
        )
    ),
    Form(r"(?:我们|我們|咱们)?(?:回头|回頭|改天|晚点|晚點|稍后|稍後)再(?P<what>.{2,160})", has="再"),
    Form(r"(?:请|請|记得|記得)?(?:提醒我|之后提醒我)(?P<what>.{2,160})", has="提醒我"),
    (
        Form(
            r"(?:これは|それは|その件は|[、\s])*(?:あとで|後で|後ほど|あとから|今度)[、\s]*(?P<what>.{2,120}?)"
            r"(?:する|やる|直す|書く|消す|足す|対応する|対応します|必要がある|したい|してほしい|やってほしい"
            r"|忘れずに.*|します|やります|直します|しないと|しなきゃ|やらないと)[。！!]*",
            has="あとから|あとで|今度|後で|後ほど",
        )
    ),
    Form(
        r"(?P<what>.{2,100}?)(?:を|のを|ように)?リマインドして(?:(?:ください|下さい)|ね)?[。！!]*", has="リマインドして"
    ),
)
_NOT_A_TASK = re.compile(r"(?:what|how|why|which|where|when|who|if|whether)\b", re.IGNORECASE)
_GUESSES = re.compile(
    (
        r"\b(?:must|has to|have to) (?:have|be (?:a |an |the |because|something|caused|some|due|missing"
        r"|broken|wrong|related))\b"
    ),
    re.IGNORECASE,
)


def constraint(sentence: str) -> bool:
    if asks(sentence) or supposes(sentence) or _GUESSES.search(sentence):
        return False
    text = sentence.strip(" .!…")
    return any(form.fullmatch(text) for form in _CONSTRAINTS.for_sentence(text))


def task(sentence: str) -> str:
    """What is to be done later; empty when nothing is."""
    if asks(sentence) or supposes(sentence):
        return ""
    text = sentence.strip(" .!…")
    for form in _TASKS.for_sentence(text):
        if (match := form.fullmatch(text)) and not _NOT_A_TASK.match(match["what"].strip()):
            return match["what"].strip(" .!。！,，")
    return ""
