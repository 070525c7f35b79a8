"""What kind of command it is: one that looks, one that waits, one that keeps the books."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from hardwon.text.commands import queries, shell
from hardwon.text.commands.checking import checks, head, rest
from hardwon.text.commands.normal import essential, without_keywords
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

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
    "git add, git commit, git push, git fetch, git tag, git branch, git notes, gh "
    "pr create, gh pr edit, gh pr comment, gh pr merge, gh issue create, gh issue comment, gh issue "
    "close, git stash list, open, xdg-open, code, git status, hardwon, kill -0, clear, reset",
    ",",
)
_WAITS = ("sleep", "wait", "watch", "kubectl wait", "kubectl rollout", "docker wait", "gh run watch", "wait-for-it.sh")


@lru_cache(maxsize=2_048)
def only_looks(command: str) -> bool:
    """Whether a command changes nothing, as far as can be told: each of its parts reads, none of them writes."""
    parts = shell.parts(command)
    return bool(parts) and all(looks(part) for part in parts)


def looks(part: Part) -> bool:
    """Whether one part only reads."""
    if any(_WRITES.match(one) and not one.endswith(("/dev/null", "&1", "&2")) for one in part.redirections):
        return False
    words = words_of(part)
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
    if name in queries.CLIENTS and queries.asks(words):
        return True
    if words[:2] in (["git", "branch"], ["git", "tag"], ["git", "config"], ["git", "remote"]):
        return all(_LISTS.fullmatch(word) for word in words[2:3])
    if words[1:] and words[-1] in ("--version", "--help", "-V", "-version") and len(words) <= 3:
        return True
    if name in _LOOKS:
        return True
    asks = any(" ".join(words[:length]) in _LOOKS_WITH for length in (2, 3))
    return asks and not any(word in _WRITING for word in words[2:])


_WRITING = names("-w -u --write --set --unset --save")
"""`go env -w GOFLAGS=…` sets what `go env` shows."""


def waits(command: str) -> bool:
    """Whether it lets time pass, which may be all that a later pass needed."""
    return any(_is(part, _WAITS) for part in shell.parts(command))


def only_waits(command: str) -> bool:
    """Whether it does nothing but wait, and look."""
    return all(looks(part) or _is(part, _WAITS) for part in shell.parts(command))


_OF_SHELL = names("export source . unset alias eval set setopt conda nvm pyenv direnv activate deactivate")


def sets_up_shell(command: str) -> bool:
    """Whether a line does nothing but prepare the shell for what follows: `export`, `source`, a folder."""
    parts = [part for part in shell.parts(command) if part.words]
    does = [part for part in parts if part.words[0] in _OF_SHELL or all("=" in word for word in part.words)]
    return bool(does) and all(part in does or looks(part) for part in parts)


def bookkeeping(command: str) -> bool:
    """Whether it is no cause of a later pass: it looks, commits, pushes or opens something."""
    return all(looks(part) or _is(part, _KEEPS_BOOKS) for part in shell.parts(command))


def words_of(part: Part) -> list[str]:
    """The words that say what one part runs."""
    return [word for one in essential(" ".join(without_keywords(part.words))) for word in one.words]


def _after_xargs(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-n", "-I", "-P", "-L", "-d", "-s") else words[1:]
    return words or ["echo"]


def _is(part: Part, names: frozenset[str] | tuple[str, ...]) -> bool:
    words = words_of(part)
    return any(" ".join(words[:length]) in names for length in (1, 2, 3))


def family(command: str) -> str:
    """The program and its subcommand: `pytest`, `npm test`, `docker compose up`."""
    return head(main(command))


def targets(command: str) -> tuple[str, ...]:
    """What is left of the main part when its family is taken away: paths, filters, options that change what is run."""
    return rest(main(command))


def main(command: str) -> Part:
    """The part that a command is about: the last that checks something, else the last that does something."""
    parts = [replace(part, words=without_keywords(part.words)) for part in essential(command)]
    parts = [part for part in parts if part.words]
    checking = [part for part in parts if checks(part)]
    does = [part for part in parts if not looks(part) and part.joint != "|"]
    return (checking or does or parts[:1] or [Part(())])[-1]
