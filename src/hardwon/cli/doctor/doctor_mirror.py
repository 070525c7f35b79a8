"""What doctor says about the markdown files: those that can't be read, and those that wait for an answer."""

from __future__ import annotations

from hardwon.cli.support import context, output
from hardwon.cli.support.finding import Finding
from hardwon.store import mirror
from hardwon.store.connection import Store
from hardwon.store.errors import StoreBusy
from hardwon.store.mirror.settle import How


def finding(store: Store) -> Finding:
    what = "markdown files"
    if not store.settings.mirror.enabled:
        return Finding(what, True, "switched off (mirror.enabled)")
    if not store.writable:
        return Finding(what, True, "not looked at: this home can't be written")
    try:
        looked = mirror.reconcile(store, How(context.now(), only_look=True))
    except StoreBusy as error:
        return Finding(what, True, f"not looked at: {error}")
    if problem := next((one.problem for one in looked if one.problem), ""):
        return Finding(what, False, problem, "mend or remove it; it is not overwritten")
    if lost := next((one for one in looked if one.gone), None):
        says = f"{lost.file} has lost {output.counted(lost.gone, 'bullet')}; nothing was archived"
        return Finding(what, False, says, "hardwon mirror asks what to do")
    entries = output.counted(sum(one.shown for one in looked), "entry")
    return Finding(what, True, f"{entries} in {output.counted(sum(one.shown > 0 for one in looked), 'file')}")
