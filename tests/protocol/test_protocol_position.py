"""Positions: what is set, what is refused, and that what is refused changes nothing."""

from __future__ import annotations

import pytest
from support.client import LocalEngine, error_of, state_of

from cirulla_ai import PRESETS, ActionError, State
from cirulla_ai.protocol.position import PositionReader, parse_position

DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]
VIEW = ("rules=cirulla dealer=1 turn=0 round=1 hands=3C4D7H/?3 shown=-/- claimed=0/0 declared=- "
        "table=AS5D6CKD taken=-/- scopa=0/0 last=- stock=?30 scores=12/7 misdeals=0 won=- "
        "viewer=0 phase=play")
TRUTH = str(State.deal("cirulla", seed=7))


def change(state: str, **values: str) -> str:
    """A state string with other values of some keys."""
    tokens = dict(token.split("=", 1) for token in state.split())
    return " ".join(f"{key}={value}" for key, value in {**tokens, **values}.items())


def test_the_first_position_is_that_of_seed_0(local: LocalEngine) -> None:
    state = local.state()
    assert state == str(State.deal("cirulla", seed=0))
    assert local.ask("position startpos seed 0") == []
    assert local.state() == state


def test_startpos_leaves_much_out(local: LocalEngine) -> None:
    states = set()
    for _ in range(5):
        assert local.ask("position startpos") == []
        state = local.state()
        assert state.startswith("rules=cirulla dealer=1 turn=0 ")
        states.add(state)
    assert len(states) == 5, "a fresh seed each time"


def test_startpos_takes_its_seed_from_the_option(local: LocalEngine) -> None:
    local.ask("setoption name Seed value 9", "position startpos")
    assert local.state() == str(State.deal("cirulla", seed=9))
    local.ask("position startpos seed 3")
    assert local.state() == str(State.deal("cirulla", seed=3))


@pytest.mark.parametrize("preset", PRESETS)
def test_startpos_of_each_preset(local: LocalEngine, preset: str) -> None:
    for seed in (0, 1, 2**64 - 1):
        line = f"position startpos rules={preset} target=60 seed {seed} dealer=0"
        assert local.ask(line) == []
        state = local.state()
        assert state == str(State.deal(f"{preset} target=60", dealer=0, seed=seed))
        assert " viewer=- " in state


def test_startpos_takes_tokens_in_any_order_and_case(local: LocalEngine) -> None:
    assert local.ask("position STARTPOS SCORES=3/4 seed 5 Dealer=0 misdeals=2 TARGET=31 "
                     "Rules=Cirulla MOVES") == []
    assert local.state() == str(State.deal("cirulla target=31", dealer=0, seed=5, scores=(3, 4),
                                           misdeals=2))


@pytest.mark.parametrize(("words", "names"), [
    ("seed 5 pack=" + "".join(DECK), "seed"),
    ("seed", "seed"), ("seed -1", "seed"), ("seed 18446744073709551616", "seed"),
    ("seed x", "seed"), ("seed 1 seed 2", "seed"), ("seed=5", "seed"),
    ("dealer=2", "dealer"), ("dealer=-", "dealer"), ("scores=1", "scores"),
    ("scores=1/-2", "scores"), ("scores=1/2/3", "scores"), ("misdeals=x", "misdeals"),
    ("pack=AH", "pack"), ("pack=" + "".join(DECK[:-1]) + "AH", "pack"), ("pack=", "pack"),
    ("pack=7X", "pack"), ("hands=AH/2H", "hands"), ("viewer=0", "viewer"), ("stock=-", "stock"),
    ("rules=nonsense", "nonsense"), ("rules=", "rules"), ("rules=scopa rules=scopa", "rules"),
    ("rules=ciapano-x", "ciapano-x"), ("players=5", "players"), ("target=0", "target"),
    ("nonsense=1", "nonsense"), ("nonsense", "nonsense"), ("dealer=1 dealer=1", "dealer"),
    ("moves 7H8H", "7H8H"), ("moves KSxKS", "KSxKS"), ("moves @AH2H3H", "@AH2H3H"),
    ("moves moves", "moves"),
])
def test_a_refused_startpos_names_what_is_wrong(
    local: LocalEngine, words: str, names: str
) -> None:
    before = local.state()
    error = error_of(local.ask(f"position startpos {words}"))
    assert error.startswith("position: ")
    assert names in error
    assert local.state() == before


def test_seeds_deal_again_after_a_misdeal_but_packs_do_not(local: LocalEngine) -> None:
    seeds = []
    for seed in range(40):
        local.ask(f"position startpos seed {seed}")
        if " misdeals=0 " not in local.state():
            seeds.append(seed)
    assert seeds, "two aces on the first table are not that rare"
    aces = "2H3H4H5H6H7H" + "AHADACAS"
    rest = "".join(card for card in DECK if card not in aces)
    assert "misdeal" in error_of(local.ask(f"position startpos pack={aces}{rest}"))


@pytest.mark.parametrize(("state", "names"), [
    (change(VIEW, stock="?31"), "stock"),
    (change(VIEW, table="AS5D6CKD2H"), "stock"),
    (change(VIEW, hands="3C3C7H/?3"), "hands"),
    (change(VIEW, hands="3C4DKD/?3"), "table"),
    (change(VIEW, hands="3C4D/?3"), "hands"),
    (change(VIEW, hands="3C4D7H/?2"), "hands"),
    (change(VIEW, hands="3C4D7H"), "hands"),
    (change(VIEW, hands="3C4D7H/?3/?3"), "hands"),
    (change(VIEW, hands="3C4D7H/AH?2"), "hands"),
    (change(VIEW, turn="2"), "turn"),
    (change(VIEW, dealer="2"), "dealer"),
    (change(VIEW, viewer="2"), "viewer"),
    (change(VIEW, viewer="x"), "viewer"),
    (change(VIEW, viewer="-"), "stock"),
    (change(VIEW, shown="AH/-"), "shown"),
    (change(VIEW, declared="5"), "declared"),
    (change(VIEW, phase="deal"), "hands"),
    (change(VIEW, phase="nonsense"), "phase"),
    (change(VIEW, round="7"), "round"),
    (change(VIEW, scores="12/7/1"), "scores"),
    (change(VIEW, scores="99999999999999999999/1"), "scores"),
    (change(VIEW, won="0"), "won"),
    (f"{VIEW} table=-", "table"),
    (f"{VIEW} dealer=1", "dealer"),
    (f"{VIEW} nonsense=1", "nonsense"),
    (VIEW.replace("rules=cirulla ", ""), "rules"),
    (VIEW.replace("dealer=1 ", ""), "dealer"),
    (change(VIEW, stock="AH" * 15), "stock"),
    (change(TRUTH, stock="?30"), "stock"),
    (change(TRUTH, hands="?3/?3"), "hands"),
    (f"{VIEW} moves KSxKD", "KSxKD"),
    (f"{VIEW} moves @AH2H3H", "@AH2H3H"),
    (f"{VIEW} moves 3C 3C", "3C"),
    ("", "rules"),
    ("moves", "rules"),
])
def test_a_refused_state_names_what_is_wrong(local: LocalEngine, state: str, names: str) -> None:
    local.ask("position startpos rules=scopone seed 3")
    before = local.ask("d", "legal")
    error = error_of(local.ask(f"position state {state}"))
    assert error.startswith("position: ")
    assert names in error
    assert local.ask("d", "legal") == before
    assert local.ask("go nodes 5")[-1] != "bestmove (none)"


@pytest.mark.parametrize("words", ["", "fen", "state", "VIEW", "moves 7H", "startpos0"])
def test_a_position_is_a_state_or_startpos(local: LocalEngine, words: str) -> None:
    before = local.state()
    assert error_of(local.ask(f"position {words}"))
    assert local.state() == before


def test_moves_with_nothing_after_it_is_no_moves(local: LocalEngine) -> None:
    for words in (f"state {VIEW}", "startpos seed 5"):
        assert local.ask(f"position {words} moves", f"position {words} moves  ") == []
        state = local.state()
        assert local.ask(f"position {words}") == []
        assert local.state() == state


def test_moves_in_any_letter_case_from_the_truth_and_from_views(local: LocalEngine) -> None:
    truth = State.deal("cirulla", seed=21)
    views = [truth.view(0), truth.view(1)]
    moves: list[list[str]] = [[], []]
    words: list[str] = []
    while not truth.is_over:
        actions = truth.legal_actions()
        word = str(actions[len(words) % len(actions)])
        words.append(word.lower())
        truth, last = truth.apply(word), truth.round
        for seat in (0, 1):
            moves[seat].append(word)
            if truth.round > last:
                moves[seat].append("@" + "".join(truth.hands[seat]))
        assert local.ask(f"position startpos seed 21 moves {' '.join(words)}") == []
        assert local.state() == str(truth)
        for seat in (0, 1):
            line = f"position state {views[seat]} moves {' '.join(moves[seat])}"
            assert local.ask(line) == []
            assert local.state() == str(truth.view(seat))
            assert state_of(local.ask(f"view {seat}")) == str(truth.view(seat))


@pytest.mark.parametrize("line", ["legal", "perft 1"])
def test_another_seats_actions_are_not_known(local: LocalEngine, line: str) -> None:
    local.ask(f"position state {State.deal('cirulla', seed=3).view(1)}")
    assert "seat 0 is to move" in error_of(local.ask(line))


@pytest.mark.parametrize(("line", "names"), [
    ("view", "0 ... 1"), ("view 2", "2"), ("view -1", "-1"), ("view x", "x"), ("view 0 1", "0 1"),
    ("perft", "1 ... 36"), ("perft 0", "0"), ("perft 37", "37"), ("perft x", "x"),
    ("perft 3 4", "3 4"), ("perft -1", "-1"), ("perft 99999999999999999999999999", "99"),
    ("bench 0", "0"), ("bench 257", "257"), ("bench 1 0", "0"), ("bench 1 2 3", "1 2 3"),
    ("rules nonsense", "nonsense"), ("rules scopa scopone", "scopa scopone"),
])
def test_a_refused_command_names_what_is_wrong(
    local: LocalEngine, line: str, names: str
) -> None:
    before = local.state()
    error = error_of(local.ask(line))
    assert error.startswith(f"{line.split()[0]}: ")
    assert names in error
    assert local.state() == before


def test_perft_of_a_view_as_far_as_it_goes(local: LocalEngine) -> None:
    truth = State.deal("cirulla", seed=3)
    local.ask(f"position state {truth.view(0)}")
    lines = local.ask("perft 1")
    assert lines[-1] == f"Nodes searched: {len(truth.legal_actions())}"
    assert "hidden" in error_of(local.ask("perft 2"))


def test_eval_is_from_the_side_to_move(local: LocalEngine) -> None:
    state = change(VIEW, scopa="3/1")
    assert any("200 cp for seat 0" in line for line in local.ask(f"position state {state}", "eval"))
    state = change(change(VIEW, scopa="3/1"), dealer="0", turn="1", viewer="1",
                   hands="?3/3C4D7H")
    assert any("-200 cp for seat 1" in line
               for line in local.ask(f"position state {state}", "eval"))


def test_free_text_ends_with_an_empty_line(local: LocalEngine) -> None:
    for line in ("d", "eval", "rules", "rules scopa", "help"):
        said = local.ask(line)
        assert said[-1] == ""
        assert all(said[:-1])


def test_rules_of_every_preset(local: LocalEngine) -> None:
    assert [line.split()[0] for line in local.ask("rules")[:-1]] == list(PRESETS)
    for preset in PRESETS:
        lines = local.ask(f"rules {preset.upper()}")
        options = [line.split()[0] for line in lines[:-1]]
        # What is printed is what can be given.
        assert local.ask(f"position startpos rules={preset} {' '.join(options)} seed 1") == []
        assert local.state().startswith(f"rules={preset} dealer=")


# --- the same game again and again ------------------------------------------------------

def test_what_was_read_before_is_not_played_again() -> None:
    reader = PositionReader()
    state = State.parse(TRUTH)
    words = ["state", *TRUTH.split()]
    game = reader.read(words, None)
    assert (game.start, game.words) == (state, ())
    moves: list[str] = []
    for _ in range(8):
        moves.append(str(game.state.legal_actions()[-1]))
        after = reader.read([*words, "moves", *moves], None)
        assert after == parse_position([*words, "moves", *moves], None)
        # The very states that the position before had.
        assert all(one is other for one, other in zip(after.states, game.states, strict=False))
        game = after
    # A branch and an earlier moment are read from their start.
    for other in (moves[:3], [], moves[:5]):
        line = [*words, "moves", *other]
        assert reader.read(line, None) == parse_position(line, None)


def test_a_move_that_cannot_be_is_told_by_its_place_in_the_whole() -> None:
    reader = PositionReader()
    words = ["state", *TRUTH.split()]
    first = str(State.parse(TRUTH).legal_actions()[0])
    reader.read([*words, "moves", first], None)
    with pytest.raises(ActionError, match=r"^word 2 of 2: "):
        reader.read([*words, "moves", first, first], None)
    # What could be read before is still there.
    assert reader.read([*words, "moves", first], None).words == (first,)


def test_a_random_deal_is_another_one_each_time() -> None:
    reader = PositionReader()
    assert len({reader.read(["startpos"], None).state for _ in range(5)}) == 5
