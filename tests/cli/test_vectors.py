"""`hardwon vectors`: what there is, making the rest now, letting a model go; and everything without the extra."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.embedding import extra, packaged
from tests.commandline import Cli

WITHOUT = """
import sys
for name in ("numpy", "onnxruntime", "tokenizers"):
    sys.modules[name] = None
from hardwon.cli import main
main()
"""


def test_build_makes_what_is_missing(cli: Cli) -> None:
    """Once; the status says of how many memories there are vectors, before and after."""
    cli.run("note", "The staging database listens on port 5433", "-g")
    cli.run("note", "Install with pnpm", "-g", "--intent", "installing")
    assert cli.json("vectors", "status")["missing"] == 2
    assert cli.json("vectors", "build") == {"model": packaged.NAME, "made": 2, "passages": 0}
    assert cli.json("vectors", "build")["made"] == 0
    found = cli.json("vectors", "status")
    assert (found["setting"], found["model"], found["missing"]) == ("packaged", packaged.NAME, 0)
    assert found["models"] == [{"model": packaged.NAME, "dimensions": 384, "memories": 2, "vectors": 3, "bytes": 1152}]
    assert f"2 of 2 memories ({packaged.NAME})" in cli.run("status").stdout
    assert "ok vectors: 2 of 2 memories" in cli.run("doctor").stdout


BILLED = "Customers are charged in euro cents"


def test_recall_says_that_it_was_the_meaning(cli: Cli) -> None:
    """No word is shared: the cosine is the reason, in the text and in the JSON."""
    cli.run("note", BILLED, "-g")
    cli.run("note", "Install with pnpm", "-g")
    cli.run("vectors", "build")
    (item,) = cli.json("recall", "in which currency are amounts billed?", "--explain")["items"]
    assert (item["body"], item["coverage"]) == (BILLED, 0)
    assert item["cosine"] >= 0.5
    assert item["why"] == f"its meaning (cosine {item['cosine']:.2f})"
    printed = cli.run("recall", "in which currency are amounts billed?", "--explain").stdout
    assert printed.count(f"cosine {item['cosine']:.2f}") == 2


def test_explain_says_which_cosine_was_not_enough(cli: Cli) -> None:
    """Held back by its meaning, though it has words of the question; and for want of both."""
    cli.run("note", "Delete merged branches with the script in tools, it leaves release branches alone", "-g")
    for number in range(10):
        cli.run("note", f"Ordinary lesson {number} about thing{number}", "-g")
    cli.run("vectors", "build")
    found = cli.json("recall", "merged table cells of release form", "--explain")
    held = found["held_back"][0]
    assert held["cosine"] < 0.35
    assert held["reason"] == (
        f"covers {held['coverage']:.0%} (needs 60%, for the cosine is below 0.35), "
        f"cosine {held['cosine']:.2f} (needs 0.50)"
    )
    printed = cli.run("recall", "which package manager?", "--explain").stdout
    assert re.search(r"^held back: \w+ shares no word, cosine 0\.\d\d \(needs 0\.50\): ", printed, re.MULTILINE)


def test_a_person_sees_a_bar_and_a_sentence(cli: Cli) -> None:
    cli.run("note", "a lesson", "-g")
    assert f"made the vectors of 1 memory ({packaged.NAME})" in cli.person("vectors", "build")


def test_a_model_can_be_let_go(cli: Cli) -> None:
    """By its name, after a question; the memories stay."""
    cli.run("note", "a lesson", "-g")
    cli.run("vectors", "build")
    assert "say --yes" in cli.run("vectors", "forget-model", packaged.NAME, code=1).stderr
    assert packaged.NAME in cli.run("vectors", "forget-model", "other", "--yes", code=1).stderr
    assert cli.json("vectors", "forget-model", packaged.NAME, "--yes") == {"model": packaged.NAME, "deleted": 1}
    assert cli.json("vectors", "status")["models"] == []
    assert cli.json("list", "-g")["total"] == 1


@pytest.mark.parametrize(
    ("model", "says"),
    [("off", "switched off"), ("/nowhere", "which has no model.onnx"), ("endpoint", "vectors.url")],
)
def test_without_a_model_nothing_is_built(cli: Cli, model: str, says: str) -> None:
    """A sentence that says why and what to do."""
    done = cli.run("vectors", "build", env={"HARDWON_VECTORS_MODEL": model}, code=1)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_names_a_model_that_is_not_there(cli: Cli) -> None:
    cli.run("note", "a lesson", "-g")
    done = cli.run("doctor", env={"HARDWON_VECTORS_MODEL": "/nowhere"}, code=1)
    assert "!! vectors: vectors.model names the folder /nowhere" in done.stdout


def test_a_model_with_another_hash_is_not_run(cli: Cli, tmp_path: Path) -> None:
    """A package index handed out another file under the same name: doctor says so, and nothing is built with it."""
    package = tmp_path / "other" / packaged.PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('not a line of it is to be run')")
    (package / "model.onnx").write_bytes(packaged.found().read_bytes() + b"\0")
    cli.run("note", "a lesson", "-g")
    code = f"import sys; sys.path.insert(0, {str(package.parent)!r}); from hardwon.cli import main; main()"
    for verb in (("vectors", "build"), ("doctor",)):
        done = subprocess.run(
            [sys.executable, "-c", code, *verb], capture_output=True, text=True, env=cli.environment(), check=False
        )
        assert done.returncode == 1
        assert "is not the model it should be" in done.stdout + done.stderr
    assert cli.json("vectors", "status")["missing"] == 1


def run_without(cli: Cli, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        capture_output=True,
        text=True,
        cwd=cli.folder,
        env=cli.environment(),
        check=False,
    )


def test_without_the_extra_everything_works_on_words(cli: Cli, tmp_path: Path) -> None:
    """Silently; only whoever asks for vectors is told what is missing."""
    assert run_without(cli, "note", "Install with pnpm", "-g").returncode == 0
    recalled = run_without(cli, "recall", "how to install with pnpm")
    assert "pnpm" in recalled.stdout
    assert recalled.stderr == ""
    assert "ok vectors: not installed (numpy)" in run_without(cli, "doctor").stdout
    assert "numpy is not installed" in run_without(cli, "vectors", "status").stdout
    built = run_without(cli, "vectors", "build")
    assert built.returncode == 1
    assert extra.command() in built.stderr
    assert "meaning" not in run_without(cli, "status").stdout


def test_setup_says_how_to_get_them(cli: Cli, tmp_path: Path) -> None:
    """Where the extra is missing; where it is there, nothing is said."""
    config = tmp_path / "config"
    config.mkdir()
    environment = cli.environment({"CLAUDE_CONFIG_DIR": str(config)})
    command = ["setup", "claude-code", "--user-hooks", "--yes"]
    without = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command], env=environment, cwd=cli.folder, capture_output=True, text=True
    )
    assert without.returncode == 0
    assert extra.command() in without.stdout + without.stderr
    done = cli.run(*command, env={"CLAUDE_CONFIG_DIR": str(config)})
    assert "by meaning" not in done.stdout + done.stderr


def test_a_model_that_is_not_there_is_told_when_it_is_set(cli: Cli, tmp_path: Path) -> None:
    """It may be put there later, so it is set; but nobody is left to wonder why nothing is found by meaning."""
    told = cli.run("config", "set", "vectors.model", str(tmp_path / "nowhere"))
    assert "has no model.onnx" in told.stderr
    assert cli.json("config", "show")["settings"]["vectors.model"]["value"] == str(tmp_path / "nowhere")
    assert cli.run("config", "set", "vectors.model", "off").stderr == ""
    assert cli.run("config", "set", "vectors.model", "packaged").stderr == ""
