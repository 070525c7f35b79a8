"""Corrections in English."""

from __future__ import annotations

from hardwon.understand.wishes.forms import WEAK, Form, Forms
from hardwon.understand.wishes.spoken import SIGN

_CHOOSE = r"(?:use|using|go with|try|take|pick|prefer|choose|stick (?:to|with)|switch to|keep)"
_ACT = (
    r"(?:add|apply|ask|build|call|change|check|clean|commit|convert|copy|create|delete|deploy"
    r"|disable|do|drop|edit|enable"
    r"|explain|fix|force|format|generate|guess|hardcode|hard-code|ignore|import|inline|install"
    r"|keep|leave|log|make|merge"
    r"|mock|modify|move|name|open|overwrite|pin|print|push|put|read|reformat|refactor|remove|rename"
    r"|replace|reset|restart"
    r"|restore|rewrite|run|save|send|set|show|skip|split|squash|start|store|summari[sz]e|test"
    r"|touch|update|upgrade|use|wrap"
    r"|write|comment|document|assume|amend|rebase|over-?engineer|invent|publish|stage|worry about)"
)
_DOING = (
    r"(?:add|apply|ask|chang|comment|commit|creat|delet|edit|format|guess|hardcod|import|install|ignor|mak|mock|modify"
    r"|mov|overwrit|push|put|reformat|refactor|remov|renam|rewrit|runn|skip|touch|us|writ|do|go|try|assum|explain)+ing"
)
_NOUNS = (
    r"(?:file|files|one|ones|branch|directory|dir|folder|function|method|class|repo|repository"
    r"|place|way|command|version"
    r"|approach|test|tests|line|lines|database|db|order|name|port|environment|env|account|project"
    r"|package|component|page"
    r"|language|format|library|api|endpoint|column|table|model|service|server|config|tool|direction|spot|file again)"
)
_INSTEAD = r"\s*,?\s*(?:instead of|rather than|and not|but not|not|in place of)\s+(?:the\s+|with\s+)?"

# After "no," and the like: what is wanted, however it is said.
AFTER_NO = Forms(
    Form(
        rf"(?:that's|it's|this is|you (?:used|edited|picked)) (?:the )?wrong [\w-]+[\s,;:—–-]+(?:please )?{_CHOOSE}"
        rf"\s+(?P<want>.+)"
    ),
    Form(r"(?:it's |that's )?the other way (?:a)?round.*", bare=True),
    Form(r"we (?:always )?use (?P<want>.+?)(?: here| in this \w+)?", standing=True),
    Form(
        rf"(?:don't|do not|dont|never|stop|not)\s+(?:{_CHOOSE}\s+)?(?P<not>[^,;]+?)\s*[,;—–-]+\s*"
        rf"(?:but |just |please |rather )?{_CHOOSE}\s+(?P<want>.+)"
    ),
    Form(
        rf"(?:please |just |rather |you should |we |let's |it should )?{_CHOOSE}\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)"
    ),
    Form(rf"(?:please |just |rather |you should |we |let's )?{_CHOOSE}\s+(?P<want>.+)"),
    Form(rf"(?:please )?(?:don't|do not|dont|never|stop|quit|avoid)\s+(?:(?:ever )?{_CHOOSE}\s+)?(?P<not>.+)"),
    Form(
        rf"i (?:already |just |clearly )?(?:said|meant|mean|asked (?:you )?(?:for|to)|told you(?: to)?"
        rf"|want(?:ed)?(?: you to)?|need)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+?){_INSTEAD}(?P<not>.+)"
    ),
    Form(
        rf"i (?:already |just |clearly )?(?:said|meant|mean|asked (?:you )?(?:for|to)|told you(?: to)?"
        rf"|want(?:ed)?(?: you to)?|need)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+)"
    ),
    Form(
        rf"(?:it|that|this|the [\w{SIGN}-]+(?: [\w{SIGN}-]+)?) (?:should|must|needs to|has to|ought to) "
        rf"(?:be |go |live |stay )?(?:in )?(?P<want>.+?){_INSTEAD}(?P<not>.+)"
    ),
    Form(
        rf"(?:it|that|this|the [\w{SIGN}-]+(?: [\w{SIGN}-]+)?) (?:should|must|needs to|has to|ought to"
        rf"|belongs) (?P<want>.+)"
    ),
    Form(r"not (?:the |in |that |this )?(?P<not>[^,;]+?)\s*[,;—–-]+\s*(?:but |use |it's |just )?(?P<want>.+)"),
    Form(rf"(?P<want>(?:the|only|just) .+?){_INSTEAD}(?P<not>.+)"),
    Form(r"(?P<want>(?:only|just|the other|the first|the second|the old|the new) .+)"),
    Form(r"(?:revert|undo|roll back) (?:that|this|it|everything|all of it|your .+)", bare=True),
    Form(rf"(?P<want>(?:please )?(?:{_ACT}|revert|undo|roll back)\s+.+)"),
    Form(r"(?:that's|that is|it's|it is|this is|thats) (?:wrong|incorrect|not .+)", bare=True),
    Form(rf"(?:the )?wrong {_NOUNS}\b.*", bare=True),
    Form(r"(?:revert|undo|roll (?:it |that )?back|go back|put (?:it|that) back).*", bare=True),
    Form(r"not (?:that|this|like that|what i .+)", bare=True),
    Form(rf"[^,;]{{3,80}}[,;]\s*(?:so |just |please )*{_CHOOSE}\s+(?P<want>[^,;]+)"),
)

# Without an opening: only what can hardly be an ordinary request or a report of a bug.
ALONE = Forms(
    Form(
        r"(?:from now on|going forward|next time)[\s,:]+(?!(?:the|it|this|that|there|a|an|i)\b)"
        r"(?P<want>(?!don't|do not|never|stop|avoid|use\b|please|always|you\b|we\b)\w.+)",
        standing=True,
        has="from now on|going forward|next time",
    ),
    Form(
        r"we (?:don't|do not) (?:use|do|write|have) (?P<not>.+?) (?:here|in this (?:repo|repository"
        r"|project|codebase|file))",
        standing=True,
        has="we do not|we don't",
    ),
    Form(
        rf"no need (?:for|to(?: use)?)\s+(?P<not>[^,;.]+?)[,;.—–-]+\s*(?:just |please )?{_CHOOSE}\s+(?P<want>.+)",
        has="no need for|no need to",
    ),
    Form(
        rf"(?:please )?{_CHOOSE}\s+(?P<want>.+?),? (?:as|like) i (?:already )?(?:said|told you|asked|mentioned).*",
        has="as i|like i",
    ),
    Form(
        rf"i (?:really )?(?:don't|do not|didn't) (?:want|ask)(?: you to| for)?\s+(?:{_CHOOSE}\s+)?(?P<not>.+)",
        has="don't|do not|didn't",
    ),
    Form(r"(?:that's|it's|this is) (?:the )?wrong [\w-]+", bare=True, has="wrong"),
    Form(r"you(?:'re| are|'ve| have)? (?:just |again )?\w+(?:ing|ed)? the wrong .+", bare=True, has="the wrong"),
    Form(
        r"(?:that|this|it) (?:isn't|is not|wasn't|was not) what i (?:asked|wanted|meant|said|want"
        r"|need)\b.*",
        bare=True,
        has="is not what i|isn't what i|was not what i|wasn't what i",
    ),
    Form(
        r"you (?:just |again |accidentally )?(?:removed|deleted|broke|overwrote|reverted|ignored) .+",
        bare=True,
        has="removed|deleted|broke|overwrote|reverted|ignored",
    ),
    Form(r"wrong again", bare=True, has="wrong again"),
    Form(
        r"(?:that's|that is|this is) not how (?:we|i|you should|it should|to) .+",
        bare=True,
        has="that is not how|that's not how|this is not how",
    ),
    Form(r"we use (?P<want>[^,;]{1,60}?)\s*,\s*not (?P<not>.+)", standing=True, has="we use"),
    Form(rf"instead of (?P<not>[^,;]{{1,60}}?)\s*,\s*(?:please |just )?{_CHOOSE}\s+(?P<want>.+)", has="instead of"),
    Form(rf"i told you (?!not\b)(?:\w+ )?to (?:{_CHOOSE}\s+)?(?P<want>.+)", has="i told you"),
    Form(
        r"(?:please )?(?:revert|undo|discard|drop) (?:the|your|all|these|those|all the|all your) "
        r"(?:changes?|edits?|modifications?)(?: .*)?",
        bare=True,
        has="revert|undo|discard|drop",
    ),
    Form(
        r"it(?:'s| is) (?:spelled|called|named|written) (?P<want>.+?)\s*,?\s*(?:not|and not) (?P<not>.+)",
        has="spelled|called|named|written",
    ),
    Form(
        r"[\w ]{2,40}? (?:go|goes|belong|belongs|live|lives) (?:in|into|to|under|inside|next to) "
        r"(?P<want>.+?)\s*,\s*not (?:in |into |to |under |next to )?(?P<not>.+)",
        has=" go | goes | belong | belongs | live | lives ",
    ),
    Form(
        (
            rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule|remember(?: that"
            rf"| to|,|:))[\s,:]+(?:please |always |you should |we )*(?:don't|do not|never|stop|avoid)\s+"
            rf"(?:{_CHOOSE}\s+)?(?P<not>.+)"
        ),
        standing=True,
        has="as a rule|from now on|going forward|in future|in the future|next time|remember",
    ),
    Form(
        (
            rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule)[\s,:]+(?:please "
            rf"|always |you should |we )*{_CHOOSE}\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)"
        ),
        standing=True,
        has="as a rule|from now on|going forward|in future|in the future|next time",
    ),
    Form(
        (
            rf"(?:from now on|going forward|in (?:the )?future|next time|as a rule)[\s,:]+(?:please "
            rf"|always |you should |we |we always )*(?:{_CHOOSE}\s+(?P<want>.+)|(?P<want2>{_ACT}\s+.+))"
        ),
        standing=True,
        has="as a rule|from now on|going forward|in future|in the future|next time",
    ),
    Form(r"remember to always\s+(?P<want>.+)", standing=True, has="remember to always"),
    Form(
        (
            rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)?we (?:never|don't ever)\s+(?:{_CHOOSE}\s+"
            rf"|{_ACT}\s+)(?P<not>.+)"
        ),
        standing=True,
        has="we don't ever|we never",
    ),
    Form(
        (
            rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)(?:we )?(?:always )?(?:{_CHOOSE}"
            rf"|run|write|put)\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)"
        ),
        standing=True,
        has="in this codebase|in this project|in this repo",
    ),
    Form(
        rf"(?:in this (?:repo|repository|project|codebase)[\s,]+)?we always\s+(?:{_CHOOSE}\s+)?(?P<want>.+)",
        standing=True,
        has="we always",
    ),
    Form(rf"(?:please )?always\s+(?:use|prefer)\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)", standing=True, has="always"),
    Form(r"(?:please )?always\s+(?:use|prefer)\s+(?P<want>.+)", 0.8, standing=True, has="always"),
    Form(
        r"(?:please )?always\s+(?P<want>(?:ask|run|commit|push|write|read|check|format|test)\s+.+)",
        0.8,
        standing=True,
        has="always",
    ),
    Form(
        (
            rf"(?:please )?(?:never|don't ever|do not ever)\s+(?:use\s+)(?P<not>.+?)\s*[,;—–-]+\s*(?:always "
            rf"|but )?{_CHOOSE}\s+(?P<want>.+)"
        ),
        standing=True,
        has="do not ever|don't ever|never",
    ),
    Form(
        r"(?:please )?(?:never|don't ever|do not ever)\s+(?:use\s+)(?P<not>.+)",
        0.8,
        standing=True,
        has="do not ever|don't ever|never",
    ),
    Form(
        (
            r"(?:please )?(?:never|don't ever|do not ever)\s+(?P<not>(?:run|commit|push|write|format"
            r"|mock|import|install|add|create|guess|assume|skip)\s+.+)"
        ),
        0.8,
        standing=True,
        has="do not ever|don't ever|never",
    ),
    Form(
        rf"(?:don't|do not|dont|stop)\s+(?:{_CHOOSE}|{_DOING})\s+(?P<not>[^,;]+?)\s*[,;—–-]+\s*"
        rf"(?:but |just |please )?{_CHOOSE}\s+(?P<want>.+)",
        has="do not|don't|dont|stop",
    ),
    Form(
        rf"please (?:don't|do not|dont|stop)\s+(?:{_CHOOSE}\s+|using\s+)(?P<not>.+)",
        has="please do not|please don't|please dont|please stop",
    ),
    Form(
        rf"please (?:don't|do not|dont|stop)\s+(?P<not>(?:{_ACT}|{_DOING})\b.*)",
        has="please do not|please don't|please dont|please stop",
    ),
    Form(
        rf"(?:don't|do not|dont)\s+(?P<not>(?:{_ACT})\b.*?)(?:\s+(?:unless i|without (?:asking|my)"
        rf"|again|until i|before asking)\b.*)",
        has="do not|don't|dont",
    ),
    Form(
        rf"i (?:already |just |clearly )?(?:said|told you)\s+(?:not to|don't|no)\s+(?:{_CHOOSE}\s+)?(?P<not>.+)",
        has="said|told you",
    ),
    Form(
        rf"i (?:already |just |clearly )?(?:said|meant|asked (?:you )?(?:for|to)|told you(?: to)?"
        rf"|wanted(?: you to)?)\s+(?:to\s+)?(?:{_CHOOSE}\s+)?(?P<want>.+?){_INSTEAD}(?P<not>.+)",
        has="i said|i meant|i asked|i told you|i wanted|already|just|clearly",
    ),
    Form(
        rf"i (?:already |just |clearly )?(?:said|told you to|asked you to|meant(?! to))\s+(?:to\s+)?"
        rf"(?:{_CHOOSE}\s+)?(?P<want>.+)",
        has="i said|i meant|i asked you to|i told you to|already|just|clearly",
    ),
    Form(
        rf"i want(?: you to)?\s+(?:{_CHOOSE}\s+)?(?P<want>.+?)\s*,?\s*(?:not|instead of|rather than)\s+(?P<not>.+)",
        has="i want",
    ),
    Form(r"you (?:forgot|still haven't|never) (?:to )?(?P<want>.+)", has="you forgot|you never|you still haven't"),
    Form(
        rf"you (?:should have|were supposed to|should)\s+(?:(?:used?|run|put|kept?|called|written"
        rf"|asked)\s+)(?P<want>.+?)(?:{_INSTEAD}(?P<not>.+))?$",
        has="you should|you were supposed to",
    ),
    Form(
        r"you (?:should not|shouldn't|weren't supposed to|were not supposed to|must not) (?:have )?(?P<not>.+)",
        has="should not|shouldn't|supposed to|must not",
    ),
    Form(r"you (?:keep|kept) (?P<not>.+)", has="you keep|you kept"),
    Form(
        r"you (?:used|added|edited|changed|deleted|removed|ran|put|committed|installed) (?P<not>.+?)\s*"
        r"(?:again|instead)?[\s,]*(?:but|and) (?:i|it|we) (?:want|wanted|asked|said|should|need)\w*\s+"
        r"(?:for |to )?(?:be |use )?(?P<want>.+)",
        has="and i|and we|but i|but we",
    ),
    Form(
        r"you (?:edited|changed|deleted|removed|picked|used|broke|overwrote|touched|ran|modified) the wrong .+",
        bare=True,
        has="the wrong",
    ),
    Form(
        (
            r"(?:that's|that is|this is|thats|it's|it is) (?:wrong|incorrect|not (?:right|correct|it"
            r"|what i (?:asked|wanted|meant|said|want|need)(?: for)?|the (?:one|right one|file|right file"
            r"|right place) ?(?:i .+)?|how .+ should .+))[\s.!,;:].*"
        ),
        bare=True,
        has="that's |that is |this is |thats |it's |it is ",
    ),
    Form(
        (
            r"(?:that's|that is|this is|thats) (?:wrong|incorrect|not (?:right|correct|it|what i (?:asked"
            r"|wanted|meant|said|want)(?: for)?))"
        ),
        bare=True,
        has="s wrong|s incorrect|s not right|s not correct|s not it|s not what i",
    ),
    Form(
        rf"(?:the |in the )?wrong {_NOUNS}(?:\s+again)?(?=\s*(?:$|[.!,;:—–]))\s*[.!,;:—–]*\s*(?:"
        rf"(?:please )?{_CHOOSE}\s+|it should be |i meant |should be )(?P<want>.+?)",
        has="wrong",
    ),
    Form(rf"(?:the |in the )?wrong {_NOUNS}(?:\s+again)?(?=\s*(?:$|[.!,;:—–])).*", bare=True, has="wrong"),
    Form(r"(?:wrong|incorrect)[.!,]*", bare=True, has="incorrect|wrong"),
    Form(
        r"not (?:like )?(?:that|this)(?: one| file| way| branch| folder| directory)?(?:\s*[,.!;:—–-].*)?",
        bare=True,
        has="not like that|not like this|not that|not this",
    ),
    Form(
        r"not what i (?:asked|wanted|meant|said|want)(?: for)?(?:\s*[,.!;:—–-].*)?",
        bare=True,
        has="not what i asked|not what i meant|not what i said|not what i want",
    ),
    Form(
        (
            r"(?:please )?(?:revert|undo|roll ?back|take back)\s+(?:that|this|it|those|these|everything"
            r"|all (?:of )?(?:that|your)|your|the last (?:change|edit|one|thing|step)s?|what you (?:did"
            r"|just))\b(?! (?:file|button|stack|feature|page|function|endpoint|option|setting)).*"
        ),
        bare=True,
        has="revert|roll back|rollback|take back|undo",
    ),
    Form(r"(?:please )?(?:revert|undo)(?: please)?", bare=True, has="revert|undo"),
    Form(
        r"(?:please )?(?:change|put|move|set) (?:it|that|this|them|those) back(?: .*)?",
        bare=True,
        has="it back|that back|them back|this back|those back",
    ),
    Form(rf"{_CHOOSE}\s+(?P<want>[^,;]+?)\s+instead(?: please)?", has="instead"),
    # As common in an ordinary request.
    Form(
        rf"(?:please )?{_CHOOSE}\s+(?P<want>.+?){_INSTEAD}(?P<not>.+)",
        WEAK,
        has="in place of|instead of|not|rather than",
    ),
    Form(
        r"it (?:should|must|needs to) be (?P<want>.+?)\s*,?\s*(?:not|instead of|rather than)\s+(?P<not>.+)",
        WEAK,
        has="it must be|it needs to be|it should be",
    ),
    Form(
        r"(?:don't|do not|dont|stop|quit|avoid)\s+(?:use|using)\s+(?P<not>.+)",
        WEAK,
        has="don't|do not|dont|stop|quit|avoid",
    ),
    Form(rf"(?:don't|do not|dont)\s+(?P<not>{_ACT}\b.*)", WEAK, has="do not|don't|dont"),
    Form(r"(?:stop|quit)\s+(?P<not>\w+ing\b.*)", WEAK, has="quit|stop"),
)
COMPLAINT = Forms(
    Form(
        (
            r"why (?:did|do|are|were) you (?:keep )?(?:us\w+|add\w*|chang\w+|delet\w+|remov\w+|edit\w*"
            r"|run\w*|put\w*|creat\w+|install\w*|mock\w*)\s+(?P<not>.+?)[?\s]*(?:(?:instead of|when i said"
            r"|i said)\s+(?:to )?(?:use )?(?P<want>.+?))?[?.!\s]*$"
        ),
        WEAK,
        has="why",
    )
)


LEAD = (
    r"(?:(?:ok(?:ay)?|hey|hm+|um+|oh|ah|sorry|claude|codex|well|but|and|so|actually|wait|hold on"
    r"|yeah|then|also|look)\b[\s,.!:—–-]*)+"
)
NO = (
    r"(?:(?:no+|nope|nah|wrong|incorrect)(?:\s*[,.!;:—–]+\s*|\s+-+\s+|\s+(?=(?:don't|do not|not "
    r"|use |i (?:said|meant|mean|want|asked)|that's (?:wrong|not)|revert|undo|stop\b|please |wait\b)))"
    r"|stop(?:\s*[,.!;:—–]+\s*))+"
)
# "No," as the answer to a question, or as part of a phrase.
AGREES = (
    r"(?:thanks|thank you|that's (?:fine|ok|okay|all|it for|good|right|correct)|it's (?:fine|ok"
    r"|okay|good)|go ahead|continue"
    r"|proceed|keep going|looks good|you're right|worries|problem|never ?mind|nothing|not (?:yet"
    r"|now|really|needed|necessary"
    r"|at all|sure)|i (?:don't|haven't|didn't|think|have|can't|do not)|we (?:don't|haven't|didn't"
    r"|can't|do not)|it (?:still|doesn't|does not|didn't|fails|is still)|still|leave it(?: as is)?$)\b"
)
