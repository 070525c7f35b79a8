"""What a model has in sight: each word of it, with when it came."""

from __future__ import annotations

from hardwon.rehearsal.opportunities.words import words

LONGEST = 400_000
"""Characters of one text that are looked through, from its beginning; a client cuts long before."""


class Window:
    """One context window of one agent."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self._came: dict[str, int] = {}

    def saw(self, text: str, number: int) -> None:
        came = self._came
        for word in words(text[:LONGEST].casefold()):
            if word not in came:
                came[word] = number

    def had(self, token: str, before: int) -> bool:
        """Whether a word was in sight before a happening."""
        return self._came.get(token.casefold(), before) < before

    def came(self, token: str, otherwise: int) -> int:
        """With which happening a word came."""
        return self._came.get(token.casefold(), otherwise)
