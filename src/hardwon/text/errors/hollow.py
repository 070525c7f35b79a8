"""Lines that name nothing but what was run and that it failed: `[lint:go] ERROR task failed`, `Error 1`.

Whoever runs other programs ends with such a line, whatever went wrong in them: it can't tell two failures apart. No
runner is known here. What a line says is what is left of it without its labels, its numbers, the names that it quotes
and the words with which one says that something ran and failed; in a hollow one nothing is.
"""

from __future__ import annotations

import re

LONGEST = 240
"""A longer line says something."""
_FAILS = re.compile(r"(?i)fail|\berr|exit|abort|lifecycle|\bstop|^code \d")
_LABEL = re.compile(
    r"(?:\[[^\[\]]{1,80}\]|[a-z][\w@./-]{0,60}(?:\[\d+\])?(?: [a-z]{2,12}!)?:(?=\s|$)"
    r"|[a-z][\w.-]{1,40}(?= -\s| ERR)|\*+|[-=>#•✗✖✘×❌]+(?=\s|$))\s*"
)
_RUN = re.compile(
    r"(?i)\b(?:command|cmd|running|run|executing|execute|exec|subprocess|script|recipe|task|target|job|step|hook)"
    r"\s*[:=]?\s*(?P<quote>['\"`])[^'\"`]{1,300}(?P=quote)"
)
_NAME = re.compile(
    r"(?P<quote>['\"`])[^\s'\"`]{1,120}(?P=quote)|\[[^\[\]]{1,120}\]"
    r"|(?<!\S)\w[\w.]{0,60}[-:/@][\w.:/@-]{1,80}(?= (?:hook|task|script|target|recipe|job|step)\b)"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SAYS_NOTHING = """
    error errors err failed failure failures fail fails failing fatal aborted aborting aborts stopped stopping stop
    task tasks target targets recipe script scripts command commands cmd job jobs step steps stage hook hooks
    process subprocess subcommand program lifecycle elifecycle pipeline phase workflow exit exits exited exiting
    code status returned returns return nonzero non zero signal completed finished done ended unsuccessful
    unsuccessfully successfully previous above some one more check checks lint linter run running runs execution
    executing execute build building test tests testing for the a an of in on at to with was were is has have did
    not due because line by and while during it this make gmake npm yarn pnpm
"""
"""Said of any run. A word that could be a cause (missing, denied, refused, timeout) is none of these."""
_NOTHING = frozenset(_SAYS_NOTHING.split())


def is_hollow(line: str) -> bool:
    """Whether a line only says that something which was run failed."""
    rest = line.strip()
    if len(rest) > LONGEST or not _FAILS.search(rest):
        return False
    while (match := _LABEL.match(rest)) and match.end():
        rest = rest[match.end() :]
    rest = _NAME.sub(" ", _RUN.sub(" ", rest))
    return all(word.lower() in _NOTHING for word in _WORD.findall(rest))
