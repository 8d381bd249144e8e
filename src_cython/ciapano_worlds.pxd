"""What one seat knows in a game of Ciapa No, and whole truths drawn to agree with it."""

from libc.stdint cimport uint64_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.ciapano cimport CiapanoState
from cirulla_ai._core.ciapano_model cimport MAX_CHOICES, Choice, PlayTables
from cirulla_ai._core.ciapano_position cimport CiapanoTable
from cirulla_ai._core.contract cimport InformationSet

cdef enum:
    # Three places for the card handed on, by four kinds of card for the discard.
    MAX_WAYS = 12

cdef struct Way:
    # One way in which the unseen cards can lie: which of them one hidden hand has for
    # certain, which the other, one set of cards that the discard is of (empty: nothing of
    # this way is discarded), and the cards that both hands may have.
    uint64_t upto           # worlds of this way and those before it
    cardset first
    cardset second
    cardset discards
    cardset free
    int first_takes         # of the free cards

cdef struct CiapanoKnowledge:
    CiapanoState view
    cardset played[3]       # the cards that each seat was seen to play
    cardset lacks[3]        # the suits that each seat has shown to be without
    cardset gone            # cards out of play, by nobody knows whom
    bint agrees             # some whole truth agrees with all that was seen
    int n_ways
    Way ways[MAX_WAYS]
    Choice choices[MAX_CHOICES]
    int n_choices
    const PlayTables *tables    # what the choices tell of a world; NULL: not looked at


cdef uint64_t ciapano_worlds(const CiapanoKnowledge *k) noexcept nogil

cdef class CiapanoInformationSet(InformationSet):
    cdef CiapanoTable rules
    cdef CiapanoKnowledge k
    cdef PlayTables tables
