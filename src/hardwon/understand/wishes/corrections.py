"""Corrections: a sentence by which a person says that what was done is not what they want.

Two sorts of wording. Some say it alone ("no, use X", "Wrong file", "我说的是 X"). Others are as common in an ordinary
request ("use X instead of Y", "don't add Y"): they get less confidence, and count only when what the agent did fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hardwon.understand.wishes.spoken import SIGN, asks, supposes
from hardwon.understand.wishes.terms import term
from hardwon.understand.wishes.wish import Correction

_STRONG, _WEAK = 0.9, 0.6


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    confidence: float = _STRONG
    standing: bool = False
    bare: bool = False
    """It says only that something is wrong, not what is wanted."""


def _form(pattern: str, confidence: float = _STRONG, *, standing: bool = False, bare: bool = False) -> _Form:
    return _Form(re.compile(pattern, re.IGNORECASE), confidence, standing, bare)


_CHOOSE = r"(?:use|using|go with|try|take|pick|prefer|choose|stick (?:to|with)|switch to|keep)"
_ACT = (
    r"(?:add|apply|ask|build|call|change|check|clean|commit|convert|copy|create|delete|deploy|disable|do|drop|edit|enable"
    r"|explain|fix|force|format|generate|guess|hardcode|hard-code|ignore|import|inline|install|keep|leave|log|make|merge"
    r"|mock|modify|move|name|open|overwrite|pin|print|push|put|read|reformat|refactor|remove|rename|replace|reset|restart"
    r"|restore|rewrite|run|save|send|set|show|skip|split|squash|start|store|summari[sz]e|test|touch|update|upgrade|use|wrap"
    r"|write|comment|document|assume|amend|rebase|over-?engineer|invent|publish|stage|worry about)"
)
_DOING = (
    r"(?:add|apply|ask|chang|comment|commit|creat|delet|edit|format|guess|hardcod|import|install|ignor|mak|mock|modify"
    r"|mov|overwrit|push|put|reformat|refactor|remov|renam|rewrit|runn|skip|touch|us|writ|do|go|try|assum|explain)+ing"
)
_NOUNS = (
    r"(?:file|files|one|ones|branch|directory|dir|folder|function|method|class|repo|repository|place|way|command|version"
    r"|approach|test|tests|line|lines|database|db|order|name|port|environment|env|account|project|package|component|page"
    r"|language|format|library|api|endpoint|column|table|model|service|server|config|tool|direction|spot|file again)"
)
_INSTEAD = r"\s*,?\s*(?:instead of|rather than|and not|but not|not|in place of)\s+(?:the\s+|with\s+)?"

# After "no," and the like: what is wanted, however it is said.
_AFTER_NO = (
    _form(rf"(?:don't|do not|dont|never|stop|not)\s+(?:{_CHOOSE}\s+)?(?P<not>[^,;]+?)\s*[,;—–-]+\s*(?:but |just |please |rather )?{_CHOOSE}\s+(?P<want>.+)"),
    _form(rf"(?:please |just |rather |you should |we |let's |it should )?{_CHOOSE}\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)"),
    _form(rf"(?:please |just |rather |you should |we |let's )?{_CHOOSE}\s+(?P<want>.+)"),
    _form(rf"(?:please )?(?:don't|do not|dont|never|stop|quit|avoid)\s+(?:(?:ever )?{_CHOOSE}\s+)?(?P<not>.+)"),
    _form(rf"i (?:already |just |clearly )?(?:said|meant|mean|asked (?:you )?(?:for|to)|told you(?: to)?|want(?:ed)?(?: you to)?|need)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+?){_INSTEAD}(?P<not>.+)"),
    _form(rf"i (?:already |just |clearly )?(?:said|meant|mean|asked (?:you )?(?:for|to)|told you(?: to)?|want(?:ed)?(?: you to)?|need)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+)"),
    _form(rf"(?:it|that|this|the [\w{SIGN}-]+(?: [\w{SIGN}-]+)?) (?:should|must|needs to|has to|ought to) (?:be |go |live |stay )?(?:in )?(?P<want>.+?){_INSTEAD}(?P<not>.+)"),
    _form(rf"(?:it|that|this|the [\w{SIGN}-]+(?: [\w{SIGN}-]+)?) (?:should|must|needs to|has to|ought to|belongs) (?P<want>.+)"),
    _form(r"not (?:the |in |that |this )?(?P<not>[^,;]+?)\s*[,;—–-]+\s*(?:but |use |it's |just )?(?P<want>.+)"),
    _form(rf"(?P<want>(?:the|only|just) .+?){_INSTEAD}(?P<not>.+)"),
    _form(r"(?P<want>(?:only|just|the other|the first|the second|the old|the new) .+)"),
    _form(rf"(?P<want>(?:please )?(?:{_ACT}|revert|undo|roll back)\s+.+)"),
    _form(r"(?:that's|that is|it's|it is|this is|thats) (?:wrong|incorrect|not .+)", bare=True),
    _form(rf"(?:the )?wrong {_NOUNS}\b.*", bare=True),
    _form(r"(?:revert|undo|roll (?:it |that )?back|go back|put (?:it|that) back).*", bare=True),
    _form(r"not (?:that|this|like that|what i .+)", bare=True),
)

# Without an opening: only what can hardly be an ordinary request or a report of a bug.
_ALONE = (
    _form(rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule|remember(?: that| to|,|:))[\s,:]+(?:please |always |you should |we )*(?:don't|do not|never|stop|avoid)\s+(?:{_CHOOSE}\s+)?(?P<not>.+)", standing=True),
    _form(rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule)[\s,:]+(?:please |always |you should |we )*(?:{_CHOOSE}\s+)?(?P<want>.+?){_INSTEAD}(?P<not>.+)", standing=True),
    _form(rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule)[\s,:]+(?:please |always |you should |we |we always )*(?:{_CHOOSE}\s+)?(?P<want>.+)", standing=True),
    _form(r"remember to always\s+(?P<want>.+)", standing=True),
    _form(rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)?we (?:never|don't ever)\s+(?:{_CHOOSE}\s+|{_ACT}\s+)(?P<not>.+)", standing=True),
    _form(rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)(?:we )?(?:always )?(?:{_CHOOSE}|run|write|put)\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)", standing=True),
    _form(rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)?we always\s+(?:{_CHOOSE}\s+)?(?P<want>.+)", standing=True),
    _form(rf"(?:please )?always\s+(?:use|prefer)\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)", standing=True),
    _form(r"(?:please )?always\s+(?:use|prefer)\s+(?P<want>.+)", 0.8, standing=True),
    _form(r"(?:please )?always\s+(?P<want>(?:ask|run|commit|push|write|read|check|format|test)\s+.+)", 0.8, standing=True),
    _form(rf"(?:please )?(?:never|don't ever|do not ever)\s+(?:use\s+)(?P<not>.+?)\s*[,;—–-]+\s*(?:always |but )?{_CHOOSE}\s+(?P<want>.+)", standing=True),
    _form(r"(?:please )?(?:never|don't ever|do not ever)\s+(?:use\s+)(?P<not>.+)", 0.8, standing=True),
    _form(r"(?:please )?(?:never|don't ever|do not ever)\s+(?P<not>(?:run|commit|push|write|format|mock|import|install|add|create|guess|assume|skip)\s+.+)", 0.8, standing=True),
    _form(rf"(?:don't|do not|dont|stop)\s+(?:{_CHOOSE}|{_DOING})\s+(?P<not>[^,;]+?)\s*[,;—–-]+\s*(?:but |just |please )?{_CHOOSE}\s+(?P<want>.+)"),
    _form(rf"please (?:don't|do not|dont|stop)\s+(?:{_CHOOSE}\s+|using\s+)(?P<not>.+)"),
    _form(rf"please (?:don't|do not|dont|stop)\s+(?P<not>(?:{_ACT}|{_DOING})\b.*)"),
    _form(rf"(?:don't|do not|dont)\s+(?P<not>(?:{_ACT})\b.+?)(?:\s+(?:unless i|without (?:asking|my)|again|until i|before asking)\b.*)"),
    _form(rf"i (?:already |just |clearly )?(?:said|told you)\s+(?:not to|don't|no)\s+(?:{_CHOOSE}\s+)?(?P<not>.+)"),
    _form(rf"i (?:already |just |clearly )?(?:said|meant|asked (?:you )?(?:for|to)|told you(?: to)?|wanted(?: you to)?)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+?){_INSTEAD}(?P<not>.+)"),
    _form(rf"i (?:already |just |clearly )?(?:said|told you to|asked you to|meant(?! to))\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+)"),
    _form(rf"i want(?: you to)?\s+(?:{_CHOOSE}\s+)?(?P<want>.+?)\s*,?\s*(?:not|instead of|rather than)\s+(?P<not>.+)"),
    _form(r"you (?:forgot|still haven't|never) (?:to )?(?P<want>.+)"),
    _form(rf"you (?:should have|were supposed to|should)\s+(?:(?:used?|run|put|kept?|called|written|asked)\s+)(?P<want>.+?)(?:{_INSTEAD}(?P<not>.+))?$"),
    _form(r"you (?:should not|shouldn't|weren't supposed to|were not supposed to|must not) (?:have )?(?P<not>.+)"),
    _form(r"you (?:keep|kept) (?P<not>.+)"),
    _form(r"you (?:used|added|edited|changed|deleted|removed|ran|put|committed|installed) (?P<not>.+?)\s*(?:again|instead)?[\s,]*(?:but|and) (?:i|it|we) (?:want|wanted|asked|said|should|need)\w*\s+(?:for |to )?(?:be |use )?(?P<want>.+)"),
    _form(r"you (?:edited|changed|deleted|removed|picked|used|broke|overwrote|touched|ran|modified) the wrong .+", bare=True),
    _form(r"(?:that's|that is|this is|thats|it's|it is) (?:wrong|incorrect|not (?:right|correct|it|what i (?:asked|wanted|meant|said|want|need)(?: for)?|the (?:one|right one|file|right file|right place) ?(?:i .+)?|how .+ should .+))[\s.!,;:].*", bare=True),
    _form(r"(?:that's|that is|this is|thats) (?:wrong|incorrect|not (?:right|correct|it|what i (?:asked|wanted|meant|said|want)(?: for)?))", bare=True),
    _form(rf"(?:the |in the )?wrong {_NOUNS}(?:\s+again)?(?=\s*(?:$|[.!,;:—–]))\s*[.!,;:—–]*\s*(?:(?:please )?{_CHOOSE}\s+|it should be |i meant |should be )(?P<want>.+?)"),
    _form(rf"(?:the |in the )?wrong {_NOUNS}(?:\s+again)?(?=\s*(?:$|[.!,;:—–])).*", bare=True),
    _form(r"(?:wrong|incorrect)[.!,]*", bare=True),
    _form(r"not (?:like )?(?:that|this)(?: one| file| way| branch| folder| directory)?(?:\s*[,.!;:—–-].*)?", bare=True),
    _form(r"not what i (?:asked|wanted|meant|said|want)(?: for)?(?:\s*[,.!;:—–-].*)?", bare=True),
    _form(r"(?:please )?(?:revert|undo|roll ?back|take back)\s+(?:that|this|it|those|these|everything|all (?:of )?(?:that|your)|your|the last (?:change|edit|one|thing|step)s?|what you (?:did|just))\b(?! (?:file|button|stack|feature|page|function|endpoint|option|setting)).*", bare=True),
    _form(r"(?:please )?(?:revert|undo)(?: please)?", bare=True),
    _form(r"(?:please )?(?:change|put|move|set) (?:it|that|this|them|those) back(?: .*)?", bare=True),
    _form(rf"{_CHOOSE}\s+(?P<want>[^,;]+?)\s+instead(?: please)?"),
    # As common in an ordinary request.
    _form(rf"(?:please )?{_CHOOSE}\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)", _WEAK),
    _form(rf"it (?:should|must|needs to) be (?P<want>.+?)\s*,?\s*(?:not|instead of|rather than)\s+(?P<not>.+)", _WEAK),
    _form(rf"(?:don't|do not|dont|stop|quit|avoid)\s+(?:use|using)\s+(?P<not>.+)", _WEAK),
    _form(rf"(?:don't|do not|dont)\s+(?P<not>{_ACT}\b.*)", _WEAK),
    _form(rf"(?:stop|quit)\s+(?P<not>{_DOING}\b.*)", _WEAK),
)
_COMPLAINT = _form(r"why (?:did|do|are|were) you (?:keep )?(?:us\w+|add\w*|chang\w+|delet\w+|remov\w+|edit\w*|run\w*|put\w*|creat\w+|install\w*|mock\w*)\s+(?P<not>.+?)[?\s]*(?:(?:instead of|when i said|i said)\s+(?:to )?(?:use )?(?P<want>.+?))?[?.!\s]*$", _WEAK)

_NO_SPACE = r"[，,。．.！!\s、；;：:]"
_CHINESE = (
    _form(rf"(?:你|这|這|那|又|还是|還是|都|全)?(?:不对|不對|错了|錯了|弄错|弄錯|搞错|搞錯)了?{_NO_SPACE}+(?:应该|應該|要|请|請|改成|是)?(?:用|使用|改用|改成|换成|換成)(?P<want>.+?)(?:{_NO_SPACE}*(?:而不是|不是|不要用?|别用|別用)(?P<not>.+))?$"),
    _form(rf"(?:我(?:说|說|要|指|想要)的是|我是(?:说|說))(?P<want>.+?)(?:{_NO_SPACE}*(?:而)?不是(?P<not>.+))?$"),
    _form(rf"(?:请|請)?(?:不要|别|別|不准)再?(?:用|使用)(?P<not>.+?){_NO_SPACE}*(?:要|应该|應該|请|請|改|而是|是|直接)?(?:用|使用|改用|换成|換成)(?P<want>.+)"),
    _form(rf"(?:应该|應該|要|请|請|得|改)(?:用|使用|改用|换成|換成|成)(?P<want>.+?){_NO_SPACE}*(?:而不是|而非|不要用?|别用|別用|不是|不用)(?P<not>.+)"),
    _form(rf"(?:请|請)?(?:用|使用|改用)(?P<want>.+?){_NO_SPACE}*(?:而不是|而非|不要用|别用|別用|不用)(?P<not>.+)", _WEAK),
    _form(rf"(?:以后|以後|今后|今後|下次|从现在开始|從現在開始|从今以后)(?:都|请|請|要|记得|記得|一律|,|，)*(?:不要再?|别再?|別再?|不准)(?:用|使用)?(?P<not>.+)", standing=True),
    _form(rf"(?:以后|以後|今后|今後|下次|从现在开始|從現在開始|从今以后)(?:都|请|請|记得|記得|一律)(?:要)?(?:用|使用)?(?P<want>.+)", standing=True),
    _form(rf"(?:千万|千萬|绝对|絕對|永远|永遠)(?:不要|别|別|不能|不准)(?:用|使用)(?P<not>.+)", standing=True),
    _form(rf"(?:总是|總是|始终|始終|永远|永遠|一律|统一)(?:要)?(?:用|使用)(?P<want>.+)", 0.8, standing=True),
    _form(rf"(?:请|請|都说了|都說了)?(?:不要|别|別|不准)再?(?:用|使用)(?!户|戶|途|法)(?P<not>.+)"),
    _form(rf"(?:请|請)?(?:不要再|别再|別再)(?P<not>.+)"),
    _form(rf"(?:请|請)?(?:别|別|不要)(?P<not>(?:加|写|寫|创建|創建|新建|提交|运行|執行|安装|安裝|引入|硬编码|猜).+)", _WEAK),
    _form(rf"(?:你)?(?:应该|應該)(?:用|使用|改用)(?P<want>.+)"),
    _form(rf"(?:你)?(?:忘了|忘记了?|忘記了?|漏了)(?P<want>.+)", _WEAK),
    _form(rf"(?:你|这|這|这里|這裡|那|又|还是|還是|都|全|完全)*(?:不对(?![齐称应等外照])|不對(?![齊稱應等外照])|(?<![报報出])错了|(?<![報报出])錯了|弄错了?|弄錯了?|搞错了?|搞錯了?)(?:{_NO_SPACE}.*|啊.*|吧.*)?$", bare=True),
    _form(rf"(?:不是)(?:这个|這個|这样|這樣|那个|那個|这里|這裡|这么|這麼)(?:(?:文件|意思|分支|目录|做|写|改|的|啊){{0,3}})(?:{_NO_SPACE}.*)?$", bare=True),
    _form(rf"(?:请|請|你|给我|給我|帮我|幫我)*(?:把(?:它|这个|這個|刚才的|剛才的|你的)?(?:改动|修改|更改)?)?(?:都|全部)?(?:改回来|改回來|改回去|改回原样|退回去|撤回去?|还原回去|還原回去)(?:{_NO_SPACE}.*)?$", bare=True),
    _form(rf"(?:请|請|帮我|幫我)?(?:撤销|撤銷|还原|還原|回退|回滚|回滾)(?:刚才|剛才|你|这次|這次|上一步|刚刚|剛剛)(?:的)?.{{0,12}}$", bare=True),
)
_JAPANESE = (
    _form(r"(?:いや|いえ|あ|え|だから|だめ|ダメ|違う|違います|ちがう|[、,…。\s])*(?P<not>[^、。]{1,60}?)(?:じゃなくて|ではなくて?|でなくて?)[、,]?\s*(?P<want>.+?)(?:を)?(?:使って|使用して|で書いて|でやって|でお願い|にして|に変えて|に直して|でいい|がいい|だ|です|を見て)(?:ほしい|欲しい|くれ|もらえ|(?:ください|下さい)|ね|よ|します|いです|だよ|しい)*[。！!]*$"),
    _form(r"(?:もう|今後は?|次から|これから|絶対に?|[、\s])*(?P<not>[^、。]{1,60}?)(?:は|を)(?:もう|絶対に?)?使わないで(?:くれ|ほしい|(?:ください|下さい)|ね|よ|と言った.*|って言った.*)*[。！!]*$"),
    _form(r"(?P<want>.{2,80}?)って(?:言った|頼んだ|お願いした)(?:でしょ|のに|よね|はず|じゃない|じゃん|んだけど).*"),
    _form(r"(?:今後は?|次回?から(?:は)?|これから(?:は)?|以後)[、,\s]*(?P<not>.+?)(?:しないで|やめて|使わないで)(?:(?:ください|下さい)|ね|よ)*[。！!]*$", standing=True),
    _form(r"(?:今後は?|次回?から(?:は)?|これから(?:は)?|以後)[、,\s]*(?:常に|必ず|いつも)?(?P<want>.+?)(?:を)?(?:使って|して|で書いて|にして)(?:(?:ください|下さい)|ね|よ)*[。！!]*$", standing=True),
    _form(r"勝手に(?P<not>.+?)(?:しないで|やらないで|入れないで|変えないで|消さないで).*"),
    _form(r"(?:いや|いえ|あ|え|だから|[、,…\s])*(?:違う|違います|違うよ|ちがう|ちがいます|そうじゃな[いく]|そうではな[いく]|そういう意味じゃな[いく]|それじゃな[いく]|それではな[いく])(?:[、。！!\s,].*|って.*|です.*|て.*|よ.*|$)", bare=True),
    _form(r"(?:それ|これ|今の|さっきの|いまの|変更|全部|すべて|その変更|[をは、\s])*元に戻して(?:(?:ください|下さい)|ね|よ|ほしい)*[。！!]*$", bare=True),
    _form(r"(?:それ|そこ|これ|ファイル|場所|ブランチ)?(?:が|は)?間違(?:って(?:い)?(?:る|ます)|えてる|いです|い)(?:よ|ね)?(?:[、。！!].*)?$", bare=True),
)

_LEAD = re.compile(
    r"(?:(?:ok(?:ay)?|hey|hm+|um+|oh|ah|sorry|claude|codex|well|but|and|so|actually|wait|hold on|yeah|then|also|look)\b[\s,.!:—–-]*)+",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:(?:no+|nope|nah|wrong|incorrect)(?:\s*[,.!;:—–]+\s*|\s+-+\s+|\s+(?=(?:don't|do not|not |use |i (?:said|meant|mean|want|asked)|that's (?:wrong|not)|revert|undo|stop\b|please )))"
    r"|stop(?:\s*[,.!;:—–]+\s*))+",
    re.IGNORECASE,
)
# "No," as the answer to a question, or as part of a phrase.
_AGREES = re.compile(
    r"(?:thanks|thank you|that's (?:fine|ok|okay|all|it for|good|right|correct)|it's (?:fine|ok|okay|good)|go ahead|continue"
    r"|proceed|keep going|looks good|you're right|worries|problem|never ?mind|nothing|not (?:yet|now|really|needed|necessary"
    r"|at all|sure)|i (?:don't|haven't|didn't|think|have|can't|do not)|we (?:don't|haven't|didn't|can't|do not)|it (?:still|doesn't|does not|didn't|fails|is still)|still|leave it(?: as is)?$)\b",
    re.IGNORECASE,
)
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def find(sentence: str, before: str = "") -> Correction | None:
    """The correction in one sentence; `before` is the one before it, for a "No." that stands alone."""
    if supposes(sentence):
        return None
    if _WIDE.search(sentence):
        return _first(sentence, sentence, _CHINESE) if not asks(sentence) and not _kana(sentence) else _japanese(sentence)
    return _english(sentence, before)


def _japanese(sentence: str) -> Correction | None:
    return None if asks(sentence) or not _kana(sentence) else _first(sentence, sentence, _JAPANESE)


def _kana(sentence: str) -> bool:
    return bool(re.search("[\u3040-\u30ff]", sentence))


def _english(sentence: str, before: str) -> Correction | None:
    said = _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence
    opening = _NO.match(said)
    if opening is None and re.fullmatch(r"(?:no+|nope|nah|wrong|stop)[.!,\s]*", before, re.IGNORECASE):
        return _after_no(said)
    if opening and (rest := said[opening.end() :].strip()):
        return _after_no(_LEAD.sub("", rest, count=1) or rest)
    if asks(sentence):
        return _first(sentence, said, (_COMPLAINT,))
    return _first(said, said, _ALONE)


def _after_no(rest: str) -> Correction | None:
    if _AGREES.match(rest) or asks(rest):
        return None
    return _first(rest, rest, _AFTER_NO)


def _first(said: str, text: str, forms: tuple[_Form, ...]) -> Correction | None:
    return next(_matching(said, text.strip(), forms), None)


def _matching(said: str, text: str, forms: tuple[_Form, ...]) -> Iterator[Correction]:
    for form in forms:
        match = form.pattern.fullmatch(text) or form.pattern.fullmatch(text.rstrip(" .!…。！,，"))
        if match is None:
            continue
        groups = match.groupdict()
        wanted, unwanted = term(groups.get("want")), term(groups.get("not"))
        if form.bare or wanted or unwanted:
            yield Correction(said.strip(), wanted, unwanted, form.confidence, form.standing)
