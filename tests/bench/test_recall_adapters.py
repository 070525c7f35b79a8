"""The adapters of `hardwon bench recall`: what they make of a file, and what they say of one that is not theirs."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.recall import names, sets

from hardwon.evaluation import command, commits, locomo, longmemeval, own_sets, sde_bench, transcripts
from hardwon.evaluation.corpus import BadData
from tests.clients import sessions

LOCOMO: list[dict[str, Any]] = [
    {
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a kayak."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a lake"},
            ],
            "session_2_date_time": "9:05 am on 10 May, 2023",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "It sank."}],
            "session_3_date_time": "9:05 am on 11 May, 2023",
        },
        "qa": [
            {"question": "What did Ann buy?", "category": 4, "evidence": ["D1:1"]},
            {"question": "What became of it?", "category": 1, "evidence": ["D1:1; D2:01", "D"]},
            {"question": "What did nobody say?", "category": 5, "evidence": ["D1:2"]},
            {"question": "Without evidence?", "category": 2, "evidence": []},
        ],
    }
]


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    return path


def test_locomo(tmp_path: Path) -> None:
    """Turns with their speakers, times and captions; only questions that have an answer and name it."""
    data = locomo.load(written(tmp_path / "locomo.json", LOCOMO), [1])
    (corpus,) = data.corpora
    assert [(one.id, one.session, one.author, one.role) for one in corpus.documents] == [
        ("D1:1", "session_1", "Ann", "user"),
        ("D1:2", "session_1", "Ben", "agent"),
        ("D2:1", "session_2", "Ann", "user"),
    ]
    assert corpus.documents[1].said == "Ben: Look! [a photo of a lake]"
    assert corpus.documents[0].at == 1_683_554_160_000
    assert corpus.documents[0].at < corpus.documents[1].at < corpus.documents[2].at
    assert [(one.text, set(one.gold), one.kind) for one in corpus.questions] == [
        ("What did Ann buy?", {"D1:1"}, "one turn"),
        ("What became of it?", {"D1:1", "D2:1"}, "several turns"),
    ]


LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which degree did I graduate with?",
        "answer": "Business",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "What is for dinner?"}, {"role": "assistant", "content": "Soup."}],
            [
                {"role": "user", "content": "I graduated with a degree in Business.", "has_answer": True},
                {"role": "assistant", "content": "Congratulations!", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["s2"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "Which car do I own?",
        "answer": "You did not say.",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [[{"role": "user", "content": "What is for dinner?"}]],
        "answer_session_ids": [],
    },
]


def test_longmemeval(tmp_path: Path) -> None:
    """Each question has its own sessions; turns and sessions that answer; those without an answer are left out."""
    data = longmemeval.load(written(tmp_path / "longmemeval_s.json", LONGMEMEVAL))
    (corpus,) = data.corpora
    (question,) = corpus.questions
    assert [(one.id, one.role, one.text) for one in corpus.documents[1:3]] == [
        ("s1/1", "agent", "Soup."),
        ("s2/0", "user", "I graduated with a degree in Business."),
    ]
    assert (set(question.gold), set(question.sessions), question.kind) == ({"s2/0"}, {"s2"}, "single-session-user")
    assert question.at == 1_685_490_000_000 > max(one.at for one in corpus.documents)


def test_longmemeval_is_measured_on_turns_and_on_sessions(tmp_path: Path) -> None:
    """Its file goes through production search; the right turn and the right session come first."""
    wanted = command.Wanted(longmemeval=written(tmp_path / "longmemeval_s.json", LONGMEMEVAL))
    (result,) = command.measure(wanted, None, lambda _: None).as_json()["data"]
    ours = result["methods"]["hardwon, words"]
    assert {name: ours[name]["value"] for name in ("session R@5", "session hit@5", "R@5")} == {
        "session R@5": 1.0,
        "session hit@5": 1.0,
        "R@5": 1.0,
    }


def sde_bench_clone(folder: Path) -> Path:
    """Three tasks and four other talks, in the form of the authors' repository."""

    def talk(*texts: str) -> list[dict[str, str]]:
        return [{"role": "assistant" if place % 2 else "user", "text": text} for place, text in enumerate(texts)]

    def task(name: str, source: str, *talks: Any) -> None:
        path = folder / f"boltons-{name}" / "tasks" / "main" / "task.json"
        path.parent.mkdir(parents=True)
        written(
            path,
            {"task_id": name, "source": source, "category": "numeric-policy", "conversations": talks}
            | {"bug_report": "Orders are refunded twice when the gateway times out. Fix the refund limit."},
        )

    (folder / "gen").mkdir(parents=True)
    others = [{"id": f"decoy-{number}", "turns": talk(f"About docs {number}?", "Sphinx.")} for number in range(4)]
    written(folder / "gen" / "decoy_conversations.json", others)
    settled = talk("How often may we refund an order?", "Settled: the refund limit is two per order.")
    task("once", "conversation", *settled)
    task("amended", "conversation-amended", settled, talk("The refund limit has to go down.", "One refund per order."))
    task("in-a-commit", "history")
    return folder


def test_sde_bench(tmp_path: Path) -> None:
    """A question for each task that was settled in talks, among the other talks; the last talk is right, those before
    it are outdated, and what was settled in a commit is left out."""
    once, amended = sde_bench.load(sde_bench_clone(tmp_path))
    (corpus,) = once.corpora
    assert list(dict.fromkeys(one.session for one in corpus.documents)) == [
        "other 0", "other 1", "its own 0", "other 2", "other 3",
    ]  # fmt: skip
    (question,) = corpus.questions
    assert question.text.startswith("Orders are refunded twice")
    assert (set(question.gold), question.outdated) == ({"its own 0/0", "its own 0/1"}, frozenset())
    (corpus,) = amended.corpora
    assert list(dict.fromkeys(one.session for one in corpus.documents)) == [
        "other 0", "other 1", "its own 0", "other 2", "other 3", "its own 1",
    ]  # fmt: skip
    times = [one.at for one in corpus.documents]
    assert times == sorted(set(times))
    (question,) = corpus.questions
    assert {one.partition("/")[0] for one in question.gold} == {"its own 1"}
    assert {one.partition("/")[0] for one in question.outdated} == {"its own 0"}


def test_sde_bench_is_measured_on_talks(tmp_path: Path) -> None:
    """Its tasks go through production search, and what counts is which talk comes first."""
    wanted = command.Wanted(sde_bench=sde_bench_clone(tmp_path))
    once, amended = command.measure(wanted, None, lambda _: None).as_json()["data"]
    assert once["methods"]["hardwon, words"]["session hit@1"]["value"] == 1.0
    assert amended["questions"] == 1
    assert set(amended["methods"]["hardwon, words"]) == {
        "session hit@1", "session hit@5", "session MRR", "session before",
    }  # fmt: skip


def test_what_is_no_clone_of_sde_bench_is_refused(tmp_path: Path) -> None:
    """It is said what is missing: the other talks, tasks, or their form."""
    with pytest.raises(BadData, match=r"decoy_conversations\.json can't be read"):
        sde_bench.load(tmp_path)
    (tmp_path / "gen").mkdir()
    written(tmp_path / "gen" / "decoy_conversations.json", [{"turns": []}])
    with pytest.raises(BadData, match="has no tasks that were settled in talks"):
        sde_bench.load(tmp_path)
    written(tmp_path / "gen" / "decoy_conversations.json", ["nonsense"])
    with pytest.raises(BadData, match="is not a clone of sde-bench"):
        sde_bench.load(tmp_path)


def git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(repository), *arguments], check=True, capture_output=True)


def commit(repository: Path, subject: str, file: str, text: str) -> None:
    (repository / file).write_text(text, "utf-8")
    git(repository, "add", "-A")
    git(repository, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", subject, "--allow-empty")


def test_commits(tmp_path: Path) -> None:
    """The newest first, with a diff that is not too long; merges and empty commits are left out."""
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "Retry a lost connection", "net.py", "def connect():\n    retry(3)\n")
    commit(tmp_path, "Nothing changed", "net.py", "def connect():\n    retry(3)\n")
    commit(tmp_path, "Lock file", "lock.txt", "x = 1\n" * 5_000)
    git(tmp_path, "checkout", "-qb", "side")
    commit(tmp_path, "Parse dates with a zone: 时区", "dates.py", "def parse(text):\n    return zone(text)\n")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, "Colours", "colours.py", "RED = 1\n")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@b.c", "merge", "-qm", "Merge side", "side")
    (corpus,) = commits.load(tmp_path).corpora
    assert {one.text for one in corpus.questions} == {
        "Retry a lost connection",
        "Parse dates with a zone: 时区",
        "Colours",
    }
    assert all(one.gold == {document.id} for one, document in zip(corpus.questions, corpus.documents, strict=True))
    assert all(document.text.startswith("diff --git") for document in corpus.documents)
    assert corpus.long


def test_long_diffs_are_kept_whole(tmp_path: Path) -> None:
    """What stands at the end of a diff of 20 kB is found by production search."""
    git(tmp_path, "init", "-q", "-b", "main")
    for number in range(4):
        filler = "".join(f"value_{number}_{line} = compute({line})\n" for line in range(400))
        commit(tmp_path, f"Introduce marker{number}word", f"f{number}.py", f"{filler}marker{number}word = 1\n")
    measured = command.measure(command.Wanted(commits=(tmp_path,)), None, lambda _: None)
    assert measured.as_json()["data"][0]["methods"]["hardwon, words"]["R@1"]["value"] == 1.0


def test_transcripts_with_questions(tmp_path: Path) -> None:
    """A client's own files; the turn is named by its session and a few of its words."""
    folder = tmp_path / "logs"
    sessions.claude(
        folder / "one.jsonl",
        "0b5e7f7e-0000-4000-8000-000000000001",
        tmp_path,
        sessions.said("Which database do we take?", "prompt-0123456789-1"),
        sessions.spoke("We decided on PostgreSQL because of its row locks.", "end_turn"),
    )
    sessions.claude(
        folder / "two.jsonl",
        "0b5e7f7e-0000-4000-8000-000000000002",
        tmp_path,
        sessions.said("Paint the button green", "prompt-0123456789-2"),
    )
    questions = tmp_path / "questions.jsonl"
    asked = {"question": "why PostgreSQL?", "session": "0b5e7f7e-0000-4000-8000-000000000001", "contains": "row LOCKS"}
    questions.write_text(json.dumps(asked) + "\n\n", "utf-8")
    data = transcripts.load(folder, questions)
    (corpus,) = data.corpora
    (question,) = corpus.questions
    (gold,) = (one for one in corpus.documents if one.id in question.gold)
    assert (gold.role, len(corpus.documents)) == ("agent", 3)
    measured = command.measure(command.Wanted(transcripts=folder, questions=questions), None, lambda _: None)
    assert measured.as_json()["data"][0]["methods"]["hardwon, words"]["hit@1"]["value"] == 1.0


def test_the_own_sets_are_read_as_they_were_written() -> None:
    """The package reads the same questions as the repository's own reader."""
    own, written = own_sets.load(sets.FOLDER / names.REPORTING), sets.load(names.REPORTING)
    decisions, words, again, amended, controls, turns, notes = own.data
    assert (words.documents, again.documents) == (decisions.documents, decisions.documents)
    assert decisions.questions == len(written.questions)
    assert decisions.documents == sum(len(one.turns) for one in written.decisions)
    assert amended.questions + controls.questions == len(written.amendments)
    assert turns.questions + notes.questions == len(written.passage_questions)
    assert {one.text for one in own.prompts} == {one.prompt for one in written.prompts}
    assert sum(one.answer is None for one in own.prompts) == sum(one.gold is None for one in written.prompts)
    assert own.unrelated == tuple(one.text for one in written.unrelated)
    first = written.questions[0]
    gold = next(one for one in decisions.corpora[0].documents if {one.id} == decisions.corpora[0].questions[0].gold)
    turn = next(one for one in written.decisions if one.id == first.answer.conversation).turns[first.answer.turn]
    assert (gold.text, gold.role, gold.at) == (turn.text, turn.role, turn.at.timestamp() * 1000)
    for one in (amended, controls):
        documents = {document.id for document in one.corpora[0].documents}
        assert all(asked.gold | asked.outdated <= documents for asked in one.corpora[0].questions)


def test_sets_are_found_by_name_only_in_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of the repository by name, anywhere by path."""
    monkeypatch.chdir(Path(__file__).parent)
    assert own_sets.found("reporting") == sets.FOLDER / "reporting"
    some = own_sets.load(own_sets.found(names.TALKS[0]))  # a folder may have only some of the files
    assert [data.name for data in some.data] == [
        "decisions",
        "a word or two",
        "asked again",
        "amended decisions",
        "amended: controls",
    ]
    assert not some.prompts
    assert not some.unrelated
    assert own_sets.found(str(tmp_path)) == tmp_path


Load = Callable[[Path], object]


@pytest.mark.parametrize(
    ("load", "content", "says"),
    [
        (locomo.load, "{", "is not JSON"),
        (locomo.load, "{}", "holds a dict, a list was expected"),
        (locomo.load, "[]", "has 0 conversations"),
        (lambda path: locomo.load(path, [1]), '[{"qa": []}]', "is not LoCoMo's file"),
        (longmemeval.load, '[{"question_id": "a"}]', "is not LongMemEval's file"),
        (longmemeval.load, "[]", "no question with an answer"),
        (own_sets.load, "", "has none of the sets: amended.json"),
        (commits.load, "", "can't be read by git"),
    ],
)
def test_a_file_of_another_form_is_refused(load: Load, content: str, says: str, tmp_path: Path) -> None:
    """It is said which file, and what was expected; never a traceback."""
    path = tmp_path / "file"
    if load in (own_sets.load, commits.load):
        path.mkdir()
    else:
        path.write_text(content, "utf-8")
    with pytest.raises(BadData, match=says) as error:
        load(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "line 1 is not JSON"),
        ("[]", "line 1 is not an object"),
        ('{"question": "a", "session": "b"}', "line 1 has no 'contains'"),
        ('{"question": "a", "session": "", "contains": "never said"}', 'contains "never said"'),
    ],
)
def test_a_question_that_names_no_turn_is_refused(line: str, says: str, tmp_path: Path) -> None:
    """A question without an answer would count as a miss of the search."""
    sessions.claude(tmp_path / "a.jsonl", "0b5e7f7e", tmp_path, sessions.said("Which one?", "prompt-0123456789-1"))
    questions = tmp_path / "questions.txt"
    questions.write_text(line, "utf-8")
    with pytest.raises(BadData, match=says):
        transcripts.load(tmp_path, questions)


@pytest.mark.parametrize(("text", "found"), [("6-10", (6, 7, 8, 9, 10)), ("1,3", (1, 3)), ("2-3, 9", (2, 3, 9))])
def test_numbers_of_conversations(text: str, found: tuple[int, ...]) -> None:
    """As one would write them."""
    assert command.numbers(text) == found


def test_numbers_that_are_none() -> None:
    """The value and the next step are named."""
    with pytest.raises(BadData, match="Try 6-10"):
        command.numbers("all")


def test_the_reporting_conversations_are_fixed() -> None:
    """Tuned on 1 to 5, reported on 6 to 10, unless somebody says otherwise."""
    assert {one.name: one.default for one in dataclasses.fields(command.Wanted)}["conversations"] == (6, 7, 8, 9, 10)
