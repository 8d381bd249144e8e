"""What one seat knows, and whole truths drawn to agree with it."""

from libc.stdint cimport uint8_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingState
from cirulla_ai._core.game cimport MAX_SEATS, Game, action_t
from cirulla_ai._core.position cimport RuleTable
from cirulla_ai._core.thumb cimport Prospect
from cirulla_ai._core.value cimport Layer, Value, ValueNets

cdef enum:
    MAX_FACTS = 64
    # More than others do in a smazzata.
    MAX_SEEN = 64

    # Ways to play that a seat may have.
    STYLE_VALUE = 0         # by the learned values
    STYLE_THUMB = 1         # by a rule of thumb
    STYLE_ANY = 2           # anything
    STYLES = 3

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

cdef struct Way:
    # One thing that a seat could have done: what it scores at once and the hidden layer of
    # the afterstate, but for the hand that is left; what it is by the rule of thumb.
    double scored
    Layer layer
    Prospect prospect

cdef struct Evidence:
    # How likely a seat's hand made an action of its: see ``_likelihood``.
    int seat
    int round
    bint declined           # it could have claimed, with the right cards
    bint plain              # a way is worth what it scores: there is no network
    cardset later           # cards that it had then and has shown since, this one among them
    int chosen              # the way that it took, -1 where that tells nothing
    int first[41]           # of each card, the place of its ways; the next card's ends them

cdef struct Knowledge:
    FishingState view
    int n_seen
    int n_past              # the first of this round
    SeenAction seen[MAX_SEEN]
    int n_evidence
    Evidence evidence[MAX_SEEN]
    const ValueNets *nets
    Way *ways               # of all evidence; belongs to the information set
    int n_ways
    double temperature
    double thumb            # temperature of the rule of thumb
    double floor
    double style[MAX_SEATS][STYLES]      # how likely each seat has each style, by its past rounds
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
    cdef Value value
    cdef Knowledge k
