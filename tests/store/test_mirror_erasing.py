"""Secrets, forgetting and undo reach the markdown files too."""

from __future__ import annotations

from pathlib import Path

from hardwon.memory import Kind, Status
from hardwon.store import changes, mirror
from hardwon.store.erasure import forget, scrub
from tests.store.mirror_files import A, B, bodies, knowledge, one, told, without
from tests.support import files_with, note, now, opened


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
        knowledge(tmp_path).write_text(without(knowledge(tmp_path).read_text(), B))
        mirror.absorb(store, now())
        changes.undo(store, now())
        assert bodies(store) == [A]
        changes.move(store, one(store, B).id, Status.ACTIVE, now())
        mirror.refresh(store, now())
        assert B in knowledge(tmp_path).read_text()
