"""There is one answer to what a redaction rule may be called, wherever it is asked."""

from __future__ import annotations

import pytest

from hardwon.paths import Home
from hardwon.redact import Redactor
from hardwon.settings import KEYS, SettingsError, load, set_value
from hardwon.settings.kinds import WrongValueError, to_json
from hardwon.store.connection import open_store

GOOD = ["a", "7", "_a", "-a", "a-", "a_b-c", "_", "a" * 40]
BAD = ["", " ", "a b", "a.b", "a]", "a\n", "a:b", "a" * 41, "\u00fcber", "\u540d"]


def value(name: str) -> str:
    return to_json([{"name": name, "pattern": "TICKET-[0-9]+"}])


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_is_set_is_loaded_and_used(home: Home, name: str) -> None:
    """The store opens with it, and it stands where the text was."""
    set_value(home, "redact.rules", value(name))
    with open_store(home, load(home, {}).settings, write=True) as store:
        assert store.redactor.text("see TICKET-12") == f"see [redacted:{name}]"


@pytest.mark.parametrize("name", BAD)
def test_any_other_is_refused_everywhere(home: Home, name: str) -> None:
    with pytest.raises(WrongValueError, match=r"a word of up to 40 letters from a to z, digits, - and _"):
        KEYS["redact.rules"].kind.check([{"name": name, "pattern": "x"}])
    with pytest.raises(SettingsError, match="up to 40 letters"):
        set_value(home, "redact.rules", value(name))
    with pytest.raises(ValueError, match="up to 40"):
        Redactor(own_rules=[(name, "x")])
