"""Playing one deal set: what a worker does.  What it is given and gives back is plain."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from cirulla_ai.analysis.luck import deal_luck, luck_of
from cirulla_ai.match import MOST_SMAZZATE, Match
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.rules import Rules
from cirulla_ai.state import State
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.process import ProcessPlayer
from cirulla_ai.tournament.referee import Smazzata, innocents, play_smazzata
from cirulla_ai.tournament.schedule import DealSet, deal_seed

__all__ = ["Conditions", "close_rosters", "play_set"]

# How long engines wait for the next deal set.
IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class Conditions:
    """How every game of a tournament is played.

    ``matches``: whole matches to the target instead of single smazzate, of at most
    ``most_smazzate``.  ``packs``: deals
    from a file, forty cards each, in place of the seed's.  ``luck``: how lucky the sides were
    with the cards is worked out.
    """

    rules: str
    matches: bool = False
    forfeit_points: int = 10
    records: bool = False
    packs: tuple[str, ...] = ()
    most_smazzate: int = MOST_SMAZZATE
    luck: bool = False


class Roster:
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


class Rosters:
    """The rosters of a worker process, one for each deal set that is played at a time.

    Engines on them stay running for the next deal set, and leave where none comes for a
    while: a worker of a cluster outlives the tournament that it has played in.
    """

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._free: list[Roster] = []
        self._timer: threading.Timer | None = None

    @contextmanager
    def one(self) -> Iterator[Roster]:
        """A roster, for the length of the block."""
        with self._lock:
            self._stop_timer()
            roster = self._free.pop() if self._free else Roster()
        try:
            yield roster
        finally:
            with self._lock:
                self._free.append(roster)
                self._stop_timer()
                self._timer = threading.Timer(self._idle_seconds, self.close)
                self._timer.daemon = True
                # Where there can be no more threads they stay until this process ends.
                with suppress(RuntimeError):
                    self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Send home whoever does not play."""
        with self._lock:
            self._stop_timer()
            free, self._free = self._free, []
        for roster in free:
            roster.close()


@cache
def own_rosters() -> Rosters:
    """The rosters of this worker process."""
    rosters = Rosters()
    # What is registered last is called first: engines are asked to leave before the finalizers,
    # which weakref registers with the first, kill them.
    weakref.finalize(rosters, lambda: None)
    atexit.register(rosters.close)
    return rosters


def close_rosters() -> None:
    """End the engines of this worker process."""
    own_rosters().close()


def play_set(
    conditions: Conditions, contenders: Sequence[Contender], deal: DealSet,
    roster: Roster | None = None,
) -> dict[str, Any]:
    """Play every game of a deal set; returns the line that the store keeps.

    The same set gives the same result whatever was played before it, as far as the players
    are deterministic: each is seeded by its place in the schedule.
    """
    if roster is None:
        with own_rosters().one() as roster:
            return play_set(conditions, contenders, deal, roster)
    games = []
    for k, seating in enumerate(deal.seatings):
        seats = [
            roster.player(contenders[who], seat, deal_seed(deal.seed, k, seat))
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

    def play(state: State) -> Smazzata:
        return play_smazzata(state, seats, clocks, forfeit_points=conditions.forfeit_points,
                             seating=seating)

    result: dict[str, Any] = {"seats": list(seating)}
    if not conditions.matches:
        pack = conditions.packs[deal.number] if conditions.packs else None
        game = play(State.deal(rules, seed=None if pack else deal.seed, pack=pack))
        result["points"] = list(game.points)
        _note(result, [game], conditions)
        return result
    match = Match(rules, most_smazzate=conditions.most_smazzate)
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
    if match.is_cut:
        result["cut"] = True
    result["won"] = [1.0 / len(winners) if side in winners else 0.0 for side in range(rules.sides)]
    _note(result, played, conditions)
    return result


def _luck(games: Sequence[Smazzata]) -> tuple[list[float], list[float]]:
    """How lucky each side was over all deals: in points, less the mean of the others', and as
    a chance to win the match."""
    points, chances = zip(*(
        luck_of(deal_luck(game.start.through(*game.words))) for game in games), strict=True)
    # As a file keeps them in any case, so that a run that is gone on with says the same.
    return ([round(sum(side), 6) for side in zip(*points, strict=True)],
            [round(sum(side), 6) for side in zip(*chances, strict=True)])


def _note(result: dict[str, Any], games: list[Smazzata], conditions: Conditions) -> None:
    """Forfeits, and the actions where records are kept."""
    faults = [
        {"smazzata": k, "seat": g.forfeit.seat, "kind": g.forfeit.kind,
         "detail": g.forfeit.detail[:500], "points": conditions.forfeit_points}
        for k, g in enumerate(games) if g.forfeit
    ]
    if faults:
        result["forfeits"] = faults
    if conditions.luck:
        result["luck"], result["match_luck"] = _luck(games)
    if conditions.records:
        result["played"] = [
            {"start": str(g.start), "actions": " ".join(g.words),
             "said": [[t.centipoints, round(ms), t.nodes]
                      for t, ms in zip(g.thoughts, g.milliseconds, strict=True)]}
            for g in games]
