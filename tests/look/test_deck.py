"""The deck: what is drawn, that it is whole, that it can be read in light and dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from cirulla_ai._core.cards import card_name
from cirulla_ai.look import BACK, CARDS, card, sprite, style

SVG = "{http://www.w3.org/2000/svg}"


def drawn() -> ElementTree.Element:
    return ElementTree.fromstring(sprite().replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def test_there_is_a_symbol_for_each_card_and_one_for_the_back() -> None:
    names = [symbol.get("id", "") for symbol in drawn().iter(f"{SVG}symbol")]
    cards = [name for name in names if name[0] == "c"]
    assert sorted(cards) == sorted(["c0", *(f"c{name}" for name in CARDS)])
    assert sorted(CARDS) == sorted(map(card_name, range(40)))


def test_what_is_referred_to_is_there_and_ids_are_unique() -> None:
    ids = [element.get("id") for element in drawn().iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("href", "")[1:] for element in drawn().iter(f"{SVG}use")}
    assert used <= set(ids)


def test_a_numbered_card_has_as_many_pips_as_it_says() -> None:
    symbols = {symbol.get("id"): symbol for symbol in drawn().iter(f"{SVG}symbol")}
    for value, rank in enumerate("A234567", 1):
        for suit in "HDCS":
            uses = [use.get("href") for use in symbols[f"c{rank}{suit}"].iter(f"{SVG}use")]
            assert uses.count(f"#p{suit}") == value
            # One in each corner, and the rank.
            assert uses.count(f"#m{suit}") == uses.count(f"#n{rank}") == 2


def test_the_sprite_is_small_and_all_of_its_looks_are_in_the_style_sheet() -> None:
    assert 15_000 < len(sprite().encode()) < 30_000
    classes = set(re.findall(r'class="([^"]+)"', sprite() + card("7H", "")))
    for name in {one for text in classes for one in text.split()}:
        assert f".{name} " in style()


def test_a_card_has_its_words_and_nothing_gets_out_of_them() -> None:
    assert 'aria-label="seven of &quot;hearts&quot; &lt;"' in card("7H", 'seven of "hearts" <')
    assert 'aria-hidden="true"' in card(BACK, "")
    assert "#b10" in card("7H", "wild", 10)


# --- colours ----------------------------------------------------------------------------

def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    channels = [int(colour[place:place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def tokens(dark: bool) -> dict[str, str]:
    found = {}
    for name, value in re.findall(r"--([\w-]+): ([^;]+);", style()):
        both = re.fullmatch(r"light-dark\((#\w+), (#\w+)\)", value)
        found[name] = both[1 + dark] if both else value
    return found


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read(dark: bool) -> None:
    colours = tokens(dark)
    for ground in ("ground", "paper"):
        for text in ("ink", "soft", "accent", "error", "doubt", "good", "luck", "rest"):
            assert contrast(colours[ground], colours[text]) >= 4.5, (ground, text)
    assert contrast(colours["felt"], colours["on-felt"]) >= 4.5


def test_suits_can_be_told_from_the_card() -> None:
    for colour in re.findall(r"--(?:hearts|diamonds|clubs|spades): (#\w+)", style()):
        assert contrast(tokens(False)["card"], colour) >= 4.5


def test_contrast_is_what_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_suit_has_both_looks() -> None:
    for suit in "HDCS":
        (pip,) = (group for group in drawn().iter(f"{SVG}g") if group.get("id") == f"p{suit}")
        assert [path.get("class") for path in pip] == ["kn", "ko"]
        assert len({path.get("d") for path in pip}) == 2
