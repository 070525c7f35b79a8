"""A skill's name and its SKILL.md: where the clients find it, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardwon.clients.skills import Place, find, in_home, in_project, name_of, parts_of

# A path that was read, and the skill that it is the file of.
PATHS = [
    ("/home/u/.claude/skills/deploy/SKILL.md", "deploy"),
    ("/p/.claude/skills/deploy-check/SKILL.md", "deploy-check"),
    ("/p/.agents/skills/deploy/SKILL.md", "deploy"),
    ("/p/.codex/skills/deploy/SKILL.md", "deploy"),
    ("/p/.opencode/skill/deploy/SKILL.md", "deploy"),
    ("/p/.opencode/skills/ops/deploy/SKILL.md", "deploy"),
    ("/home/u/.config/opencode/skills/deploy/SKILL.md", "deploy"),
    ("/home/u/.pi/agent/skills/deploy/SKILL.md", "deploy"),
    ("C:\\Users\\u\\.claude\\skills\\deploy\\SKILL.md", "deploy"),
    ("C:/Users/u\\.claude/skills\\deploy/SKILL.md", "deploy"),
    ("/x/deploy/SKILL.md", "deploy"),
    ("/x/with blank/SKILL.md", "with blank"),
    ("/x/部署/SKILL.md", "部署"),
    ("/home/u/.claude/plugins/cache/market/memo/1.2.0/skills/recall/SKILL.md", "memo:recall"),
    ("/home/u/.codex/plugins/cache/market/memo/1.2.0/skills/recall/SKILL.md", "memo:recall"),
    ("/home/u/.claude/plugins/marketplaces/market/plugins/memo/skills/recall/SKILL.md", "memo:recall"),
    ("/home/u/.claude/plugins/marketplaces/market/memo/skills/recall/SKILL.md", "memo:recall"),
    ("/srv/market/plugins/memo/skills/recall/SKILL.md", "memo:recall"),
    ("C:\\u\\.claude\\plugins\\cache\\m\\memo\\1\\skills\\recall\\SKILL.md", "memo:recall"),
    ("/srv/plugins/shop/.claude/skills/deploy/SKILL.md", "deploy"),
    ("/srv/plugins/.claude/skills/deploy/SKILL.md", "deploy"),
    ("/x/deploy/skill.md", None),
    ("/x/deploy/SKILL.md.bak", None),
    ("/x/deploy/SKILLS.md", None),
    ("/x/deploy/XSKILL.md", None),
    ("/x/deploy/SKILL.md/", None),
    ("SKILL.md", None),
    ("/SKILL.md", None),
    ("/x/../SKILL.md", None),
    ("/x/./SKILL.md", None),
    ("", None),
]

# What somebody typed, and the plugin and folders that it may mean.
NAMES = [
    ("deploy", ("", ("deploy",))),
    ("  deploy\n", ("", ("deploy",))),
    ("ops/deploy", ("", ("ops", "deploy"))),
    ("ops\\deploy", ("", ("ops", "deploy"))),
    ("memo:recall", ("memo", ("recall",))),
    ("memo:ops/recall", ("memo", ("ops", "recall"))),
    ("with blank", ("", ("with blank",))),
    ("..deploy", ("", ("..deploy",))),
    (".hidden", ("", (".hidden",))),
    ("~", ("", ("~",))),
    ("部署", ("", ("部署",))),
    ("..", None),
    (".", None),
    ("", None),
    ("   ", None),
    ("/", None),
    ("/etc", None),
    ("../x", None),
    ("x/..", None),
    ("x/../../y", None),
    ("x//y", None),
    ("x/", None),
    ("..\\x", None),
    ("\\\\server\\share", None),
    ("C:\\x", None),
    ("C:/x", None),
    ("..:x", None),
    ("x:..", None),
    ("x:", None),
    (":x", None),
    ("a:b:c", None),
    ("a/b:c", None),
    ("x\0y", None),
    ("x\ny", None),
    ("x\x1b[2J", None),
    ("x\u202ey", None),
    ("x" * 201, None),
]


@pytest.mark.parametrize(("path", "name"), PATHS)
def test_the_name_of_a_file(path: str, name: str | None) -> None:
    """The folder's name; with that of the plugin before it, as the Skill tool names it. No other file is a skill."""
    assert name_of(path) == name


@pytest.mark.parametrize(("name", "parts"), NAMES)
def test_a_name_is_taken_apart(name: str, parts: tuple[str, tuple[str, ...]] | None) -> None:
    """Every part must be the name of one folder; anything else is no name."""
    assert parts_of(name) == parts


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for folder in ("home", "project/packages/web", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    return Place(str(tmp_path / "project/packages/web"), str(tmp_path / "project"))


def put(folder: Path, text: str = "---\nname: x\n---\n") -> str:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text)
    return str(folder / "SKILL.md")


def found(name: str, place: Place, tmp_path: Path, **environ: str) -> str | None:
    return find(name, place, {"HOME": str(tmp_path / "home"), **environ})


@pytest.mark.parametrize("folder", [*(f"project/{one}" for one in in_project()), *(f"home/{one}" for one in in_home())])
def test_a_skill_is_found_where_the_clients_find_it(folder: str, place: Place, tmp_path: Path) -> None:
    """In the project and in the user's home, for each of them."""
    path = put(tmp_path / folder / "deploy")
    assert found("deploy", place, tmp_path) == path
    assert found("other", place, tmp_path) is None


def test_the_nearest_one_counts(place: Place, tmp_path: Path) -> None:
    """The folder one works in, the project's root, the user; and of one folder the loading client's own first."""
    home = put(tmp_path / "home/.claude/skills/deploy")
    assert found("deploy", place, tmp_path) == home
    codex = put(tmp_path / "project/.codex/skills/deploy")
    assert found("deploy", place, tmp_path) == codex
    claude = put(tmp_path / "project/.claude/skills/deploy")
    assert found("deploy", place, tmp_path) == claude
    own = Place(place.cwd, place.root, "codex")
    assert found("deploy", own, tmp_path) == codex
    near = put(tmp_path / "project/packages/web/.agents/skills/deploy")
    assert found("deploy", place, tmp_path) == near
    outside = Place(str(tmp_path / "elsewhere"), place.root)
    assert found("deploy", outside, tmp_path) == claude


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "CODEX_HOME"])
def test_settings_elsewhere_are_known(variable: str, place: Place, tmp_path: Path) -> None:
    """By the client's own variable, or because an event told of the folder."""
    path = put(tmp_path / "elsewhere/skills/deploy")
    assert found("deploy", place, tmp_path) is None
    assert found("deploy", place, tmp_path, **{variable: str(tmp_path / "elsewhere")}) == path
    told = Place(place.cwd, place.root, "claude-code", (str(tmp_path / "elsewhere"),))
    assert found("deploy", told, tmp_path) == path
    assert found("deploy", place, tmp_path, **{variable: "elsewhere"}) is None, "relative to nothing that we know"


@pytest.mark.parametrize(
    "folder",
    [
        "home/.claude/plugins/cache/market/memo/1.0/skills",
        "home/.codex/plugins/cache/market/memo/1.0/skills",
        "home/.claude/plugins/marketplaces/market/plugins/memo/skills",
        "home/.claude/plugins/marketplaces/market/memo/skills",
        "project/plugins/memo/skills",
    ],
)
def test_a_plugin_brings_its_own(folder: str, place: Place, tmp_path: Path) -> None:
    """By the name that the client gives it, never by the bare one."""
    path = put(tmp_path / folder / "recall")
    assert found("memo:recall", place, tmp_path) == path
    assert found("other:recall", place, tmp_path) is None
    assert found("recall", place, tmp_path) is None


def test_of_two_versions_of_a_plugin_the_last_installed_counts(place: Place, tmp_path: Path) -> None:
    """Not the one whose number sorts last."""
    cache = tmp_path / "home/.claude/plugins/cache/market/memo"
    put(cache / "9.0/skills/recall")
    new = put(cache / "10.0/skills/recall")
    os.utime(cache / "9.0", (1, 1))
    assert found("memo:recall", place, tmp_path) == new


def test_a_skill_in_a_group_or_under_another_name(place: Place, tmp_path: Path) -> None:
    """OpenCode looks deeper, and takes the name from the file."""
    grouped = put(tmp_path / "project/.opencode/skills/ops/deploy")
    assert found("deploy", place, tmp_path) == grouped
    assert found("ops/deploy", place, tmp_path) == grouped
    renamed = put(tmp_path / "project/.opencode/skills/folder", '---\ndescription: y\nname: "ship"\n---\nname: sail\n')
    assert found("ship", place, tmp_path) == renamed
    assert found("sail", place, tmp_path) is None


@pytest.mark.parametrize("name", [name for name, parts in NAMES if parts is None])
def test_no_name_leads_out_of_the_folders(name: str, place: Place, tmp_path: Path) -> None:
    """There is a SKILL.md in every folder around, and none of them is found."""
    for folder in ("", "project", "project/.claude", "project/.claude/skills", "project/.claude/skills/x", "home"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "SKILL.md").write_text("---\nname: y\n---\n")
    assert found(name, place, tmp_path) is None


def test_links_are_followed_as_the_clients_do(place: Place, tmp_path: Path) -> None:
    """Installers link one copy into several clients' folders. A link that leads nowhere is no skill."""
    put(tmp_path / "elsewhere/deploy")
    skills = tmp_path / "project/.claude/skills"
    skills.mkdir(parents=True)
    (skills / "deploy").symlink_to(tmp_path / "elsewhere/deploy")
    (skills / "gone").symlink_to(tmp_path / "nowhere")
    (skills / "loop").symlink_to(skills / "loop")
    assert found("deploy", place, tmp_path) == str(skills / "deploy/SKILL.md")
    assert found("gone", place, tmp_path) is None
    assert found("loop", place, tmp_path) is None


def test_only_a_plain_file_is_one(place: Place, tmp_path: Path) -> None:
    """One would wait at a pipe for ever."""
    folder = tmp_path / "project/.claude/skills"
    for name in ("pipe", "folder", "file"):
        (folder / name).mkdir(parents=True)
    os.mkfifo(folder / "pipe/SKILL.md")
    (folder / "folder/SKILL.md").mkdir()
    (folder / "notafolder").write_text("x")
    assert [found(name, place, tmp_path) for name in ("pipe", "folder", "file", "notafolder")] == [None] * 4


@pytest.mark.parametrize("place", [Place(), Place("relative", "relative"), Place("/", "/"), Place("/gone", "/gone")])
def test_a_place_that_says_nothing(place: Place) -> None:
    """No folder, no home: nothing is found and nothing fails."""
    assert find("deploy", place, {}) is None
    assert find("memo:deploy", place, {"HOME": "relative"}) is None
