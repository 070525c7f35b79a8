"""The markdown mirror: real files, a real store, what people do to them."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hardwon.memory import GLOBAL, Kind, Memory, Status, Trust
from hardwon.settings import Settings
from hardwon.store import changes, control, forget, memories, mirror, projects, scrub
from hardwon.store.connection import Store
from hardwon.store.mirror.settle import Answer, How, Settled
from tests.support import draft, files_with, note, now, opened

A = "Rebase before you push to main"
B = "The index lock is left behind by a crashed git"
C = "Submodules need --recursive on clone"
MANY = "First line of it\n\n  indented\n- a bullet inside\n```\n# no heading\n```"


def knowledge(root: Path, skill: str = "git") -> Path:
    return root / "skills" / skill / "KNOWLEDGE.md"


def bodies(store: Store, status: Status = Status.ACTIVE) -> list[str]:
    return sorted(memory.body for memory in memories.all_memories(store) if memory.status is status)


def one(store: Store, body: str) -> Memory:
    return next(memory for memory in memories.all_memories(store) if memory.body == body)


def told(settled: list[Settled]) -> list[str]:
    return sorted(change.what for each in settled for change in each.changes)


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


def _line(text: str, body: str) -> str:
    return next(line for line in text.splitlines(keepends=True) if body in line)


def _without(text: str, body: str) -> str:
    return text.replace(_line(text, body), "")


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
    Row("one deleted", lambda t: _without(t, B), (A, C), (B,), ("archived",)),
    Row("two deleted", lambda t: _without(_without(t, B), A), (C,), (A, B), ("archived", "archived")),
    Row(
        "one deleted, one edited",
        lambda t: _without(t, B).replace("to main", "to trunk"),
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
        lambda t: t.replace(_line(t, A), f"- {A}\n  and say so\n"),
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
    Row("a bullet twice is one", lambda t: t + _line(t, A), file_has=(A,)),
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
        lambda t: _without(t, A),
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


def test_a_text_of_any_form_comes_back_as_it_was(tmp_path: Path) -> None:
    """W6: lines, fences, brackets, bullets and headings in a lesson are not taken for something else."""
    texts = [MANY, "[x] bracket", "[2020-01] dated", "- bullet", "# heading", "ends in [HIT:3]", "a\r\nb", "tab\there"]
    with opened(tmp_path) as store:
        for text in texts:
            note(store, text, skill="git")
        before = bodies(store)
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        file.write_text(file.read_text() + "\n")
        done = mirror.absorb(store, now())
        assert told(done) == []
        assert bodies(store) == before


def test_files_are_private_and_where_they_are_said_to_be(tmp_path: Path) -> None:
    """0600 in folders of 0700; a file per skill, one for what holds everywhere, checkpoints beside."""
    with opened(tmp_path) as store:
        note(store, A, skill="team/git:push")
        note(store, "raw", skill="team/git:push", kind=Kind.CHECKPOINT)
        note(store, "A principle")
        note(store, "of one project only", project="p")
        mirror.refresh(store, now())
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md"))
    place = "skills/team__git%3Apush"
    assert found == ["global/KNOWLEDGE.md", f"{place}/CHECKPOINTS.md", f"{place}/KNOWLEDGE.md"]
    for name in found:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / name).parent.stat().st_mode) == 0o700
    assert "] raw\n" in (tmp_path / place / "CHECKPOINTS.md").read_text()
    assert "of one project" not in (tmp_path / "global/KNOWLEDGE.md").read_text()


def test_lessons_of_projects_stand_under_their_names(tmp_path: Path) -> None:
    """First what holds everywhere, then a heading per project; a bullet there is a lesson of that project."""
    shop, other = tmp_path / "shop", tmp_path / "other"
    shop.mkdir()
    other.mkdir()
    with opened(tmp_path / "home") as store:
        here, there = projects.claim(store, shop, now())[1].id, projects.claim(store, other, now())[1].id
        note(store, "of the shop", skill="git", project=here)
        note(store, "of everything", skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        text = file.read_text()
        assert text.index("of everything") < text.index("## Project: shop\n") < text.index("of the shop")
        file.write_text(
            text + "- also of the shop\n\n## Project: other\n\n- of the other\n\n## Project: nowhere\n\n- x\n"
        )
        done = mirror.absorb(store, now())
        assert one(store, "also of the shop").scope.project == here
        assert one(store, "of the other").scope.project == there
        assert "x" not in bodies(store)
        assert 'no project is called "nowhere"' in " ".join(each.problem for each in done)
        assert "## Project: nowhere\n\n- x\n" in file.read_text()


def test_a_bullet_under_another_heading_is_moved(tmp_path: Path) -> None:
    """From a project to everywhere: the same memory with its history, not a new one."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        here = projects.claim(store, shop, now())[1].id
        id = note(store, "of the shop", skill="git", project=here)
        note(store, "of everything", skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        line = _line(file.read_text(), "of the shop")
        file.write_text(
            _without(file.read_text(), "of the shop").replace("## Project: shop", f"{line}\n## Project: shop")
        )
        assert told(mirror.absorb(store, now())) == ["moved"]
        assert one(store, "of the shop").id == id
        assert one(store, "of the shop").scope.project == GLOBAL


def test_a_renamed_project_keeps_its_lessons(tmp_path: Path) -> None:
    """The heading in the file still has the old name: it means the project for which it was written."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        here = projects.claim(store, shop, now())[1].id
        note(store, "of the shop", skill="git", project=here)
        mirror.refresh(store, now())
        projects.rename(store, "shop", "store")
        file = knowledge(tmp_path / "home")
        file.write_text(file.read_text() + "- another\n")
        mirror.absorb(store, now())
        assert bodies(store) == ["another", "of the shop"]
        assert one(store, "another").scope.project == here
        assert "## Project: store\n" in file.read_text()
        assert "## Project: shop\n" not in file.read_text()


def test_a_file_cannot_overrule_a_person(tmp_path: Path) -> None:
    """An edit becomes a second lesson beside, a deleted bullet comes back; a person who runs it can."""
    with opened(tmp_path) as store:
        note(store, A, skill="git", trust=Trust.USER)
        note(store, B, skill="git", trust=Trust.USER)
        note(store, C, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        edited = _without(file.read_text(), B).replace("to main", "to trunk")
        file.write_text(edited)
        assert told(mirror.absorb(store, now())) == ["beside", "refused"]
        beside = A.replace("main", "trunk")
        assert bodies(store) == sorted([A, B, C, beside])
        assert one(store, beside).trust is Trust.AGENT
        assert all(text in file.read_text() for text in (A, B, C, beside))
        file.write_text(_without(file.read_text(), B).replace(A, f"{A} at noon"))
        assert told(mirror.reconcile(store, How(now(), Trust.USER))) == ["archived", "edited"]
        assert bodies(store) == sorted([f"{A} at noon", beside, C])
        assert one(store, f"{A} at noon").trust is Trust.USER


def test_verified_words_are_not_verified_any_more_once_edited(tmp_path: Path) -> None:
    """Proof belongs to the words that were proved."""
    with opened(tmp_path) as store:
        note(store, A, skill="git", trust=Trust.VERIFIED)
        note(store, B, skill="git")
        mirror.refresh(store, now())
        knowledge(tmp_path).write_text(knowledge(tmp_path).read_text().replace("to main", "to trunk"))
        mirror.absorb(store, now())
        assert one(store, A.replace("main", "trunk")).trust is Trust.AGENT


@pytest.mark.parametrize(("answer", "left"), [(Answer.ARCHIVE, 0), (Answer.WRITE, 12)])
def test_a_file_that_lost_much_waits_for_an_answer(tmp_path: Path, answer: Answer, left: int) -> None:
    """Emptied, removed, or cut in half: nothing is archived until somebody says so."""
    with opened(tmp_path) as store:
        for number in range(12):
            note(store, f"Lesson {number} about the {number * 7}th thing", skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        whole = file.read_text()
        head, *bullets = whole.split("- [")
        for text in (head, head + "".join(f"- [{bullet}" for bullet in bullets[:2])):
            file.write_text(text)
            assert sum(each.gone for each in mirror.absorb(store, now())) in (10, 12)
            note(store, f"meanwhile {len(text)}", skill="other")
            mirror.refresh(store, now())
            assert file.read_text() == text
        file.unlink()
        assert len([body for body in bodies(store) if body.startswith("Lesson")]) == 12
        mirror.reconcile(store, How(now(), answer=answer))
        assert len([body for body in bodies(store) if body.startswith("Lesson")]) == left
        assert file.exists() == bool(left)


def test_only_so_many_are_shown_and_the_others_are_not_deleted(tmp_path: Path) -> None:
    """The most useful within `mirror.most`; the file says how many more there are."""
    settings = dataclasses.replace(Settings(), mirror=dataclasses.replace(Settings().mirror, most=5))
    with opened(tmp_path, settings) as store:
        ids = [note(store, f"Lesson {number} about the {number * 7}th thing", skill="git") for number in range(20)]
        for _ in range(3):
            changes.hit(store, ids[3])
        mirror.refresh(store, now())
        text = knowledge(tmp_path).read_text()
        assert text.count("\n- ") == 5
        assert "Lesson 3 about" in text
        assert "15 more are not in this file" in text
        for id in ids[10:15]:
            changes.hit(store, id)
        mirror.refresh(store, now())
        assert knowledge(tmp_path).read_text().count("more are not in this file") == 1
        assert len(bodies(store)) == 20
        shown = next(line for line in knowledge(tmp_path).read_text().splitlines() if line.startswith("- "))
        knowledge(tmp_path).write_text(knowledge(tmp_path).read_text().replace(shown + "\n", ""))
        assert told(mirror.absorb(store, now())) == ["archived"]


def test_a_file_is_written_only_when_something_changed(tmp_path: Path) -> None:
    """A note of a project touches no file, a showing neither; the second refresh has nothing to do."""
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        mirror.refresh(store, now())
        before = knowledge(tmp_path).stat().st_ino
        note(store, "of one project", project="p")
        assert not mirror.is_due(store)
        note(store, A, skill="git")
        assert mirror.is_due(store)
        mirror.refresh(store, now())
        assert "[HIT:1]" in knowledge(tmp_path).read_text()
        assert knowledge(tmp_path).stat().st_ino != before


def test_switched_off_it_writes_and_reads_nothing(tmp_path: Path) -> None:
    """`mirror.enabled = false`."""
    settings = dataclasses.replace(Settings(), mirror=dataclasses.replace(Settings().mirror, enabled=False))
    with opened(tmp_path, settings) as store:
        note(store, A, skill="git")
        assert mirror.refresh(store, now()) == []
        knowledge(tmp_path).parent.mkdir(parents=True)
        knowledge(tmp_path).write_text("- hello there\n")
        assert mirror.absorb(store, now()) == []
        assert bodies(store) == [A]


def test_in_a_pause_nothing_is_taken_in(tmp_path: Path) -> None:
    """The files wait; afterwards they are read."""
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        mirror.refresh(store, now())
        control.pause(store, None, now() - 1)
        knowledge(tmp_path).write_text(knowledge(tmp_path).read_text() + "- typed in the pause\n")
        assert mirror.absorb(store, now()) == []
        assert bodies(store) == [A]
        control.resume(store, now())
        assert told(mirror.absorb(store, now() + 5)) == ["added"]


def test_an_excluded_project_keeps_nothing(tmp_path: Path) -> None:
    """A bullet under its heading stays a bullet."""
    shop = tmp_path / "shop"
    shop.mkdir()
    excluding = dataclasses.replace(Settings().control, exclude_projects=("shop",))
    with opened(tmp_path / "home", dataclasses.replace(Settings(), control=excluding)) as store:
        here = projects.claim(store, shop, now())[1].id
        note(store, "from before", skill="git", project=here)
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        file.write_text(file.read_text() + "- not to be kept\n")
        assert told(mirror.absorb(store, now())) == ["left"]
        assert bodies(store) == ["from before"]
        assert "- not to be kept\n" in file.read_text()


def test_a_link_or_a_pipe_in_the_place_of_a_file_is_left_alone(tmp_path: Path) -> None:
    """What hardwon writes stays in its folder, whatever somebody put there; a pipe does not make it wait."""
    outside = tmp_path / "outside.md"
    outside.write_text("- from outside\n")
    with opened(tmp_path / "home") as store:
        for skill in ("linked", "piped", "folder"):
            (tmp_path / "home" / "skills" / skill).mkdir(parents=True)
        knowledge(tmp_path / "home", "linked").symlink_to(outside)
        os.mkfifo(knowledge(tmp_path / "home", "piped"))
        knowledge(tmp_path / "home", "folder").mkdir()
        (tmp_path / "home" / "skills" / "away").symlink_to(tmp_path)
        for skill in ("linked", "piped", "folder", "away"):
            note(store, f"for {skill}", skill=skill)
        done = mirror.refresh(store, now())
        assert sum(bool(each.problem) for each in done) >= 4
        assert "from outside" not in bodies(store)
        assert not (tmp_path / "KNOWLEDGE.md").exists()
    assert outside.read_text() == "- from outside\n"


def test_a_file_made_by_hand_is_taken_in(tmp_path: Path) -> None:
    """A new folder with a KNOWLEDGE.md in it is a skill's, named after it."""
    with opened(tmp_path) as store:
        knowledge(tmp_path, "team__deploy").parent.mkdir(parents=True)
        knowledge(tmp_path, "team__deploy").write_text("# My own\n\n- Deploy on Tuesdays\n  and never on Fridays\n")
        (tmp_path / "skills" / "a%zz").mkdir()
        (tmp_path / "skills" / "a%zz" / "KNOWLEDGE.md").write_text("- lost\n")
        mirror.absorb(store, now())
        found = one(store, "Deploy on Tuesdays\nand never on Fridays")
        assert (found.scope.skill, found.trust, found.kind) == ("team/deploy", Trust.AGENT, Kind.LESSON)
        assert "lost" not in bodies(store)
        problems = [each.problem for each in mirror.reconcile(store, How(now(), only_look=True)) if each.problem]
        assert any("a%zz" in problem for problem in problems)


def test_looking_changes_nothing(tmp_path: Path) -> None:
    """`--dry-run` says what would happen, and it does not."""
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        file.write_text(file.read_text() + "- new one\n")
        before = file.read_bytes()
        assert told(mirror.reconcile(store, How(now(), only_look=True))) == ["added"]
        assert bodies(store) == [A]
        assert file.read_bytes() == before


def test_secrets_in_a_file_do_not_enter_the_memory(tmp_path: Path) -> None:
    """What is taken in is redacted on the way, and the bullet with it; scrub goes through the prose as well."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        file.write_text(file.read_text() + f"- Log in with {secret}\n\nProse with {secret} in it.\n")
        mirror.absorb(store, now())
        assert file.read_text().count(secret) == 1
        assert files_with(tmp_path, secret) == {"skills/git/KNOWLEDGE.md": [secret]}
        scrub.scrub(store)
        assert files_with(tmp_path, secret) == {}
        assert told(mirror.absorb(store, now())) == []


def test_forgetting_reaches_the_files(tmp_path: Path) -> None:
    """Bullet, quotation in prose, a half-written draft and the base: not one byte stays, and it does not come back."""
    doomed = "The zyzzyva password hint is the name of the first parrot"
    with opened(tmp_path) as store:
        id = note(store, doomed, skill="git", title="Zyzzyva")
        note(store, A, skill="git")
        note(store, doomed, skill="git", kind=Kind.CHECKPOINT)
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        file.write_text(file.read_text() + f"\nAs they say: {doomed.upper()}!\n")
        file.with_name(".KNOWLEDGE.md.draft").write_text(doomed)
        assert len(files_with(tmp_path, "zyzzyva")) >= 3
        forget.forget(store, [id], now())
        assert files_with(tmp_path, "zyzzyva", "parrot") == {}
        assert not store.rows("select 1 from mirror_entries where memory = ?", (id,))
        mirror.refresh(store, now())
        assert bodies(store) == [A]
        file.write_text(file.read_text() + f"- {doomed}\n")
        assert told(mirror.absorb(store, now())) == ["forgotten"]
        assert bodies(store) == [A]
        assert files_with(tmp_path, "zyzzyva") == {}


def test_undo_passes_over_what_nobody_commanded(tmp_path: Path) -> None:
    """A hand edit that was taken in on the way is no command of this terminal's; an archived one is reopened."""
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        note(store, B, skill="git")
        mirror.refresh(store, now())
        note(store, "commanded", project="p")
        knowledge(tmp_path).write_text(_without(knowledge(tmp_path).read_text(), B))
        mirror.absorb(store, now())
        changes.undo(store, now())
        assert bodies(store) == [A]
        changes.move(store, one(store, B).id, Status.ACTIVE, now())
        mirror.refresh(store, now())
        assert B in knowledge(tmp_path).read_text()


def test_a_copied_home_does_not_mistake_its_files(tmp_path: Path) -> None:
    """The database of another home does not know what these files said: nothing is taken for deleted."""
    import shutil

    with opened(tmp_path / "old") as store:
        note(store, A, skill="git")
        note(store, B, skill="git")
        mirror.refresh(store, now())
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    file = knowledge(tmp_path / "new")
    file.write_text(_without(file.read_text(), B))
    with opened(tmp_path / "new") as store:
        mirror.absorb(store, now())
        assert bodies(store) == [A, B]
        assert B in file.read_text()


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
        file.write_text(_without(file.read_text(), "Learned meanwhile"))
        assert told(mirror.absorb(store, now())) == ["archived"]


def test_a_kept_text_is_not_kept_twice(tmp_path: Path) -> None:
    """Taking in the same files again and again neither adds nor counts anything."""
    with opened(tmp_path) as store:
        assert changes.note(store, draft(A, skill="git"), now()).id
        mirror.refresh(store, now())
        for _ in range(3):
            mirror.reconcile(store, How(now()))
        assert bodies(store) == [A]
        assert memories.hits(store, [one(store, A).id]).get(one(store, A).id, 0) == 0
