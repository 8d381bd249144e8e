"""Smazzate played on by a game's quick way to play, from deals and from decisions.

Written over the contract, as the search is: a new game inherits it.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.contract cimport Position, QuickPlay, margins
from cirulla_ai._core.equity cimport Equity, match_equity
from cirulla_ai._core.game cimport EVENT_DEAL, MAX_SIDES, Game, Outcome, Quick
from cirulla_ai._core.rng cimport Rng


cdef void deal_value(
    const Game *g, const Quick *q, void *state, Rng *rng, Outcome *out
) noexcept nogil:
    """What a round that was just dealt comes to; the state is played on for it.

    It is played to its end, which is worth what can be expected then.  A round that can be
    solved is solved, and where nothing is known of the deals to come the smazzata is played
    out.
    """
    while g.turn(state) >= 0:
        if q.solve(q.rules, q.aid, state, out):
            return
        if q.advance(q.rules, q.aid, state, rng) == EVENT_DEAL and q.expect(
            q.rules, q.aid, state, out
        ):
            return
    q.outcome(q.rules, state, out)


cdef void add_value(
    const Game *g, const Quick *q, Equity equity, const void *dealt, void *work, bint redeal,
    int plays, Rng *rng, double *points, double *chances
) noexcept nogil:
    """Add what so many plays of a deal, or of other deals, come to in the mean."""
    cdef Outcome out
    cdef double values[MAX_SIDES]
    cdef int _i, side
    for _i in range(plays):
        memcpy(work, dealt, g.state_size)
        if redeal:
            q.redeal(q.rules, work, rng)
        deal_value(g, q, work, rng, &out)
        margins(out.points, g.sides, values)
        for side in range(g.sides):
            points[side] += values[side] / plays
        match_equity(&equity.c, out.scores, out.won, out.left, out.dealer, values)
        for side in range(g.sides):
            chances[side] += values[side] / plays


def deal_values(
    QuickPlay quick, Position dealt, Equity equity, int plays, int redeals, uint64_t seed
):
    """What a deal is worth, and what others of the same cards are in the mean.

    ``dealt``: a whole truth in which cards were just dealt.  It is played ``plays`` times, and
    each of ``redeals`` others once.  Returns (points, chances) of the deal and (points,
    chances) of the others, for each side: points less the mean of the others', and the chance
    to win the match, for which ``equity`` has to be prepared.  Raises ValueError for any other
    position.
    """
    cdef const Game *g = dealt.game()
    cdef const Quick *q = &quick.quick
    cdef double own[2][MAX_SIDES]
    cdef double mean[2][MAX_SIDES]
    cdef Rng rng
    cdef void *work
    cdef int side
    if dealt.viewer >= 0 or not quick.is_fresh(dealt):
        raise ValueError("only a whole truth in which cards were just dealt has a deal's value")
    if plays < 1 or redeals < 1:
        raise ValueError(f"{plays} plays and {redeals} other deals: at least one of each is needed")
    work = malloc(g.state_size)
    if work == NULL:
        raise MemoryError("a state does not fit in memory")
    memset(own, 0, sizeof(own))
    memset(mean, 0, sizeof(mean))
    rng.state = seed
    with nogil:
        add_value(g, q, equity, dealt.state, work, False, plays, &rng, own[0], own[1])
        add_value(g, q, equity, dealt.state, work, True, redeals, &rng, mean[0], mean[1])
    free(work)
    sides = range(g.sides)
    return (
        ([own[0][side] for side in sides], [own[1][side] for side in sides]),
        ([mean[0][side] for side in sides], [mean[1][side] for side in sides]))
