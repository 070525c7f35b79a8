"""How probable it is that two troubles have the same cause, and what may be said from which probability on.

The numbers are in `model.json`, fitted by `bench/fit/likeness.py`; the bounds with their measured curve are in
docs/benchmarks.md. Nobody edits either by hand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from hardwon.text.likeness.features import NAMES, Fix, Trouble, features
from hardwon.text.likeness.rarity import Rarity

FILE = Path(__file__).with_name("model.json")


class Tier(StrEnum):
    KNOWN = "known"
    """It is the same: what worked then is said as what worked."""
    LOOKED_LIKE = "looked like"
    """It may be: said with a hedge, and nothing follows from it."""


class At(StrEnum):
    """Where it is asked."""

    AFTER_FAILURE = "after failure"
    PROMPT = "prompt"
    CHECK = "check"


@cache
def _model() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def probability(old: Trouble, new: Trouble, rarity: Rarity, fix: Fix | None = None) -> float:
    return of(features(old, new, rarity, fix))


def of(values: tuple[float, ...]) -> float:
    if not any(values):
        return 0.0
    weights = _model()["weights"]
    told = _model()["bias"] + sum(weights[name] * value for name, value in zip(NAMES, values, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, told))))


def tier(chance: float, at: At) -> Tier | None:
    bounds = _model()["bounds"][at]
    if chance >= bounds["known"]:
        return Tier.KNOWN
    return Tier.LOOKED_LIKE if chance >= bounds["looked_like"] else None
