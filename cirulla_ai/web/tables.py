"""Games at the server: made, shown, played, followed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from typing import Any

from aiohttp import web

from cirulla_ai.action import Action
from cirulla_ai.engine.levels import FULL
from cirulla_ai.play import Game, TurnError
from cirulla_ai.play.views import legal_dicts
from cirulla_ai.state import State
from cirulla_ai.web.asks import Ask, mine
from cirulla_ai.web.catalogue import Catalogue, rules_of
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import MissingError, Sitting, Sittings
from cirulla_ai.web.streams import PULSE_SECONDS, dumped
from cirulla_ai.web.tokens import Grants, Tokens
from cirulla_ai.web.workshop import Workshop

__all__ = ["Tables"]

# Games in a list, where it is not said how many.
MOST_LISTED = 100
# Octets of what a client may say on a socket, where nothing is expected.
MOST_MESSAGE = 1024


class Tables:
    """The games, by those who play them."""

    def __init__(self, sittings: Sittings, catalogue: Catalogue, workshop: Workshop,
                 tokens: Tokens) -> None:
        self.sittings = sittings
        self._catalogue, self._workshop, self._tokens = catalogue, workshop, tokens
        # Where the server can be reached, as it says itself.
        self.address = ""

    async def games(self, ask: Ask) -> dict[str, Any]:
        return {"games": self.sittings.summaries(ask.query.get("most", MOST_LISTED)),
                "count": self.sittings.count}

    async def new_game(self, ask: Ask) -> dict[str, Any]:
        body = dict(ask.body)
        start = _state(body.pop("start")) if "start" in body else None
        if start is not None and (both := {"rules", "dealer", "scores"} & body.keys()):
            raise FieldError(min(both), f"{min(both)}: the start says it")
        rules = start.rules if start is not None else rules_of(body.get("rules", "cirulla"))
        places = body.pop("seats", None)
        if places is None:
            places = [{"who": "me"}, *[{"who": f"level-{FULL}"}] * (rules.players - 1)]
        seats = [self._catalogue.seat(place, f"seats[{k}].who") for k, place in enumerate(places)]
        if not any(seat.is_person for seat in seats):
            raise FieldError("seats", "seats: nobody would see it: one at least is me or guest")
        body["rules"] = rules
        game = Game(seats=seats, start=start, **body)
        sitting = self.sittings.add(game, [place["who"] for place in places])
        own = mine(sitting, Grants(True))
        view = self._view(sitting, own, own[0]) if own else None
        return {"game": sitting.name, "links": self._links(sitting), "view": view}

    def _links(self, sitting: Sitting) -> dict[str, str]:
        return {str(seat): f"{self.address}/?token={self._tokens.seat(sitting.name, seat)}"
                for seat, who in enumerate(sitting.who) if who == "guest"}

    def _view(self, sitting: Sitting, seats: Sequence[int], seat: int) -> dict[str, Any]:
        view = sitting.game.view(seat).as_dict()
        places = [{**place, "who": who}
                  for place, who in zip(view["seats"], sitting.who, strict=True)]
        return {"game": sitting.name, **view, "yours": list(seats), "seats": places,
                "problem": sitting.problem}

    async def view(self, ask: Ask) -> dict[str, Any]:
        return self._view(ask.game, ask.seats, ask.seat)

    async def delete(self, ask: Ask) -> None:
        await self.sittings.delete(ask.game.name)

    async def links(self, ask: Ask) -> dict[str, Any]:
        return {"links": self._links(ask.game)}

    async def sit(self, ask: Ask) -> dict[str, Any]:
        sitting = ask.game
        text = ask.request.match_info["place"]
        if text not in map(str, range(len(sitting.who))):
            raise MissingError(f"there is no seat {text[:20]!r}; there are 0 … "
                               f"{len(sitting.who) - 1}")
        place = int(text)
        seat = self._catalogue.seat(ask.body, "who")
        before = list(sitting.who)

        def sit(game: Game) -> None:
            game.sit(place, seat)
            sitting.who[place] = ask.body["who"]

        if not seat.is_person and not any(
                other.is_person for k, other in enumerate(sitting.game.seats) if k != place):
            raise FieldError("who", "who: nobody would see it: one seat at least is me or guest")
        sitting.dismiss(place)
        try:
            sitting.change(sit)
        except OSError:
            sitting.who = before
            raise
        ask.seats = mine(sitting, ask.grants)
        return await self.view(ask)

    async def legal(self, ask: Ask) -> dict[str, Any]:
        return {"legal": legal_dicts(ask.game.game.view(ask.seat).state)}

    async def act(self, ask: Ask) -> dict[str, Any]:
        version = ask.body.get("version")
        if version is not None and version != ask.game.game.version:
            raise TurnError(f"version {version}: the game has changed since; it is "
                            f"{ask.game.game.version} now")
        action = Action(ask.body["action"])
        return self._changed(ask, lambda game: game.act(ask.seat, action))

    async def deal(self, ask: Ask) -> dict[str, Any]:
        return self._changed(ask, Game.deal)

    async def take_back(self, ask: Ask) -> dict[str, Any]:
        return self._changed(ask, lambda game: game.take_back(ask.seat))

    def _changed(self, ask: Ask, what: Callable[[Game], None]) -> dict[str, Any]:
        # Whose view it is is settled before the turn passes on.
        seat = ask.seat
        ask.game.change(what)
        return self._view(ask.game, ask.seats, seat)

    # --- what is followed ---------------------------------------------------------------

    async def _views(self, ask: Ask) -> AsyncGenerator[dict[str, Any] | None, None]:
        """A seat's view at once and after every change; None where there was none for a while.

        It ends with the game, with the seat's being somebody else's, and with the server.
        """
        sitting, seat = ask.game, ask.seat
        async with aclosing(sitting.changes(PULSE_SECONDS)) as changes:
            async for is_changed in changes:
                seats = mine(sitting, ask.grants)
                if self._workshop.is_ending or sitting.is_gone or seat not in seats:
                    return
                yield self._view(sitting, seats, seat) if is_changed else None

    async def events(self, ask: Ask) -> web.StreamResponse:
        # Refused before the stream begins.
        ask.check_seat()
        async with self._workshop.stream(ask) as stream, aclosing(self._views(ask)) as views:
            async for view in views:
                if view is None:
                    await stream.pulse()
                else:
                    await stream.say("view", view, view["version"])
            await stream.say("end", {})
        return stream.response

    async def socket(self, ask: Ask) -> web.StreamResponse:
        ask.check_seat()
        with self._workshop.counted():
            socket = web.WebSocketResponse(heartbeat=PULSE_SECONDS, max_msg_size=MOST_MESSAGE)
            await socket.prepare(ask.request)

            async def send() -> None:
                async with aclosing(self._views(ask)) as views:
                    async for view in views:
                        if view is not None:
                            await socket.send_str(dumped({"event": "view", "data": view}))
                await socket.send_str(dumped({"event": "end", "data": {}}))
                await socket.close()

            sending = asyncio.create_task(send())
            try:
                # Nothing is expected: it ends when it is closed.
                async for _ in socket:
                    pass
            finally:
                sending.cancel()
                with suppress(asyncio.CancelledError, ConnectionError):
                    await sending
        return socket


def _state(text: str) -> State:
    try:
        return State.parse(text)
    except ValueError as error:
        raise FieldError("start", str(error)) from None
