"""The picture of the tutorial's rehearsal: the made-up past of `docs/past.py`, played and drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs import past

from hardwon.clients import past_sessions
from hardwon.rehearsal import picture, report
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.instructions import OfDisk
from hardwon.rehearsal.run import rehearse
from hardwon.settings import DEFAULTS

PICTURE = Path(__file__).with_name("rehearsal.svg")


def drawn() -> str:
    with tempfile.TemporaryDirectory(prefix="hardwon-docs-") as folder:
        shop = Path(folder).resolve() / "shop"
        shop.mkdir()
        past.main(folder, str(shop))
        made = rehearse(list(past_sessions.below(Path(folder))), DEFAULTS, Grounds(OfDisk(None)))
    return picture.svg(report.as_json(made, str, 0))
