"""While a redaction rule can't be used, what happens waits in the spool, redacted, and is kept once it is mended."""

from __future__ import annotations

import pytest

from tests.daemon.calls import SECRET, kept
from tests.daemon.running import Daemon, until
from tests.daemon.session import Session
from tests.support import files_with

RULE = '[redact]\nrules = [{ name = "badge", pattern = "([A-Z]+-?)+[0-9]{4}" }]\n'
MENDED = '[redact]\nrules = [{ name = "badge", pattern = "[A-Z]{1,9}-[0-9]{4}" }]\n'


@pytest.mark.parametrize("mended", [MENDED, ""], ids=["mended", "taken out"])
@pytest.mark.parametrize("first", [True, False], ids=["from the start", "later"])
def test_nothing_is_lost_while_a_rule_cannot_be_used(daemon: Daemon, mended: str, first: bool) -> None:
    daemon.home.root.mkdir(mode=0o700)
    if first:
        daemon.home.settings.write_text(RULE)
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.settle()
    daemon.home.settings.write_text(RULE)
    for number in range(3):
        session.failed(f"make {number}", f"Exit code 2\nBADGE-471{number} may not, TOKEN={SECRET}", call=f"c{number}")
    until(lambda: (daemon.status() or {})["waiting"] == 0, "they are spooled")
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"]) == (0, 4 if first else 3)
    assert files_with(daemon.home.root, SECRET, "BADGE-4710", "BADGE-4711", "BADGE-4712") == {}
    assert "takes far too long" in daemon.log

    daemon.home.settings.write_text(mended)
    session.passed("make lint", call="c3")
    daemon.settle()
    assert [call for call, *_ in kept(daemon)] == ["c0", "c1", "c2", "c3"]
    assert (daemon.status() or {})["lost"] == 0
    assert kept(daemon)[0][3] == "Exit code 2\n[redacted:badge] may not, TOKEN=[redacted:github-token]"
    assert list(daemon.home.spool.iterdir()) == []
