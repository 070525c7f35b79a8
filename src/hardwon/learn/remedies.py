"""What people do against which errors: plausible remedies although they share no word with the error.

`cp .env.example .env` does not name the variable that was missing, `docker compose up` not the port that refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remedy:
    done: re.Pattern[str]
    against: re.Pattern[str]


def _remedy(done: tuple[str, ...], against: tuple[str, ...]) -> Remedy:
    return Remedy(re.compile("|".join(done)), re.compile(f"(?i:{'|'.join(against)})"))


_NOT_THERE = ("no such file", "not found", "ENOENT", "missing", "cannot find", "does not exist", "can't open")
_NO_DEPENDENCY = (
    *("no module named", "cannot find module", "can't resolve", "could not resolve", "command not found"),
    *("not installed", "no required module", r"missing go\.sum", "unresolved import", "can't find crate"),
    *("could not find", "no matching", "peer dep", "ERESOLVE", "requires", "not found", "classnotfound", "noclassdef"),
    *("cannot find", "unsupported engine", "is not supported", r"fatal error: \S+\.h", "未找到", "見つかりません"),
)
_NOT_CONFIGURED = (
    *("environ", "env var", "not set", "is required", "unset", r"missing .{0,40}(?:key|url|token|secret|config)"),
    *("unbound variable", "(?-i:[A-Z][A-Z0-9]+_[A-Z0-9_]+)", r"keyerror: '(?-i:[A-Z]{3,})'", "unauthori[sz]ed"),
    *(r"\b40[13]\b", "denied", "authenti", "credential"),
)
_STARTING = (
    r"\b(?:docker(?:[ -]compose)?|podman)\s[^|;&]{0,60}\b(?:up|start|run|restart)\b",
    r"\b(?:systemctl|service|launchctl|supervisorctl|brew\s+services)\s[^|;&]{0,60}\b(?:re)?start\b",
    r"\bpg_ctl\w*|\bredis-server\b|\bmysqld\b|\bmongod\b|\bminikube\s+start\b|\bssh-add\b|\b(?:p|f?user)?kill(?:all)?\b",
    r"\bkubectl\s+(?:port-forward|apply|rollout|scale)\b",
)

_BUILDING = (
    r"\b(?:generate|codegen|protoc|build|gen|compile|javac|bundle|configure|cmake|bootstrap|autoreconf|webpack)\b"
)

_INSTALLING = (
    r"\b(?:pip3?|uv|poetry|pipenv|conda|npm|pnpm|yarn|bun|bundle|gem|composer|cargo|go|apt(?:-get)?|brew|dnf|yum|apk|rustup"
    r"|mvn|gradle|nvm|pyenv|asdf|playwright|ansible-galaxy|dotnet|mix|helm|terraform|pre-commit|mise|corepack)\b"
    r"[^|;&]{0,80}\b(?:install|add|i|ci|sync|update|upgrade|get|mod|fetch|tidy|download|restore|use|component|target"
    r"|toolchain|dump-autoload|init|enable)\b"
)

COMMANDS = (
    _remedy(
        _STARTING,
        (
            *("refused", "unreachable", "(?:could not|can't|cannot) connect", r"connect\w* (?:failed|timed out|reset)"),
            *("is the server", "not running", "address already in use", "EADDRINUSE", "daemon", "拒绝", "接続"),
        ),
    ),
    _remedy((_INSTALLING,), (*_NO_DEPENDENCY, "doesn't exist", "class .{0,80} not found", "couldn't resolve")),
    _remedy((r"\.env\b", r"\bexport\s", "direnv", r"\bconfig\w*\b", "credentials", r"\blogin\b"), _NOT_CONFIGURED),
    _remedy(
        (r"\b(?:migrat\w+|alembic|db:\w+|prisma|createdb|initdb|psql|sqlite3|flyway|liquibase|sqlx|diesel|mysql)\b",),
        (
            *("no such table", "no such column", r"relation \S+ does not exist", "unknown column", "unknown database"),
            *(
                "doesn't exist",
                r"(?:database|column|role|table) \S+ does not exist",
                "migration",
                "out of date",
                "prisma",
            ),
        ),
    ),
    _remedy((r"\b(?:chmod|chown|sudo|usermod|setfacl)\b",), ("permission", "denied", "EACCES", "not permitted")),
    _remedy(
        (r"\brm\b", r"\bclean\b", r"\bprune\b", r"\bpurge\b", "cache"),
        ("lock", "cache", "stale", "exists", "no space", "corrupt", "mismatch", "already", "ENOSPC", "checksum"),
    ),
    _remedy(
        (
            r"\b(?:mkdir|touch|ln|cp|mv|tar|unzip)\b",
            r"\bgit\s+(?:submodule|lfs|checkout|clone|fetch|pull|restore|stash)\b",
        ),
        (*_NOT_THERE, "is not a", "didn't match", "pathspec", "overwritten", "unknown revision"),
    ),
    _remedy(
        (_BUILDING,),
        (*_NOT_THERE, "no module named", "undefined", "unresolved", "out of date", "no rule", "no matching files"),
    ),
    _remedy(
        (r"\bgit\s+(?:pull|fetch|rebase|merge|remote|branch|push\s+-u|config|switch|checkout|stash|reset)\b",),
        (
            *("rejected", "non-fast-forward", "upstream", "diverge", "not a git", "conflict", "detached", "behind"),
            *("unmerged", "tell me who you are", "unrelated histories", "does not match any", "overwritten"),
        ),
    ),
)
FILES = (
    _remedy(
        (
            r"(?:^|/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|package\.json|Cargo\.toml|go\.mod"
            r"|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|CMakeLists\.txt|environment\.ya?ml)$",
        ),
        _NO_DEPENDENCY,
    ),
    _remedy((r"(?:^|/)\.env(?:\.\w+)?$", r"(?:^|/)(?:docker-)?compose\.ya?ml$", "config"), _NOT_CONFIGURED),
    _remedy(
        (
            r"(?:^|/)(?:tsconfig[\w.]*\.json|\.eslintrc[\w.]*|\.babelrc|mypy\.ini|ruff\.toml|tox\.ini|pytest\.ini|\.flake8"
            r"|conftest\.py|setup\.cfg|(?:eslint|jest|vite|vitest|babel)\.config\.\w+)$",
        ),
        (r"\bTS\d{4}", "eslint", "jest", "vitest", "babel", "mypy", "ruff", "fixture", "import", "unexpected token"),
    ),
)
_STARTS = re.compile("|".join(_STARTING))
_BUILDS = re.compile(_BUILDING)
_INSTALLS = re.compile(_INSTALLING)


def starts_something(command: str) -> bool:
    return _STARTS.search(command) is not None


def installs_something(command: str) -> bool:
    return _INSTALLS.search(command) is not None


def builds_something(command: str) -> bool:
    return _BUILDS.search(command) is not None


def by_command(command: str, error: str) -> bool:
    return any(one.done.search(command) and one.against.search(error) for one in COMMANDS)


def by_file(path: str, error: str) -> bool:
    return any(one.done.search(path) and one.against.search(error) for one in FILES)


COMMON_WORDS = frozenset(
    {
        *(
            "error",
            "errors",
            "exception",
            "failed",
            "failure",
            "fatal",
            "cannot",
            "could",
            "not",
            "found",
            "file",
            "files",
        ),
        *("directory", "such", "module", "package", "name", "undefined", "expected", "actual", "value", "type", "line"),
        *("test", "tests", "with", "from", "into", "this", "that", "have", "does", "command", "python", "node", "npm"),
        *(
            "cargo",
            "rustc",
            "make",
            "build",
            "run",
            "running",
            "warning",
            "the",
            "and",
            "for",
            "was",
            "are",
            "you",
            "use",
        ),
        *("can", "unknown", "invalid", "missing", "import", "string", "object", "function", "method", "attribute"),
        *("argument", "arguments", "called", "none", "null", "true", "false", "exit", "code", "status", "process"),
        *("assertionerror", "typeerror", "valueerror", "keyerror", "attributeerror", "importerror", "runtimeerror"),
        *(
            "modulenotfounderror",
            "referenceerror",
            "syntaxerror",
            "nameerror",
            "indexerror",
            "oserror",
            "pytest",
            "jest",
        ),
        *("filenotfounderror", "permissionerror", "vitest", "eslint", "ruff", "mypy", "tsc", "gcc", "clang", "docker"),
        *("curl", "git", "bash", "java", "javac", "maven", "gradle", "sqlite", "postgres", "psql", "src", "app", "lib"),
    }
)
"""They tell nothing about which error it is."""
