"""Cards and sets of cards as text (rules, section 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cirulla_ai._core.cards import (
    card_name,
    indices,
    parse_card,
    parse_sequence,
    set_of,
    text_of,
)

CARDS = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]
SETS = st.sets(st.sampled_from(CARDS))


def test_forty_cards_in_canonical_order() -> None:
    """By rank, A first, then by suit in the order H, D, C, S."""
    assert [card_name(i) for i in range(40)] == CARDS
    assert [parse_card(card) for card in CARDS] == list(range(40))


def test_sets_are_written_in_canonical_order() -> None:
    assert text_of(set_of("3S3HAD")) == "AD3H3S"
    assert text_of(set_of("KDQDJD7D")) == "7DJDQDKD"
    assert text_of(set_of("5S5C5D5H")) == "5H5D5C5S"


def test_either_letter_case_is_read() -> None:
    assert set_of("3s3hAd") == set_of("3S3HAD")
    assert parse_card("jc") == parse_card("JC")


@pytest.mark.parametrize("text", ["", "-"])
def test_the_empty_set(text: str) -> None:
    assert set_of(text) == 0
    assert text_of(0) == ""
    assert indices(0) == []


def test_a_sequence_keeps_its_order() -> None:
    assert [card_name(i) for i in parse_sequence("KS7HAD")] == ["KS", "7H", "AD"]


@given(SETS, st.randoms(use_true_random=False))
def test_sets_round_trip_in_any_order(cards: set[str], random: object) -> None:
    shuffled = sorted(cards)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert text_of(set_of("".join(shuffled))) == "".join(sorted(cards, key=CARDS.index))
    assert [card_name(i) for i in indices(set_of("".join(shuffled)))] == sorted(
        cards, key=CARDS.index)


@pytest.mark.parametrize(
    "text",
    [
        "8H", "10H", "1H", "7X", "H7", "7", "", "77", "7♥", " 7H", "7H ",
        "7ſ",  # a letter whose upper case is S
    ],
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_card(text)
    assert repr(text) in str(refused.value)
    assert "7H" in str(refused.value), "says what a card looks like"


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="3S stands twice"):
        set_of("3SAD3s")


def test_half_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="AD3"):
        set_of("AD3")


@pytest.mark.parametrize("index", [-1, 40])
def test_there_are_just_forty(index: int) -> None:
    with pytest.raises(ValueError, match=str(index)):
        card_name(index)


def test_a_set_of_more_than_forty_is_refused() -> None:
    with pytest.raises(ValueError, match="forty"):
        text_of(1 << 40)
