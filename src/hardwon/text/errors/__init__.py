"""Error signatures: equal for the same mistake, different for another, whatever the place, the time and the language.

A recogniser finds the line that tells what is wrong and the parts that make it what it is: the class or code, and the
name that is missing or wrong. The strongest form wins (`form.Rank`). What no form knows still has a signature: its last
telling line, without what changes from run to run.
"""

from __future__ import annotations

from hardwon.text.errors.signatures import failed, generic, headline, named, raised_elsewhere, recognised, signature
from hardwon.text.errors.transient import transient

__all__ = ["failed", "generic", "headline", "named", "raised_elsewhere", "recognised", "signature", "transient"]
