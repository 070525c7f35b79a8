"""The judge shares no code with what it judges."""

from __future__ import annotations

from pathlib import Path

from hardwon.rehearsal.opportunities import fingerprint
from tests.test_architecture import SOURCE, imported

MINER = SOURCE / "rehearsal" / "opportunities"


def test_the_miner_imports_nothing_of_the_program_but_its_own_package() -> None:
    """Not learn, not recall, not understand, not the daemon: what these take for the same, it must find out itself."""
    named = {module for path in MINER.glob("*.py") for _, module in imported(path) if module.startswith("hardwon")}
    assert named
    assert not {
        one
        for one in named
        if not one.startswith(("hardwon.rehearsal.opportunities", "hardwon.event", "hardwon.action"))
    }


def test_its_fingerprint_changes_with_its_source(tmp_path: Path) -> None:
    assert len(fingerprint()) == 64
    assert fingerprint() == fingerprint()
