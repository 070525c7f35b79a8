from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from hardwon.memory import Draft, Kind, Rejected, Scope, Trust
from hardwon.paths import home
from hardwon.recall import Question, recall
from hardwon.render import plain
from hardwon.settings import DEFAULTS
from hardwon.store import changes, memories, projects
from hardwon.store.connection import Store, open_store
from hardwon.surfaces.cli import context
from hardwon.understand import anchors


def run() -> None:
    """Show the main job in a temporary home, and leave nothing behind

    Example: `hardwon demo`
    """
    with tempfile.TemporaryDirectory(prefix="hardwon-demo-") as folder:
        project = Path(folder) / "shop"
        project.mkdir()
        place = home({**os.environ, "HARDWON_HOME": str(Path(folder) / "home")})
        with open_store(place, DEFAULTS) as store:
            _, known = projects.claim(store, project, context.now())
            _say(f"A temporary home, a project called {known.name!r}. Three sessions leave something behind:\n")
            for draft in _learned(known.id, str(project)):
                noted = changes.note(store, draft, context.now())
                assert noted.id is not None
                kept = memories.get(store, noted.id)
                assert kept is not None
                _say(f"  kept {kept.short_id}  {draft.kind:<8}  {plain.one_line(kept.body, 90)}")
            _say("\nThe key in the second one never reached the disk. A later session asks:\n")
            for question in _QUESTIONS:
                _ask(store, question, known.id, str(project))
            _superseded(store, known.id, str(project))
    _say('\nThe temporary home is gone. Next: hardwon note "what you just learned", hardwon recall "a question".')


def _learned(project: str, root: str) -> list[Draft]:
    scope = Scope(project)
    key = "sk" + "-ant-api03-" + "Zm9yZXZlcnlvdW5n" * 5 + "AA"
    texts = [
        (Kind.LESSON, "`make test` hangs unless Redis runs: `docker compose up -d redis` first."),
        (Kind.FAILURE, f"The deploy failed: ANTHROPIC_API_KEY={key} was set in the shell, not in the pipeline."),
        (Kind.DECISION, "Sessions are kept in PostgreSQL."),
    ]
    drafts = [
        Draft(kind, body, scope, Trust.USER, "demo", anchors=anchors.named_in(body, root, root)) for kind, body in texts
    ]
    reasons = {
        "because": "one backup for everything",
        "rejected": (Rejected("Redis", "lost all sessions at a restart"),),
    }
    drafts[2] = Draft(Kind.DECISION, texts[2][1], scope, Trust.USER, "demo", **reasons)  # type: ignore[arg-type]
    return drafts


_QUESTIONS = (
    "why does make test hang?",
    "should we keep sessions in Redis?",
    "what colour should the logo have?",
)


def _ask(store: Store, question: str, project: str, root: str) -> None:
    asked = Question(question, (project, "*"), None, anchors.asked_about(question, root, root))
    found = recall(store, asked, context.now(), limit=1, budget=600)
    _say(f"  ? {question}")
    for item in found.items:
        because = f" Because: {item.ranked.memory.because}." if item.ranked.memory.because else ""
        _say(f"    {item.ranked.memory.short_id}  {plain.one_line(item.body, 100)}{because}")
    if found.silent:
        _say("    (silence: nothing fits)")


def _superseded(store: Store, project: str, root: str) -> None:
    _say("\nA month later the decision is amended; the old one stays as history and is no longer said:\n")
    old = memories.same_text(store, Scope(project), "Sessions are kept in PostgreSQL.")
    new = changes.note(
        store,
        Draft(Kind.DECISION, "Sessions are kept in signed cookies.", Scope(project), Trust.USER, "demo"),
        context.now(),
    )
    assert old is not None
    assert new.id is not None
    changes.supersede(store, old.id, new.id, context.now(), reason="no shared state any more")
    _ask(store, "where are sessions kept?", project, root)


def _say(text: str) -> None:
    print(text)
    sys.stdout.flush()
