"""The referee: keeps the whole truth, shows each seat its view, decides what a fault costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from cirulla_ai.action import Action, ActionError
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.players.base import Player, Thought, Turn
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Clock", "FaultError", "Forfeit", "Smazzata", "play_smazzata"]


class FaultError(PortableError):
    """Something a player did that ends the smazzata: ``kind`` names what it was."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Forfeit:
    """Why a smazzata ended before its end: the seat at fault, the kind, and the details."""

    seat: int
    kind: str
    detail: str


@dataclass(frozen=True)
class Clock:
    """The time control of one player, in milliseconds.

    ``movetime`` for each action or ``time`` for the smazzata with ``inc`` added after each
    action; ``nodes`` search iterations.  ``margin`` is how much an answer may be late before
    it is a fault.
    """

    movetime: float | None = None
    nodes: int | None = None
    time: float | None = None
    inc: float = 0.0
    margin: float = 1000.0

    def limit(self, left: float | None) -> Limit:
        """What the player is told, with so much left on its clock."""
        return Limit(movetime=self.movetime, nodes=self.nodes, time=left, inc=self.inc)


@dataclass
class Smazzata:
    """A smazzata as it was played.

    ``points`` are per side, more being better; a match that is won outright counts as the
    target for the winner and nothing for the others.
    """

    start: State
    words: list[str] = field(default_factory=list)
    final: State | None = None
    points: tuple[float, ...] = ()
    forfeit: Forfeit | None = None
    milliseconds: list[float] = field(default_factory=list)
    thoughts: list[Thought] = field(default_factory=list)


def play_smazzata(
    start: State,
    players: Sequence[Player],
    clocks: Sequence[Clock],
    *,
    forfeit_points: int = 10,
    seating: Sequence[int] | None = None,
    on_action: Callable[[int, Action, float], None] | None = None,
) -> Smazzata:
    """Play ``start`` (a whole truth) to its end, ``players[seat]`` choosing for each seat.

    A player that plays an illegal action, fails, or is late loses the smazzata by
    ``forfeit_points`` to nothing.  ``seating`` numbers who plays each seat, where somebody
    plays several sides: nobody is paid for a fault of its own.  Raises PlayerError for a player
    that does not play by these rules at all.  ``on_action`` hears of each action: seat, action
    and milliseconds used.
    """
    for player in players:
        player.check(start.rules)
    if seating is None:
        seating = [start.rules.side(seat) for seat in range(start.rules.players)]
    game = Smazzata(start)
    history = History(start)
    left = [clock.time for clock in clocks]
    while not history.state.is_over:
        state = history.state
        seat = state.turn
        assert seat is not None
        clock = clocks[seat]
        turn = Turn(history, clock.limit(left[seat]))
        try:
            players[seat].prepare(turn)
            began = monotonic()
            action = players[seat].choose(turn)
            used = 1000 * (monotonic() - began)
            check_time(clock, left[seat], used)
            history = history.play(action)
        except FaultError as fault:
            return lost(game, state, seating, seat, fault.kind, str(fault), forfeit_points)
        except ActionError as error:
            return lost(game, state, seating, seat, "illegal", str(error), forfeit_points)
        remaining = left[seat]
        if remaining is not None:
            left[seat] = max(0.0, remaining - used) + clock.inc
        game.words.append(str(action))
        game.milliseconds.append(used)
        game.thoughts.append(players[seat].thought)
        if on_action:
            on_action(seat, action, used)
    game.final = history.state
    game.points = result_points(history.state)
    return game


def check_time(clock: Clock, left: float | None, used: float) -> None:
    """Raise a FaultError where an answer was late by more than the margin."""
    allowed = min((t for t in (clock.movetime, left) if t is not None), default=None)
    if allowed is not None and used > allowed + clock.margin:
        raise FaultError("time", f"answered after {used:.0f} ms of {allowed:.0f} ms "
                    f"(margin {clock.margin:.0f} ms)")


def result_points(state: State) -> tuple[float, ...]:
    """Per side, what a finished smazzata is worth; the match won outright is the target.

    More is better: where few points are good they count as minus points.
    """
    if state.won is not None:
        return tuple(float(state.rules.target) if side == state.won else 0.0
                     for side in range(state.rules.sides))
    sign = -1 if state.rules.family.fewest else 1
    return tuple(float(sign * points.total) for points in state.points())


def innocents(rules: Rules, seating: Sequence[int], seat: int) -> list[int]:
    """The sides that somebody else plays than who sits in this seat."""
    return [side for side in range(rules.sides) if seating[side] != seating[seat]]


def lost(
    game: Smazzata, state: State, seating: Sequence[int], seat: int, kind: str, detail: str,
    points: int,
) -> Smazzata:
    """The smazzata goes to the sides that others play than who sits in the seat."""
    innocent = innocents(state.rules, seating, seat)
    game.final = state
    game.forfeit = Forfeit(seat, kind, detail)
    game.points = tuple(
        float(points) if side in innocent else 0.0 for side in range(state.rules.sides))
    return game
