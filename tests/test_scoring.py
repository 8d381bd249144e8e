"""The end of a smazzata and its points (rules, section 3.4)."""

from __future__ import annotations

from typing import Any

import pytest
from support.handmade import DECK, finished, key, moves, others, position

from cirulla_ai import State

ITEMS = ("scopa", "cards", "diamonds", "settebello", "primiera", "piccola", "grande", "cappotto")
DIAMONDS = "".join(rank + "D" for rank in "A234567JQK")


def item(state: State, name: str) -> tuple[int, ...]:
    """One item's points, a side."""
    return tuple(getattr(points, name) for points in state.points())


# --- the end --------------------------------------------------------------------------

def test_it_ends_when_hands_and_stock_are_empty() -> None:
    state = position("KC/QS", "4D").apply("KC")
    assert not state.is_over
    state = state.apply("QS")
    assert (state.is_over, state.phase, state.turn, state.hands) == (True, "done", None, ((), ()))
    assert moves(state) == []


def test_the_cards_left_go_to_the_side_that_captured_last() -> None:
    state = position("-/4S", "2HJD", turn=1, last=0, scopa="3/2")
    after = state.apply("4S")
    assert set(after.taken[0]) - set(state.taken[0]) == {"2H", "4S", "JD"}
    assert after.taken[1] == state.taken[1]
    assert (after.table, key(after, "scopa")) == ((), "3/2"), "this is no scopa"


def test_the_last_card_can_be_that_capture() -> None:
    state = position("-/4S", "2H4D", turn=1, last=0)
    after = state.apply("4Sx4D")
    assert set(after.taken[1]) - set(state.taken[1]) == {"2H", "4D", "4S"}


def test_if_nobody_ever_captured_they_go_to_nobody() -> None:
    state = position("-/4S", "2HJD", turn=1)
    after = state.apply("4S")
    assert (after.table, after.taken, after.phase) == (("2H", "4S", "JD"), state.taken, "done")


# --- one point each -------------------------------------------------------------------

def test_scopas_count_one_each() -> None:
    state = finished("AH", "2H", scopa="3/13")
    assert item(state, "scopa") == (3, 13)


def test_cards_go_to_the_side_with_more() -> None:
    assert item(finished("AH2H3H", "AC2C"), "cards") == (1, 0)
    assert item(finished("AH2H", "AC2C3C"), "cards") == (0, 1)
    assert item(finished("AH2H", "AC2C"), "cards") == (0, 0), "not when both have as many"
    half = "".join(DECK[0:40:2]), "".join(DECK[1:40:2])
    assert item(finished(*half, table="-"), "cards") == (0, 0), "twenty each"


def test_diamonds_go_to_the_side_with_more() -> None:
    assert item(finished("4D5D", "JD7H7C7S"), "diamonds") == (1, 0)
    assert item(finished("4D5D", "JDKD"), "diamonds") == (0, 0)
    assert item(finished("AH", "2H"), "diamonds") == (0, 0)


@pytest.mark.parametrize(
    ("taken", "winner"),
    [
        (("AH2H", "AC", "AS"), 0), (("AC", "AH2H", "AS"), 1), (("AC", "AS", "AH2H"), 2),
        (("AH2H", "AC2C", "AS"), None), (("AH2H", "AC", "AS2S"), None),
        (("AH", "AC2C", "AS2S"), None), (("AH", "AC", "AS"), None),
    ],
)
def test_three_sides_need_more_than_every_other(
    taken: tuple[str, ...], winner: int | None
) -> None:
    state = finished(*taken, rules="cirulla players=3")
    assert item(state, "cards") == tuple(int(side == winner) for side in range(3))


def test_the_sette_bello_is_the_seven_of_diamonds() -> None:
    assert item(finished("7D", "7H7C7S"), "settebello") == (1, 0)
    assert item(finished("AH", "7H7C7S"), "settebello") == (0, 0)


def test_what_each_is_worth_is_an_option() -> None:
    rules = "cirulla points_cards=2 points_diamonds=3 points_settebello=4 points_primiera=5"
    state = finished("7D7H7C7S", "AD", rules=rules)
    assert [item(state, name)[0] for name in ("cards", "diamonds", "settebello", "primiera")] == [
        2, 0, 4, 5]
    assert item(finished("7D6D", "AD", rules=rules), "diamonds")[0] == 3
    rules = "cirulla points_cards=0 points_diamonds=0 points_settebello=0 points_primiera=0"
    assert finished("7D7H7C7S6D", "AD", rules=rules).points()[0].total == 0


# --- primiera -------------------------------------------------------------------------

def primiera(first: str, second: str) -> tuple[int, ...]:
    """The primiera's points, a side, for these taken cards."""
    return item(finished(first, second), "primiera")


@pytest.mark.parametrize(
    ("better", "worse"), ["76", "6A", "A5", "54", "43", "32", "2J", "7K", "AQ"])
def test_the_order_of_ranks(better: str, worse: str) -> None:
    """Seven, six, ace, five, four, three, two, and the court cards below them."""
    first, second = f"{better}HJDJCJS", f"{worse}HQDQCQS"
    assert primiera(first, second) == (1, 0)
    assert primiera(second, first) == (0, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("JHJDJCJS", "QHQDQCQS"),    # 10 each
        ("JHJDJCJS", "KHKDKCKS"),
        ("7HJDJCJS", "3H6DQCQS"),    # 21 + 10 = 13 + 18
        ("5H5DJCJS", "2H6DQCQS"),    # 15 + 15 = 12 + 18
        ("AH4DJCJS", "5H5DQCQS"),    # 16 + 14 = 15 + 15
        ("6H6DJCJS", "7H5DQCQS"),    # 18 + 18 = 21 + 15
        ("4H4DJCJS", "2HADQCQS"),    # 14 + 14 = 12 + 16
    ],
)
def test_equal_primes_score_for_nobody(first: str, second: str) -> None:
    assert primiera(first, second) == (0, 0)


def test_the_best_card_of_each_suit_counts() -> None:
    assert primiera("5H6H7HJDJCJS", "QH6D7CQS") == (0, 1), "51 against 59"
    assert primiera("7HAD2D3DJCJS", "6H5DQCQS") == (1, 0), "57 against 53"


def test_a_side_that_lacks_a_suit_has_no_prime() -> None:
    assert primiera("7H7D7C6H6D6C", "JHJDJCJS") == (0, 1), "the only one that has one scores"
    assert primiera("7H7D7C", "6H6D6S") == (0, 0)
    assert primiera("", "JHJDJCJS") == (0, 1)


def test_three_sides_with_primes() -> None:
    rules = "cirulla players=3"
    assert item(finished("7H7D7C7S", "6H6D6C6S", "AHADACAS", rules=rules), "primiera") == (1, 0, 0)
    assert item(finished("JHJDJCJS", "QHQDQCQS", "AHAD", rules=rules), "primiera") == (0, 0, 0)
    assert item(finished("JHJDJC", "QHQDQC", "KHKDKCKS", rules=rules), "primiera") == (0, 0, 1)


# --- piccola and grande ---------------------------------------------------------------

@pytest.mark.parametrize(
    ("ranks", "most", "points"),
    [
        ("A23", 6, 3), ("A234", 6, 4), ("A2345", 6, 5), ("A23456", 6, 6), ("A234567", 6, 6),
        ("A234567", 10, 7), ("A234567J", 10, 8), ("A234567JQ", 10, 9), ("A23456", 5, 5),
        ("A2345", 3, 3), ("A235", 6, 3), ("A2356", 6, 3), ("A2", 6, 0), ("A24", 6, 0),
        ("234567", 6, 0), ("A3456", 6, 0), ("A23456", 0, 0),
    ],
)
def test_piccola(ranks: str, most: int, points: int) -> None:
    """Ace, two and three of diamonds, and each next one as far as it counts."""
    taken = "".join(rank + "D" for rank in ranks)
    state = finished(taken, "AH", rules=f"cirulla piccola_max={most}")
    assert item(state, "piccola") == (points, 0)


def test_piccola_is_of_diamonds_alone() -> None:
    assert item(finished("AH2H3HAC2C3C", "AS"), "piccola") == (0, 0)


def test_piccola_of_all_ten() -> None:
    state = finished(DIAMONDS, "AH", rules="cirulla piccola_max=10 cappotto=no")
    assert item(state, "piccola") == (10, 0)


@pytest.mark.parametrize(
    ("ranks", "rules", "points"),
    [
        ("JQK", "", 5), ("JQ", "", 0), ("QK", "", 0), ("7JQ", "", 0), ("67JQK", "", 5),
        ("JQK", "grande=3", 3), ("JQK", "grande=0", 0), ("67JQK", "grande=0 grande_extend=yes", 0),
        ("JQK", "grande_extend=yes", 5), ("7JQK", "grande_extend=yes", 6),
        ("67JQK", "grande_extend=yes", 7), ("6JQK", "grande_extend=yes", 5),
        ("567JQK", "grande_extend=yes", 7), ("67JQ", "grande_extend=yes", 0),
        ("67JQK", "grande=30 grande_extend=yes", 32),
    ],
)
def test_grande(ranks: str, rules: str, points: int) -> None:
    """The court cards of diamonds, extended by the seven and then the six."""
    taken = "".join(rank + "D" for rank in ranks)
    assert item(finished("AH", taken, rules=f"cirulla {rules}".strip()), "grande") == (0, points)


# --- cappotto -------------------------------------------------------------------------

def near_cappotto(rules: str = "cirulla", **keys: Any) -> State:
    """Side 0 has nine diamonds, the king of diamonds lies on the table."""
    hands, table, own = "KCKH/JSQS", "5SKD", DIAMONDS.replace("KD", "")
    return position(hands, table, rules=rules,
                    taken=f"{own}/{''.join(others(hands, table, own))}", **keys)


def test_ten_diamonds_win_the_match_at_once() -> None:
    """Hands and table stay as they are, and so do the points of the taken cards."""
    before = near_cappotto(scores="3/50")
    after = before.apply("KCxKD")
    assert (after.won, after.phase, after.turn) == (0, "done", None)
    assert (after.hands, after.table) == ((("KH",), ("JS", "QS")), ("5S",))
    assert after.match_winner() == 0
    assert after.points()[1] == before.points()[1]
    assert item(after, "cappotto")[0] == 0
    assert State.parse(str(after)) == after


def test_it_wins_whatever_the_scores() -> None:
    state = near_cappotto(scores="0/1000", scopa="0/99").apply("KCxKD")
    assert state.match_scores()[1] > state.match_scores()[0]
    assert state.match_winner() == 0


def test_the_tenth_diamond_among_the_cards_left() -> None:
    """The side that captured last gets it, when all is over."""
    own = DIAMONDS.replace("2D", "")
    rest = "".join(others("QC2DKH", own))
    for last, won in ((0, 0), (1, None)):
        state = position("-/QC", "2DKH", turn=1, taken=f"{own}/{rest}", last=last).apply("QC")
        assert (state.won, state.phase) == (won, "done")
        assert len(state.taken[last]) == len((own, rest)[last]) // 2 + 3


def test_a_number_is_points_in_addition() -> None:
    state = near_cappotto("cirulla cappotto=7").apply("KCxKD")
    assert (state.won, state.is_over) == (None, False), "play goes on"
    assert item(state, "cappotto") == (7, 0)
    points = state.points()[0]
    assert points.total == sum(getattr(points, name) for name in ITEMS)
    assert [item(state, name)[0] for name in ("piccola", "grande", "settebello")] == [6, 5, 1]


def test_no_cappotto_is_nothing_special() -> None:
    state = near_cappotto("cirulla cappotto=no").apply("KCxKD")
    assert (state.won, state.is_over, item(state, "cappotto")) == (None, False, (0, 0))


def test_nine_diamonds_are_none() -> None:
    state = near_cappotto("cirulla cappotto=7")
    assert item(state, "cappotto") == (0, 0)


def test_a_pair_has_them_together() -> None:
    hands, table, own = "QC/KC/JC/6S", "2HKD", DIAMONDS.replace("KD", "")
    state = position(hands, table, rules="cirulla-luzzati",
                     taken=f"{''.join(others(hands, table, own))}/{own}")
    assert state.play("QC", "KCxKD").won == 1, "whoever of the two takes the tenth"


# --- the matta is what is printed on it -----------------------------------------------

def test_the_matta_scores_as_printed() -> None:
    state = finished("7DJHJCJS", "6D6H6C6S", rules="cirulla matta=7D")
    assert item(state, "settebello") == (1, 0)
    assert item(state, "primiera") == (0, 1), "51 against 72"
    assert item(finished("AD2D7H", "AH", rules="cirulla"), "piccola") == (0, 0)


# --- all together ---------------------------------------------------------------------

def test_a_whole_smazzata() -> None:
    """Side 0 took the hearts and diamonds, side 1 the clubs and spades."""
    state = finished(
        "".join(c for c in DECK if c[1] in "HD" and c != "KD"),
        "".join(c for c in DECK if c[1] in "CS") + "KD", scopa="2/4", scores="10/20", table="-",
        last=1)
    first, second = state.points()
    # 19 cards and 21; nine diamonds and one; no prime on either side: each lacks suits.
    assert [getattr(first, name) for name in ITEMS] == [2, 0, 1, 1, 0, 6, 0, 0]
    assert [getattr(second, name) for name in ITEMS] == [4, 1, 0, 0, 0, 0, 0, 0]
    assert (first.total, second.total) == (10, 5)
    assert state.match_scores() == (20, 25)
    assert state.match_winner() is None
