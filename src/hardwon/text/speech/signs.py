"""Two signs about how things stand: the person says that it works, or that a test is meant to fail for now.

"Nice" and "perfect" praise anything; and "it works now, but …" is no end. So only a whole sentence counts, or the
clause that opens the prompt where a request follows: "works now, next add a button".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.text.speech.forms import Form, Forms

_POLITE = (
    r"(?:[\s,.!，。！、—–-]*(?:thanks|thank you|thx|great|perfect|nice|awesome|cool|good job|well done"
    r"|finally|yes|yep|yay|ok(?:ay)?|谢谢|謝謝|太好了|多谢|ありがとう(?:ございます)?))*"
)
_FIXED = (
    _POLITE + r"[\s,.!—–-]*(?:"
    r"(?:and |ok |so )?(?:it|that|this|everything|all|the (?:build|test|tests|bug|error|page|app"
    r"|server|command|script|login|deploy))?"
    r"\s*(?:all |seems to |finally )*(?:works?|worked|working|passes|passing|builds|runs|is working"
    r"|are passing|is passing|pass)"
    r"\s+(?:now|again|fine now|great now|perfectly now|correctly now)"
    r"|that (?:fixed|solved|did) it|that did the trick|(?:it's|it is|that's|the (?:bug|problem"
    r"|issue|error) is|problem|issue|all) (?:now )?(?:fixed|solved|resolved)(?: now)?"
    r"|fixed now|(?:all )?(?:the )?tests? (?:are |is )?(?:all )?(?:green|passing|pass) now|now it works|it works!?"
    r"|(?:现在)?(?:已经)?(?:好了|搞定了?|解决了|解決了|可以了|修好了|没问题了|沒問題了|能用了|正常了|跑通了|通过了)"
    r"|(?:もう)?(?:直った|直りました|動いた|動きました|動くようになりました?|動くようになった"
    r"|解決しました|解決した|うまくいった|うまくいきました|治りました)"
    r"|(?:es |das |alles )?(?:geht|funktioniert|läuft|klappt)(?:'?s)? jetzt(?: wieder| alles)?"
    r"|jetzt (?:geht|funktioniert|läuft|klappt)(?:'?s| es| das| alles)?(?: wieder)?"
    r"|(?:ya|ahora)(?: sí)? funciona(?: todo)?|funciona ahora|agora (?:já )?(?:funciona|funcionou)|funciona agora"
    r"|(?:maintenant )?(?:ça|cela) (?:marche|fonctionne) maintenant|maintenant,? (?:ça|cela) (?:marche|fonctionne)"
    r"|(?:ora|adesso) funziona(?: tutto)?|funziona (?:ora|adesso)"
    r"|теперь (?:вс[её] )?работает|вс[её] (?:теперь )?работает|(?:вс[её] )?заработало"
    r"|(?:už to|už|teď to|teď) funguje|이제 (?:잘 )?(?:돼요|됩니다|된다|되네요|작동해요|작동합니다)"
    r")" + _POLITE + r"[\s.!。！~～]*"
)
_BUT = re.compile(
    r"\b(?:but|however|except|still|although|not|aber|nur|noch|pero|mais|mas|ma|ale)\b"
    r"|\bно\b|하지만|但|还是|還是|不过|不過|でも|ただ|まだ|けど",
    re.IGNORECASE,
)
_RED = (
    r"\b(?:write|add|create|start with|begin with|commit)\s+(?:me\s+)?(?:a|an|the|some)\s+(?:\w+\s+)?failing "
    r"(?:unit )?tests?\b"
    r"|\bred[- ]green\b|\btdd\b|\btest[- ]driven\b"
    r"|\btests? (?:should|must|will|is supposed to|are supposed to|is expected to|are expected to"
    r"|is meant to|are meant to|has to|ought to) (?:still )?(?:fail|be red)\b(?! (?:gracefully"
    r"|with|when|if))"
    r"|\b(?:expected|supposed|meant) to (?:fail|be red)\b"
    r"|先写(?:一个|个)?(?:会)?失败的?(?:单元)?测试|先寫(?:一個|個)?(?:會)?失敗的?測試|测试(?:应该"
    r"|现在)?(?:会)?先?(?:是)?(?:失败|红)的?(?:才对|是正常的|没关系)"
    r"|(?:まず|先に|最初に)[、\s]*失敗するテスト|テスト(?:は|が)(?:まだ|今は|最初は)失敗する(?:はず|のが正しい|想定)"
)


_FIXED_FORM = Forms(
    Form(_FIXED, has="now|again|did|fixed|solved|resolved|works|了|搞定|た|動く"
         "|jetzt|funciona|funcionou|maintenant|funziona|работает|заработало|funguje|이제")
)  # fmt: skip
_OPENING = re.compile(
    r"(?P<clause>[^,;，；、–—]{2,40})(?:[,;，；、]|\s[–—-])\s*"
    r"(?:(?:and |so )?(?:now|next|then|let'?s|please|can|could|go ahead|commit|push)\b"
    r"|接下来|接下來|下一步|然后|然後|请|請|次は|では).*",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(r"\W*(?:好了|可以了|没问题了|沒問題了)\W*")
"""What somebody may say to go on, whatever is broken: 「好了，…」"""
_RED_FORM = Forms(Form(_RED, has="fail|red|tdd|test|失败|失敗|测试|テスト"))


def fixed(sentences: Sequence[str]) -> bool:
    """A sentence of a short prompt, or what opens it; nothing in the prompt takes it back."""
    if not sentences or len(sentences) > 3 or any(_BUT.search(one) for one in sentences):
        return False
    opening = _OPENING.fullmatch(sentences[0])
    clause = opening["clause"] if opening and not _LEADS_ON.fullmatch(opening["clause"]) else ""
    return any(form.fullmatch(one) for one in (*sentences, clause) for form in _FIXED_FORM.for_sentence(one))


def red(sentences: Sequence[str]) -> bool:
    return any(
        form.search(one) and not re.search(r"^\s*(?:why|fix)\b|为什么|修复|なぜ", one, re.IGNORECASE)
        for one in sentences
        for form in _RED_FORM.for_sentence(one)
    )
