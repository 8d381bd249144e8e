"""How likely the plays that were seen are in a world, by a simple model of a seat's play."""

from libc.stdint cimport int8_t, uint32_t

from cirulla_ai._core.cards cimport bits_extract, cardset, suit_set
from cirulla_ai._core.ciapano cimport CiapanoState, by_strength

cdef enum:
    # Kinds of choice.
    PASSING = 0
    LEADING = 1
    FOLLOWING = 2
    DROPPING = 3            # without the suit led
    KINDS = 4

    RANKS = 10

    # Thirteen plays of two others, and the card that the viewer was handed.
    MAX_CHOICES = 27

cdef struct Choice:
    # A card that another seat chose in the viewer's sight, and what was open before it.
    cardset live            # cards in hands or discarded
    cardset before          # what the seat had played by then
    int8_t trick[2]
    int8_t n_trick
    int8_t seat
    int8_t card
    bint passing

cdef struct Free:
    # A choice among all suits: the weights of a suit's cards, added up, by the cards of
    # the suit that the seat holds, and the weight of the chosen card by those of its suit.
    double *weights[4]
    double *chosen
    double least            # how likely any card is at least
    int other
    int suit

cdef struct Discard:
    # What the dealer discarded unseen, by the cards of each suit that it held then: their
    # weights added up, and each one's.
    double *weights[4]
    double *each[4]
    cardset hidden[4]
    int dealer              # -1 where nothing was discarded unseen

cdef struct PlayTables:
    # Made anew when something was seen; a world then costs a few look-ups.
    int seat[2]             # the others
    cardset hidden[2][4]    # the unseen cards that each may have, by suit
    double *follow[2][4]    # how likely all choices within a suit are, by its hidden cards
    Free free[MAX_CHOICES]
    int n_free
    Discard discard
    double *data

cdef struct Scene:
    # What is open when a card is chosen, made handy.
    uint32_t live[4]        # ranks in hands or discarded, by suit
    int kind
    uint32_t best           # rank that takes the trick so far
    bint last               # the trick's last card
    int halves              # half thirds of the trick but for the card to be played


cdef inline uint32_t ranks(cardset cards, int suit) noexcept nogil:
    """The cards of a suit as bits 0 … 9: 4 5 6 7 J Q K A 2 3, weakest first."""
    return <uint32_t>bits_extract(by_strength(cards), suit_set(suit))


cdef inline int rank_card(int rank, int suit) noexcept nogil:
    """The index of a card by the place of its bit."""
    return 4 * (rank + 3 if rank < 7 else rank - 7) + suit


cdef inline int rank_thirds(uint32_t card) noexcept nogil:
    """What one such bit counts: the ace three thirds, what else is over the 7 one."""
    return 3 if card == 1 << 7 else card > 1 << 3


cdef int trick_halves(int thirds, int n) noexcept nogil
cdef double suit_weights(const Scene *s, int suit, uint32_t own, double *each) noexcept nogil
cdef void note_choice(const CiapanoState *view, int card, cardset before, Choice *c) noexcept nogil
cdef bint tables_make(
    PlayTables *t, const CiapanoState *view, const Choice *choices, int n,
    const cardset *played, const cardset *lacks) noexcept nogil
cdef void tables_free(PlayTables *t) noexcept nogil
cdef double tables_likelihood(const PlayTables *t, const CiapanoState *world) noexcept nogil
