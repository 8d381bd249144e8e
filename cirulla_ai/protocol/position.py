"""The ``position`` command: where the game stands, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from cirulla_ai.action import ActionError
from cirulla_ai.basics.numbers import MAX_SEED, whole_number
from cirulla_ai.games.reader import StateError
from cirulla_ai.games.registry import split_tokens
from cirulla_ai.history import History
from cirulla_ai.rules import read_rules
from cirulla_ai.state import State, parse_tokens

__all__ = ["PositionReader", "parse_position"]

USAGE = "state TOKENS… [moves A…], or startpos [TOKENS…] [seed N] [moves A…]"


def parse_position(words: Sequence[str], seed: int | None) -> History:
    """Read the words after ``position``; ``seed`` deals where they name no seed or pack.

    Raises ValueError with the reason; nothing has changed then.
    """
    start, moves = split_moves(words)
    return History(read_start(start, seed), *moves)


def split_moves(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a position before ``moves``, and those after it."""
    lowered = [word.lower() for word in words]
    at = lowered.index("moves") if "moves" in lowered[1:] else len(words)
    return list(words[:at]), list(words[at + 1:])


def read_start(words: Sequence[str], seed: int | None) -> State:
    """The state that the words before ``moves`` say."""
    kind = words[0].lower() if words else ""
    if kind not in ("state", "startpos"):
        given = repr(words[0]) if words else "nothing"
        raise ValueError(f"{given} is neither state nor startpos; it takes {USAGE}")
    return State(*parse_tokens(words[1:])) if kind == "state" else deal(words[1:], seed)


class PositionReader:
    """Reads one position after the other, as a front end sends them: the same start and more
    moves each time.  What was read before is not read and played again."""

    def __init__(self) -> None:
        self._start: list[str] = []
        self._moves: list[str] = []
        self._game: History | None = None

    def read(self, words: Sequence[str], seed: int | None) -> History:
        """As ``parse_position``."""
        start, moves = split_moves(words)
        known = len(self._moves)
        game = None
        # Only a state says by itself where the game begins.
        if self._game and start == self._start and start[0].lower() == "state" and (
                moves[:known] == self._moves):
            # Where one of them can't be, the error is that of the whole.
            with suppress(ActionError):
                game = self._game.play(*moves[known:])
        game = game or History(read_start(start, seed), *moves)
        self._start, self._moves, self._game = start, moves, game
        return game


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
