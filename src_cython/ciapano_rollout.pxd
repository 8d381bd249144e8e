"""Playing a smazzata of Ciapa No on by the model of play."""

from cirulla_ai._core.ciapano cimport CiapanoRules, CiapanoState
from cirulla_ai._core.game cimport Outcome
from cirulla_ai._core.rng cimport Rng

cdef int play_to_end(
    const CiapanoRules *r, CiapanoState *s, Rng *rng, Outcome *out) noexcept nogil
