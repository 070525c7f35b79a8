"""Whether a failure is one that is known: by what the output says, whatever was run and however it was wrapped.

Pure. `lines` are what is compared and kept, `words` what a line is made of, `rarity` what a word weighs, `features`
what speaks for and against, `model` what comes of it.
"""

from __future__ import annotations

from hardwon.text.likeness.features import Fix, Trouble, trouble
from hardwon.text.likeness.lines import kept, key_lines
from hardwon.text.likeness.model import At, Tier, probability, tier
from hardwon.text.likeness.rarity import Rarity

__all__ = ["At", "Fix", "Rarity", "Tier", "Trouble", "kept", "key_lines", "probability", "tier", "trouble"]
