"""States as the inputs of a network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["after_features", "features"]

CARDS = 40
DECLARED = 11

States = NDArray[np.uint64]
Inputs = NDArray[np.uint8]


def features(states: States, sides: int) -> Inputs:
    """Inputs, 0 or 1, of shape (samples, 40 · (1 + sides) + sides + 11).

    ``states`` are rows as ``SelfPlay.states`` makes them: the table, what each side has
    taken, 1 + the side that captured last, the declared value of a matta on the table.
    """
    return np.concatenate([
        *(_cards(states[:, k]) for k in range(1 + sides)),
        _one_of(states[:, 1 + sides], sides, first=1),
        _one_of(states[:, 2 + sides], DECLARED),
    ], axis=1)


def after_features(states: States, sides: int, inputs: int) -> Inputs:
    """Inputs, 0 or 1, of shape (samples, ``inputs``).

    ``states`` are rows as ``SelfPlay.afterstates`` makes them: the hand, then as in
    ``features``, then the plays left in the round.
    """
    others = features(states[:, 1:-1], sides)
    plays = inputs - CARDS - others.shape[1]
    return np.concatenate(
        [_cards(states[:, 0]), others, _one_of(states[:, -1], plays)], axis=1)


def _cards(sets: States) -> Inputs:
    octets = sets.astype("<u8").view(np.uint8).reshape(len(sets), 8)
    return np.unpackbits(octets, axis=1, bitorder="little")[:, :CARDS]


def _one_of(numbers: States, n: int, first: int = 0) -> Inputs:
    """A column for each number from ``first`` on; 0 is no number."""
    found = (numbers[:, None] == first + np.arange(n)) & (numbers[:, None] > 0)
    return np.asarray(found, np.uint8)
