"""Whether a sentence that a person is said to have typed stands in something that others wrote, and was there before.

A short paste looks typed in all that a client writes down. But mostly it was copied from what is at hand: from what a
tool printed in this session, from what the agent wrote, from a file of the project. Who types such a sentence letter by
letter is asked once too often; who pasted it is asked in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardwon import clients, git
from hardwon.store.connection import Store
from hardwon.store.tables import spoken
from hardwon.text.speech import quotes
from hardwon.text.speech import spoken as sentences

LEAST, LEAST_WIDE = 20, 8
"""Characters of a sentence that two people hardly write alike; in Chinese and Japanese fewer."""
LEAST_ANSWER = 3
"""Times as much of what the agent wrote: to take up its words is a person's way of choosing."""
SECONDS = 2.0
MOST_FILES = 20
READ = "it stands in what was read in this session"
WRITTEN = "it stands in what the agent wrote before"
FILE = "it stands in a file of this project"


def why_not_own(store: Store, host: str, session: str, words: spoken.Words, said: str, folder: str) -> str:
    """Where a sentence of these words was to be copied from; empty when it is found nowhere."""
    for sentence in sentences.split(said):
        if not _is_long_enough(sentence) or _was_typed_before(store, host, session, words, sentence):
            continue
        if why := _in_session(store, host, session, words, sentence) or _in_project(folder, sentence, words.at):
            return why
    return ""


def _is_long_enough(text: str, times: int = 1) -> bool:
    bare = re.sub(r"[\W_]", "", quotes.fold(text))
    return len(bare) >= times * (LEAST if bare.isascii() else LEAST_WIDE)


def _was_typed_before(store: Store, host: str, session: str, words: spoken.Words, sentence: str) -> bool:
    """The person's own words of before, which others may have taken up since."""
    before = (one for one in spoken.of_session(store, host, session) if one.at < words.at and one.origin == "typed")
    return any(_holds(one.text, sentence) for one in before)


def _in_session(store: Store, host: str, session: str, words: spoken.Words, sentence: str) -> str:
    client = clients.find(host)
    path = spoken.transcript(store, host, session) if client and client.typed else ""
    told = client.typed.of_others(path, words.prompt, _rarest(sentence)) if client and client.typed and path else ()
    for agent, text in told:
        if (not agent or _is_long_enough(sentence, LEAST_ANSWER)) and _holds(text, sentence):
            return WRITTEN if agent else READ
    return ""


def _rarest(sentence: str) -> str:
    """A word by which lines are left out before they are read; empty where there is none that is surely written so."""
    return max(re.findall(r"[a-z]{4,}", sentence), key=len, default="")


def _holds(text: str, sentence: str) -> bool:
    return quotes.fold(sentence).strip(" .,!\"'") in quotes.fold(text)


def _in_project(folder: str, sentence: str, at: int) -> str:
    """Not in what was written since: an agent may have put the person's words into a file."""
    bare = sentence.strip(" .,!\"'")
    words = ("-c", "core.fsmonitor=false", "grep", "-I", "-i", "-F", "-l", "-z", "--untracked", "-e", bare, "--", ":/")
    found = git.ask(folder, *words, seconds=SECONDS) if folder else ""
    return FILE if any(_is_older(folder, name, at) for name in _some(found.split("\0"))) else ""


def _some(names: Sequence[str]) -> Iterator[str]:
    return (name for name in names[:MOST_FILES] if name)


def _is_older(folder: str, name: str, at: int) -> bool:
    try:
        return (Path(folder) / name).stat().st_mtime * 1000 < at
    except OSError:
        return False
