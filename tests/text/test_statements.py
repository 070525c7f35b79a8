"""What a short statement says of what."""

from __future__ import annotations

import time

import pytest

from hardwon.text.speech import statements


@pytest.mark.parametrize(
    ("text", "subject", "verb", "value"),
    [
        ("Sessions are stored in Redis", "Sessions", "stored in", "Redis"),
        ("Sessions are stored in Redis because it expires them", "Sessions", "stored in", "Redis"),
        ("Cache TTL = 90 seconds", "Cache TTL", "", "90 seconds"),
        ("Type checking uses pyright; mypy was too slow", "Type checking", "uses", "pyright"),
        ("We use pnpm for packages", "", "use", "pnpm"),
        ("Never force push", "", "", ""),
    ],
)
def test_of_what_it_says_what(text: str, subject: str, verb: str, value: str) -> None:
    found = statements.read(text)
    assert (found.subject.strip(), found.verb, found.value.strip()) == (subject, verb, value)


@pytest.mark.parametrize(
    ("text", "left", "moved"),
    [
        ("We moved away from Heroku: production runs on Fly.io", "Heroku", "We"),
        ("We moved the job queue away from Redis", "Redis", "the job queue"),
        ("Jest is gone", "Jest", ""),
        ("SMS codes are not offered any longer", "SMS codes", ""),
        ("Give up at the first error, no retries", "retries", ""),
        ("Backups are kept no longer than a week", "", ""),
    ],
)
def test_what_it_says_is_over(text: str, left: str, moved: str) -> None:
    found = statements.read(text)
    assert (found.left, found.moved.strip()) == (left, moved)


@pytest.mark.parametrize("text", ["a-" * 5_000, "a " * 5_000, "is " * 5_000, "moved a " * 2_000, "no " * 5_000])
def test_no_text_takes_long(text: str) -> None:
    """A prompt waits for it."""
    began = time.thread_time()
    statements.read(text)
    assert time.thread_time() - began < 0.05
