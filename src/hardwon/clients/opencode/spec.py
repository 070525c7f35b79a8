from __future__ import annotations

from hardwon.clients.client import Client, Delivery, Reaches, Skills
from hardwon.event import Moment

_FOLDERS = (".opencode/skills", ".opencode/skill")
DELIVERY = {
    Moment.SESSION_START: Delivery(Reaches.AT_ONCE, "a part of the first prompt (chat.message)"),
    Moment.AFTER_COMPACTION: Delivery(Reaches.AT_ONCE, "the end of the summary (experimental.text.complete)"),
    Moment.PROMPT: Delivery(Reaches.AT_ONCE, "a part of the prompt (chat.message)"),
    Moment.SKILL: Delivery(
        Reaches.AT_ONCE, "the skill's own result (tool.execute.after), or the command's text (command.execute.before)"
    ),
    Moment.AFTER_FAILURE: Delivery(
        Reaches.AT_ONCE, "the command's own result (tool.execute.after); of a call that threw, the next result"
    ),
    Moment.BEFORE_ACTION: Delivery(Reaches.WITH_RESULT, "the call's result; a denial is thrown (tool.execute.before)"),
}

CLIENT = Client(
    name="opencode",
    title="OpenCode",
    package="hardwon.clients.opencode",
    modules=frozenset({"messages", "recipe"}),
    delivery=DELIVERY,
    skills=Skills(
        in_project=_FOLDERS, in_home=(*_FOLDERS, ".config/opencode/skills", ".config/opencode/skill"), own=".opencode"
    ),
    settings=".config/opencode",
    instructions=("AGENTS.md", "CLAUDE.md"),
    marks=("OPENCODE",),
    programs=("opencode",),
    tested="1.18.33",
)
