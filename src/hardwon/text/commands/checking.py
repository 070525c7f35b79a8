"""Whether a command checks the work: tests, types, lint, a build.

Decided by the program that is run, never by a word somewhere in the line: `cat test.txt` tests nothing.
"""

from __future__ import annotations

import re

from hardwon.text.commands import vocabulary
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_CHECKERS = names(
    "pytest tox nox unittest nosetests trial behave mypy pyright basedpyright pyre pytype ruff flake8 "
    "pylint bandit pydocstyle vulture compileall py_compile doctest jest vitest mocha ava tap karma "
    "cypress playwright tsc vue-tsc eslint stylelint biome oxlint xo svelte-check rustc clippy-driver "
    "golangci-lint staticcheck gofmt govulncheck mvn ctest ninja cc c++ gcc g++ clang clang++ ld javac "
    "kotlinc scalac clang-tidy cppcheck rspec rubocop phpunit phpstan psalm phpcs pest shellcheck "
    "hadolint yamllint markdownlint actionlint tflint checkov swiftlint ktlint detekt checkstyle credo "
    "bats elm-test pre-commit tsup webpack rollup msbuild xcodebuild cmake tsd ansible-lint sqlfluff "
    "codespell import-linter lint-imports pyupgrade buf protoc vulture standard busted luacheck ghc hlint"
)
_CHECKING_VERBS: dict[str, str] = {
    "cargo": "test check build clippy nextest bench doc miri",
    "go": "test build vet install",
    "docker": "build",
    "docker compose": "build config",
    "bazel": "test build",
    "meson": "test compile",
    "swift": "test build",
    "dotnet": "test build publish",
    "mix": "test compile dialyzer credo",
    "deno": "test check lint",
    "bun": "test build",
    "zig": "build test",
    "flutter": "test analyze build",
    "dart": "test analyze compile",
    "stack": "test build",
    "cabal": "test build",
    "sbt": "test compile",
    "terraform": "validate plan",
    "helm": "lint template",
    "composer": "test validate",
    "next": "build lint",
    "vite": "build",
    "nx": "test build lint",
    "turbo": "test build lint",
    "manage.py": "test check",
    "setup.py": "test build bdist_wheel",
    "rails": "test",
    "uv": "build",
    "poetry": "build check",
    "hatch": "test build",
    "prisma": "validate",
    "npm": "test",
    "artisan": "test",
    "pnpm": "test build lint typecheck",
    "yarn": "test build lint typecheck",
}
_SCRIPT = re.compile(
    r"(?i)(?:.*[:._/-])?(?:unit|integration|e2e|smoke|all)?[:._-]?"
    r"(?:tests?|specs?|checks?|lint(?:ing|er)?|build|typecheck|types?|tsc|verify|validate|compile|ci|coverage|e2e|qa)"
    r"(?:[:._-].*|all)?"
)
_FORMATS = (("format",), ("-w",), ("generate",))
"""A first word with which a checker only writes."""
_GRADLE = re.compile(
    r"(?::?[\w-]{1,80}:){0,6}(?:test|build|check|assemble|classes|jar|compile\w*|lint\w*|\w*[tT]est\w*|\w+Check)"
)
_TASKS = names("make just task rake gradle npm yarn pnpm bun deno composer tox nox hatch")
_CHECKS_ONLY_WITH: dict[str, tuple[str, ...]] = {
    "black": ("--check", "--diff"),
    "isort": ("--check", "--check-only", "-c", "--diff"),
    "prettier": ("--check", "-c", "-l", "--list-different"),
    "bash": ("-n",),
    "sh": ("-n",),
    "php": ("-l",),
    "node": ("--check", "-c", "--test"),
    "ruby": ("-c",),
}
_TEST_FILE = re.compile(
    r"(?i)(?:.*/)?(?:test_\w+|\w+_test|run_?tests?|tests?|check\w*|lint|build|verify|ci)(?:\.\w{1,5})?"
)


def checks(part: Part) -> bool:
    """Whether one part checks the work."""
    if not part.words:
        return False
    name, words = part.words[0], part.words[1:]
    if words[-1:] in (("--version",), ("--help",), ("-h",)):
        return False
    if name in _CHECKERS:
        return not (words[:1] in _FORMATS and not set(words) & {"--check", "--diff"})
    if words[:1] == ("fmt",) and name == "cargo":
        return "--check" in words
    if options := _CHECKS_ONLY_WITH.get(name):
        if any(option in words for option in options):
            return True
        if name not in vocabulary.INTERPRETERS:
            return False
    family = head(part).split(" ")
    if " ".join(family[:-1]) in _CHECKING_VERBS and family[-1] in _CHECKING_VERBS[" ".join(family[:-1])].split():
        return True
    if name in _TASKS:
        tasks = [word for word in words if not word.startswith("-") and "=" not in word]
        tasks = tasks[1:] if tasks[:1] in (["run"], ["task"], ["workspace"]) else tasks
        return (name == "make" and not tasks) or any(
            (_GRADLE if name == "gradle" else _SCRIPT).fullmatch(task) for task in tasks[:2]
        )
    if name in vocabulary.INTERPRETERS:
        return bool(words) and not words[0].startswith("-") and bool(_TEST_FILE.fullmatch(words[0]))
    return "/" in name and bool(_TEST_FILE.fullmatch(name))


def head(part: Part) -> str:
    """The family of one part."""
    return " ".join(part.words[at] for at in _head(part))


def rest(part: Part) -> tuple[str, ...]:
    """The words of one part that are not its family."""
    taken = set(_head(part))
    return tuple(word for at, word in enumerate(part.words) if at not in taken and word != "--")


def _head(part: Part) -> list[int]:
    """Where the words of the family stand; a program's own options may stand between them."""
    words = part.words
    if not words:
        return []
    kept = [0]
    depth = vocabulary.SUBCOMMANDS.get(words[0], 0)
    valued = vocabulary.VALUED.get(words[0], frozenset())
    at = 1
    while depth and at < len(words):
        if words[at].startswith("-"):
            if words[0] in vocabulary.INTERPRETERS:  # `python -c …` runs no script
                break
            at += 2 if words[at] in valued else 1
            continue
        if words[0] == "make" and "=" in words[at]:
            at += 1
            continue
        kept.append(at)
        depth += vocabulary.DEEPER.get(" ".join(words[one] for one in kept), 0) - 1
        at += 1
    return kept
