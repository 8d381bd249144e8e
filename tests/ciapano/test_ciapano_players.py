"""The player of Ciapa No by rule, and what the search makes of the game."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from support import ciapano_reference as reference
from support.ciapano_games import Game, game_of, games, position_of

from cirulla_ai import Rules
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_rollout import CiapanoRollout
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai._core.contract import CheatInformationSet, InformationSet
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.search import Search
from cirulla_ai._core.stop import Stop
from cirulla_ai.players import ducking

RULES = Rules("ciapano")


def search(knowledge: InformationSet, position: CiapanoPosition, iterations: int) -> Search:
    """A search of these actions, by points, as the engine does it."""
    if isinstance(knowledge, CiapanoInformationSet):
        knowledge = knowledge.posterior()
    equity = Equity(3, RULES.target, True, *RULES.pace)
    tree = Search(knowledge, position.legal(), seed=1, hash_bytes=16 << 20, exploration=0.4,
                  for_match=False, equity=equity, stop=Stop(), rollout=CiapanoRollout())
    tree.run(iterations)
    return tree


# --- the player by rule ---------------------------------------------------------------

@given(games())
def test_it_plays_what_is_legal_by_what_it_sees(game: Game) -> None:
    for position in game.positions[:-1]:
        chosen = ducking.choose(position)
        assert chosen in position.legal()
        assert chosen == ducking.choose(position.view(position.turn))


def test_it_refuses_what_it_can_not_decide() -> None:
    game = game_of(1)
    with pytest.raises(ValueError, match="over"):
        ducking.choose(game.positions[-1])
    first = game.positions[0].turn
    with pytest.raises(ValueError, match=f"seat {first} is to move"):
        ducking.choose(game.positions[0].view((first + 1) % 3))


@pytest.mark.parametrize("seat", range(3))
def test_it_takes_half_of_what_random_play_takes(seat: int) -> None:
    """In every place at the table, against two that play anything."""
    random = Random(seat)
    taken = 0
    for seed in range(80):
        position = CiapanoPosition.deal_random(RULES.table, 2, [0, 0, 0], 0, seed)
        while position.turn >= 0:
            code = (ducking.choose(position) if position.turn == seat
                    else random.choice(position.legal()))
            position = position.after(code)
        taken += position.items()[seat][0]
    assert taken / 80 < 35 / 3 / 2


@pytest.mark.parametrize(("text", "word"), [
    # The third seat goes under the king with what it would least like to keep.
    ("dealer=2 turn=2 hands=?7/?7/4HQH3H5C6C5DAD4S trick=JHKH lead=0 taken="
     "AHACAS2H2C2S3C3S4C5S6S7SJSQSKS/-/- discard=QC passed=?1/KC/- viewer=2 phase=play", "QH"),
    # Without the suit led, the bare ace goes.
    ("dealer=2 turn=2 hands=?7/?7/4H5H6H5C6C4DADAS trick=QSKS lead=0 taken="
     "AHAC2H2C3C3S4C5S6S7SJSJHQHKHKD/-/- discard=QC passed=?1/KC/- viewer=2 phase=play", "AS"),
    # Bound to take the trick, it does so with the two and keeps the ace for another's.
    ("dealer=2 turn=2 hands=?7/?7/AS2S5H6H5C6C4D5D trick=QSKS lead=0 taken="
     "AHAC2H2C3C4C4H4S5S6S7SJSJHQHKH/-/- discard=QC passed=?1/KC/- viewer=2 phase=play", "2S"),
    # The bare three is handed on, not one of many low cards.
    ("dealer=2 hands=3H4D5D6D7DJD4C5C6C7C4S5S6S7S/?13/?13 viewer=0", ">3H"),
])
def test_it_ducks(text: str, word: str) -> None:
    assert action_text(ducking.choose(position_of(text))) == word


# --- the search -----------------------------------------------------------------------

@pytest.mark.parametrize("moment", [0, 1, 2, 3, 4, 5, 30])
def test_the_search_is_blind_to_hidden_cards(moment: int) -> None:
    """The same seed gives the same search whatever the others hold."""
    game = game_of(11)
    truth = game.positions[moment]
    knowledge = CiapanoInformationSet(truth, truth.turn)
    other, _ = knowledge.draw(5)
    assert other.fields() != truth.fields()
    ours = search(knowledge, truth, 2000)
    hidden = search(CiapanoInformationSet(other, truth.turn), other, 2000)
    assert ours.results() == hidden.results()
    assert ours.iterations == 2000
    assert sum(visits for _, visits, *_ in ours.results()) == 2000


def test_the_search_finds_the_card_that_costs_nothing() -> None:
    """To the last trick but one with all cards known: the exact best by trying all."""
    for seed in range(20):
        position = game_of(seed).positions[36]
        values = {}
        for code in position.legal():
            values[code] = best_value(position.after(code), position.turn)
        tree = search(CheatInformationSet(position, position.turn), position, 4000)
        chosen = max(tree.results(), key=lambda row: row[1])[0]
        assert values[chosen] >= max(values.values()) - 0.5


def best_value(position: CiapanoPosition, seat: int) -> Fraction:
    """The mean of the others' points minus a seat's, each playing for its own."""
    return _best(position)[seat]


def _best(position: CiapanoPosition) -> list[Fraction]:
    if position.phase == "done":
        return reference.margins(position.points())
    return max((_best(position.after(code)) for code in position.legal()),
               key=lambda values: values[position.turn])


def test_the_search_takes_less_than_random_play() -> None:
    random = Random(1)
    taken = 0
    for seed in range(30):
        position = CiapanoPosition.deal_random(RULES.table, seed % 3, [0, 0, 0], 0, seed)
        knowledge = CiapanoInformationSet(position, 0)
        while position.turn >= 0:
            if position.turn == 0:
                rows = search(knowledge, position, 300).results()
                code = max(rows, key=lambda row: row[1])[0]
            else:
                code = random.choice(position.legal())
            knowledge.observe(code)
            position = position.after(code)
        taken += position.items()[0][0]
    assert taken / 30 < 35 / 3 / 2
