"""Where text comes in it loses its secrets, once, before anything is made of it; behind that there is a belt."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.memory import Kind, Trust
from hardwon.redact import DEFAULT, border
from hardwon.store import belt, changes
from hardwon.store.log import records
from hardwon.store.tables import journal
from tests.commandline import Cli
from tests.daemon.running import Daemon, framed, place
from tests.daemon.session import Session
from tests.redact.canaries import canaries
from tests.support import draft, files_with, note, now, opened

KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
ACCOUNT = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6QUJDREVGRw"
PASSWORD = "Kq7/wintergarten+42&x"


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with place() as one:
        yield one


# ── what passes ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "form",
    [
        PASSWORD,
        f'"{PASSWORD}"',
        f"the word {PASSWORD} in a sentence",
        quote(PASSWORD, safe=""),
        base64.b64encode(PASSWORD.encode()).decode(),
        base64.b64encode(PASSWORD.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(PASSWORD.encode()).decode(),
        PASSWORD[3:],
        "wintergarten",
    ],
)
def test_what_one_text_gives_away_is_taken_out_of_all(form: str) -> None:
    """As it is, in base64, percent-encoded; and a text that is nothing but a piece of it."""
    told = {"body": f'set password="{PASSWORD}" in the file', "anchors": [["symbol", form]], "id": "x"}
    kept = border.clean(told, DEFAULT)
    assert "wintergarten" not in json.dumps(kept)
    assert form not in json.dumps(kept["anchors"])
    assert kept["id"] == "x"


def test_a_word_that_a_secret_happens_to_hold_stays() -> None:
    """Only a text that is nothing but a telling piece of a secret is taken for one."""
    given = [f"password={PASSWORD}winterdienstplan", "we clear the wintergarten by hand", "winter"]
    assert border.clean(given, DEFAULT)[1:] == given[1:]


def test_a_line_of_a_key_is_known_again() -> None:
    """A key of several lines in one text, a line of it in another."""
    body = "\n".join(("-----BEGIN PRIVATE KEY-----", ACCOUNT[:64], ACCOUNT[10:74], "-----END PRIVATE KEY-----"))
    assert ACCOUNT[10:74] not in border.clean([body, f"it says {ACCOUNT[10:74]} there"], DEFAULT)[1]


def test_passing_again_changes_nothing() -> None:
    """So it does no harm where two borders lie behind each other."""
    for some in canaries()[::5]:
        once = border.clean({"body": some.text, "title": some.secret, "anchors": [some.text]}, DEFAULT)
        assert border.clean(once, DEFAULT) == once


def test_names_that_hardwon_makes_stay_and_those_that_only_look_so_do_not() -> None:
    made = {
        "origin_key": KEY,
        "skill_mark": "0123456789abcdef",
        "origin_project": "01a1e47b-966b-77d2-9829-4fbd3a5e1c20",
    }
    assert border.clean(made, DEFAULT) == made
    assert KEY not in json.dumps(border.clean({"skill_mark": KEY, "origin_project": KEY}, DEFAULT))


def test_a_clients_own_names_tell_what_their_values_are() -> None:
    """In a message as a client sends it, and there too for all of it."""
    told = {"tool_input": {"password": PASSWORD, "command": f"login {PASSWORD}"}}
    assert "wintergarten" not in json.dumps(border.clean_message(told, DEFAULT))


def test_an_event_passes_as_a_whole_but_for_its_folder() -> None:
    """Its ids, too: one that is a key becomes a name that is the same again."""
    given = Event(EventType.TOOL_FAILED, "x", KEY, 1, cwd=f"/srv/{KEY}", call="toolu_01AbCdEf", tool=KEY,
                  target="login s3cret-Wien", text=f"token={KEY}", error="password: s3cret-Wien")  # fmt: skip
    kept = border.clean_event(given, DEFAULT)
    assert KEY not in f"{kept.session} {kept.tool} {kept.text}"
    assert "s3cret" not in kept.target + kept.error
    assert (kept.call, kept.cwd, kept.session) == (given.call, given.cwd, border.clean_event(given, DEFAULT).session)
    assert border.clean_event(kept, DEFAULT) is kept


# ── borders ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_anchor_is_made_of_a_secret(cli: Cli) -> None:
    """A key that is taken out of a text is no symbol either, with or without what stands around it."""
    told = f"AccountKey={ACCOUNT}=="
    cli.run("note", f"connect with {told} as `az_login --key {ACCOUNT}==` does")
    cli.run("mark", "failure", "it fails", "--error", f"AuthError: {told}", "--command", f"az {ACCOUNT}==")
    cli.run("mark", "decision", "we use it", "--subject", told, "--because", told)
    id = cli.json("list")["items"][0]["id"]
    cli.run("edit", id, "--anchor", f"symbol={ACCOUNT}", "--because", told)
    cli.run("supersede", id, f"no longer {told}", "--reason", f"it was {ACCOUNT}")
    assert files_with(cli.home, ACCOUNT, ACCOUNT[:40]) == {}


def test_an_agents_call_passes_as_a_whole(daemon: Daemon) -> None:
    """What `error` gives away is no `command`, and no anchor."""
    daemon.start()
    for tool, arguments in (
        ("note", {"text": f"use AccountKey={ACCOUNT}== there", "intent": ACCOUNT}),
        ("mark", {"kind": "failure", "text": "fails", "command": f"az {ACCOUNT}", "error": f"AccountKey={ACCOUNT}=="}),
    ):
        asked = {"arguments": arguments, "client": KEY, "session": KEY, "cwd": str(daemon.folder)}
        told = json.loads(daemon.exchange(framed(tool, json.dumps(asked).encode(), host="mcp")))
        assert not told["wrong"], told
    daemon.leave()
    assert files_with(daemon.home.root, ACCOUNT, KEY) == {}
    assert "let something pass" not in daemon.log


def test_a_message_passes_before_anything_is_looked_up_by_it(daemon: Daemon) -> None:
    """A prompt, commands, an error, an edit; the session's id, too."""
    daemon.start()
    session = Session(daemon, KEY)
    session.start()
    session.prompt(f"log in with password: {PASSWORD}")
    session.failed(f"login {PASSWORD}", f"Exit code 1\npassword={PASSWORD} was refused")
    session.passed("login", f"token: {KEY}")
    session.edited(f"{daemon.folder}/conf.py", "a", f"PASSWORD = '{PASSWORD}'")
    session.stop()
    session.end()
    daemon.leave()
    assert files_with(daemon.home.root, PASSWORD, KEY) == {}
    assert "let something pass" not in daemon.log


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("vectors.url", f"https://{KEY}@models.corp.dev/v1", "key_variable"),
        ("vectors.url", "https://ann:Wien-1999@models.corp.dev/v1", "password"),
        ("vectors.endpoint_model", KEY, "key_variable"),
        ("updates.repository", f"https://{KEY}@git.corp.dev/x.git", "credential store"),
    ],
)
def test_no_setting_holds_a_password(cli: Cli, key: str, value: str, says: str) -> None:
    """It is refused, and said where it belongs; what the user wants kept out is written as it is given."""
    cli.run("config", "set", "recall.limit", "5")
    done = cli.run("config", "set", key, value, code=1)
    assert says in done.stderr
    assert value not in done.stderr
    assert files_with(cli.home, KEY, "Wien-1999") == {}
    cli.run("config", "set", "control.exclude_projects", f'["{KEY}"]')
    assert files_with(cli.home, KEY) == {"hardwon.toml": [KEY]}


# ── the belt ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("field", ["body", "title", "because", "intent", "author"])
def test_a_record_that_passed_no_border_is_an_error_here(tmp_path: Path, field: str) -> None:
    """It names the field and the rule, never the secret."""
    with opened(tmp_path / "home") as store, pytest.raises(belt.NotRedacted) as refused:
        changes.note(store, draft(**({"body": "a lesson"} | {field: f"use {KEY} there"})), now())
    assert f"github-token in {field}" in str(refused.value)
    assert KEY not in str(refused.value)
    with opened(tmp_path / "home") as store, store.transaction(), pytest.raises(belt.NotRedacted):
        records.append(store, "id", records.EDIT, {"anchors": [["file", KEY]]}, now())


def test_an_event_that_passed_no_border_is_an_error_here(tmp_path: Path) -> None:
    given = Event(EventType.TOOL_FAILED, "x", "s", 1, call="1", tool="Bash", target=f"login {KEY}")
    with opened(tmp_path / "home") as store, pytest.raises(belt.NotRedacted, match="github-token in its target"):
        journal.append(store, given, Tier.FULL)


def test_whatever_is_said_of_itself_an_event_is_looked_at(tmp_path: Path) -> None:
    """One that was changed after it had passed."""
    given = Event(EventType.TOOL_FAILED, "x", "s", 1, call="1", tool="Bash", text=f"login {KEY}", redacted=True)
    with opened(tmp_path / "home") as store, pytest.raises(belt.NotRedacted, match="github-token"):
        journal.append(store, given, Tier.FULL)


def test_elsewhere_it_is_taken_out_and_the_doctor_says_so(cli: Cli) -> None:
    """Nothing is lost and nothing leaks; but somebody should know."""
    with opened(cli.home) as store:
        store.is_strict = False
        id = note(store, "a lesson")
        changes.complain(store, id, Trust.AGENT, f"it says {KEY}", now())
        changes.note(store, draft(f"never {KEY}", kind=Kind.RULE), now())
        journal.append(store, Event(EventType.TOOL_FAILED, "x", "s", 1, call="1", target=KEY), Tier.FULL)
        assert belt.count(store) == 4
    assert files_with(cli.home, KEY) == {}
    says = [one["says"] for one in cli.json("doctor")["findings"] if one["what"] == "redaction"]
    assert "4 times" in says[0]
