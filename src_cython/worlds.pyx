"""Information sets of the fishing family and the drawing of worlds.

A world is drawn uniformly from the whole truths that agree with all that the viewer
has seen.  Cards on the table, taken, shown or one's own fix what is unseen; where
claims are mandatory a seat that did not claim, or claimed less, tells something too:
that is kept as facts for the current round (before it all hands were empty).
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport KIND_CLAIM, KIND_PLAY, code_card, code_kind
from cirulla_ai._core.base cimport BasePosition
from cirulla_ai._core.cards cimport DECK, bits_low, card_bit, cardset
from cirulla_ai._core.fishing cimport (
    CLAIM_MANDATORY, CLAIM_OPTIONAL, PHASE_DEAL, FishingRules, FishingState, best_claim,
    claim_points, fishing_apply, fishing_game, fishing_legal, hand_count, hide, may_claim,
    open_cards, unseen_cards, view_deal,
)
from cirulla_ai._core.game cimport MAX_SEATS, Actions, action_t
from cirulla_ai._core.numeric cimport soften
from cirulla_ai._core.position cimport Position
from cirulla_ai._core.rng cimport Rng, rng_below, rng_shuffle
from cirulla_ai._core.thumb cimport prospect_of, prospect_value
from cirulla_ai._core.value cimport (
    Value, action_values, after_layer, after_value, has_after,
)

from cirulla_ai._core.actions import decode

cdef enum:
    # Plays of one card that are looked at to judge a seat's choice; hardly ever more.
    MAX_WAYS = 64
    # Draws that are thrown away before one is mended instead, and steps of mending.
    MAX_DRAWS = 256
    MAX_SWAPS = 20000


cdef void _deal_unseen(
    const FishingRules *r, const Knowledge *k, const uint8_t *order, FishingState *world,
) noexcept nogil:
    """Give the unseen cards, in this order, to the unknown places of the view."""
    cdef int seat, i, _i, at = 0
    memcpy(world, &k.view, sizeof(FishingState))
    world.viewer = -1
    for seat in range(r.players):
        for _i in range(world.unknown[seat]):
            world.hand[seat] |= card_bit(order[at])
            at += 1
        world.unknown[seat] = 0
    # The view's stock begins at ``at`` of its own count; the places before are spent.
    for i in range(world.at, world.end):
        world.stock[i] = order[at]
        at += 1


cdef int _excess(const FishingRules *r, const Knowledge *k, const FishingState *world,
                 int *culprit) noexcept nogil:
    """Points by which a world's hands break the facts; 0: it agrees with all."""
    cdef int i, points, total = 0
    cdef const Fact *fact
    for i in range(k.n_facts):
        fact = &k.facts[i]
        points = best_claim(
            r, fact.seen | (world.hand[fact.seat] & ~k.view.hand[fact.seat])) - fact.limit
        if points > 0:
            total += points
            culprit[0] = fact.seat
    return total


cdef bint _draw(const void *rules, const void *knowledge, void *out, Rng *rng) noexcept nogil:
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const Knowledge *k = <const Knowledge *>knowledge
    cdef FishingState *world = <FishingState *>out
    cdef uint8_t order[40]
    cdef int _try, seat = 0, i, j, n, excess, now
    cdef uint8_t card
    memcpy(order, k.unseen, 40)
    for _try in range(MAX_DRAWS):
        rng_shuffle(rng, order, k.n_unseen)
        _deal_unseen(r, k, order, world)
        if k.n_facts == 0 or _excess(r, k, world, &seat) == 0:
            return True
    # The facts are rare (large hands without any claim): swap cards of a hand that
    # breaks one until none does.
    excess = _excess(r, k, world, &seat)
    for _try in range(MAX_SWAPS):
        n = 0
        for i in range(seat):
            n += k.view.unknown[i]
        i = n + <int>rng_below(rng, k.view.unknown[seat])
        j = <int>rng_below(rng, k.n_unseen)
        card = order[i]
        order[i] = order[j]
        order[j] = card
        _deal_unseen(r, k, order, world)
        now = _excess(r, k, world, &seat)
        if now == 0:
            return True
        if now > excess:
            order[j] = order[i]
            order[i] = card
            _deal_unseen(r, k, order, world)
            _excess(r, k, world, &seat)
        else:
            excess = now
    return False


cdef inline double _share(double *values, int n, int chosen, double temperature) noexcept nogil:
    """The chance of one of ``n`` by a softmax of their values, which it spends."""
    cdef double total = soften(values, n, temperature)
    return values[chosen] / total


cdef void _judge(
    const Knowledge *k, const Evidence *e, cardset hand, double *likely
) noexcept nogil:
    """Multiply how likely a hand makes an action, for each style."""
    cdef double values[MAX_WAYS]
    cdef double thumbs[MAX_WAYS]
    cdef cardset left = hand, rest
    cdef int j, card, n = 0, chosen = 0
    cdef const Way *way
    while left:
        card = bits_low(left)
        left &= left - 1
        rest = hand & ~card_bit(card)
        for j in range(e.first[card], e.first[card + 1]):
            if n == MAX_WAYS:
                break
            way = &k.ways[j]
            values[n] = way.scored
            if not e.plain:
                values[n] += after_value(k.nets, e.round, &way.layer, rest)
            thumbs[n] = prospect_value(&way.prospect, rest)
            if j == e.chosen:
                chosen = n
            n += 1
    likely[STYLE_VALUE] *= (
        (1 - k.floor) * _share(values, n, chosen, k.temperature) + k.floor / n)
    likely[STYLE_THUMB] *= (1 - k.floor) * _share(thumbs, n, chosen, k.thumb) + k.floor / n
    likely[STYLE_ANY] *= 1.0 / n


cdef double _likelihood(
    const void *rules, const void *knowledge, const void *truth
) noexcept nogil:
    """How likely a world's hands made what their seats were seen to do this round."""
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const Knowledge *k = <const Knowledge *>knowledge
    cdef const FishingState *world = <const FishingState *>truth
    cdef const Evidence *e
    cdef double likely = 1
    cdef double styles[MAX_SEATS][STYLES]
    cdef cardset hand
    cdef int i, seat
    memcpy(styles, k.style, sizeof(styles))
    for i in range(k.n_evidence):
        e = &k.evidence[i]
        hand = world.hand[e.seat] | e.later
        if e.declined and best_claim(r, hand):
            likely *= k.declining
        if e.chosen >= 0:
            _judge(k, e, hand, styles[e.seat])
    for seat in range(r.players):
        likely *= styles[seat][0] + styles[seat][1] + styles[seat][2]
    return likely


cdef bint _weigh(
    const FishingRules *r, Knowledge *k, const SeenAction *seen, Actions *list, Evidence *e
) noexcept nogil:
    """What an action seen tells: all that the seat could have done.  False: no memory."""
    cdef FishingState state
    cdef int seat = seen.before.turn, card, i
    cdef int held = hand_count(&seen.before, seat)
    cdef cardset cards, unseen, known = seen.before.hand[seat]
    cdef int64_t j
    cdef Way *ways
    memset(e, 0, sizeof(Evidence))
    e.seat = seat
    e.round = seen.before.round
    e.chosen = -1
    e.declined = may_claim(r, &seen.before) and r.claim == CLAIM_OPTIONAL and (
        code_kind(seen.action) != KIND_CLAIM)
    e.plain = not has_after(k.nets, r, &seen.before)
    for i in range(k.n_seen):
        # All that the same seat played from then on; before, it was another hand.
        if k.seen[i].before.turn == seat and &k.seen[i] >= seen and (
            k.seen[i].before.round == seen.before.round
        ) and (
            code_kind(k.seen[i].action) == KIND_PLAY
        ):
            e.later |= card_bit(code_card(k.seen[i].action))
    # Shown cards have to be played first: no choice among the others.
    if code_kind(seen.action) != KIND_PLAY or (known & seen.before.shown and not r.claim_free):
        return True
    cards = e.later
    if seen.before.round == k.view.round:
        cards |= unseen_cards(&k.view) | known | k.view.hand[seat]
    unseen = DECK & ~open_cards(&seen.before)
    memcpy(&state, &seen.before, sizeof(FishingState))
    for card in range(40):
        e.first[card] = k.n_ways
        if cards & card_bit(card) == 0:
            continue
        state.hand[seat] = card_bit(card)
        state.unknown[seat] = <uint8_t>(held - 1)
        fishing_legal(r, &state, list)
        ways = <Way *>realloc(k.ways, (k.n_ways + list.n) * sizeof(Way))
        if ways == NULL:
            return False
        k.ways = ways
        for j in range(list.n):
            if code_kind(list.data[j]) != KIND_PLAY:
                continue
            if list.data[j] == seen.action:
                e.chosen = k.n_ways
            ways = k.ways + k.n_ways
            prospect_of(r, &state, list.data[j], unseen, &ways.prospect)
            if e.plain:
                action_values(k.nets, r, &state, list.data + j, 1, &ways.scored)
            else:
                ways.scored = after_layer(k.nets, r, &state, list.data[j], &ways.layer)
            k.n_ways += 1
    e.first[40] = k.n_ways
    return True


cdef class InformationSet:
    """What the search is given: a game, a view, and a way to draw worlds."""

    def truth(self):
        """The whole truth as a position where all is known, else None."""
        return None


cdef class FishingInformationSet(InformationSet):
    """A seat's knowledge: its view, and what the actions it saw have told.

    ``position`` is a view, or a whole truth, of which just what ``viewer`` may know is
    kept.
    """

    def __init__(self, Position position, int viewer):
        self.rules = position.rules
        self.viewer = viewer
        self.k.view = position.c
        if position.c.viewer < 0:
            hide(&self.rules.c, &self.k.view, viewer)
        self.k.n_facts = 0
        self.k.n_seen = 0
        self.k.n_past = 0
        self.k.n_evidence = 0
        fishing_game(&self.rules.c, &self.game)
        self.game.draw = _draw
        self.view = &self.k.view
        self.knowledge = &self.k
        self._prepare()

    def __dealloc__(self):
        free(self.k.ways)

    def _prepare(self):
        cdef cardset left = unseen_cards(&self.k.view)
        self.k.n_unseen = 0
        while left:
            self.k.unseen[self.k.n_unseen] = <uint8_t>bits_low(left)
            left &= left - 1
            self.k.n_unseen += 1

    def copy(self):
        """Another information set with the same knowledge."""
        cdef FishingInformationSet other = FishingInformationSet(self.position(), self.viewer)
        other.k = self.k
        # Evidence is made anew where it is wanted.
        other.k.n_evidence = 0
        other.k.ways = NULL
        other.k.n_ways = 0
        return other

    def weighed(
        self, Value value, double temperature=0.5, double floor=0.02, double declining=0.05,
        double thumb=0.2, double rule=0.2, double anything=0.05
    ):
        """Another information set, whose worlds come as likely as what was seen makes them.

        A seat plays in one of three ways: by a softmax of the learned values, of
        ``temperature`` points; by a softmax of the values of the rule of thumb, of ``thumb``
        points; or anything.  Before it is seen to play, the second has the chance ``rule``
        and the third ``anything``; what it did with the hands of the rounds that are over
        tells more.  A share ``floor`` of its actions is done without a thought, and it
        declines a claim that it has with the chance ``declining``.  Of the hands that are
        out, only actions of the current round tell anything: before it all were empty.

        Raises MemoryError.
        """
        cdef FishingInformationSet other = self.copy()
        cdef Knowledge *k = &other.k
        cdef Actions list
        cdef Evidence past
        cdef double total
        cdef int i, j
        memset(&list, 0, sizeof(Actions))
        other.value = value
        k.nets = &value.c
        k.temperature = temperature
        k.floor = floor
        k.declining = declining
        k.thumb = thumb
        for i in range(MAX_SEATS):
            k.style[i][STYLE_VALUE] = 1 - rule - anything
            k.style[i][STYLE_THUMB] = rule
            k.style[i][STYLE_ANY] = anything
        k.n_evidence = 0
        # How the seats have played so far: their hands are known by now.
        for i in range(k.n_past):
            if not _weigh(&self.rules.c, k, &k.seen[i], &list, &past):
                free(list.data)
                raise MemoryError("no memory to weigh worlds")
            if past.chosen >= 0:
                _judge(k, &past, past.later, k.style[past.seat])
            k.n_ways = 0
        for i in range(MAX_SEATS):
            total = k.style[i][0] + k.style[i][1] + k.style[i][2]
            for j in range(STYLES):
                k.style[i][j] /= total
        for i in range(k.n_past, k.n_seen):
            if not _weigh(&self.rules.c, k, &k.seen[i], &list, &k.evidence[k.n_evidence]):
                free(list.data)
                raise MemoryError("no memory to weigh worlds")
            if k.evidence[k.n_evidence].chosen >= 0 or k.evidence[k.n_evidence].declined:
                k.n_evidence += 1
        free(list.data)
        other.game.likelihood = NULL
        if k.n_evidence:
            other.game.likelihood = _likelihood
        return other

    def styles(self, int seat):
        """How likely ``seat`` plays by the learned values, by the rule of thumb, anything.

        As its play in the past rounds makes it; of what ``weighed`` has made.
        """
        return tuple(self.k.style[seat])

    def likelihood(self, Position world):
        """How likely ``world`` makes what was seen, up to a factor; 1 where nothing tells."""
        if self.game.likelihood == NULL:
            return 1.0
        return self.game.likelihood(&self.rules.c, &self.k, &world.c)

    def position(self):
        """The viewer's view as a Position."""
        cdef Position p = Position.__new__(Position)
        p.rules = self.rules
        p.c = self.k.view
        return p

    def truth(self):
        """The whole truth as a position where all is known, else None.

        It is where no card is left to deal and at most one hand has unknown cards: they are
        all that is unseen.
        """
        cdef int seat, hidden = 0
        for seat in range(self.rules.c.players):
            hidden += self.k.view.unknown[seat] > 0
        if hidden > 1 or self.k.view.at < self.k.view.end or self.k.view.phase >= PHASE_DEAL:
            return None
        return self.draw(0)[0]

    def observe(self, uint64_t code):
        """Take in an action that the seat to move was seen to play."""
        cdef FishingRules *r = &self.rules.c
        cdef FishingState *view = &self.k.view
        cdef int seat = view.turn, i, before
        cdef cardset revealed
        cdef cardset known = view.hand[seat]
        cdef bint judged = (
            r.claim == CLAIM_MANDATORY and seat != self.viewer and may_claim(r, view)
            and self.k.n_facts < MAX_FACTS
        )
        cdef Fact *fact
        kind, card, cards, value = decode(code)
        revealed = cards if kind == "claim" else card_bit(card) if kind == "play" else 0
        revealed &= ~known
        for i in range(self.k.n_facts):
            if self.k.facts[i].seat == seat:
                self.k.facts[i].seen |= revealed
        if judged:
            fact = &self.k.facts[self.k.n_facts]
            fact.seat = seat
            fact.seen = revealed | (known & ~view.shown)
            # A claim has to be of the most points, so none of more was there.
            fact.limit = claim_points(r, cards, value) if kind == "claim" else 0
            self.k.n_facts += 1
        if seat != self.viewer and self.k.n_seen < MAX_SEEN:
            self.k.seen[self.k.n_seen].before = view[0]
            self.k.seen[self.k.n_seen].action = code
            self.k.n_seen += 1
        before = view.round
        fishing_apply(r, view, code)
        if view.round != before or view.phase == PHASE_DEAL:
            self.k.n_facts = 0
            self.k.n_past = self.k.n_seen
        self._prepare()

    def deal(self, uint64_t hand):
        """Take in the viewer's new hand (a set) where a round is dealt."""
        view_deal(&self.rules.c, &self.k.view, hand)
        self.k.n_facts = 0
        self.k.n_past = self.k.n_seen
        self._prepare()

    def draw(self, uint64_t seed):
        """A world drawn uniformly: (Position of the whole truth, whether it agrees)."""
        cdef Position p = Position.__new__(Position)
        cdef Rng rng
        cdef bint agrees
        rng.state = seed
        p.rules = self.rules
        agrees = _draw(&self.rules.c, &self.k, &p.c, &rng)
        return p, agrees


cdef struct Truth:
    const void *state
    size_t size


cdef bint _truth(const void *rules, const void *knowledge, void *out, Rng *rng) noexcept nogil:
    cdef const Truth *truth = <const Truth *>knowledge
    memcpy(out, truth.state, truth.size)
    return True


cdef action_t _sees_all(const void *state, int seat, action_t action) noexcept nogil:
    return action


cdef class CheatInformationSet(InformationSet):
    """All cards of any game, also a stock's order: for upper bounds and post-mortems only.

    ``position`` must be a whole truth, of which nothing is hidden from ``viewer``.
    """

    # Not to be changed, so it is kept itself, not copied.
    cdef BasePosition position
    cdef Truth whole

    def __init__(self, BasePosition position, int viewer):
        if position.viewer >= 0:
            raise ValueError("only a whole truth can be searched with all cards known")
        self.position = position
        self.viewer = viewer
        self.game = position.game()[0]
        self.game.draw = _truth
        self.game.seen = _sees_all
        self.whole.state = position.state
        self.whole.size = self.game.state_size
        self.view = self.whole.state
        self.knowledge = &self.whole

    def truth(self):
        """The position itself."""
        return self.position
