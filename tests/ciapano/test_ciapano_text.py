"""What is refused of rules, states and actions of Ciapa No, and by what name."""

from __future__ import annotations

import pickle

import pytest
from support.ciapano_games import game_of, position_of

from cirulla_ai import Action, ActionError, Rules, RulesError, State, StateError
from cirulla_ai.action import parse_action
from cirulla_ai.games.ciapano.text import explain_refusal, format_state
from cirulla_ai.state import parse_state

F = "AH2H3H4H5H6H7HJHQHKHAD2D3D"
M = "AC2C3C4C5C6C7CJCQCKC4D5D6D"
D = "AS2S3S4S5S6S7SJSQSKS7DJDQD"
# The dealer is seat 2; the king of diamonds is the fourteenth card of whose turn it is.
FIRST = f"dealer=2 hands={F}KD/{M}/{D}"
SECOND = f"dealer=2 turn=1 hands={F}/{M}KD/{D} passed=KD/-/- phase=pass"
THIRD = f"dealer=2 turn=2 hands={F}/{M}/{D}KD passed=KD/KD/- phase=pass"
PLAY = (f"dealer=2 turn=0 lead=0 hands={F}/{M}/{D} discard=KD passed=KD/KD/- phase=play")
SEEN_PLAY = (f"dealer=2 turn=0 lead=0 hands={F}/?13/?13 discard=?1 passed=KD/?1/- viewer=0 "
             "phase=play")
TRICK = (f"dealer=2 turn=1 lead=0 hands={F[2:]}/{M}/{D} trick=AH discard=KD passed=KD/KD/- "
         "phase=play")
DONE = (f"dealer=2 turn=- lead=1 hands=-/-/- taken={F}KD/{M}/{D} passed=KD/KD/- phase=done")
GOOD = (FIRST, SECOND, THIRD, PLAY, SEEN_PLAY, TRICK, DONE)


def changed(text: str, change: str) -> str:
    """The state string with other values for some keys; ``key=`` takes the key away."""
    tokens = dict(token.split("=") for token in text.split())
    tokens |= dict(token.split("=") for token in change.split())
    return " ".join(f"{key}={value}" for key, value in tokens.items() if value)


@pytest.mark.parametrize("text", GOOD)
def test_these_states_are_read(text: str) -> None:
    state = State.parse(f"rules=ciapano {text}")
    again = State.parse(format_state(state.rules, state.position))
    assert again.position.fields() == state.position.fields()


@pytest.mark.parametrize(("text", "change", "key"), [
    (FIRST, "dealer=", "dealer"),
    (FIRST, "hands=", "hands"),
    (FIRST, "dealer=3", "dealer"),
    (FIRST, "dealer=-", "dealer"),
    (FIRST, "dealer=x", "dealer"),
    (FIRST, "turn=3", "turn"),
    (FIRST, "turn=-", "turn"),
    (FIRST, "viewer=3", "viewer"),
    (FIRST, "lead=0", "lead"),
    (FIRST, "phase=claim", "phase"),
    (FIRST, "scores=1/2", "scores"),
    (FIRST, "scores=1/2/-3", "scores"),
    (FIRST, "scores=1/2/1000001", "scores"),
    (FIRST, "scores=1/2/x", "scores"),
    (FIRST, f"hands={F}KD/{M}", "hands"),
    (FIRST, f"hands={F}/{M}KD/{D}", "hands"),
    (FIRST, f"hands={F}KD/{M}/{D}?1", "hands"),
    (FIRST, f"hands={F}KD/{M}/{D[:-2]}", "hands"),
    (FIRST, f"hands={F}KD/{M}/{D[:-2]}KD", "KD"),
    (FIRST, f"hands={F}KD/{M}/{D[:-2]}?1", "hands"),
    (FIRST, f"hands={F}KD/{M}/{D[:-2]}XX", "XX"),
    (FIRST, f"hands={F}KD/?13/{D} viewer=0", "hands"),
    (FIRST, f"hands={F}?1/?13/?13 viewer=0", "hands"),
    (FIRST, "passed=KD/-/-", "passed"),
    (FIRST, "passed=-/-/4H", "passed"),
    (FIRST, "passed=-/-", "passed"),
    (FIRST, "trick=AH", "trick"),
    (FIRST, "discard=KD", "discard"),
    (FIRST, f"hands={F}KD/{M}/{D[:-2]} taken=-/-/QD", "taken"),
    (SECOND, "passed=-/-/-", "passed"),
    (SECOND, "passed=KD/KD/-", "passed"),
    (SECOND, "passed=?1/-/-", "passed"),
    # The card that was just handed on is in the hand that got it.
    (SECOND, "passed=QD/-/-", "hands"),
    (SECOND, f"hands={F}/?14/?13 viewer=0", "hands"),
    (SECOND, f"hands={F}/4D?13/?13 viewer=0", "hands"),
    (SECOND, f"hands=?13/{M}KD/?13 passed=?1/-/- viewer=1", "passed"),
    (SECOND, f"hands=?13/?14/{D} viewer=2", "passed"),
    (THIRD, "passed=KD/-/-", "passed"),
    (THIRD, f"hands=?13/?13/{D}KD viewer=2", "passed"),
    (THIRD, f"hands=?13/{M}/?14 viewer=1", "hands"),
    (PLAY, "lead=-", "lead"),
    (PLAY, "lead=", "lead"),
    (PLAY, "lead=1", "turn"),
    (PLAY, "turn=1", "turn"),
    (PLAY, "turn=-", "turn"),
    (PLAY, "discard=-", "discard"),
    (PLAY, "discard=?1", "discard"),
    (PLAY, "discard=?2", "discard"),
    (PLAY, "discard=QD", "QD"),
    (PLAY, "passed=-/KD/-", "passed"),
    (PLAY, "passed=KD/?1/-", "passed"),
    (PLAY, "passed=KD/KD/KD", "passed"),
    (PLAY, "passed=KD/X/-", "passed"),
    (PLAY, "phase=pass", "lead"),
    (PLAY, "phase=done", "turn"),
    (PLAY, f"hands={F[:-2]}/{M[:-2]}/{D} taken=3D6D/-/-", "hands"),
    (SEEN_PLAY, "discard=KD", "discard"),
    (SEEN_PLAY, "passed=?1/?1/-", "passed"),
    (SEEN_PLAY, "passed=KD/KD/-", "passed"),
    (SEEN_PLAY, f"hands={F}/4D?12/?13", "hands"),
    (SEEN_PLAY, f"hands={F}/?13/?12", "hands"),
    (SEEN_PLAY, f"hands={F[:-2]}?1/?13/?13", "hands"),
    (PLAY, f"hands=?13/?13/{D} passed=?1/KD/- discard=?1 viewer=2", "discard"),
    (TRICK, "trick=AH4C5C", "trick"),
    (TRICK, "trick=AHAH", "trick"),
    (TRICK, "trick=A", "trick"),
    (TRICK, "trick=2H", "2H"),
    (TRICK, "turn=2", "turn"),
    (TRICK, "taken=AH/-/-", "taken"),
    (DONE, "turn=0", "turn"),
    (DONE, "lead=-", "lead"),
    (DONE, "discard=KD", "discard"),
    (DONE, f"taken={F}/{M}/{D}", "forty"),
    (DONE, f"hands=AH/-/- taken={F[2:]}KD/{M}/{D}", "hands"),
])
def test_a_state_is_refused_by_the_key_at_fault(text: str, change: str, key: str) -> None:
    with pytest.raises(StateError, match=key):
        position_of(changed(text, change))


@pytest.mark.parametrize(("text", "key"), [
    (f"{FIRST} scores=0/0/0 scores=0/0/0", "scores"),
    (f"{FIRST} table=-", "table"),
    (f"{FIRST} stock=-", "stock"),
    (f"{FIRST} scores", "scores"),
    (f"{FIRST} =1", "=1"),
    (f"{FIRST} scores=", "scores"),
    (f"{FIRST} rules=ciapano", "rules"),
    (f"{FIRST} target=0", "target"),
    (f"{FIRST} players=3", "players"),
])
def test_a_token_is_refused(text: str, key: str) -> None:
    with pytest.raises(ValueError, match=key):
        position_of(text)


def test_rules_are_needed() -> None:
    with pytest.raises(StateError, match="rules"):
        parse_state(FIRST)
    with pytest.raises(StateError, match="lead"):
        parse_state(f"rules=scopa {TRICK}")


# --- rules ----------------------------------------------------------------------------

def test_rules() -> None:
    rules = Rules("ciapano", target=21, cappotto=True)
    assert str(rules) == "rules=ciapano cappotto=yes target=21"
    assert Rules.parse("rules=ciapano target=21 cappotto=yes") == rules
    assert Rules.parse("CIAPANO target=21 cappotto=yes") == rules
    assert hash(Rules.parse(str(rules))) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert Rules.parse("rules=ciapano target=31 cappotto=no") == Rules("ciapano")
    assert Rules("ciapano") != rules
    assert repr(rules) == "Rules.parse('rules=ciapano cappotto=yes target=21')"
    assert [line.split()[0] for line in rules.lines()] == ["cappotto=yes", "target=21"]
    assert (rules.players, rules.sides, rules.target, rules["cappotto"]) == (3, 3, 21, True)
    assert [rules.side(seat) for seat in range(3)] == [0, 1, 2]
    mean, deviation = Rules("ciapano").pace
    assert 3.3 < mean < 3.8
    assert 3.5 < deviation < 4.5
    with pytest.raises(AttributeError):
        rules.preset = "scopa"


@pytest.mark.parametrize(("text", "name"), [
    ("", "rules"),
    ("target=21", "rules"),
    ("rules=ciapano players=3", "players"),
    ("rules=ciapano target", "target"),
    ("rules=ciapano target=1001", "target"),
    ("rules=ciapano target=2.5", "target"),
    ("rules=ciapano target=21 target=21", "target"),
    ("rules=ciapano cappotto=1", "cappotto"),
    ("rules=ciapano misdeals=1", "misdeals"),
])
def test_rules_are_refused(text: str, name: str) -> None:
    with pytest.raises(RulesError, match=name):
        Rules.parse(text)


@pytest.mark.parametrize(("scores", "winners"), [
    ((30, 30, 30), ()), ((31, 5, 6), (1,)), ((31, 5, 5), (1, 2)), ((40, 31, 31), (1, 2)),
    ((31, 31, 31), (0, 1, 2)), ((0, 0, 31), (0, 1)),
])
def test_the_fewest_points_win(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Rules("ciapano").winners(scores) == winners


# --- actions --------------------------------------------------------------------------

@pytest.mark.parametrize("text", [
    "", ">", "?", ">7", ">??", ">7H7H", "7H7S", ">>7H", " 7H", "7h ", ">1H", "10H", "@7H", ">x",
])
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(ActionError, match="action"):
        parse_action(text)


@pytest.mark.parametrize("text", ["7Hx3C", "!3C4D7H", "pass"])
def test_what_is_no_action_of_this_game(text: str) -> None:
    game = game_of(1)
    for position in (game.positions[0], game.positions[0].view(game.dealer)):
        assert not position.accepts(parse_action(text))
        assert text in explain_refusal(position, parse_action(text))


def test_a_refusal_says_what_could_be_played() -> None:
    position = position_of(TRICK)
    assert "7H" in explain_refusal(position, parse_action("7H"))
    assert "4C" in explain_refusal(position, parse_action("7H"))
    assert "over" in explain_refusal(position_of(DONE), parse_action("7H"))
    assert ">4H" in explain_refusal(position_of(FIRST), parse_action("4H"))
    game = game_of(1)
    view = game.positions[0].view((game.dealer + 2) % 3)
    assert ">?" in explain_refusal(view, parse_action(">?"))
    seen = position_of(changed(TRICK, f"hands={F[2:]}/?13/?13 passed=KD/?1/- discard=?1 viewer=0"))
    assert "elsewhere" in explain_refusal(seen, parse_action("2H"))
    hidden = game.positions[0].view(game.dealer)
    assert ">?" in explain_refusal(hidden, parse_action(">7H"))


def test_what_other_seats_may_be_seen_to_do() -> None:
    start = State.deal("ciapano", dealer=2, seed=7)
    card = start.hands[0][0]
    # The receiver gets the card and knows it; the dealer sees that one is given.
    assert start.view(1).possible_actions([card]) == [Action(f">{card}")]
    assert start.view(1).possible_actions() == []
    assert start.view(2).possible_actions([card]) == [Action(">?")]
    assert start.view(0).possible_actions() == start.legal_actions()
    state = start.apply(start.legal_actions()[0])
    state = state.apply(state.legal_actions()[0])
    state = state.apply(state.legal_actions()[0])
    held, own = state.hands[0][0], state.hands[1][0]
    assert state.view(1).possible_actions([held]) == [Action(held)]
    assert state.view(1).possible_actions([own]) == []
