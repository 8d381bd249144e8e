"""The public State: what it tells, what can be done with it."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest
from support.handmade import finished, key, moves, position

from cirulla_ai import (
    Action,
    ActionError,
    Engine,
    Knowledge,
    Limit,
    Points,
    Rules,
    State,
    StateError,
)

EXAMPLE = (
    "rules=cirulla dealer=1 turn=0 round=1 hands=3C4D7H/?3 shown=-/- claimed=0/0 declared=- "
    "table=AS5D6CKD taken=-/- scopa=0/0 last=- stock=?30 scores=12/7 misdeals=0 won=- viewer=0 "
    "phase=play"
)


# --- what a state tells ---------------------------------------------------------------

def test_the_parts_of_a_view() -> None:
    state = State.parse(EXAMPLE)
    assert state.rules == Rules("cirulla")
    assert (state.dealer, state.turn, state.round, state.phase) == (1, 0, 1, "play")
    assert state.hands == (("3C", "4D", "7H"), ())
    assert state.unknown == (0, 3)
    assert state.shown == ((), ())
    assert state.table == ("AS", "5D", "6C", "KD")
    assert state.taken == ((), ())
    assert (state.stock_count, state.scores, state.misdeals) == (30, (12, 7), 0)
    assert (state.won, state.viewer, state.is_over) == (None, 0, False)
    assert (state.claimed, state.declared, state.scopa) == ((0, 0), None, (0, 0))
    assert (state.last, state.stock) == (None, None), "nobody knows the stock"


def test_the_parts_of_a_truth() -> None:
    state = position("7HKC/KSQS", "2DJD", shown="7H/-", claimed="1/0", declared=2, scopa="3/1",
                     last=1, stock="AHADAC2H6D2C")
    assert (state.claimed, state.declared, state.scopa) == ((1, 0), 2, (3, 1))
    assert (state.last, state.viewer) == (1, None)
    assert state.stock == ("AH", "AD", "AC", "2H", "6D", "2C"), "in deal order"


def test_the_parts_of_a_finished_smazzata() -> None:
    state = finished("AH", "AD", won=1)
    assert (state.turn, state.is_over, state.won, state.viewer) == (None, True, 1, None)
    assert state.legal_actions() == []


def test_points_are_told_by_item() -> None:
    points = Points(scopa=1, cards=2, diamonds=3, settebello=4, primiera=5, piccola=6, grande=7,
                    cappotto=8)
    assert points.total == 36
    state = position("4CKC/QSQC", "4H").apply("4Cx4H")
    side, _ = state.points()
    assert isinstance(side, Points)
    assert side.scopa == 1
    assert state.match_scores() == tuple(p.total for p in state.points())


def test_text_repr_and_picture() -> None:
    state = State.parse(EXAMPLE)
    assert str(state) == EXAMPLE
    assert repr(state) == f"State.parse({EXAMPLE!r})"
    picture = state.pretty()
    for part in ("cirulla", "12-7", "AS 5D 6C KD", "3C 4D 7H", "dealer", "stock   30"):
        assert part in picture


@pytest.mark.parametrize(
    ("state", "parts"),
    [
        (position("7HKC/KSQS", "2DJD", shown="7H/-", claimed="1/0", declared=2),
         ["has shown 7H", "7H stands for 2", "to play"]),
        (position("AH2D6C/5H5D5C/KSQSJS/KCQCJC", "4H", rules="cirulla-coppie", phase="claim"),
         ["to claim or pass", "seat 3"]),
        (position("KC/QS", "4D", stock="AHADAC2H2D2C").view(0).play("KC", "QS"),
         ["to play after the deal"]),
        (finished("AH", "AD", scopa="60/1"), ["side 0 has won", "60 points"]),
        (finished("AH", "AC", scopa="6/1"), ["match 6-1"]),
        (position("KC/QS"), ["table   empty"]),
    ],
)
def test_pictures_of_all_phases(state: State, parts: list[str]) -> None:
    for part in parts:
        assert part in state.pretty()


# --- legal actions --------------------------------------------------------------------

def test_legal_actions_are_in_ascii_order() -> None:
    assert moves(State.parse(EXAMPLE)) == [
        "!3C4D7H=1", "!3C4D7H=2", "3CxAS5D6C", "4Dx5D6C", "4DxASKD", "7HxAS6C"]


def test_another_seats_legal_actions_are_not_known() -> None:
    view = State.parse(EXAMPLE).play("4Dx5D6C")
    with pytest.raises(ValueError, match="seat 1 is to move; seat 0"):
        view.legal_actions()
    with pytest.raises(ValueError):
        view.perft(1)


def test_actions_may_be_text_or_values() -> None:
    state = State.parse(EXAMPLE)
    assert state.apply("4dx6c5d") == state.apply(Action("4Dx5D6C"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4D", "4DxASKD"), ("5S", "5S is not legal"), ("7HxKD", "7HxKD"), ("pass", "pass"),
        ("!3C4D7H=3", "!3C4D7H=3"), ("nonsense", "nonsense"), ("", "not an action"),
        ("@AHADAC", "no cards are to be dealt"),
    ],
)
def test_refusals_say_what_was_wrong(text: str, said: str) -> None:
    with pytest.raises(ActionError) as refused:
        State.parse(EXAMPLE).play(text)
    assert said in str(refused.value)


def test_nothing_is_played_after_the_end() -> None:
    with pytest.raises(ActionError, match="over"):
        finished("AH", "AD").apply("2H")
    assert finished("AH", "AD").perft(1) == {}


def test_a_state_does_not_change() -> None:
    state = State.parse(EXAMPLE)
    state.apply("4Dx5D6C")
    assert str(state) == EXAMPLE
    assert str(state.copy()) == EXAMPLE


# --- views ----------------------------------------------------------------------------

def test_a_view_knows_its_hand_and_counts_the_rest() -> None:
    truth = position("4CKC/QSQC", "4H", stock="AHADAC2H2D2C")
    view = truth.view(1)
    assert (view.hands, view.unknown) == (((), ("QC", "QS")), (2, 0))
    assert (view.viewer, key(view, "stock"), view.stock_count) == (1, "?6", 6)
    assert (view.table, view.taken) == (truth.table, truth.taken)


def test_a_view_knows_shown_cards() -> None:
    truth = position("AH2D6C/KSQSJS", "KD").apply("!AH2D6C").apply("2D")
    assert key(truth.view(1), "hands") == "AH6C/JSQSKS"
    assert key(truth.view(0), "hands") == "AH6C/?3"
    some = position("AH2D6C4CKHKC/KSQSJS6S5S4S", rules="cirulla rounds=3,3,6,6").apply("!AH2D6C")
    assert key(some.view(1), "hands") == "AH2D6C?3/4S5S6SJSQSKS"


def test_a_view_is_of_one_seat() -> None:
    view = State.parse(EXAMPLE)
    assert view.view(0) is view
    with pytest.raises(ValueError, match="seat 0"):
        view.view(1)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=str(seat)):
            State.deal(seed=1).view(seat)


def test_a_view_takes_another_seats_action_as_seen() -> None:
    view = State.parse(EXAMPLE).apply("4Dx5D6C")
    after = view.apply("QH")
    assert after.unknown == (0, 2)
    assert after.table == ("AS", "QH", "KD")
    shown = view.apply("!2H2D5S")
    assert key(shown, "hands") == "3C7H/2H2D5S"
    assert key(shown, "scopa") == "0/3"


@pytest.mark.parametrize(
    "text",
    [
        "3C", "KD", "4D", "AS", "!2H3H3C", "!2H3H7H=1",  # cards that have been seen elsewhere
        "4H",                                            # it takes the ace and the king
        "KHxAS", "!2H3H7C", "pass",                      # no capture, no claim, no question
    ],
)
def test_but_not_what_cannot_have_been(text: str) -> None:
    """The table is an ace and a king; the viewer holds 3C and 7H and has taken 4D 5D 6C."""
    view = State.parse(EXAMPLE).apply("4Dx5D6C")
    with pytest.raises(ActionError, match=re.escape(f"action {text}: ")):
        view.apply(text)


# --- deals in a view ------------------------------------------------------------------

def dealing() -> State:
    """Seat 0's view when the last round is to be dealt."""
    return position("KC/QS", "4D", stock="AHADAC2H2D2C").view(0).play("KC", "QS")


def test_a_view_waits_for_its_new_hand() -> None:
    view = dealing()
    assert (view.phase, view.turn, view.hands, view.unknown) == ("deal", 0, ((), ()), (0, 0))
    assert view.stock_count == 6
    assert view.legal_actions() == []
    with pytest.raises(ActionError, match="dealt first"):
        view.apply("AH")


def test_a_new_hand_begins_the_next_round() -> None:
    view = dealing().deal_round("AHAC2D")
    assert (view.round, view.phase, view.turn, view.stock_count) == (6, "play", 0, 0)
    assert (view.hands, view.unknown) == ((("AH", "AC", "2D"), ()), (0, 3))
    assert dealing().play("@2dacah") == view
    assert dealing().deal_round(["AH", "AC", "2D"]) == view


@pytest.mark.parametrize(
    ("cards", "said"),
    [("AHAC", "3 cards"), ("AHAC2D2C", "3 cards"), ("AHACKC", "KC"), ("AHAC4D", "4D"),
     ("AHAC8D", "8D"), ("AHACAC", "twice"), ("", "3 cards"), ("AHAC2", "AHAC2")],
)
def test_a_hand_that_cannot_be_dealt(cards: str, said: str) -> None:
    with pytest.raises(ActionError) as refused:
        dealing().deal_round(cards)
    assert said in str(refused.value)


def test_a_truth_deals_by_itself_and_may_be_told() -> None:
    truth = position("KC/QS", "4D", stock="AHADAC2H2D2C")
    after = truth.play("KC", "QS")
    assert after.round == 6
    assert truth.play("KC", "QS", "@AHAC2D") == after
    assert truth.play("KC", "QS", "@AD2H2C") == after
    with pytest.raises(ActionError, match="@AHADAC"):
        truth.play("KC", "QS", "@AHADAC")
    with pytest.raises(ActionError, match="dealt"):
        after.deal_round("AHAC2D")


def test_a_deal_asks_for_claims_where_each_round_does() -> None:
    truth = position("KC/QS", "4D", stock="AHADAC2H2D2C", rules="cirulla claim_time=round",
                     phase="play")
    view = truth.view(0).play("KC", "QS", "@AHAC2D")
    assert (view.phase, view.turn) == ("claim", 0)
    assert view == truth.play("KC", "QS").view(0)


# --- perft ----------------------------------------------------------------------------

def test_perft_of_a_position_counted_by_hand() -> None:
    """Two cards each and nothing to take: two ways, two ways, one, one."""
    state = position("KCQC/JS6S", rules="cirulla capture_equal=no capture_sum=no capture_15=no")
    assert state.perft(1) == {Action("KC"): 1, Action("QC"): 1}
    assert state.perft(2) == {Action("KC"): 2, Action("QC"): 2}
    assert state.perft(3) == {Action("KC"): 2, Action("QC"): 2}
    assert state.perft(4) == {Action("KC"): 2, Action("QC"): 2}
    assert state.perft(5) == {Action("KC"): 0, Action("QC"): 0}, "it is over before"


def test_perft_goes_on_with_the_next_round() -> None:
    state = position("KC/QS", "4D", stock="AHADAC2H2D2C",
                     rules="cirulla capture_equal=no capture_sum=no capture_15=no ace_sweep=no "
                           "claim=no")
    assert sum(state.perft(2).values()) == 1
    assert sum(state.perft(4).values()) == 9


@pytest.mark.parametrize("depth", [0, -1])
def test_perft_counts_one_action_at_least(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        State.deal(seed=1).perft(depth)


def test_perft_needs_the_truth() -> None:
    view = State.deal(seed=1).view(0)
    assert sum(view.perft(1).values()) == len(view.legal_actions())
    with pytest.raises(ValueError, match="hidden"):
        view.perft(5)


# --- as a value -----------------------------------------------------------------------

def test_equality() -> None:
    state = State.parse(EXAMPLE)
    assert state == State.parse(EXAMPLE.replace("3C4D7H", "7h4d3c"))
    assert hash(state) == hash(state.copy())
    assert state != State.parse(EXAMPLE.replace("12/7", "12/8"))
    assert state != EXAMPLE
    assert len({state, state.copy(), State.parse(EXAMPLE)}) == 1


def test_copies() -> None:
    for state in (State.parse(EXAMPLE), State.deal("cirullone", seed=5)):
        assert pickle.loads(pickle.dumps(state)) == state
        assert copy.copy(state) == state
        assert copy.deepcopy(state) == state


@pytest.mark.parametrize("options", [
    {"scores": (1.5, 2)}, {"misdeals": 1.5}, {"scores": (float("nan"), 2)},
])
def test_points_are_whole_numbers(options: dict[str, Any]) -> None:
    with pytest.raises(StateError):
        State.deal("cirulla", seed=1, **options)


def test_misdeals_can_always_be_written() -> None:
    # With seed 0 the first table is a misdeal under this rule.
    with pytest.raises(StateError, match="1000001 after those of this seed"):
        State.deal("cirulla misdeal_aces=1", seed=0, misdeals=1_000_000)
    state = State.deal("cirulla misdeal_aces=1", seed=0, misdeals=999_999)
    assert State.parse(str(state)) == state


def test_a_seat_is_a_whole_number() -> None:
    state = State.deal("cirulla", seed=1)
    with pytest.raises(ValueError, match=r"seat 1\.5 is not a whole number in 0 … 1"):
        state.view(1.5)  # type: ignore[arg-type]


def test_a_copy_of_knowledge_goes_its_own_way() -> None:
    state = State.deal("cirulla", seed=7, dealer=1)
    known = Knowledge(state)
    other = copy.copy(known)
    other.play(str(state.legal_actions()[0]))
    assert (known.state.turn, other.state.turn) == (0, 1)
    assert known.draw(1).view(0) == known.state
    assert other.draw(1).view(0) == other.state


def test_what_is_seen_during_a_search_is_not_of_it() -> None:
    state = State.deal("cirulla", seed=7, dealer=1)
    reports = []
    for disturbed in (False, True):
        engine = Engine()
        engine.set("Seed", 1)
        engine.set("Inference", False)
        known = Knowledge(state)
        search = engine.search(known, Limit(nodes=3000))
        next(search)
        if disturbed:
            known.play(str(state.legal_actions()[0]))
        *_, last = search
        reports.append(last.lines)
    assert reports[0] == reports[1]
