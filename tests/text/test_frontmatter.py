"""The frontmatter of a SKILL.md: read as leniently as the clients read it, and never a failure."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from hardwon.text.skills.frontmatter import MOST_CHARACTERS, SkillTuning, Weights, boolean, number, parse, split, tuning


def off(**fields: Any) -> SkillTuning:
    return SkillTuning(enabled=False, **fields)


ON, OFF, UNSAID = SkillTuning(enabled=True), SkillTuning(enabled=False), SkillTuning()

# What is written between the fences, and what it means.
WRITTEN: dict[str, tuple[str, SkillTuning]] = {
    # where it stands
    "inline at the top": ("skill-memory: {enabled: false}", OFF),
    "nested at the top": ("skill-memory:\n  enabled: false", OFF),
    "with an underscore": ("skill_memory: {enabled: false}", OFF),
    "in capitals": ("Skill-Memory:\n  Enabled: FALSE", OFF),
    "under metadata, nested": ("metadata:\n  author: me\n  skill-memory:\n    enabled: false\nname: x", OFF),
    "under metadata, inline": ("metadata: {author: me, skill_memory: {enabled: false}}", OFF),
    "metadata nested, the rest inline": ("metadata:\n  skill-memory: {enabled: false}", OFF),
    "under metadata, as a text": ('metadata:\n  skill-memory: "{enabled: false, top: 3}"', off(top=3)),
    "at the top before metadata": ("metadata: {skill-memory: on}\nskill-memory: off", OFF),
    "a bare word": ("skill-memory: off", OFF),
    "a bare word in quotes": ("skill-memory: 'no'", OFF),
    "nothing": ("name: x", UNSAID),
    "an empty value": ("skill-memory:\nname: x", UNSAID),
    "an empty map": ("skill-memory: {}", UNSAID),
    "as another word": ("my-skill-memory: off\nskill-memories: off", UNSAID),
    "in the middle of a text": ("description: |\n  skill-memory: off\n  and more\nname: x", UNSAID),
    "in a folded text": ("description: >-\n  see\n\n  skill-memory: off\nskill-memory: on", ON),
    "in a comment": ("# skill-memory: off\nname: x", UNSAID),
    # how it is written
    "with a comment behind": ("skill-memory: off # for now", OFF),
    "with comments between": ("skill-memory:\n  # really\n  enabled: no # yes", OFF),
    "with tabs": ("skill-memory:\n\tenabled:\tno\n\ttop:\t4", off(top=4)),
    "with deep indentation": ("skill-memory:\n        enabled: no\n        top: 4", off(top=4)),
    "with blank lines": ("\nskill-memory:\n\n  enabled: no\n\n  top: 4\n", off(top=4)),
    "with quoted keys": ('"skill-memory": {\'enabled\': "no", "top":4}', off(top=4)),
    "without blanks": ("skill-memory: {enabled:no,top:4}", off(top=4)),
    "with a comma too many": ("skill-memory: {enabled: no, , top: 4,}", off(top=4)),
    "inline over several lines": ("skill-memory: {\n  enabled: no, # off\n  top: 4\n}\nname: x", off(top=4)),
    "inline and never closed": ("skill-memory: {enabled: no, top: 4", off(top=4)),
    "behind unquoted colons": ("description: Use when: a: b\nskill-memory: off", OFF),
    "behind a lone quote": ("description: don't: 'really\nskill-memory: off", OFF),
    "behind a list": ("allowed-tools:\n- Bash(git *)\n- Read\nskill-memory: off", OFF),
    "behind an indented list": ("allowed-tools:\n  - Bash\n  - {a: b}\nskill-memory: off", OFF),
    "behind an inline list": ("allowed-tools: [Bash, 'Read', {a: [b]}]\nskill-memory: off", OFF),
    "behind a text over two lines": ("description: one\n  two: three\nskill-memory: off", OFF),
    "behind nonsense": ("%%%\n:::\n- - -\n@x\n}{\nskill-memory: off", OFF),
    "behind nested maps": ("hooks:\n  Stop:\n    - matcher: x\n      run: y\nskill-memory: off", OFF),
    "twice, the last one counts": ("skill-memory: {enabled: true, top: 9}\nskill-memory: {enabled: no}", OFF),
    "a key twice": ("skill-memory:\n  enabled: yes\n  enabled: no", OFF),
    # what it says
    "all of it": (
        "skill-memory: {enabled: y, top: 7, ranking_relevance: 1, ranking_recency: .5, ranking_hits: 0, min_score: .3}",
        SkillTuning(True, 7, Weights(1.0, 0.5, 0.0), 0.3),
    ),
    "with hyphens": (
        "skill-memory:\n  ranking-hits: 0.9\n  min-score: 1",
        SkillTuning(weights=Weights(hits=0.9), min_score=1.0),
    ),
    "none at all": ("skill-memory: {top: 0}", SkillTuning(top=0)),
    "a number in quotes": ('skill-memory: {top: "12"}', SkillTuning(top=12)),
}

# What can't be used, and what is said about it.
USELESS = {
    "enabled: maybe": 'skill-memory.enabled "maybe" is neither true nor false',
    "enabled:\n    x: y": "skill-memory.enabled \"{'x': 'y'}\" is neither true nor false",
    "top: -1": 'skill-memory.top "-1" is no whole number from 0 to 200',
    "top: 2.5": 'skill-memory.top "2.5" is no whole number from 0 to 200',
    "top: 201": 'skill-memory.top "201" is no whole number from 0 to 200',
    "top: 1e2": 'skill-memory.top "1e2" is no whole number from 0 to 200',
    "top: many": 'skill-memory.top "many" is no whole number from 0 to 200',
    "top: [1, 2]": "skill-memory.top \"['1', '2']\" is no whole number from 0 to 200",
    "min_score: 2": 'skill-memory.min_score "2" is no number from 0 to 1',
    "min_score: nan": 'skill-memory.min_score "nan" is no number from 0 to 1',
    "ranking_hits: inf": 'skill-memory.ranking_hits "inf" is no number from 0 to 100',
    "ranking_luck: 1": 'skill-memory.ranking_luck "1" is not known',
    "relevance: 1": 'skill-memory.relevance "1" is not known',
    "enabeld: no": 'skill-memory.enabeld "no" is not known',
}


def fenced(inside: str) -> str:
    return f"---\n{inside}\n---\n# The skill\nskill-memory: {{enabled: true, top: 99}}\n"


@pytest.mark.parametrize("form", WRITTEN)
def test_a_skill_says_what_it_wants_in_any_form(form: str) -> None:
    """However a client would read it, so do we."""
    inside, meant = WRITTEN[form]
    assert tuning(fenced(inside)) == meant


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\n \n" + text,
        lambda text: text.replace("---\n#", "...\n#"),
        lambda text: text.replace("---", "---  "),
    ],
    ids=["byte order mark", "CRLF", "CR", "blank lines before", "dots as the fence", "blanks behind the fence"],
)
def test_the_form_of_the_file_does_not_matter(form: str, disguise: Any) -> None:
    """Editors and systems leave their marks on a file."""
    inside, meant = WRITTEN[form]
    assert tuning(disguise(fenced(inside))) == meant


@pytest.mark.parametrize("inside", USELESS)
def test_what_can_not_be_used_is_passed_over_and_said(inside: str) -> None:
    """The rest still counts, and `recall --skill --explain` can name the mistake."""
    found = tuning(fenced(f"skill-memory:\n  {inside}\n  ranking_recency: 5"))
    assert found.problems == (USELESS[inside],)
    assert found == SkillTuning(weights=Weights(recency=5.0), problems=found.problems)


@pytest.mark.parametrize("value", ["maybe", "[a, b]"])
def test_a_memory_that_is_neither_map_nor_switch_is_named(value: str) -> None:
    """The skill then goes by the setting."""
    (problem,) = tuning(fenced(f"skill-memory: {value}")).problems
    assert "neither a map nor on or off" in problem


@pytest.mark.parametrize(
    ("text", "inside", "after"),
    [
        ("---\na: b\n---\nbody", ["a: b"], "body"),
        ("---\na: b\n\nbody", ["a: b"], "body"),
        ("---\na: b", ["a: b"], ""),
        ("---\n---\nbody", [""], "body"),
        ("----\na: b\n---\n", [], "----\na: b\n---\n"),
        (" ---\na: b\n---\n", [], " ---\na: b\n---\n"),
        ("# Title\n---\na: b\n---\n", [], "# Title\n---\na: b\n---\n"),
        ("", [], ""),
        ("\n\n", [], "\n\n"),
    ],
)
def test_where_the_frontmatter_ends(text: str, inside: list[str], after: str) -> None:
    """At its fence; where that was forgotten, at the first blank line. A rule further down is none."""
    assert split(text) == (inside, after)


@pytest.mark.parametrize(
    ("word", "meant"),
    [(word, True) for word in ("true", "True", "TRUE", "yes", "Yes", "on", "ON", "y", "1", " true ")]
    + [(word, False) for word in ("false", "False", "no", "NO", "off", "Off", "n", "0", "null", "~", "disabled")]
    + [(word, None) for word in ("", "maybe", "2", "tru", "truee", "不")],
)
def test_yes_and_no_in_all_spellings(word: str, meant: bool | None) -> None:
    """YAML knows eleven ways, people some more."""
    assert boolean(word) is meant


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("+5", 5), (".5", 0.5), ("5.", 5), ("0005", 5), ("", None), (".", None), ("5 5", None)],
)
def test_numbers_are_plain(text: str, value: float | None) -> None:
    """No exponents, no signs but plus, no words for infinity."""
    assert number(text, 10) == value


def test_everything_else_in_a_frontmatter_is_read_too() -> None:
    """Texts, lists and maps as they were written."""
    assert parse(
        fenced("name: deploy\ntools: [a, b]\nlist:\n- x\n- 'y'\nmap:\n  k: {l: [m]}\ntext: |\n  one\n  two")
    ) == {
        "name": "deploy",
        "tools": ["a", "b"],
        "list": ["x", "y"],
        "map": {"k": {"l": ["m"]}},
        "text": "one\ntwo",
    }


def test_no_text_makes_it_fail() -> None:
    """Three thousand random ones, mostly of signs that mean something."""
    chance = random.Random(1)
    for _ in range(3_000):
        text = "---\n" + "".join(chance.choice("{}[]:,'\"-#\n \tab|>\\~\x00é") for _ in range(200))
        assert isinstance(tuning(text), SkillTuning)


@pytest.mark.parametrize(
    "hostile",
    ["{" * 60_000, "a: " * 30_000, "a:\n " * 20_000, "a: " + "{a: " * 20_000, "a: " + "'" * 60_000, '"a' * 30_000,
     "a" + " " * 60_000 + "b", "a: {" + "\n  b" * 20_000, "\n".join(" " * depth + "a:" for depth in range(300)),
     "x" * 5 * MOST_CHARACTERS, "- " * 30_000, "a: |\n" + "  b\n" * 20_000],
    ids=range(12),
)  # fmt: skip
def test_no_text_takes_long(hostile: str) -> None:
    """A skill is somebody else's text: its size is bounded and so is the time."""
    began = time.process_time()
    assert tuning(f"---\n{hostile}\nskill-memory: off\n---\n").problems == ()
    assert time.process_time() - began < 1.0
