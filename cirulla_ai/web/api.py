"""The API: whoever answers, by the names of the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from cirulla_ai.play import Seat
from cirulla_ai.web.advice import Advice
from cirulla_ai.web.asks import Ask
from cirulla_ai.web.books import Books
from cirulla_ai.web.catalogue import Catalogue
from cirulla_ai.web.sittings import Sittings
from cirulla_ai.web.tables import Tables
from cirulla_ai.web.tokens import Tokens
from cirulla_ai.web.workshop import Workshop

__all__ = ["Api"]

Answer = Callable[[Ask], Awaitable[Any]]


class Api:
    """Everything that can be asked for, and what it needs.

    ``folder`` is where games and settings are kept.  Raises ValueError where another server
    has it.
    """

    def __init__(self, folder: Path, tokens: Tokens, engines: Sequence[Seat] = ()) -> None:
        self.workshop = Workshop()
        self.sittings = Sittings(folder / "games", self.workshop.bots)
        catalogue = Catalogue(folder / "settings.json", engines)
        self.tables = Tables(self.sittings, catalogue, self.workshop, tokens)
        self._parts = (catalogue, self.tables, Advice(self.workshop), Books(self.workshop))

    def answer(self, name: str) -> Answer:
        """The method that answers to a name of the table; raises LookupError for none."""
        for part in self._parts:
            if (found := getattr(part, name, None)) is not None:
                method: Answer = found
                return method
        raise LookupError(f"nobody answers to {name}")

    def end_streams(self) -> None:
        """Let those that listen go."""
        self.workshop.is_ending = True
        self.sittings.tell()

    async def close(self) -> None:
        """End all that is under way."""
        await self.sittings.close()
        self.workshop.close()
