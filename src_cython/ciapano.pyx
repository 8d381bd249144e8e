"""Ciapa No: dealing, passing, tricks, scoring, random play.

All is C over plain structs, without the interpreter lock; ciapano_position.pyx has the classes
for Python.  Section numbers in the comments are those of the rules in docs/rules.md.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from cirulla_ai._core.actions cimport (
    KIND_GIVE, UNSEEN_CARD, action_t, card_code, code_card, code_kind, give_code,
)
from cirulla_ai._core.cards cimport (
    DECK, NO_CARD, N_CARDS, bits_count, bits_low, bits_pick, card_bit, cardset, suit_set,
)
from cirulla_ai._core.game cimport EVENT_NONE, Actions, Game, Outcome, actions_add
from cirulla_ai._core.rng cimport Rng, rng_next, rng_shuffle


# --- tricks (4.3) -------------------------------------------------------------------

cdef inline cardset following(cardset hand, int led) noexcept nogil:
    """The cards of a hand that may be played after the card ``led``."""
    cdef cardset follow = hand & suit_set(led & 3)
    return follow if follow else hand


cdef cardset ciapano_playable(const CiapanoState *s) noexcept nogil:
    """The cards that the seat to move may play or hand on, its hand being known."""
    cdef cardset hand
    if s.phase == PHASE_DONE:
        return 0
    hand = s.hand[s.turn]
    return following(hand, s.trick[0]) if s.n_trick else hand


cdef void ciapano_legal(const CiapanoState *s, Actions *out) noexcept nogil:
    """All actions of the seat to move, once each, in the order of the cards."""
    cdef cardset cards = ciapano_playable(s)
    cdef action_t kind = give_code(0) if s.phase == PHASE_PASS else 0
    out.n = 0
    while cards:
        actions_add(out, kind | card_code(bits_low(cards)))
        cards &= cards - 1


cdef inline int hand_count(const CiapanoState *s, int seat) noexcept nogil:
    return bits_count(s.hand[seat]) + s.unknown[seat]


cdef cardset ciapano_unseen(const CiapanoState *s) noexcept nogil:
    """The cards that are nowhere to be seen: in hands, and the discard."""
    cdef cardset seen = 0
    cdef int i
    for i in range(SEATS):
        seen |= s.hand[i] | s.taken[i]
    for i in range(s.n_trick):
        seen |= card_bit(s.trick[i])
    if 0 <= s.discard < N_CARDS:
        seen |= card_bit(s.discard)
    return DECK & ~seen


cdef void ciapano_finish(CiapanoState *s) noexcept nogil:
    """All hands are empty: the winner of the last trick gets the discard (4.4)."""
    if s.discard == UNSEEN_CARD:
        # By now it is the only card that has not been seen.
        s.taken[s.lead] |= ciapano_unseen(s)
    elif s.discard >= 0:
        s.taken[s.lead] |= card_bit(s.discard)
    s.discard = NO_CARD
    s.turn = -1
    s.phase = PHASE_DONE


cdef inline void end_trick(CiapanoState *s) noexcept nogil:
    cdef int winner = trick_winner(s.lead, s.trick[0], s.trick[1], s.trick[2])
    s.taken[winner] |= card_bit(s.trick[0]) | card_bit(s.trick[1]) | card_bit(s.trick[2])
    s.n_trick = 0
    s.lead = <int8_t>winner
    s.turn = <int8_t>winner
    if hand_count(s, winner) == 0:
        ciapano_finish(s)


cdef inline void drop_card(CiapanoState *s, int seat, int card) noexcept nogil:
    """Take a card out of a hand; in a view it may have been one of the unknown."""
    cdef cardset bit = card_bit(card)
    if s.hand[seat] & bit:
        s.hand[seat] &= ~bit
    else:
        s.unknown[seat] -= 1


cdef inline void play_card(CiapanoState *s, int card) noexcept nogil:
    drop_card(s, s.turn, card)
    s.trick[s.n_trick] = <int8_t>card
    s.n_trick += 1
    if s.n_trick == SEATS:
        end_trick(s)
    else:
        s.turn = <int8_t>seat_after(s.turn)


# --- passing (4.2) ------------------------------------------------------------------

cdef void give_unseen(CiapanoState *s, int seat) noexcept nogil:
    """A card that the viewer does not see leaves a hand: any of it may be the one."""
    s.unknown[seat] += <uint8_t>(bits_count(s.hand[seat]) - 1)
    s.hand[seat] = 0
    if seat == s.dealer:
        s.discard = UNSEEN_CARD
    else:
        s.passed[seat] = UNSEEN_CARD
        s.unknown[seat_after(seat)] += 1


cdef void give_seen(CiapanoState *s, int seat, int card) noexcept nogil:
    drop_card(s, seat, card)
    if seat == s.dealer:
        s.discard = <int8_t>card
    else:
        s.passed[seat] = <int8_t>card
        s.hand[seat_after(seat)] |= card_bit(card)


cdef inline void give_card(CiapanoState *s, int card) noexcept nogil:
    """The seat to move hands a card on, or as the dealer discards it."""
    cdef int seat = s.turn
    if card == UNSEEN_CARD:
        give_unseen(s, seat)
    else:
        give_seen(s, seat, card)
    s.turn = <int8_t>seat_after(seat)
    if seat == s.dealer:
        s.lead = s.turn
        s.phase = PHASE_PLAY


cdef void ciapano_apply(CiapanoState *s, action_t a) noexcept nogil:
    """Play a legal action, or take in one that was seen."""
    if code_kind(a) == KIND_GIVE:
        give_card(s, code_card(a))
    else:
        play_card(s, code_card(a))


cdef action_t ciapano_seen(const CiapanoState *s, int seat, action_t a) noexcept nogil:
    """What a seat sees of an action of the seat to move."""
    if code_kind(a) == KIND_GIVE and not sees_given(s, seat, s.turn):
        return give_code(UNSEEN_CARD)
    return a


cdef void ciapano_hide(CiapanoState *s, int viewer) noexcept nogil:
    """Make a whole truth what one seat knows of it (5)."""
    cdef int i
    cdef cardset known
    for i in range(SEATS):
        if i == viewer:
            continue
        known = 0
        # What the viewer gave is in the next hand until that seat gives in its turn.
        if s.phase == PHASE_PASS and i == s.turn and viewer == seat_before(i) != s.dealer:
            known = s.hand[i] & card_bit(s.passed[viewer])
        s.unknown[i] = <uint8_t>bits_count(s.hand[i] & ~known)
        s.hand[i] = known
        if s.passed[i] >= 0 and not sees_given(s, viewer, i):
            s.passed[i] = UNSEEN_CARD
    if s.discard >= 0 and viewer != s.dealer:
        s.discard = UNSEEN_CARD
    s.viewer = <int8_t>viewer


# --- dealing (4.1) ------------------------------------------------------------------

cdef void ciapano_deal(CiapanoState *s, const uint8_t *pack) noexcept nogil:
    """Deal forty cards in this order; of the state ``dealer`` and ``scores`` are kept."""
    cdef int i, seat = seat_after(s.dealer)
    for i in range(SEATS):
        s.hand[i] = 0
        s.taken[i] = 0
        s.unknown[i] = 0
        s.passed[i] = NO_CARD
    s.turn = <int8_t>seat
    # Thirteen times round, and the fortieth card to the seat that got the first.
    for i in range(N_CARDS):
        s.hand[seat] |= card_bit(pack[i])
        seat = seat_after(seat)
    s.n_trick = 0
    s.lead = -1
    s.discard = NO_CARD
    s.viewer = -1
    s.phase = PHASE_PASS


cdef void ciapano_deal_random(CiapanoState *s, Rng *rng) noexcept nogil:
    cdef uint8_t pack[40]
    cdef int i
    for i in range(N_CARDS):
        pack[i] = <uint8_t>i
    rng_shuffle(rng, pack, N_CARDS)
    ciapano_deal(s, pack)


# --- scoring (4.4) ------------------------------------------------------------------

cdef void count_thirds(const CiapanoState *s, int *thirds) noexcept nogil:
    """Per seat, the thirds of the cards taken so far, and at the end of the last trick."""
    cdef int i
    for i in range(SEATS):
        thirds[i] = thirds_of(s.taken[i])
    if s.phase == PHASE_DONE:
        thirds[s.lead] += LAST_TRICK_THIRDS


cdef void count_points(
    const CiapanoRules *r, const CiapanoState *s, int *points
) noexcept nogil:
    """Per seat, what it scores."""
    cdef int thirds[3]
    count_thirds(s, thirds)
    score_thirds(r, thirds, points)


# --- random play --------------------------------------------------------------------

cdef inline cardset random_of(cardset cards, uint64_t bits) noexcept nogil:
    """A card of a set, as a bit, by 21 random bits: uniform but for a bias of 14 / 2**21."""
    return bits_pick(cards, <int>(((bits & 0x1FFFFF) * <uint32_t>bits_count(cards)) >> 21))


cdef inline void random_turn(CiapanoState *s, Rng *rng) noexcept nogil:
    cdef int card = bits_low(random_of(ciapano_playable(s), rng_next(rng)))
    if s.phase == PHASE_PASS:
        give_card(s, card)
    else:
        play_card(s, card)


cdef inline int random_trick(CiapanoState *s, int lead, uint64_t bits) noexcept nogil:
    """A whole trick of random cards; its winner.

    One random word serves three cards, and cards stay bits, since this is where playouts,
    and with them a search, spend their time.
    """
    cdef int second = seat_after(lead), third = seat_after(second), winner = lead
    cdef cardset a, b, c, suit, follow
    cdef uint64_t best, other
    a = random_of(s.hand[lead], bits)
    suit = suit_set(bits_low(a) & 3)
    follow = s.hand[second] & suit
    b = random_of(follow if follow else s.hand[second], bits >> 21)
    follow = s.hand[third] & suit
    c = random_of(follow if follow else s.hand[third], bits >> 42)
    s.hand[lead] ^= a
    s.hand[second] ^= b
    s.hand[third] ^= c
    best = by_strength(a)
    other = by_strength(b & suit)
    winner = second if other > best else winner
    best = other if other > best else best
    winner = third if by_strength(c & suit) > best else winner
    s.taken[winner] |= a | b | c
    return winner


cdef int ciapano_playout(CiapanoState *s, Rng *rng) noexcept nogil:
    """Uniformly random play to the end of the smazzata; the number of actions."""
    cdef int played = 0, lead, tricks, left
    while s.phase == PHASE_PASS or s.n_trick:
        random_turn(s, rng)
        played += 1
    # A smazzata that is over has n_trick 0, as one between two tricks has.
    if s.phase == PHASE_DONE:
        return played
    lead = s.lead
    tricks = bits_count(s.hand[lead])
    left = tricks
    while left:
        lead = random_trick(s, lead, rng_next(rng))
        left -= 1
    s.lead = <int8_t>lead
    ciapano_finish(s)
    return played + SEATS * tricks


# --- the game contract --------------------------------------------------------------

cdef int _game_turn(const void *s) noexcept nogil:
    return (<const CiapanoState *>s).turn


cdef int _game_side(const void *r, int seat) noexcept nogil:
    return seat


cdef void _game_legal(const void *r, const void *s, Actions *out) noexcept nogil:
    ciapano_legal(<const CiapanoState *>s, out)


cdef int64_t _game_count(const void *r, const void *s, Actions *scratch) noexcept nogil:
    return bits_count(ciapano_playable(<const CiapanoState *>s))


cdef int _game_apply(const void *r, void *s, action_t a) noexcept nogil:
    ciapano_apply(<CiapanoState *>s, a)
    return EVENT_NONE


cdef action_t _game_seen(const void *s, int seat, action_t a) noexcept nogil:
    return ciapano_seen(<const CiapanoState *>s, seat, a)


cdef cardset _game_hand(const void *s, int seat) noexcept nogil:
    return (<const CiapanoState *>s).hand[seat]


cdef action_t _game_dealt(const void *s, int seat) noexcept nogil:
    # Nothing is dealt once play has begun.
    return 0


cdef void ciapano_outcome(
    const CiapanoRules *r, const CiapanoState *s, Outcome *out
) noexcept nogil:
    """What a finished smazzata comes to.

    More is better to the search, so what a seat scores counts against it.
    """
    cdef int scored[3]
    cdef int i
    count_points(r, s, scored)
    for i in range(SEATS):
        out.points[i] = -scored[i]
        out.scores[i] = s.scores[i] + scored[i]
    out.won = -1
    out.left = 0
    out.dealer = s.dealer


cdef int _game_finish(
    const void *rules, void *aid, void *state, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil:
    """Random play to the end."""
    cdef CiapanoState *s = <CiapanoState *>state
    cdef int played = ciapano_playout(s, rng)
    ciapano_outcome(<const CiapanoRules *>rules, s, out)
    return played


cdef void ciapano_game(const CiapanoRules *r, Game *g) noexcept nogil:
    """Fill the contract, all but ``draw``, which belongs to the information set."""
    g.rules = r
    g.state_size = sizeof(CiapanoState)
    g.sides = SEATS
    g.target = r.target
    g.fewest = True
    g.turn = _game_turn
    g.side = _game_side
    g.legal = _game_legal
    g.count = _game_count
    g.perft = NULL
    g.apply = _game_apply
    g.seen = _game_seen
    g.hand = _game_hand
    g.dealt = _game_dealt
    g.finish = _game_finish
    g.aid = NULL
    g.known = NULL
    g.likelihood = NULL
