"""How a prompt is read before anything is looked up: what it names, what it is after, how much there is to lose."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.memories.search.plan import LIKED, MOST, Intent, Risk, plan, policy
from hardwon.memory import Anchor, AnchorKind, Kind
from hardwon.settings import DEFAULTS
from hardwon.text.anchors import at_prompt

CHANGE, WHY, DEBUG, GENERAL = Intent.CHANGE, Intent.WHY, Intent.DEBUG, Intent.GENERAL
HIGH, MEDIUM, LOW = Risk.HIGH, Risk.MEDIUM, Risk.LOW

READ: list[tuple[str, Intent, Risk]] = [
    # Change something, and not fail again.
    ("refactor the session store without breaking the login this time", CHANGE, HIGH),
    ("update the parser, last time it failed on empty input", CHANGE, HIGH),
    ("rewrite src/lexer.py, the previous attempt broke the tests", CHANGE, HIGH),
    ("upgrade django, but don't break the admin", CHANGE, HIGH),
    ("move the flaky tests into their own folder", CHANGE, HIGH),
    ("replace the cache; be careful with the lock", CHANGE, HIGH),
    ("重构会话模块，上次改的时候测试失败了", CHANGE, HIGH),
    ("把缓存换成 redis，别再弄坏登录", CHANGE, HIGH),
    ("升級 webpack，上次報錯了", CHANGE, HIGH),
    ("パーサーを書き直して。前回はテストが落ちました", CHANGE, HIGH),
    ("キャッシュを変更して、ログインを壊さないように", CHANGE, HIGH),
    # Know why something was decided.
    ("why did we choose Postgres?", WHY, MEDIUM),
    ("Why do we keep two parsers?", WHY, MEDIUM),
    ("what was the reason for the monorepo?", WHY, MEDIUM),
    ("did we already decide on a test runner?", WHY, MEDIUM),
    ("what did we agree about error codes", WHY, MEDIUM),
    ("which decision covers the id format?", WHY, MEDIUM),
    ("why was SQLite chosen over MySQL", WHY, MEDIUM),
    ("why not use MySQL?", WHY, MEDIUM),
    ("why is the tokenizer written by hand?", WHY, MEDIUM),
    ("we decided against JWT after the outage failed us; what was the rationale?", WHY, MEDIUM),
    ("remind me why we rejected GraphQL", WHY, MEDIUM),
    ("为什么我们用 Postgres 而不是 MySQL？", WHY, MEDIUM),
    ("当初为什么选了 pnpm", WHY, MEDIUM),
    ("数据库选型的理由是什么", WHY, MEDIUM),
    ("為什麼要用兩個解析器？", WHY, MEDIUM),
    ("之前决定用哪个测试框架？", WHY, MEDIUM),
    ("なぜPostgresを採用したのですか", WHY, MEDIUM),
    ("パーサーを二つに分けている理由は？", WHY, MEDIUM),
    ("どうしてモノレポにしたの？", WHY, MEDIUM),
    ("IDの形式の決定事項を教えて", WHY, MEDIUM),
    # Find out why something fails.
    ("why does npm test hang?", DEBUG, MEDIUM),
    ("the build fails on my machine", DEBUG, MEDIUM),
    ("why did the deployment fail", DEBUG, HIGH),
    ("why do we get an error on login", DEBUG, MEDIUM),
    ("login doesn't work", DEBUG, MEDIUM),
    ("the importer no longer starts", DEBUG, MEDIUM),
    ("TypeError when I open the settings", DEBUG, MEDIUM),
    ("requests are timing out", DEBUG, MEDIUM),
    ("fix the login redirect", DEBUG, MEDIUM),
    ("can't connect to the database", DEBUG, MEDIUM),
    ("debug the importer", DEBUG, MEDIUM),
    ("为什么测试失败了？", DEBUG, MEDIUM),
    ("编译报错，帮我看看", DEBUG, MEDIUM),
    ("服务起不来", DEBUG, MEDIUM),
    ("排查一下登录的问题", DEBUG, MEDIUM),
    ("為什麼登入會崩潰", DEBUG, MEDIUM),
    ("テストが落ちます", DEBUG, MEDIUM),
    ("なぜエラーになるのですか", DEBUG, MEDIUM),
    ("サーバーが起動しない", DEBUG, MEDIUM),
    ("ビルドが通らないので直して", DEBUG, MEDIUM),
    # Anything else: words of failing, deciding and changing that mean something else.
    ("add error handling to the upload page", GENERAL, MEDIUM),
    ("write better error messages", GENERAL, MEDIUM),
    ("return an error when the name is empty", GENERAL, LOW),
    ("implement a decision tree classifier", GENERAL, MEDIUM),
    ("show the bug report template", GENERAL, LOW),
    ("fix the typo in the heading", GENERAL, LOW),
    ("build it in debug mode", GENERAL, LOW),
    ("fix a typo in the README", GENERAL, LOW),
    ("make the parser faster", GENERAL, LOW),
    ("why is the sky blue?", GENERAL, LOW),
    ("what does this function do?", GENERAL, LOW),
    ("add a dark mode", GENERAL, MEDIUM),
    ("look at src/app.py", GENERAL, MEDIUM),
    ("write the release notes", GENERAL, MEDIUM),
    ("thanks, go on", GENERAL, LOW),
    ("", GENERAL, LOW),
    ("添加错误处理", GENERAL, MEDIUM),
    ("这个函数是做什么的？", GENERAL, LOW),
    ("写一个决策树的例子", GENERAL, MEDIUM),
    ("エラーメッセージを追加して", GENERAL, MEDIUM),
    ("この関数は何をしますか", GENERAL, LOW),
    ("続けて", GENERAL, LOW),
    # Much to lose.
    ("deploy it to staging", GENERAL, HIGH),
    ("drop the users table", GENERAL, HIGH),
    ("force-push the branch", GENERAL, HIGH),
    ("run the migrations in production", GENERAL, HIGH),
    ("delete all old records", GENERAL, HIGH),
    ("把新版本部署到生产环境", GENERAL, HIGH),
    ("删除旧的数据", GENERAL, HIGH),
    ("本番にデプロイして", GENERAL, HIGH),
]


@pytest.mark.parametrize(("prompt", "intent", "risk"), READ, ids=[row[0] or "nothing" for row in READ])
def test_what_a_prompt_is_after(prompt: str, intent: Intent, risk: Risk) -> None:
    """By its wording in three languages; words that only look like it mean nothing."""
    found = plan(prompt, at_prompt(prompt))
    assert (found.intent, found.risk) == (intent, risk)


NAMED: list[tuple[str, tuple[str, ...]]] = [
    ("why does npm test hang?", ("command=npm test",)),
    ("Run cargo test --all-features please", ("command=cargo test --all-features",)),
    ("go test ./... fails", ("command=go test ./...",)),
    ("when I run go build it panics", ("command=go build",)),
    ("run make test again", ("command=make test",)),
    ("does make db-reset work?", ("command=make db-reset",)),
    ("跑 make lint 报错", ("command=make lint",)),
    ("docker compose up hangs, then git push is refused", ("command=docker compose up", "command=git push")),
    ("here:\n$ make test FOO=1\nmake: *** [test] Error 2", ("command=make test FOO=1",)),
    ("edit src/a.py and tests/b.py", ("file=src/a.py", "file=tests/b.py")),
    ("rename parse_config and readFile", ("symbol=parse_config", "symbol=readFile")),
    ("pip install left-pad fails", ("command=pip install", "package=left-pad")),
    ("the pydantic library is slow", ("package=pydantic",)),
    ("bump lodash@4.17", ("package=lodash",)),
    ("把 lodash 包升级", ("package=lodash",)),
    ("lodash パッケージを更新", ("package=lodash",)),
    ("why did we choose postgres", ("topic=postgres", "topic=subject:database")),
    ("数据库连接很慢", ("topic=数据库", "topic=subject:database")),
    ("データベースが遅い", ("topic=データベース", "topic=subject:database")),
    ("which formatter do we use", ("topic=formatter", "topic=subject:formatter")),
]
NOT_NAMED = [
    "make the parser faster",
    "make tests pass",
    "make it so that the build is green",
    "does it make sense to test this?",
    "go test the app on your phone",
    "let's go build something",
    "we go get coffee",
    "run it and make sure it works",
    "with make the thing is easier",
    "the rest of the requests use spaces",
    "install the package and add the module",
    "install it",
    "add a new module",
    "git is great, and so is bash",
    "a mix of tests",
    "用 make 的话更简单",
]


@pytest.mark.parametrize(("prompt", "names"), NAMED, ids=[row[0] for row in NAMED])
def test_what_a_prompt_names(prompt: str, names: tuple[str, ...]) -> None:
    """Files, commands, symbols, packages and topics; commands also without back quotes."""
    assert set(names) <= {str(anchor) for anchor in plan(prompt, at_prompt(prompt)).pivots}


@pytest.mark.parametrize("prompt", NOT_NAMED)
def test_prose_names_no_command_package_or_topic(prompt: str) -> None:
    """ "Make the" is no call of make, and whoever rests does not speak of REST."""
    assert plan(prompt, ()).pivots == ()


def test_a_pasted_error_is_named_by_its_signature_and_is_to_be_mended() -> None:
    """Whatever else is said about it."""
    found = plan(pasted := "look\nModuleNotFoundError: No module named 'redis'", at_prompt(pasted))
    assert Anchor(AnchorKind.ERROR, "python ModuleNotFoundError redis") in found.pivots
    assert found.intent is Intent.DEBUG


def test_a_log_names_only_so_many_things() -> None:
    """Of each kind a few, the first ones; and both ends of it tell what it is after."""
    noise = "\n".join(f"src/m{n}.py handle_{n} npm run job{n} pkg{n}==1.{n}" for n in range(5_000))
    prompt = f"why did we decide on this?\n{noise}"
    found = plan(prompt, at_prompt(prompt))
    for kind, most in MOST.items():
        assert sum(anchor.kind is kind for anchor in found.pivots) <= most
    assert sum(anchor.kind is AnchorKind.FILE for anchor in found.pivots) == MOST[AnchorKind.FILE]
    assert Anchor(AnchorKind.FILE, "src/m0.py") in found.pivots
    assert found.intent is Intent.WHY
    assert plan(f"{noise}\nwhy did we decide on this?", ()).intent is Intent.WHY


def test_each_thing_is_named_once() -> None:
    """However often it stands there, and in whichever form."""
    prompt = "`npm test` and npm test and npm  test, postgres and Postgres"
    found = [str(anchor) for anchor in plan(prompt, at_prompt(prompt)).pivots]
    assert found.count("command=npm test") == 1
    assert len(found) == len(set(found))


def test_there_is_more_room_where_there_is_more_to_lose() -> None:
    """Never more than the settings allow, and by default never more than five memories and 600 tokens."""
    high, medium, low = (policy(risk, DEFAULTS.recall) for risk in (HIGH, MEDIUM, LOW))
    assert high.candidates > medium.candidates > low.candidates
    assert (high.items, medium.items, low.items) == (5, 5, 3)
    assert (high.tokens, medium.tokens, low.tokens) == (600, 600, 400)
    assert high.min_coverage < medium.min_coverage < low.min_coverage == DEFAULTS.recall.min_coverage
    smallest = dataclasses.replace(DEFAULTS.recall, limit=1, min_coverage=1.0)
    assert policy(LOW, smallest).items == 1
    assert policy(LOW, smallest).min_coverage == 1.0


def test_an_intent_only_leans() -> None:
    """No kind is more than a sixth ahead of another; nothing special is wanted where nothing special was asked."""
    assert max(factor for liked in LIKED.values() for factor in liked.values()) <= 1.17
    assert min(factor for liked in LIKED.values() for factor in liked.values()) >= 1.0
    assert plan("go on", ()).liked == {}
    assert plan("why did we choose this?", ()).liked[Kind.DECISION] > 1
