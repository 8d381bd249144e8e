"""Claims and the matta in them (rules, section 3.3)."""

from __future__ import annotations

import pytest
from support.handmade import key, moves, position

from cirulla_ai import ActionError, State

# Hands that can claim nothing, for the seats that an example is not about.
QUIET = "KSQSJS", "KCQCJC", "6S5S4S"

# Where no card takes anything, so that an example may play any.
LAYING = "capture_equal=no capture_sum=no capture_15=no ace_sweep=no"

# A last round of six cards, as in the six-card games.
SIX = f"cirulla rounds=3,3,6,6 {LAYING}"


def first_to_move(hand: str, rules: str) -> State:
    """A seat with this hand begins the last round of cirulla."""
    return position(f"{hand}/6S5S4S", rules=f"cirulla {rules}".strip())


def claims_in(state: State) -> list[str]:
    """The claims among the legal actions."""
    return [text for text in moves(state) if text.startswith("!")]


def claims(hand: str, rules: str = "") -> list[str]:
    """The legal claims of a seat with this hand."""
    return claims_in(first_to_move(hand, rules))


def scored(hand: str, claim: str, rules: str = "") -> int:
    """The points that a claim scores at once."""
    state = first_to_move(hand, rules).apply(claim)
    scopas = key(state, "scopa").split("/")
    assert scopas[1] == "0"
    return int(scopas[0])


# --- what a claim is ------------------------------------------------------------------

def test_three_equal() -> None:
    assert claims("5H5D5C") == ["!5H5D5C"]
    assert scored("5H5D5C", "!5H5D5C") == 10
    assert claims("5H5D6C") == []


def test_three_equal_of_each_rank_may_have_points_of_its_own() -> None:
    rules = "claim_three=13,16,19,10,10,10,10,10,10,0"
    assert scored("AHADAC", "!AHADAC", rules) == 13
    assert scored("2H2D2C", "!2H2D2C", rules) == 16
    assert scored("4H4D4C", "!4H4D4C", rules) == 10
    assert scored("QHQDQC", "!QHQDQC", rules) == 10
    assert claims("KHKCKS", rules) == [], "no points, no claim"


def test_low_is_nine_or_less() -> None:
    assert claims("AH2D6C") == ["!AH2D6C"]
    assert scored("AH2D6C", "!AH2D6C") == 3
    assert claims("AH2D7C") == []
    assert claims("AH2D6C", "claim_low=0") == []


def test_the_largest_points_apply() -> None:
    """Three aces are three equal and low."""
    assert scored("AHADAC", "!AHADAC") == 10
    assert scored("AHADAC", "!AHADAC", "claim_three=2") == 3
    assert scored("AHADAC", "!AHADAC", "claim_three=0") == 3


def test_royal_is_the_three_court_cards_of_diamonds() -> None:
    assert claims("JDQDKD", "claim_royal=25") == ["!JDQDKD"]
    assert scored("JDQDKD", "!JDQDKD", "claim_royal=25") == 25
    assert claims("JDQDKD") == []
    assert claims("JHQDKD", "claim_royal=25") == []


def test_royal_is_as_printed() -> None:
    """The matta can't stand in for one of them, but one of them may be the matta."""
    assert claims("7HJDQD", "claim_royal=25") == []
    assert claims("JDQDKD", "claim_royal=25 matta=QD") == sorted(
        f"!JDQDKD={v}" for v in range(1, 11)), "whatever it stands for"
    assert scored("JDQDKD", "!JDQDKD=4", "claim_royal=25 matta=QD") == 25


def test_the_matta_is_declared_as_one_value() -> None:
    assert claims("5D5C7H") == ["!5D5C7H=5"]
    assert scored("5D5C7H", "!5D5C7H=5") == 10


def test_each_scoring_value_is_an_action_of_its_own() -> None:
    assert claims("3C4D7H") == ["!3C4D7H=1", "!3C4D7H=2"]
    assert claims("ADAC7H") == [f"!ADAC7H={v}" for v in range(1, 8)]
    assert scored("ADAC7H", "!ADAC7H=1") == 10, "three aces"
    assert scored("ADAC7H", "!ADAC7H=2") == 3
    assert claims("5D6C7H") == [], "eleven without it"


def test_the_matta_stands_for_court_cards_too() -> None:
    assert claims("JDJC7H") == ["!7HJDJC=8"]
    assert claims("KHKC7H") == ["!7HKHKC=10"]


def test_a_claim_must_declare_the_matta_and_nothing_else() -> None:
    state = position("3C4D7H/KSQSJS", "KD")
    for text in ("!3C4D7H", "!3C4D7H=3"):
        with pytest.raises(ActionError):
            state.apply(text)
    with pytest.raises(ActionError):
        position("AH2D6C/KSQSJS", "KD").apply("!AH2D6C=1")


def test_the_matta_may_be_another_card_or_none() -> None:
    assert claims("2D3C7H", "matta=no") == []
    assert claims("2D3C7H") == [f"!2D3C7H={v}" for v in range(1, 5)]
    assert claims("QH5D5C", "matta=QH") == ["!5D5CQH=5"]
    assert claims("QH5D5C") == []


def test_claims_may_be_none_at_all() -> None:
    assert claims("AHADAC", "claim=no") == []


# --- what a claim shows ---------------------------------------------------------------

def test_the_cards_stay_face_up() -> None:
    state = position("AH2D6C/KSQSJS", "KD").apply("!AH2D6C")
    assert (state.turn, state.phase) == (0, "play"), "the seat that claims plays after it"
    assert state.shown == (("AH", "2D", "6C"), ())
    assert key(state, "claimed") == "1/0"
    assert state.view(1).hands[0] == ("AH", "2D", "6C")
    state = state.apply("2D")
    assert state.view(1).hands[0] == ("AH", "6C")
    assert state.shown == (("AH", "6C"), ())


def test_what_is_shown_is_forgotten_with_the_round() -> None:
    state = position("6S/KS", "KD", shown="6S/-", claimed="1/0", stock="AHADAC2H2D2C")
    state = state.play("6S", "KSxKD")
    assert (key(state, "shown"), key(state, "claimed")) == ("-/-", "0/0")


# --- optional and mandatory -----------------------------------------------------------

def test_optional_claims_may_be_left() -> None:
    assert moves(position("AH2D6C/KSQSJS", "KD")) == ["!AH2D6C", "2D", "6C", "AHxKD"]


def test_mandatory_claims_must_be_made() -> None:
    assert moves(position("AH2D6C/KSQSJS", "KD", rules="cirulla claim=mandatory")) == ["!AH2D6C"]


def test_of_mandatory_claims_those_of_the_most_points() -> None:
    rules = "claim=mandatory"
    assert claims("ADAC7H", rules) == ["!ADAC7H=1"], "ten points, not three"
    assert claims("3C4D7H", rules) == ["!3C4D7H=1", "!3C4D7H=2"], "three points each"
    assert claims("ADAC7H", f"{rules} claim_three=3") == [f"!ADAC7H={v}" for v in range(1, 8)]


def test_three_aces_for_thirty() -> None:
    state = position("ADAC7H/KSQSJS", "KD", rules="cirulla-wikipedia")
    assert moves(state) == ["!ADAC7H=1"]
    assert key(state.apply("!ADAC7H=1"), "scopa") == "30/0"


# --- when: on one's turn --------------------------------------------------------------

def test_a_hand_of_three_claims_on_its_first_turn_alone() -> None:
    assert moves(position("2D6C/KSQS", "KD")) == ["2D", "6C"]
    state = position("AH2D6C/KSQSJS", "KD").play("2D", "KSxKD")
    assert not any("!" in text for text in moves(state))


def test_a_card_is_shown_once() -> None:
    state = position("AHADAC/KSQSJS", "KD").apply("!AHADAC")
    assert moves(state) == ["ACxKD", "ADxKD", "AHxKD"]


def test_the_second_seat_claims_on_its_own_turn() -> None:
    state = position("KSQSJS/AH2D6C", "4D").apply("KS")
    assert moves(state)[0] == "!AH2D6C"
    assert key(state.apply("!AH2D6C"), "scopa") == "0/3"


# --- when: before the round -----------------------------------------------------------

COPPIE = "cirulla-coppie claim_best=no"


def asked(*hands: str, rules: str = COPPIE) -> State:
    """Four seats before the first card of the last round, seat 0 first."""
    return position("/".join(hands), "4H", rules=rules, phase="claim")


def test_each_seat_decides_before_the_first_card() -> None:
    state = asked("KSQSJS", "AHADAC", "KCQCJC", "2H2D5C")
    seen = []
    while state.phase == "claim":
        seen.append((state.turn, moves(state)))
        state = state.apply(moves(state)[0])
    assert seen == [(0, ["pass"]), (1, ["!AHADAC"]), (2, ["pass"]), (3, ["!2H2D5C"])]
    assert (state.phase, state.turn) == ("play", 0)
    assert key(state, "scopa") == "0/13"
    assert not any("!" in text for text in moves(state))


def test_optional_claims_may_be_declined() -> None:
    state = asked("AHADAC", *QUIET, rules=f"{COPPIE} claim=optional")
    assert moves(state) == ["!AHADAC", "pass"]
    after = state.apply("pass")
    assert (after.turn, after.phase, key(after, "claimed")) == (1, "claim", "0/0/0/0")


def test_the_seat_after_the_dealer_is_asked_first() -> None:
    state = position("KSQSJS/KCQCJC/6S5S4S/6C5C4C", "4H", rules=COPPIE, phase="claim", dealer=1)
    order = []
    while state.phase == "claim":
        order.append(state.turn)
        state = state.apply("pass")
    assert order == [2, 3, 0, 1]
    assert state.turn == 2


def test_every_round_asks_again() -> None:
    state = position("6S/KS", rules=f"cirulla claim_time=round {LAYING}", phase="play",
                     stock="AHADAC2H2D2C")
    state = state.play("6S", "KS")
    assert (state.phase, state.turn) == ("claim", 0)
    assert moves(state) == ["!AHAC2D", "pass"]


def test_no_claims_no_questions() -> None:
    state = State.deal("cirulla claim=no claim_time=round", seed=3)
    assert state.phase == "play"


# --- the best claim -------------------------------------------------------------------

def best_of(*hands: str, rules: str = "cirulla-coppie", dealer: int = 3) -> tuple[str, str]:
    """Points per side before the last seat has decided and after, each claiming first."""
    state = position("/".join(hands), "4H", rules=rules, phase="claim", dealer=dealer)
    before = ""
    while state.phase == "claim":
        before = key(state, "scopa")
        state = state.apply(moves(state)[0])
    return before, key(state, "scopa")


def test_only_the_best_claim_scores_when_all_have_decided() -> None:
    assert best_of("AH2D6C", "5H5D5C", "KSQSJS", "KCQCJC") == ("0/0", "0/10")


def test_three_equal_beats_low() -> None:
    """Also a low hand of a lower sum that comes first."""
    assert best_of("AHAC2D", "KHKDKC", *QUIET[::2]) == ("0/0", "0/10")


def test_of_three_equal_the_lower_sum_is_better() -> None:
    assert best_of("6H6D6C", "5H5D5C", "2H2D2C", "KCQCJC") == ("0/0", "10/0")


def test_of_low_hands_the_lower_sum_is_better() -> None:
    assert best_of("AH2D6C", "AD2H5C", "KSQSJS", "KCQCJC") == ("0/0", "0/3"), "nine and eight"


def test_of_equal_sums_the_earlier_seat_is_better() -> None:
    hands = ("AH2D6C", "AD2H6D", "KSQSJS", "KCQCJC")
    assert best_of(*hands) == ("0/0", "3/0")
    assert best_of(*hands, dealer=0) == ("0/0", "0/3"), "seat 1 is asked first"


def test_sums_are_of_effective_values() -> None:
    """The matta as a two makes seven, less than eight."""
    state = position("AH2D5C/AD4D7H/KSQSJS/KCQCJC", "4H", phase="claim",
                     rules="cirulla-coppie")
    assert key(state.play("!AH2D5C", "!AD4D7H=2", "pass", "pass"), "scopa") == "0/3"
    assert key(state.play("!AH2D5C", "!AD4D7H=4", "pass", "pass"), "scopa") == "3/0"


def test_the_matta_makes_three_equal() -> None:
    assert best_of("AHAC2D", "KHKD7H", *QUIET[::2][:1], "5C4C6C") == ("0/0", "0/10")


def test_a_royal_claim_counts_as_three_equal() -> None:
    rules = "cirulla-coppie claim_royal=25"
    assert best_of("AHAC2D", "JDQDKD", "KSQSJS", "KCQCJC", rules=rules) == ("0/0", "0/25")


def test_a_hand_is_judged_by_its_cards_not_by_its_points() -> None:
    """Three fives add up to fifteen, a royal hand to twenty-seven, whatever they score."""
    rules = "cirulla-coppie claim_royal=25"
    assert best_of("JDQDKD", "5H5D5C", "KSQSJS", "KCQCJC", rules=rules) == ("0/0", "0/10")
    # Three twos that score as a low hand are three equal all the same.
    rules = "cirulla-coppie claim_three=0"
    assert best_of("AHAC2D", "2H2C2S", "KSQSJS", "KCQCJC", rules=rules) == ("0/0", "0/3")


def test_the_others_stay_shown() -> None:
    state = position("AH2D6C/5H5D5C/KSQSJS/KCQCJC", "4H", rules="cirulla-coppie", phase="claim")
    state = state.play("!AH2D6C", "!5H5D5C", "pass", "pass")
    assert state.shown[:2] == (("AH", "2D", "6C"), ("5H", "5D", "5C"))
    assert key(state, "claimed") == "1/1/0/0"


def test_where_nobody_claims_nobody_scores() -> None:
    assert best_of("KSQSJS", "KCQCJC", "6S5S4S", "6C5C3D") == ("0/0", "0/0")


# --- rounds of more cards -------------------------------------------------------------

def test_first_shown_cards_are_played_first() -> None:
    state = position("AH2D6C4CKHKC/KSQSJS6S5S4S", rules=SIX)
    assert claims_in(state) == ["!AH2D4C", "!AH2D6C"]
    state = state.apply("!AH2D6C")
    assert moves(state) == ["2D", "6C", "AH"], "no other card, and no other claim"


def test_first_claims_on_any_turn_without_a_shown_card() -> None:
    state = position("AH2D6C4CKHKC/3H3D3CQSJSJC", rules=SIX)
    state = state.play("KH", "JS")
    assert claims_in(state) == ["!AH2D4C", "!AH2D6C"], "not on its first turn alone"
    state = state.play("!AH2D6C", "6C", "!3H3D3C", "3H")
    assert moves(state) == ["2D", "AH"], "two shown cards are still in hand"


def test_first_claims_again_once_the_shown_cards_are_played() -> None:
    state = position("AH2D6C2H2C5C/KSQSJSKCQCJC", rules=SIX)
    state = state.play("!AH2D6C", "2D", "JC", "6C", "KS", "AH", "JS")
    assert state.hands[0] == ("2H", "2C", "5C")
    assert claims_in(state) == ["!2H2C5C"]
    state = state.apply("!2H2C5C")
    assert key(state, "claimed") == "2/0"
    assert key(state, "scopa") == "6/0"


def test_free_claims_follow_one_another_on_the_first_turn() -> None:
    state = position("AH2D6C3H3D3C/KSQSJSKCQCJC", rules=f"{SIX} claim_play=free")
    state = state.apply("!3H3D3C")
    assert claims_in(state) == ["!AH2D6C"], "of other cards"
    assert "KH" not in moves(state)
    both = state.apply("!AH2D6C")
    assert key(both, "scopa") == "13/0"
    assert key(both, "claimed") == "2/0"
    assert claims_in(both) == []


def test_free_claims_leave_the_order_of_the_cards_free() -> None:
    state = position("AH2D6C4CKHKC/KSQSJS6S5S4S", rules=f"{SIX} claim_play=free")
    assert moves(state.apply("!AH2D6C")) == ["2D", "4C", "6C", "AH", "KC", "KH"]


def test_free_claims_are_for_the_first_turn_alone() -> None:
    state = position("AH2D6C4CKHKC/KSQSJS6S5S4S", rules=f"{SIX} claim_play=free")
    assert claims_in(state.play("KH", "JS")) == []


def test_mandatory_holds_each_time_a_seat_could_claim() -> None:
    """Under free at once, under first when the shown cards are played."""
    hands = "AH2D6C3H3D3C/KSQSJSKCQCJC"
    free = position(hands, rules=f"{SIX} claim_play=free claim=mandatory")
    assert moves(free) == ["!3H3D3C"]
    assert moves(free.apply("!3H3D3C")) == ["!AH2D6C"]
    first = position(hands, rules=f"{SIX} claim=mandatory")
    assert moves(first) == ["!3H3D3C"]
    first = first.play("!3H3D3C", "3H", "JS", "3D", "JC", "3C", "QS")
    assert moves(first) == ["!AH2D6C"]


def test_rounds_of_fewer_than_three_cards_have_no_claims() -> None:
    state = position("AHAC/KSQS", "KD", rules="cirulla rounds=16,2")
    assert moves(state) == ["ACxKD", "AHxKD"]


# --- how long a declared value holds --------------------------------------------------

@pytest.mark.parametrize(
    ("memory", "same_round", "next_round"),
    [("captured", "2", "2"), ("round", "2", "-"), ("no", "-", "-")],
)
def test_memory(memory: str, same_round: str, next_round: str) -> None:
    """A value is kept until captured, until the next round, or for the claim alone."""
    state = position("3C4D7H/JSQSKS", rules=f"cirulla matta_memory={memory} {LAYING}",
                     stock="AHAD5C2H2D2C")
    state = state.apply("!3C4D7H=2")
    assert key(state, "scopa") == "3/0", "the claim counts at any rate"
    assert key(state, "declared") == same_round
    for card in ("7H", "KS", "3C", "QS", "4D"):
        state = state.apply(card)
        assert key(state, "declared") == same_round
    state = state.apply("JS")
    assert state.round == 6
    assert key(state, "declared") == next_round


def test_the_matta_is_worth_its_printed_value_again_in_the_next_round() -> None:
    for memory, action in (("captured", "2Cx7H"), ("round", "2C")):
        state = position("5S/QS", "7H", rules=f"cirulla matta_memory={memory}", declared=2,
                         stock="2C3CJHJDJCKC")
        # Two and five are no queen, and seven and five are none either.
        state = state.play("5S", "QS")
        assert state.table == ("5S", "7H", "QS")
        assert [text for text in moves(state) if text.startswith("2C")] == [action]


def test_a_captured_matta_is_a_plain_card_again() -> None:
    state = position("2CKC/KSQS", "7HJD", declared=2).apply("2Cx7H")
    assert key(state, "declared") == "-"


def test_a_matta_that_captures_is_taken_at_once() -> None:
    state = position("7HKC/KSQS", "2DJD", shown="7H/-", claimed="1/0", declared=2)
    assert key(state.apply("7Hx2D"), "declared") == "-"


def test_without_memory_the_matta_plays_at_its_printed_value() -> None:
    state = position("3C4D7H/KSQSJS", "7D2C", rules="cirulla matta_memory=no")
    state = state.apply("!3C4D7H=2")
    assert [text for text in moves(state) if text.startswith("7H")] == ["7Hx7D"]
    state = position("3C4D7H/KSQSJS", "7D2C").apply("!3C4D7H=2")
    assert [text for text in moves(state) if text.startswith("7H")] == ["7Hx2C"]


def test_without_memory_a_round_of_claims_keeps_it_till_the_last_seat_has_decided() -> None:
    state = position("AH2D5C/AD4D7H/KSQSJS/KCQCJC", "4H", phase="claim",
                     rules="cirulla-coppie matta_memory=no")
    state = state.play("!AH2D5C", "!AD4D7H=2")
    assert key(state, "declared") == "2"
    state = state.apply("pass")
    assert key(state, "declared") == "2"
    state = state.apply("pass")
    assert key(state, "declared") == "-"
    assert key(state, "scopa") == "0/3", "seven is less than eight: the value counted"
