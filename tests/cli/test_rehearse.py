"""`hardwon rehearse` as a user meets it: the sentence, the figures, the picture, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest
from docs import past

from hardwon.store import control
from tests.commandline import HARDWON, Cli
from tests.support import opened

OFFER = "from hardwon.cli.verbs import rehearse; rehearse.offer()"
GONE = "what CLAUDE.md said at the time is not known"


@pytest.fixture
def sixty(cli: Cli) -> Cli:
    """A home with sixty past sessions of Claude Code, in this folder."""
    past.main(str(cli.home.parent / ".claude"), str(cli.folder))
    return cli


def scratch(cli: Cli) -> dict[str, str]:
    """A folder for temporary files of its own."""
    place = cli.home.parent / "scratch"
    place.mkdir(exist_ok=True)
    return {"TMPDIR": str(place)}


def test_without_sessions_it_says_so(cli: Cli) -> None:
    assert "There is no past session to play" in cli.run("rehearse", code=1).stderr


def test_what_a_person_sees_first(sixty: Cli) -> None:
    """How many sessions, what came back, what would have been said in time, and what beside the point."""
    told = sixty.run("rehearse", env=scratch(sixty)).stdout.splitlines()
    assert told[0].startswith("In your last 60 sessions ")
    assert " things came back; hardwon would have said " in told[0]
    assert told[0].endswith(" beside the point.")
    assert "calls per 100 sessions" in told[1]
    assert "came back, and nothing was said:" in told


def test_nothing_is_kept_and_nothing_is_left_behind(sixty: Cli) -> None:
    env = scratch(sixty)
    sixty.run("rehearse", env=env)
    assert os.listdir(env["TMPDIR"]) == []
    assert not (sixty.home / "memory.db").exists()


def test_the_figures(sixty: Cli) -> None:
    found = sixty.json("rehearse", "--examples", "2")
    assert found["sessions"] == 60
    assert found["came_back"] == sum(one["came_back"] for one in found["kinds"].values()) > 10
    assert found["in_time"] == sum(one["in_time"] for one in found["kinds"].values()) > 0
    assert found["net"] == pytest.approx(found["credit"] - found["price"] - found["penalty"], abs=0.02)
    assert found["placebo"]["net"] <= 0
    assert all(len(some) <= 2 for some in found["examples"].values())
    assert len(found["miner"]) == 64


def test_a_made_up_past_has_every_kind(sixty: Cli) -> None:
    """So that the pages can show them; but look-ups: one look finds what is sought there."""
    kinds = sixty.json("rehearse")["kinds"]
    assert {kind for kind, one in kinds.items() if not one["came_back"]} <= {"look-up"}


def test_only_sessions_since_a_time_count(sixty: Cli) -> None:
    """What was before is known then."""
    found = sixty.json("rehearse", "--since", "2026-02-01")
    assert 0 < found["sessions"] < 40
    assert found["in_time"] > 0


def test_files_that_are_named(sixty: Cli) -> None:
    """Also from inside an agent: nothing of them is kept."""
    own = sixty.home.parent / ".claude" / "projects"
    shutil.move(own, sixty.home.parent / "elsewhere")
    found = sixty.json("rehearse", str(sixty.home.parent / "elsewhere"), env={"CLAUDECODE": "1"})
    assert found["sessions"] == 60


def test_an_excluded_folder_stays_out(sixty: Cli) -> None:
    sixty.home.mkdir(mode=0o700)
    (sixty.home / "hardwon.toml").write_text(f'[control]\nexclude_paths = ["{sixty.folder}"]\n')
    assert "There is no past session to play" in sixty.run("rehearse", code=1).stderr


def test_what_happened_in_a_pause_stays_unseen(sixty: Cli) -> None:
    """It was paused all the time: nothing of it is known, so nothing is said."""
    sixty.run("note", "begin")
    with opened(sixty.home) as store:
        control.pause(store, None, since=1)
        control.resume(store, now=1_780_000_000_000)  # months after the last of them
    assert sixty.json("rehearse")["said"]["times"] == 0


def test_while_it_is_switched_off_nothing_is_played(sixty: Cli) -> None:
    sixty.run("config", "set", "control.enabled", "off")
    assert "Nothing was played: hardwon is switched off" in sixty.run("rehearse", code=1).stderr


def test_folders_that_are_gone_do_not_count(cli: Cli) -> None:
    """Nobody knows what CLAUDE.md said there, unless a repository is named that it can be asked of."""
    past.main(str(cli.home.parent / ".claude"), "/home/somebody/shop")
    assert cli.json("rehearse")["apart"] == {GONE: 60}
    subprocess.run(["git", "init", "-q", str(cli.folder)], check=True)
    assert cli.json("rehearse", "--repository", str(cli.folder))["sessions"] == 60


def test_the_picture(sixty: Cli) -> None:
    file = sixty.home.parent / "past.svg"
    sixty.run("rehearse", "--svg", str(file))
    texts = [one.text or "" for one in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert "lint rule" in texts
    assert any("60 sessions" in text for text in texts)


def test_a_picture_that_can_not_be_written(sixty: Cli) -> None:
    missing = sixty.home.parent / "missing" / "past.svg"
    assert f'could not be written to "{missing}"' in sixty.run("rehearse", "--svg", str(missing), code=1).stderr


def test_files_that_are_no_sessions_or_broken_ones(sixty: Cli) -> None:
    """What can be read is played; what can't is named with why, and nothing is a traceback."""
    (place,) = (sixty.home.parent / ".claude" / "projects").iterdir()
    first, second, *_ = sorted(place.glob("*.jsonl"))
    first.write_bytes(first.read_bytes()[:-40])
    second.write_bytes(second.read_bytes() + b"\x00\xff\xfe\n" + b'{"type":"user","message":\n')
    (place / "noise.jsonl").write_bytes(bytes(range(256)) * 200)
    (place / "empty.jsonl").touch()
    (place / "folder.jsonl").mkdir()
    (place / "gone.jsonl").symlink_to(place / "nowhere")
    os.mkfifo(place / "pipe.jsonl")
    made = sixty.run("rehearse", "--examples", "0")
    assert made.stdout.startswith("In your last 60 sessions ")
    assert f"left out, for it can't be read: {place / 'gone.jsonl'}: No such file or directory" in made.stderr
    assert f"left out, for it can't be read: {place / 'pipe.jsonl'}: it is not a regular file" in made.stderr
    assert "1 file with a last line that is half written" in made.stderr
    assert "1 line that could not be understood" in made.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(sixty: Cli) -> None:
    (place,) = (sixty.home.parent / ".claude" / "projects").iterdir()
    first = min(place.glob("*.jsonl"))
    first.chmod(0)
    made = sixty.run("rehearse", "--examples", "0")
    assert made.stdout.startswith("In your last 59 sessions ")
    assert f"left out, for it can't be read: {first}: Permission denied" in made.stderr


def test_where_nothing_counts_and_where_nothing_came_back(sixty: Cli) -> None:
    """A sentence without figures: there is nothing that they could say."""
    (place,) = (sixty.home.parent / ".claude" / "projects").iterdir()
    first, *_ = sorted(place.glob("*.jsonl"))
    told = sixty.run("rehearse", str(first)).stdout
    assert told == "In your last session nothing came back, and hardwon would have said nothing.\n"
    assert sixty.run("rehearse", "--since", "2027-01-01").stdout == "None of your sessions could be counted.\n"


def test_a_person_at_a_terminal_sees_bars(sixty: Cli) -> None:
    assert "░" in sixty.person("rehearse")


def test_ctrl_c_leaves_nothing(sixty: Cli) -> None:
    """At any time, with a sentence and status 130."""
    env = sixty.environment(scratch(sixty))
    command = [HARDWON, "rehearse"]
    with subprocess.Popen(
        command, env=env, cwd=sixty.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 30
        while not os.listdir(env["TMPDIR"]) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Nothing was kept, and nothing is left behind" in said
    assert os.listdir(env["TMPDIR"]) == []


def test_setup_offers_it(sixty: Cli) -> None:
    """A person is asked; anybody else is told."""
    told = subprocess.run([sys.executable, "-c", OFFER], env=sixty.environment(), cwd=sixty.folder, check=True,
                          capture_output=True, text=True, start_new_session=True)  # fmt: skip
    assert told.stderr == "what hardwon would have said in your past sessions: `hardwon rehearse`\n"
    assert told.stdout == ""
