"""What doctor says about vectors: whether the model is the one it should be, and of how many memories there are any."""

from __future__ import annotations

from hardwon.recall.embedding import choose, extra
from hardwon.recall.embedding.model import NoModel
from hardwon.store.connection import Store
from hardwon.surfaces.cli import vectors
from hardwon.surfaces.cli.finding import Finding

WHAT = "vectors"


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
        _check(wanted.model)
    except NoModel as error:
        return Finding(WHAT, False, str(error), "or `hardwon config set vectors.model off`")
    found = vectors.gathered(store)
    if found["problem"]:
        return Finding(WHAT, False, found["problem"], "or `hardwon config set vectors.model off`")
    return Finding(WHAT, True, vectors.says(found))


def _check(model: str) -> None:
    if model == choose.PACKAGED:
        from hardwon.recall.embedding import packaged

        packaged.check(packaged.found())
