"""The ``position`` command: where the game stands, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cirulla_ai.knowledge import Knowledge
from cirulla_ai.notation import StateError, parse_tokens, read_rules, split_tokens
from cirulla_ai.rules import Rules, whole_number
from cirulla_ai.state import State

__all__ = ["GamePosition", "parse_position"]

DEAL_KEYS = ("rules", "dealer", "scores", "misdeals", "pack")


@dataclass(frozen=True)
class GamePosition:
    """A state, the words played from it, and the state after them."""

    start: State
    words: tuple[str, ...]
    state: State

    def knowledge(self) -> Knowledge:
        """What the seat to move (or the viewer) knows, with what it saw of the words."""
        seat = self.state.viewer if self.state.viewer is not None else self.state.turn
        if seat is None:
            return Knowledge(self.state)
        return Knowledge.replay(self.start, self.words, seat)


def parse_position(
    words: Sequence[str], seed: int | None, known: Rules | None = None
) -> GamePosition:
    """Read the words after ``position``; ``seed`` deals where they name no seed or pack.

    ``known`` are rules to use again where the position's are the same.

    Raises ValueError with the reason; nothing has changed then.
    """
    if not words or words[0].lower() not in ("state", "startpos"):
        given = f"{words[0]!r} after position" if words else "nothing after position"
        raise ValueError(f"{given}; it takes: state TOKENS… [moves A…], or startpos [TOKENS…] "
                         "[seed N] [moves A…]")
    kind = words[0].lower()
    rest = list(words[1:])
    moves: list[str] = []
    lowered = [word.lower() for word in rest]
    if "moves" in lowered:
        at = lowered.index("moves")
        rest, moves = rest[:at], rest[at + 1:]
    if kind == "state":
        start = State(*parse_tokens(rest, known))
    else:
        start = deal(rest, seed, known)
    return GamePosition(start, tuple(moves), start.play(*moves))


def deal(words: Sequence[str], seed: int | None, known: Rules | None) -> State:
    """``startpos``: deal as its tokens say."""
    tokens = list(words)
    given: int | None = None
    lowered = [word.lower() for word in tokens]
    if "seed" in lowered:
        at = lowered.index("seed")
        if at + 1 == len(tokens):
            raise StateError("seed", "no number after it")
        try:
            given = whole_number(tokens[at + 1])
        except ValueError as error:
            raise StateError("seed", str(error)) from None
        del tokens[at:at + 2]
    state, options = split_tokens(tokens, DEAL_KEYS)
    state.setdefault("rules", "cirulla")
    rules = read_rules(state, options, known)

    def number(key: str, text: str) -> int:
        try:
            return whole_number(text)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    pack = state.get("pack")
    if pack is None and given is None:
        given = seed
    return State.deal(
        rules,
        dealer=number("dealer", state["dealer"]) if "dealer" in state else None,
        seed=given,
        pack=pack,
        scores=[number("scores", part) for part in state["scores"].split("/")]
        if "scores" in state else None,
        misdeals=number("misdeals", state.get("misdeals", "0")),
    )
