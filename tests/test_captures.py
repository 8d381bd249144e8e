"""A turn: what a card can take, and what playing it does (rules, section 3.2).

Each example is the rules' sentence with the smallest cards that show it.  The tables are
such that nothing but what is named can be taken.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from support import reference
from support.handmade import key, moves, position
from support.strategies import options_of, rules_of

from cirulla_ai import ActionError, Points
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.cards import parse_card, set_of, text_of
from cirulla_ai._core.fishing_position import FishingPosition


def takes(hand: str, table: str, rules: str = "", **keys: Any) -> list[str]:
    """Legal actions of a seat with this hand in the last round of cirulla."""
    n = len(hand) // 2
    other = "KSQSJS" if not set("KQJ") & set(hand + table) else "6S6C6H"
    return moves(position(f"{hand}/{other[:2 * n]}", table, rules=f"cirulla {rules}".strip(),
                          **keys))


# --- the four kinds -------------------------------------------------------------------

def test_equal_takes_one_card_of_the_same_value() -> None:
    assert takes("4C", "4HJD") == ["4Cx4H"]
    assert takes("4C", "4HJD", "capture_equal=no") == ["4C"]


def test_sum_takes_two_or_more_that_add_up() -> None:
    assert takes("KC", "3H7D") == ["KCx3H7D"]
    assert takes("KC", "AH2D3C4S") == ["KCx2D3C", "KCxAH2D3C4S", "KCxAH4S"], (
        "ten by all four, five by two and three or by ace and four")
    assert takes("KC", "3H7D", "capture_sum=no") == ["KC"]


def test_fifteen_takes_one_or_more_that_make_fifteen_with_it() -> None:
    assert takes("7S", "JD") == ["7SxJD"]
    assert takes("6S", "2D7D") == ["6Sx2D7D"]
    assert takes("7S", "JD", "capture_15=no") == ["7S"]


def test_several_fifteens_are_choices() -> None:
    assert takes("5C", "3C4H6D7S") == ["5Cx3C7S", "5Cx4H6D"]


def test_sets_of_equal_value_but_other_suits_are_other_actions() -> None:
    assert takes("5C", "5H5D") == ["5Cx5D", "5Cx5H", "5Cx5H5D"], "two equals and a fifteen"


def test_kinds_that_take_the_same_set_are_one_action() -> None:
    assert takes("AC", "6HJD") == ["ACx6HJD"], "six and eight are fourteen, and all there is"
    assert takes("AC", "AH", "ace_sweep=always") == ["ACxAH"], "the equal is all there is"


def test_a_value_is_that_of_the_rank_whatever_the_suit() -> None:
    """J, Q and K are 8, 9 and 10."""
    assert takes("JC", "7D") == ["JCx7D"]
    assert takes("QC", "6D") == ["QCx6D"]
    assert takes("KC", "5D") == ["KCx5D"]


# --- the ace --------------------------------------------------------------------------

def test_an_ace_sweeps_a_table_without_an_ace() -> None:
    assert takes("AC", "2HKD") == ["ACx2HKD"]
    assert takes("AC", "2HKD", "ace_sweep=no") == ["AC"]


def test_an_ace_on_the_table_forbids_the_sweep() -> None:
    assert takes("AC", "AHKD") == ["ACxAH"]
    assert takes("AC", "AHKD", "ace_sweep=always") == ["ACxAH", "ACxAHKD"]


def test_nothing_but_an_ace_sweeps() -> None:
    assert takes("2C", "3HKD") == ["2Cx3HKD"], "thirteen for fifteen, no sweep"
    assert takes("2C", "3HQD") == ["2C"]


def test_there_is_no_sweep_of_an_empty_table() -> None:
    assert takes("AC", "-") == ["AC"]
    assert takes("AC", "-", "ace_sweep=always ace_choice=sweep") == ["AC"]


def test_a_sweep_is_a_choice_among_others() -> None:
    assert takes("AC", "2S4HKD") == ["ACx2S4HKD", "ACx4HKD"], "all, or fifteen by four and ten"


def test_a_sweep_may_be_the_only_capture() -> None:
    assert takes("AC", "2S4HKD", "ace_choice=sweep") == ["ACx2S4HKD"]
    assert takes("AC", "AH4HKD", "ace_sweep=always ace_choice=sweep") == ["ACxAH4HKD"]


def test_where_no_sweep_exists_an_ace_captures_as_any_card() -> None:
    assert takes("AC", "AH4HKD", "ace_choice=sweep") == ["ACx4HKD", "ACxAH"]


# --- what narrows the choice ----------------------------------------------------------

def test_single_allows_no_sum_beside_an_equal() -> None:
    assert takes("7C", "3H4D7S") == ["7Cx3H4D", "7Cx7S"]
    assert takes("7C", "3H4D7S", "capture_choice=single") == ["7Cx7S"]


def test_single_allows_sums_of_any_size_where_there_is_no_equal() -> None:
    assert takes("7C", "AH2D4S5C", "capture_choice=single") == [
        "7Cx2D5C", "7CxAH2D4S", "7CxAH2D5C"], "seven twice, and eight for fifteen"


def test_single_leaves_fifteens_alone() -> None:
    assert takes("7C", "AD7S", "capture_choice=single") == ["7Cx7S", "7CxAD7S"]


def test_fewest_allows_only_sums_of_the_fewest_cards() -> None:
    table = "2H3D4C5S6H"
    assert takes("KC", table) == ["KCx2H3D", "KCx2H3D5S", "KCx4C6H", "KCx5S"]
    assert takes("KC", table, "capture_choice=fewest") == ["KCx2H3D", "KCx4C6H", "KCx5S"], (
        "ten by two cards, not by three; five for fifteen by one card or by two")


def test_fewest_counts_equals_and_sums_together() -> None:
    table = "2H3D4C5S6HKD"
    assert takes("KC", table, "capture_choice=fewest") == ["KCx2H3D", "KCx5S", "KCxKD"]


def test_neither_touches_sweeps() -> None:
    for choice in ("single", "fewest"):
        assert takes("AC", "AHKD", f"ace_sweep=always capture_choice={choice}") == [
            "ACxAH", "ACxAHKD"]


def test_a_card_that_can_capture_must() -> None:
    assert takes("4C", "4HJD") == ["4Cx4H"]
    assert takes("4C", "4HJD", "must_capture=no") == ["4C", "4Cx4H"]
    assert takes("AC", "2HKD", "must_capture=no ace_choice=sweep") == ["AC", "ACx2HKD"]


def test_any_card_may_be_played_also_one_that_captures_nothing() -> None:
    assert takes("4CKC", "4HJD") == ["4Cx4H", "KC"]


def test_laying_a_card_that_can_capture_is_refused() -> None:
    with pytest.raises(ActionError, match="4Cx4H"):
        position("4C/6S", "4HJD").apply("4C")


# --- the matta ------------------------------------------------------------------------

def test_a_declared_matta_captures_at_its_value() -> None:
    shown = {"shown": "7H/-", "claimed": "1/0"}
    assert takes("7H", "2DKD", declared=2, **shown) == ["7Hx2D"]
    assert takes("7H", "2DKD", declared=1, **shown) == ["7Hx2DKD"], "as an ace it sweeps"
    assert takes("7H", "JDKD", declared=5, **shown) == ["7HxKD"], "fifteen by five and ten"


def test_a_declared_matta_is_captured_at_its_value() -> None:
    assert takes("3C", "7HKD", declared=3) == ["3Cx7H"]
    assert takes("7C", "7HKD", declared=3) == ["7C"], "it is no seven now"
    assert takes("2C", "7HQD", declared=4) == ["2Cx7HQD"], "four and nine are thirteen"


def test_a_matta_declared_an_ace_forbids_the_sweep() -> None:
    assert takes("AC", "7HKD") == ["ACx7HKD"]
    assert takes("AC", "7HKD", declared=1) == ["ACx7H"]


def test_an_ace_that_is_the_matta_and_stands_for_more_does_not_forbid_it() -> None:
    rules = "matta=AS"
    assert takes("AC", "ASKD", rules) == ["ACxAS"]
    assert takes("AC", "ASKD", rules, declared=5) == ["ACxASKD"]


def test_an_undeclared_matta_has_its_printed_value() -> None:
    assert takes("7H", "7DQD") == ["7Hx7D"]
    assert takes("7C", "7HQD") == ["7Cx7H"]


# --- what playing does ----------------------------------------------------------------

def test_captured_cards_and_the_card_played_are_taken() -> None:
    before = position("4CKC/QSQC", "4HJD")
    after = before.apply("4Cx4H")
    assert set(after.taken[0]) - set(before.taken[0]) == {"4C", "4H"}
    assert after.taken[1] == before.taken[1]
    assert after.table == ("JD",)
    assert after.hands == (("KC",), ("QC", "QS"))
    assert key(after, "last") == "0"
    assert after.turn == 1


def test_a_card_that_captures_nothing_stays_on_the_table() -> None:
    after = position("4C/QS", "JD").apply("4C")
    assert after.table == ("4C", "JD")
    assert after.hands == ((), ("QS",))


def test_pairs_take_together() -> None:
    """Seats 0 and 2 are side 0, seats 1 and 3 are side 1."""
    state = position("4C/5C/6C/QC", "4H5H6HQH", rules="cirulla-torneo")
    for seat, action in enumerate(("4Cx4H", "5Cx5H", "6Cx6H")):
        before = state.taken
        state = state.apply(action)
        gained = [set(a) - set(b) for a, b in zip(state.taken, before, strict=True)]
        assert gained[seat % 2] == {action[:2], action[3:]}
        assert gained[1 - seat % 2] == set()


def test_three_seats_are_three_sides() -> None:
    state = position("4C/5C/6C", "4H5H6HQH", rules="cirulla players=3")
    state = state.play("4Cx4H", "5Cx5H")
    assert [card in taken for taken, card in zip(state.taken, ("4H", "5H", "6H"), strict=True)] == [
        True, True, False]


def test_clearing_the_table_is_a_scopa() -> None:
    after = position("4CKC/QSQC", "4H").apply("4Cx4H")
    assert key(after, "scopa") == "1/0"
    assert Points.of(after.position)[0].scopa == 1
    assert key(position("4CKC/QSQC", "4HJD").apply("4Cx4H"), "scopa") == "0/0"


def test_the_very_last_card_makes_no_scopa() -> None:
    last = position("-/4C", "4H", turn=1)
    assert key(last.apply("4Cx4H"), "scopa") == "0/0"
    allowed = position("-/4C", "4H", turn=1, rules="cirulla last_scopa=yes")
    assert key(allowed.apply("4Cx4H"), "scopa") == "0/1"


def test_the_card_before_it_does() -> None:
    assert key(position("4C/QS", "4H").apply("4Cx4H"), "scopa") == "1/0"


def test_the_last_card_of_an_earlier_round_does() -> None:
    state = position("-/4C", "4H", turn=1, stock="KHKDKCKSQHQD")
    assert key(state.apply("4Cx4H"), "scopa") == "0/1"


# --- the order of play ----------------------------------------------------------------

@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_seat_after_the_dealer_begins_every_round(dealer: int) -> None:
    hands = ["", "", ""]
    order = [(dealer + 1 + k) % 3 for k in range(3)]
    for seat, card in zip(order, ("KC", "QC", "6C"), strict=True):
        hands[seat] = card
    # The king and the queen take nothing; the six takes the queen for fifteen.
    state = position("/".join(hands), "4D", rules="cirulla players=3", dealer=dealer,
                     stock="AHADAC2H2D2C3H3D3C")
    for seat, card in zip(order, ("KC", "QC"), strict=False):
        assert state.turn == seat
        state = state.apply(card)
    assert (state.turn, state.round) == (dealer, 3)
    state = state.apply("6CxQC")
    assert (state.turn, state.round) == ((dealer + 1) % 3, 4)


def test_the_next_round_is_dealt_and_the_table_stays() -> None:
    """One card at a time, the seat after the dealer first."""
    state = position("KC/QS", "4D", stock="AHADAC2H2D2C").play("KC", "QS")
    assert state.table == ("4D", "QS", "KC")
    assert state.hands == (("AH", "AC", "2D"), ("AD", "2H", "2C"))
    assert (state.stock_count, state.round, state.turn, state.phase) == (0, 6, 0, "play")


# --- every small table ----------------------------------------------------------------

EVERY = [
    "cirulla", "cirulla-wikipedia", "cirulla-pigliatutto", "scopa", "asso-piglia-tutto",
    "scopa-15", "cirulla capture_choice=fewest must_capture=no",
]


@pytest.mark.parametrize("text", EVERY)
def test_every_table_of_up_to_four_cards(text: str) -> None:
    """Every multiset of values, in any suits, against one card of each value."""
    text = f"{text} claim=no"
    rules = rules_of(f"rules={text}")
    options = options_of(rules)
    random = Random(text)
    fields = position("KC/QS", rules=text).position.fields()
    for size in range(5):
        for ranks in combinations_with_replacement(reference.RANKS, size):
            table: list[str] = []
            hand = []
            for rank in reference.RANKS:
                suits = random.sample(reference.SUITS, 4)
                table += [rank + suit for suit in suits[:ranks.count(rank)]]
                hand += [rank + suit for suit in suits[ranks.count(rank):][:1]]
            captures = reference.Captures(options, table, None)
            expected = {
                f"{card}x{reference.joined(cards)}"
                for card in hand for cards in captures.of(reference.value(card))
            }
            expected |= {
                card for card in hand
                if not options["must_capture"] or not captures.of(reference.value(card))
            }
            cards = [(set_of("".join(hand)), 0), (0, 0)]
            state = FishingPosition(rules.table, fields | {
                "table": set_of("".join(table)), "hands": cards, "taken": [0, 0]})
            plays = {action_text(code) for code in state.legal()}
            assert plays == expected, reference.joined(table)


@pytest.mark.parametrize("text", EVERY)
def test_large_tables_by_the_search(text: str) -> None:
    """Tables that no look-up holds, one played card at a time, also at a declared value."""
    rules = rules_of(f"rules={text}")
    options = options_of(rules)
    random = Random(text)
    for size in range(14):
        card, *table = random.sample(reference.DECK, size + 1)
        captures = reference.Captures(options, table, None)
        for v in range(1, 11):
            found = rules.table.captures(set_of("".join(table)), parse_card(card), v)
            assert len(set(found)) == len(found)
            assert {text_of(cards) for cards in found} == {
                reference.joined(cards) for cards in captures.of(v)}
        assert rules.table.captures(set_of("".join(table)), parse_card(card)) == (
            rules.table.captures(set_of("".join(table)), parse_card(card), reference.value(card)))
