"""Fitting one small network: a hidden layer of rectified units, least squares, Adam.

Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015; the step falls as a
half cosine (Loshchilov and Hutter, "SGDR", ICLR 2017).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fit", "fit"]

Floats = NDArray[np.float32]

BATCH = 512
STEP = 3e-3
# How fast the means of the gradients and of their squares forget.
FORGET = (0.9, 0.999)
# Inputs that are on in a usual state, which sets the scale of the first weights.
USUAL_ON = 30
# Of the samples, one in so many is held out.
HELD_OUT = 20


@dataclass(frozen=True)
class Fit:
    """A fitted network and how well it does on samples that it has not seen.

    ``numbers``: its weights as the core takes them.  ``error``: the root mean square error
    of the difference of the first side's points and the mean of the others', ``spread`` the
    standard deviation of that difference.
    """

    numbers: Floats
    error: float
    spread: float


def fit(
    inputs: NDArray[np.uint8], targets: Floats, hidden: int, epochs: int, seed: int,
    start: Floats | None = None,
) -> Fit:
    """Fit inputs (samples, inputs) to targets (samples, outputs); deterministic from ``seed``.

    The outputs are the points of each side, or the margin alone.  With ``start``, the
    numbers of a network of this shape, it goes on from there, in steps half as long.
    """
    random = np.random.default_rng(seed)
    held = len(inputs) // HELD_OUT
    x, y = inputs[held:], targets[held:]
    n, outputs = y.shape
    if start is None:
        step_size = STEP
        weights: list[Floats] = [
            random.normal(0, USUAL_ON ** -0.5, (x.shape[1], hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            random.normal(0, hidden ** -0.5, (hidden, outputs)).astype(np.float32),
            y.mean(0),
        ]
    else:
        step_size = STEP / 2
        weights = _weights(start, x.shape[1], hidden, outputs)
    means = [np.zeros_like(w) for w in weights]
    squares = [np.zeros_like(w) for w in weights]
    batches = n // BATCH
    step = 0
    for _ in range(epochs):
        order = random.permutation(n)
        for b in range(batches):
            chosen = order[b * BATCH:(b + 1) * BATCH]
            step += 1
            rate = step_size * 0.5 * (1 + np.cos(np.pi * step / (epochs * batches)))
            rate *= np.sqrt(1 - FORGET[1] ** step) / (1 - FORGET[0] ** step)
            for w, gradient, mean, square in zip(
                weights, _gradients(weights, x[chosen].astype(np.float32), y[chosen]),
                means, squares, strict=True,
            ):
                mean += (1 - FORGET[0]) * (gradient - mean)
                square += (1 - FORGET[1]) * (gradient * gradient - square)
                w -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
    weights = [_rounded(w) for w in weights]
    wrong = _margin(_output(weights, inputs[:held].astype(np.float32)) - targets[:held])
    return Fit(
        numbers=np.concatenate([weights[0].ravel(), weights[1], weights[2].T.ravel(), weights[3]]),
        error=float(np.sqrt((wrong ** 2).mean())),
        spread=float(_margin(targets[:held]).std()),
    )


def _rounded(w: Floats) -> Floats:
    """In half precision without the last four bits: what is below them is luck."""
    bits = w.astype(np.float16).view(np.uint16)
    return ((bits + np.uint16(8)) & np.uint16(0xFFF0)).view(np.float16).astype(np.float32)


def _weights(numbers: Floats, inputs: int, hidden: int, outputs: int) -> list[Floats]:
    """The matrices of ``Fit.numbers``, as copies."""
    sizes = np.cumsum([inputs * hidden, hidden, hidden * outputs])
    rows, biases, out, last = np.split(numbers, sizes)
    return [rows.reshape(inputs, hidden).copy(), biases.copy(),
            np.ascontiguousarray(out.reshape(outputs, hidden).T), last.copy()]


def _output(weights: list[Floats], x: Floats) -> Floats:
    return np.asarray(np.maximum(x @ weights[0] + weights[1], 0) @ weights[2] + weights[3])


def _gradients(weights: list[Floats], x: Floats, y: Floats) -> list[Floats]:
    """Gradients of half the mean square error."""
    before = x @ weights[0] + weights[1]
    layer = np.maximum(before, 0)
    wrong = (layer @ weights[2] + weights[3] - y) / np.float32(len(x))
    back = (wrong @ weights[2].T) * (before > 0)
    return [x.T @ back, back.sum(0), layer.T @ wrong, wrong.sum(0)]


def _margin(points: Floats) -> Floats:
    """The first side's points minus the mean of the others'; or the margin that it is."""
    if points.shape[1] == 1:
        return points[:, 0]
    return np.asarray(points[:, 0] - points[:, 1:].mean(1))
