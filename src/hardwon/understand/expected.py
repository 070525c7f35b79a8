"""Failures that teach nothing: a search that found nothing, Esc, a denial."""

from __future__ import annotations

from hardwon.understand import commands

_ASKING = ("grep", "rg", "diff", "test", "[", "[[", "cmp", "git diff", "git grep")


def no_lesson(command: str, exit_status: int | None, output: str) -> str:
    """Why a failed command teaches nothing; empty when it does."""
    if exit_status is None:
        return "it was denied or interrupted"
    if exit_status == 1 and commands.begins(commands.normalise(command), _ASKING):
        return "it only said no"
    return ""
