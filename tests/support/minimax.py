"""The value of a position by trying everything, through the public API alone."""

from __future__ import annotations

from cirulla_ai import State

__all__ = ["minimax"]


def minimax(state: State, won: int) -> int:
    """What side 0 of two gets more than side 1, all cards known; ``won``: what the match counts
    that is won outright."""
    if state.is_over:
        if state.won is not None:
            return won if state.won == 0 else -won
        ours, theirs = state.points()
        return int(ours.total - theirs.total)
    values = [minimax(state.apply(action), won) for action in state.legal_actions()]
    side = state.rules.side(state.turn or 0)
    return max(values) if side == 0 else min(values)
