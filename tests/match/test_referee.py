"""The referee: the whole truth stays with it, faults end a smazzata and are named."""

from __future__ import annotations

import time

import pytest

from cirulla_ai import Action, Knowledge, Limit, State
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.history import History
from cirulla_ai.players import PLAYERS, Player, PlayerError, Turn, make_player
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.tournament.referee import Clock, FaultError, play_smazzata, result_points

FREE = Clock()


class Scripted(Player):
    """Plays at random, but for what a test makes it do at one of its turns."""

    def __init__(self, trick: str = "", at: int = 2) -> None:
        super().__init__(1)
        self.trick = trick
        self.at = at
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> Action:
        self.turns.append(turn)
        if len(self.turns) == self.at:
            if self.trick == "illegal":
                held = {card for hand in turn.view.hands for card in hand}
                return Action(next(card for card in ("AH", "KS", "7D", "2C") if card not in held))
            if self.trick == "late":
                time.sleep(0.05)
            if self.trick == "crash":
                raise FaultError("crash", "it is gone")
        return self.random.choice(turn.view.legal_actions())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_its_end(preset: str) -> None:
    start = State.deal(preset, seed=5)
    players = [Scripted() for _ in range(start.rules.players)]
    game = play_smazzata(start, players, [FREE] * start.rules.players)
    assert game.forfeit is None
    assert game.final is not None
    assert game.final.is_over
    assert start.play(*game.words) == game.final
    assert game.points == result_points(game.final)


def test_a_player_gets_its_view_and_what_it_saw() -> None:
    start = State.deal("cirulla-coppie", seed=5)
    players = [Scripted() for _ in range(4)]
    game = play_smazzata(start, players, [FREE] * 4)
    state = start
    turns: list[list[Turn]] = [list(p.turns) for p in players]
    for k, word in enumerate(game.words):
        assert state.turn is not None
        turn = turns[state.turn].pop(0)
        assert turn.seat == state.turn
        assert turn.view == state.view(state.turn)
        known = Knowledge.replay(start, game.words[:k], state.turn)
        assert known.state == turn.view
        state = state.play(word)


def test_only_the_cheat_sees_the_truth() -> None:
    start = State.deal(seed=5)
    turn = Turn(History(start), FREE.limit(None))
    with pytest.raises(PermissionError, match="plays fair"):
        turn.truth(make_player("careful"))
    assert turn.truth(make_player("cheat")) == start


class Slow(Scripted):
    """Takes its time to get ready."""

    def __init__(self) -> None:
        super().__init__()
        self.ready: list[Turn] = []

    def prepare(self, turn: Turn | None = None) -> None:
        assert turn is not None
        self.ready.append(turn)
        time.sleep(0.03)


def test_getting_ready_is_no_player_s_time() -> None:
    start = State.deal(seed=5)
    players = [Slow(), Slow()]
    game = play_smazzata(start, players, [Clock(movetime=10, margin=15)] * 2)
    assert game.forfeit is None
    for player in players:
        assert player.ready == player.turns


def test_the_engine_is_ready_before_its_clock_starts() -> None:
    start = State.deal("cirullone", seed=5)
    player = EnginePlayer(1)
    evaluation_of.cache_clear()
    turn = Turn(History(start), Limit(nodes=10))
    player.prepare(turn)
    read = evaluation_of.cache_info().misses
    assert read == 1
    assert player.choose(turn) in turn.view.legal_actions()
    assert evaluation_of.cache_info().misses == read


@pytest.mark.parametrize(
    ("trick", "kind", "clock"),
    [("illegal", "illegal", FREE), ("crash", "crash", FREE),
     ("late", "time", Clock(movetime=10, margin=5))])
def test_a_fault_loses_the_smazzata_and_is_named(trick: str, kind: str, clock: Clock) -> None:
    start = State.deal(seed=5)
    game = play_smazzata(start, [Scripted(), Scripted(trick)], [FREE, clock], forfeit_points=7)
    assert game.forfeit is not None
    assert (game.forfeit.seat, game.forfeit.kind) == (1, kind)
    assert game.forfeit.detail
    assert game.points == (7.0, 0.0)


def test_a_pair_loses_together() -> None:
    start = State.deal("scopone", seed=5)
    players = [Scripted(), Scripted(), Scripted("crash"), Scripted()]
    game = play_smazzata(start, players, [FREE] * 4)
    assert game.points == (0.0, 10.0)


def test_the_clock_runs_down_and_is_added_to() -> None:
    start = State.deal(seed=5)
    players = [Scripted("late", at=1), Scripted()]
    play_smazzata(start, players, [Clock(time=1000, inc=10)] * 2)
    told = [turn.limit.time for turn in players[0].turns]
    assert told[0] == 1000
    assert told[1] is not None
    assert 500 < told[1] <= 960
    assert [turn.limit.inc for turn in players[0].turns] == [10] * len(told)


def test_a_match_won_outright_counts_as_the_target() -> None:
    state = State.parse(
        "rules=cirulla dealer=1 turn=1 round=6 hands=7HJC/ACAS2H table=4H6C7CJDQCQSKC "
        "taken=AH2C2S3C4C5H5C6SJSQHKHKS/AD2D3H3D3S4D4S5D5S6H6D7D7SJHQDKD last=0 stock=-")
    assert result_points(state.apply("ASx4H6C7CJDQCQSKC")) == (0.0, 51.0)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("rules", ["cirulla", "cirulla-coppie", "scopa players=3", "cirullone-36",
                                   "ciapano"])
def test_every_player_plays_every_kind_of_game(name: str, rules: str) -> None:
    """Every kind that it knows, and of another it says so."""
    start = State.deal(rules, seed=3)
    n = start.rules.players
    players = [make_player(name, seed) for seed in range(n)]
    if start.rules.family not in players[0].families:
        with pytest.raises(PlayerError, match=f"{name} does not play {start.rules.preset}"):
            play_smazzata(start, players, [Clock(nodes=30)] * n)
        return
    game = play_smazzata(start, players, [Clock(nodes=30)] * n)
    assert game.forfeit is None
    again = [make_player(name, seed) for seed in range(n)]
    assert play_smazzata(start, again, [Clock(nodes=30)] * n).words == game.words


def points_against(a: str, b: str, deals: int) -> float:
    total = 0.0
    for seed in range(deals):
        start = State.deal(seed=seed)
        one = play_smazzata(start, [make_player(a, 1), make_player(b, 2)], [FREE] * 2)
        two = play_smazzata(start, [make_player(b, 3), make_player(a, 4)], [FREE] * 2)
        total += one.points[0] - one.points[1] + two.points[1] - two.points[0]
    return total / (2 * deals)


def test_greedy_beats_random_by_far() -> None:
    # The mean is about 8 and a pair deviates by about 6: 60 pairs can't miss 4.
    assert points_against("greedy", "random", 60) > 4


def test_careful_beats_greedy() -> None:
    # About 1.5, a pair deviating by about 4.
    assert points_against("careful", "greedy", 80) > 0


def test_exact_beats_careful() -> None:
    # By about 0.7 with best play in the last round, a pair deviating by about 2.5.
    assert points_against("exact", "careful", 120) > 0
