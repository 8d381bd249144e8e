"""What one seat knows, and whole truths drawn to agree with it."""

from libc.stdint cimport uint8_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingState
from cirulla_ai._core.game cimport Game, action_t
from cirulla_ai._core.position cimport RuleTable

cdef enum:
    MAX_FACTS = 64
    # More than others do in one round of ten cards.
    MAX_SEEN = 40

cdef struct Fact:
    # Where claims are mandatory: that a seat, when it held the cards ``seen`` and those
    # of its hand that are still unknown, had no claim of more than ``limit`` points.
    int seat
    int limit
    cardset seen

cdef struct SeenAction:
    # What another seat did this round, and the view before it.
    FishingState before
    action_t action

cdef struct Evidence:
    # How likely a seat's hand made an action of its: see ``_likelihood``.
    int seat
    bint declined           # it could have claimed, with the right cards
    cardset later           # cards that it had then and has shown since, this one among them
    float chosen            # weight of what it did, 0 where that tells nothing
    float weight[40]        # of all that it could have done with a card
    float ways[40]          # their number

cdef struct Knowledge:
    FishingState view
    int n_seen
    SeenAction seen[MAX_SEEN]
    int n_evidence
    Evidence evidence[MAX_SEEN]
    double floor
    double declining
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
