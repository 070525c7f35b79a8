"""What silence is kept about, and why: for whoever asks with `--explain`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memories.search import gate
from hardwon.memories.search.rank import Candidate, relevance
from hardwon.memory import Memory, Status

_NOT_SAID = {
    Status.CANDIDATE: "is a candidate: it waits for `hardwon review`",
    Status.STALE: "is stale: it was called wrong",
    Status.ARCHIVED: "is archived",
}


@dataclass(frozen=True, slots=True)
class HeldBack:
    candidate: Candidate
    reason: str

    @property
    def memory(self) -> Memory:
        return self.candidate.memory


def held_back(candidates: Sequence[Candidate], min_coverage: float, min_cosine: float) -> list[HeldBack]:
    """Those that fit and are not said for what became of them, then those below the gate; the nearest first."""
    nearest = sorted(candidates, key=relevance, reverse=True)
    fitting = [one for one in nearest if gate.passes(one, min_coverage, min_cosine)]
    below = [one for one in nearest if not gate.passes(one, min_coverage, min_cosine)]
    return [
        *(HeldBack(one, _NOT_SAID[one.memory.status]) for one in fitting if one.memory.status in _NOT_SAID),
        *(HeldBack(one, lacking(one, min_coverage, min_cosine)) for one in below),
    ]


def lacking(candidate: Candidate, min_coverage: float, min_cosine: float = gate.ALIKE) -> str:
    """What it has and what is asked for: enough words or a like meaning, either would do."""
    needed = gate.needed(candidate, min_coverage, min_cosine)
    meaning = "" if candidate.cosine is None else f", cosine {candidate.cosine:.2f} (needs {min_cosine:.2f})"
    if not candidate.words:
        return f"shares no word{meaning}"
    words, bound = f"covers {candidate.coverage:.0%}", f"{needed:.0%}"
    if candidate.cosine is not None and candidate.cosine < gate.unlike(min_cosine):
        bound += f", for the cosine is below {gate.unlike(min_cosine):.2f}"
    elif candidate.shared < (rare := gate.rare(candidate, min_coverage)) and (
        len(candidate.words) > 1 or not candidate.headed
    ):
        bound += f", for its words count {candidate.shared:.1f} rare ones and not {rare:.1f}"
    elif not candidate.headed:
        bound += ", for none of its words stands in the title or in what it is for"
    elif len(candidate.words) == 1:
        words += " by one word"
        bound += f", {gate.BY_ONE_WORD} × {min_coverage:.0%}" if needed == gate.BY_ONE_WORD * min_coverage else ""
    return f"{words} (needs {bound}){meaning}"
