"""Playing a smazzata of Ciapa No on by the model of play instead of at random.

See ``ciapano_model`` for the model: who ducks as seats do has a better idea of how a line
ends than who plays anything.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memset

from cirulla_ai._core.actions cimport give_code
from cirulla_ai._core.cards cimport N_CARDS, bits_low, card_bit, cardset
from cirulla_ai._core.ciapano cimport (
    PHASE_PASS, PHASE_PLAY, SEATS, CiapanoRules, CiapanoState, ciapano_apply, ciapano_finish,
    ciapano_outcome, seat_after,
)
from cirulla_ai._core.ciapano_model cimport (
    DROPPING, FOLLOWING, LEADING, PASSING, RANKS, Scene, rank_card, rank_thirds, ranks,
    suit_weights, trick_halves,
)
from cirulla_ai._core.ciapano_position cimport CiapanoPosition
from cirulla_ai._core.contract cimport Rollout
from cirulla_ai._core.game cimport Actions, Game, Outcome
from cirulla_ai._core.rng cimport Rng, rng_share

cdef struct Play:
    # Where cards are, by suit and rank, and the open trick.
    uint32_t own[3][4]
    Scene scene
    int seat
    int n
    int led                 # its suit
    int taker
    int thirds
    cardset cards           # those in it


cdef int pick(
    const Scene *scene, const uint32_t *own, int first, int last, Rng *rng
) noexcept nogil:
    """A card of some of the suits, each as often as the model plays it.

    There must be one.
    """
    cdef double each[4][RANKS]
    cdef double total = 0, left
    cdef int suit, rank, card = 0
    cdef uint32_t cards
    if last - first == 1 and own[first] & (own[first] - 1) == 0:
        # Nothing to choose, as often when a suit is followed.
        return rank_card(bits_low(own[first]), first)
    for suit in range(first, last):
        if own[suit]:
            total += suit_weights(scene, suit, own[suit], each[suit])
    left = total * rng_share(rng)
    for suit in range(first, last):
        cards = own[suit]
        while cards:
            rank = bits_low(cards)
            cards &= cards - 1
            card = rank_card(rank, suit)
            left -= each[suit][rank]
            if left < 0:
                return card
    # Rounding may leave a trace: then it is the last.
    return card


cdef void pass_card(CiapanoState *s, Rng *rng) noexcept nogil:
    cdef Scene scene
    cdef uint32_t own[4]
    cdef int suit
    memset(&scene, 0, sizeof(Scene))
    scene.kind = PASSING
    for suit in range(4):
        scene.live[suit] = (1 << RANKS) - 1
        own[suit] = ranks(s.hand[s.turn], suit)
    ciapano_apply(s, give_code(pick(&scene, own, 0, 4, rng)))


cdef void lay(Play *p, int card) noexcept nogil:
    """A card is played to the trick, which may be over then."""
    cdef int suit = card & 3
    cdef uint32_t rank = ranks(card_bit(card), suit)
    p.own[p.seat][suit] &= ~rank
    p.scene.live[suit] &= ~rank
    p.thirds += rank_thirds(rank)
    p.cards |= card_bit(card)
    if p.n == 0 or suit == p.led and rank > p.scene.best:
        p.led = suit
        p.taker = p.seat
        p.scene.best = rank
    p.n += 1
    p.seat = seat_after(p.seat)


cdef void begin(Play *p, const CiapanoState *s) noexcept nogil:
    cdef cardset live = s.hand[0] | s.hand[1] | s.hand[2]
    cdef int suit, seat, i
    memset(p, 0, sizeof(Play))
    if 0 <= s.discard < N_CARDS:
        live |= card_bit(s.discard)
    for suit in range(4):
        p.scene.live[suit] = ranks(live, suit)
        for seat in range(SEATS):
            p.own[seat][suit] = ranks(s.hand[seat], suit)
    p.seat = s.lead
    for i in range(s.n_trick):
        lay(p, s.trick[i])


cdef int play_on(CiapanoState *s, Rng *rng) noexcept nogil:
    """Play a truth's tricks to the end; the number of cards played."""
    cdef Play p
    cdef int played = 0
    cdef const uint32_t *own
    begin(&p, s)
    while True:
        own = p.own[p.seat]
        if not (own[0] | own[1] | own[2] | own[3]):
            break
        p.scene.last = p.n == SEATS - 1
        p.scene.halves = trick_halves(p.thirds, p.n)
        if p.n and own[p.led]:
            p.scene.kind = FOLLOWING
            lay(&p, pick(&p.scene, own, p.led, p.led + 1, rng))
        else:
            p.scene.kind = DROPPING if p.n else LEADING
            lay(&p, pick(&p.scene, own, 0, 4, rng))
        played += 1
        if p.n == SEATS:
            s.taken[p.taker] |= p.cards
            p.seat = p.taker
            p.n = 0
            p.thirds = 0
            p.cards = 0
    memset(s.hand, 0, sizeof(s.hand))
    s.n_trick = 0
    s.lead = <int8_t>p.taker
    ciapano_finish(s)
    return played


cdef int play_to_end(
    const CiapanoRules *r, CiapanoState *s, Rng *rng, Outcome *out
) noexcept nogil:
    """Play a truth on to its end and tell the outcome; the number of actions played."""
    cdef int played = 0
    while s.phase == PHASE_PASS:
        pass_card(s, rng)
        played += 1
    if s.phase == PHASE_PLAY:
        played += play_on(s, rng)
    ciapano_outcome(r, s, out)
    return played


cdef int _finish(
    const void *rules, void *aid, void *state, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil:
    return play_to_end(<const CiapanoRules *>rules, <CiapanoState *>state, rng, out)


cdef class CiapanoRollout(Rollout):
    """Lets a search play its lines on by the model of play."""

    cdef Rollout fresh(self):
        return self

    cdef void install(self, Game *g, const void *view):
        g.finish = _finish


def play_out(CiapanoPosition position, uint64_t seed):
    """Play a whole truth out by the model: (actions played, the position at the end)."""
    cdef CiapanoPosition end = position.copy()
    cdef Outcome out
    cdef Rng rng
    if position.c.viewer >= 0:
        raise ValueError("a view can't be played out: draw worlds from it")
    rng.state = seed
    return play_to_end(&position.rules.c, &end.c, &rng, &out), end
