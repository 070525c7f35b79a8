"""How much of an event is worth keeping: all of it, its outline, the bare fact, or nothing."""

from __future__ import annotations

from hardwon.event import Event, EventType, Tier
from hardwon.project import relative_file

FILE_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "Read"})
CHANGES = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "Bash"})
LOOKS = frozenset({"Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "NotebookRead", "ToolSearch"})
BOOKKEEPING = frozenset({"TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "ExitPlanMode"})

LONGEST = {Tier.FULL: 8_000, Tier.OUTLINE: 2_000, Tier.FACT: 0, Tier.NOTHING: 0}
LONGEST_TARGET = 2_000


def tier(event: Event) -> Tier:
    """The seed's scale: what a person said and what failed in full, changes in outline, looks as a fact."""
    match event.type:
        case EventType.TOOL_STARTING | EventType.SKILL_LOADING:
            return Tier.NOTHING
        case EventType.TOOL_FAILED | EventType.PROMPT_SUBMITTED | EventType.COMPACTED:
            return Tier.FULL
        case EventType.TOOL_FINISHED if event.tool in BOOKKEEPING:
            return Tier.NOTHING
        case EventType.TOOL_FINISHED if event.tool in LOOKS:
            return Tier.FACT
        case _:
            return Tier.OUTLINE


def clip(text: str, longest: int) -> str:
    """The beginning and the end, where the telling lines are."""
    if len(text) <= longest:
        return text
    if longest < 100:
        return ""
    head = longest // 3
    return f"{text[:head]}\n[…]\n{text[-(longest - head - 5) :]}"


def target(event: Event, root: str) -> str:
    """A file as the project knows it, anything else as it is."""
    if event.tool in FILE_TOOLS and root:
        return relative_file(event.target, root, event.cwd)
    return event.target
