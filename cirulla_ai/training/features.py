"""Public states as the inputs of a network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["features"]

CARDS = 40
DECLARED = 11


def features(states: NDArray[np.uint64], sides: int) -> NDArray[np.uint8]:
    """Inputs, 0 or 1, of shape (samples, 40 · (1 + sides) + sides + 11).

    ``states`` are rows as ``SelfPlay.states`` makes them: the table, what each side has
    taken, 1 + the side that captured last, the declared value of a matta on the table.
    """
    n = len(states)
    columns = []
    for k in range(1 + sides):
        octets = states[:, k].astype("<u8").view(np.uint8).reshape(n, 8)
        columns.append(np.unpackbits(octets, axis=1, bitorder="little")[:, :CARDS])
    last, declared = states[:, 1 + sides], states[:, 2 + sides]
    columns.append((last[:, None] == 1 + np.arange(sides)).astype(np.uint8))
    known = (declared[:, None] == np.arange(DECLARED)) & (declared[:, None] > 0)
    columns.append(known.astype(np.uint8))
    return np.concatenate(columns, axis=1)
