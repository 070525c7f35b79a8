"""What is typed wrongly is told in a sentence, with what to do instead."""

from __future__ import annotations

import json

import pytest

from tests.commandline import Cli

SECRET = "gh" + "p_" + "a1B2" * 9
BAD_CALLS: list[tuple[list[str], str, int]] = [
    (["show", "zzzz"], "is not an id", 1),
    (["show", "12"], "at least four", 1),
    (["show", "abcdef"], "No memory has the id", 1),
    (["nope"], "There is no command", 2),
    (["recal"], "Did you mean recall", 2),
    (["note", "x", "--kind", "poem"], "poem", 2),
    (["note", "x", "--anchor", "file"], "KIND=VALUE", 2),
    (["note", "x", "--anchor", "planet=mars"], "KIND=VALUE", 2),
    (["note", "x", "--project", "nope"], "No project is called", 1),
    (["note", "x", "--project", "a", "--global"], "exclude each other", 2),
    (["recall", "  "], "empty", 2),
    (["search", ""], "empty", 2),
    (["supersede", "abcdef"], "Say what holds now", 2),
    (["import", "/nonexistent"], "can't be read", 1),
    (["pause", "--for", "soon"], "is not a time", 2),
    (["config", "set", "recall.limit", "lots"], "recall.limit", 1),
    (["config", "set", "recal.limit", "3"], "recall.limit", 1),
    (["project", "rename", "nope", "x"], "No project is called", 1),
    (["undo"], "nothing to undo", 1),
    (["list", "--limit", "0"], "0", 2),
]


@pytest.mark.parametrize(("call", "says", "code"), BAD_CALLS, ids=[" ".join(call[0]) for call in BAD_CALLS])
def test_bad_calls(cli: Cli, call: list[str], says: str, code: int) -> None:
    """A bad call is one sentence with a next step and a non-zero status, never a traceback."""
    done = cli.run(*call, code=code)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_ids_suggest_the_nearest(cli: Cli) -> None:
    """A mistyped id is answered with the one that was probably meant."""
    id = str(cli.json("note", "one text")["id"])[-6:]
    typo = id[:-1] + ("0" if id[-1] != "0" else "1")
    assert f"Did you mean {id}" in cli.run("show", typo, code=1).stderr


def test_a_mistyped_option_is_a_sentence(cli: Cli) -> None:
    """Usage errors look like all others, never repeat a key, and are JSON when asked."""
    done = cli.run("note", "x", "--kind", SECRET, "--json", code=2)
    assert SECRET not in done.stdout + done.stderr
    assert "hardwon note --help" in json.loads(done.stdout)["error"]
    assert done.stderr.startswith("hardwon: ")


def test_what_went_wrong_is_told_without_what_the_users_own_rules_find(cli: Cli) -> None:
    """In the sentence, and in what `doctor` repeats from a log that is older than the rule."""
    rule = '[{"name": "ticket", "pattern": "ACME-[A-Z0-9]{8}"}]'
    cli.run("note", "one text")
    cli.run("config", "set", "redact.rules", rule)
    done = cli.run("note", "x", "--kind", "ACME-1234ABCD", "--json", code=2)
    assert "[redacted:ticket]" in done.stderr
    (cli.home / "log").mkdir(exist_ok=True)
    (cli.home / "log" / "hardwon.log").write_text("2026-02-03T04:05:06Z answer: ACME-1234ABCD is not there\n")
    told = json.dumps([one for one in cli.json("doctor", "--fix")["findings"] if one["what"] == "last error"])
    assert "[redacted:ticket] is not there" in told
    assert "ACME-1234ABCD" not in done.stdout + done.stderr + told


def test_settings_that_cannot_be_read_do_not_keep_a_key_from_being_taken_out(cli: Cli) -> None:
    """Then the rules that everybody has are all there are."""
    cli.home.mkdir(mode=0o700, exist_ok=True)
    (cli.home / "hardwon.toml").write_text(f"[recall]\nlimit = '{SECRET}'\n")
    done = cli.run("list", code=1)
    assert "recall.limit must be" in done.stderr
    assert SECRET not in done.stderr


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (["search", "--follow-tags"], "hardwon search -- QUERY"),
        (["recall", "-v flag"], "hardwon recall -- QUERY"),
        (["note", "--dashes at start"], "hardwon note -- TEXT"),
        (["mark", "failure", "--dashes at start"], "hardwon mark failure -- TEXT"),
    ],
)
def test_a_text_that_begins_like_an_option(cli: Cli, call: list[str], instead: str) -> None:
    """Whoever looks for a flag is told how; a command without a text says nothing of it."""
    assert f"A text that begins with a dash goes last, after --: `{instead}`." in cli.run(*call, code=2).stderr
    cli.run(*call[:-1], "--", call[-1])
    assert "after --" not in cli.run("list", "--nope", code=2).stderr


def test_a_memory_does_not_fix_itself(cli: Cli) -> None:
    """As it can't replace itself."""
    id = str(cli.json("note", "make test fails", "--kind", "failure")["id"])
    assert "can't be what fixed itself" in cli.run("resolve", id, "--by", id, code=1).stderr
    assert cli.json("show", id)["status"] == "active"


@pytest.mark.parametrize("option", ["--title", "--intent", "--because"])
def test_a_headline_as_long_as_a_log(cli: Cli, option: str) -> None:
    """What is too long for a memory does not come in beside its text."""
    said = f"{option} has 70 KB; a memory holds at most 64 KB."
    assert said in cli.run("note", "x y", option, "a" * 70_000, code=1).stderr
    id = str(cli.json("note", "x y")["id"])
    assert said in cli.run("edit", id, option, "a" * 70_000, code=1).stderr
    if option == "--because":
        assert said in cli.run("mark", "decision", "x y z", option, "a" * 70_000, code=1).stderr
    assert cli.json("show", id)[option.strip("-")] == ""


def test_errors_as_json(cli: Cli) -> None:
    """With --json an error is JSON too."""
    done = cli.run("show", "abcdef", "--json", code=1)
    assert "No memory has the id" in json.loads(done.stdout)["error"]


def test_an_error_never_repeats_a_key(cli: Cli) -> None:
    """A key that was typed in the wrong place is not printed back."""
    done = cli.run("note", "x", "--project", SECRET, code=1)
    assert SECRET not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "Standard input is empty"),
        (b"{bad", "The message is no JSON: Expecting property name"),
        (b"\xff", "The message is no JSON: "),
        (b"[]", "names no event"),
        (b'{"hook_event_name": "Nonsense"}', "no event that hardwon listens to"),
        (b'{"hook_event_name": "UserPromptSubmit"}', "not what claude-code sends"),
    ],
)
def test_a_hook_message_that_is_none(cli: Cli, raw: bytes, says: str) -> None:
    """Who looks for the reason of silence is told what is wrong with the message."""
    assert says in cli.run("hook", "claude-code", stdin=raw, code=1).stderr
