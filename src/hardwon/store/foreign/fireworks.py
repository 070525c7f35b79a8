"""The files of fireworks-skill-memory: one folder per skill, and one for what holds everywhere.

They may lie in its own home, in Codex's, and in Claude Code's skill folders from before; all are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardwon.clients.skills import parts_of
from hardwon.store.foreign import Gathered, knowledge_file
from hardwon.store.foreign.knowledge_file import CHECKPOINTS

LAYOUT = "skills/<name>/KNOWLEDGE.md, <name>/KNOWLEDGE.md, global/KNOWLEDGE.md and CHECKPOINTS.md beside them"
_OF_A_SKILL = ("KNOWLEDGE.md", CHECKPOINTS)


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    skill: str | None
    """None: it holds for every skill."""


def usual_places(environ: Mapping[str, str], user: Path) -> list[Path]:
    """Where its files lie on a machine where nothing else is said."""
    codex = Path(environ.get("CODEX_HOME") or user / ".codex")
    homes = [codex / "memories" / "fireworks-skill-memory", user / ".ai-memory"]
    if own := environ.get("AI_MEMORY_HOME"):
        homes.insert(0, Path(own).expanduser())
    return homes


def knowledge_files(skill: str, environ: Mapping[str, str], user: Path) -> list[Path]:
    """Where its lessons of one skill may lie, in the order in which it looked: its legacy folder, then its homes."""
    if not (parts := parts_of(skill)):
        return []
    name = "__".join(parts[1]) if not parts[0] else ""
    before = environ.get("SKILLS_KNOWLEDGE_DIR")
    folders = [Path(before).expanduser() if before else user / ".claude" / "skills"]
    if shared := environ.get("AI_MEMORY_SKILLS_DIR"):
        folders.append(Path(shared).expanduser())
    folders += [home / "skills" for home in usual_places(environ, user)]
    return [folder / name / "KNOWLEDGE.md" for folder in folders if name]


def gather(folder: Path | None, environ: Mapping[str, str], user: Path) -> Gathered:
    """Everything in this folder, or in the usual places."""
    sources = _in_folder(folder) if folder else _in_usual_places(environ, user)
    gathered = Gathered()
    seen: set[Path] = set()
    for source in sources:
        whole = source.path.resolve()
        if whole not in seen:
            seen.add(whole)
            knowledge_file.read(source.path, source.skill, gathered)
    return gathered


def _in_usual_places(environ: Mapping[str, str], user: Path) -> Iterator[Source]:
    for home in usual_places(environ, user):
        yield from _in_home(home)
    if shared := environ.get("AI_MEMORY_SKILLS_DIR"):
        yield from _in_skills(Path(shared).expanduser(), is_shared=True)
    claude = user / ".claude"
    before = environ.get("SKILLS_KNOWLEDGE_DIR")
    yield from _in_skills(Path(before).expanduser() if before else claude / "skills")
    if everywhere := environ.get("AI_MEMORY_GLOBAL_FILE"):
        yield from _if_there(Path(everywhere).expanduser(), None)
    yield from _if_there(claude / "skills-knowledge.md", None)


def _in_folder(folder: Path) -> Iterator[Source]:
    """A home of its own, a folder of skills, or the folder of one skill."""
    yield from _in_home(folder)
    if folder.name != "global":
        yield from _in_skills(folder)
    for name in _OF_A_SKILL:
        yield from _if_there(folder / name, None if folder.name == "global" else _plain(folder.resolve().name))


def _in_home(home: Path) -> Iterator[Source]:
    yield from _if_there(home / "global" / "KNOWLEDGE.md", None)
    yield from _in_skills(home / "skills", is_shared=True)


def _in_skills(folder: Path, *, is_shared: bool = False) -> Iterator[Source]:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
    except OSError:
        return
    for name in names:
        for file in _OF_A_SKILL:
            if name != "global":
                yield from _if_there(folder / name / file, _plain(name) if is_shared else name)


def _plain(folder: str) -> str:
    """The skill behind a folder's name: there a slash was written as two underscores."""
    return folder.replace("__", "/")


def _if_there(path: Path, skill: str | None) -> Iterator[Source]:
    if path.is_file():
        yield Source(path, skill)
