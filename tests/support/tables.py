"""Games played at a table for the tests: at random, by people alone, from any deal."""

from __future__ import annotations

import re
from random import Random

from cirulla_ai import PRESETS, History, State
from cirulla_ai.look import CARDS
from cirulla_ai.play import Game

__all__ = ["RULES", "alike", "play_out"]

# All presets, three seats of the fishing family, and options that change what is scored.
RULES = (*PRESETS, "cirulla players=3", "ciapano cappotto=yes",
         "scopa claim=optional matta=7H claim_time=round target=5")

CARD = re.compile("[A2-7JQK][HDCS]")


def play_out(game: Game, random: Random, smazzate: int = 1) -> None:
    """Random plays by people, until so many smazzate are over, or the match is."""
    while game.stage != "over" and len(game.records) < smazzate:
        if game.stage == "between":
            game.deal()
        turn = game.turn
        if turn is not None:
            game.act(turn, random.choice(game.view(turn).state.legal_actions()))


def alike(game: History, seat: int, steps: int, random: Random) -> History | None:
    """Another truth that ``seat`` can't have told from this one after so many steps: the cards
    that it had not seen by then lie elsewhere.  None where none was found in a few tries."""
    start, before = game.start, History(game.start, *game.steps[:steps])
    seen = before.view(seat)
    known = set(CARD.findall(" ".join([*map(str, seen.states), *seen.words])))
    hidden = [card for card in CARDS if card not in known]
    for _ in range(20):
        shuffled = hidden[:]
        random.shuffle(shuffled)
        swap = dict(zip(hidden, shuffled, strict=True))
        other = _swapped(start, swap)
        if other is None or other == start:
            continue
        try:
            found = History(other, *(_swapped_step(str(step), swap) for step in before.steps))
        except ValueError:
            # What was done by rule alone may not be possible now.
            continue
        if found.view(seat) == seen:
            return found
    return None


def _swapped(start: State, swap: dict[str, str]) -> State | None:
    """The start with cards in others' places, None where it is no state."""
    words = []
    for word in str(start).split():
        key, _, value = word.partition("=")
        if key in ("hands", "stock"):
            value = "/".join(_swap_cards(part, swap) for part in value.split("/"))
        words.append(f"{key}={value}")
    try:
        return State.parse(" ".join(words))
    except ValueError:
        return None


def _swap_cards(cards: str, swap: dict[str, str]) -> str:
    if cards == "-":
        return cards
    return "".join(swap.get(cards[k:k + 2], cards[k:k + 2]) for k in range(0, len(cards), 2))


def _swapped_step(step: str, swap: dict[str, str]) -> str:
    """A card that was handed on unseen may be another."""
    return f">{swap.get(step[1:], step[1:])}" if step.startswith(">") else step
