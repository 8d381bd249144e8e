"""A request that may be answered: who asks, what for, and which seats are theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import Sitting
from cirulla_ai.web.tokens import Grants

__all__ = ["Ask", "mine"]


@dataclass
class Ask:
    """A request that may be answered: who asks, and what for.

    ``sitting`` is the game that the path names and ``seats`` those in it that the asker plays.
    """

    request: web.Request
    grants: Grants
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    sitting: Sitting | None = None
    seats: Sequence[int] = ()

    @property
    def game(self) -> Sitting:
        """The game that the path names."""
        assert self.sitting is not None
        return self.sitting

    def check_seat(self) -> None:
        """Raise FieldError where it is not clear, or not theirs, which seat is meant."""
        _ = self.seat

    @property
    def seat(self) -> int:
        """The seat that is meant; raises FieldError where it has to be said."""
        given = self.query.get("seat")
        if given is not None:
            if given not in self.seats:
                raise FieldError("seat", f"seat {given}: yours are "
                                 f"{', '.join(map(str, self.seats)) or 'none'}")
            return int(given)
        if len(self.seats) != 1:
            turn = self.game.game.turn
            if turn in self.seats:
                assert turn is not None
                return turn
            if not self.seats:
                raise FieldError("seat", "no seat of this game is yours")
        return self.seats[0]


def mine(sitting: Sitting, grants: Grants) -> list[int]:
    """The seats that somebody plays with these tokens."""
    return [seat for seat, who in enumerate(sitting.who)
            if (who == "me" and grants.is_owner)
            or (who == "guest" and (sitting.name, seat) in grants.seats)]
