"""The words: both languages whole, and what a person would say."""

from __future__ import annotations

import string

import pytest

from cirulla_ai import State
from cirulla_ai.look import CARDS, LANGUAGES, TERMS, Words
from cirulla_ai.look.words import TEXTS, cards_of, parts_of


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_every_text_is_there_in_both_languages_with_the_same_to_put_in(key: str) -> None:
    texts = TEXTS[key]
    assert len(texts) == len(LANGUAGES) and all(texts)
    assert fields(texts[0]) == fields(texts[1])


@pytest.mark.parametrize("key", TERMS)
def test_every_term_is_explained_in_one_line(key: str) -> None:
    assert len(TERMS[key]) == len(LANGUAGES)
    for name, line in TERMS[key]:
        assert name and 10 < len(line) < 180 and "\n" not in line


@pytest.mark.parametrize("words", [Words(language, latin=latin) for language in LANGUAGES
                                   for latin in (False, True)])
def test_every_card_has_a_name_of_its_own(words: Words) -> None:
    assert len({words.card(name) for name in CARDS}) == 40
    assert len({words.the(name) for name in CARDS}) == 40


def test_cards() -> None:
    assert Words("en").card("7D") == "seven of diamonds"
    assert Words("it").card("7D") == "sette di quadri"
    assert Words("it", latin=True).card("7D") == "sette di denari"
    assert Words("it", latin=True).card("QC") == "cavallo di bastoni"
    assert Words("it").the("QS") == "la donna di picche"
    assert Words("it").the("AH") == "l'asso di cuori"
    assert Words("it").the("KC") == "il re di fiori"
    assert Words("en").sign("KC") == "K♣"


def test_what_was_done() -> None:
    assert Words("en").did("4C", "A") == "A laid the four of clubs"
    assert Words("en", tricks=True).did("4C") == "You played the four of clubs"
    assert Words("it").did("4C", "A") == "A ha calato il quattro di fiori"
    assert Words("en").did("6Sx2S4C") == (
        "You took the two of spades and the four of clubs with the six of spades")
    assert Words("it").did("!3C4D7H=2") == (
        "Hai bussato con il tre di fiori, il quattro di quadri e il sette di cuori, "
        "il sette di cuori vale 2")
    assert Words("it", tricks=True).did(">?", "A") == "A ha passato una carta non vista"


def test_numbers() -> None:
    assert Words("en").number(-1.25, 2) == "−1.25"
    assert Words("it").number(1.25, 2, signed=True) == "+1,25"
    assert Words("en").number(-0.001, signed=True) == "0.0"
    assert Words("en").points(1) == "1 point"
    assert Words("it").points(1.3) == "1,3 punti"
    assert Words("en").percent(0.543) == "54%"


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano", "cirulla-coppie"])
def test_every_action_of_a_game_can_be_said(rules: str) -> None:
    state = State.deal(rules, seed=11)
    said: dict[str, str] = {}
    while not state.is_over:
        for action in map(str, state.legal_actions()):
            for words in (Words("en"), Words("it")):
                text = words.short(action)
                assert said.setdefault(words.language + text, action) == action
                assert "{" not in text + words.did(action, "A")
        state = state.apply(state.legal_actions()[-1])


def test_what_is_written_in_the_notation_is_read() -> None:
    assert cards_of("?3") == cards_of("-") == []
    assert parts_of("ADx5D6C") == ("take", "AD", ["5D", "6C"], None)


def test_a_language_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="'fr': en or it is needed"):
        Words("fr")
