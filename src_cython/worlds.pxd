"""What one seat knows, and whole truths drawn to agree with it."""

from libc.stdint cimport uint8_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingState
from cirulla_ai._core.game cimport Game
from cirulla_ai._core.position cimport RuleTable

cdef enum:
    MAX_FACTS = 64

cdef struct Fact:
    # Where claims are mandatory: that a seat, when it held the cards ``seen`` and those
    # of its hand that are still unknown, had no claim of more than ``limit`` points.
    int seat
    int limit
    cardset seen

cdef struct Knowledge:
    FishingState view
    int n_facts
    Fact facts[MAX_FACTS]
    int n_unseen
    uint8_t unseen[40]

cdef class InformationSet:
    cdef readonly int viewer
    cdef Game game
    cdef const void *view
    cdef const void *knowledge

cdef class FishingInformationSet(InformationSet):
    cdef RuleTable rules
    cdef Knowledge k
