"""The ``position`` command: where the game stands, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence

from cirulla_ai.basics.numbers import MAX_SEED, whole_number
from cirulla_ai.games.reader import StateError
from cirulla_ai.games.registry import split_tokens
from cirulla_ai.history import GamePosition
from cirulla_ai.rules import read_rules
from cirulla_ai.state import State, parse_tokens

__all__ = ["parse_position"]


USAGE = "state TOKENS… [moves A…], or startpos [TOKENS…] [seed N] [moves A…]"


def parse_position(words: Sequence[str], seed: int | None) -> GamePosition:
    """Read the words after ``position``; ``seed`` deals where they name no seed or pack.

    Raises ValueError with the reason; nothing has changed then.
    """
    kind = words[0].lower() if words else ""
    if kind not in ("state", "startpos"):
        given = repr(words[0]) if words else "nothing"
        raise ValueError(f"{given} is neither state nor startpos; it takes {USAGE}")
    rest = list(words[1:])
    moves: list[str] = []
    lowered = [word.lower() for word in rest]
    if "moves" in lowered:
        at = lowered.index("moves")
        rest, moves = rest[:at], rest[at + 1:]
    start = State(*parse_tokens(rest)) if kind == "state" else deal(rest, seed)
    return GamePosition(start, tuple(moves), start.play(*moves))


def deal(words: Sequence[str], seed: int | None) -> State:
    """``startpos``: deal as its tokens say."""
    tokens = list(words)
    lowered = [word.lower() for word in tokens]
    given: int | None = None
    if "seed" in lowered:
        at = lowered.index("seed")
        if at + 1 == len(tokens):
            raise StateError("seed", f"no number after it, 0 … {MAX_SEED}")
        given = number("seed", tokens[at + 1])
        del tokens[at:at + 2]
    state, options = split_tokens(tokens, dealing=True)
    state.setdefault("rules", "cirulla")
    rules = read_rules(state, options)
    pack = state.get("pack")
    return State.deal(
        rules,
        dealer=number("dealer", state["dealer"]) if "dealer" in state else None,
        seed=seed if pack is None and given is None else given,
        pack=pack,
        scores=[number("scores", part) for part in state["scores"].split("/")]
        if "scores" in state else None,
        misdeals=number("misdeals", state.get("misdeals", "0")),
    )


def number(key: str, text: str) -> int:
    """A number among the tokens; raises StateError."""
    try:
        return whole_number(text)
    except ValueError as error:
        raise StateError(key, str(error)) from None
