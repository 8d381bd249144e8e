"""Scoring: what each side's points are made of, and what a smazzata came to."""

from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.game cimport Outcome

cdef enum:
    # Items of a score, in the order in which they are listed.
    ITEM_SCOPA = 0
    ITEM_CARDS = 1
    ITEM_DIAMONDS = 2
    ITEM_SETTEBELLO = 3
    ITEM_PRIMIERA = 4
    ITEM_PICCOLA = 5
    ITEM_GRANDE = 6
    ITEM_CAPPOTTO = 7
    N_ITEMS = 8

cdef void fishing_items(const FishingRules *r, const FishingState *s, int *items) noexcept nogil
cdef void fishing_totals(const FishingRules *r, const FishingState *s, int *totals) noexcept nogil
cdef void fishing_outcome(
    const FishingRules *r, const FishingState *s, Outcome *out) noexcept nogil
