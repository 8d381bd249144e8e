"""A game at one table: what is played, shown, taken back, scored, kept and read back."""

from __future__ import annotations

import json
from random import Random

import pytest
from support.tables import RULES, alike, play_out

from cirulla_ai import Action, ActionError, Match, State
from cirulla_ai.history import History
from cirulla_ai.play import Game, GameError, Seat, TurnError, level_seat
from cirulla_ai.play.views import position_dict
from cirulla_ai.records import write_records


@pytest.mark.parametrize("rules", RULES)
def test_a_match_goes_to_its_end_and_reads_back_the_same_anywhere(rules: str) -> None:
    random = Random(rules)
    game = Game(f"{rules} target=9" if "target" not in rules else rules, seed=5)
    match = Match(game.rules, dealer=game.match.dealer)
    dealer = game.match.dealer
    while game.stage != "over":
        if game.stage == "between":
            assert game.turn is None
            game.deal()
            dealer = (dealer + 1) % game.rules.players
            assert game.history.start.dealer == dealer
        elif random.random() < 0.1:
            read = Game.from_text(game.to_text())
            assert read == game
            assert (read.history, read.records) == (game.history, game.records)
            game = read
        else:
            turn = game.turn
            assert turn is not None
            game.act(turn, random.choice(game.history.state.legal_actions()))
    for record in game.records:
        assert record.final.is_over
        match.record(record.final)
    assert (match.scores, match.winners) == (game.match.scores, game.match.winners)
    assert match.is_over
    assert Game.from_text(game.to_text()) == game


def test_a_seed_makes_all_deals() -> None:
    def starts(seed: int) -> list[State]:
        game = Game("scopa", seed=seed)
        play_out(game, Random(1), 3)
        return [record.start for record in game.records]

    assert starts(3) == starts(3)
    assert not set(starts(3)) & set(starts(4))
    assert len(set(starts(3))) == 3


def shown(game: Game, seat: int) -> str:
    """All that a seat can get of a game, as text."""
    view = game.view(seat)
    records: list[str] = []

    class File:
        def write(self, text: str) -> int:
            records.append(text)
            return len(text)

    write_records(game.record_for(seat), File())  # type: ignore[arg-type]
    return json.dumps([view.as_dict(), records, str(view.state), view.history.words])


@pytest.mark.parametrize("rules", RULES)
def test_what_a_seat_is_shown_does_not_depend_on_what_is_hidden_from_it(rules: str) -> None:
    random = Random(rules)
    compared = 0
    for seed in range(3):
        whole = Game(rules, seed=seed)
        play_out(whole, random)
        record = whole.records[0]
        history = History(record.start, *(ply.word for ply in record.plies))
        for seat in range(whole.rules.players):
            steps = random.randrange(len(history.steps))
            other = alike(history, seat, steps, random)
            if other is None:
                continue
            games = [Game(start=truth.start, seats=whole.seats, seed=1)
                     for truth in (history, other)]
            for number in range(steps + 1):
                texts = {shown(game, seat) for game in games}
                assert len(texts) == 1
                if number < steps:
                    for game, truth in zip(games, (history, other), strict=True):
                        assert game.turn is not None
                        game.act(game.turn, str(truth.steps[number]))
            compared += 1
    assert compared, "no other truth was found"


# --- what can't be done -----------------------------------------------------------------

START = State.parse(
    "rules=cirulla dealer=1 hands=3C4D7H/2S3SKC table=AS5D6CKD "
    "stock=AHADAC2H2D2C3H3D4H4C4S5H5C5S6H6D6S7D7C7SJHJDJCJSQHQDQCQSKHKS")


def test_it_says_who_is_to_move_and_what_is_legal() -> None:
    game = Game(start=START, seats=(Seat("A"), Seat("B")))
    before = game.to_text()
    with pytest.raises(TurnError, match="seat 0 is to move, not seat 1"):
        game.act(1, "KC")
    with pytest.raises(ActionError, match="KC"):
        game.act(0, "KC")
    with pytest.raises(ActionError):
        game.act(0, "nonsense")
    with pytest.raises(ValueError, match="seat 2"):
        game.act(2, "KC")
    with pytest.raises(TurnError, match="not over"):
        game.deal()
    with pytest.raises(TurnError, match="nothing yet"):
        game.take_back(0)
    assert game.to_text() == before
    game.act(0, "4DxASKD")
    assert game.view(0).state.turn == 1


def test_what_can_not_be_made_is_refused() -> None:
    with pytest.raises(ValueError, match="2 of them; rules=scopone is for 4"):
        Game("scopone", (Seat(), Seat()))
    with pytest.raises(ValueError, match="sees all cards"):
        Game("scopa", (Seat(), Seat(bot="player=cheat")))
    with pytest.raises(ValueError, match="sees all cards"):
        Game("scopa", (Seat(), Seat(bot="player=engine,option.Cheat=true")))
    with pytest.raises(ValueError, match="does not play ciapano"):
        Game("ciapano", (Seat(), Seat(), Seat(bot="player=greedy")))
    with pytest.raises(ValueError, match="no player 'nobody'"):
        Seat(bot="player=nobody")
    with pytest.raises(ValueError, match="level 21"):
        level_seat(21)
    with pytest.raises(ValueError, match="the smazzata is over"):
        Game(start=State.parse("rules=scopa dealer=0 hands=-/- turn=- round=6 phase=done stock=- "
                               "table=- taken=AH2H3H4H5H6H7HJHQHKHADACAS2D2C2S3D3C3S4D4C4S5D5C5S"
                               "6D6C6S7D7C7SJDJCJSQDQCQSKDKCKS/- last=0"))
    with pytest.raises(ValueError, match="seed"):
        Game("scopa", seed=2**64)


def test_a_view_to_begin_with_gets_cards_by_the_seed() -> None:
    view = START.view(0)
    games = [Game(start=view, seed=seed) for seed in (1, 1, 2)]
    assert all(game.view(0).state == view for game in games)
    assert games[0].history.start == games[1].history.start != games[2].history.start


# --- taking back ------------------------------------------------------------------------

def test_a_play_is_taken_back_with_what_a_bot_did_since_and_it_is_noted() -> None:
    game = Game(start=START, seats=(Seat("A"), level_seat(0)))
    game.act(0, "!3C4D7H=2")
    game.act(0, "7H")
    game.note(0, "hint: 4DxASKD")
    assert game.turn == 1
    game.act(1, "KCxKD")
    assert game.view(0).can_take_back
    game.take_back(0)
    assert game.turn == 0
    assert game.history.words == ("!3C4D7H=2",)
    game.take_back(0)
    assert not game.history.words
    assert Game.from_text(game.to_text()) == game
    game.act(0, "4DxASKD")
    assert game.taken_back == 2
    record = game.record_for(0)[0]
    assert record.tags["TakenBack"] == "2"
    comment = record.plies[0].comment
    assert comment is not None
    assert comment.text == "hint: 4DxASKD; took back 0:7H 1:KCxKD; took back 0:!3C4D7H=2"
    # They are its thoughts: the other does not see them.
    assert game.record_for(1)[0].plies[0].comment is None


def test_a_record_does_not_grow_with_every_play_taken_back() -> None:
    game = Game(start=START, seats=(Seat("A"), level_seat(0)))
    game.note(0, "hint: 4DxASKD")
    game.note(0, "hint: 4DxASKD")
    assert game.to_json()["notes"] == {"0": ["hint: 4DxASKD"]}
    for _ in range(200):
        game.act(0, "4DxASKD")
        game.take_back(0)
    assert game.taken_back == 200
    assert len(game.to_text()) < 3000
    assert Game.from_text(game.to_text()) == game


def test_what_another_person_has_answered_stays() -> None:
    game = Game(start=START, seats=(Seat("A"), Seat("B")))
    game.act(0, "4DxASKD")
    assert game.view(0).can_take_back
    game.act(1, "2S")
    assert not game.view(0).can_take_back
    with pytest.raises(TurnError, match="somebody else has played since"):
        game.take_back(0)
    game.take_back(1)
    assert game.turn == 1


def test_a_note_of_what_was_taken_back_does_not_tell_what_was_hidden() -> None:
    game = Game("ciapano", (Seat("A"), level_seat(0), level_seat(0)), dealer=2, seed=3)
    for seat in range(3):
        game.act(seat, game.history.state.legal_actions()[0])
    given = [str(step) for step in game.history.steps]
    game.take_back(0)
    assert game.to_json()["notes"]["0"] == [f"took back 0:{given[0]} 1:>? 2:>?"]


def test_nothing_is_taken_back_once_the_smazzata_is_over() -> None:
    game = Game("scopa", (Seat("A"), level_seat(0)), seed=1)
    play_out(game, Random(1))
    assert not game.view(0).can_take_back
    with pytest.raises(TurnError, match="once the smazzata is over"):
        game.take_back(0)


# --- the same game from text ------------------------------------------------------------

@pytest.mark.parametrize(("change", "says"), [
    ({"format": 2}, "format 1"), ({"records": []}, "there are none"), ({"seed": -1}, "seed"),
    ({"rules": "nonsense"}, "nonsense"), ({"seats": [{"name": "A", "bot": ""}]}, "1 of them"),
    ({"records": ["[Rules \"scopa\"]\n[Seed \"3\"]\n\n*\n"]}, "next smazzata"),
    ({"records": 5}, "can't be read"), ({"notes": {"7": []}}, "seat 7"),
    ({"seats": 5}, "can't be read"), ({"version": "x"}, "version"),
])
def test_a_text_that_is_no_game_is_refused_with_the_reason(
    change: dict[str, object], says: str
) -> None:
    saved = {**Game("cirulla", seed=3).to_json(), **change}
    with pytest.raises(GameError, match=says):
        Game.from_text(json.dumps(saved))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"format": 1}'])
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(GameError):
        Game.from_text(text)


# --- a position as plain values ---------------------------------------------------------

def test_legal_actions_say_what_they_take_and_score() -> None:
    legal = {one["action"]: one for one in position_dict(START.view(0))["legal"]}
    assert list(legal) == ["!3C4D7H=1", "!3C4D7H=2", "3CxAS5D6C", "4Dx5D6C", "4DxASKD", "7HxAS6C"]
    assert legal["!3C4D7H=2"] == {
        "action": "!3C4D7H=2", "kind": "claim", "card": None, "cards": ["3C", "4D", "7H"],
        "value": 2, "sweeps": False, "points": 3}
    assert legal["4DxASKD"]["cards"] == ["AS", "KD"]
    assert position_dict(START.view(1))["legal"] == []
    state = State.parse("rules=scopa dealer=1 hands=4CKDKC/?3 table=AS3D taken=2S2C/- viewer=0 "
                        "stock=?30")
    swept = {one["action"]: one for one in position_dict(state)["legal"]}["4CxAS3D"]
    assert (swept["sweeps"], swept["points"]) == (True, 1)
    assert Action(swept["action"]).card == swept["card"]
