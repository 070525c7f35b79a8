"""What doctor says about vectors: whether the model is the one it should be, and of how many memories there are any."""

from __future__ import annotations

from hardwon.cli.support.finding import Finding
from hardwon.cli.verbs import vectors
from hardwon.embedding import choose, extra
from hardwon.embedding.model import NoModel
from hardwon.store.connection import Store
from hardwon.store.tables import vectors as stored

WHAT = "vectors"
SECONDS = 10.0
"""For a server to answer."""


def finding(store: Store) -> Finding:
    """Missing libraries are no fault: words alone do the work then. A model that is not what it should be is one."""
    wanted = store.settings.vectors
    if wanted.model == choose.OFF:
        return Finding(WHAT, True, "switched off (vectors.model)")
    if lacking := choose.lacking(wanted):
        if wanted.model == choose.PACKAGED:
            return Finding(WHAT, True, f"not installed ({lacking}): memories are found by their words")
        return Finding(WHAT, False, f"vectors.model needs {lacking}", extra.command())
    try:
        _check(store)
    except NoModel as error:
        return Finding(WHAT, False, str(error), "or `hardwon config set vectors.model off`")
    found = vectors.gathered(store)
    if found["problem"]:
        return Finding(WHAT, False, found["problem"], "or `hardwon config set vectors.model off`")
    return Finding(WHAT, True, vectors.says(found))


def _check(store: Store) -> None:
    """The packaged model is known by its hash; any other has to make a vector here and now."""
    if store.settings.vectors.model == choose.PACKAGED:
        from hardwon.embedding import packaged

        packaged.checked(packaged.found())
        return
    model = choose.load(store.settings.vectors, store.redactor.text, SECONDS)
    kept = next((one.dims for one in stored.held(store) if one.model == model.name), model.dims)
    if kept != model.dims:
        raise NoModel(
            f"{model.name} makes vectors of {model.dims} numbers, those that are kept have {kept}: "
            "`hardwon daemon stop` and `hardwon vectors build`, and all are made anew"
        )
