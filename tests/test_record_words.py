"""Records as people write them: words for cards and actions, what they leave out, and where
what is wrong stands."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from support.spoken import card_forms, say
from support.strategies import PRESETS, SEEDS, games, rules_of

from cirulla_ai import Action, State
from cirulla_ai.action import step_of
from cirulla_ai.records import Record, RecordError, read_records, write_record
from cirulla_ai.records.phrases import PhraseError, read_phrase
from cirulla_ai.records.words import Naming, read_card, read_cards

FEW = max(settings().max_examples // 10, 1)
DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]
# Dealt by seat 1 under scopa: seat 0 holds AH AC 2H, seat 1 AD AS 2D; 2C 2S 3H 3D lie on
# the table.
HEAD = f"""\
[Seat0 "Ada"]
[Seat1 "Bea"]
[Rules "scopa"]
[Dealer "1"]
[Pack "{''.join(DECK)}"]

"""


def only(text: str) -> Record:
    record, = read_records(text)
    return record


def words(text: str, head: str = HEAD) -> list[str]:
    """The actions of a record that begins with ``head``."""
    return [ply.word for ply in only(head + text).plies]


# --- cards ----------------------------------------------------------------------------

@pytest.mark.parametrize("card", DECK)
def test_every_way_to_write_a_card(card: str) -> None:
    for form in card_forms(card):
        assert read_card(form) == card, form
        assert read_card(f"  {form}\t") == card, form


@pytest.mark.parametrize(("text", "card"), [
    # By hand, from what packs are called: fante, donna or cavallo, and re are worth 8, 9, 10.
    ("7H", "7H"), ("7h", "7H"), ("7♥", "7H"), ("sette di cuori", "7H"), ("seven of hearts", "7H"),
    ("Seven Of Hearts", "7H"), ("7 di coppe", "7H"), ("8D", "JD"), ("9s", "QS"), ("10C", "KC"),
    ("1C", "AC"), ("FS", "JS"), ("DD", "QD"), ("DC", "QC"), ("RQ", "KD"), ("QQ", "QD"),
    ("QF", "QC"), ("7Q", "7D"), ("7F", "7C"), ("7P", "7S"), ("7B", "7C"), ("♠K", "KS"),
    ("D7", "7D"), ("h10", "KH"), ("l'asso di spade", "AS"), ("l’asso di picche", "AS"),
    ("the ace of clubs", "AC"), ("il re di denari", "KD"), ("re di danari", "KD"),
    ("asso d'ori", "AD"), ("cavallo di bastoni", "QC"), ("donna di fiori", "QC"),
    ("il settebello", "7D"), ("Sette Bello", "7D"), ("knave of swords", "JS"), ("dama cuori", "QH"),
    ("fante\tdi   picche", "JS"),
])
def test_cards_by_hand(text: str, card: str) -> None:
    assert read_card(text) == card


def test_cards_one_after_another() -> None:
    want = ("7H", "3C", "JS")
    for text in ("7H3CJS", "7h 3c js", "7♥,3♣,F♠", "7♥3♣8♠", "sette di cuori, tre di fiori e "
                 "fante di picche", "♥7♣3♠J", "7H+3C+JS", "7H & 3C & JS", "H7 C3 S8",
                 "the 7 of hearts, the 3 of clubs and the jack of spades"):
        assert read_cards(text) == want, text
    assert read_cards("") == read_cards("  ") == ()


@pytest.mark.parametrize(("text", "says"), [
    ("8X", "'8X' is no card"), ("sette di bicchieri", "'sette' has no suit"), ("7", "no suit"),
    ("donna", "'donna' has no suit"), ("7H prende", "'prende' is no card"), ("hello", "'hello'"),
    ("7H 11D", "'11D' is no card"), ("DH7", "'DH7' is no card"), ("7H/3C", "'/3C' is no card"),
    ("0H", "'0H'"), ("7H; 3C", "'; 3C'" .replace(" 3C", "")),
])
def test_what_is_no_card(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as caught:
        read_cards(text)
    assert "sette di cuori" in str(caught.value)


def test_one_card_is_one() -> None:
    with pytest.raises(ValueError, match="one card is needed"):
        read_card("7H 3C")


# --- actions --------------------------------------------------------------------------

@pytest.mark.parametrize(("text", "action"), [
    ("7h takes 3c 4d", "7Hx3C4D"), ("7♥ prende 3♣ 4♦", "7Hx3C4D"), ("7Hx3C4D", "7Hx3C4D"),
    ("7H 3C+4D", "7Hx3C4D"), ("7Hx3C+4D", "7Hx3C4D"), ("7h x 3c, 4d", "7Hx3C4D"),
    ("7♥→3♣+4♦", "7Hx3C4D"), ("7h -> 3c 4d", "7Hx3C4D"),
    ("il sette di cuori piglia il tre di fiori e il quattro di quadri", "7Hx3C4D"),
    ("the seven of hearts captures the 3 of clubs and the four of diamonds", "7Hx3C4D"),
    ("takes 3c and 4d with 7h", "7Hx3C4D"), ("prende 3c e 4d con il 7 di coppe", "7Hx3C4D"),
    ("gioca 7h e prende 3c 4d", "7Hx3C4D"), ("7H takes 3C", "7Hx3C"),
    ("laid 7H", "7H"), ("7h laid", "7H"), ("7♥ scartato", "7H"), ("cala il sette di cuori", "7H"),
    ("plays 7H", "7H"), ("fante di picche", "JS"), ("mette giù il re di coppe", "KH"),
    ("claims 3C 4D 7H = 2", "!3C4D7H=2"), ("bussa 3♣ 4♦ 7♥ matta due", "!3C4D7H=2"),
    ("!3c4d7h=2", "!3C4D7H=2"), ("knocks ace of hearts, 2D, 3C", "!AH2D3C"),
    ("accusa asso di cuori, due di quadri e 3 di fiori", "!AH2D3C"),
    ("bussa 3C 4D 7H, la matta vale 2", "!3C4D7H=2"), ("claims 3C 4D 7H for 10", "!3C4D7H=10"),
    ("pass", "pass"), ("Passa", "pass"), ("passes", "pass"), ("> sette di cuori", ">7H"),
    ("passes 7♥", ">7H"), ("passa il 7 di cuori", ">7H"), ("gives the king of cups", ">KH"),
    ("@ 7♥ 3♣ 4♦", "@3C4D7H"), ("dealt 7H, 3C, 4D", "@3C4D7H"), ("riceve 7h 3c 4d", "@3C4D7H"),
])
def test_words_for_actions(text: str, action: str) -> None:
    phrase = read_phrase(text.replace("giù ", ""))
    assert phrase and phrase.step() == step_of(action)


@pytest.mark.parametrize(("text", "says", "at"), [
    ("7H takes", "the cards that are taken are needed", 8),
    ("7H prende niente", "the cards that are taken are needed", 10),
    ("lays", "a card is needed", 4), ("gioca bussa", "a card is needed", 6),
    ("takes 3C 4D", "the card that takes them is needed", 11),
    ("takes 3C with", "a card is needed", 13),
    ("bussa 3C 4D 7H matta", "the value of the matta is needed", 20),
    ("bussa 3C 4D 7H = 7H", "the value of the matta is needed", 17),
])
def test_words_that_break_off(text: str, says: str, at: int) -> None:
    with pytest.raises(PhraseError, match=says) as caught:
        read_phrase(text)
    assert caught.value.at == at


@pytest.mark.parametrize("text", ["", "hello", "e", "con 7H", "tutto", "; 7H", "=2", "?", "/"])
def test_words_that_are_no_action(text: str) -> None:
    assert read_phrase(text) is None


def test_a_card_alone_by_its_rank() -> None:
    phrase = read_phrase("donna")
    assert phrase and phrase.card == Naming("Q") and phrase.step() is None
    assert Naming("Q").cards == ("QH", "QD", "QC", "QS")


# --- what is left out -----------------------------------------------------------------

@pytest.mark.parametrize(("text", "want"), [
    # Seat 0 lays an ace; seat 1 takes it with one of two, or a two with its own.
    ("0:AH 1:AD", ["AH", "ADxAH"]), ("asso di cuori\nasso di picche", ["AH", "ASxAH"]),
    ("0: 2H takes 2C 1: 2", ["2Hx2C", "2Dx2S"]), ("0: due prende 2C", ["2Hx2C"]),
    ("Ada: cala AH\nBea: AD prende tutto", None),
    ("0: AH 1: 2 takes 2c", ["AH", "2Dx2C"]), ("0: AH 1: 2d takes 2 of clubs", ["AH", "2Dx2C"]),
    ("Ada: lays AH Bea: 2D x 2C", ["AH", "2Dx2C"]), ("ada : AH bea: AD", ["AH", "ADxAH"]),
    ("0:AH, 1:AD.", ["AH", "ADxAH"]), ("AH, AD", ["AH", "ADxAH"]),
    ("0: AH; a remark, takes 2C\n1: ADxAH", ["AH", "ADxAH"]),
    ("0: AH {so} 1: AD {and so}", ["AH", "ADxAH"]), ("0:AH!? 1:AD??", ["AH", "ADxAH"]),
    ("1. 0: AH\n   1: 2D takes\n      2C", ["AH", "2Dx2C"]),
    ("1. 0: AH\n   1: 2D takes 2C\n 0: AC", ["AH", "2Dx2C", "ACxAH"]),
])
def test_what_can_be_told_is_not_needed(text: str, want: list[str] | None) -> None:
    if want is None:
        with pytest.raises(RecordError, match="seat 1 can't do this here"):
            words(text)
    else:
        assert words(text) == want


MATTA = ("[Rules \"cirulla\"]\n[State \"rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD "
         "viewer=0\"]\n\n")


@pytest.mark.parametrize(("text", "want"), [
    # With 3C 4D the matta can be 1 or 2: nine or less.
    ("bussa matta 2", ["!3C4D7H=2"]), ("!3C4D7H=1", ["!3C4D7H=1"]), ("claims = 1", ["!3C4D7H=1"]),
    # 3 and AS 5D 6C are fifteen, and that is all that the three takes.
    ("3C", ["3CxAS5D6C"]), ("tre", ["3CxAS5D6C"]), ("tre prende asso 5 e 6", ["3CxAS5D6C"]),
    ("4 takes king and ace", ["4DxASKD"]), ("7", ["7HxAS6C"]), ("7h x 6 1", ["7HxAS6C"]),
    # The other seat's cards are not known: 2 takes no fifteen here, 5 can take 5 or KD.
    ("3C 1: 5H x KD", ["3CxAS5D6C", "5HxKD"]), ("3C 1: 2H x KD", None),
    ("7 1:5H takes the king", ["7HxAS6C", "5HxKD"]),
    ("7 1:5H takes the five", ["7HxAS6C", "5Hx5D"]), ("7 1:2S", ["7HxAS6C", "2S"]),
    ("7 1: busses 2S 2H 2C", None), ("7 1: bussa 2S 2H 2C e gioca 2S",
                                     ["7HxAS6C", "!2H2C2S", "2S"]),
])
def test_what_one_seat_saw(text: str, want: list[str] | None) -> None:
    if want is None:
        with pytest.raises(RecordError):
            words(text, MATTA)
    else:
        assert words(text, MATTA) == want


def test_a_scopa_that_is_said_is_one() -> None:
    taken = [c for c in DECK if c not in ("3C", "4D", "7H", "2H", "2D", "5C", "3S")]
    head = (f"[State \"rules=scopa dealer=1 hands=3C4D7H/2H2D5C table=3S taken={''.join(taken[:3])}"
            f"/- stock={''.join(taken[3:])}\"]\n\n")
    assert words("0: 3c takes 3s, scopa!", head) == ["3Cx3S"]
    assert words("0: tre prende tutto e fa scopa", head) == ["3Cx3S"]
    with pytest.raises(RecordError, match="line 3, column 4: a scopa is said"):
        words("0: 4D scopa", head)


# --- tags -----------------------------------------------------------------------------

def test_the_dealer_sits_before_the_first_to_act() -> None:
    for first, dealer in ((0, 1), (1, 0)):
        text = f'[Rules "scopa"]\n[Seed "3"]\n\n{{so}} 1. {first}: *'.replace(": *", ":")
        start = State.deal("scopa", dealer=dealer, seed=3)
        assert start.turn == first
        record = only(f"{text} {start.legal_actions()[0]} *")
        assert record.start == start
        assert record.comment == "so"
    # By name, of three.
    start = State.deal("scopa players=3", dealer=1, seed=3)
    assert only(f'[Seat2 "C"]\n[Rules "scopa players=3"]\n[Seed "3"]\n\nC: '
                f"{start.legal_actions()[0]} *").start == start
    # Nothing is said: the last seat.
    assert only('[Rules "scopa"]\n[Seed "3"]\n\n*').start.dealer == 1


SEEN = """\
[Seat0 "Ada"]
[Seat1 "Bea"]
[Rules "cirulla"]
[Dealer "bea"]
[Scores "12 a 7"]
[Hand0 "3 di fiori, 4♦ e la 7h"]
[table "asso di picche, 5d 6c re di quadri"]

1. Ada: bussa 3C 4D 7H matta 2
   Ada: 3C
   Bea: cala 2H
"""


def test_what_one_seat_saw_of_the_deal() -> None:
    record = only(SEEN)
    assert record.start == State.parse(
        "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD scores=12/7 viewer=0")
    assert [ply.word for ply in record.plies] == ["!3C4D7H=2", "3CxAS5D6C", "2H"]
    assert dict(record.tags) == {"Seat0": "Ada", "Seat1": "Bea"}
    assert only(write_record(record)) == record


def test_a_dealers_bonus_is_worked_out() -> None:
    """A 5 4 and 5 are fifteen: a point for the dealer, who takes them."""
    record = only('[Viewer "1"]\n[Hand1 "7H 7D 7C"]\n[Table "AS 5D 4C 5S"]\n\n*')
    assert record.start.viewer == record.start.dealer == 1
    assert record.start.table == ()
    assert record.start.scopa == (0, 1)
    assert record.start.taken == ((), ("AS", "4C", "5D", "5S"))


def test_all_hands_where_nothing_is_left() -> None:
    """Ten cards each of four, and no table: nothing is unknown."""
    hands = "".join(f'[Hand{seat} "{" ".join(DECK[seat::4])}"]\n' for seat in range(4))
    record = only(f'[Rules "scopone-scientifico"]\n{hands}\n*')
    assert record.start.viewer is None
    assert record.start.hands[0] == tuple(DECK[0::4])
    assert "[Pack" in write_record(record)


def test_tags_of_what_was_seen_are_kept_where_the_cards_are_given() -> None:
    record = only(HEAD.replace("[Pack", '[Table "by the window"]\n[Hand0 "left"]\n[Pack') + "*")
    assert record.tags["Table"] == "by the window"
    assert record.tags["Hand0"] == "left"


def test_a_pack_as_people_write_it() -> None:
    pack = " ".join(f"{card[0]}{'♥♦♣♠'['HDCS'.index(card[1])]}" for card in DECK)
    assert only(re.sub(r'Pack "\w+"', f'Pack "{pack}"', HEAD) + "*") == only(HEAD + "*")


# --- refused, with line and column ----------------------------------------------------

WRONG = [
    # HEAD is six lines: the actions begin on the seventh.
    ("1. 0:AH 1:hello", 7, 11, "action 'hello': not an action"),
    ("1. 0:AH\n\t1: 2D", 8, 5, "'2D' may be 2Dx2C or 2Dx2S; write which"),
    ("1. 0:AH\n   1: due", 8, 7, "'due' may be 2Dx2C or 2Dx2S; write which"),
    ("1. 0:AH\n   1: 2d takes 3h", 8, 7, "'2d takes 3h': action 2Dx3H is not legal for seat 1; "
     "legal are 2Dx2C 2Dx2S ADxAH ASxAH"),
    ("0:AH 1:2D takes", 7, 16, "the cards that are taken are needed here, as 7H"),
    ("0:AH 1:2D takes boh", 7, 17, "the cards that are taken are needed here"),
    ("0:AH 1: 8h", 7, 9, "'8h': action JH is not legal for seat 1"),
    ("0:AH 1: seven of cups", 7, 9, "'seven of cups': action 7H is not legal for seat 1"),
    ("0:AH 1: sette", 7, 9, "'sette': seat 1 can't do this here; legal are 2Dx2C"),
    ("0:AH Ada: 2D x 2C", 7, 6, "0:2D stands where seat 1 is to play"),
    ("0:KH", 7, 3, "action KH is not legal for seat 0; legal are 2Hx2C 2Hx2S AC AH"),
    ("0:AH 1:", 7, 6, "no action follows 1:"), ("0:AH 3.", 7, 6, "3. stands where round 1"),
    ("0:AH {so", 7, 6, "is never closed"), ("0:AH (so", 7, 6, "is never closed"),
    ("0:AH [Event", 7, 6, "amid the actions"), ("0:AH 3/4", 7, 6, "3/4 ends the record"),
    ("0:AH * 1:AD", 7, 8, "stands after the end"), ("passa", 7, 1, "'passa': action pass is not"),
    ("bussa", 7, 1, "'bussa': seat 0 can't do this here; legal are"),
    ("@ AH 2D 3C", 7, 1, "this whole truth has not just dealt these cards"),
    ("@ asso", 7, 1, "'@ asso': all cards of the hand are needed with their suits"),
]


@pytest.mark.parametrize(("text", "line", "column", "says"), WRONG)
def test_refused_with_line_and_column(text: str, line: int, column: int, says: str) -> None:
    for ends in ("\n", "\r\n", "\r"):
        with pytest.raises(RecordError, match=re.escape(says)) as caught:
            only("\ufeff" + (HEAD + text).replace("\n", ends))
        assert (caught.value.line, caught.value.column) == (line, column)
        assert str(caught.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize(("text", "line", "column", "says"), [
    ('[Rules "scopa"]\n  [Dealer   "Zoe"]\n[Seed "1"]\n', 2, 13, "Dealer: 'Zoe' is not a whole"),
    ('[Rules "scopa"]\n[Scores "3 a x"]\n[Seed "1"]\n', 2, 9, "Scores: 'x' is not a whole"),
    ('[Rules "scopa"] [Seed "1"] [Pack "8 di"]\n', 1, 34, "Pack: "),
    ('[Hand0 "7H 3C 3"]\n[Table "AS5D6CKD"]\n', 1, 8, "Hand0: '3' has no suit"),
    ('[Hand0 "7H 3C"]\n[Table "AS5D6CKD"]\n', 1, 8, "2 cards of seat 0, which is dealt 3"),
    ('[Hand0 "7H 3C 4D"]\n[Table "AS5D6C"]\n', 1, 8, "3 cards on the table, where 4 are laid"),
    ('[Hand0 "7H 3C 4D"]\n[Table "AS5D6C3C"]\n', 1, 8, "3C stands twice"),
    ('[Hand0 "7H 3C 4D"]\n[Table "ASAD6C3S"]\n', 1, 8, "its first table is a misdeal"),
    ('[Hand7 "7H 3C 4D"]\n[Table "AS5D6CKD"]\n', 1, 8, "there is no seat 7; seats are 0 … 1"),
    ('[Hand0 "7H 3C 4D"]\n[Hand1 "7D 3D 5C"]\n[Table "AS5D6CKD"]\n', 1, 8, "where the stock is"),
    ('[Viewer "1"]\n[Hand0 "7H 3C 4D"]\n[Table "AS5D6CKD"]\n', 1, 9, "Hand1 is needed"),
])
def test_tags_refused_with_line_and_column(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(RecordError, match=re.escape(says)) as caught:
        only(text)
    assert (caught.value.line, caught.value.column) == (line, column)


# --- whole games in words -------------------------------------------------------------

def in_words(record: Record, random: Random) -> str:
    """A record with its actions said as people say them."""
    head = write_record(record).split("\n\n")[0]
    lines, state = [], record.start
    for ply in record.plies:
        step = step_of(ply.word)
        seat = state.viewer if ply.is_deal else state.turn
        name = record.names[seat or 0]
        mark = random.choice((f"{seat}: ", f"{seat}:", f"{name}: ", ""))
        lines.append(mark + say(step, state, random))
        state = state.play(step)
    return head + "\n\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("preset", [*PRESETS, "ciapano"])
@settings(max_examples=FEW)
@given(data=st.data())
def test_whole_games_in_words(preset: str, data: st.DataObject) -> None:
    random = Random(data.draw(SEEDS))
    if preset == "ciapano":
        state = start = State.deal("ciapano", seed=random.randrange(10**9))
        actions: list[Action] = []
        while legal := state.legal_actions():
            actions.append(random.choice(legal))
            state = state.apply(actions[-1])
    else:
        game = data.draw(games(st.just(rules_of(f"rules={preset}"))))
        start, actions = game.states[0], list(game.actions)
    names = ["Ada", "Bea di Voltri", "Carlo", "D"][:start.rules.players]
    whole = Record.from_play(start, actions, names=names)
    seat = random.randrange(start.rules.players)
    for record in (whole, whole.seen_by(seat)):
        text = in_words(record, random)
        note(text)
        assert only(text) == record


TEXTS = [SEEN, MATTA + "7 1: bussa 2S 2H 2C e gioca 2S\n", HEAD + "Ada: lays AH\nBea: 2D x 2C\n"
         "prende 2S con il 2 di cuori\n", HEAD + "0: AH, 1: AD takes AH; so\n0: AC\n"]
PIECES = st.sampled_from([
    "takes", "prende ", " e ", "+", "con", "bussa ", "!", "@", ">", "passa", "donna", "7", " di ",
    "cuori", "♥", "\ufe0f", "x", "=", "matta", "tutto", "scopa", "Ada:", "Bea", ":", "0:", "2.",
    "\n", "\t", ",", ".", "'", "->", "lays ", "AH", "7♥3♣", "D7", "DD7", "10", "1", "?", "il ", "A",
    "[Hand0 \"", "[Table \"7H\"]\n", "[Viewer \"1\"]\n", "\"]\n", "settebello", "é", "İ", "ß", "ǰ",
])


@settings(max_examples=3 * settings().max_examples)
@given(st.sampled_from(TEXTS), st.data())
def test_any_change_of_words(text: str, data: st.DataObject) -> None:
    """A record, or an error that says where: nothing else."""
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text)))
        upto = min(len(text), at + data.draw(st.sampled_from((0, 0, 1, 2, 5, 20))))
        text = text[:at] + data.draw(st.one_of(PIECES, st.text(max_size=3))) + text[upto:]
    note(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    errors: list[RecordError] = []
    records = list(read_records(text, on_error=errors.append))
    for error in errors:
        assert error.line and 1 <= error.line <= len(lines)
        if error.column is not None:
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    for record in records:
        back, = read_records(write_record(record))
        assert back == record
        assert write_record(back) == write_record(record)
