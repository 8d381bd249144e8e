"""Uniformly random play."""

from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.game cimport Actions, Outcome
from cirulla_ai._core.rng cimport Rng

cdef int random_turns(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *scratch, int limit, int round
) noexcept nogil
# The contract's ``finish``.
cdef int fishing_finish(
    const void *rules, void *aid, void *state, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil
