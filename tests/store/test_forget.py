"""`forget` is final: not one byte stays under the home, and learning again does not bring it back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.daemon import spool
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Tier
from hardwon.memory import Anchor, AnchorKind, Kind, Rejected, Trust
from hardwon.paths import Home
from hardwon.store import changes
from hardwon.store.changes import Outcome, Refused
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.log import copies, copy_file, exchange, records
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal, memories, showings
from hardwon.store.tables.showings import Showing
from tests.commandline import Cli
from tests.support import bodies, contents, draft, files_with, meanwhile, note, now, opened, output

TEXT = "The xylophonist's bassoon must be tuned before the rehearsal"
WORDS = ("xylophonist", "bassoon", "rehearsal")
LATER = "The vuvuzela replaces it since the harpsichord burned"
CHINESE = "发布之前必须先更新鹦鹉螺的版本号"
ORDINARY = "an ordinary lesson that stays"


def forgetting(cli: Cli, id: str) -> dict[str, Any]:
    """The command; what it says it has done."""
    done: dict[str, Any] = cli.json("forget", id, "--yes")
    return done


def a_note(store: Store) -> str:
    return note(store, TEXT)


def of_many_pages(store: Store) -> str:
    """More than SQLite keeps in one page: forgetting it leaves free pages in the file."""
    return note(store, "\n".join(f"{TEXT}, bar {number}" for number in range(500)))


def every_field(store: Store) -> str:
    return note(
        store,
        TEXT,
        kind=Kind.DECISION,
        title="About the xylophonist",
        intent="a rehearsal without trouble",
        because="the bassoon was out of tune",
        rejected=(Rejected("a recording of the bassoon", "the xylophonist objects"),),
        anchors=(Anchor(AnchorKind.FILE, "music/bassoon.py"), Anchor(AnchorKind.TOPIC, "rehearsal")),
        evidence=("heard at the rehearsal",),
        author="the xylophonist",
    )


def edited_several_times(store: Store) -> str:
    id = note(store, "Something about an instrument")
    for change in ({"body": TEXT}, {"title": "xylophonist"}, {"body": LATER}, {"intent": "rehearsal"}):
        changes.edit(store, id, change, now())
    changes.undo(store, now())
    changes.complain(store, id, Trust.AGENT, "the bassoon is a trombone", now())
    return id


def quoted_in_another(store: Store) -> str:
    note(store, f'They said: "{TEXT.upper()}". So be it.', title=f"On: {TEXT}")
    note(
        store, "A decision", kind=Kind.DECISION, because=TEXT, rejected=(Rejected("silence", TEXT.replace(" ", "\n ")),)
    )
    return note(store, TEXT)


def once_the_text_of_another(store: Store) -> str:
    other = note(store, TEXT.upper(), skill="music")
    changes.edit(store, other, {"body": "it says something else now"}, now())
    undone = note(store, TEXT, skill="noise")
    changes.undo(store, now(), undone)
    return note(store, TEXT)


def in_the_journal(store: Store) -> str:
    for number, (target, text, error) in enumerate([(TEXT, "", ""), ("", f"so: {TEXT}!", ""), ("", "", TEXT.lower())]):
        event = Event(
            EventType.TOOL_FAILED, "a-client", "session", now(), call=str(number), target=target, text=text, error=error
        )
        assert journal.append(store, event, Tier.FULL)
    return note(store, TEXT)


QUOTED = """The "xylophonist's" bassoon costs $5\nbefore the `rehearsal`, as Ünal said"""


def escaped_in_the_journal(store: Store) -> str:
    """As a client tells the command that noted it, and as the output of another one shows it."""
    in_double_quotes = re.sub(r'(["$`])', r"\\\1", QUOTED)
    in_single_quotes = QUOTED.replace("'", "'\\''")
    as_json = json.dumps(QUOTED)
    for number, said in enumerate([in_double_quotes, in_single_quotes, as_json, json.dumps(as_json)]):
        event = Event(
            EventType.TOOL_FINISHED, "a-client", "session", now(), call=str(number), target=f'hardwon note "{said}"'
        )
        assert journal.append(store, event, Tier.FULL)
    return note(store, QUOTED)


def reasons_in_the_journal(store: Store) -> str:
    for number, said in enumerate(["the bassoon was out of tune", "a recording of it", "the xylophonist objects"]):
        event = Event(EventType.PROMPT_SUBMITTED, "a-client", "session", now(), prompt=str(number), text=f"As {said}.")
        assert journal.append(store, event, Tier.FULL)
    turned_down = (Rejected("a recording of it", "the xylophonist objects"),)
    return note(store, TEXT, kind=Kind.DECISION, because="the bassoon was out of tune", rejected=turned_down)


def in_the_spool(store: Store) -> str:
    """An event that no daemon has taken in, and half of one."""
    # With half an emoji, which is no UTF-8.
    settings, payload = store.settings, {"session_id": "s", "prompt": f"Mind \ud83d: {TEXT}", "cwd": "/srv"}
    message = Message("", "claude-code", "UserPromptSubmit", 0, json.dumps(payload).encode())
    path = spool.put(store.home, message, settings, now())
    assert path is not None
    path.with_suffix(".draft").write_bytes(path.read_bytes()[:-5])
    return note(store, TEXT)


def in_copies_and_redo_log(store: Store) -> str:
    id = note(store, TEXT)
    copy_file.take(store.db, store.home, "older")
    copies.refresh(store)
    changes.edit(store, id, {"title": "xylophonist"}, now())
    (store.home.copies / "damaged-20200101T000000").mkdir()
    (store.home.copies / "damaged-20200101T000000" / "memory.db").write_text(TEXT)
    return id


def set_aside_for_its_clock(store: Store) -> str:
    week = 7 * 86_400_000
    for number, (body, title) in enumerate([(TEXT, ""), ("from the future", TEXT), (TEXT.upper(), "")]):
        made = {"kind": "lesson", "body": body, "title": title, "project": "*", "trust": "agent", "source": "agent"}
        line = {
            "type": "record",
            "device": "feed",
            "sequence": number,
            "clock": (now() + week) << 16,
            "memory": f"018bcfe5-6800-7000-8000-00000000000{number}",
        }
        line |= {"operation": "create", "action": number, "payload": made | {"status": "active"}}
        assert exchange.merge(store, [line], now(), Trust.USER).set_aside
    return note(store, TEXT)


def shown_often(store: Store) -> str:
    id = note(store, TEXT)
    note(store, TEXT)
    showings.record(store, [Showing(id, "prompt", now(), 30)])
    return id


def indexed(store: Store) -> set[str]:
    """Every word that the full-text index knows."""
    store.db.execute("create virtual table temp.vocabulary using fts5vocab(main, memory_search, row)")
    return {term for (term,) in store.rows("select term from vocabulary")}


@pytest.mark.parametrize(
    "kept",
    [
        a_note,
        of_many_pages,
        every_field,
        edited_several_times,
        quoted_in_another,
        once_the_text_of_another,
        in_the_journal,
        escaped_in_the_journal,
        reasons_in_the_journal,
        in_the_spool,
        in_copies_and_redo_log,
        set_aside_for_its_clock,
        shown_often,
    ],
)
def test_not_one_byte_stays(cli: Cli, kept: Callable[[Store], str]) -> None:
    """Wherever the text had got to, neither it nor a rare word of it is in any file once the command has ended."""
    with opened(cli.home) as store:
        stays = note(store, ORDINARY)
        id = kept(store)
    assert files_with(cli.home, *WORDS), "the text must be there before it is forgotten"

    forgetting(cli, id)

    assert files_with(cli.home, TEXT, LATER, *WORDS, "vuvuzela", "harpsichord") == {}
    with opened(cli.home) as store:
        assert memories.get(store, id) is None
        assert memories.get(store, stays) is not None
        assert memories.hits(store, [id]) == {}
        assert indexed(store) & {*WORDS, "rehears", "vuvuzela", "harpsichord"} == set()
        assert repair.differences(store) == []
        assert repair.damage(store) == []
    assert "erased" not in cli.run("doctor").stdout


def test_an_event_in_the_spool_is_still_taken_in(cli: Cli) -> None:
    """Only the text goes; the event is what it was."""
    with opened(cli.home) as store:
        id = in_the_spool(store)
    forgetting(cli, id)
    ((_, message, _),) = spool.waiting(Home(cli.home))
    assert json.loads(message.payload) == {"session_id": "s", "prompt": "Mind \ud83d: [forgotten]", "cwd": "/srv"}


@pytest.mark.parametrize("text", [CHINESE, "鹦鹉螺", "テストの前にオウムガイを起動", "café naïve Ünïcödé bassoon"])
def test_not_one_byte_stays_of_any_script(cli: Cli, text: str) -> None:
    """Chinese and Japanese are indexed in pairs of characters: not one pair is left."""
    id = cli.json("note", text, "-g")["id"]
    assert files_with(cli.home, text)
    forgetting(cli, id)
    pairs = [text[at : at + 2] for at in range(len(text) - 1)] if not text.isascii() and " " not in text else []
    assert files_with(cli.home, text, *pairs) == {}


def test_forgetting_takes_the_same_text_everywhere(cli: Cli) -> None:
    """One text in three scopes and two spellings is one thing to forget."""
    cli.run("note", TEXT)
    cli.run("note", TEXT.upper(), "--skill", "music")
    id = cli.json("note", f"[2026-01-05] {TEXT}", "-g")["id"]
    cli.run("note", ORDINARY)
    assert forgetting(cli, id)["forgotten"] == 3
    assert bodies(cli.home) == [ORDINARY]
    assert files_with(cli.home, *WORDS) == {}


@pytest.mark.parametrize(
    "again",
    [TEXT, TEXT.upper(), f"- {TEXT}", f"[2026-03-01] {TEXT}", f"  {TEXT.replace(' ', '   ')}\n", f"{TEXT} [HIT:3]"],
)
def test_learning_again_does_not_bring_it_back(cli: Cli, again: str) -> None:
    """The same text in another case, with a date, as a list item: it stays forgotten, and is not written down."""
    forgetting(cli, cli.json("note", TEXT)["id"])
    with opened(cli.home) as store:
        other = note(store, ORDINARY)
        assert changes.note(store, draft(again), now()).outcome is Outcome.FORGOTTEN
        assert changes.note(store, draft(again, skill="music"), now()).id is None
        with pytest.raises(Refused, match="stays forgotten"):
            changes.edit(store, other, {"body": again}, now())
        merged = exchange.merge(store, [{"body": again}], now(), Trust.USER)
        assert (merged.forgotten, merged.memories) == (1, set())
    assert files_with(cli.home, *WORDS) == {}
    assert bodies(cli.home) == [ORDINARY]


def test_an_origin_that_was_forgotten_is_not_learned_again(tmp_path: Path) -> None:
    """What a session taught stays forgotten when its transcript is read a second time and put in other words."""
    with opened(tmp_path / "home") as store:
        id = note(store, TEXT, origin_key="a-client:call-7:lesson")
        forget.forget(store, [id], now())
        again = draft("the same lesson in other words", origin_key="a-client:call-7:lesson")
        assert changes.note(store, again, now()).outcome is Outcome.FORGOTTEN


def test_an_export_taken_before_does_not_bring_it_back(cli: Cli, tmp_path: Path) -> None:
    """Neither here nor in a home that has forgotten the same text, and whatever was said about it stays out too."""
    with opened(cli.home) as store:
        id = edited_several_times(store)
        note(store, ORDINARY)
    cli.run("export", str(tmp_path / "before.jsonl"))
    elsewhere = cli.elsewhere(tmp_path / "elsewhere")
    forgetting(elsewhere, elsewhere.json("note", "Something about an instrument", "-g")["id"])
    forgetting(cli, id)

    for one in (cli, elsewhere):
        one.run("import", str(tmp_path / "before.jsonl"))
        assert bodies(one.home) == [ORDINARY]
        assert files_with(one.home, *WORDS, "vuvuzela", "instrument") == {}


def test_forgetting_reaches_a_home_that_has_the_memory(cli: Cli, tmp_path: Path) -> None:
    """An export taken afterwards carries the forgetting, and the bytes go there too."""
    elsewhere = cli.elsewhere(tmp_path / "elsewhere")
    with opened(cli.home) as store:
        id = every_field(store)
    cli.run("export", str(tmp_path / "before.jsonl"))
    elsewhere.run("import", str(tmp_path / "before.jsonl"))
    assert files_with(elsewhere.home, *WORDS)

    forgetting(cli, id)
    cli.run("export", str(tmp_path / "after.jsonl"))
    assert files_with(tmp_path, "xylophonist").keys() >= {"before.jsonl"}
    assert "xylophonist" not in (tmp_path / "after.jsonl").read_text().lower()
    elsewhere.run("import", str(tmp_path / "after.jsonl"))
    assert files_with(elsewhere.home, *WORDS) == {}
    assert elsewhere.run("note", TEXT, code=1).stdout == ""


def test_only_a_person_brings_it_back(cli: Cli) -> None:
    """An agent is refused; a person with --again keeps it, and from then on it is a memory like any other."""
    forgetting(cli, cli.json("note", TEXT, "-g")["id"])
    assert "stays forgotten" in cli.run("note", TEXT, "-g", code=1).stderr
    assert "Only a person" in cli.run("note", TEXT, "-g", "--again", code=1).stderr
    assert "stays forgotten" in cli.person("note", TEXT, "-g", code=1)
    assert bodies(cli.home) == []

    cli.person("note", TEXT, "-g", "--again")
    assert bodies(cli.home) == [TEXT]
    assert cli.json("note", TEXT, "-g")["status"] == "repeated"


def test_what_was_brought_back_survives_damage_and_export(cli: Cli, tmp_path: Path) -> None:
    """A text that a person kept again is acknowledged like any other: in a restored store and in another home."""
    forgetting(cli, cli.json("note", TEXT, "-g")["id"])
    cli.person("note", TEXT, "-g", "--again")
    cli.run("export", str(tmp_path / "all.jsonl"))
    (cli.home / "memory.db").write_bytes(b"")
    cli.run("doctor", "--fix")
    assert bodies(cli.home) == [TEXT]
    assert cli.json("note", TEXT, "-g")["status"] == "repeated"

    with opened(tmp_path / "elsewhere") as store:
        given = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
        exchange.merge(store, given, now(), Trust.USER)
        assert [memory.body for memory, _ in contents(store).values()] == [TEXT]
        assert changes.note(store, draft(TEXT), now()).outcome is Outcome.REPEATED


def test_an_agent_cannot_import_a_text_back(cli: Cli, tmp_path: Path) -> None:
    """A line that says that a person wanted it again is not a person."""
    forgetting(cli, cli.json("note", TEXT, "-g")["id"])
    with opened(tmp_path / "other") as other:
        id = str(changes.note(other, draft(TEXT), now() + 60_000, again=True).id)
        forged = [json.dumps(line).encode() for line in exchange.export(other)]
        assert (records.of_memory(other, id)[0].payload or {})["again"] is True
    assert cli.json("import", "-", stdin=b"\n".join(forged))["forgotten"] == 1
    assert bodies(cli.home) == []
    assert files_with(cli.home, *WORDS) == {}


def test_a_short_text_is_not_cut_out_of_others(cli: Cli) -> None:
    """ "use tabs" stands in other memories in its own right."""
    cli.run("note", "in Makefiles one must use tabs, not blanks", "-g")
    forgetting(cli, cli.json("note", "use tabs", "-g")["id"])
    assert bodies(cli.home) == ["in Makefiles one must use tabs, not blanks"]


def test_without_yes_nothing_is_forgotten(cli: Cli) -> None:
    """Nobody is asked where nobody can answer, and then nothing happens."""
    id = cli.json("note", TEXT)["id"]
    assert "--yes" in cli.run("forget", id, code=1).stderr
    assert bodies(cli.home) == [TEXT]


def test_what_a_person_said_is_forgotten_by_a_person(cli: Cli) -> None:
    """An agent is refused in a sentence, and the memory stays."""
    cli.person("note", TEXT, "-g")
    id = cli.json("list", "-g")["items"][0]["id"]
    assert "a person" in cli.run("forget", id, "--yes", code=1).stderr
    assert bodies(cli.home) == [TEXT]
    cli.person("forget", id, "--yes")
    assert bodies(cli.home) == []
    assert files_with(cli.home, *WORDS) == {}


def test_a_reader_in_the_way_is_told_and_doctor_finishes(cli: Cli) -> None:
    """While another process reads the old pages they can't go: a sentence says so, and the next `doctor` ends it."""
    id = cli.json("note", TEXT, "-g")["id"]
    with meanwhile("hold", cli.home, "begin") as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "held\n"
        said = cli.run("forget", id, "--yes", env={"HARDWON_STORE_BUSY_SECONDS": "1"}, code=1).stderr
        assert "It is forgotten, but another process is reading" in said
        assert "doctor --fix" in said
        assert "Traceback" not in said
        assert bodies(cli.home) == []
    output(reader)

    assert "may still be on the disk" in cli.run("doctor", code=1).stdout
    cli.run("doctor", "--fix")
    assert files_with(cli.home, TEXT, *WORDS) == {}
    cli.run("doctor")


def test_a_purge_that_is_due_is_done_by_the_next_write(cli: Cli) -> None:
    """Nobody has to know of `doctor`: the hourly upkeep finishes what was interrupted."""
    id = cli.json("note", TEXT, "-g")["id"]
    with meanwhile("hold", cli.home, "begin") as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        cli.run("forget", id, "--yes", env={"HARDWON_STORE_BUSY_SECONDS": "1"}, code=1)
    output(reader)
    with opened(cli.home) as store, store.transaction():
        store.set_meta("upkeep_at", "0")
    cli.run("note", ORDINARY)
    assert files_with(cli.home, TEXT, *WORDS) == {}
