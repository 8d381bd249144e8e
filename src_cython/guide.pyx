"""What helps a search to tell how a smazzata will end: exact last rounds and learned values.

Without it every line is played out at random to the end of the smazzata.
"""

from libc.stdint cimport INT64_MAX, int64_t
from libc.string cimport memset

from cirulla_ai._core.endgame cimport Solver, solvable, solve_outcome, solver_free
from cirulla_ai._core.fishing cimport MAX_ROUNDS, PHASE_DONE, FishingRules, FishingState, fishing_outcome, random_turns, side_of
from cirulla_ai._core.position cimport RuleTable
from cirulla_ai._core.stop cimport Stop
from cirulla_ai._core.game cimport Actions, Game, Outcome, action_t
from cirulla_ai._core.policy cimport Policy, policy_free, policy_play
from cirulla_ai._core.rng cimport Rng
from cirulla_ai._core.value cimport Value, action_values, state_value

cdef enum:
    # Cards in all hands at the start of a last round that is solved at the end of every line.
    MAX_LAST_CARDS = 8

LEAVES = ("random", "policy", "static")


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
    if aid.nets != NULL and aid.leaf == LEAF_POLICY:
        while s.phase != PHASE_DONE and s.round <= aid.horizon:
            policy_play(&aid.policy, r, s, rng)
            played += 1
    while s.phase != PHASE_DONE:
        if _solve(r, aid, s, out):
            return played
        if aid.nets != NULL and s.round > aid.horizon:
            _estimate(r, aid, s, s.round - 1, out)
            return played
        if aid.nets != NULL and aid.leaf == LEAF_STATIC:
            _estimate(r, aid, s, s.round, out)
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


cdef void _priors(
    const void *rules, void *helper, const void *state, const action_t *actions, int64_t n,
    double *values,
) noexcept nogil:
    action_values((<Aid *>helper).nets, <const FishingRules *>rules, <const FishingState *>state,
                  actions, n, values)


cdef class Guide:
    """What a search may be given to tell outcomes with; of some rules."""

    cdef Guide fresh(self):
        return Guide()

    cdef void install(self, Game *g, const void *view):
        pass


cdef class FishingGuide(Guide):
    """Exact last rounds, and the learned ``value`` of the end of a round, None where there is none.

    ``leaf``: how play goes on from a new node to the end of the round: ``random``, by the
    quick ``policy``, or not at all (``static``: the value of what is open).  ``rounds``: how
    many rounds are played before a value stands in.  ``priors``: whether new nodes get a
    rough value at once.
    """

    def __init__(
        self, RuleTable rules, Value value=None, bint exact=True, str leaf="random",
        int rounds=1, bint priors=False, double temperature=0.5,
    ):
        self.settings = {
            "exact": exact, "leaf": leaf, "rounds": rounds, "priors": priors,
            "temperature": temperature,
        }
        self.rules = rules
        self.value = value
        self.stop = Stop()
        self.priors = priors and value is not None
        memset(&self.aid, 0, sizeof(Aid))
        # With more cards a line's end would cost more than all the rest of it.
        self.aid.exact = exact and rules.c.sides == 2 and (
            rules.c.players * rules.c.rounds[rules.c.n_rounds - 1] <= MAX_LAST_CARDS)
        self.aid.leaf = LEAVES.index(leaf)
        self.aid.horizon = rounds
        self.aid.solver.rules = &rules.c
        self.aid.solver.most_nodes = 1 << 20
        self.aid.solver.deadline = INT64_MAX
        self.aid.solver.stop = &self.stop.raised
        self.aid.policy.temperature = temperature
        if value is not None:
            self.aid.nets = &value.c
            self.aid.policy.nets = &value.c

    def __dealloc__(self):
        solver_free(&self.aid.solver)
        policy_free(&self.aid.policy)

    cdef Guide fresh(self):
        return FishingGuide(self.rules, self.value, **self.settings)

    cdef void install(self, Game *g, const void *view):
        cdef int rounds = self.settings["rounds"]
        self.aid.horizon = (<const FishingState *>view).round + rounds - 1
        g.aid = &self.aid
        g.finish = _finish
        g.known = _known
        if self.priors:
            g.priors = _priors
