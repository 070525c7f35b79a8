"""How much is tried of what holds for any input: the same examples in every `make test`, new ones in `make soak`."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

_USUAL = 100
# How long an example takes says something about the machine, nothing about what is tested.
_UNTIMED: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("usual", max_examples=_USUAL, derandomize=True, database=None, **_UNTIMED)
settings.register_profile("soak", max_examples=20 * _USUAL, print_blob=True, **_UNTIMED)
settings.load_profile("usual")  # pytest's --hypothesis-profile comes later and has the last word


def examples(number: int, *suppress: HealthCheck, **more: Any) -> settings:
    """Another number of examples than the usual hundred; as many times that number as the profile has of them."""
    checks = [*settings().suppress_health_check, *suppress]
    return settings(max_examples=number * settings().max_examples // _USUAL, suppress_health_check=checks, **more)
