"""What kind of command it is: one that looks, waits, keeps the books, or checks the work.

Decided by the program that is run, never by a word somewhere in the line: `cat test.txt` tests nothing.
"""

from __future__ import annotations

import re

from hardwon.understand import shell
from hardwon.understand.commands import vocabulary
from hardwon.understand.commands.normal import essential, head, normalise, rest, without_keywords
from hardwon.understand.commands.vocabulary import names
from hardwon.understand.shell import Part

_LOOKS = names(
    "cd pushd popd ls cat head tail less more grep egrep fgrep rg ag ack find fd fdfind wc file stat pwd "
    "echo printf which whereis type tree du df ps pgrep printenv date sleep wait true false : test [ [[ "
    "diff cmp comm sort uniq cut tr column jq yq nl od xxd hexdump strings md5sum sha1sum sha256sum "
    "realpath readlink dirname basename uname id whoami hostname lsof netstat ss free uptime man help "
    "history jobs export unset set shopt alias env bat eza exa sed awk gawk xargs seq nproc tput clear "
    "getent locale groups top dig nslookup host ping command hash read return exit source . local declare "
    "done fi esac for case } then else do break continue cloc tokei shellcheck"
)
_LOOKS_WITH = names(
    "git status, git diff, git log, git show, git blame, git grep, git ls-files, git rev-parse, git "
    "describe, git shortlog, git rev-list, git cat-file, git ls-tree, git ls-remote, git reflog, git "
    "stash list, git stash show, git worktree list, git remote show, git remote get-url, git merge-base, "
    "git name-rev, git for-each-ref, git whatchanged, git help, git check-ignore, git count-objects, git "
    "show-ref, git version, docker ps, docker images, docker logs, docker inspect, docker top, docker "
    "stats, docker version, docker info, docker compose ps, docker compose logs, docker compose config, "
    "docker compose images, kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl explain, "
    "kubectl version, npm ls, npm list, npm view, npm outdated, npm why, npm explain, npm config get, npm "
    "root, npm bin, yarn list, yarn why, yarn info, pnpm ls, pnpm list, pnpm why, pip list, pip show, pip "
    "freeze, pip check, pip index, poetry show, uv tree, uv pip list, cargo tree, cargo metadata, cargo "
    "search, go list, go env, go version, go doc, rustup show, brew list, brew info, apt list, apt show, "
    "apt search, systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units, "
    "journalctl, gh pr view, gh pr list, gh pr checks, gh pr diff, gh pr status, gh issue view, gh issue "
    "list, gh run view, gh run list, gh repo view, helm list, helm status, terraform show, terraform "
    "output, terraform state list, conda list, conda info, gem list, bundle list, bundle show, composer "
    "show, mvn dependency:tree, gradle dependencies, gradle tasks, rails routes, make -n, make --dry-run, "
    "dpkg -l, dpkg -L, dpkg -s, rpm -q",
    ",",
)
_CHANGING_OPTIONS: dict[str, re.Pattern[str]] = {
    "find": re.compile(r"-(?:delete|exec|execdir|ok|okdir|fprint\w*|fls)"),
    "fd": re.compile(r"-[xX]|--exec(?:-batch)?"),
    "sed": re.compile(r"-[nErsuz]*i.*|--in-place.*"),
    "sort": re.compile(r"-o.*|--output.*"),
    "awk": re.compile(r".*(?:>|system\().*|-i"),
    "env": re.compile(r"-S.*"),
    "date": re.compile(r"-s|--set.*"),
    "hostname": re.compile(r"[^-].*"),
    "yq": re.compile(r"-i|--inplace"),
}
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`|[<>]\(([^()]*)\)")
_WRITES = re.compile(r"^(?:\d|&)?>")
_LISTS = re.compile(
    r"-[arvlq]+|--(?:list|all|remotes|show-current|merged|no-merged|contains|sort|format|get|points-at)\b.*"
)

_KEEPS_BOOKS = names(
    "git add, git commit, git push, git fetch, git tag, git branch, git config, git remote, git notes, gh "
    "pr create, gh pr edit, gh pr comment, gh pr merge, gh issue create, gh issue comment, gh issue "
    "close, gh auth, git stash list, open, xdg-open, code, git status, hardwon, kill -0, clear, reset",
    ",",
)
_WAITS = ("sleep", "wait", "watch", "kubectl wait", "kubectl rollout", "docker wait", "gh run watch", "wait-for-it.sh")

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
    "cargo": "test check build clippy nextest bench doc miri fmt",
    "go": "test build vet install",
    "gradle": "",
    "docker": "build",
    "docker compose": "build config",
    "bazel": "test build",
    "meson": "test compile",
    "swift": "test build",
    "dotnet": "test build publish",
    "mix": "test compile dialyzer credo format",
    "deno": "test check lint fmt",
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
    "hatch": "test build fmt",
    "prisma": "validate",
    "npm": "test ci-test",
    "pnpm": "test build lint typecheck",
    "yarn": "test build lint typecheck",
    "git": "",
}
_SCRIPT = re.compile(
    r"(?i)(?:.*[:._/-])?(?:unit|integration|e2e|smoke|all)?[:._-]?"
    r"(?:tests?|specs?|checks?|lint(?:ing|er)?|build|typecheck|types?|tsc|verify|validate|compile|ci|coverage|e2e|qa)"
    r"(?:[:._-].*|all)?"
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
_FILTERS = re.compile(
    r"-(?:k|m|t|run|g|D|E|p|R|L|only|name)(?:=.*|[A-Z]\w*.*)?"
    r"|--(?:grep|filter|testNamePattern|tests|lf|last-failed|sw|ff|only|select|package|bin|lib|test|example|project|bail"
    r"|changed\w*|deselect|ignore\S*|exclude\S*)(?:=.*)?"
)
_EVERYTHING = names(". ./ ./... ... * ** all")


def only_looks(command: str) -> bool:
    """Whether a command changes nothing, as far as can be told: each of its parts reads, none of them writes."""
    parts = shell.parts(command)
    return bool(parts) and all(looks(part) for part in parts)


def looks(part: Part) -> bool:
    """Whether one part only reads."""
    if any(_WRITES.match(one) and not one.endswith(("/dev/null", "&1", "&2")) for one in part.redirections):
        return False
    words = _words(part)
    if not words:
        return True
    inner = [next(filter(None, match), "") for match in _SUBSTITUTION.findall(" ".join(part.words))]
    if not all(only_looks(one) for one in inner if one.strip()) or any(word.count("$(") > 1 for word in words):
        return False
    name = words[0]
    if name == "xargs":
        return looks(Part(tuple(_after_xargs(words[1:]))))
    if changing := _CHANGING_OPTIONS.get("awk" if name == "gawk" else name):
        return not any(changing.fullmatch(shell.bare(word)) for word in words[1:])
    if words[:2] in (["git", "branch"], ["git", "tag"], ["git", "config"], ["git", "remote"]):
        return all(_LISTS.fullmatch(word) for word in words[2:3])
    if words[1:] and words[-1] in ("--version", "--help", "-V", "-version") and len(words) <= 3:
        return True
    return name in _LOOKS or any(" ".join(words[:length]) in _LOOKS_WITH for length in (2, 3))


def waits(command: str) -> bool:
    """Whether it lets time pass, which may be all that a later pass needed."""
    return any(_is(part, _WAITS) for part in shell.parts(command))


def bookkeeping(command: str) -> bool:
    """Whether it is no cause of a later pass: it looks, commits, pushes or opens something."""
    return all(looks(part) or _is(part, _KEEPS_BOOKS) for part in shell.parts(command))


def is_validation(command: str) -> bool:
    """Whether it checks the work: tests, types, lint, a build."""
    return any(checks(part) for part in essential(command))


def checks(part: Part) -> bool:
    """Whether one part checks the work."""
    if not part.words:
        return False
    name, words = part.words[0], part.words[1:]
    if words[-1:] in (("--version",), ("--help",), ("-h",)):
        return False
    if name in _CHECKERS:
        return True
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
        return (name == "make" and not tasks) or any(_SCRIPT.fullmatch(task) for task in tasks[:2])
    if name in vocabulary.INTERPRETERS:
        return bool(words) and not words[0].startswith("-") and bool(_TEST_FILE.fullmatch(words[0]))
    return "/" in name and bool(_TEST_FILE.fullmatch(name))


def is_broader(one: str, other: str) -> bool:
    """Whether `one` passing means that everything `other` checked passes too. Equal commands are."""
    if normalise(one) == normalise(other):
        return True
    wide = [part for part in essential(one) if checks(part)]
    narrow = [part for part in essential(other) if checks(part)]
    return bool(narrow) and all(any(_covers(big, small) for big in wide) for small in narrow)


def masks_status(command: str) -> bool:
    """Whether its exit status says nothing about the program that matters: `pytest | tail`, `make || true`."""
    parts = shell.parts(command)
    if any(word == "pipefail" or word.endswith("o pipefail") for part in parts for word in part.words):
        parts = tuple(part for part in parts if part.joint != "|")
    checked = [at for at, part in enumerate(parts) if any(checks(one) for one in essential(" ".join(part.words)))]
    at = checked[-1] if checked else 0
    return any(part.joint in ("|", "||", ";") for part in parts[at + 1 :])


def _is(part: Part, names: frozenset[str] | tuple[str, ...]) -> bool:
    words = _words(part)
    return any(" ".join(words[:length]) in names for length in (1, 2, 3))


def _words(part: Part) -> list[str]:
    """The words that say what one part runs."""
    return [word for one in essential(" ".join(without_keywords(part.words))) for word in one.words]


def _after_xargs(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-n", "-I", "-P", "-L", "-d", "-s") else words[1:]
    return words or ["echo"]


def _covers(big: Part, small: Part) -> bool:
    if head(big) != head(small):
        return False
    wide_paths, wide_options = _sorted(rest(big))
    narrow_paths, narrow_options = _sorted(rest(small))
    if not wide_options <= narrow_options:
        return False
    if not wide_paths or wide_paths & _EVERYTHING:
        return True
    return bool(narrow_paths) and all(any(_under(path, wide) for wide in wide_paths) for path in narrow_paths)


def _sorted(words: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """The paths and names, and the options with their values that choose among the checks."""
    paths: set[str] = set()
    options: set[str] = set()
    waiting = ""
    for word in words:
        if waiting and not word.startswith("-"):
            options.add(f"{waiting} {word}")
            waiting = ""
        elif word.startswith("-") and word != "--":
            options.add(word)
            waiting = word if _FILTERS.fullmatch(word) and "=" not in word else ""
            if waiting:
                options.discard(word)
        elif word != "--":
            paths.add(word)
    if waiting:
        options.add(waiting)
    return paths, options


def _under(path: str, folder: str) -> bool:
    path, folder = path.removeprefix("./"), folder.removeprefix("./").removesuffix("/...").rstrip("/")
    return path == folder or path.startswith((f"{folder}/", f"{folder}::"))
