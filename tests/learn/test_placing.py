from __future__ import annotations

from pathlib import Path

from hardwon.event import Event, EventType
from hardwon.learn.placing import placed
from hardwon.paths import home
from hardwon.settings import DEFAULTS
from hardwon.store.connection import open_store

OURS = '<hardwon moment="prompt">\n- lesson: use tabs [abcdef]\n</hardwon>'


def test_what_hardwon_said_is_not_learned_again(tmp_path: Path) -> None:
    """A command that prints one of our blocks, or fails with it, is kept without the block."""
    event = Event(
        EventType.TOOL_FAILED,
        "claude-code",
        "s",
        1,
        cwd=str(tmp_path),
        text=f"before {OURS} after",
        error=f"{OURS}boom",
    )
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        kept = placed(store, event)
    assert kept is not None
    assert (kept.text, kept.error) == ("before  after", "boom")
