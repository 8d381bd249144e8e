"""A quick way to play the fishing family, and what states between two deals are worth to it."""

from libc.stdint cimport INT64_MAX, uint8_t
from libc.string cimport memcpy, memset

from cirulla_ai._core.cards cimport bits_low, cardset
from cirulla_ai._core.contract cimport QuickPlay, Table
from cirulla_ai._core.fishing cimport (
    CLAIM_NO, PHASE_CLAIM, PHASE_DONE, PHASE_PLAY, FishingRules, FishingState, fishing_deal_random,
    hand_count, next_round, next_seat, side_of,
)
from cirulla_ai._core.fishing_endgame cimport (
    quickly_solved, solvable, solve_on, solve_outcome, solver_free,
)
from cirulla_ai._core.fishing_policy cimport policy_free, policy_play
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_scoring cimport (
    ITEM_CAPPOTTO, N_ITEMS, fishing_items, fishing_outcome,
)
from cirulla_ai._core.fishing_value cimport Value, state_value
from cirulla_ai._core.game cimport EVENT_DEAL, EVENT_NONE, Outcome
from cirulla_ai._core.rng cimport Rng, rng_shuffle
from cirulla_ai._core.stop cimport Stop

from cirulla_ai._core.fishing_position import ITEMS as _ITEMS


cdef bint _fresh(const void *rules, const void *state) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const FishingState *s = <const FishingState *>state
    cdef int seat
    for seat in range(r.players):
        if hand_count(s, seat) != r.rounds[s.round - 1] or s.claimed[seat]:
            return False
    # Over at once: the first table has decided.
    if s.phase == PHASE_DONE:
        return True
    return s.turn == next_seat(r, s.dealer) and s.phase == (
        PHASE_CLAIM if r.claim_round and r.claim != CLAIM_NO else PHASE_PLAY)


cdef void _redeal(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef FishingState *s = <FishingState *>state
    cdef uint8_t left[40]
    cdef int seat, n = 0
    cdef cardset cards = 0
    if s.round == 1:
        s.misdeals = 0
        fishing_deal_random(r, s, rng)
        return
    for seat in range(r.players):
        cards |= s.hand[seat]
    while cards:
        left[n] = <uint8_t>bits_low(cards)
        cards &= cards - 1
        n += 1
    memcpy(left + n, s.stock + s.at, s.end - s.at)
    n += s.end - s.at
    rng_shuffle(rng, left, n)
    memcpy(s.stock, left, n)
    s.at = 0
    s.end = <uint8_t>n
    s.round -= 1
    next_round(r, s)


cdef bint _expect(
    const void *rules, void *aid, const void *state, Outcome *out
) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const FishingState *s = <const FishingState *>state
    cdef const QuickAid *a = <const QuickAid *>aid
    cdef int side
    if a.policy.nets == NULL or s.round == 1:
        return False
    state_value(a.policy.nets, r, s, s.round - 1, out.points)
    for side in range(r.sides):
        out.scores[side] = s.scores[side] + out.points[side]
    out.won = -1
    out.left = r.n_rounds - s.round + 1
    out.dealer = side_of(r, s.dealer)
    return True


cdef bint _solve(
    const void *rules, void *aid, const void *state, Outcome *out
) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const FishingState *s = <const FishingState *>state
    return (
        quickly_solved(r) and solvable(r, s)
        and solve_outcome(&(<QuickAid *>aid).solver, s, out))


cdef int _advance(const void *rules, void *aid, void *state, Rng *rng) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef FishingState *s = <FishingState *>state
    cdef QuickAid *a = <QuickAid *>aid
    cdef int round = s.round
    if quickly_solved(r) and solvable(r, s) and solve_on(&a.solver, s):
        return EVENT_NONE
    while s.phase != PHASE_DONE:
        policy_play(&a.policy, r, s, rng)
        if s.round > round:
            return EVENT_DEAL
    return EVENT_NONE


cdef void _outcome(const void *rules, const void *state, Outcome *out) noexcept nogil:
    fishing_outcome(<const FishingRules *>rules, <const FishingState *>state, out)


cdef void _itemise(const void *rules, const void *state, double *out) noexcept nogil:
    """The items; of a match won outright what counts is that, as a cappotto."""
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const FishingState *s = <const FishingState *>state
    cdef int items[3 * N_ITEMS]
    cdef int i
    if s.won >= 0:
        memset(out, 0, r.sides * N_ITEMS * sizeof(double))
        out[s.won * N_ITEMS + ITEM_CAPPOTTO] = r.target
        return
    fishing_items(r, s, items)
    for i in range(r.sides * N_ITEMS):
        out[i] = items[i]


cdef class FishingQuick(QuickPlay):
    """Plays by the learned ``value`` (None: by the rule of thumb), last rounds of two perfectly.

    ``temperature`` of its softmax, in points; 0: always a best action.
    """

    def __init__(self, FishingTable rules, Value value=None, double temperature=0):
        self.rules = rules
        self.value = value
        self.stop = Stop()
        self.items = _ITEMS
        memset(&self.aid, 0, sizeof(QuickAid))
        self.aid.policy.temperature = temperature
        if value is not None:
            self.aid.policy.nets = &value.c
        self.aid.solver.rules = &rules.c
        self.aid.solver.most_nodes = 1 << 20
        self.aid.solver.deadline = INT64_MAX
        self.aid.solver.stop = &self.stop.raised
        self.quick.rules = &rules.c
        self.quick.aid = &self.aid
        self.quick.items = N_ITEMS
        self.quick.fresh = _fresh
        self.quick.redeal = _redeal
        self.quick.expect = _expect
        self.quick.solve = _solve
        self.quick.advance = _advance
        self.quick.outcome = _outcome
        self.quick.itemise = _itemise

    def __dealloc__(self):
        policy_free(&self.aid.policy)
        solver_free(&self.aid.solver)

    cdef Table table(self):
        return self.rules

    cdef QuickPlay fresh(self):
        return FishingQuick(self.rules, self.value, self.aid.policy.temperature)
