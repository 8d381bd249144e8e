"""Luck: what deals bring less what they could have; its mean is zero, whoever values them."""

from __future__ import annotations

from array import array
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from cirulla_ai import PRESETS, Rules, State
from cirulla_ai._core.fishing_endgame import solve
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.quick import play_out
from cirulla_ai.analysis.luck import DealLuck, deal_luck, luck_of, start_value
from cirulla_ai.engine.evaluation import Evaluation
from cirulla_ai.engine.evaluation_file import evaluation_of, load_evaluation
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.players import make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.records import Record

CIRULLA = Rules("cirulla")


def wrong_value(rules: Rules) -> Value:
    """Networks of random weights: what they say has nothing to do with the game."""
    random = Random(5)

    def net(size: int) -> array[float]:
        return array("f", [random.gauss(0, 0.3) for _ in range(size)])

    rounds = len(rules.rounds)
    return Value(
        rules.table, [net(Value.shape(rules.table, 8)[1]) for _ in range(rounds - 1)],
        [net(Value.after_shape(rules.table, 8)[1]) for _ in range(rounds)], 8)


def smazzata(rules: Rules, seed: int) -> list[State]:
    """A smazzata by the quick policy: the states in which cards were just dealt, and the end."""
    start = State.deal(rules, dealer=seed % rules.players, seed=seed)
    quick = game_of(rules).quick(rules, evaluation_of("", rules).value, True)
    return [start, *(State(rules, position)
                     for position in play_out(quick, start.position, seed))]


def is_zero(numbers: list[float]) -> bool:
    """Whether a mean is within three of its standard errors of zero, which is not all there is."""
    assert stdev(numbers) > 0
    return abs(fmean(numbers)) < 3 * stdev(numbers) / sqrt(len(numbers))


@pytest.mark.parametrize("is_right", [True, False])
def test_its_mean_is_zero_whatever_deals_are_taken_to_be_worth(is_right: bool) -> None:
    known = evaluation_of("", CIRULLA)
    if not is_right:
        known = Evaluation(wrong_value(CIRULLA), known.equity)
    points, chances, by_round = [], [], []
    for seed in range(10_000):
        deals = deal_luck(smazzata(CIRULLA, seed), evaluation=known, plays=1, redeals=4)
        luck, match = luck_of(deals)
        points.append(luck[0])
        chances.append(match[0])
        by_round.append([deal.luck[0] for deal in deals])
    assert is_zero(points)
    assert is_zero(chances)
    for round_ in range(len(CIRULLA.rounds)):
        assert is_zero([row[round_] for row in by_round if len(row) > round_])


@pytest.mark.parametrize("rules", [
    "cirulla players=3", "cirulla players=4", "cirulla-wikipedia players=3", "scopone", "ciapano",
    "scopa misdeal_aces=1 misdeal_loss=2 table_four=natural table_size=8 rounds=2,2,2,2,2,2,2,2"])
def test_its_mean_is_zero_in_other_games(rules: str) -> None:
    # The last one loses many matches by its misdeals, before a card is played.
    played = [smazzata(Rules.parse(rules), seed) for seed in range(400)]
    luck = [luck_of(deal_luck(states, plays=1, redeals=4)) for states in played]
    for kind in range(2):
        for side in range(Rules.parse(rules).sides):
            assert is_zero([one[kind][side] for one in luck])
    if "misdeal_loss" in rules:
        assert sum(states[0].is_over for states in played) > 20


def test_without_it_the_mean_stays_what_it_was_and_is_surer() -> None:
    players = [make_player("random", 1), make_player("greedy", 2)]
    plain, luck = [], []
    for seed in range(300):
        history = History(State.deal("cirulla", dealer=seed % 2, seed=seed))
        while not history.state.is_over:
            turn = Turn(history, Limit(nodes=1))
            history = history.play(players[turn.seat].choose(turn))
        final = history.state
        points = [p.total for p in final.points()]
        if final.won is not None:
            points = [51 * (side == final.won) for side in range(2)]
        plain.append(points[0] - points[1])
        luck.append(luck_of(deal_luck(history.states))[0][0])
    adjusted = [a - b for a, b in zip(plain, luck, strict=True)]
    # The greedy one is far better, and stays so: what is taken out is nothing in the mean.
    assert fmean(plain) < -3
    assert is_zero(luck)
    assert stdev(adjusted) < 0.85 * stdev(plain)


def test_the_last_deal_is_worth_what_the_solver_says() -> None:
    state = next(state for state in smazzata(CIRULLA, 3) if state.round == 6)
    position: FishingPosition = state.position
    fields = position.fields()
    cards = [card for hand, _ in fields["hands"] for card in range(40) if hand >> card & 1]

    def worth(mine: tuple[int, ...]) -> float:
        """Side 0's margin with best play of both, where seat 0 is dealt these cards."""
        hands = [(sum(1 << card for card in cards if (card in mine) == (seat == 0)), 0)
                 for seat in range(2)]
        other = fields.copy()
        other["hands"] = hands
        solved = solve(FishingPosition(CIRULLA.table, other), 51)
        assert solved is not None
        best = max(value for _, value, _ in solved)
        return best if state.turn == 0 else -best

    others = [worth(mine) for mine in combinations(cards, 3)]
    own = worth(tuple(card for card in cards if fields["hands"][0][0] >> card & 1))
    assert len(others) == 20
    (deal,) = deal_luck([state], redeals=20_000)
    assert deal.round == 6
    assert deal.luck[0] == pytest.approx(own - fmean(others), abs=0.1)
    assert deal.luck[1] == -deal.luck[0]


def test_a_first_table_that_wins_is_luck_and_nothing_else() -> None:
    rules = Rules.parse("cirulla table_four=natural")
    pack = "2H3H4H" "5H6H7H" "ADACASAH"
    rest = [f"{rank}{suit}" for suit in "HDCS" for rank in "A234567JQK"
            if f"{rank}{suit}" not in (pack[i:i + 2] for i in range(0, len(pack), 2))]
    state = State.deal(rules, dealer=1, pack=pack + "".join(rest))
    assert state.is_over
    assert state.won == 1
    (deal,) = deal_luck([state])
    # The match's 51 points, less what the dealer could expect before the deal.
    assert deal.luck[1] == pytest.approx(51 - start_value(rules, 1)[1], abs=0.6)
    assert deal.match[1] > 0.4


@pytest.mark.parametrize("preset", PRESETS)
def test_the_sides_share_it(preset: str) -> None:
    states = smazzata(Rules(preset), 7)
    deals = deal_luck(states, plays=4, redeals=8)
    assert [deal.round for deal in deals] == [
        state.round for state in states if not state.is_over or state is states[0]]
    for deal in deals:
        assert sum(deal.luck) == pytest.approx(0, abs=1e-9)
        assert sum(deal.match) == pytest.approx(0, abs=1e-9)
        assert len(deal.luck) == len(deal.match) == Rules(preset).sides


def test_the_same_deal_has_the_same_luck() -> None:
    states = smazzata(CIRULLA, 11)
    assert deal_luck(states) == deal_luck(states)
    assert deal_luck(states) != deal_luck(states, seed=1)
    # Whatever else has been played.
    assert deal_luck(states[2:]) == deal_luck(states)[2:]


def test_a_record_has_its_deals() -> None:
    start = State.deal("cirulla", dealer=1, seed=7)
    words = []
    state = start
    while not state.is_over:
        words.append(str(state.legal_actions()[0]))
        state = state.apply(words[-1])
    record = Record.from_play(start, words)
    found = deal_luck(record)
    assert found == deal_luck(start.through(*words))
    assert [deal.round for deal in found] == [1, 2, 3, 4, 5, 6]
    # A part of one begins in the middle of a round, which is no deal.
    part = Record.from_play(record.states()[2], words[2:])
    assert deal_luck(part) == found[1:]


def test_a_view_has_no_luck() -> None:
    state = State.deal("cirulla", dealer=1, seed=7)
    with pytest.raises(ValueError, match="whole truth"):
        deal_luck([state.view(0)])
    with pytest.raises(ValueError, match="seed -1"):
        deal_luck([state], seed=-1)
    assert deal_luck([]) == ()
    # The same deal twice is one deal.
    assert deal_luck([state, state.copy()]) == deal_luck([state])
    assert luck_of(()) == ((), ())
    assert luck_of([DealLuck(1, (1.0, -1.0), (0.5, -0.5)), DealLuck(2, (0.5, -0.5), (0.0, 0.0))]
                   ) == ((1.5, -1.5), (0.5, -0.5))


def test_who_deals_makes_the_start() -> None:
    # How smazzate ended that the networks were learnt from: the leader's points first.
    results = load_evaluation("").rules["cirulla"]["results"]["points"]
    n = sum(count for *_, count in results)
    margin = sum((leader - dealer) * count for leader, dealer, count in results) / n
    assert start_value(CIRULLA, 1)[0] == pytest.approx(margin, abs=0.3)
    assert start_value(CIRULLA, 0) == start_value(CIRULLA, 1)[::-1]
    three = [start_value(Rules("cirulla", players=3), dealer) for dealer in range(3)]
    assert three[1] == three[0][-1:] + three[0][:-1]
    with pytest.raises(ValueError, match="dealer 2"):
        start_value(CIRULLA, 2)
