"""Commands as memory sees them: one form for one command, and what kind of command it is."""

from hardwon.text.commands.kinds import bookkeeping, family, only_looks, only_waits, sets_up_shell, targets, waits
from hardwon.text.commands.normal import begins, circumstances, normalise, setting, typed
from hardwon.text.commands.same_job import can_replace, is_near, is_same_program, only_destroys
from hardwon.text.commands.validation import is_broader, is_narrower, is_validation, masks_status

__all__ = [
    "begins",
    "bookkeeping",
    "can_replace",
    "circumstances",
    "family",
    "is_broader",
    "is_narrower",
    "is_near",
    "is_same_program",
    "is_validation",
    "masks_status",
    "normalise",
    "only_destroys",
    "only_looks",
    "only_waits",
    "sets_up_shell",
    "setting",
    "targets",
    "typed",
    "waits",
]
