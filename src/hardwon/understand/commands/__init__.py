"""Commands as memory sees them: one form for one command, and what kind of command it is."""

from hardwon.understand.commands.kinds import bookkeeping, is_broader, is_validation, masks_status, only_looks, waits
from hardwon.understand.commands.normal import begins, circumstances, family, normalise, targets

__all__ = [
    "begins",
    "bookkeeping",
    "circumstances",
    "family",
    "is_broader",
    "is_validation",
    "masks_status",
    "normalise",
    "only_looks",
    "targets",
    "waits",
]
