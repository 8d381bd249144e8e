"""What helps a search to tell how a smazzata will end: exact last rounds and learned values.

Without it every line is played out at random to the end of the smazzata.
"""

from libc.stdint cimport INT64_MAX
from libc.string cimport memset

from cirulla_ai._core.fishing cimport PHASE_DONE, FishingRules, FishingState, side_of
from cirulla_ai._core.fishing_endgame cimport quickly_solved, solvable, solve_outcome, solver_free
from cirulla_ai._core.fishing_playout cimport random_turns
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_scoring cimport fishing_outcome
from cirulla_ai._core.fishing_value cimport Value, state_value
from cirulla_ai._core.game cimport Actions, Game, Outcome
from cirulla_ai._core.rng cimport Rng
from cirulla_ai._core.stop cimport Stop


cdef bint _solve(
    const FishingRules *r, Aid *aid, const FishingState *s, Outcome *out
) noexcept nogil:
    """The outcome with best play of a last round in which all is known, if it is one."""
    return aid.exact and solvable(r, s) and solve_outcome(&aid.solver, s, out)


cdef void _estimate(
    const FishingRules *r, const Aid *aid, const FishingState *s, int round, Outcome *out
) noexcept nogil:
    """The outcome that the networks expect, as at the end of ``round``."""
    cdef int side
    state_value(aid.nets, r, s, round, out.points)
    for side in range(r.sides):
        out.scores[side] = s.scores[side] + out.points[side]
    out.won = -1
    out.left = r.n_rounds - round
    out.dealer = side_of(r, s.dealer)


cdef int _finish(
    const void *rules, void *helper, void *state, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef FishingState *s = <FishingState *>state
    cdef Aid *aid = <Aid *>helper
    cdef int played = 0
    while s.phase != PHASE_DONE:
        # Before the last round too: the value of all deals at once says more than the solution
        # of the one that was drawn, and costs less.
        if aid.nets != NULL and s.round > aid.horizon:
            _estimate(r, aid, s, s.round - 1, out)
            return played
        if _solve(r, aid, s, out):
            return played
        played += random_turns(r, s, rng, scratch, 1 << 30, s.round)
    fishing_outcome(r, s, out)
    return played


cdef bint _known(const void *rules, const void *helper, const void *state) noexcept nogil:
    cdef const Aid *aid = <const Aid *>helper
    cdef const FishingState *s = <const FishingState *>state
    return (
        aid.nets != NULL and s.round > aid.horizon
        or aid.exact and solvable(<const FishingRules *>rules, s)
    )


cdef class FishingRollout(Rollout):
    """Exact last rounds, and the learned ``value`` of the round's end, None where there is none."""

    def __init__(self, FishingTable rules, Value value=None, bint exact=True):
        self.rules = rules
        self.value = value
        self.exact = exact
        self.stop = Stop()
        memset(&self.aid, 0, sizeof(Aid))
        self.aid.exact = exact and quickly_solved(&rules.c)
        self.aid.solver.rules = &rules.c
        # Enough for any usual last round; where it is not, the line is played out.
        self.aid.solver.most_nodes = 1 << 14
        self.aid.solver.deadline = INT64_MAX
        self.aid.solver.stop = &self.stop.raised
        if value is not None:
            self.aid.nets = &value.c

    def __dealloc__(self):
        solver_free(&self.aid.solver)

    cdef Rollout fresh(self):
        return FishingRollout(self.rules, self.value, self.exact)

    cdef void install(self, Game *g, const void *view):
        self.aid.horizon = (<const FishingState *>view).round
        g.aid = &self.aid
        g.finish = _finish
        g.known = _known
