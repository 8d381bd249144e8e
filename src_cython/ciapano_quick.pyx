"""A quick way to play Ciapa No: by the model of play, to the end."""

from cirulla_ai._core.cards cimport NO_CARD
from cirulla_ai._core.ciapano cimport (
    PHASE_PASS, SEATS, CiapanoRules, CiapanoState, ciapano_deal_random, ciapano_outcome, seat_after,
)
from cirulla_ai._core.ciapano_position cimport CiapanoTable
from cirulla_ai._core.ciapano_rollout cimport play_to_end
from cirulla_ai._core.contract cimport QuickPlay, Table
from cirulla_ai._core.game cimport EVENT_NONE, Outcome
from cirulla_ai._core.rng cimport Rng

from cirulla_ai._core.ciapano_position import ITEMS as _ITEMS


cdef bint _fresh(const void *rules, const void *state) noexcept nogil:
    cdef const CiapanoState *s = <const CiapanoState *>state
    cdef int first = seat_after(s.dealer)
    return s.phase == PHASE_PASS and s.turn == first and s.passed[first] == NO_CARD


cdef void _redeal(const void *rules, void *state, Rng *rng) noexcept nogil:
    ciapano_deal_random(<CiapanoState *>state, rng)


cdef bint _expect(
    const void *rules, void *aid, const void *state, Outcome *out
) noexcept nogil:
    # All cards are dealt at once.
    return False


cdef bint _solve(
    const void *rules, void *aid, const void *state, Outcome *out
) noexcept nogil:
    return False


cdef int _advance(const void *rules, void *aid, void *state, Rng *rng) noexcept nogil:
    cdef Outcome out
    play_to_end(<const CiapanoRules *>rules, <CiapanoState *>state, rng, &out)
    return EVENT_NONE


cdef void _outcome(const void *rules, const void *state, Outcome *out) noexcept nogil:
    ciapano_outcome(<const CiapanoRules *>rules, <const CiapanoState *>state, out)


cdef void _itemise(const void *rules, const void *state, double *out) noexcept nogil:
    """The one item: what the thirds come to in points, which count against a seat."""
    cdef Outcome end
    cdef int seat
    ciapano_outcome(<const CiapanoRules *>rules, <const CiapanoState *>state, &end)
    for seat in range(SEATS):
        out[seat] = end.points[seat]


cdef class CiapanoQuick(QuickPlay):
    """Plays each card as often as the model of play does."""

    cdef CiapanoTable rules

    def __init__(self, CiapanoTable rules):
        self.rules = rules
        self.items = _ITEMS
        self.quick.rules = &rules.c
        self.quick.aid = NULL
        self.quick.items = 1
        self.quick.fresh = _fresh
        self.quick.redeal = _redeal
        self.quick.expect = _expect
        self.quick.solve = _solve
        self.quick.advance = _advance
        self.quick.outcome = _outcome
        self.quick.itemise = _itemise

    cdef Table table(self):
        return self.rules

    cdef QuickPlay fresh(self):
        return self
