from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.text.skills.knowledge_entries import Entry, Prose, moment, parse, read, render, written


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("- [2026-03] [auth] Use the profile  [HIT:4]", Entry("Use the profile", "auth", "2026-03", 4)),
        ("- [2026-03] Use the profile", Entry("Use the profile", "", "2026-03")),
        ("- [auth] Use the profile  [HIT:2]", Entry("Use the profile", "auth", "", 2)),
        ("- Use the profile", Entry("Use the profile")),
        ("* Use the profile", Entry("Use the profile")),
        ("- [2026-03-14 09:30:00] the note", Entry("the note", "", "2026-03-14 09:30:00")),
        ("- [the docs](https://example.com/a) say so", Entry("[the docs](https://example.com/a) say so")),
        ("- [ ] not a title", Entry("[ ] not a title")),
        ("- [x] not a title", Entry("[x] not a title")),
        ("- \\[x y] escaped", Entry("[x y] escaped")),
        ("- [a [b] c] nested brackets", Entry("nested brackets", "a [b] c")),
        ("- [2026-03] [端口] 端口是五四三二  [hit:7]", Entry("端口是五四三二", "端口", "2026-03", 7)),
        ("- [2026-13] no such month", Entry("no such month", "", "2026-13")),
    ],
)
def test_one_entry(line: str, entry: Entry) -> None:
    """Date, title and hits are taken from their places; links, tick boxes and escaped brackets are text."""
    assert read(line) == entry


FILE = """\
# browser-use — experience

Last updated: 2026-03-14

## Entries
- [2026-03] [state before acting] Always run `browser-use state` before clicking —
  indices change after every page interaction.

  Never reuse a stale index.  [HIT:3]
- [2026-02] [commands] Use these:
  - `close` when done
  - `state` before acting
going on without indentation
- [2026-01] [block] As in

  ```sh
- not an entry

  run
  ```

Some words in between.

```
- neither is this
```

<!--
- nor this
-->
1. a numbered line is prose
- [placeholder] No lessons recorded yet.
"""


def test_an_entry_has_all_its_lines() -> None:
    """W6: continuation lines, nested bullets, further paragraphs and fenced blocks stay with their entry."""
    entries = parse(FILE).entries
    assert [(entry.line, entry.title, entry.hits) for entry in entries] == [
        (6, "state before acting", 3),
        (10, "commands", 0),
        (14, "block", 0),
        (32, "placeholder", 0),
    ]
    assert entries[0].text == (
        "Always run `browser-use state` before clicking —\nindices change after every page interaction.\n\n"
        "Never reuse a stale index."
    )
    assert entries[1].text.splitlines() == [
        "Use these:",
        "- `close` when done",
        "- `state` before acting",
        "going on without indentation",
    ]
    assert entries[2].text == "As in\n\n```sh\n- not an entry\n\nrun\n```"
    assert [entry.is_placeholder for entry in entries] == [False, False, False, True]


def test_prose_is_kept() -> None:
    """W6: what is no entry is a piece of its own, in its place and unchanged."""
    prose = [piece.text for piece in parse(FILE).pieces if isinstance(piece, Prose)]
    assert prose[0].startswith("# browser-use")
    assert prose[0].endswith("## Entries\n")
    assert all(words in prose[-1] for words in ("Some words in between.", "- neither is this", "- nor this"))


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        "",
        "\n",
        "- a",
        "\ufeff- a\r\n- b\r\n",
        "---\nname: x\n- no\n---\n- yes\n",
        "- a\n\n```\nnever closed\n- b\n",
    ],
)
def test_what_was_not_changed_is_rendered_byte_for_byte(text: str) -> None:
    """Reading a file and writing it again changes nothing in it."""
    assert render(parse(text).pieces) == text


def test_only_the_changed_entry_is_rewritten() -> None:
    """One more hit changes one line of the file."""
    pieces = [
        dataclasses.replace(piece, hits=9)
        if isinstance(piece, Entry) and piece.title == "state before acting"
        else piece
        for piece in parse(FILE).pieces
    ]
    assert render(pieces) == FILE.replace("[HIT:3]", "[HIT:9]")


words = st.text(st.sampled_from("ab[]\\-*#>`~1.) :端\n\t"), max_size=40)


def _bare(text: str) -> str:
    """As texts stand in an entry: no blanks at the ends of lines."""
    return "\n".join(line.expandtabs(4).rstrip() for line in text.split("\n")).strip()


@given(words.map(_bare), words, st.sampled_from(["", "2026-03", "2026-03-14 09:30:00"]), st.integers(0, 99))
def test_written_and_read_is_the_same(text: str, title: str, date: str, hits: int) -> None:
    """Whatever the text holds, the entry that is written is the entry that is read, and nothing stands beside it."""
    entry = Entry(text or "x", " ".join(title.split()), date, hits)
    if entry.title in ("", "x", "X"):
        entry = dataclasses.replace(entry, title="")
    pieces = parse(written(entry)).pieces
    assert pieces == (entry,)


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("2026-03", 1_772_323_200_000),
        ("2026-03-02", 1_772_323_200_000 + 86_400_000),
        ("2026-03-01 00:00:01", 1_772_323_201_000),
        ("2026-13", None),
        ("2026-02-30", None),
        ("", None),
    ],
)
def test_moment(date: str, at: int | None) -> None:
    """A month is its first day; what is no date is none."""
    assert moment(date) == at
