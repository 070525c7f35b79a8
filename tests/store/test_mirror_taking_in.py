"""What is taken in from the markdown files, and what waits, is refused or stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Kind, Trust
from hardwon.store import changes, control, mirror
from hardwon.store.mirror.settle import Answer, How
from hardwon.store.tables import memories
from tests.store.mirror_files import A, B, C, bodies, knowledge, one, told, without
from tests.support import draft, note, now, opened

MANY = "First line of it\n\n  indented\n- a bullet inside\n```\n# no heading\n```"


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


def test_a_file_cannot_overrule_a_person(tmp_path: Path) -> None:
    """An edit becomes a second lesson beside, a deleted bullet comes back; a person who runs it can."""
    with opened(tmp_path) as store:
        note(store, A, skill="git", trust=Trust.USER)
        note(store, B, skill="git", trust=Trust.USER)
        note(store, C, skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path)
        edited = without(file.read_text(), B).replace("to main", "to trunk")
        file.write_text(edited)
        assert told(mirror.absorb(store, now())) == ["beside", "refused"]
        beside = A.replace("main", "trunk")
        assert bodies(store) == sorted([A, B, C, beside])
        assert one(store, beside).trust is Trust.AGENT
        assert all(text in file.read_text() for text in (A, B, C, beside))
        file.write_text(without(file.read_text(), B).replace(A, f"{A} at noon"))
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


def test_a_copied_home_does_not_mistake_its_files(tmp_path: Path) -> None:
    """The database of another home does not know what these files said: nothing is taken for deleted."""
    import shutil

    with opened(tmp_path / "old") as store:
        note(store, A, skill="git")
        note(store, B, skill="git")
        mirror.refresh(store, now())
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    file = knowledge(tmp_path / "new")
    file.write_text(without(file.read_text(), B))
    with opened(tmp_path / "new") as store:
        mirror.absorb(store, now())
        assert bodies(store) == [A, B]
        assert B in file.read_text()


def test_a_kept_text_is_not_kept_twice(tmp_path: Path) -> None:
    """Taking in the same files again and again neither adds nor counts anything."""
    with opened(tmp_path) as store:
        assert changes.note(store, draft(A, skill="git"), now()).id
        mirror.refresh(store, now())
        for _ in range(3):
            mirror.reconcile(store, How(now()))
        assert bodies(store) == [A]
        assert memories.hits(store, [one(store, A).id]).get(one(store, A).id, 0) == 0
