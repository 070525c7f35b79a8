"""What each recorded message of Claude Code means."""

from __future__ import annotations

from typing import Any

from hardwon.event import EventType, Moment

PROJECT = "/home/user/project"
STARTED, PROMPTED, LOADED = EventType.SESSION_STARTED, EventType.PROMPT_SUBMITTED, EventType.SKILL_LOADED
STARTING, FINISHED, FAILED = EventType.TOOL_STARTING, EventType.TOOL_FINISHED, EventType.TOOL_FAILED
TURN, COMPACTING, COMPACTED, ENDED = (
    EventType.TURN_ENDED, EventType.COMPACTING, EventType.COMPACTED, EventType.SESSION_ENDED,
)  # fmt: skip
SKILL_FILE = f"{PROJECT}/.claude/skills/deploy-check/SKILL.md"
GIVEN = '{"q": "x"}'
"""What a server's tool was given: two calls of it differ by nothing else."""
SEARCHED = "select:mcp__mem__recall,mcp__mem__boom,mcp__mem__ask"


def told(type_: EventType, tool: str = "", target: str = "", text: str = "", **fields: Any) -> dict[str, Any]:
    """An event as the table has it; a text that ends in … is only a beginning."""
    blank = {"agent": "", "error": "", "exit_status": None}
    return blank | {"type": type_, "tool": tool, "target": target, "text": text} | fields


# What each recorded message says: the moment that it opens, its events, and the calls whose outcome it leaves open.
MEANS: dict[str, tuple[Moment | None, list[dict[str, Any]], list[dict[str, Any]]]] = {
    # The session
    "SessionStart-startup": (Moment.SESSION_START, [told(STARTED, text="startup")], []),
    "SessionStart-resume": (Moment.SESSION_START, [told(STARTED, text="resume")], []),
    "SessionStart-fork": (Moment.SESSION_START, [told(STARTED, text="fork")], []),
    "SessionStart-clear": (Moment.SESSION_START, [told(STARTED, text="clear")], []),
    "SessionStart-compact": (Moment.AFTER_COMPACTION, [told(STARTED, text="compact")], []),
    "SessionEnd-clear": (None, [told(ENDED, text="clear")], []),
    "SessionEnd-other": (None, [told(ENDED, text="other")], []),
    "SessionEnd-prompt_input_exit": (None, [told(ENDED, text="prompt_input_exit")], []),
    # What the user says
    "UserPromptSubmit": (Moment.PROMPT, [told(PROMPTED, text="go")], []),
    "UserPromptSubmit-slash": (Moment.PROMPT, [told(PROMPTED, text="/rev the code")], []),
    "UserPromptExpansion": (Moment.SKILL, [told(LOADED, "prompt", "rev", "the code")], []),
    # Before a call
    "PreToolUse-Bash": (Moment.BEFORE_ACTION, [told(STARTING, "Bash", "curl http://127.0.0.1:1/ | sh")], []),
    "PreToolUse-Bash-SKILLmd": (Moment.BEFORE_ACTION, [told(STARTING, "Bash", "printf -- '---\\nname: newskill…")], []),
    "PreToolUse-Bash-subagent": (
        Moment.BEFORE_ACTION, [told(STARTING, "Bash", "sleep 1.5; echo sub", agent="ae270e0416a6d2c2f")], [],
    ),
    "PreToolUse-Edit": (Moment.BEFORE_ACTION, [told(STARTING, "Edit", f"{PROJECT}/calc.py", "- a - b\n+ a + b")], []),
    "PreToolUse-Write": (Moment.BEFORE_ACTION, [told(STARTING, "Write", "/home/user/home/user/outside.txt", "x")], []),
    "PreToolUse-Read": (Moment.BEFORE_ACTION, [told(STARTING, "Read", f"{PROJECT}/subdir/z.py")], []),
    "PreToolUse-Read-SKILLmd": (Moment.BEFORE_ACTION, [told(STARTING, "Read", SKILL_FILE)], []),
    "PreToolUse-Skill": (Moment.BEFORE_ACTION, [told(STARTING, "Skill", "deploy-check")], []),
    "PreToolUse-Agent": (Moment.BEFORE_ACTION, [told(STARTING, "Agent", "bg")], []),
    "PreToolUse-ToolSearch": (Moment.BEFORE_ACTION, [told(STARTING, "ToolSearch", SEARCHED)], []),
    "PreToolUse-EnterWorktree": (Moment.BEFORE_ACTION, [told(STARTING, "EnterWorktree")], []),
    "PreToolUse-ExitWorktree": (Moment.BEFORE_ACTION, [told(STARTING, "ExitWorktree")], []),
    "PreToolUse-mcp__mem__ask": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__ask")], []),
    "PreToolUse-mcp__mem__boom": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__boom")], []),
    "PreToolUse-mcp__mem__recall": (Moment.BEFORE_ACTION, [told(STARTING, "mcp__mem__recall", GIVEN)], []),
    # After one that passed
    "PostToolUse-Bash": (None, [told(FINISHED, "Bash", "echo 1", "1")], []),
    "PostToolUse-Bash-SKILLmd": (None, [told(FINISHED, "Bash", "printf -- '---\\nname: newskill…")], []),
    "PostToolUse-Bash-subagent": (
        None, [told(FINISHED, "Bash", "sleep 1.5; echo sub", "sub", agent="ae270e0416a6d2c2f")], [],
    ),
    "PostToolUse-Edit": (None, [told(FINISHED, "Edit", f"{PROJECT}/calc.py", "- a - b\n+ a + b")], []),
    "PostToolUse-Write": (None, [told(FINISHED, "Write", f"{PROJECT}/new.txt", "hello\n")], []),
    "PostToolUse-Read": (None, [told(FINISHED, "Read", f"{PROJECT}/subdir/z.py")], []),
    "PostToolUse-Agent": (None, [told(FINISHED, "Agent", "bg", '{"isAsync": true, …')], []),
    "PostToolUse-ToolSearch": (None, [told(FINISHED, "ToolSearch", SEARCHED, '{"matches": …')], []),
    "PostToolUse-EnterWorktree": (None, [told(FINISHED, "EnterWorktree", "", '{"worktreePath": …')], []),
    "PostToolUse-ExitWorktree": (None, [told(FINISHED, "ExitWorktree", "", '{"action": "remove"…')], []),
    "PostToolUse-mcp__mem__ask": (None, [told(FINISHED, "mcp__mem__ask", "", 'elicited {"action": "cancel"}')], []),
    "PostToolUse-mcp__mem__recall": (None, [told(FINISHED, "mcp__mem__recall", GIVEN, 'RECALL-RESULT {"q": "x"}')], []),
    # A skill: by its tool, with what it is wanted for; by reading its file
    "PostToolUse-Skill": (
        Moment.SKILL,
        [told(FINISHED, "Skill", "deploy-check", '{"success": …'), told(LOADED, "Skill", "deploy-check", "prod now")],
        [],
    ),
    "PostToolUse-Read-SKILLmd": (
        Moment.SKILL, [told(FINISHED, "Read", SKILL_FILE), told(LOADED, "Read", "deploy-check")], [],
    ),
    # After one that failed
    "PostToolUseFailure-Bash": (
        Moment.AFTER_FAILURE,
        [told(FAILED, "Bash", "python3 -c 'import calc; assert calc.add(1,2)==3'",
              error="Exit code 1\nTraceback (most recent call last):…", exit_status=1)],
        [],
    ),
    "PostToolUseFailure-Bash-subagent": (
        Moment.AFTER_FAILURE,
        [told(FAILED, "Bash", "echo sub; exit 1", error="Exit code 1\nsub", exit_status=1, agent="a95580ec862761da2")],
        [],
    ),
    "PostToolUseFailure-Read": (
        Moment.AFTER_FAILURE, [told(FAILED, "Read", f"{PROJECT}/missing.txt", error="File does not exist. …")], [],
    ),
    "PostToolUseFailure-mcp__mem__boom": (Moment.AFTER_FAILURE, [told(FAILED, "mcp__mem__boom", error="BOOM-ERR")], []),
    # A batch alone tells of what was rejected; of the rest it can't say how it ended
    "PostToolBatch-Edit-error": (
        None,
        [told(FAILED, "Edit", f"{PROJECT}/calc.py", error="<tool_use_error>String to replace not found in file.\n…")],
        [],
    ),
    "PostToolBatch-Skill-error": (None, [told(FAILED, "Skill", "nomodel", error="<tool_use_error>Skill …")], []),
    "PostToolBatch-TaskCreate-error": (
        None, [told(FAILED, "TaskCreate", "desc", error="<tool_use_error>Error: No such tool …")], [],
    ),
    "PostToolBatch-TaskUpdate-error": (None, [told(FAILED, "TaskUpdate", error="<tool_use_error>Error: …")], []),
    "PostToolBatch-Bash": (
        None, [], [told(FAILED, "Bash", "curl http://127.0.0.1:1/ | sh", error="Auto mode is unavailable: …")],
    ),
    "PostToolBatch-Bash-multi": (
        None, [], [told(FAILED, "Bash", "echo A", error="A"), told(FAILED, "Bash", "false", error="Exit code 1")],
    ),
    "PostToolBatch-Bash-subagent": (
        None, [], [told(FAILED, "Bash", "sleep 1.5; echo sub", error="sub", agent="ae270e0416a6d2c2f")],
    ),
    "PostToolBatch-Edit": (None, [], [told(FAILED, "Edit", f"{PROJECT}/calc.py", error="The file …")]),
    "PostToolBatch-Write": (
        None, [], [told(FAILED, "Write", "/home/user/home/user/outside.txt", error="Claude requested permissions …")],
    ),
    "PostToolBatch-Read": (None, [], [told(FAILED, "Read", f"{PROJECT}/subdir/z.py", error="1\tx\n2\t")]),
    "PostToolBatch-Skill": (None, [], [told(FAILED, "Skill", "deploy-check", error="Launching skill: deploy-check")]),
    "PostToolBatch-Agent": (None, [], [told(FAILED, "Agent", "bg", error="Async agent launched …")]),
    "PostToolBatch-ToolSearch": (None, [], [told(FAILED, "ToolSearch", SEARCHED, error="…")]),
    "PostToolBatch-EnterWorktree": (None, [], [told(FAILED, "EnterWorktree", error="Created worktree at …")]),
    "PostToolBatch-ExitWorktree": (None, [], [told(FAILED, "ExitWorktree", error="Exited and removed …")]),
    "PostToolBatch-mcp__mem__ask": (None, [], [told(FAILED, "mcp__mem__ask", error="elicited …")]),
    "PostToolBatch-mcp__mem__boom": (None, [], [told(FAILED, "mcp__mem__boom", error="BOOM-ERR")]),
    "PostToolBatch-mcp__mem__recall": (None, [], [told(FAILED, "mcp__mem__recall", GIVEN, error="RECALL-RESULT …")]),
    # Turns and compaction; SubagentStop-compact is the client's own summariser
    "Stop": (None, [told(TURN, text="fin")], []),
    "Stop-bg": (None, [told(TURN, text="done main")], []),
    "Stop-hook_active": (None, [told(TURN, text="second")], []),
    "StopFailure-authentication_failed": (
        None, [told(TURN, text="Failed to authenticate. …", error="authentication_failed")], [],
    ),
    "StopFailure-server_error": (None, [told(TURN, text="API Error: 529 …", error="server_error")], []),
    "SubagentStart": (None, [], []),
    "SubagentStop": (
        None,
        [told(TURN, text="Sub answer: the bug is in add.", agent="a95580ec862761da2", tool="general-purpose")],
        [],
    ),
    "SubagentStop-bg": (
        None,
        [told(TURN, text="bg sub answer", agent="ae270e0416a6d2c2f", tool="general-purpose")],
        [],
    ),
    "SubagentStop-compact": (None, [], []),
    "PreCompact-auto": (None, [told(COMPACTING, text="auto")], []),
    "PreCompact-manual": (None, [told(COMPACTING, text="manual")], []),
    "PostCompact-auto": (None, [told(COMPACTED, text="<analysis>a</analysis><summary>AUTO-SUMMARY</summary>")], []),
    "PostCompact-manual": (None, [told(COMPACTED, text="<analysis>x</analysis><summary>SUMMARY-MARK: …")], []),
}  # fmt: skip

NOTHING_TO_US = frozenset({
    "ConfigChange", "CwdChanged", "Elicitation", "ElicitationResult", "FileChanged", "InstructionsLoaded",
    "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest", "PostModelSwitch", "PreModelSwitch",
    "Setup",
})  # fmt: skip
