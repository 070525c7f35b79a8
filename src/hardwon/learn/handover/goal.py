"""What a session is about when it ends: the request that is being worked at, and what was added to it since.

The first prompt says it only as long as the work did not move on. A prompt begins a new subject when it says so
("forget that", "next:", "now …") or when it has nothing in common with what was asked and done before; a short answer
("yes", "go on") never does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hardwon.text.commands.vocabulary import names

LONGEST = 220
_WORD = re.compile(r"[A-Za-zÀ-ÿ0-9_][\w./-]{2,}|[\u3040-\u30ff\u4e00-\u9fff]{2}")
_COMMON = names(
    "the and for with that this from into have has had was were are will would should could can must may not but you "
    "your our their its his her them they then than there here what when where which who why how all any some more now "
    "just also please make made let get got use used using add added new run see look need want like only very still "
    "again first last next one two it's don't does did done ok okay yes good great thanks thank fix fixed work works "
    "working change changed file files code test tests thing things way try about over after before same other und der "
    "die das ist nicht mit auf für ein eine bitte noch auch jetzt dann wir ich les des une pour dans que los las una"
)
_ANSWER = re.compile(
    r"(?i)^(?:(?:yes|yep|yeah|ok(?:ay)?|sure|no|nope|go(?: on| ahead)?|continue|proceed|do it|do that|please do"
    r"|thanks?|thank you|great|good|nice|perfect|cool|fine|lgtm|right|exactly"
    r"|works?|done|ja|nein|weiter|gut|danke|passt|好的?|可以|继续|繼續|行|对|是的?|谢谢|はい|いいえ"
    r"|続けて|お願いします|ありがとう|oui|non"
    r"|continue|merci|sí|vale|gracias|dale)[\s,.!。，！、]*)+$"
)
_TURNS = re.compile(
    r"(?i)\b(?:forget (?:that|about|the|it|this)|never ?mind|drop (?:that|this|it|the)|leave (?:that|this|it)\b"
    r"|instead[,:]|new (?:task|topic|thing|plan)|different (?:topic|thing|task|question)|switch(?:ing)? to"
    r"|move on to|moving on"
    r"|let'?s (?:now|move|switch|turn)|next(?:[,:]| task| thing| up)|now (?:please |let'?s )?(?:do|fix|add"
    r"|write|make|implement|update|move|look|build|create|change|set|remove|refactor|we|the|for)|on to"
    r"|another (?:thing|task)|something else"
    r"|change of plan|before (?:that|you)|more urgent|urgent|first,? (?:fix|do)|stop,? )"
    r"|vergiss|stattdessen|jetzt (?:bitte )?|als nächstes|anderes thema"
    r"|neue aufgabe|换个|换一个|先不|接下来|现在(?:来|去|请"
    r"|做)|下一个|算了|次は|次に|それより|代わりに|今度は|別件|maintenant|oublie|passons|plutôt|ahora"
    r"|olvida|siguiente|cambio de"
)
_ADDS = re.compile(
    r"(?i)^(?:and|also|plus|but|no[,.! ]|not |wait|hm+|oh|it |that |this |they |still |same |why|what|how|is "
    r"|are |does |did |can you (?:also|explain)|oder|und|auch|aber|nein|nicht|warum"
    r"|还有|另外|但|不|为什么|あと|でも|なぜ|et "
    r"|mais|non|pourquoi|y |pero|no )"
)
_ASKS = re.compile(r"\?\s*$|？\s*$")


@dataclass(slots=True)
class Goal:
    """What was asked, subject by subject."""

    opening: str = ""
    added: list[str] = field(default_factory=list)
    _words: set[str] = field(default_factory=set)

    def asked(self, prompt: str) -> None:
        said = " ".join(prompt.split())
        if not said or _ANSWER.match(said):
            return
        words = content(said)
        if not self.opening or self._is_new(said, words):
            self.opening, self.added, self._words = said, [], set(words)
            return
        self._words |= words
        if not (_ASKS.search(said) and len(said) < 80) and len(said.split()) + (not said.isascii()) * 4 >= 4:
            self.added.append(said)

    def worked(self, text: str) -> None:
        """What is said and touched meanwhile belongs to the subject."""
        if len(self._words) < 400:
            self._words |= content(text[:600])

    def _is_new(self, said: str, words: set[str]) -> bool:
        if _TURNS.search(said[:160]) and len(words) >= 2:
            return True
        if _ADDS.match(said) or len(words) < 3 or (_ASKS.search(said) and len(said) < 80):
            return False
        shared = len(words & self._words)
        return shared == 0 or (len(words) >= 6 and shared / len(words) < 0.12)

    def said(self) -> str:
        opening = _cut(self.opening, LONGEST)
        if not self.added:
            return opening
        return f"{opening} — then: {_cut(self.added[-1], LONGEST - 60)}"


def content(text: str) -> set[str]:
    return {word for word in (one.lower().strip(".-/") for one in _WORD.findall(text)) if word not in _COMMON}


def _cut(text: str, longest: int) -> str:
    """Its first sentences, as far as they fit."""
    if len(text) <= longest:
        return text
    ends = [match.end() for match in re.finditer(r"[.!?。！？](?=\s|$)", text[:longest])]
    return text[: ends[-1]] if ends and ends[-1] > longest // 2 else f"{text[: longest - 1]}…"
