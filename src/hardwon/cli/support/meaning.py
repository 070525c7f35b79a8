"""A question asked by hand, as a vector: this process loads the model for it, where there are vectors to compare with.

The daemon has its model ready; a command has to load one, which takes a third of a second. So it does only where
somebody has made vectors. A server that is slow is not waited for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.embedding import choose
from hardwon.embedding.model import NoModel
from hardwon.store.connection import Store
from hardwon.store.tables import passage_vectors, vectors

if TYPE_CHECKING:
    from hardwon.memories.search.vectors import QueryVector


SECONDS = 2.0
"""For a server to show that it is there: it may have to load its model first."""


def query_vector(store: Store, text: str) -> QueryVector | None:
    """None where there is no model, or nothing to compare with: the words answer alone."""
    from hardwon.embedding.ready import READY
    from hardwon.memories.search import vectors as recalled

    wanted = store.settings.vectors
    if wanted.model == choose.OFF or choose.lacking(wanted):
        return None
    try:
        name = choose.name(wanted)
        if not (passage_vectors.has_any(store, name) or any(one.model == name for one in vectors.held(store))):
            return None
        if READY.model(wanted) is None:
            READY.put(wanted, choose.load(wanted, store.redactor.text, SECONDS))
    except NoModel:  # `hardwon doctor` says what is wrong with it
        return None
    return recalled.query_vector(store, text)
