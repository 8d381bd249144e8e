"""The last tricks of Ciapa No, solved: against trying all plays by the rules' text."""

from __future__ import annotations

from copy import copy
from fractions import Fraction

import pytest
from support import ciapano_reference as reference
from support.ciapano_games import game_of

from cirulla_ai import Engine, Knowledge, Limit, Rules, State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.ciapano_endgame import solve
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import parse_action

RULES = Rules("ciapano")
CAPPOTTO = Rules("ciapano", cappotto=True)


def margins(truth: reference.Truth, rules: Rules) -> list[Fraction]:
    """Per seat, the mean of the others' points minus its own (4.4)."""
    thirds = truth.thirds()
    points = [n // 3 for n in thirds]
    if rules["cappotto"] and 35 in thirds:
        points = [0 if n == 35 else 11 for n in thirds]
    return reference.margins(points)


def played(truth: reference.Truth, word: str) -> reference.Truth:
    after = copy(truth)
    after.hands = [list(hand) for hand in truth.hands]
    after.taken = [list(cards) for cards in truth.taken]
    after.trick = list(truth.trick)
    after.apply(word)
    return after


def value(truth: reference.Truth, rules: Rules) -> list[Fraction]:
    """Max^n by trying all plays; of equals each is as likely."""
    if truth.over:
        return margins(truth, rules)
    values = [value(played(truth, word), rules) for word in truth.legal()]
    best = max(v[truth.turn] for v in values)
    equal = [v for v in values if v[truth.turn] == best]
    return [sum(seat, Fraction(0)) / len(equal) for seat in zip(*equal, strict=True)]


def expected(truth: reference.Truth, rules: Rules) -> dict[int, Fraction]:
    """Per action of the seat to move."""
    return {parse_action(word): value(played(truth, word), rules)[truth.turn]
            for word in truth.legal()}


def check(position: CiapanoPosition, truth: reference.Truth, rules: Rules) -> None:
    wanted = expected(truth, rules)
    found = solve(position)
    assert found is not None
    assert [code for code, *_ in found] == position.legal()
    for code, margin, line in found:
        assert margin == pytest.approx(float(wanted[code]), abs=1e-9)
        assert line[0] == code
        # All play what is best for them, to the end.
        after = position
        for step in line:
            if after is not position:
                best = max(row[1] for row in solve(after) or [])
                assert best - 1e-9 < dict(row[:2] for row in solve(after) or [])[step]
            after = after.after(step)
        assert after.phase == "done"


@pytest.mark.parametrize("moment", range(33, 42))
@pytest.mark.parametrize("seed", range(6))
def test_up_to_three_cards(seed: int, moment: int) -> None:
    rules = [RULES, CAPPOTTO][seed % 2]
    game = game_of(8000 + 50 * seed + moment, rules)
    check(game.positions[moment], game.truth(moment), rules)


@pytest.mark.parametrize("seed", range(4))
def test_four_cards(seed: int) -> None:
    game = game_of(8500 + seed)
    check(game.positions[30], game.truth(30), RULES)


def test_what_a_seat_can_tell() -> None:
    """A seat knows the truth where all others contradict what it has seen, and only there."""
    n = 0
    for seed in range(60):
        game = game_of(seed)
        viewer, moment = seed % 3, 34 + seed % 8
        info = game.knowledge(viewer, moment)
        known = {(truth["hands"], truth["discard"]) for truth in (
            dict(token.split("=") for token in text.split())
            for text in reference.agreeing_truths(
                game.dealer, game.hands, game.words[:moment], viewer))}
        assert info.count_worlds() == len(known)
        truth = info.truth()
        assert (truth is not None) == (len(known) == 1)
        if truth is not None:
            n += 1
            ours, real = truth.fields(), game.positions[moment].fields()
            assert ours["hands"] == real["hands"] and ours["discard"] == real["discard"]
    assert n > 10


# --- by hand, from the rules' text --------------------------------------------------------

def last_tricks(
    hands: str, taken: str, discard: str, rules: Rules = RULES
) -> CiapanoPosition:
    """Seat 0 leads; the cards that stand nowhere seat 1 has taken."""
    known = [*reference.cards_of(hands.replace("/", "")), *reference.cards_of(taken), discard]
    rest = reference.joined([card for card in reference.DECK if card not in known])
    position: CiapanoPosition = State.parse(
        f"{' '.join(rules.tokens())} dealer=0 turn=0 lead=0 hands={hands} taken={taken}/{rest}/- "
        f"discard={discard} passed=-/4C/5C phase=play").position
    return position


def solved(position: CiapanoPosition) -> dict[str, tuple[float, str]]:
    return {action_text(code): (margin, " ".join(map(action_text, line)))
            for code, margin, line in solve(position) or []}


def test_the_last_trick_and_the_discard() -> None:
    """Seat 0 has 5 thirds and takes the last trick: 5 in cards, 3 for it, 3 for the ace
    discarded.  16 thirds are 5 points, the other 19, seat 1's, are 6: 3 on average."""
    position = last_tricks("3H/2H/AD", "2CJCQCKC2S", "AS")
    assert solved(position)["3H"][0] == 3 - 5


def test_who_takes_the_last_trick() -> None:
    """Leading the king takes one third, and the last trick with an ace discarded goes to
    seat 2, 6 thirds; seat 1 has 28.  Leading the four gives seat 2 that trick, and the last
    one to the king, 7 thirds."""
    assert solved(last_tricks("4HKD/5H4D/6H5D", "-", "AS")) == {
        "KD": ((9 + 2) / 2 - 0, "KD 4D 5D 4H 5H 6H"),
        "4H": ((9 + 0) / 2 - 2, "4H 5H 6H 5D KD 4D"),
    }


@pytest.mark.parametrize(("rules", "margin"), [(RULES, -11), (CAPPOTTO, 11)])
def test_all_thirds(rules: Rules, margin: int) -> None:
    """Who takes all scores 11, or under the option nothing where the others get 11."""
    held = ["3H", "2H", "4D", "AS"]
    taken = reference.joined([card for card in reference.DECK if card not in held])
    assert solved(last_tricks("3H/2H/4D", taken, "AS", rules=rules))["3H"][0] == margin


def test_refusals() -> None:
    game = game_of(1)
    with pytest.raises(ValueError, match="whole truth"):
        solve(game.positions[40].view(0))
    with pytest.raises(ValueError, match="no card"):
        solve(game.positions[0])
    with pytest.raises(ValueError, match="no card"):
        solve(game.positions[42])


def test_giving_up() -> None:
    position = game_of(1).positions[27]
    assert solve(position, most_nodes=100) is None
    assert solve(position, deadline=1) is None
    stop = Stop()
    stop.set()
    assert solve(position, stop=stop) is None
    assert solve(position) is not None


def test_the_engine_proves_last_tricks() -> None:
    """With all cards known, from six in a hand; what it shows is what is solved."""
    engine = Engine()
    engine.set("Cheat", True)
    engine.set("MultiPV", 13)
    game = game_of(3)
    for moment in (21, 24, 30, 41):
        state = State(game.rules, game.positions[moment])
        *_, info = engine.search(state, Limit(nodes=50))
        assert all(line.exact == (moment > 21) for line in info.lines)
        if moment > 21:
            values = {code: margin for code, margin, _ in solve(state.position) or []}
            assert len(values) == len(info.lines)
            for line in info.lines:
                assert line.centipoints == round(100 * values[line.pv[0].code])
                assert len(line.pv) == 42 - moment


def test_the_engine_proves_what_a_seat_can_tell() -> None:
    engine = Engine()
    n = 0
    for seed in range(40):
        game = game_of(seed)
        moment = 33 + seed % 6
        position = game.positions[moment]
        start = State(game.rules, game.positions[0])
        knowledge = Knowledge.replay(start, game.words[:moment], position.turn)
        *_, info = engine.search(knowledge, Limit(nodes=10))
        assert info.lines[0].exact == (knowledge.core.count_worlds() == 1)
        n += info.lines[0].exact
    assert n > 3
