"""The quiet line in the real Claude Code: the person's, and never the model's."""

from __future__ import annotations

from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import say

LINE = "hardwon told the agent: The staging deploy needs the VPN"


def test_the_person_is_shown_what_the_agent_was_told(claude: ClaudeCode, model: ModelServer) -> None:
    """Once it is switched on: the client writes it down as its own message and shows it; no request has it."""
    live = Live(claude)
    try:
        live.hardwon("config", "set", "recall.show_person", "on")
        live.awake()
        live.keep("The staging deploy needs the VPN")
        model.script(say("ok"), say("ok"))
        run = claude.run("how do I deploy to staging")
        assert run.code == 0
        assert "The staging deploy needs the VPN" in model.text_of(model.requests[0])
        records = [record.get("attachment") or {} for record in claude.transcript(run.session_id)]
        shown = [str(one.get("content", "")) for one in records if one.get("type") == "hook_system_message"]
        assert [text for text in shown if text.startswith(LINE)]
        run = claude.run("thank you", resume=run.session_id)
        assert not any("told the agent" in model.text_of(request) for request in model.requests)
    finally:
        live.close()
