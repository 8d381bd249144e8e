"""The players of a worker: one bench for each deal set at a time, and none kept for nothing."""

from __future__ import annotations

import threading
import time

from cirulla_ai.players.base import Player
from cirulla_ai.rules import Rules
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.play import Conditions, Rosters, play_set
from cirulla_ai.tournament.schedule import Schedule

CONTENDER = Contender("X", player="random")


class Leaves(Player):
    """Notes that it was sent home."""

    def __init__(self) -> None:
        super().__init__()
        self.is_home = False

    def choose(self, turn: object) -> None:  # type: ignore[override]
        raise NotImplementedError

    def close(self) -> None:
        self.is_home = True


def seated(benches: Rosters) -> Leaves:
    player = Leaves()
    with benches.one() as bench:
        bench._players[CONTENDER, 0] = player
    return player


def test_a_bench_is_used_again() -> None:
    benches = Rosters()
    with benches.one() as first:
        pass
    with benches.one() as second:
        assert second is first


def test_two_at_a_time_share_nothing() -> None:
    benches = Rosters()
    with benches.one() as one, benches.one() as other:
        assert one is not other
        assert one.player(CONTENDER, 0, 1) is not other.player(CONTENDER, 0, 1)


def test_whoever_waits_for_nothing_leaves() -> None:
    benches = Rosters(idle_seconds=0.05)
    player = seated(benches)
    deadline = time.monotonic() + 5
    while not player.is_home:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_whoever_plays_is_not_sent_home() -> None:
    benches = Rosters(idle_seconds=0.05)
    player = seated(benches)
    with benches.one():
        time.sleep(0.2)
        benches.close()
        assert not player.is_home
    benches.close()
    assert player.is_home


def test_deal_sets_in_threads_are_those_played_one_by_one() -> None:
    conditions = Conditions("rules=cirulla", records=True)
    contenders = [CONTENDER, Contender("Y", player="greedy")]
    deals = list(Schedule(Rules("cirulla"), 2, 8, 1, "round-robin"))
    found: dict[int, object] = {}

    def moves(line: dict[str, object]) -> object:
        games: list[dict[str, object]] = line["games"]  # type: ignore[assignment]
        return [(game["points"], [part["actions"] for part in game["played"]])  # type: ignore[attr-defined]
                for game in games]

    def work(first: int) -> None:
        for deal in deals[first::2]:
            found[deal.index] = moves(play_set(conditions, contenders, deal))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {deal.index: moves(play_set(conditions, contenders, deal)) for deal in deals}
