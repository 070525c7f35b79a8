"""What somebody does to a markdown file by hand is done to the memories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hardwon.memory import Status
from hardwon.store import changes, mirror
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from tests.store.mirror_files import A, B, C, bodies, knowledge, line_of, one, told, without
from tests.support import note, now, opened


@dataclass(frozen=True)
class Row:
    name: str
    edit: Callable[[str], str | bytes | None]
    """What somebody does to the file; None removes it."""
    active: tuple[str, ...] = (A, B, C)
    archived: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    file_has: tuple[str, ...] = ()
    file_lacks: tuple[str, ...] = ()
    meanwhile: Callable[[Store], object] = field(default=lambda _: None)
    """What happens to the memories at the same time."""
    untouched: bool = False
    """The file stays byte for byte as it was left."""


def _reversed(text: str) -> str:
    lines = text.splitlines(keepends=True)
    bullets = [line for line in lines if line.startswith("- ")]
    return "".join(line for line in lines if not line.startswith("- ")) + "".join(reversed(bullets))


def _edit(store: Store, body: str, new: str) -> None:
    changes.edit(store, one(store, body).id, {"body": new}, now())


def _archive(store: Store, body: str) -> None:
    changes.move(store, one(store, body).id, Status.ARCHIVED, now())


ROWS = [
    Row("nothing", lambda t: t, untouched=True),
    Row("touched only", lambda t: t + "", untouched=True),
    Row(
        "a word edited", lambda t: t.replace("to main", "to trunk"), (B, C, A.replace("main", "trunk")), (), ("edited",)
    ),
    Row("a bullet in another case", lambda t: t.replace(A, A.upper()), (A.upper(), B, C), (), ("edited",)),
    Row(
        "two bullets edited",
        lambda t: t.replace("to main", "to trunk").replace("crashed git", "crashed editor"),
        (A.replace("main", "trunk"), B.replace("crashed git", "crashed editor"), C),
        (),
        ("edited", "edited"),
    ),
    Row(
        "rewritten at its place, half its words kept",
        lambda t: t.replace(B, "The index lock is left behind when an editor crashes"),
        (A, "The index lock is left behind when an editor crashes", C),
        (),
        ("edited",),
    ),
    Row(
        "replaced by something else at its place",
        lambda t: t.replace(B, "Tags are pushed with --follow-tags"),
        (A, C, "Tags are pushed with --follow-tags"),
        (B,),
        ("added", "archived"),
    ),
    Row("a title added", lambda t: t.replace(A, f"[Pushing] {A}"), told=("edited",), file_has=(f"[Pushing] {A}",)),
    Row("a new bullet", lambda t: t + "- Stash names are free\n", (A, B, C, "Stash names are free"), (), ("added",)),
    Row(
        "a new bullet without a last newline",
        lambda t: t + "- Stash names are free",
        (A, B, C, "Stash names are free"),
        (),
        ("added",),
        ("Stash names are free  [HIT:0]\n",),
    ),
    Row(
        "a new bullet at the top",
        lambda t: t.replace("- [", "- Stash names are free\n- [", 1),
        (A, B, C, "Stash names are free"),
        (),
        ("added",),
    ),
    Row(
        "a star for a bullet",
        lambda t: t + "* Stash names are free\n",
        (A, B, C, "Stash names are free"),
        (),
        ("added",),
    ),
    Row("a tab behind the bullet", lambda t: t + "-\tStash names\n", (A, B, C, "Stash names"), (), ("added",)),
    Row(
        "a dated bullet",
        lambda t: t + "- [2024-02] [Old] Long ago\n",
        (A, B, C, "Long ago"),
        (),
        ("added",),
        ("- [2024-02] [Old] Long ago",),
    ),
    Row("one deleted", lambda t: without(t, B), (A, C), (B,), ("archived",)),
    Row("two deleted", lambda t: without(without(t, B), A), (C,), (A, B), ("archived", "archived")),
    Row(
        "one deleted, one edited",
        lambda t: without(t, B).replace("to main", "to trunk"),
        (A.replace("main", "trunk"), C),
        (B,),
        ("archived", "edited"),
    ),
    Row("reordered", _reversed, untouched=True),
    Row(
        "reordered and edited",
        lambda t: _reversed(t).replace("on clone", "when cloning"),
        (A, B, C.replace("on clone", "when cloning")),
        (),
        ("edited",),
    ),
    Row(
        "prose before, between and behind",
        lambda t: "Mine.\n\n" + t.replace("- [", "Between.\n\n- [", 1) + "\n> Behind.\n",
        untouched=True,
    ),
    Row("a heading of one's own", lambda t: t.replace("- [", "## Daily\n\n- [", 1), untouched=True),
    Row("a bullet in a fence is prose", lambda t: t + "\n```\n- not a lesson\n```\n", untouched=True),
    Row("a bullet in a comment is prose", lambda t: t + "\n<!--\n- not a lesson\n-->\n", untouched=True),
    Row(
        "a multi-line bullet",
        lambda t: t + "- Push in two steps:\n  first the tag,\n\n  then the branch\n",
        (A, B, C, "Push in two steps:\nfirst the tag,\n\nthen the branch"),
        (),
        ("added",),
        ("  first the tag,\n\n  then the branch  [HIT:0]\n",),
    ),
    Row(
        "a line added to a bullet",
        lambda t: t.replace(line_of(t, A), f"- {A}\n  and say so\n"),
        (f"{A}\nand say so", B, C),
        (),
        ("edited",),
    ),
    Row("Windows line ends", lambda t: t.replace("\n", "\r\n").encode(), untouched=True),
    Row(
        "Windows line ends and an edit",
        lambda t: t.replace("to main", "to trunk").replace("\n", "\r\n").encode(),
        (A.replace("main", "trunk"), B, C),
        (),
        ("edited",),
        ("to trunk  [HIT:0]\r\n",),
    ),
    Row("a byte order mark", lambda t: ("\ufeff" + t).encode(), untouched=True),
    Row("no last newline", lambda t: t.rstrip("\n"), file_has=(C,)),
    Row(
        "Chinese",
        lambda t: t + "- [推送] 推送之前先变基，否则会冲突\n",
        (A, B, C, "推送之前先变基，否则会冲突"),
        (),
        ("added",),
    ),
    Row(
        "a count changed by hand is put right",
        lambda t: t.replace("[HIT:0]", "[HIT:99]"),
        file_has=("[HIT:0]",),
        file_lacks=("[HIT:99]",),
    ),
    Row("a count of none removed by hand", lambda t: t.replace("  [HIT:0]", ""), untouched=True),
    Row("a bullet twice is one", lambda t: t + line_of(t, A), file_has=(A,)),
    Row("copied and edited", lambda t: t + f"- {A}, always\n", (A, f"{A}, always", B, C), (), ("added",)),
    Row("emptied", lambda _: "", untouched=True),
    Row("only prose left", lambda _: "# Nothing here\n", untouched=True),
    Row("removed", lambda _: None, untouched=True),
    Row("binary", lambda _: b"\x7fELF\0\xff\xfe- x\n", untouched=True),
    Row("not UTF-8", lambda t: t.encode() + b"- caf\xe9\n", untouched=True),
    Row("NUL in it", lambda t: t + "- a\0b\n", untouched=True),
    Row(
        "edited in both",
        lambda t: t.replace("to main", "to trunk"),
        (A.replace("to main", "anywhere"), A.replace("main", "trunk"), B, C),
        (),
        ("beside",),
        meanwhile=lambda s: _edit(s, A, A.replace("to main", "anywhere")),
    ),
    Row(
        "edited in both to the same",
        lambda t: t.replace("to main", "to trunk"),
        (A.replace("main", "trunk"), B, C),
        meanwhile=lambda s: _edit(s, A, A.replace("main", "trunk")),
    ),
    Row(
        "deleted here, edited there",
        lambda t: without(t, A),
        (A.replace("main", "trunk"), B, C),
        (),
        (),
        ("to trunk",),
        meanwhile=lambda s: _edit(s, A, A.replace("main", "trunk")),
    ),
    Row(
        "edited here, archived there",
        lambda t: t.replace("to main", "to trunk"),
        (A.replace("main", "trunk"), B, C),
        (A,),
        ("added",),
        meanwhile=lambda s: _archive(s, A),
    ),
    Row("left here, archived there", lambda t: t, (B, C), (A,), file_lacks=(A,), meanwhile=lambda s: _archive(s, A)),
    Row(
        "left here, edited there",
        lambda t: t,
        (A.replace("main", "trunk"), B, C),
        file_has=("to trunk",),
        file_lacks=("to main",),
        meanwhile=lambda s: _edit(s, A, A.replace("main", "trunk")),
    ),
    Row(
        "noted there, edited here",
        lambda t: t.replace("to main", "to trunk"),
        (A.replace("main", "trunk"), B, C, "D"),
        (),
        ("edited",),
        ("] D  [",),
        meanwhile=lambda s: note(s, "D", skill="git"),
    ),
    Row(
        "noted in both",
        lambda t: t + "- The very same\n",
        (A, B, C, "The very same"),
        meanwhile=lambda s: note(s, "The very same", skill="git"),
    ),
    Row("an empty bullet", lambda t: t + "- [2026-01]\n", told=("left",)),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_is_done_to_a_file_is_done_to_the_memories(row: Row, tmp_path: Path) -> None:
    """Edits, additions, deletions, order, prose and forms of text; nothing is lost, a second look changes nothing."""
    with opened(tmp_path) as store:
        for text in (A, B, C):
            note(store, text, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        left = row.edit(file.read_text())
        if left is None:
            file.unlink()
        else:
            file.write_bytes(left if isinstance(left, bytes) else left.encode())
        row.meanwhile(store)
        done = [*mirror.absorb(store, now()), *mirror.refresh(store, now())]
        assert bodies(store) == sorted(row.active)
        assert bodies(store, Status.ARCHIVED) == sorted(row.archived)
        assert told(done) == sorted(row.told)
        after = file.read_bytes() if file.exists() else None
        if row.untouched:
            assert after == (left.encode() if isinstance(left, str) else left)
        said = (after or b"").decode("utf-8", "replace")
        assert all(text in said for text in row.file_has), said
        assert not any(text in said for text in row.file_lacks), said
        mirror.absorb(store, now())
        assert (file.read_bytes() if file.exists() else None) == after
        assert bodies(store) == sorted(row.active)
        assert all(count == 0 for count in memories.hits(store, [m.id for m in memories.all_memories(store)]).values())


def test_a_copy_that_lay_open_in_an_editor(tmp_path: Path) -> None:
    """It is compared with the version that it was made from: what came into the file since was not deleted by hand."""
    with opened(tmp_path) as store:
        for text in (A, B, C):
            note(store, text, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        copy = file.read_text()
        note(store, "Learned meanwhile", skill="git")
        mirror.refresh(store, now())
        _edit(store, A, A.replace("main", "trunk"))
        _archive(store, B)
        mirror.refresh(store, now())
        file.write_text(copy.replace("on clone", "when cloning") + "- Written in the editor\n")
        assert told(mirror.absorb(store, now())) == ["added", "edited"]
        expected = [A.replace("main", "trunk"), C.replace("on clone", "when cloning"), "Learned meanwhile",
                    "Written in the editor"]  # fmt: skip
        assert bodies(store) == sorted(expected)
        assert all(text in file.read_text() for text in expected)
        file.write_text(without(file.read_text(), "Learned meanwhile"))
        assert told(mirror.absorb(store, now())) == ["archived"]
