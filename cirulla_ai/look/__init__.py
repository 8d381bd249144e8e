"""How things look and sound: the deck, colours, and words in English and Italian.

What the pages share, and what knows no game by its code: cards, actions and states are texts here,
as the notation writes them.
"""

from __future__ import annotations

from importlib.resources import files

from cirulla_ai.look.deck import BACK, CARDS, RANKS, SUITS, card, sprite
from cirulla_ai.look.words import LANGUAGES, TERMS, Words, word_table

__all__ = ["BACK", "CARDS", "LANGUAGES", "RANKS", "SUITS", "TERMS", "Words", "card", "sprite",
           "style", "word_table"]


def style() -> str:
    """The style sheet that all pages begin with: colours as variables, and the deck's looks."""
    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")
