from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.live.messages_server import ModelServer
from tests.live.steps import bash, fail, say, use

TOOLS = [{"name": "Bash"}]


def ask(model: ModelServer, *messages: Any, path: str = "/v1/messages", **fields: Any) -> Any:
    """The content of the answer to these messages; a text is one of the user's."""
    sent = [message if isinstance(message, dict) else {"role": "user", "content": message} for message in messages]
    body = json.dumps({"model": "m", "tools": TOOLS, "messages": sent, **fields}).encode()
    with urllib.request.urlopen(urllib.request.Request(model.url + path, body)) as answer:
        text = answer.read().decode()
    return text if fields.get("stream") else json.loads(text)["content"]


def test_the_script_is_followed(model: ModelServer) -> None:
    """Step by step; what comes after its end is counted."""
    model.script(use(bash("ls", id="a"), bash("pwd", id="b"), thinking="hm"), say("done"))
    assert [block["type"] for block in ask(model, "go")] == ["thinking", "tool_use", "tool_use"]
    assert model.left == 1
    assert ask(model, "go")[0]["text"] == "done"
    assert (model.left, model.overrun) == (0, 0)
    ask(model, "go")
    assert model.overrun == 1


def test_a_marker_has_its_own_script(model: ModelServer) -> None:
    """It is looked for in the first message only."""
    model.script(say("common"))
    model.script(say("marked"), marker="DIGGER")
    assert ask(model, "go", "say DIGGER")[0]["text"] == "common"
    assert ask(model, "DIGGER go", "more")[0]["text"] == "marked"


def test_titles_and_summaries_are_answered_on_the_side(model: ModelServer) -> None:
    """They do not use up the script."""
    model.script(say("done"))
    model.summary("They counted.")
    assert ask(model, "a title for this", tools=[])[0]["text"] == "A title"
    wish = "Your task is to create a detailed summary of the conversation so far"
    assert ask(model, "go", wish)[0]["text"] == "<summary>They counted.</summary>"
    assert ask(model, "go")[0]["text"] == "done"


def test_a_streamed_answer_has_the_same_content(model: ModelServer) -> None:
    """As the events that a client puts together."""
    model.script(use(bash("ls"), text="see"))
    streamed = ask(model, "go", stream=True)
    events = [json.loads(line[6:]) for line in streamed.splitlines() if line.startswith("data: ")]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert deltas[0] == {"type": "text_delta", "text": "see"}
    assert json.loads(deltas[1]["partial_json"])["command"] == "ls"
    assert events[-2]["delta"]["stop_reason"] == "tool_use"


def test_all_that_a_model_is_told(model: ModelServer) -> None:
    """The system prompt, every message, what tools answered, in order; and what of it is new."""
    call = {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "three"}]}
    told = [
        "one",
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result, {"type": "text", "text": "four"}]},
        {"role": "system", "content": "five"},
    ]
    ask(model, *told[:1], system=[{"type": "text", "text": "zero"}])
    ask(model, *told, system=[{"type": "text", "text": "zero"}])
    ask(model, "another conversation")
    first, second, other = model.requests
    assert model.text_of(second) == 'zero\none\n{"command": "ls"}\nthree\nfour\nfive'
    assert model.news_of(first) == "zero\none"
    assert model.news_of(second) == '{"command": "ls"}\nthree\nfour\nfive'
    assert model.news_of(other) == "another conversation"


def test_errors_and_slowness(model: ModelServer) -> None:
    """A status is answered as the service answers it, a delay is kept."""
    model.script(fail(529, "overloaded"), say("done", delay=0.2))
    with pytest.raises(urllib.error.HTTPError) as failed:
        ask(model, "go")
    with failed.value:
        assert (failed.value.code, json.load(failed.value)["error"]["message"]) == (529, "overloaded")
    began = time.monotonic()
    ask(model, "go")
    assert time.monotonic() - began > 0.2


def test_anything_else_is_refused_and_noted(model: ModelServer) -> None:
    """So that a test can tell that a client asked for nothing else."""
    with pytest.raises(urllib.error.HTTPError) as failed:
        ask(model, "go", path="/v1/messages/count_tokens")
    failed.value.close()
    assert model.unexpected == ["POST /v1/messages/count_tokens"]


def test_answers_are_prompt(model: ModelServer) -> None:
    """Two small writes would wait 40 ms for an acknowledgement each time."""
    times = []
    for _ in range(20):
        began = time.monotonic()
        ask(model, "go")
        times.append(time.monotonic() - began)
    assert min(times) < 0.03
