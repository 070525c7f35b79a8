"""What a process takes up that answers from one store: `python -m bench.recall.resident HOME QUESTIONS [MODEL]`.

QUESTIONS is a JSON file: a list of texts, and the projects that are asked. Prints megabytes as JSON: of the bare
process, with the model loaded, and after all questions.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from hardwon.conversations import conversations
from hardwon.embedding import choose
from hardwon.embedding.ready import READY
from hardwon.memories import Question, recall
from hardwon.memories.search.vectors import query_vector
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.settings.keys import Vectors
from hardwon.store.connection import open_store


def main(home: str, questions: str, model: str = choose.OFF) -> int:
    texts, projects = json.loads(Path(questions).read_text("utf-8"))
    taken = {"bare": resident()}
    wanted = Vectors(model=model)
    if model != choose.OFF:
        READY.put(wanted, choose.load(wanted, lambda text: text))
    taken["model"] = resident()
    with open_store(Home(Path(home)), dataclasses.replace(DEFAULTS, vectors=wanted)) as store:
        own = store.settings.recall
        for text in texts:
            question = Question(text, tuple(projects))
            recall(store, question, _NOW, limit=own.limit, budget=own.budget_tokens)
            vector = query_vector(store, text) if model != choose.OFF else None
            conversations.search(store, text, question.projects, own.limit, vector=vector)
    print(json.dumps(taken | {"after": resident()}))
    return 0


_NOW = 1_790_000_000_000


def resident() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) * 1024 / 1e6, 1)
    raise OSError("/proc/self/status has no VmRSS")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
