"""Information sets of Ciapa No and the drawing of worlds.

A world is drawn uniformly from the whole truths that agree with all that the viewer has
seen, which is to say: every deal is as likely as any other, and so is every card that was
handed on or discarded unseen.  What is seen and matters:

- one's own cards, the cards played, and the sizes of the hands;
- a seat that did not follow suit has none of it left.  It may have had some before the
  play and passed it, so this tells of the hand now, and through it of the passing;
- the card that one gave: the next seat still has it, or had it once.  That seat would
  hand on any other of its fourteen cards as likely, so in thirteen cases of fourteen it
  was kept.

The unseen cards lie in two hands and, for all but the dealer, the discard.  By suit each
may be in both hands, in one, or in neither (then it is the discard).  So all the worlds
fall into a dozen ways at most, in each of which some cards are fixed and the rest are
divided freely: how many worlds each way has is a binomial coefficient or two, counted
once when something is seen, and a draw picks a way, a discard and a subset.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport KIND_PLAY, UNSEEN_CARD, action_t, code_card, code_kind
from cirulla_ai._core.cards cimport (
    NO_CARD, N_CARDS, bits_count, bits_deposit, bits_select, card_bit, cardset, suit_set,
)
from cirulla_ai._core.ciapano cimport (
    SEATS, CiapanoState, ciapano_apply, ciapano_hide, ciapano_seen, ciapano_unseen, seat_after,
    seat_before,
)
from cirulla_ai._core.ciapano_model cimport (
    MAX_CHOICES, Choice, note_choice, tables_free, tables_likelihood, tables_make,
)
from cirulla_ai._core.ciapano_position cimport CiapanoPosition
from cirulla_ai._core.contract cimport Table
from cirulla_ai._core.rng cimport Rng, rng_below, rng_next

cdef enum:
    # A seat that has been handed a card holds so many, and gives one of them.
    HELD = 14
    # Unseen cards, and hidden cards in one hand, at most.
    MAX_UNSEEN = 27

# CHOOSE[n][k]: the number of k-subsets of n cards.
cdef uint32_t CHOOSE[MAX_UNSEEN + 1][HELD + 2]


cdef void _build_choose() noexcept nogil:
    cdef int n, k
    for n in range(MAX_UNSEEN + 1):
        for k in range(HELD + 2):
            CHOOSE[n][k] = 1 if k == 0 else 0
            if n > 0 and k > 0:
                CHOOSE[n][k] = CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


_build_choose()


cdef inline uint64_t choose(int n, int k) noexcept nogil:
    return CHOOSE[n][k] if 0 <= k <= n and k <= HELD else 0


cdef inline cardset subset_of(cardset cards, int k, uint64_t rank) noexcept nogil:
    """The k-subset of a set with this rank, from 0 (combinatorial number system)."""
    cdef int n = bits_count(cards)
    cdef cardset places = 0
    cdef uint32_t below
    while k:
        n -= 1
        below = CHOOSE[n][k]
        if rank >= below:
            rank -= below
            places |= card_bit(n)
            k -= 1
    return bits_deposit(places, cards)


# --- counting -----------------------------------------------------------------------

cdef void add_way(
    CiapanoKnowledge *k, uint64_t weight, cardset first, cardset second, cardset free,
    int size, cardset discards,
) noexcept nogil:
    """Add a way of ``weight`` truths a division, the first hand having ``size`` cards."""
    cdef Way *way = &k.ways[k.n_ways]
    cdef int n_free = bits_count(free), kinds = 1
    size -= bits_count(first)
    if discards:
        # The discard leaves the cards that it is one of, and a place with them.
        kinds = bits_count(discards)
        size += (discards & first) != 0
        n_free -= (discards & free) != 0
    weight *= kinds * choose(n_free, size)
    if weight == 0:
        return
    way.upto = weight + (k.ways[k.n_ways - 1].upto if k.n_ways else 0)
    way.first = first
    way.second = second
    way.discards = discards
    way.free = free
    way.first_takes = size
    k.n_ways += 1


cdef void add_ways(
    CiapanoKnowledge *k, uint64_t weight, cardset first, cardset second, cardset unseen,
    cardset not_first, cardset not_second, int size, bint discarded,
) noexcept nogil:
    """Add all ways to place the unseen cards, some being fixed in a hand already.

    ``discarded``: one of the unseen cards is the discard.
    """
    cdef cardset nowhere = unseen & not_first & not_second
    cdef cardset only_first = unseen & not_second & ~not_first
    cdef cardset only_second = unseen & not_first & ~not_second
    cdef cardset free = unseen & ~not_first & ~not_second
    cdef int lost = bits_count(nowhere)
    if lost > discarded:
        return
    first |= only_first
    second |= only_second
    if lost or not discarded:
        add_way(k, weight, first, second, free, size, nowhere)
        return
    if free:
        add_way(k, weight, first, second, free, size, free)
    if only_first:
        add_way(k, weight, first, second, free, size, only_first)
    if only_second:
        add_way(k, weight, first, second, free, size, only_second)


cdef void count_ways(CiapanoKnowledge *k, bint voids, bint gifts) noexcept nogil:
    """Count the worlds, by what voids and gifts have told or without regard to them."""
    cdef CiapanoState *view = &k.view
    cdef int viewer = view.viewer, one = seat_after(viewer), two = seat_before(viewer)
    cdef int size = view.unknown[one], given = view.passed[viewer]
    cdef bint discarded = view.discard == UNSEEN_CARD
    cdef cardset unseen = ciapano_unseen(view), gift = 0
    cdef cardset not_one = k.lacks[one] if voids else 0
    cdef cardset not_two = k.lacks[two] if voids else 0
    cdef uint64_t kept = 1
    k.n_ways = 0
    if gifts and 0 <= given < N_CARDS:
        gift = unseen & card_bit(given)
    if not gift:
        add_ways(k, 1, 0, 0, unseen, not_one, not_two, size, discarded)
        return
    # The gift went to seat ``one``.  Where that is the dealer, it has it or discarded it.
    # Else ``two`` is the dealer: where ``one`` kept the gift it handed on any other card,
    # a truth for each; where it did not, it was the gift that it handed on.
    if one != view.dealer:
        kept = HELD
        if not gift & not_two:
            add_ways(k, 1, 0, gift, unseen & ~gift, not_one, not_two, size, discarded)
    if not gift & not_one:
        add_ways(k, kept, gift, 0, unseen & ~gift, not_one, not_two, size, discarded)
    if discarded:
        # All the rest is in the hands: the discard is the one card that may be neither's.
        add_ways(k, 1, 0, 0, unseen, not_one | gift, not_two | gift, size, True)


cdef void prepare(CiapanoKnowledge *k) noexcept nogil:
    """Count anew, after something was seen."""
    cdef CiapanoState *view = &k.view
    cdef int i
    k.gone = 0
    for i in range(SEATS):
        k.gone |= view.taken[i]
    for i in range(SEATS):
        k.gone &= ~k.played[i]
    count_ways(k, True, True)
    k.agrees = k.n_ways > 0
    # Nothing agrees where a state was put together that play can't have come to; cards of
    # the right number in every hand are still better than none.
    if k.n_ways == 0:
        count_ways(k, False, True)
    if k.n_ways == 0:
        count_ways(k, False, False)


cdef bint can_hold(const CiapanoKnowledge *k, int seat, int card) noexcept nogil:
    """Whether a seat may have this unseen card, for all that voids and gifts have told."""
    cdef const CiapanoState *view = &k.view
    if k.lacks[seat] & card_bit(card):
        return False
    # The dealer's gift went no further than to be discarded.
    return not (card == view.passed[view.viewer] and seat != view.dealer
                and seat_after(view.viewer) == view.dealer)


cdef void note_seen(CiapanoKnowledge *k, const CiapanoState *view, int card) noexcept nogil:
    """A card that the seat to move chose in the viewer's sight."""
    if view.turn != view.viewer and k.n_choices < MAX_CHOICES:
        note_choice(view, card, k.played[view.turn], &k.choices[k.n_choices])
        k.n_choices += 1


cdef void note_play(CiapanoKnowledge *k, int seat, int card, int led) noexcept nogil:
    """A seat was seen to play a card to a trick that ``led`` began (itself, or NO_CARD)."""
    k.played[seat] |= card_bit(card)
    if led != NO_CARD and (card ^ led) & 3:
        k.lacks[seat] |= suit_set(led & 3)


# --- drawing ------------------------------------------------------------------------

cdef inline cardset held_by(
    const CiapanoKnowledge *k, const CiapanoState *world, int seat
) noexcept nogil:
    """What is known of the fourteen cards that a seat had before it gave one."""
    cdef int given = world.discard if seat == world.dealer else world.passed[seat]
    cdef cardset held = world.hand[seat] | k.played[seat]
    return held | card_bit(given) if 0 <= given < N_CARDS else held


cdef int draw_passed(
    const CiapanoKnowledge *k, const CiapanoState *world, int giver, cardset not_these,
    Rng *rng,
) noexcept nogil:
    """A card that ``giver`` may have handed on, each of the next seat's fourteen alike."""
    cdef cardset held = held_by(k, world, seat_after(giver))
    # What is missing of the fourteen has gone unattributed, before the viewer's knowledge
    # began or, at the end, as the discard.
    cdef cardset gone = k.gone & ~held & ~not_these
    cdef int n = bits_count(held), i = <int>rng_below(rng, HELD)
    if i < n:
        return bits_select(held, i)
    if gone:
        return bits_select(gone, <int>rng_below(rng, <uint32_t>bits_count(gone)))
    return bits_select(held, i % n) if n else UNSEEN_CARD


cdef bint gift_reached_dealer(
    const CiapanoKnowledge *k, const CiapanoState *world, int holder, Rng *rng
) noexcept nogil:
    """Whether the card that the viewer gave to ``holder`` was handed on in this world."""
    cdef int given = world.passed[k.view.viewer], kept, handed
    cdef cardset gift
    if not 0 <= given < N_CARDS:
        return False
    gift = card_bit(given)
    if gift & k.gone:
        # It went unattributed: one truth for each unknown card of the dealer that it can
        # have been, fourteen for each of ``holder``, which then handed on any other.
        handed = HELD - bits_count(held_by(k, world, world.dealer))
        kept = HELD - 1 - bits_count(world.hand[holder] | k.played[holder])
        return <int>rng_below(rng, <uint32_t>(handed + HELD * kept)) < handed
    return (held_by(k, world, world.dealer) & gift) != 0


cdef void draw_history(
    const CiapanoKnowledge *k, CiapanoState *world, Rng *rng
) noexcept nogil:
    """What was handed on unseen: it changes nothing in play, but belongs to the truth."""
    cdef int viewer = k.view.viewer, after = seat_after(viewer), given
    if after == world.dealer or world.passed[after] != UNSEEN_CARD:
        return
    if viewer != world.dealer and gift_reached_dealer(k, world, after, rng):
        world.passed[after] = world.passed[viewer]
        return
    given = world.passed[viewer]
    world.passed[after] = <int8_t>draw_passed(
        k, world, after, card_bit(given) if 0 <= given < N_CARDS else 0, rng)


cdef inline int free_of(const Way *way) noexcept nogil:
    """How many cards both hands may have, once one is the discard."""
    return bits_count(way.free) - ((way.discards & way.free) != 0)


cdef inline int kinds_of(const Way *way) noexcept nogil:
    """How many cards may be the discard; 1 where no unseen card is."""
    return bits_count(way.discards) if way.discards else 1


cdef inline void place_unseen(
    const CiapanoKnowledge *k, const Way *way, CiapanoState *world, int kind, uint64_t rank
) noexcept nogil:
    """Give the unseen cards to the unknown places of the view.

    ``kind`` counts the cards that may be the discard, ``rank`` the divisions of the rest.
    """
    cdef int one = seat_after(k.view.viewer), two = seat_before(k.view.viewer), card
    cdef cardset free, first, second, out = 0
    if way.discards:
        card = bits_select(way.discards, kind)
        world.discard = <int8_t>card
        out = card_bit(card)
    free = way.free & ~out
    first = subset_of(free, way.first_takes, rank)
    second = free & ~first
    world.hand[one] |= (first | way.first) & ~out
    world.hand[two] |= (second | way.second) & ~out
    world.unknown[one] = 0
    world.unknown[two] = 0


cdef void draw_unseen(const CiapanoKnowledge *k, CiapanoState *world, Rng *rng) noexcept nogil:
    cdef const Way *way = &k.ways[0]
    cdef uint64_t rank
    cdef int kind = 0
    if k.n_ways > 1:
        rank = rng_next(rng) % k.ways[k.n_ways - 1].upto
        while rank >= way.upto:
            way += 1
    if way.discards:
        kind = <int>rng_below(rng, <uint32_t>kinds_of(way))
    place_unseen(k, way, world, kind, rng_next(rng) % choose(free_of(way), way.first_takes))


cdef uint64_t ciapano_worlds(const CiapanoKnowledge *k) noexcept nogil:
    """The number of different hands and discards that agree; 0 where none does."""
    cdef uint64_t total = 0
    cdef const Way *way
    cdef int i
    if k.agrees:
        for i in range(k.n_ways):
            way = &k.ways[i]
            total += kinds_of(way) * choose(free_of(way), way.first_takes)
    return total


cdef bint _draw(const void *rules, const void *knowledge, void *out, Rng *rng) noexcept nogil:
    cdef const CiapanoKnowledge *k = <const CiapanoKnowledge *>knowledge
    cdef CiapanoState *world = <CiapanoState *>out
    memcpy(world, &k.view, sizeof(CiapanoState))
    world.viewer = -1
    if k.n_ways:
        draw_unseen(k, world, rng)
    draw_history(k, world, rng)
    return k.agrees


cdef double _likelihood(
    const void *rules, const void *knowledge, const void *world
) noexcept nogil:
    cdef const CiapanoKnowledge *k = <const CiapanoKnowledge *>knowledge
    return tables_likelihood(k.tables, <const CiapanoState *>world) if k.tables else 1


# --- for Python ---------------------------------------------------------------------

cdef class CiapanoInformationSet(InformationSet):
    """A seat's knowledge: its view, and what the actions it saw have told.

    ``position`` is a view, or a whole truth, of which just what ``viewer`` may know is
    kept.  Of tricks gone by it tells nothing: for what they have told, make this at the
    start of the play and ``observe``.
    """

    def __init__(self, CiapanoPosition position, int viewer):
        cdef CiapanoState *view = &self.k.view
        cdef CiapanoState before
        cdef int i
        self.rules = position.rules
        self.viewer = viewer
        memset(&self.k, 0, sizeof(CiapanoKnowledge))
        self.k.view = position.c
        if view.viewer < 0:
            ciapano_hide(view, viewer)
        before = view[0]
        for i in range(view.n_trick):
            before.turn = <int8_t>((view.lead + i) % SEATS)
            before.n_trick = <int8_t>i
            note_seen(&self.k, &before, view.trick[i])
            note_play(&self.k, before.turn, view.trick[i], view.trick[0])
        self.game = self.rules.game
        self.game.draw = _draw
        self.view = &self.k.view
        self.knowledge = &self.k
        prepare(&self.k)

    def __reduce__(self):
        """Its parts, as ``copy`` has them: tables are made anew where they are wanted."""
        cdef Choice *c
        cdef int i
        choices = []
        for i in range(self.k.n_choices):
            c = &self.k.choices[i]
            choices.append((c.live, c.before, c.trick[0], c.trick[1], c.n_trick, c.seat, c.card,
                            bool(c.passing)))
        return remembered, (
            self.position(), self.viewer, [self.k.played[i] for i in range(SEATS)],
            [self.k.lacks[i] for i in range(SEATS)], choices)

    def copy(self):
        """Another information set with the same knowledge."""
        cdef CiapanoInformationSet other = CiapanoInformationSet(self.position(), self.viewer)
        other.k = self.k
        # They are this one's.
        other.k.tables = NULL
        return other

    def posterior(self):
        """The same knowledge, its worlds drawn as often as they make likely what was seen."""
        cdef CiapanoInformationSet other = self.copy()
        if not tables_make(&other.tables, &self.k.view, self.k.choices, self.k.n_choices,
                           self.k.played, self.k.lacks):
            raise MemoryError("no memory for the tables of plays")
        other.k.tables = &other.tables
        other.game.likelihood = _likelihood
        return other

    def __dealloc__(self):
        tables_free(&self.tables)

    cdef Table table(self):
        return self.rules

    def observe(self, uint64_t code):
        """Take in an action of the seat to move; of one the viewer does not see, that."""
        cdef CiapanoState *view = &self.k.view
        cdef action_t a = ciapano_seen(view, self.viewer, code)
        if code_card(a) != UNSEEN_CARD:
            note_seen(&self.k, view, code_card(a))
        self.k.tables = NULL
        if code_kind(a) == KIND_PLAY:
            note_play(&self.k, view.turn, code_card(a),
                      view.trick[0] if view.n_trick else NO_CARD)
        ciapano_apply(view, a)
        prepare(&self.k)

    def accepts(self, uint64_t code):
        """Whether some truth that agrees with all seen so far lets the seat to move do this."""
        cdef CiapanoState *view = &self.k.view
        cdef action_t a = ciapano_seen(view, self.viewer, code)
        cdef CiapanoInformationSet after
        if not self.position().accepts(a):
            return False
        if view.turn == self.viewer or not self.k.agrees:
            return True
        if code_kind(a) == KIND_PLAY and not can_hold(&self.k, view.turn, code_card(a)):
            return False
        after = self.copy()
        after.observe(a)
        return after.k.agrees

    def draw_many(self, int64_t n, uint64_t seed):
        """Draw ``n`` worlds and keep none: for measuring how fast they come."""
        cdef CiapanoState world
        cdef Rng rng
        cdef int64_t _i
        rng.state = seed
        with nogil:
            for _i in range(n):
                _draw(&self.rules.c, &self.k, &world, &rng)

    def likelihood(self, CiapanoPosition world):
        """How likely what the others were seen to choose is in a world, relative to others.

        ``world`` is a whole truth that agrees.  1 for all worlds but after ``posterior``.
        """
        return _likelihood(&self.rules.c, &self.k, &world.c)

    def count(self):
        """The number of whole truths that agree, what was handed on unseen set aside.

        Where the viewer gave a card that it has not seen again, a truth counts once for
        each card that can have been handed on after it.
        """
        return self.k.ways[self.k.n_ways - 1].upto if self.k.n_ways else 0

    def count_worlds(self):
        """The number of different hands and discards that agree with all seen; 0: none does."""
        return ciapano_worlds(&self.k)

    def truth(self):
        """The one whole truth that agrees with all seen; None where there are more, or none.

        What was handed on unseen may still have been one card or another: it changes
        nothing any more.
        """
        return self.draw(0)[0] if ciapano_worlds(&self.k) == 1 else None


def remembered(CiapanoPosition position, int viewer, list played, list lacks, list choices):
    """The information set of a view, with what was seen before: per seat, the cards played and
    the suits that it lacks, and the choices, field by field."""
    cdef CiapanoInformationSet known = CiapanoInformationSet(position, viewer)
    cdef Choice *c
    cdef int i
    if len(choices) > MAX_CHOICES:
        raise ValueError("more than anybody sees in a smazzata")
    for i in range(SEATS):
        known.k.played[i] = played[i]
        known.k.lacks[i] = lacks[i]
    for i in range(len(choices)):
        c = &known.k.choices[i]
        (c.live, c.before, c.trick[0], c.trick[1], c.n_trick, c.seat, c.card,
         c.passing) = choices[i]
    known.k.n_choices = len(choices)
    prepare(&known.k)
    return known
