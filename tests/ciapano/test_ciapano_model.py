"""What the others' choices tell of their hands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ciapano_ducking
from support import ciapano_reference as reference
from support.ciapano_games import SEATS, Game, game_of, games, position_of

from cirulla_ai._core.actions import action_text
from cirulla_ai._core.ciapano_model import chances, costs
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai.action import parse_action
from cirulla_ai.players import ducking

MOMENTS = st.integers(0, 42)


def chance_of_all(game: Game, viewer: int, moment: int, start: int = 0) -> float:
    """The product over what the others chose since ``start``, where the viewer saw the card,
    and over an unseen discard, which a world has."""
    out = 1.0
    for k, (position, word) in enumerate(zip(game.positions, game.words[:moment], strict=False)):
        code = parse_action(word)
        seen = position.seen(code, viewer)
        # Of a hand of which cards have gone unseen there is no telling.
        is_discard = position.phase == "pass" and position.turn == game.dealer
        is_told = is_discard and start <= 3 and moment < 42
        if position.turn != viewer and (is_told or (seen == code and k >= start)):
            out *= dict(chances(position))[code]
    return out


@given(games(), SEATS, MOMENTS)
def test_a_truth_is_as_likely_as_all_choices_in_it(game: Game, viewer: int, moment: int) -> None:
    info = game.knowledge(viewer, moment).posterior()
    found = info.likelihood(game.positions[moment])
    assert found == pytest.approx(chance_of_all(game, viewer, moment), rel=1e-9)
    assert found > 0
    assert info.copy().likelihood(game.positions[moment]) == 1
    assert info.copy().posterior().likelihood(game.positions[moment]) == found


@given(games(), SEATS, MOMENTS)
def test_a_view_tells_of_the_open_trick(game: Game, viewer: int, moment: int) -> None:
    """What was chosen before is not known, but what lies there is."""
    info = game.knowledge(viewer, moment, moment).posterior()
    start = moment - len(game.positions[moment].fields()["trick"])
    found = info.likelihood(game.positions[moment])
    assert found == pytest.approx(chance_of_all(game, viewer, moment, start), rel=1e-9)


@given(games(), MOMENTS)
def test_chances_are_a_distribution(game: Game, moment: int) -> None:
    position = game.positions[min(moment, 41)]
    found = chances(position)
    assert [code for code, _ in found] == position.legal()
    assert sum(chance for _, chance in found) == pytest.approx(1)
    # One choice in fifty is any.
    assert min(chance for _, chance in found) >= 0.02 / len(found) - 1e-12


@given(games(), MOMENTS)
def test_other_hands_are_not_looked_at(game: Game, moment: int) -> None:
    position = game.positions[min(moment, 41)]
    assert chances(position) == chances(position.view(position.turn))
    assert costs(position) == costs(position.view(position.turn))


@given(games(), MOMENTS)
def test_costs_are_those_of_the_reference(game: Game, moment: int) -> None:
    moment = min(moment, 41)
    found = costs(game.positions[moment])
    assert [code for code, _ in found] == game.positions[moment].legal()
    assert {action_text(code): cost for code, cost in found} == pytest.approx(
        ciapano_ducking.costs(game.truth(moment)), abs=1e-9)


@pytest.mark.parametrize("judge", [chances, costs])
def test_what_nobody_can_judge_is_refused(
    judge: Callable[[CiapanoPosition], list[tuple[int, float]]],
) -> None:
    game = game_of(1)
    with pytest.raises(ValueError, match="over"):
        judge(game.positions[-1])
    first = game.positions[0].turn
    with pytest.raises(ValueError, match=f"seat {first} is to move, not seat {(first + 1) % 3}"):
        judge(game.positions[0].view((first + 1) % 3))


@pytest.mark.parametrize("seed", range(20))
def test_the_choice_of_the_rule_player_is_among_the_likely(seed: int) -> None:
    """Both judge cards alike: a card that it chooses is likelier than any is on average."""
    game = game_of(seed)
    gain = 0.0
    for position in game.positions[3:42]:
        found = dict(chances(position))
        gain += found[ducking.choose(position)] - 1 / len(found)
    assert gain > 0


# --- by the sense of the game -----------------------------------------------------------

def truth(hands: list[str], discard: str) -> CiapanoPosition:
    """A truth with two cards in each hand, seat 2 dealer and about to lead."""
    held = [card for hand in hands for card in reference.cards_of(hand)]
    gone = [card for card in reference.DECK if card not in (*held, discard)]
    return position_of(
        f"dealer=2 turn=2 lead=2 hands={'/'.join(hands)} taken={reference.joined(gone)}/-/- "
        f"discard={discard} passed={gone[0]}/{gone[1]}/- phase=play")


def test_who_took_a_trick_probably_could_not_duck() -> None:
    """Seat 1 took a king with a three: that it had the six as well is less likely than that
    the six is with seat 0, which ducked."""
    likely = []
    for hands in (["4S7H", "3S6S", "KS7D"], ["4S6S", "3S7H", "KS7D"]):
        world = truth(hands, "5D")
        info = CiapanoInformationSet(world, 2)
        for word in ("KS", "4S", "3S"):
            code = parse_action(word)
            info.observe(code)
            world = world.after(code)
        likely.append(info.posterior().likelihood(world))
    assert 0 < likely[0] < likely[1] / 3


def test_who_passed_an_ace_probably_had_no_higher_card() -> None:
    """Seat 1 handed an ace to the dealer: it rather had the four of spades than the three."""
    fixed = ["AH", "3S", "4S"]
    rest = [card for card in reference.DECK if card not in fixed]
    likely = []
    for theirs, ours in (("4S", "3S"), ("3S", "4S")):
        hands = [[theirs, *rest[:12]], ["AH", ours, *rest[12:24]], rest[24:]]
        world = position_of(
            f"dealer=2 turn=1 hands={'/'.join(map(reference.joined, hands))} "
            f"passed={rest[12]}/-/- phase=pass")
        info = CiapanoInformationSet(world, 2)
        info.observe(parse_action(">AH"))
        likely.append(info.posterior().likelihood(world.after(parse_action(">AH"))))
    assert 0 < likely[0] < likely[1]
