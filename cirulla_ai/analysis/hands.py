"""Where the unseen cards are: the chance of each to be in each other hand."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

from cirulla_ai._core.cards import card_name
from cirulla_ai._core.contract import InformationSet
from cirulla_ai.state import State

__all__ = ["Hands", "chances"]

# By seat and card.
Hands = Mapping[int, Mapping[str, float]]
# Worlds that are drawn: chances are good to a hundredth.
WORLDS = 4096
# Parts of one, which a chance is told in.
PARTS = 10_000


def chances(known: InformationSet, view: State, seat: int, seed: int) -> Hands:
    """For each seat but ``seat`` the chance that an unseen card is in its hand, likeliest first.

    Cards that it can't hold are left out, and so are seats without unseen cards.  To the fourth
    place the chances of a seat add up to the number of cards that it holds unseen.
    """
    worlds = WORLDS if known.truth() is None else 1
    return {
        other: _shares(row, view.unknown[other])
        for other, row in enumerate(known.hands(worlds, seed))
        if other != seat and view.unknown[other]}


def _shares(row: list[float], cards: int) -> Mapping[str, float]:
    """Chances by card, rounded so that they still add up to the number of cards."""
    parts = [chance * PARTS for chance in row]
    whole = [floor(part) for part in parts]
    # What rounding down has taken goes to those that lost most by it.
    missing = cards * PARTS - sum(whole)
    for card in sorted(range(len(row)), key=lambda card: whole[card] - parts[card])[:missing]:
        whole[card] += 1
    return {card_name(card): whole[card] / PARTS
            for card in sorted(range(len(row)), key=lambda card: (-whole[card], card))
            if whole[card]}
