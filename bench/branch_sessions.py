"""What the card of a branch was worth in real sessions: how often it was told, at what price, and in time for what.

    python -m bench branch-sessions FOLDER=GIT_DIR ... [--show FILE]

FOLDER and GIT_DIR as for `python -m bench rehearsal`. Counted are the look-ups of a branch or of a number (base, pull
request, ticket) whose answer had stood in an earlier session; whether what was said had the answer before it was looked
up; and the cards themselves. `--show` writes them down for readers, with other people's words: keep it out of the
repository.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from pathlib import Path

from bench.branches import about_branch
from bench.rehearsal import pair, played
from hardwon.event import Moment
from hardwon.memories.search.budget import tokens
from hardwon.rehearsal.opportunities.opportunity import Candidate, Form, Kind, Opportunity
from hardwon.rehearsal.saying import Saying

STARTS = (Moment.SESSION_START, Moment.AFTER_COMPACTION)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench branch-sessions")
    parser.add_argument("folders", nargs="+", type=pair, metavar="FOLDER=GIT_DIR")
    parser.add_argument("--show", type=Path)
    given = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    costs: list[int] = []
    shown: list[str] = []
    for person in played(given.folders):
        made = person.made
        counts["sessions"] += len(made.sessions)
        cards = [one for one in made.sayings if about_branch(one.text)]
        counts["sessions with a card"] += len({one.session for one in cards})
        counts["cards"] += len(cards)
        counts["sessions told anything at a start"] += len(
            {one.session for one in made.sayings if one.moment in STARTS}
        )
        costs += [tokens("\n".join(about_branch(one.text))) for one in cards]
        wanted = [one for one in made.found if one.kind is Kind.LOOK_UP and _is_of_branch(one)]
        counts["look-ups of a branch or a number"] += len(wanted)
        counts["told before"] += sum(any(_has(one, said) for said in made.sayings) for one in wanted)
        shown += [f"{one.session[:8]} {one.moment}\n{one.text}\n" for one in cards]
        shown += [f"LOOK-UP {one.session[:8]} {one}\n" for one in wanted]
    for name, count in counts.items():
        print(f"{name:40} {count}")
    print(f"{'tokens of a card, median':40} {statistics.median(costs) if costs else 0}")
    if given.show:
        given.show.write_text("\n".join(shown), "utf-8")
    return 0


def _is_of_branch(one: Opportunity) -> bool:
    return any(candidate.form in (Form.BRANCH, Form.ID) for candidate in _answers(one))


def _answers(one: Opportunity) -> tuple[Candidate, ...]:
    return (one.answer,) if one.answer else one.candidates


def _has(one: Opportunity, said: Saying) -> bool:
    """The answer, in the same session and before it was looked up."""
    is_there = said.session == one.session and said.delivered is not None and said.delivered < one.number
    return is_there and any(candidate.token in said.text for candidate in _answers(one))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
