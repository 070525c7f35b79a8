"""The variables of the tools that hardwon replaces, apart from those that ``keys`` takes as aliases.

Somebody who moves over still has them set. Their folders and files can be imported from, and are never our own store;
the others do nothing here, and whoever relies on one should hear it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardwon.settings.keys import KEYS

IMPORT_SOURCES = {
    "AI_MEMORY_HOME": "hardwon import fireworks",
    "AI_MEMORY_SKILLS_DIR": "hardwon import fireworks",
    "AI_MEMORY_GLOBAL_FILE": "hardwon import fireworks",
    "SKILLS_KNOWLEDGE_DIR": "hardwon import fireworks",
    "CLAUDE_PROJECTS_DIR": "hardwon learn",
}
"""Each with the command that reads it where no path is given."""
UNUSED = (
    "MIN_TOOL_CALLS",
    "SKILLS_DISTILLER_BACKEND",
    "SKILLS_DISTILLER_DEBUG",
    "SKILLS_DISTILLER_LOG",
    "SKILLS_KNOWLEDGE_MODEL",
    "SKILLS_MEMORY_LOG",
    "SKILLS_SEEDS_DIR",
    "SKILLS_STATS_FILE",
    "TRANSCRIPT_LINES",
)
UNUSED_PREFIX = "CODEMEMORY_"


def remarks(environ: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each variable that is set and is not what its owner may take it for."""
    aliases = {key.alias for key in KEYS.values()}
    for variable in environ:
        if not environ[variable].strip():
            continue
        if variable in IMPORT_SOURCES:
            yield f"{variable} is read only by `{IMPORT_SOURCES[variable]}`, and is never our store"
        elif variable in UNUSED or (variable.startswith(UNUSED_PREFIX) and variable not in aliases):
            yield f"{variable} is set, and hardwon does not use it"
