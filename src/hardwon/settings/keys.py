"""Every setting, once: its type and default, what it may be, what it means, and the older variable that it answers to.

These declarations drive the reading of the file and of the variables, the example file, ``hardwon config`` and the
reference page. A new setting is one line in a section here; ``make docs`` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields

from hardwon.settings.chosen import Chosen
from hardwon.settings.kinds import (
    Address,
    Choice,
    Folders,
    Kind,
    Model,
    Names,
    Number,
    RedactRule,
    Repository,
    Rules,
    Switch,
    Whole,
    Word,
)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """One setting: ``recall.limit`` in the file, ``HARDWON_RECALL_LIMIT`` in the environment."""

    section: str
    field: str
    kind: Kind
    default: object
    means: str
    alias: str  # the variable of an earlier tool that sets it too, or nothing
    convert: Callable[[str], str]  # how the text of that variable becomes ours

    @property
    def name(self) -> str:
        return f"{self.section}.{self.field}"

    @property
    def variable(self) -> str:
        return f"HARDWON_{self.section}_{self.field}".upper()


def switch(default: bool, means: str, *, alias: str = "") -> bool:
    return field(default=default, metadata=_about(Switch(default), means, alias))


def whole(default: int, low: int, high: int, means: str, *, alias: str = "") -> int:
    kind = Whole(low, high, default)
    return field(default=default, metadata=_about(kind, means, alias, kind.clamp))


def number(default: float, low: float, high: float, means: str, *, above: bool = False) -> float:
    return field(default=default, metadata=_about(Number(low, high, default, above=above), means))


def choice(default: str, words: Sequence[str], means: str) -> str:
    return field(default=default, metadata=_about(Choice(words, default), means))


def names(means: str) -> tuple[str, ...]:
    return field(default=(), metadata=_about(Names(), means))


def chosen(words: Sequence[str], means: str) -> tuple[str, ...]:
    return field(default=(), metadata=_about(Chosen(words), means))


def folders(means: str) -> tuple[str, ...]:
    return field(default=(), metadata=_about(Folders(), means))


def repository(means: str) -> str:
    return field(default="", metadata=_about(Repository("https://example.org/hardwon.git"), means))


def model(default: str, means: str) -> str:
    return field(default=default, metadata=_about(Model(default), means))


def address(means: str) -> str:
    return field(default="", metadata=_about(Address("http://127.0.0.1:11434/v1"), means))


def word(example: str, means: str) -> str:
    return field(default="", metadata=_about(Word(example), means))


def rules(means: str) -> tuple[RedactRule, ...]:
    return field(default=(), metadata=_about(Rules(), means))


def _about(kind: Kind, means: str, alias: str = "", convert: Callable[[str], str] = str) -> dict[str, object]:
    return {"kind": kind, "means": means, "alias": alias, "convert": convert}


@dataclass(frozen=True, slots=True)
class Control:
    """Whether hardwon watches at all, and where it never does"""

    enabled: bool = switch(
        True, "capture and recall; off means that nothing is kept or said", alias="CODEMEMORY_ENABLED"
    )
    exclude_projects: tuple[str, ...] = names("projects that are never watched, by name or glob")
    exclude_paths: tuple[str, ...] = folders("folders that are never watched, with all below them, by path or glob")


@dataclass(frozen=True, slots=True)
class Store:
    """The database file"""

    synchronous: str = choice(
        "normal", ("normal", "full"), 'how safe a write is: "full" survives a power cut too, and is slower'
    )
    copies: int = whole(3, 1, 30, "good copies of the database that are kept")
    busy_seconds: float = number(10, 1, 120, "how long a write waits for another one before it gives up")


@dataclass(frozen=True, slots=True)
class Redact:
    """What is taken out of every text before it is kept"""

    max_chars: int = whole(200_000, 1_000, 10_000_000, "longest text that is searched; the rest of it is dropped")
    emails: bool = switch(False, "take out e-mail addresses too")
    user_names: bool = switch(False, "take out the user's name in paths too")
    rules: tuple[RedactRule, ...] = rules("your own rules, each a name and a regular expression")


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things stay"""

    journal_days: int = whole(
        90, 0, 36_500, "days that the journal keeps what was said and what failed, and anything at all; 0 for ever"
    )
    outline_days: int = whole(45, 0, 36_500, "days that it keeps commands that passed and edits; 0 as long as the rest")
    fact_days: int = whole(14, 0, 36_500, "days that it keeps what was only looked at; 0 as long as the rest")
    journal_mb: int = whole(
        200, 0, 1_000_000, "megabytes that it may take: above, the oldest looks go first; 0 sets no bound"
    )
    showings_days: int = whole(365, 0, 36_500, "days that the list of what was shown is kept; 0 keeps it for ever")


@dataclass(frozen=True, slots=True)
class Recall:
    """What is brought back, and how much of it"""

    limit: int = whole(5, 1, 50, "most memories that one prompt brings back")
    budget_tokens: int = whole(600, 50, 20_000, "most tokens that one prompt brings back")
    min_coverage: float = number(0.34, 0, 1, "share of a query's rare words that a memory must have to be said")
    half_life_days: float = number(60, 0, 36_500, "days after which a memory's recency counts half", above=True)
    max_postings: int = whole(5_000, 100, 1_000_000, "most index entries that one search reads")
    session_tokens: int = whole(3_000, 0, 100_000, "most tokens that one session is told in all")
    show_person: bool = switch(
        False, "show you a quiet line where the client can show one, when the agent was told something"
    )
    context_files: tuple[str, ...] = names(
        "files of a project that its sessions begin with, from its root, such as docs/state.md; their first lines"
    )
    skill_top: int = whole(20, 0, 200, "most lessons that a loading skill brings back", alias="SKILLS_INJECT_TOP")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Finding memories by what they mean, when the extra `vectors` is installed"""

    model: str = model(
        "packaged",
        'what makes the vectors: "packaged", a folder with model.onnx and tokenizer.json, "endpoint", or "off"',
    )
    passages: int = whole(
        20_000, 0, 1_000_000, "most passages of past conversations that get vectors, the newest; 0 gives them none"
    )
    url: str = address("for `endpoint`: where memories and questions are sent, redacted; without /embeddings")
    endpoint_model: str = word("nomic-embed-text", "for `endpoint`: the model that is asked")
    key_variable: str = word("OPENAI_API_KEY", "for `endpoint`: the environment variable that holds its key")
    dimensions: int = whole(0, 0, 4_096, "for `endpoint`: how long its vectors shall be; 0 leaves it to the model")


@dataclass(frozen=True, slots=True)
class Alerts:
    """What is said before a command or an edit that has failed before"""

    note: bool = switch(True, "tell with the call's result what failed and what worked")
    family: bool = switch(
        True, "tell it of another command of the same family too, where the trouble is not what it was pointed at"
    )
    stop_once: bool = switch(True, "stop a call once that keeps failing and whose fix is known; issued again, it runs")
    guard: str = choice(
        "off", ("off", "ask", "deny"), "what becomes of a call that a rule of yours names: nothing, a question, refused"
    )


GUARDS = ("force-push", "wrong-branch", "uncommitted", "failed-check", "pushed-secret", "secret-file", "document")
"""What the seat belts look at."""


@dataclass(frozen=True, slots=True)
class Guards:
    """Seat belts: one line before a push, or before a file with secrets is written; `CLIENT:RULE` means one client"""

    enabled: bool = switch(True, "say such a line at all")
    off: tuple[str, ...] = chosen(GUARDS, "rules that say nothing")
    ask: tuple[str, ...] = chosen(GUARDS, "rules that make the client ask you before the call")
    deny: tuple[str, ...] = chosen(GUARDS, "rules that refuse the call; only where the shell line is plain")


@dataclass(frozen=True, slots=True)
class Sessions:
    """What a session leaves for the next one"""

    enabled: bool = switch(True, "keep a summary of each session, checkpoints and snapshots")
    every: int = whole(20, 1, 1_000, "prompts after which a checkpoint is kept")
    summaries: int = whole(30, 1, 10_000, "summaries of a project that are kept in full; older ones are condensed")
    checkpoints: int = whole(10, 0, 10_000, "checkpoints and snapshots of a project that are kept; the oldest go first")


@dataclass(frozen=True, slots=True)
class Heard:
    """What you say in passing"""

    reminders: bool = switch(
        True, "remind the agent, at most three times in a session, to mark what you say where it may be worth keeping"
    )


@dataclass(frozen=True, slots=True)
class Skills:
    """What is remembered for each skill; `skill-memory` in a SKILL.md's frontmatter goes before it"""

    default: str = choice("on", ("on", "off"), "whether a skill whose own file does not say has a memory")
    max: int = whole(
        100,
        0,
        1_000_000,
        "lessons of a skill in one project; the least useful above are archived, 0 keeps all",
        alias="SKILL_MAX",
    )
    global_max: int = whole(
        100, 0, 1_000_000, "the same for lessons that hold everywhere and belong to no skill", alias="GLOBAL_MAX"
    )


@dataclass(frozen=True, slots=True)
class Mirror:
    """Lessons as markdown files, `skills/NAME/KNOWLEDGE.md` in the memory's folder"""

    enabled: bool = switch(True, "write these files and take in what is changed in them")
    most: int = whole(500, 1, 100_000, "most lessons that one file shows; the most useful ones")


@dataclass(frozen=True, slots=True)
class Daemon:
    """The process that answers the clients"""

    idle_seconds: float = number(1_800, 1, 86_400, "seconds without a connection after which it leaves")


@dataclass(frozen=True, slots=True)
class Updates:
    """The one thing that asks another machine, and only when it is switched on"""

    check: bool = switch(False, "look once a day, when a session ends, whether the repository has a newer version")
    repository: str = repository("where the versions are: the address of a git repository with tags such as v1.2.3")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, section by section: ``settings.recall.limit``."""

    control: Control = Control()
    store: Store = Store()
    redact: Redact = Redact()
    retention: Retention = Retention()
    recall: Recall = Recall()
    vectors: Vectors = Vectors()
    alerts: Alerts = Alerts()
    heard: Heard = Heard()
    guards: Guards = Guards()
    sessions: Sessions = Sessions()
    skills: Skills = Skills()
    mirror: Mirror = Mirror()
    daemon: Daemon = Daemon()
    updates: Updates = Updates()


DEFAULTS = Settings()


def _keys() -> Iterator[Key]:
    for section in fields(DEFAULTS):
        for one in fields(getattr(DEFAULTS, section.name)):
            yield Key(section.name, one.name, default=one.default, **one.metadata)


KEYS = {key.name: key for key in _keys()}


def nearest(name: str) -> str:
    """The key that was probably meant, or nothing; a bare ``limit`` means ``recall.limit``."""
    same = [key.name for key in KEYS.values() if key.field == name.rpartition(".")[2]]
    if len(same) == 1:
        return same[0]
    import difflib

    # Of several sections that have it, the first: `enabled` alone is the switch for everything.
    return next(iter((*difflib.get_close_matches(name, KEYS, n=1, cutoff=0.7), *same)), "")
