"""Memories as people and agents write them, the same ones for the same seed.

Random words would make every word equally rare, and a search engine easy to please. These texts are put together from
what programmers wrote: the sentences of docstrings and comments, the messages of errors, the names of functions,
classes and files in the installed packages. So a few words stand everywhere, most stand almost nowhere, and those of
one package stand together. Another set of packages gives other texts of the same kind.
"""

from __future__ import annotations

import os
import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, Rejected, Scope, Trust
from hardwon.text import anchors

PROJECTS = tuple(f"project-{number:02}" for number in range(20))
_HELD_OUT = 8
"""Every so manieth file is kept from the memories: questions about it have no answer."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """In the order of the files, so that neighbours are about the same thing."""

    sentences: tuple[str, ...]
    messages: tuple[str, ...]
    symbols: tuple[str, ...]
    errors: tuple[str, ...]
    files: tuple[str, ...]
    packages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A memory to be noted, and the parts that a question about it can be made of."""

    draft: Draft
    parts: tuple[str, ...]
    message: str = ""
    error: str = ""
    file: str = ""
    command: str = ""
    chinese: bool = False


def harvest() -> tuple[Vocabulary, Vocabulary]:
    """What memories are made of, and what none is made of."""
    files = list(source_files())
    kept = _vocabulary([file for number, file in enumerate(files) if number % _HELD_OUT])
    rest = _vocabulary(files[::_HELD_OUT])
    sentences = tuple(sorted(set(rest.sentences) - set(kept.sentences)))
    return kept, replace(rest, sentences=sentences, messages=tuple(sorted(set(rest.messages) - set(kept.messages))))


def source_files() -> Iterator[tuple[str, str]]:
    """Name (relative to the packages) and text of every Python file of the standard library and the environment."""
    for place in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(set(folders) - _PASSED_OVER)
            for name in sorted(names):
                if name.endswith(".py"):
                    path = Path(folder, name)
                    yield path.relative_to(place).as_posix(), path.read_text(encoding="utf-8", errors="replace")


_PASSED_OVER = {"site-packages", "__pycache__", "test", "tests", "_vendor", "idlelib", "lib2to3", "encodings"}
_DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
_COMMENT = re.compile(r"(?:^[ \t]*# [^\n]*\n)+", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_MESSAGE = re.compile(r"""(?:Error|Exception|Warning|error|warn|fail|note)\(\s*f?["']([^"'\n]{20,160})["']""")
_SYMBOL = re.compile(r"^[ \t]*(?:def|class) (\w{4,40})", re.MULTILINE)
_ERROR = re.compile(r"\b([A-Z]\w+(?:Error|Exception))\b")
_SLOT = re.compile(r"\{[^}]*\}|%\(?\w*\)?[srd]")


def _vocabulary(files: Sequence[tuple[str, str]]) -> Vocabulary:
    texts = [text for _, text in files]
    return Vocabulary(
        sentences=tuple(dict.fromkeys(sentence for text in texts for sentence in _sentences(text))),
        messages=tuple(dict.fromkeys(message for text in texts for message in _MESSAGE.findall(text))),
        symbols=tuple(symbol for text in texts for symbol in _SYMBOL.findall(text)),
        errors=tuple(error for text in texts for error in _ERROR.findall(text)),
        files=tuple(f"src/{name}" for name, _ in files),
        packages=tuple(dict.fromkeys(name.partition("/")[0].removesuffix(".py") for name, _ in files)),
    )


def _sentences(source: str) -> Iterator[str]:
    comments = (block.replace("#", " ") for block in _COMMENT.findall(source))
    for prose in (*_DOCSTRING.findall(source), *comments):
        for paragraph in re.split(r"\n\s*\n", prose):
            for sentence in _SENTENCE_END.split(" ".join(paragraph.split())):
                if 30 <= len(sentence) <= 200 and sentence[0].isupper() and sentence.endswith("."):
                    yield sentence


_KINDS = {
    Kind.LESSON: 40,
    Kind.FAILURE: 20,
    Kind.FIX: 12,
    Kind.DECISION: 10,
    Kind.RULE: 6,
    Kind.CONSTRAINT: 5,
    Kind.TASK: 4,
    Kind.SUMMARY: 3,
}
_BODIES: dict[Kind, tuple[str, ...]] = {
    Kind.LESSON: (
        "{sentence} {second}",
        "{symbol} in {file}: {sentence}",
        "Before calling {symbol}, remember: {sentence}",
        "{sentence} Found out while working on {other} with {package}.",
        "`{command}` needs {symbol} first. {sentence}",
    ),
    Kind.FAILURE: (
        "`{command}` failed with {error}: {message}",
        "{error}: {message}. It came from {symbol} in {file}. {sentence}",
        "`{command}` exits with {number}: {message}. {sentence}",
    ),
    Kind.FIX: (
        "{error} ({message}) went away after changing {symbol} in {file}. {sentence}",
        'What helped against "{message}": {sentence} Then `{command}` passes again.',
    ),
    Kind.DECISION: ("We use {package} for {symbol}. {sentence}", "{symbol} stays in {file}. {sentence}"),
    Kind.RULE: (
        "Never call {symbol} without {other}. {sentence}",
        "Always run `{command}` before a commit. {sentence}",
    ),
    Kind.CONSTRAINT: ("{sentence} At most {number} of {symbol}.", "{package} must stay at {number}. {sentence}"),
    Kind.TASK: ("Make {symbol} handle this: {message}", "Move {symbol} out of {file}. {sentence}"),
    Kind.SUMMARY: ("Worked on {file} and {symbol}. {sentence} {second} Open: {message}",),
}
_COMMANDS = (
    "pytest {file} -k {name}",
    "make {word}-{name}",
    "npm run {word} -- --{name}",
    "cargo test {name}",
    "git rebase {word}/{name}",
    "docker compose up {word}-{name}",
    "python -m {package} --{name}",
    "uv pip install {package}=={number}",
    "go test ./{word}/{name}/...",
    "ruff check {file}",
    "mypy --strict {file}",
    "psql -f {word}/{name}.sql",
    "terraform apply -target={word}.{name}",
)
_CHINESE = (
    "{verb}{noun}之前要先{verb2}{noun2}，否则{outcome}。见 {symbol}。",
    "运行 `{command}` 时{outcome}，原因是{noun}没有{verb}。",
    "{symbol} 的{noun}只能在{place}{verb}，{noun2}会{outcome}。",
    "我们决定用{noun}代替{noun2}，因为{place}的{noun3}{outcome}。",
)
_NOUNS = """
数据库 配置文件 缓存 测试 接口 连接池 日志 依赖 迁移脚本 环境变量 权限 令牌 线程 队列 容器 镜像 索引 事务 分支 锁
证书 端口 时区 编码 字段 主键 消息 插件 模板 路由 会话 快照 备份 磁盘 内存 超时时间 重试次数 版本号 构建产物 类型检查
"""
_VERBS = "清理 重启 更新 检查 提交 回滚 初始化 加载 关闭 导出 合并 压缩 验证 锁定 删除 生成 同步 解析 编译 部署"
_OUTCOMES = """
会报错 会超时 数据会丢失 测试会卡住 端口被占用 内存不断增长 返回空结果 出现乱码 构建失败 权限不足 连接被拒绝 结果不一致
死锁 进程退出 版本冲突
"""
_PLACES = "生产环境 测试环境 本地机器 流水线 主分支 后台任务 启动阶段 登录之后 发布之前 第一次运行时"


class Writer:
    """The memory with a given number is always the same, however many are asked for."""

    def __init__(self, vocabulary: Vocabulary, seed: int = 1, projects: Sequence[str] = PROJECTS) -> None:
        self.vocabulary = vocabulary
        self._seed = seed
        self._projects = projects
        self._sizes = [1 / (rank + 1) for rank in range(len(projects))]
        self._words = [word for word in " ".join(vocabulary.sentences[:4000]).lower().split() if word.isalpha()]

    def text(self, number: int) -> Text:
        chance = random.Random(self._seed * 1_000_003 + number)
        scope = Scope(self._project(chance))
        if chance.random() < 0.08:
            return self._chinese(chance, scope)
        return self._english(chance, scope)

    def _project(self, chance: random.Random) -> str:
        """A few large projects, many small ones; one memory in twenty holds everywhere."""
        return GLOBAL if chance.random() < 0.05 else chance.choices(self._projects, self._sizes)[0]

    def _english(self, chance: random.Random, scope: Scope) -> Text:
        kind = chance.choices(list(_KINDS), list(_KINDS.values()))[0]
        template = chance.choice(_BODIES[kind])
        slots = self._slots(chance, scope.project)
        used = {name: value for name, value in slots.items() if f"{{{name}}}" in template}
        body = template.format_map(slots)
        draft = Draft(
            kind=kind,
            body=body,
            scope=scope,
            trust=chance.choice((Trust.AGENT, Trust.AGENT, Trust.VERIFIED, Trust.USER)),
            source="agent",
            title=" ".join(slots["second"].split()[:7]) if chance.random() < 0.3 else "",
            intent=f"to {chance.choice(self._words)} {slots['other']}" if chance.random() < 0.2 else "",
            because=slots["second"] if kind is Kind.DECISION else "",
            rejected=(Rejected(slots["other"], slots["message"]),) if kind is Kind.DECISION else (),
            anchors=_anchors(chance, body, slots),
        )
        parts = tuple(used[name] for name in ("message", "sentence", "second", "symbol", "other") if name in used)
        return Text(
            draft, parts, used.get("message", ""), slots["error"], used.get("file", ""), used.get("command", "")
        )

    def _slots(self, chance: random.Random, project: str) -> dict[str, str]:
        words = self.vocabulary
        slots = {
            "sentence": self._near(chance, project, words.sentences),
            "second": chance.choice(words.sentences),
            "symbol": self._near(chance, project, words.symbols),
            "other": chance.choice(words.symbols),
            "error": chance.choice(words.errors),
            "file": self._near(chance, project, words.files),
            "package": chance.choice(words.packages),
            "number": str(chance.randrange(1, 300)),
        }
        slots["message"] = _SLOT.sub(slots["other"], chance.choice(words.messages)).strip(" .:")
        slots["command"] = chance.choice(_COMMANDS).format(
            file=slots["file"],
            name=slots["other"],
            package=slots["package"],
            number=slots["number"],
            word=chance.choice(self._words),
        )
        return slots

    def _near(self, chance: random.Random, project: str, words: Sequence[str]) -> str:
        """Half of what a project is about comes from its own corner of the vocabulary."""
        if project == GLOBAL or chance.random() < 0.5:
            return chance.choice(words)
        corner = self._projects.index(project) * len(words) // len(self._projects)
        return words[(corner + chance.randrange(max(1, len(words) // 8))) % len(words)]

    def _chinese(self, chance: random.Random, scope: Scope) -> Text:
        slots = self._slots(chance, scope.project)
        nouns, verbs = chance.sample(_NOUNS.split(), 3), chance.sample(_VERBS.split(), 2)
        body = chance.choice(_CHINESE).format(
            verb=verbs[0],
            verb2=verbs[1],
            noun=nouns[0],
            noun2=nouns[1],
            noun3=nouns[2],
            outcome=chance.choice(_OUTCOMES.split()),
            place=chance.choice(_PLACES.split()),
            symbol=slots["symbol"],
            command=slots["command"],
        )
        draft = Draft(Kind.LESSON, body, scope, Trust.AGENT, "agent", anchors=_anchors(chance, body, slots))
        return Text(draft, (body, slots["symbol"]), chinese=True)


def _anchors(chance: random.Random, body: str, slots: dict[str, str]) -> tuple[Anchor, ...]:
    """What the text itself names, as `hardwon note` finds it, and sometimes a topic or a package."""
    given = [
        Anchor(kind, slots[slot].lower())
        for kind, slot in ((AnchorKind.TOPIC, "symbol"), (AnchorKind.PACKAGE, "package"))
        if chance.random() < 0.1
    ]
    return tuple(dict.fromkeys((*given, *anchors.named_in(body))))
