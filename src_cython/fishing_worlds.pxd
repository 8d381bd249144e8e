"""What one seat knows, and whole truths drawn to agree with it."""

from libc.stdint cimport uint8_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.contract cimport InformationSet
from cirulla_ai._core.fishing cimport FishingState
from cirulla_ai._core.fishing_evidence cimport STYLES, Evidence, Model, SeenAction, Ways
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_value cimport Value
from cirulla_ai._core.game cimport MAX_SEATS

cdef enum:
    MAX_FACTS = 64
    # More than others do in a smazzata.
    MAX_SEEN = 64

cdef struct Fact:
    # Where claims are mandatory: that a seat, when it held the cards ``seen`` and those
    # of its hand that are still unknown, had no claim of more than ``limit`` points.
    int seat
    int limit
    cardset seen

cdef struct Knowledge:
    FishingState view
    int n_seen
    int n_past              # the first of this round
    SeenAction seen[MAX_SEEN]
    int n_evidence
    Evidence evidence[MAX_SEEN]
    Model model
    Ways ways               # of all evidence; belongs to the information set
    double style[MAX_SEATS][STYLES]      # how likely each seat has each style, by its past rounds
    int n_facts
    Fact facts[MAX_FACTS]
    int n_unseen
    uint8_t unseen[40]

cdef class FishingInformationSet(InformationSet):
    cdef FishingTable rules
    cdef Value value
    cdef Knowledge k
