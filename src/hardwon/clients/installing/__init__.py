"""Putting hardwon into a client, and taking it out so that nothing of it stays.

A client is a `Recipe`: which files hold what of ours. Everything else here knows no client: `entries` changes a text,
`manifest` remembers what was done, `setup` and `removal` plan and apply. Nothing is written before it can be shown.
"""

from __future__ import annotations

from hardwon.clients.installing.recipe import Recipe


def recipes() -> tuple[Recipe, ...]:
    """Every client that hardwon can be put into."""
    from hardwon.clients.claude_code.recipe import ClaudeCode

    return (ClaudeCode(),)


def find(name: str) -> Recipe | None:
    return next((recipe for recipe in recipes() if recipe.name == name), None)
