"""What a prompt is after, by its wording, and how much there is to lose. English, Chinese (both scripts), Japanese.

An intent only leans: it moves memories of one kind a little ahead of others that fit as well. So this may err, unlike
`wishes`, where what is read is kept. It has to be quick, since it runs before every prompt is answered: English goes by
sets of words, patterns are tried only where a word of theirs stands, and of a long paste only both ends are read.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from hardwon.text.commands.vocabulary import names


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """When first needed: most prompts need none."""
    return re.compile(pattern)


class Intent(StrEnum):
    CHANGE = "change"
    """Change something that has failed before, and not fail again."""
    WHY = "why"
    """Know why something was decided, or what."""
    DEBUG = "debug"
    """Find out why something fails, and mend it."""
    GENERAL = "general"


class Risk(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


HEAD, TAIL = 1_000, 500
"""Characters at both ends that are read."""


def read(text: str, *, pasted_error: bool = False, names_a_thing: bool = False) -> tuple[Intent, Risk]:
    """`pasted_error`: it holds an error that is known by its form; `names_a_thing`: a file, a command, an error."""
    lower = (text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}").lower().replace("’", "'")
    words = _WORD.findall(lower)
    wide = not lower.isascii()
    fails = pasted_error or _fails(words, lower, wide)
    changes = not _CHANGE.isdisjoint(words) or (wide and bool(_compiled(_WIDE_CHANGE).search(lower)))
    intent = _intent(words, lower, wide, fails=fails, changes=changes)
    if intent is Intent.CHANGE or _is_dangerous(words, lower, wide):
        return intent, Risk.HIGH
    return intent, Risk.MEDIUM if intent is not Intent.GENERAL or changes or names_a_thing else Risk.LOW


def _intent(words: list[str], lower: str, wide: bool, *, fails: bool, changes: bool) -> Intent:
    if _asks_for_reason(words, lower, wide, fails=fails):
        return Intent.WHY
    if changes and (fails or _is_cautious(words, lower, wide)):
        return Intent.CHANGE
    return Intent.DEBUG if fails or _mends(words, lower, wide) else Intent.GENERAL


_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FAILS = names(
    "fail fails failed failing failure failures error errors errored crash crashes crashed crashing "
    "broke broken breaks "
    "exception exceptions traceback stacktrace panic panics panicked segfault segfaults hang hangs hanging hung stuck "
    "flaky regression regressed deadlock deadlocks bug bugs buggy oom"
)
# "error handling" and "handle errors" are about code that is to be written.
_NOT_AFTER = names(
    "handling handler handlers message messages page pages log logs logging logger code codes type types class classes "
    "boundary boundaries budget budgets state states rate rates report reports reporting reporter response responses "
    "toast banner middleware format formatting text texts tracking tracker screen screens enum variant variants mode "
    "modes over safe fast template bounty course filter mapper hierarchy domain prone path paths"
)
_NOT_BEFORE = names(
    "handle handles handling throw throws throwing return returns returning raise raises raising catch "
    "catches catching "
    "custom log logs report reports show shows display displays on gracefully better friendlier propagate"
)
_FAILING_PHRASE = (
    r"\b(?:doesn't|does not|don't|didn't|did not|isn't|is not|won't|will not|no longer|not|stopped|never|cannot|can't"
    r"|couldn't|could not|unable to|refuses to) (?:\w+ )?(?:work|compil|build\b|start|run\b|pass|load|connect|respond"
    r"|import\b|find\b|resolv|open\b|install\b|boot)"
    r"|\btim(?:es?|ed|ing) out\b|\bexit(?:s|ed)? (?:with )?(?:code|status) [1-9]|\bblows? up\b|\b(?:go"
    r"|goes|went) wrong\b"
    r"|(?<=[a-z])(?:error|exception)\b"
)
_MAY_FAIL = names(
    "doesn't don't didn't isn't won't not no stopped never cannot can't couldn't unable refuses out exit exits exited "
    "blow blows wrong"
)


def _fails(words: list[str], lower: str, wide: bool) -> bool:
    for place, word in enumerate(words) if not _FAILS.isdisjoint(words) else ():
        if word in _FAILS:
            after = words[place + 1] if place + 1 < len(words) else ""
            if after not in _NOT_AFTER and _NOT_BEFORE.isdisjoint(words[max(0, place - 2) : place]):
                return True
    may = not _MAY_FAIL.isdisjoint(words) or "error" in lower or "exception" in lower
    return bool((may and _compiled(_FAILING_PHRASE).search(lower)) or (wide and _compiled(_WIDE_FAILING).search(lower)))


_WIDE_FAILING = (
    r"(?:失败|失敗)(?!率|重试|重試|时重|時重)|报错|報錯|(?:错误|錯誤)(?!处理|處理|信息|訊息|码|碼|日志|日誌|页|頁|类型"
    r"|提示|消息)|出错|出錯|崩溃|崩潰|异常(?!处理|类)|異常(?!處理)|挂了|掛了|卡住|卡死|超时了|跑不通|跑不起来|不通过"
    r"|通不过|用不了|不能用|不工作|没反应|坏了|壞了|起不来|启动不了|编译不过|闪退|连不上|連不上|找不到"
    r"|エラー(?!処理|ハンドリング|メッセージ|コード|ログ|ページ|画面)|落ち(?:る|た|ます|ました|て)|クラッシュ"
    r"|動かな|動きません|動作しな|壊れ|バグ|例外(?!処理)|止まっ|止まる|固ま|フリーズ|通らな|通りません|起動しな"
    r"|起動できな|タイムアウト(?:する|した|し)|ハング|つながらな|繋がらな|見つからな"
)


_CHANGE = names(
    "change changing modify modifying edit editing refactor refactoring rewrite rewriting rename "
    "renaming update updating "
    "upgrade upgrading add adding implement implementing remove removing delete deleting drop dropping "
    "move moving migrate "
    "migrating replace replacing extend extending convert converting bump port porting split extract introduce rework "
    "restructure redo switch switching swap simplify deprecate write create integrate"
)


_WIDE_CHANGE = (
    r"修改|改(?:成|为|為|一下|动|動|用|写|寫)|重构|重構|重写|重寫|更新|升级|升級|添加|增加|新增|加上|加个|加一|实现"
    r"|實現|删除|刪除|删掉|移除|替换|替換|迁移|遷移|换成|換成|拆分|重命名|写一|写个|変更|変え|リファクタ|書き直|書き換"
    r"|アップグレード|アップデート|追加|実装|削除|移行|置き換え|リネーム|分割|移動|導入"
)


_CAUTIOUS = (
    r"\bwithout (?:breaking|failing|regress)|\b(?:don't|do not|not|never) (?:to )?(?:break|repeat|fail)\b"
    r"|\b(?:last|previous|earlier|first) (?:time|attempts?|try|tries)\b|\bthis time\b|\bsame (?:mistakes?"
    r"|problems?|issues?)\b"
    r"|\bgo(?:es)? wrong again\b|\bbe careful\b|\bcarefully\b|\bbroke\b|\bprevious(?:ly)? (?:broke|failed|tried)"
)
_MAY_BE_CAUTIOUS = names("without break repeat time attempt attempts try tries same careful carefully previously")


def _is_cautious(words: list[str], lower: str, wide: bool) -> bool:
    if not _MAY_BE_CAUTIOUS.isdisjoint(words) and _compiled(_CAUTIOUS).search(lower):
        return True
    return wide and bool(_compiled(_WIDE_CAUTIOUS).search(lower))


_WIDE_CAUTIOUS = (
    r"不要再|别再|別再|上次|上一次|再次|避免|(?:别|別|不要)(?:弄|搞|改)?(?:坏|壞)|小心|前回|前に失敗|二度と"
    r"|壊さ(?:な|ず)|気をつけ|気を付け|避け|同じ(?:ミス|失敗|間違い)|同样的(?:错|问题)"
)


_MENDS = names("debug debugging investigate diagnose troubleshoot fix fixing repair fixes bugfix hotfix reproduce")
_NOT_MENDED = names(
    "typo typos wording spelling formatting indentation grammar style punctuation whitespace capitalization mode build "
    "builds level flag symbols log logs logging info output menu panel toolbar link links heading headings title"
)


def _mends(words: list[str], lower: str, wide: bool) -> bool:
    for place, word in enumerate(words) if not _MENDS.isdisjoint(words) else ():
        if word in _MENDS and _NOT_MENDED.isdisjoint(words[place + 1 : place + 4]):
            return True
    return wide and bool(_compiled(_WIDE_MENDS).search(lower))


_WIDE_MENDS = (
    r"修复|修復|修一下|修好|调试|調試|排查|解决|解決し|定位(?:一下|问题)|直し|直す|直して|デバッグ|(?:原因|不具合)を調"
)


# These ask about a decision, whatever else is spoken of.
_DECIDED = (
    r"\b(?:reasons?|rationale|reasoning|motivation|justification|trade-?offs?) (?:for|behind|of|why|that"
    r"|we)\b|\brationale\b"
    r"|\b(?:did|have|had) (?:we|you|they|the team) (?:\w+ )?(?:decide|choose|chosen|agree|pick|settle"
    r"|reject|consider|rule)"
    r"|\bwhat (?:did we|have we|was|were we|we) (?:\w+ )?(?:decide|agree|choos|chosen|chose|settle)"
    r"|\b(?:we|team|who|they|us) (?:already |once |finally |originally )?(?:decided|agreed|chose|picked"
    r"|settled|opted|rejected"
    r"|ruled out|went with)\b"
    r"|\b(?:our|the|that|which|what|earlier|previous|past|prior|any|design|architecture|architectural) decisions?\b"
    r"(?! (?:tree|trees|boundar|table|tables|support|maker|making|matrix|forest|node|function))"
    r"|\bwhy (?:was|is|were|are) [^.?!\n]{1,60}\b(?:chosen|picked|selected|preferred|rejected)\b|\bwhat made us\b"
)
# These do, unless something fails.
_WHY = (
    r"\bwhy (?:did|do|are|were|have|had|didn't|don't|aren't|haven't) (?:we|our|the (?:team|project|codebase|repo))\b"
    r"|\bwhy not\b|\bhow come we\b"
    r"|\bwhy (?:was|is|were|are) [^.?!\n]{1,60}\b(?:used|written|implemented|designed|built|done|dropped"
    r"|kept|removed|added"
    r"|pinned|disabled|separate|split|vendored|duplicated)\b"
)
_MAY_BE_DECIDED = names(
    "reason reasons rationale reasoning motivation justification tradeoff tradeoffs trade decide decided choose chosen "
    "chose agree agreed pick picked settle settled reject rejected consider considered rule ruled opted went decision "
    "decisions why selected preferred made"
)


def _asks_for_reason(words: list[str], lower: str, wide: bool, *, fails: bool) -> bool:
    if not _MAY_BE_DECIDED.isdisjoint(words):
        if _compiled(_DECIDED).search(lower):
            return True
        if not fails and ("why" in words or "come" in words) and _compiled(_WHY).search(lower):
            return True
    if not wide:
        return False
    return bool(_compiled(_WIDE_DECIDED).search(lower) or (not fails and _compiled(_WIDE_WHY).search(lower)))


_WIDE_DECIDED = (
    r"当初|當初|选型|選型|取舍|取捨|(?:为什么|為什麼|为何|為何|为啥|怎么)[^。？！\n]{0,20}(?:决定|決定|选了|選了|选择|選擇"
    r"|选的|定的|放弃|放棄|否决)|(?:之前|我们|我們|谁|誰|上次)[^。？！\n]{0,6}(?:决定|決定)(?!性)|(?:决策|決策)(?!树|樹|边界)"
    r"|(?:なぜ|どうして|なんで)[^。？！\n]{0,30}(?:選ん|選択|採用|決め|決ま|にした|やめた|却下)|経緯|決定事項|決めた(?:理由|こと)"
    r"|(?:採用|選ん|選定|決定)した(?:理由|の)|何を決め|どう決め"
)


_WIDE_WHY = (
    r"(?:为什么|為什麼|为何|為何|为啥)[^。？！\n]{0,12}(?:我们|我們|咱们|要|用|不用|采用|採用|不)|(?:原因|理由)是(?:什么|啥|什麼)"
    r"|(?:なぜ|どうして|なんで)[^。？！\n]{0,30}(?:使っ|使う|使わ|分け|して(?:いる|る)|なって(?:いる|る))|理由(?:は|を教|って)"
)


_DANGER = names(
    "deploy deploying deployment production prod rollback migration migrations migrate truncate publish publishing "
    "release releasing"
)
_DANGEROUS = (
    r"\bforce[- ]push|\bpush (?:\S+ ){0,3}(?:--force|-f\b)|\breset --hard|\brm -[a-z]*r|\bdrop (?:the "
    r"|a )?(?:\w+ )?(?:table"
    r"|database|column|index|schema)\b|\bdelet(?:e|ing) (?:the |all |every |old )*(?:\w+ )?(?:data"
    r"|database|table|branch|branches"
    r"|files|records|users|bucket|volume|rows)\b|\b(?:wipe|purge)\b"
)
_MAY_BE_DANGEROUS = names("force push reset rm drop delete deleting wipe purge")
_HARMLESS = names("notes note process schedule branch page")


def _is_dangerous(words: list[str], lower: str, wide: bool) -> bool:
    for place, word in enumerate(words) if not _DANGER.isdisjoint(words) else ():
        if word in _DANGER and (place + 1 == len(words) or words[place + 1] not in _HARMLESS):
            return True
    if not _MAY_BE_DANGEROUS.isdisjoint(words) and _compiled(_DANGEROUS).search(lower):
        return True
    return wide and bool(_compiled(_WIDE_DANGEROUS).search(lower))


_WIDE_DANGEROUS = (
    r"部署|上线|上線|发布(?!说明)|發佈|发版|迁移|遷移|生产环境|生產環境|线上|回滚|回滾|清空|强推|強推|(?:删除|刪除|删掉)"
    r"[^。\n]{0,8}(?:数据|資料|表|库|分支)|デプロイ|リリース(?!ノート)|本番|マイグレーション|移行|ロールバック"
    r"|(?:データ|テーブル|ブランチ)[^。\n]{0,8}(?:削除|消)"
)
