"""Whether a command destroys: files, data, history, what is installed or runs.

By its name, its subcommand or an option. It may call destroying what is not; then a way that worked is not told, which
costs little.
"""

from __future__ import annotations

import re

from hardwon.text.commands import vocabulary
from hardwon.text.commands.normal import begins
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_PROGRAMS = names(
    "rm rmdir rd unlink shred srm trash del erase kill pkill killall xkill truncate dd wipefs fdisk parted "
    "userdel groupdel deluser delgroup shutdown reboot halt poweroff"
)
_VERBS = names(
    "drop destroy delete del purge uninstall autoremove remove rm rmi rb erase wipe nuke kill terminate truncate prune "
    "reset teardown flushall flushdb rollback revert undo obliterate expire deinit"
)
_OPTIONS = re.compile(
    r"--?(?:delete|destroy|del)(?:-.*)?|--(?:purge|prune|wipe|hard|abort|quit|discard-changes|accept-data-loss"
    r"|force-reset|reset|rollback|undo|remove|uninstall)"
)
_WITH_OPTIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("git push", re.compile(r"-[a-zA-Z]*[fd][a-zA-Z]*|--force.*|--mirror|\+.+|:.+")),
    ("git checkout", re.compile(r"-f|--force|--|\.")),
    ("git switch", re.compile(r"-f|--force")),
    ("git restore", re.compile(r".*")),
    ("git clean", re.compile(r".*")),
    ("git branch", re.compile(r"-[dDM]")),
    ("git tag", re.compile(r"-[df]")),
    ("git stash", re.compile(r"drop|clear")),
    ("docker compose down", re.compile(r"-v|--volumes|--rmi.*")),
)
_HARMLESS = ("git reset", "git revert")
"""Without an option such as `--hard` they take no work away."""
_STATEMENT = re.compile(
    r"(?i)\b(?:drop|truncate)\s+(?:table|database|schema|index|view|role|user|column)\b|\bdelete\s+from\b"
)
_PLACES = 3
"""Names after the program among which a subcommand stands: `docker compose rm`, `aws s3 rm`."""


def destroys(part: Part) -> bool:
    """Whether one part of a line, in its normal form, takes something away for good."""
    if not part.words:
        return False
    program = part.words[0].rpartition("/")[2].lower()
    if program in _PROGRAMS or program.startswith(("drop", "mkfs")) or _VERBS & set(tokens(program)):
        return True
    line = " ".join(part.words)
    for head, options in _WITH_OPTIONS:
        if begins(line, (head,)) and any(map(options.fullmatch, part.words[len(head.split()) :] or ("",))):
            return True
    if any(_OPTIONS.fullmatch(word) or _STATEMENT.search(word) for word in part.words[1:]):
        return True
    return not begins(line, _HARMLESS) and _by_its_verb(part)


def _by_its_verb(part: Part) -> bool:
    """`make clean` only takes away, `mvn clean package` makes something."""
    given = [word for word in part.words[1:] if not word.startswith("-")]
    if part.words[0] in vocabulary.INTERPRETERS:
        given = [word.rpartition("/")[2] for word in given[:1]]
    if given and "clean" in tokens(given[-1]):
        return True
    return any(_VERBS & set(tokens(word)) for word in given[:_PLACES] if _SUBCOMMAND.fullmatch(word))


_SUBCOMMAND = re.compile(r"[A-Za-z][\w:.-]{0,60}")


def tokens(word: str) -> list[str]:
    """The parts of a name: `db:drop`, `drop-users.sh`, `dropUsers`."""
    return [one.lower() for one in _TOKEN.findall(word)]


_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
