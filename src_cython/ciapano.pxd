"""State, actions and scoring of Ciapa No, a trick game for three in which points are bad."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport ACES, bits_count, cardset
from cirulla_ai._core.game cimport Actions, Game, Outcome
from cirulla_ai._core.rng cimport Rng

cdef enum:
    SEATS = 3
    ALL_THIRDS = 35
    LAST_TRICK_THIRDS = 3
    # What the seats score after a cappotto, but for the one that took all.
    CAPPOTTO_POINTS = 11

    PHASE_PASS = 0
    PHASE_PLAY = 1
    PHASE_DONE = 2

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


cdef inline int thirds_of(cardset cards) noexcept nogil:
    """Aces are three thirds each; twos, threes, and J, Q, K one (4.4)."""
    return 3 * bits_count(cards & ACES) + bits_count(cards & <cardset>0xFFF0000FF0)


cdef inline cardset by_strength(cardset cards) noexcept nogil:
    """Cards as bits in the order of what beats what within a suit: 4 5 6 7 J Q K A 2 3.

    Ace, two and three, the twelve lowest bits, go over the king; the rest moves down.
    """
    return cards >> 12 | (cards & 0xFFF) << 28


cdef inline void score_thirds(
    const CiapanoRules *r, const int *thirds, int *points
) noexcept nogil:
    """Per seat, what it scores for so many thirds (4.4)."""
    cdef int i, all_taken = -1
    for i in range(SEATS):
        points[i] = thirds[i] // 3
        if thirds[i] == ALL_THIRDS:
            all_taken = i
    if r.cappotto and all_taken >= 0:
        for i in range(SEATS):
            points[i] = 0 if i == all_taken else CAPPOTTO_POINTS


cdef inline int strength(int card) noexcept nogil:
    """Larger beats smaller within a suit: 4 5 6 7 J Q K A 2 3.

    Ace, two and three, the twelve lowest indices, go over the king; the rest moves down.
    """
    return card + 28 if card < 12 else card - 12


cdef inline int strength_in(int card, int led) noexcept nogil:
    """Strength in a trick that the card ``led`` began: -1 off suit."""
    return -1 if (card ^ led) & 3 else strength(card)


cdef inline int trick_winner(int lead, int led, int second, int third) noexcept nogil:
    """The seat that takes a trick of three cards."""
    cdef int best = strength(led), winner = lead, seat, other
    seat = seat_after(lead)
    other = strength_in(second, led)
    winner = seat if other > best else winner
    best = other if other > best else best
    seat = seat_after(seat)
    other = strength_in(third, led)
    return seat if other > best else winner


cdef inline bint sees_given(const CiapanoState *s, int seat, int giver) noexcept nogil:
    """Whether a seat sees which card ``giver`` hands on or discards."""
    return seat == giver or (giver != s.dealer and seat == seat_after(giver))


cdef void ciapano_finish(CiapanoState *s) noexcept nogil
cdef void ciapano_outcome(
    const CiapanoRules *r, const CiapanoState *s, Outcome *out) noexcept nogil
cdef void ciapano_deal(CiapanoState *s, const uint8_t *pack) noexcept nogil
cdef void ciapano_deal_random(CiapanoState *s, Rng *rng) noexcept nogil
cdef int ciapano_playout(CiapanoState *s, Rng *rng) noexcept nogil
cdef void count_thirds(const CiapanoState *s, int *thirds) noexcept nogil
cdef void count_points(
    const CiapanoRules *r, const CiapanoState *s, int *points) noexcept nogil
cdef cardset ciapano_playable(const CiapanoState *s) noexcept nogil
cdef void ciapano_legal(const CiapanoState *s, Actions *out) noexcept nogil
cdef void ciapano_apply(CiapanoState *s, action_t a) noexcept nogil
cdef action_t ciapano_seen(const CiapanoState *s, int seat, action_t a) noexcept nogil
cdef cardset ciapano_unseen(const CiapanoState *s) noexcept nogil
cdef void ciapano_hide(CiapanoState *s, int viewer) noexcept nogil
cdef void ciapano_game(const CiapanoRules *r, Game *g) noexcept nogil
