"""All sessions as one stream: in the order of time, each record once, and whatever the files are like."""

from __future__ import annotations

from pathlib import Path

from hardwon.clients.past_sessions import Log
from hardwon.rehearsal.opportunities import What
from hardwon.rehearsal.stream import Counts, merged, sources
from hardwon.rehearsal.transcript import Told
from tests.clients import sessions
from tests.rehearsal.past import id_of, logs, session, timed


def stream(folder: Path, counts: Counts | None = None) -> list[Told]:
    counts = counts or Counts()
    return list(merged(sources(logs(folder), counts), counts))


def commands(told: list[Told]) -> list[str]:
    return [one.happening.target for one in told if one.happening.what is What.CALL]


def test_sessions_that_overlap_are_told_in_the_order_of_time(tmp_path: Path) -> None:
    session(tmp_path, 1, 0, *sessions.passed("a", "one"), *sessions.passed("b", "four"), cwd=tmp_path)
    session(tmp_path, 2, 1.5 / 3600, *sessions.passed("c", "three"), cwd=tmp_path)
    told = stream(tmp_path)
    assert commands(told) == ["one", "three", "four"]
    times = [one.happening.at for one in told]
    assert times == sorted(times)
    assert [one.happening.what for one in told].count(What.BEGAN) == 2
    assert [one.happening.what for one in told].count(What.ENDED) == 2


def test_each_session_is_numbered_by_itself(tmp_path: Path) -> None:
    session(tmp_path, 1, 0, *sessions.passed("a", "one"), cwd=tmp_path)
    session(tmp_path, 2, 0, *sessions.passed("b", "two"), cwd=tmp_path)
    for number in (1, 2):
        own = [one.happening.number for one in stream(tmp_path) if one.happening.session == id_of(number)]
        assert own == [0, 1, 2, 3]


def test_a_result_is_read_whole_and_a_call_has_its_beginning(tmp_path: Path) -> None:
    """What the model saw decides whether an answer was in sight, also where the journal keeps only the bare fact."""
    records = sessions.call("a", "Read", {"file_path": "/shop/notes.md"}, "the port is 5433")
    session(tmp_path, 1, 0, *records, cwd=tmp_path)
    texts = {one.happening.what: one.happening.text for one in stream(tmp_path)}
    assert texts[What.PASSED] == "the port is 5433"
    assert "/shop/notes.md" in texts[What.CALL]


def test_a_fork_tells_its_parents_records_again(tmp_path: Path) -> None:
    """They are in its window, and are nothing that happened to it."""
    first = timed(0, sessions.passed("a", "one"))
    sessions.claude(tmp_path / f"{id_of(1)}.jsonl", id_of(1), tmp_path, *first)
    sessions.claude(tmp_path / f"{id_of(2)}.jsonl", id_of(2), tmp_path, *first, *timed(1, sessions.passed("b", "two")))
    counts = Counts()
    told = stream(tmp_path, counts)
    assert commands([one for one in told if not one.happening.is_repeat]) == ["one", "two"]
    assert counts.forked == {id_of(2)}


def test_a_line_that_is_half_there_is_counted(tmp_path: Path) -> None:
    path = session(tmp_path, 1, 0, *sessions.passed("a", "one"), *sessions.passed("b", "two"), cwd=tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    counts = Counts()
    told = stream(tmp_path, counts)
    assert commands(told) == ["one", "two"]
    assert [one.happening.what for one in told].count(What.PASSED) == 1
    assert counts.torn == 1


def test_a_last_line_that_only_lacks_its_end_is_whole(tmp_path: Path) -> None:
    """Whoever copies a session may cut its last line end off; nothing of it is missing."""
    path = session(tmp_path, 1, 0, *sessions.passed("a", "one"), *sessions.passed("b", "two"), cwd=tmp_path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    counts = Counts()
    told = stream(tmp_path, counts)
    assert [one.happening.what for one in told].count(What.PASSED) == 2
    assert counts.torn == 0


def test_a_line_that_is_no_record_hides_nothing(tmp_path: Path) -> None:
    path = session(tmp_path, 1, 0, *sessions.passed("a", "one"), cwd=tmp_path)
    path.write_bytes(path.read_bytes() + b'{"type":"user","message":\n' + b"\x00\xff\n")
    counts = Counts()
    assert commands(stream(tmp_path, counts)) == ["one"]
    assert counts.strange == 1


def test_a_session_that_is_resumed_goes_on_where_it_was(tmp_path: Path) -> None:
    """In the same file, a day later: it is one session, and another one that was meanwhile stands between its parts."""
    parts = [*timed(0, sessions.passed("a", "one")), *timed(24, sessions.passed("c", "three"))]
    sessions.claude(tmp_path / f"{id_of(1)}.jsonl", id_of(1), tmp_path, *parts)
    session(tmp_path, 2, 5, *sessions.passed("b", "two"), cwd=tmp_path)
    told = stream(tmp_path)
    assert commands(told) == ["one", "two", "three"]
    own = [one.happening for one in told if one.happening.session == id_of(1)]
    assert [one.number for one in own] == [0, 1, 2, 3, 4, 5]
    assert [one.what for one in own].count(What.BEGAN) == 1


def test_a_compaction_is_told_with_its_summary(tmp_path: Path) -> None:
    summary = {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "so far: the cart"}}
    session(tmp_path, 1, 0, *sessions.passed("a", "one"), summary, *sessions.passed("b", "two"), cwd=tmp_path)
    counts = Counts()
    compacted = [one for one in stream(tmp_path, counts) if one.happening.what is What.COMPACTED]
    assert [one.happening.text for one in compacted] == ["so far: the cart"]
    assert counts.compacted == 1


def test_a_sub_agents_file_is_part_of_its_session(tmp_path: Path) -> None:
    session(tmp_path, 1, 0, *sessions.passed("a", "one"), *sessions.passed("c", "three"), cwd=tmp_path)
    below = tmp_path / id_of(1) / "subagents" / "agent-7.jsonl"
    own = timed(1.5 / 3600, sessions.passed("b", "two"))
    sessions.claude(below, id_of(1), tmp_path, *({**one, "isSidechain": True, "agentId": "7"} for one in own))
    counts = Counts()
    told = stream(tmp_path, counts)
    assert commands(told) == ["one", "two", "three"]
    assert {one.happening.session for one in told} == {id_of(1)}
    assert [one.happening.agent for one in told if one.happening.what is What.CALL] == ["", "7", ""]
    assert counts.sub_agents == 1


def test_a_refusal_is_told_with_the_persons_words(tmp_path: Path) -> None:
    said = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, "
        "the user said:\nuse the staging database"
    )
    session(tmp_path, 1, 0, *sessions.call("a", "Bash", {"command": "psql"}, said, wrong=True), cwd=tmp_path)
    refused = [one for one in stream(tmp_path) if one.happening.what is What.REFUSED]
    assert [one.happening.text for one in refused] == ["use the staging database"]


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    path = session(tmp_path, 1, 0, *sessions.passed("a", "one"), cwd=tmp_path)
    counts = Counts()
    gone = Log("claude-code", tmp_path / "gone.jsonl")
    found = sources([*logs(tmp_path), gone], counts)
    assert [one.path for one in found] == [path]
    assert counts.unreadable == [f"{gone.path}: No such file or directory"]


def test_a_file_without_anything_in_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"type":"summary","sessionId":"x"}\n')
    counts = Counts()
    assert sources(logs(tmp_path), counts) == []
    assert counts.empty == [str(path)]


def test_a_session_in_which_the_program_spoke_is_known(tmp_path: Path) -> None:
    hook = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": '<hardwon moment="x">'}}
    session(tmp_path, 1, 0, hook, *sessions.passed("a", "one"), cwd=tmp_path)
    counts = Counts()
    stream(tmp_path, counts)
    assert counts.spoke == {id_of(1)}


def test_codex_rollouts_are_read_too(tmp_path: Path) -> None:
    recorded = Path(__file__).parents[1] / "clients" / "codex" / "transcripts" / "rollout-exec-failures.jsonl"
    (tmp_path / "rollout.jsonl").write_bytes(recorded.read_bytes())
    told = stream(tmp_path)
    assert commands(told)
    assert {one.host for one in told if one.event} == {"codex"}
