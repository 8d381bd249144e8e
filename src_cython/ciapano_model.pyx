"""A simple model of how a seat of Ciapa No plays, and how likely it makes what was seen.

A seat that wants to take little ducks where it can, and gets rid of what will take tricks:
if it did not, it probably could not.  The points of a smazzata are always the same, so a
seat's whole interest is to take as little as it can.  A card costs what the open trick brings
if it takes it, and what the hand that is left is likely to cost.  A hand's danger is that of
its suits: the card that has to be played when a suit comes round for the first time, the
second, and so on, taken from below, and how likely the others can stay under it.

The player by rule plays what costs least (``costs``).  A seat in general chooses a card the less
often the more it costs (softmax), and now and then plays anything, so that nothing excludes a
world.

What a card costs depends on the cards of its suit that the seat holds, and on nothing
else that is hidden.  So what was seen is weighed beforehand, suit by suit, for each set of
cards that the seat may hold of it; for a world it is looked up.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cirulla_ai._core.actions cimport UNSEEN_CARD, action_t, card_code, give_code
from cirulla_ai._core.cards cimport (
    DECK, bits_count, bits_deposit, bits_extract, bits_low, card_bit, cardset, suit_set,
)
from cirulla_ai._core.ciapano cimport (
    PHASE_PASS, SEATS, CiapanoState, ciapano_playable, ciapano_unseen, seat_after, seat_before,
    thirds_of,
)
from cirulla_ai._core.ciapano_position cimport CiapanoPosition
from cirulla_ai._core.numeric cimport exponential

cdef enum:
    # Cards that a seat holds when it passes one.
    HELD = 14
    SUIT_SETS = 1 << RANKS
    # A card of a suit is one's own, another's or gone.
    SUIT_STATES = 59049
    # Places in TAKING and its length; thirds of a trick, doubled, below this.
    NEVER = 0
    CERTAIN = RANKS
    NONE_UNDER = RANKS + 1
    FEW_UNDER = RANKS + 2
    MANY_UNDER = RANKS + 3
    N_TAKING = RANKS + 4
    HALVES = 32
    # The longest runs of a suit worth looking at: seldom does one come round more often.
    ROUNDS = 5

# How likely both others stay under a card, by the number of lower cards that are out; and
# then how likely a second seat takes the trick with the best card so far, while lower and
# higher ones are out.
cdef double *TAKING = [0.0, 0.35, 0.65, 0.85, 0.95, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                       0.5, 0.75, 0.9]
# Thirds that the others' two cards bring to a trick that one takes against one's will.
cdef int BROUGHT = 3
# What being without a suit is worth in thirds: its tricks take a bad card away.
cdef double VOID = 1.2
# How much less often a card is chosen for what it costs: e times for each of these, by the
# kind of choice.  Fitted to 200 smazzate of the engine and the player by rule.
cdef double *PER_DANGER = [0.67, 0.38, 1.4, 0.73]   # for a third in the hand that is left
cdef double *PER_TRICK = [0.0, 0.4, 1.8, 0.0]       # for a third in the open trick
cdef double *PER_RANK = [-1.0, 0.0, -0.2, -0.19]    # for a step up in its suit
# One play in so many is made without a thought.
cdef double CARELESS = 0.02

# Of a set of ranks, 4 lowest: its bits as digits to the base of three.
cdef uint32_t DIGITS[SUIT_SETS]
# And a rank alone.
cdef uint32_t DIGIT[RANKS]
# What a suit that is left takes from a choice's weight, by DIGITS[own] + 2 DIGITS[out];
# what a rank does; and what the trick does, by how likely it is taken and its half thirds.
cdef float LEFT[KINDS][SUIT_STATES]
cdef double RISE[KINDS][RANKS]
cdef double TRICK[KINDS][N_TAKING][HALVES]


# --- what a suit costs --------------------------------------------------------------

cdef double suit_danger(uint32_t own, uint32_t out) noexcept nogil:
    """Thirds that a suit is likely to cost, by the ranks that are one's own and others'."""
    cdef int i = 0, n_out = bits_count(out), lower, value
    cdef uint32_t card
    cdef double total = 0, comes_round
    if not own:
        return -VOID if out else 0
    while own:
        card = own & (~own + 1)
        own ^= card
        value = rank_thirds(card)
        if i < ROUNDS:
            # Two cards of the others go each time round.
            comes_round = n_out * 0.5 - i + 0.5
            comes_round = 1 if comes_round > 1 else 0.1 if comes_round < 0.1 else comes_round
            lower = bits_count(out & (card - 1)) - 2 * i
            total += comes_round * TAKING[lower if lower > 0 else 0] * (value + BROUGHT)
        else:
            # It will hardly be asked for, but an ace must still go somewhere.
            total += 0.2 * value
        i += 1
    return total


cdef void _build_digits() noexcept nogil:
    cdef uint32_t own, power = 1
    cdef int i
    for i in range(RANKS):
        DIGIT[i] = power
        power *= 3
    for own in range(<uint32_t>SUIT_SETS):
        DIGITS[own] = 0
        for i in range(RANKS):
            if own >> i & 1:
                DIGITS[own] += DIGIT[i]


cdef void _build_weights() noexcept nogil:
    cdef uint32_t own, others, out
    cdef double danger
    cdef int kind, i, halves
    for own in range(<uint32_t>SUIT_SETS):
        others = ~own & (SUIT_SETS - 1)
        out = others
        # All subsets of what is not one's own.
        while True:
            danger = suit_danger(own, out)
            for kind in range(KINDS):
                LEFT[kind][DIGITS[own] + 2 * DIGITS[out]] = <float>exponential(
                    -PER_DANGER[kind] * danger)
            if out == 0:
                break
            out = (out - 1) & others
    for kind in range(KINDS):
        for i in range(RANKS):
            RISE[kind][i] = exponential(-PER_RANK[kind] * i)
        for i in range(N_TAKING):
            for halves in range(HALVES):
                TRICK[kind][i][halves] = exponential(
                    -PER_TRICK[kind] * TAKING[i] * halves * 0.5)


_build_digits()
_build_weights()


# --- how a card is valued -----------------------------------------------------------

cdef int trick_halves(int thirds, int n) noexcept nogil:
    """Half thirds that a trick of ``n`` cards may bring, without the card to be played."""
    return 2 * thirds + (SEATS - 1 - n) * BROUGHT


cdef void look(const Choice *c, Scene *s) noexcept nogil:
    cdef int i, thirds = 0
    cdef uint32_t card
    for i in range(4):
        s.live[i] = ranks(c.live, i)
    s.kind = PASSING if c.passing else FOLLOWING if c.n_trick else LEADING
    s.best = 0
    s.last = c.n_trick == SEATS - 1
    for i in range(c.n_trick):
        thirds += thirds_of(card_bit(c.trick[i]))
        card = ranks(card_bit(c.trick[i]), c.trick[0] & 3)
        s.best = card if card > s.best else s.best
    if c.n_trick and (c.trick[0] ^ c.card) & 3:
        s.kind = DROPPING
    s.halves = trick_halves(thirds, c.n_trick)


cdef inline int taking(const Scene *s, uint32_t card, uint32_t out) noexcept nogil:
    """How likely a card takes the trick that it leads or follows to: the place in TAKING."""
    cdef int lower = bits_count(out & (card - 1))
    if s.kind == LEADING:
        # Where nobody else has the suit, it is taken for certain.
        return lower if out else CERTAIN
    if card < s.best:
        return NEVER
    if s.last or bits_count(out) == lower:
        return CERTAIN
    # The third seat stays under wherever it can.
    return MANY_UNDER if lower > 2 else FEW_UNDER if lower else NONE_UNDER


cdef double suit_weights(const Scene *s, int suit, uint32_t own, double *each) noexcept nogil:
    """The weights of all cards of a suit, added up, where a seat holds ``own`` of it.

    ``each`` gets those of the cards by rank; the places of others are left alone.
    """
    cdef uint32_t out = s.live[suit] & ~own, left = own, card
    cdef uint32_t place = DIGITS[own] + 2 * DIGITS[out]
    cdef const float *then = LEFT[s.kind]
    cdef int rank
    cdef double total = 0, now = 1.0 / then[place], weight
    while left:
        rank = bits_low(left)
        card = <uint32_t>1 << rank
        left ^= card
        weight = then[place - DIGIT[rank]] * now * RISE[s.kind][rank]
        if s.kind == LEADING or s.kind == FOLLOWING:
            weight *= TRICK[s.kind][taking(s, card, out)][s.halves + 2 * rank_thirds(card)]
        each[rank] = weight
        total += weight
    return total


# --- tables -------------------------------------------------------------------------

cdef void note_choice(
    const CiapanoState *view, int card, cardset before, Choice *c
) noexcept nogil:
    """What the seat to move chose, in a view from before the choice."""
    cdef cardset gone = 0
    cdef int i
    for i in range(SEATS):
        gone |= view.taken[i]
    for i in range(view.n_trick):
        gone |= card_bit(view.trick[i])
        c.trick[i] = view.trick[i]
    c.live = DECK & ~gone
    c.before = before
    c.n_trick = view.n_trick
    c.seat = view.turn
    c.card = <int8_t>card
    c.passing = view.phase == PHASE_PASS


cdef inline bint is_free(const Choice *c) noexcept nogil:
    """Whether the choice was among all suits: a lead, or of a seat that could not follow."""
    return c.n_trick == 0 or (c.trick[0] ^ c.card) & 3


cdef int64_t tables_lay(PlayTables *t, double *data, const Choice *choices, int n) noexcept nogil:
    """Give each table its place from ``data`` on; returns how many numbers they take."""
    cdef int64_t at = 0
    cdef int i, other, suit
    cdef Free *f
    for other in range(2):
        for suit in range(4):
            t.follow[other][suit] = data + at
            at += 1 << bits_count(t.hidden[other][suit])
    for suit in range(4):
        t.discard.weights[suit] = data + at
        if t.discard.dealer >= 0:
            at += 1 << bits_count(t.discard.hidden[suit])
        t.discard.each[suit] = data + at
        if t.discard.dealer >= 0:
            at += RANKS << bits_count(t.discard.hidden[suit])
    t.n_free = 0
    for i in range(n):
        if is_free(&choices[i]):
            f = &t.free[t.n_free]
            t.n_free += 1
            f.other = choices[i].seat != t.seat[0]
            f.suit = choices[i].card & 3
            for suit in range(4):
                f.weights[suit] = data + at
                at += 1 << bits_count(t.hidden[f.other][suit])
            f.chosen = data + at
            at += 1 << bits_count(t.hidden[f.other][f.suit])
    return at


cdef void fill_follow(
    const Choice *c, const Scene *s, cardset known, cardset hidden, double *follow
) noexcept nogil:
    """A choice within the suit led: how likely it was, times what is there already."""
    cdef int suit = c.card & 3
    cdef uint32_t m, own, sure = ranks(known, suit)
    cdef int rank = bits_low(ranks(card_bit(c.card), suit))
    cdef double total
    cdef double each[RANKS]
    for m in range(<uint32_t>1 << bits_count(hidden)):
        own = sure | ranks(bits_deposit(m, hidden), suit)
        total = suit_weights(s, suit, own, each)
        follow[m] *= (1 - CARELESS) * each[rank] / total + CARELESS / bits_count(own)


cdef void fill_free(
    const Choice *c, const Scene *s, cardset known, const cardset *hidden, Free *f
) noexcept nogil:
    """A choice among all suits."""
    cdef int suit, rank = bits_low(ranks(card_bit(c.card), f.suit))
    cdef uint32_t m, own, sure
    cdef double each[RANKS]
    for suit in range(4):
        sure = ranks(known, suit)
        for m in range(<uint32_t>1 << bits_count(hidden[suit])):
            own = sure | ranks(bits_deposit(m, hidden[suit]), suit)
            f.weights[suit][m] = suit_weights(s, suit, own, each)
            if suit == f.suit:
                f.chosen[m] = each[rank]


cdef void fill_discard(Discard *d, cardset known) noexcept nogil:
    """The discard, by all that the dealer held, itself among it."""
    cdef Choice c
    cdef Scene scene
    cdef int suit
    cdef uint32_t m, sure
    memset(&c, 0, sizeof(Choice))
    c.live = DECK
    c.passing = True
    look(&c, &scene)
    for suit in range(4):
        sure = ranks(known, suit)
        for m in range(<uint32_t>1 << bits_count(d.hidden[suit])):
            d.weights[suit][m] = suit_weights(
                &scene, suit, sure | ranks(bits_deposit(m, d.hidden[suit]), suit),
                d.each[suit] + RANKS * m)


cdef bint tables_make(
    PlayTables *t, const CiapanoState *view, const Choice *choices, int n,
    const cardset *played, const cardset *lacks,
) noexcept nogil:
    """Make the tables for these choices; False where memory ran out.

    By seat, ``played`` are the cards that it was seen to play and ``lacks`` those that it
    has shown not to have.
    """
    cdef int i, other, suit, n_free = 0, hand
    cdef int64_t size, place
    cdef const Choice *c
    cdef cardset known, unseen = ciapano_unseen(view)
    cdef Scene scene
    tables_free(t)
    t.seat[0] = seat_after(view.viewer)
    t.seat[1] = seat_before(view.viewer)
    t.discard.dealer = -1
    # It tells something beside all that the dealer kept; a view alone may not know that.
    if view.discard == UNSEEN_CARD and bits_count(
        played[view.dealer] | view.hand[view.dealer]
    ) + view.unknown[view.dealer] == HELD - 1:
        t.discard.dealer = view.dealer != t.seat[0]
    for suit in range(4):
        t.discard.hidden[suit] = unseen & suit_set(suit)
        for other in range(2):
            t.hidden[other][suit] = unseen & ~lacks[t.seat[other]] & suit_set(suit)
    size = tables_lay(t, NULL, choices, n)
    t.data = <double *>malloc(size * sizeof(double))
    if t.data == NULL:
        return False
    tables_lay(t, t.data, choices, n)
    for place in range(size):
        t.data[place] = 1
    for i in range(n):
        c = &choices[i]
        other = c.seat != t.seat[0]
        look(c, &scene)
        known = (played[c.seat] & ~c.before) | card_bit(c.card)
        if is_free(c):
            # Before each trick all seats hold as many cards.
            hand = HELD if c.passing else (bits_count(c.live) + c.n_trick) // SEATS
            t.free[n_free].least = CARELESS / hand
            fill_free(c, &scene, known, t.hidden[other], &t.free[n_free])
            n_free += 1
        else:
            suit = c.card & 3
            fill_follow(c, &scene, known, t.hidden[other][suit], t.follow[other][suit])
    if t.discard.dealer >= 0:
        fill_discard(&t.discard, played[view.dealer])
    return True


cdef void tables_free(PlayTables *t) noexcept nogil:
    free(t.data)
    t.data = NULL


cdef double discard_chance(const Discard *d, const CiapanoState *world) noexcept nogil:
    """How likely the dealer discarded what it did in a world."""
    cdef cardset held = world.hand[world.dealer] | card_bit(world.discard)
    cdef uint32_t m
    cdef int suit
    cdef double total = 0, chosen = 0
    for suit in range(4):
        m = <uint32_t>bits_extract(held, d.hidden[suit])
        total += d.weights[suit][m]
        if suit == world.discard & 3:
            chosen = d.each[suit][RANKS * m
                                  + bits_low(ranks(card_bit(world.discard), suit))]
    return (1 - CARELESS) * chosen / total + CARELESS / HELD


cdef double tables_likelihood(const PlayTables *t, const CiapanoState *world) noexcept nogil:
    """How likely all the choices are in a world: relative to other worlds, above 0."""
    cdef uint32_t held[2][4]
    cdef int other, suit, i
    cdef const Free *f
    cdef const uint32_t *h
    cdef double out = 1, total
    for other in range(2):
        for suit in range(4):
            held[other][suit] = <uint32_t>bits_extract(
                world.hand[t.seat[other]], t.hidden[other][suit])
            out *= t.follow[other][suit][held[other][suit]]
    for i in range(t.n_free):
        f = &t.free[i]
        h = held[f.other]
        total = (f.weights[0][h[0]] + f.weights[1][h[1]] + f.weights[2][h[2]]
                 + f.weights[3][h[3]])
        out *= (1 - CARELESS) * f.chosen[h[f.suit]] / total + f.least
    if t.discard.dealer >= 0:
        out *= discard_chance(&t.discard, world)
    return out


# --- for Python ---------------------------------------------------------------------

cdef action_t open_choice(CiapanoPosition position, Choice *c) except? 0:
    """The choice of the seat to move, any of its cards chosen; returns what those cards' codes
    have in common beside the card.

    Raises ValueError where nobody moves, or a seat whose hand is not known.
    """
    cdef const CiapanoState *s = &position.c
    if s.turn < 0:
        raise ValueError("the smazzata is over: there is nothing to decide")
    if s.viewer >= 0 and s.viewer != s.turn:
        raise ValueError(
            f"seat {s.turn} is to move, not seat {s.viewer}, whose view this is")
    memset(c, 0, sizeof(Choice))
    note_choice(s, bits_low(ciapano_playable(s)), 0, c)
    return give_code(0) if c.passing else card_code(0)


def costs(CiapanoPosition position):
    """What each action is likely to cost the seat to move: [(code, thirds)], lowest card first.

    Of the other hands nothing is used.  Raises ValueError where the smazzata is over, and in
    the view of a seat that is not to move.
    """
    cdef const CiapanoState *s = &position.c
    cdef cardset left
    cdef int suit, card
    cdef uint32_t rank
    cdef double cost
    cdef uint32_t own[4]
    cdef uint32_t out[4]
    cdef Choice c
    cdef Scene scene
    cdef action_t common = open_choice(position, &c)
    # The dealer knows that what it discarded is with nobody.
    if s.turn == s.dealer and s.discard >= 0:
        c.live &= ~card_bit(s.discard)
    look(&c, &scene)
    for suit in range(4):
        own[suit] = ranks(s.hand[s.turn], suit)
        out[suit] = scene.live[suit] & ~own[suit]
    found = []
    left = ciapano_playable(s)
    while left:
        card = bits_low(left)
        left &= left - 1
        rank = ranks(card_bit(card), card & 3)
        own[card & 3] ^= rank
        cost = 0
        for suit in range(4):
            cost += suit_danger(own[suit], out[suit])
        own[card & 3] ^= rank
        if scene.kind == LEADING or scene.kind == FOLLOWING:
            cost += TAKING[taking(&scene, rank, out[card & 3])] * (
                scene.halves + 2 * rank_thirds(rank)) * 0.5
        found.append((common | card_code(card), cost))
    return found


def chances(CiapanoPosition position):
    """How likely the seat to move does what, by the model: [(code, chance)], lowest card first.

    Of the other hands nothing is used.  Raises ValueError where the smazzata is over, and in
    the view of a seat that is not to move.
    """
    cdef const CiapanoState *s = &position.c
    cdef cardset cards = ciapano_playable(s), left = cards
    cdef int n = bits_count(cards), suit, card
    cdef double total = 0
    cdef double each[4][RANKS]
    cdef Choice c
    cdef Scene scene
    cdef action_t common = open_choice(position, &c)
    look(&c, &scene)
    for suit in range(4):
        total += suit_weights(&scene, suit, ranks(cards, suit), each[suit])
    out = []
    while left:
        card = bits_low(left)
        left &= left - 1
        out.append((
            common | card_code(card),
            (1 - CARELESS) * each[card & 3][bits_low(ranks(card_bit(card), card & 3))] / total
            + CARELESS / n))
    return out
