"""State, actions and scoring of Ciapa No, a trick game for three in which points are bad."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.game cimport Actions, Game, action_t
from cirulla_ai._core.rng cimport Rng

cdef enum:
    SEATS = 3
    ALL_THIRDS = 35
    LAST_TRICK_THIRDS = 3

    PHASE_PASS = 0
    PHASE_PLAY = 1
    PHASE_DONE = 2

    # A card that is there but not known, in an action's code, ``passed`` and ``discard``:
    # no index that a card can have.
    UNSEEN_CARD = 63

    # The kind of action that this game adds to those of the fishing family: handing a
    # card on, or discarding it.  Kinds are in bits 50-52 of a code, the card in bits 40-45.
    KIND_PLAY = 0
    KIND_GIVE = 4

cdef struct CiapanoRules:
    int target
    bint cappotto

cdef struct CiapanoState:
    cardset hand[3]         # in a view: the cards that the viewer knows
    cardset taken[3]
    int32_t scores[3]
    uint8_t unknown[3]      # cards in each hand that the viewer does not know
    int8_t passed[3]        # card handed on, NO_CARD or UNSEEN_CARD
    int8_t trick[3]         # the open trick, in the order of play
    int8_t n_trick
    int8_t lead             # who leads, or led, the trick; -1 while passing
    int8_t turn             # -1 when done
    int8_t discard          # card, NO_CARD or UNSEEN_CARD
    int8_t dealer
    int8_t viewer           # -1: the whole truth
    int8_t phase


cdef inline int seat_after(int seat) noexcept nogil:
    return seat + 1 if seat < 2 else 0


cdef inline int seat_before(int seat) noexcept nogil:
    return seat - 1 if seat > 0 else 2


cdef inline action_t card_code(int card) noexcept nogil:
    """The code of playing a card to a trick: a play that captures nothing."""
    return <action_t>card << 40


cdef inline action_t give_code(int card) noexcept nogil:
    return <action_t>card << 40 | <action_t>KIND_GIVE << 50


cdef inline int code_kind(action_t a) noexcept nogil:
    return <int>(a >> 50 & 7)


cdef inline int code_card(action_t a) noexcept nogil:
    return <int>(a >> 40 & 63)


cdef cardset ciapano_playable(const CiapanoState *s) noexcept nogil
cdef void ciapano_legal(const CiapanoState *s, Actions *out) noexcept nogil
cdef void ciapano_apply(CiapanoState *s, action_t a) noexcept nogil
cdef action_t ciapano_seen(const CiapanoState *s, int seat, action_t a) noexcept nogil
cdef cardset ciapano_unseen(const CiapanoState *s) noexcept nogil
cdef void ciapano_hide(CiapanoState *s, int viewer) noexcept nogil
cdef void ciapano_game(const CiapanoRules *r, Game *g) noexcept nogil

cdef class CiapanoTable:
    cdef CiapanoRules c

cdef class CiapanoPosition:
    cdef readonly CiapanoTable rules
    cdef CiapanoState c
