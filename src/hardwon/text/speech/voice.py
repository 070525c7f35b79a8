"""Whether a text speaks as the person at the keyboard does, or as what somebody else wrote and they passed on.

A terminal tells of long pastes only; a short one looks typed in everything that a client writes down. So what is left
is the text itself. A person says what they want to whom they talk to. A text that was written to be read by any agent
says whose wish it claims to be, names its readers, asks to be kept, speaks in a tool's own words, or comes with the
signs of the place that it was copied from. And it wants something: what takes a safeguard away, destroys, or sends
somewhere is asked about whoever wrote it, for a person's mistake costs a look there, and a stranger's much more.

Each of these only makes a statement wait. None says that it is false.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.text import untrusted

LONGEST = 20_000
"""Characters of a prompt that are looked at for whose text it claims to be."""
CLAIMED = "it speaks of the user as of somebody else"
ADDRESSED = "it speaks to agents or contributors in general"
ASKS = "it asks to be kept, in the words of a tool"
COPIED = "it has the marks of a place that it was copied from"
BEHIND_COLON = "it is what something else is said to say"
NOBODYS = "nothing in it says that you wrote it yourself"
LIFTS = "it takes a safeguard away"
REACHES = "it names an address"
DANGEROUS = "it names a command that destroys, downloads or opens something"


def why_not_own(said: str, prompt: str = "") -> str:
    """Why a person should look at these words before they count as theirs; empty when nothing speaks against it.

    `said` is what would be kept. The whole prompt may say of any part of it whose words they are.
    """
    prompt = prompt[:LONGEST]
    text, whole = (f"{untrusted.plain_letters(one)}\n{one}" for one in (said, prompt))
    if _claims(text) or _claims(whole):
        return CLAIMED
    if _has(_READERS, text):
        return ADDRESSED
    if _has(_KEEP, text, whole):
        return ASKS
    if _has(_DESTROYS, text):
        return DANGEROUS
    if _lifts(text):
        return LIFTS
    if _has(_ADDRESS, text):
        return REACHES
    return COPIED if _COPIED.search(said) or _TRAILER.search(prompt) else ""


def why_unclear(sentence: str, quote: str, alone: bool) -> str:
    """Nothing in it speaks against the person, and nothing for them, where only an agent says that it is a statement.

    What follows "X:" is X's. A written sentence that is all of a prompt, in which nobody says I or you, could be
    anybody's: of those that people type one in fifty is so.
    """
    head = _HEAD.match(sentence)
    if head and quote in sentence[head.end() :] and not _HERE.search(head[0]) and not _NAMED.fullmatch(head[1].strip()):
        return BEHIND_COLON
    return NOBODYS if alone and _WRITTEN.fullmatch(sentence) and not _HERE.search(sentence) else ""


_HEAD = re.compile(r"([^:：\n]{2,80})[:：](?=\s|[\"“「]|[^\x00-\x7f])\s*")
_NAMED = re.compile(
    r"(?i)(?:\w+ ){0,2}(?:rule|decision|constraint|task|todo|remember|later|note|规则|决定|记住|ルール|決定|覚えて)"
    r"(?: \w+){0,2}"
)
_WRITTEN = re.compile(r"[^\Wa-z].*[.。]\s*", re.DOTALL)
_HERE = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|im|me|my|mine|we|we're|we'll|we've|our|ours|you|your|you're|let'?s|thanks|pls|please|ok"
    r"|okay|yes|no|nah|yep|hey|dude|btw|actually|hmm|oh|wait|stop|why|what|how|can|could|just|also|thing)\b"
    r"|\b(?:ich|wir|mir|uns|bitte|du|nosotros|por favor|yo|nous|je|tu|noi)\b|[我你咱您]|私|僕|ください|お願い|[よね]$",
    re.IGNORECASE,
)


def _has(patterns: Sequence[re.Pattern[str]], *texts: str) -> bool:
    return any(pattern.search(text) for pattern in patterns for text in texts)


def _claims(text: str) -> bool:
    """It says whose wish it is, as of somebody else's. In one sentence: a program has users, too."""
    parts = re.split(r"[.!?;\n。！？]+", text)
    return _has(_CLAIMS, text) or any(_has(_ROLES, part) and _has(_WISHES, part) for part in parts)


def _lifts(text: str) -> bool:
    if _has(_WAIVES, text):
        return True
    found = (match.start() for pattern in _LIFTS for match in pattern.finditer(text))
    return any(not _NO.search(re.split(r"[.!;\n]| (?:and|but) ", text[:at])[-1]) for at in found)


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# Who a text says that it speaks for: one who speaks for themselves is none of these. A program's users are several.
_ROLES = _compiled(
    r"\b(?:user|human|operator|owner|principal|usuari[oa]|utilisateur|utente|(?:be)?nutzers?|anwenders?)\b",
    r"\b(?:person|people|man|woman) (?:\w+ )?you (?:\w+ )?(?:for|with|to)\b|\bon (?:my|our|their|his|her) behalf\b",
    r"用户|ユーザ|利用者|пользовател",
)
# What makes a rule of it: that it was wished, said, agreed on, is to be remembered.
_WISHES = _compiled(
    r"\b(?:remember\w*|memor(?:y|ies)|record(?:ed)?|note[ds]?|kept|entry|rules?|preferences?|prefer\w*|standing|permanent"
    r"|permanently|approv\w+|instruct\w+|decisions?|decided?|decides|agree[ds]?|asked|asks|wants?|wanted|likes?|liked"
    r"|wish\w*|insist\w*|request(?:s|ed)?|told|tells|says?|said|statement|stated?|states|behalf|profile|origin|mandat\w+"
    r"|order(?:s|ed)|confirm(?:s|ed)|authori[sz]\w+|polic\w+|guidelines?|directives?|conventions?|require[sd]|chosen?)\b",
    r"\b(?:quier\w+|quer\w*|prefier\w+|pid\w+|dij\w+|diss\w+|regla|regra|wunsch\w*|mocht\w*|will|sagt\w*|regel|veut"
    r"|prefer\w+|demand\w+|regle|vuole|chied\w+|regola)\b",
    r"希望|要求|偏好|规则|決定|决定|指示|记住|同意|说|望|好み|ルール|言|хочет|просит|решил|правил|сказал",
)
_CLAIMS = _compiled(
    r"(?:^|[(\[,;:\u2014\u2013-]\s*|\b(?:is|comes?|came|this|that|it) )(?:from|by) (?:the |your |my )?user"
    r"\s*(?:[:.)\],!]|$)",
    r"^\W*(?:users?|human|system|assistant|developer|operator|admin(?:istrator)?|owner|maintainer)s?(?: \w+)?\W*[:>]",
)
_WORKERS = (
    r"(?:(?:ai|coding|llm|automated|autonomous|all|any|every|each|future|other|these) ){0,3}"
    r"(?:(?:ai|coding|llm|any|every|each) (?:agent|assistant|model|bot|contributor)|agents|assistants|llms"
    r"|language models|copilots|bots|contributors|maintainers|reviewers|developers|claude(?: code)?|codex"
    r"|cursor|copilot)"
)
# What names its readers: a page has some, a prompt has the one that it is typed to.
_READERS = _compiled(
    rf"\b(?:note|notice|message|instructions?|attention|memo|reminder|hint|dear|hey|hello|rules?|guidance|guidelines?)"
    rf"(?: (?:to|for|of))? (?:the |our )?{_WORKERS}\b",
    rf"(?:^|[.:;!(]\s*|\b(?:all|any|every|each|ai|coding|llm) ){_WORKERS} (?:\w+ )?"
    r"(?:should|must|shall|will|has to|have to|need to|needs to|may|can|are|is)\b",
    r"\bclaude (?:should|must|will|has to)\b",
    r"\b(?:can|could|would|hi|hey|hello|dear|please|fyi) (?:everybody|everyone|folks|team|guys|all)\b",
    r"\b(?:ai|ki|ia)[ -](?:agent|assistent|assistant|tool)\w*|\basistente\b",
    rf"^\W*(?:for |to )?{_WORKERS}\s*[:,]",
    r"\b(?:ai|coding|llm) (?:agents?|assistants?)\b",
    r"\bif you(?:'re| are) an? (?:\w+ )?(?:ai|llm|agent|assistant|model)\b",
    r"\b(?:anyone|whoever|everyone|everybody) (?:\w+ )?(?:who|working|reading)\b",
    r"(?:智能体|助手|代理|贡献者)[^。\n]{0,6}(?:应|必须|需要|请)|(?:エージェント|アシスタント|貢献者)(?:は|へ|に)",
)
# The words in which a memory is filled, with what the thing is to be taken for.
_KEEP = _compiled(
    r"\b(?:mark|record|store|log|persist|register|classify|tag|file|submit|flag|memori[sz]e)"
    r"(?:ed)?\b[^.\n]{0,60}\b(?:as|in|into|to|under) (?:an? |the |your )?(?:\w+[ -]){0,3}"
    r"(?:rules?|preferences?|decisions?|constraints?|instructions?|memor(?:y|ies)|polic(?:y|ies)|directives?)\b",
    r"\b(?:call|use|invoke|run) (?:the )?[`'\"]?(?:mark|note|hardwon)\b|\bmark\s*\(|\bhardwon\b",
    r"\b(?:kind|quote|trust)\s*[=:]\s*[\"'`]?\w",
    r"(?:标记|记录|保存|写入|存)(?:为|成|到|进)[^。\n]{0,8}(?:规则|偏好|决定|记忆|约束)"
    r"|(?:ルール|記憶|メモリ|決定)(?:として|に)(?:保存|記録|マーク)",
)
_DESTROYS = _compiled(
    r"\b(?:rm|shred|mkfs\S*|dd|truncate)\s+-|\b(?:chmod|chown|chgrp)\s+\S|\brm\s+\S*[/*~]|--hard\b|--force\b|--no-verify\b|\b(?:wipe|erase|purge|nuke)\b|push\s+-f\b"
    r"|\bdrop\s+(?:table|database|schema)\b|\bdelete\s+from\b|\b(?:curl|wget|iwr)\b|\bsudo\b|\beval\b"
    r"|\b(?:api[ _-]?keys?|passwords?|passwd|secrets?|credentials?|private keys?"
    r"|(?:access|auth|bearer|prod\w*|live|deploy\w*|admin) tokens?)\b"
    r"|密码|密碼|パスワード|密钥|凭证"
)
_NO = re.compile(
    r"\b(?:no|not|never|nobody|none|nothing|cannot|\w+n'?t|must not)\b|[不勿禁]|(?:ない|禁止)", re.IGNORECASE
)
_GUARDS = (
    r"(?:checks?|hooks?|reviews?|tests?|linters?|verif\w+|approvals?|confirm\w*|permissions?|validat\w+|signatures?"
    r"|certificates?|tls|ssl|sandbox\w*|firewalls?|2fa|mfa|authenti\w+|scans?|scanners?|scanning|audits?|guards?"
    r"|protections?|safeguards?|safety|warnings?|security|limits?|backups?|prompts?)"
)
# What a rule may take away: being checked, being asked, being stopped. Said with a no before it, it does the opposite.
_LIFTS = _compiled(
    rf"\b(?:skip\w*|bypass\w*|disabl\w+|turn(?:ing|ed)? off|ignor\w+|suppress\w*|circumvent\w*|overrid\w+|omit|remove"
    rf"|switch(?:ing|ed)? off|without)\b[^.\n]{{0,30}}\b{_GUARDS}\b",
    r"\bwithout (?:asking|confirm\w*|checking|waiting|telling|warning|me|us)\b",
    r"\bauto[ -]?(?:approv|accept|confirm|merg|grant)\w*\b|\bpre-?approved\b",
    r"\b(?:approval|permission|authori[sz]ation|clearance|leave|free hand|consent) (?:\w+ )?to\b",
    r"\b(?:trust|accept|approve|allow|permit|grant) (?:all|any|every|everything|anything|full|unrestricted)\b",
    r"\b(?:push|deploy|merge|commit|publish|release)\w*\b[^.\n]{0,20}\b(?:straight|directly)\b",
    r"(?:跳过|绕过|禁用|关闭|忽略)[^。\n]{0,10}(?:检查|审核|测试|验证|确认|权限|审查|安全)",
    r"(?:確認|レビュー|テスト|検証|承認|許可)(?:なし|不要|せず|は不要|を(?:スキップ|省略|無効))",
)
# A duty that is said to be none.
_WAIVES = _compiled(
    rf"\b(?:no need for|not need|no longer needs?|need no|needs no|never (?:run|require|wait for|ask for)|no more) "
    rf"[^.\n]{{0,30}}\b{_GUARDS}\b",
    r"\b(?:don'?t|do not|never|no need to|needn'?t|stop) (?:ask|wait for|check with|confirm|verify|require|bother)",
    r"(?:无需|不用|不必|不要|不需要)(?:再)?(?:确认|询问|问我|审核|批准)",
)
_ADDRESS = _compiled(
    r"\b(?:https?|ftp|ssh|wss?)://(?!(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]))\S",
    r"\b[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,}\b",
    r"\b(?!127\.|0\.0\.|10\.|192\.168\.)\d{1,3}(?:\.\d{1,3}){3}\b",
)
_TRAILER = re.compile(r"^[A-Z][a-z]+(?:-[a-z]+)*-by: \S", re.MULTILINE)
# What stands around a text where it was taken from, and on no keyboard or in nobody's prompt.
_COPIED = re.compile(
    r"[\u00a0\u2022\u2023\u25cf\u25aa\u2500-\u257f\u00b7]|^\s*[\[(【][^\W\d][^\])】\n]{0,40}[\])】]\s*\S|^\s*(?:\*\*|__)\S"
    r"|^\s*@\w[\w.-]{0,30}:\s|^\s*\w[\w .-]{0,30} \(?\d{1,2}:\d\d|\(edited\)|^\s*(?:#|//|--|;;|<!--|/\*|\"\"\")\s"
    r"|&(?:lt|gt|amp|quot|nbsp);|^\s*\S{1,60}\.\w{1,5}:\d+|(?:^|\s)(?:says?|said|wrote|reads?|states?)\s*[:：]\s*\S"
    r"|^[^:\n]{0,80}\b(?:this|these|following|below|pasted?|according to \S+|from \S+)\s*[:：]\s*\S"
)
