"""State strings: what is read, what is written, what is refused (rules, section 5)."""

from __future__ import annotations

import pytest
from support.handmade import finished, key, position

from cirulla_ai import RulesError, State, StateError

# All keys in the order of the output.
KEYS = ["rules", "dealer", "turn", "round", "hands", "shown", "claimed", "declared", "table",
        "taken", "scopa", "last", "stock", "scores", "misdeals", "won", "viewer", "phase"]

START = "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0"
TRUTH = str(position("4CKC/QSQC", "4H", stock="AHADAC2H2D2C"))


def changed(text: str, **keys: str) -> str:
    """A state string with these keys put in place of what stands there; empty to leave out."""
    tokens = dict(token.split("=") for token in text.split())
    return " ".join(f"{k}={v}" for k, v in (tokens | keys).items() if v)


# --- writing --------------------------------------------------------------------------

@pytest.mark.parametrize(
    "text", [START, TRUTH, str(finished("AH", "AD")), "rules=scopone-scientifico dealer=0 "
             "hands=?10/AHADACAS2H2D2C2S3H3D/?10/?10 viewer=1"])
def test_keys_are_written_in_their_order(text: str) -> None:
    assert [token.split("=")[0] for token in str(State.parse(text)).split()] == KEYS


def test_options_stand_after_the_rules() -> None:
    text = str(State.parse(f"target=31 {START} claim=no"))
    assert text.startswith("rules=cirulla claim=no target=31 dealer=1 turn=0 ")


def test_just_the_options_that_differ_are_written() -> None:
    assert State.parse(f"{START} target=51 players=2") == State.parse(START)


# --- what is left out -----------------------------------------------------------------

@pytest.mark.parametrize(
    ("left_out", "value"),
    [
        ("turn", "0"), ("round", "1"), ("shown", "-/-"), ("claimed", "0/0"), ("declared", "-"),
        ("taken", "-/-"), ("scopa", "0/0"), ("last", "-"), ("stock", "?30"), ("scores", "0/0"),
        ("misdeals", "0"), ("won", "-"), ("phase", "play"),
    ],
)
def test_keys_left_out_are_as_at_the_start(left_out: str, value: str) -> None:
    state = State.parse(changed(START, **{left_out: ""}))
    assert key(state, left_out) == value


def test_the_turn_left_out_is_the_seat_after_the_dealer() -> None:
    hands = "?3/3C4D7H/?3/?3"
    for dealer in range(4):
        state = State.parse(f"rules=cirulla-torneo dealer={dealer} hands={hands} "
                            "table=AS5D6CKD viewer=1")
        assert state.turn == (dealer + 1) % 4


def test_the_table_left_out_is_empty() -> None:
    state = State.parse(
        f"rules=scopone-scientifico dealer=3 hands={'AHADACAS2H2D2C2S3H3D'}/?10/?10/?10 viewer=0")
    assert (state.table, state.stock_count) == ((), 0)


def test_the_phase_left_out_is_the_first_of_a_round() -> None:
    four = "dealer=3 hands=3C4D7H/?3/?3/?3 table=AS5D6CKD viewer=0"
    assert State.parse(f"rules=cirulla-coppie {four}").phase == "claim"
    assert State.parse(f"rules=cirulla-coppie claim=no {four}").phase == "play"


def test_the_viewer_left_out_is_the_whole_truth() -> None:
    assert State.parse(changed(TRUTH, viewer="")).viewer is None


def test_the_stock_left_out_of_a_truth_is_empty() -> None:
    text = str(position("4CKC/QSQC", "4H"))
    assert State.parse(changed(text, stock="")) == State.parse(text)
    with pytest.raises(StateError, match="stock"):
        State.parse(changed(TRUTH, stock=""))


@pytest.mark.parametrize("needed", ["rules", "dealer", "hands"])
def test_three_keys_are_needed(needed: str) -> None:
    with pytest.raises(StateError, match=needed):
        State.parse(changed(START, **{needed: ""}))


# --- spelling -------------------------------------------------------------------------

@pytest.mark.parametrize(
    "text",
    [
        "viewer=0 table=KD6C5DAS hands=7H4D3C/?3 dealer=1 rules=cirulla",
        "rules=cirulla dealer=1 hands=3c4d7h/?3 table=as5D6ckd viewer=0",
        "  rules=cirulla\tdealer=1  hands=3C4D7H/?3 table=AS5D6CKD viewer=0 \n",
        "RULES=Cirulla Dealer=1 HANDS=3C4D7H/?3 table=AS5D6CKD viewer=0 phase=PLAY",
        "rules=cirulla dealer=01 hands=3C4D7H/?03 table=AS5D6CKD viewer=0",
    ],
)
def test_loose_spellings(text: str) -> None:
    assert State.parse(text) == State.parse(START)


def test_known_and_unknown_cards_of_one_hand() -> None:
    state = State.parse(
        "rules=cirullone dealer=3 turn=1 hands=3C4D7HKSQS/AD2D3D?3/?6/?6 shown=-/AD2D3D/-/- "
        "claimed=0/1/0/0 table=AS5D6CKDJH viewer=0")
    assert state.unknown == (0, 3, 6, 6)
    assert state.hands[1] == ("AD", "2D", "3D")


# --- what is refused ------------------------------------------------------------------

@pytest.mark.parametrize(
    ("keys", "named", "said"),
    [
        # A card that stands twice.
        ({"table": "4C"}, "table", "4C stands also in hands"),
        ({"hands": "4CKC/QS4C"}, "hands", "4C"),
        ({"hands": "4C4C/QSQC"}, "hands", "twice"),
        ({"stock": "AHADAC2H2DAH"}, "stock", "AH stands twice"),
        ({"stock": "AHADAC2H2D4C"}, "stock", "4C stands also in hands"),
        # Cards that don't add up to forty.
        ({"table": "-"}, "stock", "39 cards"),
        # A hand of the wrong size.
        ({"turn": "1"}, "hands", "turn=1"),
        ({"round": "4"}, "stock", "round=4"),
        ({"hands": "4C/QSQC", "table": "4HKC"}, "hands", "1/2"),
        # Shown cards and claims.
        ({"shown": "4H/-", "claimed": "1/0"}, "shown", "4H is not in seat 0's hand"),
        ({"shown": "4C/-"}, "shown", "claimed"),
        ({"claimed": "2/0"}, "claimed", "at most 1"),
        ({"declared": "3"}, "declared", "7H"),
        # Values out of range.
        ({"dealer": "2"}, "dealer", "2"), ({"dealer": "-1"}, "dealer", "-1"),
        ({"dealer": "x"}, "dealer", "x"), ({"dealer": "-"}, "dealer", "-"),
        ({"turn": "2"}, "turn", "2"), ({"turn": "-"}, "turn", "-"),
        ({"round": "0"}, "round", "0"), ({"round": "7"}, "round", "7"),
        ({"claimed": "0"}, "claimed", "1 parts"), ({"claimed": "0/0/0"}, "claimed", "3 parts"),
        ({"declared": "0"}, "declared", "0"), ({"declared": "11"}, "declared", "11"),
        ({"table": "4H8C"}, "table", "8C"), ({"table": "4"}, "table", "4"),
        ({"taken": "-"}, "taken", "2 are needed"),
        ({"scopa": "0/-1"}, "scopa", "-1"), ({"scopa": "0/x"}, "scopa", "x"),
        ({"last": "2"}, "last", "2"), ({"scores": "0"}, "scores", "1 parts"),
        ({"scores": "0/1.5"}, "scores", "1.5"), ({"misdeals": "-1"}, "misdeals", "-1"),
        ({"won": "2"}, "won", "2"), ({"won": "1"}, "won", "phase must be done"),
        ({"viewer": "2"}, "viewer", "2"), ({"phase": "over"}, "phase", "over"),
        ({"phase": "claim"}, "phase", "claim_time=round"), ({"phase": "deal"}, "phase", "viewer"),
        ({"phase": "done"}, "turn", "-"), ({"phase": "done", "turn": "-"}, "hands", "empty"),
        # Unknown cards in a whole truth.
        ({"hands": "4CKC/?2"}, "hands", "?2"), ({"stock": "?6"}, "stock", "?6"),
    ],
)
def test_refused_truths(keys: dict[str, str], named: str, said: str) -> None:
    with pytest.raises(StateError) as refused:
        State.parse(changed(TRUTH, **keys))
    assert refused.value.key == named
    assert str(refused.value).startswith(f"{named}: ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("keys", "named", "said"),
    [
        ({"hands": "3C4D?1/?3"}, "hands", "viewer"),
        ({"hands": "3C4D7H/AH?2"}, "hands", "can't know AH"),
        ({"stock": "?29"}, "stock", "39 cards"), ({"stock": "-"}, "stock", "10 cards"),
        ({"stock": "AH"}, "stock", "can't know"), ({"stock": "?x"}, "stock", "x"),
        ({"hands": "3C4D7H/?0"}, "hands", "0"), ({"hands": "3C4D7H/?"}, "hands", "whole number"),
        ({"hands": "3C4D7H"}, "hands", "1 parts"), ({"hands": "3C4D7H/?3/?3"}, "hands", "3 parts"),
        ({"hands": "3C4D7H/?41"}, "hands", "41"),
        ({"phase": "deal"}, "hands", "must be empty"),
    ],
)
def test_refused_views(keys: dict[str, str], named: str, said: str) -> None:
    with pytest.raises(StateError) as refused:
        State.parse(changed(START, **keys))
    assert refused.value.key == named
    assert said in str(refused.value)


def test_a_deal_is_for_a_viewer_between_rounds() -> None:
    text = str(position("KC/QS", "4D", stock="AHADAC2H2D2C").view(0).play("KC", "QS"))
    assert State.parse(text).phase == "deal"
    with pytest.raises(StateError, match=r"^turn: "):
        State.parse(changed(text, turn="1"))
    with pytest.raises(StateError, match=r"^viewer|^phase: "):
        State.parse(changed(text, viewer="-", stock="AHADAC2H2D2C"))
    last = changed(text, round="6", stock="-", table="4DQSKCAHADAC2H2D2C")
    with pytest.raises(StateError, match=r"^phase: .*stock is empty"):
        State.parse(last)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("table=AH", "table: stands twice"), ("target=31 target=31", "target: stands twice"),
        ("trump=H", "trump"), ("7H", "7H"), ("last=", "last: has no value"), ("=1", "=1"),
        ("rules=scopa", "rules: stands twice"),
    ],
)
def test_refused_tokens(extra: str, said: str) -> None:
    with pytest.raises(StateError, match=said):
        State.parse(f"{START} {extra}")


@pytest.mark.parametrize("extra", ["target=0", "players=5", "claim_best=yes"])
def test_refused_options(extra: str) -> None:
    with pytest.raises(RulesError, match=extra.split("=")[0]):
        State.parse(f"{START} {extra}")


@pytest.mark.parametrize("text", ["rules=bridge dealer=1 hands=-", "rules= dealer=1 hands=-", ""])
def test_refused_rules(text: str) -> None:
    with pytest.raises(StateError, match="rules"):
        State.parse(text)


def test_a_smazzata_that_was_won_may_hold_cards() -> None:
    state = State.parse(changed(TRUTH, won="0", phase="done", turn="-"))
    assert (state.won, state.is_over, state.stock_count) == (0, True, 6)
    taken = key(state, "taken")
    assert taken.startswith("AS3H3D")
    with pytest.raises(StateError, match="hands: a hand of round 5 has at most 3 cards"):
        State.parse(changed(str(state), hands="AS3H4CKC/QSQC", taken=taken.replace("AS3H", "")))


def test_cards_left_lie_on_the_table_only_where_nobody_captured() -> None:
    text = str(finished("AH", "AD"))
    assert State.parse(text).table
    with pytest.raises(StateError, match="table"):
        State.parse(changed(text, last="0"))


def test_rules_are_the_first_thing_to_be_missing() -> None:
    whole = str(State.deal("ciapano", seed=1))
    for text in (whole.removeprefix("rules=ciapano "), "trick=7H", "colour=red dealer=1", "",
                 "nonsense", "dealer=0 dealer=1"):
        with pytest.raises(StateError, match=r"^rules: is needed, as rules=cirulla$"):
            State.parse(text)
    with pytest.raises(StateError, match=r"^rules: stands twice$"):
        State.parse(f"colour=red {whole} rules=cirulla")
    with pytest.raises(StateError, match=r"^rules: bridge: no such preset"):
        State.parse("colour=red rules=bridge")
    with pytest.raises(StateError, match=r"^colour: there is no such key"):
        State.parse("rules=ciapano colour=red")


def test_a_state_after_a_byte_order_mark_and_with_ends_of_lines() -> None:
    state = State.deal("ciapano", seed=1)
    assert State.parse("\ufeff" + str(state).replace(" ", "\r\n") + "\r\n") == state
