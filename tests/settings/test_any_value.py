"""Any value that a setting may have can be written and read back, in any file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from hardwon.paths import Home
from hardwon.redact.own import NAME as RULE_NAME
from hardwon.settings import KEYS, load, set_value, unset_value
from hardwon.settings.chosen import Chosen
from hardwon.settings.kinds import Address, Choice, Folders, Model, Names, Number, Repository, Switch, Whole, Word
from hardwon.settings.toml_text import statements
from tests.properties import examples

NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip)
PATTERNS = st.sampled_from([r"\d+", "a'b", 'a"b', "x\\\\y", "\t+", "中文", "[#=]", "'''", '"""'])
RULE = st.fixed_dictionaries({"name": st.from_regex(RULE_NAME, fullmatch=True), "pattern": PATTERNS})


@st.composite
def assignments(draw: st.DrawFn) -> tuple[str, Any]:
    """A key and a value that it may have, as TOML has it."""
    key = KEYS[draw(st.sampled_from(sorted(KEYS)))]
    match key.kind:
        case Switch():
            return key.name, draw(st.booleans())
        case Whole(low=low, high=high):
            return key.name, draw(st.integers(low, high))
        case Number(low=low, high=high, above=above):
            return key.name, draw(st.floats(low, high, exclude_min=above))
        case Choice(words=words):
            return key.name, draw(st.sampled_from(words))
        case Repository():
            return key.name, draw(st.sampled_from(["", "https://example.org/x.git", "ssh://git@h/x", "file:///x"]))
        case Address():
            return key.name, draw(st.sampled_from(["", "https://example.org/v1", "http://127.0.0.1:11434/v1"]))
        case Word():
            return key.name, draw(st.sampled_from(["", "OPENAI_API_KEY", "nomic-embed-text:v1.5", "名"]))
        case Model():
            return key.name, draw(st.sampled_from(["packaged", "endpoint", "off", "/models/mini", "~/a 'b' \\ c"]))
        case Folders():
            return key.name, ["/" + name for name in draw(st.lists(NAME, max_size=4))]
        case Chosen(words=words):
            return key.name, draw(st.lists(st.sampled_from(words), max_size=4))
        case Names():
            return key.name, draw(st.lists(NAME, max_size=4))
    return key.name, draw(st.lists(RULE, max_size=3, unique_by=lambda rule: str(rule["name"])))


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "# a comment",
            "",
            "other = 1",
            "  # limit = 3",
            "text = '''\n[recall]\nlimit = 4\n# limit = 1\n'''",
            'more = """\\"""\n[store]\ncopies = "" #\n"""""',
            "list = [ # one\n  '[recall]', \"#\",\n  { a = ']' }, # copies = 2\n]",
            "[recall]",
            "[store] # s",
            "[ 'redact' ]",
            "[control]\nenabled = true # c\n",
            "[retention]\n\tjournal_days = 7",
            "[unknown.'a.b']\n\"x=]\" = 1",
            "[[tables]]\nlimit = 1",
        ]
    ),
    max_size=9,
    unique=True,
)


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(
    fragments=FRAGMENTS,
    newline=st.sampled_from(["\n", "\r\n"]),
    end=st.booleans(),
    changes=st.lists(assignments(), min_size=1, max_size=4),
)
@examples(200, HealthCheck.function_scoped_fixture)
def test_any_value_survives_in_any_file(
    home: Home, fragments: list[str], newline: str, end: bool, changes: list[tuple[str, Any]]
) -> None:
    """What is set is what is loaded, everything else in the file means what it meant, and unset takes it out again."""
    text = "\n".join(fragments).replace("\n", newline) + newline * end
    if not is_toml(text):
        return
    home.settings.write_bytes(text.encode())
    wanted = {name: (key.kind, raw) for name, raw in changes for key in [KEYS[name]]}
    for name, raw in changes:
        set_value(home, name, KEYS[name].kind.to_text(raw))
    assert statements_agree(home.settings.read_bytes().decode())
    loaded = load(home, {}).sources
    for name, (kind, raw) in wanted.items():
        if name != "control.exclude_paths":
            assert loaded[name].value == kind.check(raw)
    assert all(line in home.settings.read_bytes().decode() for line in fragments if line.startswith("#"))
    for name in wanted:
        unset_value(home, name)
    after = tomllib.loads(home.settings.read_bytes().decode())
    assert without(after, wanted) == without(tomllib.loads(text), wanted)


def without(table: dict[str, Any], keys: Mapping[str, object]) -> dict[str, Any]:
    rest = {
        section: {name: one for name, one in value.items() if f"{section}.{name}" not in keys}
        if isinstance(value, dict)
        else value
        for section, value in table.items()
    }
    return {section: value for section, value in rest.items() if value != {}}


def statements_agree(text: str) -> bool:
    """Each statement, cut out and read by itself, means what tomllib says of the whole."""
    table = tomllib.loads(text)
    for one in statements(text):
        found: Any = table
        for part in one.path:
            found = found[-1][part] if isinstance(found, list) else found[part]
        if not one.header and "\n" not in text[one.value : one.end]:
            assert tomllib.loads(f"x = {text[one.value : one.end]}")["x"] == found
    return True


@given(assignments())
@examples(300)
def test_text_is_read_back(assignment: tuple[str, Any]) -> None:
    """Whatever a setting may be can be written as text and as TOML."""
    name, raw = assignment
    kind = KEYS[name].kind
    assert kind.check(kind.from_text(kind.to_text(raw))) == kind.check(raw)
    assert kind.check(tomllib.loads(f"x = {kind.to_toml(raw)}")["x"]) == kind.check(raw)
