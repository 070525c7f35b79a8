"""OpenCode's messages: what its plugin passes on from each hook is understood, and what is none is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.kilo import messages as kilo
from hardwon.clients.opencode import messages as opencode
from hardwon.clients.opencode.messages import hear, speak
from hardwon.event import Event, EventType, Heard, Moment, Reply

AT = 1_794_733_400_000
FOLDER = Path(__file__).with_name("opencode")
"""What the hooks of the real client were given, recorded from 1.18.33; its paths were made neutral."""


def recorded(hook: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{hook}.json").read_text("utf-8"))
    return found


def sent(**more: Any) -> bytes:
    """As the plugin sends it."""
    common = {"session": "ses_1", "agent": "", "prompt": "msg_1", "directory": "/home/user/project", "at": AT - 5}
    return json.dumps(common | {"origin": ""} | more).encode()


def heard(event_name: str, **more: Any) -> Heard:
    return hear(event_name, sent(**more), AT)


def after(tool: str) -> dict[str, Any]:
    """A recorded call that came back, as the plugin passes it on."""
    one = next(one for one in recorded("tool.execute.after") if one["input"]["tool"] == tool)
    return {**one["input"], "result": one["output"]}


def only(said: Heard) -> Event:
    (event,) = said.events
    return event


def test_where_it_comes_from_is_in_each_event() -> None:
    """Session, sub-agent, prompt and folder; it happened when the plugin says, which may have waited for a daemon."""
    event = only(heard("session.idle", said="done", properties={}))
    assert (event.host, event.session, event.agent, event.prompt) == ("opencode", "ses_1", "", "msg_1")
    assert (event.cwd, event.at, event.text) == ("/home/user/project", AT - 5, "done")


@pytest.mark.parametrize("at", [AT + 1, AT - 2 * opencode.OLDEST, "now", None])
def test_a_time_that_can_not_be_is_not_believed(at: Any) -> None:
    """Then it happened when it was heard of."""
    assert only(heard("session.idle", said="", at=at)).at == AT


def test_kilo_is_another_client_with_the_same_messages() -> None:
    """What it tells is kept as its own."""
    assert only(kilo.hear("session.idle", sent(said="done"), AT)).host == "kilo"


@pytest.mark.parametrize(
    ("name", "text", "moment"),
    [("session.created", "startup", Moment.SESSION_START), ("session.resumed", "resume", Moment.SESSION_START)],
)
def test_a_session_begins(name: str, text: str, moment: Moment) -> None:
    """A new one, or one that goes on in a new process."""
    said = heard(name)
    assert (only(said).type, only(said).text, said.moment) == (EventType.SESSION_STARTED, text, moment)


def test_a_prompt_is_what_the_person_wrote() -> None:
    """Without the quotes that `opencode run` puts around it, and without what the client or hardwon adds."""
    said = [heard("chat.message", parts=one["output"]["parts"], command=None) for one in recorded("chat.message")]
    assert [only(one).text for one in said][:4] == [
        "SCENARIO:multi go",
        "SCENARIO:compact go",
        "SCENARIO:boom go",
        "SCENARIO:mcp",
    ]
    assert {one.moment for one in said} == {Moment.PROMPT}
    added = [{"type": "text", "text": "go on"}, {"type": "text", "text": "from the client", "synthetic": True}]
    assert only(heard("chat.message", parts=added)).text == "go on"


def test_a_sub_agent_is_no_person() -> None:
    """What it was asked to do is nobody's prompt."""
    assert heard("chat.message", agent="ses_2", parts=[{"type": "text", "text": "look around"}]) == Heard()


def test_who_wrote_a_prompt_is_kept() -> None:
    """A program, where the plugin sees that one started the client."""
    parts = [{"type": "text", "text": "go on"}]
    assert only(heard("chat.message", parts=parts, origin="program")).origin == "program"


def test_of_a_command_the_person_wrote_its_name() -> None:
    """Not the text that the client makes of it."""
    (one,) = recorded("command.execute.before")
    typed = {"name": "deploy", "words": one["input"]["arguments"]}
    prompt = only(heard("chat.message", parts=one["output"]["parts"], command=typed))
    assert prompt.text == "/deploy SCENARIO:hello please"


def test_a_skill_that_is_typed_is_loaded() -> None:
    """With what was typed behind it; another command loads none."""
    (one,) = recorded("command.execute.before")
    given = {"command": "deploy", "arguments": one["input"]["arguments"]}
    said = heard("command.execute.before", **given, parts=one["output"]["parts"])
    loaded = only(said)
    assert (loaded.type, loaded.target, loaded.text) == (EventType.SKILL_LOADED, "deploy", "SCENARIO:hello please")
    assert said.moment is Moment.SKILL
    assert heard("command.execute.before", **given, parts=[{"type": "text", "text": "Review it."}]) == Heard()


def test_each_recorded_call_is_known_by_what_it_does() -> None:
    """In no client's words, with what it was pointed at; a folder of its own is where it ran."""
    calls = [{**one["input"], "args": one["output"]["args"]} for one in recorded("tool.execute.before")]
    told = [only(heard("tool.execute.before", **call, servers=["mem"])) for call in calls]
    assert [(event.tool, event.target) for event in told] == [
        ("Bash", "ls /nonexistent-dir"),
        ("Read", "/home/user/project/hello.txt"),
        ("Edit", "/home/user/project/hello.txt"),
        ("Skill", "deploy"),
        ("ctx_skill_note", ""),
        ("mcp__mem__recall", '{"skill": "deploy"}'),
        ("Task", "sub"),
    ]
    assert told[2].text == "- hello\n+ goodbye"
    elsewhere = {"command": "ls", "workdir": "/srv/other"}
    assert only(heard("tool.execute.before", tool="bash", callID="c", args=elsewhere)).cwd == "/srv/other"


def test_a_patch_is_an_edit_of_the_file_that_it_names() -> None:
    """The first of them, with all that it changes."""
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-old\n+new\n*** End Patch"
    event = only(heard("tool.execute.before", tool="apply_patch", callID="c", args={"patchText": patch}))
    assert (event.tool, event.target, event.text) == ("Edit", "src/a.py", patch)


def test_a_command_that_failed() -> None:
    """It came back like any other: its exit status says it."""
    said = heard("tool.execute.after", **after("bash"))
    failed = only(said)
    assert (failed.type, failed.exit_status, failed.call) == (EventType.TOOL_FAILED, 2, "call_20_0")
    assert failed.error.startswith("ls: cannot access")
    assert said.moment is Moment.AFTER_FAILURE


def test_a_call_that_passed() -> None:
    """An edit by what it changed, a look by nothing, a server's tool by its answer."""
    told = [heard("tool.execute.after", **after(tool), servers=["mem"]) for tool in ("edit", "read", "mem_recall")]
    assert [one.moment for one in told] == [None, None, None]
    assert [only(one).text for one in told[:2]] == ["- hello\n+ goodbye", ""]
    assert only(told[2]).text.startswith("MCP-RECALL")
    assert only(told[2]).tool == "mcp__mem__recall"


def test_a_list_of_what_there_is_to_do() -> None:
    """Each entry with how far it is."""
    todos = [{"content": "Write it", "status": "completed"}, {"content": "Test it", "status": "pending"}]
    given = {"tool": "todowrite", "callID": "c", "args": {"todos": todos}, "result": {"output": "…", "metadata": {}}}
    assert only(heard("tool.execute.after", **given)).text == "[x] Write it\n[ ] Test it"


def test_a_skill_is_loaded_for_something() -> None:
    """By its tool, or by reading its file; one that is built into the client is none of the person's."""
    said = heard("tool.execute.after", **after("skill"))
    assert [(event.type, event.target, event.text) for event in said.events] == [
        (EventType.TOOL_FINISHED, "deploy", ""),
        (EventType.SKILL_LOADED, "deploy", "ship v2 to staging"),
    ]
    assert said.moment is Moment.SKILL
    read = after("read")
    read["args"] = {"filePath": "/home/user/project/.opencode/skill/deploy/SKILL.md"}
    assert heard("tool.execute.after", **read).events[-1].target == "deploy"
    built_in = after("skill")
    built_in["result"]["metadata"]["dir"] = "."
    assert heard("tool.execute.after", **built_in).moment is None


def failed_part(tool: str, error: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": tool, "callID": "c", "state": {"status": "error", "input": given, "error": error}}


def test_a_call_that_threw() -> None:
    """Nothing but its part tells of it."""
    part = failed_part("edit", "Could not find oldString in the file.", filePath="a.txt", oldString="x", newString="y")
    said = heard("message.part.updated", part=part)
    assert (only(said).type, only(said).tool, only(said).target) == (EventType.TOOL_FAILED, "Edit", "a.txt")
    assert said.moment is Moment.AFTER_FAILURE


@pytest.mark.parametrize(
    ("tool", "error"),
    [
        ("bash", "The user rejected permission to use this specific tool call."),
        ("bash", "The user has specified a rule which prevents you from using this specific tool call."),
        ("question", "The user dismissed this question"),
        ("bash", "Tool execution aborted"),
        ("invalid", "Model tried to call unavailable tool 'frobnicate'"),
    ],
)
def test_what_a_person_stopped_did_not_fail(tool: str, error: str) -> None:
    """Nor did a tool that is none."""
    assert heard("message.part.updated", part=failed_part(tool, error)) == Heard()


def test_a_turn_ends_once_and_says_what_went_wrong() -> None:
    """The client tells of an idle session several times, and after an error, too: all of it is one end."""
    error = next(one for one in recorded("event") if one["type"] == "session.error")
    broke = only(heard("session.error", said="", properties=error["properties"]))
    assert broke.error == "bad request fake"
    assert broke.key == only(heard("session.idle", said="", at=AT - 1)).key
    stopped = {"error": {"name": "MessageAbortedError", "data": {"message": "Aborted"}}}
    assert only(heard("session.error", said="so far", properties=stopped)).error == ""


def test_a_compaction() -> None:
    """It begins, and what is summed up is kept; the session goes on in a new window."""
    assert only(heard("experimental.session.compacting")).type is EventType.COMPACTING
    said = heard("session.compacted", summary="They counted.")
    assert [(event.type, event.text) for event in said.events] == [
        (EventType.COMPACTED, "They counted."),
        (EventType.SESSION_STARTED, "compact"),
    ]
    assert said.moment is Moment.AFTER_COMPACTION


def test_a_session_that_ends_in_a_turn() -> None:
    """What was said last is not lost with it."""
    kinds = [event.type for event in heard("dispose", said="all done").events]
    assert kinds == [EventType.TURN_ENDED, EventType.SESSION_ENDED]
    assert only(heard("dispose", said="")).type is EventType.SESSION_ENDED


@pytest.mark.parametrize("payload", [b"", b"[]", b"null", b"{}", sent(session=""), sent(session=7), sent(prompt=None)])
def test_what_is_no_message_is_an_error(payload: bytes) -> None:
    """It is counted, and harms nobody."""
    with pytest.raises(ValueError, match=r"chat\.message"):
        hear("chat.message", payload, AT)


def test_an_unknown_event_is_nothing() -> None:
    """A newer client may have more of them."""
    assert not opencode.knows("session.diff")
    assert hear("session.diff", b"?", AT) == Heard()


def test_a_reply_is_what_there_is_of_it() -> None:
    """The plugin knows where each of it goes; silence is no bytes."""
    assert json.loads(speak("tool.execute.before", Reply(stop="not again"))) == {"stop": "not again"}
    assert json.loads(speak("chat.message", Reply("look", notice="1 said"))) == {"text": "look", "notice": "1 said"}
    assert speak("chat.message", Reply()) == b""
