"""Dealing and the first table (rules, section 3.1)."""

from __future__ import annotations

import pytest
from support.handmade import DECK, cards_of, key, pack

from cirulla_ai import MisdealError, State, StateError
from cirulla_ai.rules import Rules

ORDERED = "".join(DECK)


def dealt(table: str, rules: str = "cirulla", **more: object) -> State:
    """The state after a deal with this first table, by the last seat."""
    return State.deal(rules, pack=pack(table, rules=rules), **more)  # type: ignore[arg-type]


def is_misdeal(table: str, rules: str = "cirulla", **more: object) -> bool:
    """Whether this first table has to be dealt again."""
    try:
        dealt(table, rules, **more)
    except MisdealError:
        return True
    return False


# --- the order ------------------------------------------------------------------------

def test_one_card_at_a_time_from_the_seat_after_the_dealer() -> None:
    state = State.deal("cirulla misdeal_aces=0", dealer=1, pack=ORDERED)
    assert state.hands == (("AH", "AC", "2H"), ("AD", "AS", "2D"))
    assert state.table == ("2C", "2S", "3H", "3D")
    assert key(state, "stock") == ORDERED[20:]
    assert (state.turn, state.round, state.phase, state.viewer) == (0, 1, "play", None)


def test_the_dealer_is_dealt_last() -> None:
    state = State.deal("cirulla misdeal_aces=0", dealer=0, pack=ORDERED)
    assert state.hands == (("AD", "AS", "2D"), ("AH", "AC", "2H"))
    assert state.turn == 1


def test_the_order_goes_round_the_seats() -> None:
    state = State.deal("cirulla players=3", dealer=1, pack=ORDERED)
    assert state.hands == (("AD", "2H", "2S"), ("AC", "2D", "3H"), ("AH", "AS", "2C"))
    assert state.turn == 2


def test_as_many_cards_as_the_first_round_has() -> None:
    # The four sevens on the table are 28; with a wild matta they would be thirty.
    state = State.deal("cirullone matta_table=no", pack=ORDERED)
    assert [len(hand) for hand in state.hands] == [6] * 4
    assert state.hands[0] == tuple(DECK[0:24:4])
    assert (len(state.table), state.stock_count) == (4, 12)


def test_the_table_may_be_empty() -> None:
    state = State.deal("scopone-scientifico", pack=ORDERED)
    assert [len(hand) for hand in state.hands] == [10] * 4
    assert (state.table, state.stock_count) == ((), 0)


def test_the_last_seat_deals_unless_told_otherwise() -> None:
    assert (State.deal("cirulla", seed=1).dealer, State.deal("cirulla", seed=1).turn) == (1, 0)
    assert State.deal("cirullone", seed=1).dealer == 3


# --- four of a rank -------------------------------------------------------------------

def test_four_of_a_rank_wins_the_match_for_the_dealers_side() -> None:
    state = dealt("5H5D5C5S", "cirulla table_four=natural")
    assert (state.won, state.is_over, state.turn) == (1, True, None)
    assert state.match_winner() == 1
    assert state.table == ("5H", "5D", "5C", "5S")
    assert dealt("5H5D5C5S").won is None, "where it is not played"


def test_in_pairs_it_is_the_side_of_the_dealer() -> None:
    rules = "cirulla players=4 table_four=natural"
    for dealer in range(4):
        cards = pack("5H5D5C5S", rules=rules, dealer=dealer)
        assert State.deal(rules, pack=cards, dealer=dealer).won == dealer % 2


def test_three_of_a_rank_and_the_matta_win_too_where_played() -> None:
    assert dealt("5H5D5C7H", "cirulla table_four=win").won == 1
    assert dealt("5H5D5C7H", "cirulla table_four=natural").won is None
    assert dealt("5H5D5CJH", "cirulla table_four=win matta=JH").won == 1
    assert dealt("5H5D5C7H", "cirulla table_four=win matta=no").won is None


def test_the_matta_is_no_fourth_of_its_own_three() -> None:
    """7H 7D 7C are three sevens with the matta among them; four sevens are four."""
    assert dealt("7H7D7CKH", "cirulla table_four=win").won is None
    assert dealt("7H7D7C7S", "cirulla table_four=win").won == 1
    assert dealt("7H7D7C7S", "cirulla table_four=natural").won == 1


def test_two_pairs_are_not_four() -> None:
    assert dealt("5H5D6C6S", "cirulla table_four=win").won is None


def test_four_aces_win_before_they_are_a_misdeal() -> None:
    assert dealt("AHADACAS", "cirulla table_four=natural").won == 1
    assert is_misdeal("AHADACAS")


def test_four_are_found_on_a_larger_table() -> None:
    rules = "cirulla table_size=10 table_four=natural"
    assert dealt("5H5D5C5SKHKDQHQDJHJD", rules).won == 1


# --- misdeals -------------------------------------------------------------------------

def test_two_aces_are_a_misdeal() -> None:
    assert is_misdeal("AHAD5CKS")
    assert not is_misdeal("AH2D5CKS")


def test_how_many_aces_is_an_option() -> None:
    assert not is_misdeal("AHAD5CKS", "cirulla misdeal_aces=3")
    assert is_misdeal("AHADACKS", "cirulla misdeal_aces=3")
    assert is_misdeal("AH2D5CKS", "cirulla misdeal_aces=1")
    assert not is_misdeal("AHADACAS", "cirulla misdeal_aces=0")


def test_three_of_a_rank_are_a_misdeal_where_played() -> None:
    rules = "cirulla misdeal_three=yes"
    assert is_misdeal("KHKDKC2S", rules)
    assert is_misdeal("KHKDKCKS", rules), "or more"
    assert not is_misdeal("KHKD2C2S", rules)
    assert not is_misdeal("KHKDKC2S")


def test_in_a_misdeal_the_matta_is_what_is_printed_on_it() -> None:
    assert is_misdeal("AHAD5CKS", "cirulla matta=AH")
    assert is_misdeal("7H7D7CKS", "cirulla misdeal_three=yes")
    assert not is_misdeal("5D5C7HKS", "cirulla misdeal_three=yes")
    assert not is_misdeal("AD5C7HKS")


def test_the_error_says_what_to_do() -> None:
    with pytest.raises(MisdealError, match=r"misdeal.*rules=cirulla.*deal again"):
        dealt("AHAD5CKS")


def test_the_nth_misdeal_in_a_row_loses_the_match() -> None:
    """For the dealer's side; the number is that before this deal."""
    rules = "cirulla misdeal_loss=3"
    assert is_misdeal("AHAD5CKS", rules)
    assert is_misdeal("AHAD5CKS", rules, misdeals=1)
    state = dealt("AHAD5CKS", rules, misdeals=2)
    assert (state.won, state.is_over, state.misdeals) == (0, True, 2)
    assert state.match_winner() == 0
    assert State.parse(str(state)) == state
    assert dealt("AHAD5CKS", "cirulla misdeal_loss=1").won == 0
    assert is_misdeal("AHAD5CKS", misdeals=9), "never, with 0"


def test_in_pairs_the_other_pair_wins_by_it() -> None:
    rules = "cirulla-luzzati misdeal_loss=1"
    for dealer in range(4):
        state = State.deal(rules, dealer=dealer, pack=pack("KHKDKC2S", rules=rules, dealer=dealer))
        assert state.won == 1 - dealer % 2


def test_a_good_deal_after_misdeals_is_played() -> None:
    state = dealt("KH6D5CKS", "cirulla misdeal_loss=3", misdeals=2)
    assert (state.won, state.misdeals) == (None, 2)


# --- the dealer's bonus ---------------------------------------------------------------

@pytest.mark.parametrize(
    ("table", "rules", "bonus"),
    [
        ("AH2D5C7S", "cirulla", 1),                       # 15
        ("KHKC7D3S", "cirulla", 2),                       # 30
        ("AH2D5CJS", "cirulla", 0),                       # 16
        ("AH2D5C6S", "cirulla", 0),                       # 14
        ("AH2D5CJC", "cirulla", 0),
        ("AH2C2D4S", "cirulla", 0),                       # 9, for which there is nothing here
        ("AH2C2D4S", "cirulla bonus_9=1", 1),
        ("AH2C2D3S", "cirulla bonus_9=4", 4),             # 8
        ("AH2C2D5S", "cirulla bonus_9=1", 0),             # 10
        ("AH2D5C7S", "cirulla bonus_15=7", 7),
        ("AH2D5C7S", "cirulla bonus_15=0", 0),
        ("KHKC7D3S", "cirulla bonus_30=0", 0),
        ("AH2D5C7S", "cirulla-spezia", 0),
        ("AH2C2D4S", "cirulla-spezia", 1),
        # The matta 7H as five, as ten, as four or less.
        ("2D3C5S7H", "cirulla", 1),
        ("AHQDKC7H", "cirulla", 2),
        ("2D3C5S7H", "cirulla matta_table=no", 0),        # 17 as printed
        ("AHQDKC7H", "cirulla matta_table=no", 0),        # 27
        ("2D3C5S7H", "cirulla matta=no", 0),
        ("AH2D2C7H", "cirulla bonus_9=3", 3),             # 9 with four, 15 with ten: the larger
        ("AH2D2C7H", "cirulla bonus_9=1 bonus_15=5", 5),
        ("AH2D2C7H", "cirulla bonus_9=1", 1),
        ("AH2D2C7H", "cirulla-wikipedia", 0),             # 12, the matta is not wild there
    ],
)
def test_the_dealers_bonus(table: str, rules: str, bonus: int) -> None:
    state = dealt(table, rules)
    assert key(state, "scopa") == f"0/{bonus}"
    cards = tuple(sorted(cards_of(table), key=DECK.index))
    if bonus:
        assert (state.table, state.taken, key(state, "last")) == ((), ((), cards), "1")
    else:
        assert (state.table, state.taken, key(state, "last")) == (cards, ((), ()), "-")


def test_the_bonus_of_a_printed_sum_needs_no_wild_matta() -> None:
    assert key(dealt("AH2D5C7H", "cirulla matta_table=no"), "scopa") == "0/1"


def test_an_empty_table_has_no_bonus() -> None:
    state = State.deal("scopone-scientifico bonus_9=5", pack=ORDERED)
    assert key(state, "scopa") == "0/0"
    assert key(state, "last") == "-"


def test_the_bonus_is_the_dealers_sides() -> None:
    rules = "cirulla players=4"
    for dealer in range(4):
        cards = pack("AH2D5C7S", rules=rules, dealer=dealer)
        state = State.deal(rules, dealer=dealer, pack=cards)
        assert key(state, "scopa") == ("1/0" if dealer % 2 == 0 else "0/1")
    state = dealt("AH2D5C7S", "cirulla players=3")
    assert key(state, "scopa") == "0/0/1"


def test_a_misdeal_goes_before_a_bonus() -> None:
    assert is_misdeal("AHAD6C7S"), "fifteen with two aces"
    assert not is_misdeal("AHAD6C7S", "cirulla misdeal_first=no")
    assert key(dealt("AHAD6C7S", "cirulla misdeal_first=no"), "scopa") == "0/1"


def test_without_a_bonus_it_is_a_misdeal_in_any_order() -> None:
    assert is_misdeal("AHAD6C2S", "cirulla misdeal_first=no")
    assert is_misdeal("AHAD6C7S", "cirulla misdeal_first=no bonus_15=0"), "0 is no bonus"


def test_the_matta_can_save_a_misdeal_by_a_bonus() -> None:
    """Two aces and a three make fifteen with the matta as a ten."""
    assert not is_misdeal("AHAD3C7H", "cirulla misdeal_first=no")
    assert is_misdeal("AHAD3C7H", "cirulla misdeal_first=no matta_table=no")


def test_the_bonus_is_a_capture_for_the_cards_left_at_the_end() -> None:
    """Where nobody captures after it, the dealer's side gets all that is laid."""
    rules = "cirulla capture_equal=no capture_sum=no capture_15=no ace_sweep=no claim=no"
    state = dealt("AH2D5C7S", rules)
    while not state.is_over:
        state = state.apply(state.legal_actions()[0])
    assert (len(state.taken[0]), len(state.taken[1]), state.table) == (0, 40, ())


# --- what can be asked for ------------------------------------------------------------

def test_a_seed_shuffles_the_same_everywhere() -> None:
    assert State.deal("cirulla", seed=7) == State.deal(Rules("cirulla"), seed=7)
    assert State.deal("cirulla", seed=7) != State.deal("cirulla", seed=8)
    assert State.deal("cirulla") != State.deal("cirulla"), "none given: a new one each time"


def test_a_seed_deals_again_after_misdeals_and_counts_them() -> None:
    states = [State.deal("cirulla misdeal_aces=1", seed=seed) for seed in range(60)]
    assert not any(card[0] == "A" for state in states for card in state.table)
    counts = [state.misdeals for state in states]
    assert 0 in counts
    assert max(counts) >= 2
    assert State.deal("cirulla", seed=0, misdeals=5).misdeals >= 5


def test_a_seed_can_lose_by_misdeals_too() -> None:
    states = [State.deal("cirulla misdeal_aces=1 misdeal_loss=1", seed=s) for s in range(40)]
    lost = [state for state in states if state.won is not None]
    assert 0 < len(lost) < 40
    for state in lost:
        assert (state.won, state.misdeals) == (0, 0)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_seeds_in_range(seed: int) -> None:
    assert State.deal("cirulla", seed=seed).phase == "play"


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(StateError, match=f"seed: {seed}"):
        State.deal("cirulla", seed=seed)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (ORDERED[:-2], "39 cards"), (ORDERED + "AH", "41 cards"), (ORDERED[:-2] + "AH", "KS"),
        (ORDERED[:-1], "two letters"), ("", "0 cards"), ("8H" + ORDERED[2:], "8H"),
        (ORDERED[:-2] + "?1", r"\?1"),
    ],
)
def test_a_pack_is_the_forty_cards(cards: str, said: str) -> None:
    with pytest.raises(StateError, match=f"pack: .*{said}"):
        State.deal("cirulla", pack=cards)


def test_a_pack_may_be_a_list_of_cards_in_any_letter_case() -> None:
    rules = "cirulla misdeal_aces=0"
    expected = State.deal(rules, pack=ORDERED)
    assert State.deal(rules, pack=DECK) == expected
    assert State.deal(rules, pack=ORDERED.lower()) == expected


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"dealer": 2}, "dealer: 2"), ({"dealer": -1}, "dealer: -1"),
        ({"scores": [0]}, "scores: 1 of them"), ({"scores": [0, 0, 0]}, "scores: 3 of them"),
        ({"scores": [0, -1]}, "scores: -1"), ({"misdeals": -1}, "misdeals: -1"),
        ({"seed": 1, "pack": ORDERED}, "seed"),
    ],
)
def test_what_cannot_be_dealt_is_refused(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(StateError, match=named):
        State.deal("cirulla", **arguments)  # type: ignore[arg-type]


def test_scores_and_misdeals_are_carried_along() -> None:
    state = State.deal("cirulla", seed=3, scores=[12, 7])
    assert state.scores == (12, 7)
    assert state.match_scores() == tuple(
        before + points.total for before, points in zip((12, 7), state.points(), strict=True))
