"""Settings: none are needed, ``hardwon.toml`` and ``HARDWON_*`` change them, each knows where it came from.

``keys`` declares them, ``load`` reads them, ``edit`` changes one line of the file.
"""

from hardwon.settings.keys import DEFAULTS, KEYS, Control, Key, Recall, Redact, Retention, Settings, Store
from hardwon.settings.kinds import RedactRule, SettingsError
from hardwon.settings.load import Loaded, Source, load, without_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardwon.settings.edit import Change, set_value, unset_value

__all__ = [
    "DEFAULTS",
    "KEYS",
    "Change",
    "Control",
    "Key",
    "Loaded",
    "Recall",
    "Redact",
    "RedactRule",
    "Retention",
    "Settings",
    "SettingsError",
    "Source",
    "Store",
    "load",
    "set_value",
    "unset_value",
    "without_variables",
]


def __getattr__(name: str) -> object:
    """``edit`` is loaded by the one command that uses it."""
    if name in ("Change", "set_value", "unset_value"):
        from hardwon.settings import edit

        return getattr(edit, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
