from __future__ import annotations

from hardwon.clients.opencode.recipe import LikeOpenCode

RECIPE = LikeOpenCode(name="kilo", title="Kilo", program="kilo", package="@kilocode/plugin")
