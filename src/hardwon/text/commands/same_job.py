"""Whether a command that passed may be told in the place of one that failed.

The same words behind another program say little: `dropdb shop` is no other way for `createdb shop`, and `./inspect.sh
demo` none for `./seed.sh demo`. So the program must be the same, or one that is known to do the same; it must not undo
what the other does, only look where the other acts, or destroy where the other does not. A wrong way costs more than
one that is not told.
"""

from __future__ import annotations

import difflib
import re

from hardwon.text.commands import shell, vocabulary
from hardwon.text.commands.destroying import destroys, tokens
from hardwon.text.commands.kinds import looks, main
from hardwon.text.commands.normal import essential, normalise
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_PROGRAMS: tuple[frozenset[str], ...] = tuple(
    names(group)
    for group in (
        "npm pnpm yarn bun cnpm",
        "pip pip3 pipx uv",
        "poetry pdm uv hatch pipenv rye",
        "conda mamba micromamba",
        "apt apt-get aptitude",
        "yum dnf microdnf",
        "docker podman nerdctl",
        "python pypy pypy3 ipython",
        "node tsx ts-node ts-node-esm bun deno babel-node jiti",
        "sh bash zsh dash ksh busybox",
        "vi vim nvim nano emacs",
        "make gmake just task mage ninja",
        "mvn mvnd mvnw",
        "jest vitest mocha",
        "pytest unittest nosetests",
        "terraform tofu terragrunt",
        "cc gcc clang",
        "c++ g++ clang++",
        "cargo cross",
        "awk gawk mawk nawk",
        "sed gsed perl",
        "tar gtar bsdtar",
        "unzip bsdtar 7z 7za 7zz",
        "curl wget http https xh",
        "cp rsync scp",
        "scp rsync sftp",
        "ruby jruby",
        "kubectl oc",
        "mysql mariadb",
        "mysqldump mariadb-dump",
        "psql pgcli",
        "sqlite3 sqlite",
        "service systemctl",
        "rake rails",
        "convert magick",
        "timeout gtimeout",
        "open xdg-open",
        "eslint biome oxlint",
        "ffmpeg avconv",
    )
)
"""Programs that do the same when they are asked in the same words."""
_CALLS: tuple[frozenset[str], ...] = tuple(
    names(group, ",")
    for group in (
        "black, ruff format",
        "virtualenv, venv, uv venv",
        "patch, git apply, git am",
        "git checkout, git switch",
        "git mv, mv",
        "go get, go install",
        "npm install, npm ci",
        "npm install, yarn add, pnpm add, bun add",
        "pip install, uv add, poetry add, pdm add, conda install, mamba install, pipx install, uv tool install",
        "kubectl apply, kubectl create, kubectl replace",
        "docker run, docker compose run",
        "docker exec, docker compose exec",
        "cargo test, cargo nextest",
        "aws s3 cp, aws s3 sync",
        "make test, make check",
    )
)
"""The same job in other words."""
_OPPOSITES: list[list[str]] = [
    pair.split("/")
    for pair in names(
        "create/drop create/delete create/destroy create/remove make/remove mk/rm start/stop start/kill up/down "
        "add/remove add/rm add/del add/delete enable/disable push/pull push/pop push/fetch open/close attach/detach "
        "login/logout encrypt/decrypt encode/decode import/export upload/download upgrade/downgrade backup/restore "
        "dump/restore save/load save/restore apply/destroy apply/revert deploy/rollback deploy/destroy "
        "migrate/rollback install/remove install/purge grant/revoke read/write get/put get/set send/receive "
        "freeze/thaw suspend/resume pause/resume on/off join/leave insert/delete seed/wipe init/destroy "
        "setup/teardown hide/show acquire/release allow/deny mount/umount gzip/gunzip bzip2/bunzip2 publish/retract "
        "begin/abort"
    )
]
_UNDOING = ("un", "de", "dis")
_LOOKING = names(
    "status list ls show info inspect describe log logs help version doctor plan preview whoami history view explain "
    "--dry-run --help --version --list --check --collect-only --plan --status --diff --show"
)
_FILLING = frozenset({"run", "exec", "compose", "run-script"})
"""Subcommands that say nothing of what is done."""


def can_replace(before: str, after: str, *, near: bool) -> bool:
    """Whether `after` may do what `before` was run for. `near`: names that are almost the same are one program."""
    if _is_in(before, after):
        return not any(destroys(part) and not _clears_the_way(part) for part in _others(before, after))
    failed, ways = main(before), _ways(before, after)
    if not failed.words or any(_undoes(failed, way) or _only_adds_a_look(failed, way) for way in ways):
        return False
    if any(map(destroys, ways)) and not destroys(failed):
        return False
    return any(_has_the_job(failed, way, near) for way in ways)


def is_same_program(one: str, other: str, *, near: bool) -> bool:
    """Whether two programs, by their normal names, do the same when asked the same."""
    bare = [_bare(name) for name in (one, other)]
    if any(f"/{long}".endswith(f"/{short}") for long, short in (bare, bare[::-1])):
        return True
    last = [name.rpartition("/")[2] for name in bare]
    return any(set(last) <= group for group in _PROGRAMS) or (near and is_near(*last))


def is_near(one: str, other: str) -> bool:
    """A slip of the pen, or one name inside the other: gradle, gradlew; python, python3; a.py, src/a.py."""
    if one in other or other in one:
        return True
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.7


def _is_in(before: str, after: str) -> bool:
    """The command itself, perhaps after something else."""
    return normalise(before) in (normalise(after), *(shell.joined((_alone(part),)) for part in essential(after)))


def _others(before: str, after: str) -> list[Part]:
    return [part for part in essential(after) if shell.joined((_alone(part),)) != normalise(before)]


def _clears_the_way(part: Part) -> bool:
    """`rm -rf build && cmake -B build`: what is made anew may be taken away first; a database or work may not."""
    return part.words[0] in ("rm", "rmdir") or (part.words[0] != "git" and part.words[-1] == "clean")


def _alone(part: Part) -> Part:
    return Part(part.words, part.redirections)


def _ways(before: str, after: str) -> list[Part]:
    """The parts of what passed that may stand for what failed: those of the same program, else all that act."""
    program = main(before).words[:1]
    parts = [part for part in essential(after) if part.words]
    own = [part for part in parts if part.words[:1] == program]
    return own or [part for part in parts if not looks(part)] or parts


def _undoes(failed: Part, way: Part) -> bool:
    left, right = (_differing(*pair) for pair in ((failed, way), (way, failed)))
    return any(_are_opposite(one, other) for one in left for other in right)


def _differing(part: Part, other: Part) -> list[str]:
    """Names of the one that the other has not; options may be opposite and the same job: `--enable-x`."""
    return [word for word in part.words if word not in other.words and not word.startswith("-") and "=" not in word]


def _are_opposite(one: str, other: str) -> bool:
    one, other = (_bare(name).rpartition("/")[2].lower() for name in (one, other))
    mine, its = (set(tokens(name)) for name in (one, other))
    for first, second in _OPPOSITES:
        for a, b in ((first, second), (second, first)):
            if (a in one and one.replace(a, b, 1) == other) or (a in mine - its and b in its - mine):
                return True
    words = [(one, other), *((a, b) for a in mine for b in its)]
    return any(_is_undone(a, b) or _is_undone(b, a) for a, b in words)


def _is_undone(word: str, other: str) -> bool:
    """`lock` and `unlock`."""
    return len(word) > 2 and other in [before + word for before in _UNDOING]


def _only_adds_a_look(failed: Part, way: Part) -> bool:
    """`make help` for `make`, `./deploy --dry-run` for `./deploy`."""
    return failed.words[0] == way.words[0] and bool(_LOOKING & (set(way.words) - set(failed.words)))


def _has_the_job(failed: Part, way: Part, near: bool) -> bool:
    if any(_heads(failed) & group and _heads(way) & group for group in _CALLS):
        return True
    if not any(is_same_program(failed.words[0], program, near=near) for program in (way.words[0], *_started(way))):
        return False
    verb = _verb(failed)
    if not verb or set(tokens(verb)) <= {token for word in way.words[1:] for token in tokens(word)}:
        return True
    return len(verb) > 3 and any(is_near(verb, word) for word in way.words[1:])


def _heads(part: Part) -> set[str]:
    return {" ".join(part.words[:length]) for length in (1, 2, 3)}


def _started(part: Part) -> list[str]:
    """The programs that a part starts: `xargs -0 gzip`, `find . -exec gzip {} +`, `bash deploy.sh`."""
    given = [word for word in part.words[1:] if not word.startswith("-")]
    if part.words[0] in vocabulary.INTERPRETERS:
        return given[:1]
    if part.words[0] == "xargs":
        return given
    return [part.words[at + 1] for at, word in enumerate(part.words[:-1]) if word in ("-exec", "-execdir", "-x", "-X")]


def _verb(part: Part) -> str:
    """What a program with subcommands is told to do, what an interpreter is given to run; empty for others."""
    program, *given = part.words
    if program in vocabulary.INTERPRETERS:
        script = given[1] if given[:1] == ["-m"] and len(given) > 1 else given[0] if given else ""
        return "" if script.startswith("-") else _bare(script).rpartition("/")[2]
    if program not in vocabulary.SUBCOMMANDS:
        return ""
    valued = vocabulary.VALUED.get(program, frozenset())
    words = [word for before, word in zip(part.words, given, strict=False) if before not in valued]
    return next((word for word in words if not word.startswith("-") and word not in _FILLING), "")


def _bare(name: str) -> str:
    """Without `./`, the ending of a script and the number of a version: `eslint@8` is eslint, `deploy@prod` another."""
    return _VERSION.sub("", _ENDING.sub("", name.removeprefix("./"))) or name


_ENDING = re.compile(r"\.(?:sh|bash|zsh|py|rb|pl|js|ts|mjs|php|exe|cmd|bat|ps1)$")
_VERSION = re.compile(r"(?<=[a-z])(?:[-.]?\d[\d.]*|@(?:[~^]?v?\d[\w.-]{0,40}|latest|next|alpha|beta|canary|rc))$")


def only_destroys(command: str) -> bool:
    """Whether a line does nothing but take away for good; `rm -rf node_modules && npm ci` makes it anew."""
    acting = [part for part in essential(command) if not looks(part)]
    return bool(acting) and all(map(destroys, acting))
