"""A command that is quoted can be typed again."""

from __future__ import annotations

import pytest

from hardwon.learn.derive import derive
from hardwon.memory import Anchor, AnchorKind, Kind
from hardwon.text.commands import normalise, typed
from tests.learn.test_derive import BOOM, edited, failed, passed, session


@pytest.mark.parametrize(
    ("command", "quoted"),
    [
        ("python manage.py migrate shop", "python manage.py migrate shop"),
        ("cd site && python3 manage.py test -v 2 2>&1 | tail", "python manage.py test"),
        ("python setup.py build", "python setup.py build"),
        ("php artisan migrate", "php artisan migrate"),
        ("make db && php artisan migrate", "make db && php artisan migrate"),
        ("./manage.py check", "./manage.py check"),
        ("python site/manage.py test", "python site/manage.py test"),
        ("cat manage.py", "cat manage.py"),
        ("git add setup.py", "git add setup.py"),
        ("echo artisan bread", "echo artisan bread"),
        ("grep -r 'x && setup.py' docs", "grep -r 'x && setup.py' docs"),
        ("python -m pytest tests", "pytest tests"),
        ("", ""),
    ],
)
def test_the_form_of_a_command_as_it_is_typed(command: str, quoted: str) -> None:
    """A script that an interpreter has to be given has it again; and it is still the same command."""
    assert typed(normalise(command)) == quoted
    assert normalise(typed(normalise(command))) == normalise(command)


def test_what_is_learned_quotes_what_can_be_typed() -> None:
    """In the failure and in its fix; found by the one form as before."""
    command = "python manage.py migrate shop"
    learned = [one.draft for one in derive(session(failed(command, BOOM), edited(), passed(command)))]
    assert {one.kind for one in learned} == {Kind.FAILURE, Kind.FIX}
    for one in learned:
        assert one.body.startswith(f"`{command}` ")
        assert Anchor(AnchorKind.COMMAND, "manage.py migrate shop") in one.anchors
