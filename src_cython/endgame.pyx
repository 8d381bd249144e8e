"""Exact solving once all cards are known: two sides, no stock.

Plain alpha–beta over the core, captures first.  With two players the last round is such a
game: what nobody has seen is in the other hand.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from cirulla_ai._core.cards cimport DECK
from cirulla_ai._core.fishing cimport (
    PHASE_DONE, FishingRules, FishingState, fishing_apply, fishing_legal, fishing_totals,
    side_of,
)
from cirulla_ai._core.game cimport Actions
from cirulla_ai._core.position cimport Position
from cirulla_ai._core.stop cimport Stop

cdef enum:
    # More than any line of play that is left: 40 cards, claims and passes.
    MAX_PLIES = 128

cdef int INFINITE = 1 << 28

cdef struct Solver:
    const FishingRules *rules
    int win                 # value of winning the match outright, in points
    int64_t nodes
    int64_t most_nodes
    const bint *stop
    bint failed             # out of nodes, memory or stopped: the value is worth nothing
    Actions lists[MAX_PLIES]


cdef int leaf(const Solver *v, const FishingState *s) noexcept nogil:
    """Points of side 0 minus those of side 1 in a finished smazzata."""
    cdef int totals[3]
    if s.won >= 0:
        return v.win if s.won == 0 else -v.win
    fishing_totals(v.rules, s, totals)
    return totals[0] - totals[1]


cdef int value_of(
    Solver *v, const FishingState *s, int ply, int alpha, int beta
) noexcept nogil:
    """The value for side 0 with best play, exact between ``alpha`` and ``beta``."""
    cdef FishingState child
    cdef Actions *list = v.lists + ply
    cdef int64_t i
    cdef int best, value, kind
    cdef bint maximise
    if s.phase == PHASE_DONE:
        return leaf(v, s)
    v.nodes += 1
    if v.nodes > v.most_nodes or v.stop[0] or ply + 1 >= MAX_PLIES:
        v.failed = True
    if v.failed:
        return 0
    fishing_legal(v.rules, s, list)
    if list.failed:
        v.failed = True
        return 0
    maximise = side_of(v.rules, s.turn) == 0
    best = -INFINITE if maximise else INFINITE
    # Captures and claims first: they are most often best, and cut off the rest.
    for kind in range(2):
        for i in range(list.n):
            if ((list.data[i] & DECK) == 0) != kind:
                continue
            memcpy(&child, s, sizeof(FishingState))
            fishing_apply(v.rules, &child, list.data[i])
            value = value_of(v, &child, ply + 1, alpha, beta)
            if v.failed:
                return 0
            if maximise:
                if value > best:
                    best = value
                if best > alpha:
                    alpha = best
            else:
                if value < best:
                    best = value
                if best < beta:
                    beta = best
            if alpha >= beta:
                return best
    return best


def is_solvable(Position position):
    """Whether everything is known and no card is left to deal, between two sides."""
    cdef int seat
    if position.rules.c.sides != 2 or position.c.at != position.c.end:
        return False
    if position.c.turn < 0:
        return False
    for seat in range(position.rules.c.players):
        if position.c.unknown[seat]:
            return False
    return True


def solve(Position position, int win, int64_t most_nodes=1 << 40, Stop stop=None):
    """Exact values of all legal actions: [(code, value)], or None where it took too long.

    A value is the points over the whole smazzata of the side to move minus those of the
    other side, with best play of both; winning the match outright counts ``win``, losing
    it -``win``.  Gives up after ``most_nodes`` positions or a raised ``stop``.  Raises
    ValueError where ``is_solvable`` is False.
    """
    cdef Solver v
    cdef Actions root
    cdef FishingState child
    cdef int64_t i
    cdef int sign, value = 0
    if not is_solvable(position):
        raise ValueError("only a position with all cards known and no stock can be solved, "
                         "between two sides")
    if stop is None:
        stop = Stop()
    memset(&v, 0, sizeof(Solver))
    v.rules = &position.rules.c
    v.win = win
    v.most_nodes = most_nodes
    v.stop = &stop.raised
    sign = 1 if side_of(v.rules, position.c.turn) == 0 else -1
    root = position.legal_list()
    out = []
    try:
        for i in range(root.n):
            with nogil:
                memcpy(&child, &position.c, sizeof(FishingState))
                fishing_apply(v.rules, &child, root.data[i])
                value = value_of(&v, &child, 0, -INFINITE, INFINITE)
            if v.failed:
                return None
            out.append((root.data[i], sign * value))
        return out
    finally:
        free(root.data)
        for i in range(MAX_PLIES):
            free(v.lists[i].data)
