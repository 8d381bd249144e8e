"""What the engine thinks, of a seat's decision and of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from aiohttp import web

from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis import Analysis, analyse
from cirulla_ai.analysis.dialect import rounded
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.play import TurnError
from cirulla_ai.play.advice import NODES, advise, decision, judge, last_decision, reasons
from cirulla_ai.play.views import position_dict
from cirulla_ai.state import State
from cirulla_ai.web.asks import Ask
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import BusyError
from cirulla_ai.web.streams import Stream
from cirulla_ai.web.workshop import Workshop

__all__ = ["Advice"]

# The first of a stream of analyses; each of those after it has twice as many iterations.
FIRST_NODES = 1000
STREAM_NODES = 128_000


class Advice:
    """Hints, judgements, analyses, positions that are set up."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def _decides(self, ask: Ask) -> History:
        """What the seat has seen, where it is its turn; raises TurnError where not."""
        view = ask.game.game.view(ask.seat)
        if not view.is_turn:
            raise TurnError(f"seat {view.seat} is not to move")
        return view.history

    async def hint(self, ask: Ask) -> dict[str, Any]:
        seat, history = ask.seat, self._decides(ask)
        version = ask.game.game.version
        nodes = ask.body.get("nodes", NODES)
        found = await self._workshop.think(lambda stop: advise(history, nodes=nodes, stop=stop))
        if ask.game.game.version == version:
            ask.game.change(lambda game: game.note(seat, f"hint: {found.best.action}"))
        return found.best.as_dict()

    async def judgement(self, ask: Ask) -> dict[str, Any]:
        history = ask.game.game.view(ask.seat).history
        number = ask.query.get("number")
        if number is None:
            number = last_decision(history)
        decided, action = decision(history, number)
        nodes = ask.query.get("nodes", NODES)
        judged = await self._workshop.think(
            lambda stop: judge(decided, action, nodes=nodes, stop=stop))
        why = None
        if ask.query.get("why"):
            why = await self._workshop.think(lambda _: reasons(decided, judged))
        return {**judged.as_dict(), "why": None if why is None else {
            item: rounded(points) for item, points in why.items()}}

    async def watch(self, ask: Ask) -> web.StreamResponse:
        game = ask.game
        history = self._decides(ask)
        version = game.game.version
        async with self._workshop.stream(ask) as stream:
            await self._say_analyses(
                stream, history, ask.query, lambda: game.game.version == version)
        return stream.response

    async def analyse(self, ask: Ask) -> web.StreamResponse:
        history = _history(ask.body)
        # Refused before the stream begins.
        history.choices()
        async with self._workshop.stream(ask) as stream:
            await self._say_analyses(stream, history, ask.body, lambda: True)
        return stream.response

    async def _say_analyses(
        self, stream: Stream, history: History, asked: Mapping[str, Any],
        is_there: Callable[[], bool],
    ) -> None:
        """One analysis after the other, each of twice as many iterations, while it is of use."""
        most = asked.get("nodes", STREAM_NODES)
        nodes = min(FIRST_NODES, most)
        while is_there() and not self._workshop.is_ending:
            try:
                limit = Limit(nodes=nodes)
                found = await self._workshop.think(partial(_analysed, history, limit))
            except BusyError as error:
                await stream.say("end", {"error": str(error), "field": None})
                return
            await stream.say("analysis", found.as_dict(asked.get("top")))
            if nodes >= most or all(one.exact for one in found.actions):
                break
            nodes = min(2 * nodes, most)
        await stream.say("end", {})

    async def position(self, ask: Ask) -> dict[str, Any]:
        state = _history(ask.body).state
        try:
            return position_dict(state, ask.body.get("holding"))
        except ValueError as error:
            raise FieldError("holding", str(error)) from None


def _history(asked: Mapping[str, Any]) -> History:
    """A position that was set up, and what was played from it."""
    try:
        state = State.parse(asked["state"].removeprefix("state "))
    except ValueError as error:
        raise FieldError("state", str(error)) from None
    try:
        return History(state, *asked.get("moves", ()))
    except ValueError as error:
        raise FieldError("moves", str(error)) from None


def _analysed(history: History, limit: Limit, stop: Stop) -> Analysis:
    return analyse(history, limit, stop=stop)
