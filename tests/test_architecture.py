"""The shape of the source: who may import whom, and what no file may do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "hardwon"
FILES = sorted(SOURCE.rglob("*.py"))

# The words that everything else uses. Among themselves they are free, as long as they go in no circle.
BASE = frozenset(
    {"event", "action", "memory", "kinds", "redact", "project", "git", "git_head", "settings", "paths", "regular_file"}
)
# Data flows from left to right: a package imports itself, the base and what stands to its left.
ORDER = ("hook", "clients", "text", "store", "embedding", "memories", "conversations", "render", "learn", "jobs",
         "sync", "moments", "daemon", "rehearsal", "evaluation", "cli", "__main__")  # fmt: skip
# The hot path is copied out of the package: it finds nothing around it.
HOT_PATH = "hook/client.py", "hook/starting.py"
HOT_IMPORTS = frozenset({"sys", "posix", "time", "_socket", "_signal"})

FAIL_OPEN = ("hook", "moments", "daemon")
"""Where any error at all is caught, because the client must never wait for us or see us fail."""
BOUNDARY = "cli/app.py"

MOST_LINES = 400


def name(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def package(path: Path) -> str:
    """The part of the order that a file belongs to; empty for the package's own `__init__.py`."""
    first = path.relative_to(SOURCE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file names in an import, wherever it stands: at the top, in a function, for types only."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(path, node)
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def _absolute(path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = ("hardwon", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join((*parts[: -node.level], *([node.module] if node.module else [])))


def packages_of(path: Path) -> Iterator[tuple[int, str]]:
    """The packages of hardwon that a file imports from."""
    for line, module in imported(path):
        parts = module.split(".")
        if parts[0] == "hardwon" and len(parts) > 1 and not parts[1].startswith("__"):
            yield line, parts[1]


def may_import(package: str) -> frozenset[str]:
    if package in BASE:
        return BASE
    return BASE | set(ORDER[: ORDER.index(package) + 1])


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_package_imports_only_what_stands_to_its_left(path: Path) -> None:
    """Also inside functions and for types: an arrow that points back hides a circle."""
    if not package(path):
        return
    allowed = may_import(package(path))
    wrong = [f"line {line} imports {other}" for line, other in packages_of(path) if other not in allowed]
    assert not wrong, f"{name(path)}: {'; '.join(wrong)}; see AGENTS.md for the order"


def test_the_hot_path_imports_almost_nothing() -> None:
    """It is started on every event; `import json` alone would double its time."""
    assert {module for file in HOT_PATH for _, module in imported(SOURCE / file)} <= HOT_IMPORTS


def test_every_package_has_its_place() -> None:
    """A new folder or module is put into the order on purpose."""
    unknown = {package(path) for path in FILES} - {""} - BASE - set(ORDER)
    assert not unknown


def test_the_base_goes_in_no_circle() -> None:
    """Among the base words the arrows point one way, too."""
    arrows = {one: {other for path in FILES if package(path) == one for _, other in packages_of(path)} - {one}
              for one in BASE}  # fmt: skip
    left = set(BASE)
    while free := {one for one in left if not arrows[one] & left}:
        left -= free
    assert not left


def modules() -> dict[str, set[str]]:
    """Which module names which, wherever the import stands."""
    known = {_module(path): path for path in FILES}
    found = {}
    for module, path in known.items():
        named = {other if other in known else other.rpartition(".")[0] for _, other in imported(path)}
        found[module] = (named & known.keys()) - {module}
    return found


def _module(path: Path) -> str:
    return ".".join(("hardwon", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def test_modules_go_in_no_circle() -> None:
    """An import that hides in a function because it would not work at the top says that one subject stands in two
    files, or two in one."""
    arrows = modules()
    left = set(arrows)
    while free := {one for one in left if not arrows[one] & left}:
        left -= free
    assert {one: sorted(arrows[one] & left) for one in sorted(left)} == {}


ONLY_IN = {"typer": "cli", "rich": "cli", "click": "cli", "sqlite3": "nowhere"}


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_stays_where_it_belongs(library: str) -> None:
    """typer and rich are the command line's; the machine's own sqlite3 is nobody's, for apsw brings a known one."""
    users = {name(path) for path in FILES for _, module in imported(path) if module.split(".")[0] == library}
    assert not {user for user in users if not user.startswith(ONLY_IN[library])}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_errors_are_caught_by_name(path: Path) -> None:
    """A net for everything hides what went wrong; only the boundaries to a client and to a person have one."""
    if package(path) in FAIL_OPEN or name(path) == BOUNDARY:
        return
    nets = [node.lineno for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ExceptHandler) and _catches_all(node)]  # fmt: skip
    assert not nets, f"{name(path)} catches everything in line {nets}"


def _catches_all(handler: ast.ExceptHandler) -> bool:
    """Bare, or `Exception` or `BaseException`; one that raises again what it caught is a clean-up and no net."""
    caught = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else {"Exception"}
    )
    raises_again = isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None
    return bool(caught & {"Exception", "BaseException"}) and not raises_again


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_is_a_page(path: Path) -> None:
    """What is longer has a second subject in it."""
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES
