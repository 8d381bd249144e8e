"""Playing one deal set: what a worker does.  What it is given and gives back is plain."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cirulla_ai.match.contender import Contender
from cirulla_ai.match.process import ProcessPlayer
from cirulla_ai.match.referee import Game, innocents, play_smazzata
from cirulla_ai.match.schedule import DealSet, deal_seed
from cirulla_ai.match.score import Match
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Conditions", "play_set"]


@dataclass(frozen=True)
class Conditions:
    """How every game of a tournament is played.

    ``matches``: whole matches to the target instead of single smazzate.  ``packs``: deals
    from a file, forty cards each, in place of the seed's.
    """

    rules: str
    matches: bool = False
    forfeit_points: int = 10
    records: bool = False
    packs: tuple[str, ...] = ()


class Bench:
    """The players of one worker, by contender and seat; engines among them stay running."""

    def __init__(self) -> None:
        self._players: dict[tuple[Contender, int], Player] = {}

    def player(self, contender: Contender, seat: int, seed: int) -> Player:
        """The contender's player for a seat, ready for a new game."""
        key = (contender, seat)
        if key not in self._players:
            self._players[key] = build_player(contender)
        self._players[key].begin(seed)
        return self._players[key]

    def close(self) -> None:
        """Send them all home."""
        for player in self._players.values():
            player.close()
        self._players.clear()


def build_player(contender: Contender) -> Player:
    """The player that a contender describes."""
    if contender.cmd:
        return ProcessPlayer(contender)
    if contender.player == "engine":
        return EnginePlayer(options=contender.options)
    return make_player(contender.player)


@cache
def own_bench() -> Bench:
    """The bench of this worker process."""
    bench = Bench()
    atexit.register(bench.close)
    return bench


def play_set(
    conditions: Conditions, contenders: Sequence[Contender], deal: DealSet,
    bench: Bench | None = None,
) -> dict[str, Any]:
    """Play every game of a deal set; returns the line that the store keeps.

    The same set gives the same result whatever was played before it, as far as the players
    are deterministic: each is seeded by its place in the schedule.
    """
    bench = bench or own_bench()
    games = []
    for k, seating in enumerate(deal.seatings):
        seats = [
            bench.player(contenders[who], seat, deal_seed(deal.seed, k, seat))
            for seat, who in enumerate(seating)
        ]
        games.append(play_game(conditions, contenders, deal, seating, seats))
    return {"index": deal.index, "contenders": list(deal.contenders), "games": games}


def play_game(
    conditions: Conditions,
    contenders: Sequence[Contender],
    deal: DealSet,
    seating: tuple[int, ...],
    seats: Sequence[Player],
) -> dict[str, Any]:
    """One smazzata, or one whole match, in one seating."""
    rules = Rules.parse(conditions.rules)
    clocks = [contenders[who].clock for who in seating]

    def play(state: State) -> Game:
        return play_smazzata(state, seats, clocks, forfeit_points=conditions.forfeit_points,
                             seating=seating)

    result: dict[str, Any] = {"seats": list(seating)}
    if not conditions.matches:
        pack = conditions.packs[deal.number] if conditions.packs else None
        game = play(State.deal(rules, seed=None if pack else deal.seed, pack=pack))
        result["points"] = list(game.points)
        _note(result, [game], conditions)
        return result
    match = Match(rules)
    played = []
    forfeited = False
    while not match.is_over:
        game = play(match.deal(seed=deal_seed(deal.seed, 0, match.smazzate)))
        played.append(game)
        if game.forfeit:
            # The match goes to the others: it can't be gone on with fairly.
            forfeited = True
            break
        assert game.final is not None
        match.record(game.final)
    result["smazzate"] = len(played)
    result["points"] = [sum(points) for points in zip(*(g.points for g in played), strict=True)]
    if forfeited:
        fault = played[-1].forfeit
        assert fault is not None
        winners = innocents(rules, seating, fault.seat)
    else:
        winners = list(match.winners)
    result["won"] = [1.0 / len(winners) if side in winners else 0.0 for side in range(rules.sides)]
    _note(result, played, conditions)
    return result


def _note(result: dict[str, Any], games: list[Game], conditions: Conditions) -> None:
    """Forfeits, and the actions where records are kept."""
    faults = [
        {"smazzata": k, "seat": g.forfeit.seat, "kind": g.forfeit.kind,
         "detail": g.forfeit.detail[:500], "points": conditions.forfeit_points}
        for k, g in enumerate(games) if g.forfeit
    ]
    if faults:
        result["forfeits"] = faults
    if conditions.records:
        result["played"] = [
            {"start": str(g.start), "actions": " ".join(g.words),
             "said": [[t.centipoints, round(ms), t.nodes]
                      for t, ms in zip(g.thoughts, g.milliseconds, strict=True)]}
            for g in games]
