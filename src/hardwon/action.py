"""What an agent does, in no client's words.

Each client calls its tools as it likes; where its messages come in they get these names. The journal holds them, so
they never change: they are those of the client that was there first.
"""

from __future__ import annotations

SHELL = "Bash"
READ = "Read"
EDIT = "Edit"
WRITE = "Write"
SEARCH = "Grep"
FIND = "Glob"
LIST = "LS"
SKILL = "Skill"
AGENT = "Task"
"""A part of the work given to another agent."""
PLAN = "ExitPlanMode"
"""A plan put before the person."""
QUESTION = "AskUserQuestion"
TODOS = "TodoWrite"

EDITS = frozenset({EDIT, WRITE, "MultiEdit", "NotebookEdit"})
"""They change a file that they name."""
CHANGES = EDITS | {SHELL}
FILES = EDITS | {READ}
SEARCHES = frozenset({SEARCH, FIND, LIST})
LOOKS = (
    SEARCHES
    | {READ, "WebFetch", "WebSearch", "NotebookRead", "ToolSearch"}
    # as other clients called them before their names were put into these
    | {"read", "glob", "grep", "ls", "list", "find", "webfetch", "websearch", "web_fetch", "web_search"}
    | {"read_file", "read_many_files", "list_dir", "list_directory", "list_files", "grep_files", "grep_search"}
    | {"file_search", "search_files", "search_file_content", "codebase_search", "google_web_search", "view_image"}
)
"""They change nothing."""
LISTS = frozenset({TODOS, "todowrite", "update_plan", "write_todos"})
"""The whole list of what there is to do."""
TASKS = frozenset({"TaskCreate", "TaskUpdate"})
"""One entry of such a list."""
PLANS = LISTS | TASKS | {PLAN}
BOOKKEEPING = frozenset({"TodoRead", "TaskList", "TaskGet", "todoread"})
AGENTS = frozenset({AGENT, "Agent"})
