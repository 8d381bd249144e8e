"""Information sets of the fishing family and the drawing of worlds.

A world is drawn uniformly from the whole truths that agree with all that the viewer
has seen.  Cards on the table, taken, shown or one's own fix what is unseen; where
claims are mandatory a seat that did not claim, or claimed less, tells something too:
that is kept as facts for the current round (before it all hands were empty).
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport KIND_CLAIM, KIND_PLAY, code_card, code_kind
from cirulla_ai._core.base cimport BasePosition
from cirulla_ai._core.cards cimport bits_low, card_bit, cardset
from cirulla_ai._core.fishing cimport (
    CLAIM_MANDATORY, CLAIM_OPTIONAL, PHASE_DEAL, FishingRules, FishingState, best_claim,
    claim_points, fishing_apply, fishing_game, fishing_legal, hand_count, hide, may_claim,
    unseen_cards, view_deal,
)
from cirulla_ai._core.game cimport Actions, action_t
from cirulla_ai._core.numeric cimport exponential
from cirulla_ai._core.position cimport Position
from cirulla_ai._core.rng cimport Rng, rng_below, rng_shuffle
from cirulla_ai._core.value cimport Value, ValueNets, action_values

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


cdef double _likelihood(
    const void *rules, const void *knowledge, const void *truth
) noexcept nogil:
    """How likely a world's hands made what their seats were seen to do this round.

    A seat plays by a softmax of rough values, but for a small share of all its plays in
    which it does anything; so that no world is ruled out.
    """
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const Knowledge *k = <const Knowledge *>knowledge
    cdef const FishingState *world = <const FishingState *>truth
    cdef const Evidence *e
    cdef double likely = 1, total, ways
    cdef cardset hand
    cdef int i, card
    for i in range(k.n_evidence):
        e = &k.evidence[i]
        hand = world.hand[e.seat] | e.later
        if e.declined and best_claim(r, hand):
            likely *= k.declining
        if e.chosen <= 0:
            continue
        total = 0
        ways = 0
        while hand:
            card = bits_low(hand)
            hand &= hand - 1
            total += e.weight[card]
            ways += e.ways[card]
        likely *= (1 - k.floor) * e.chosen / total + k.floor / ways
    return likely


cdef void _weigh(
    const FishingRules *r, const ValueNets *nets, const Knowledge *k, const SeenAction *seen,
    double temperature, Actions *list, Evidence *e
) noexcept nogil:
    """What an action seen tells: the weights of all that the seat could have done."""
    cdef FishingState state
    cdef int seat = seen.before.turn, card, i
    cdef int held = hand_count(&seen.before, seat)
    cdef cardset cards, left, known = seen.before.hand[seat]
    cdef int64_t j
    cdef double value, most = -1e9
    cdef double values[MAX_WAYS]
    memset(e, 0, sizeof(Evidence))
    e.seat = seat
    e.declined = may_claim(r, &seen.before) and r.claim == CLAIM_OPTIONAL and (
        code_kind(seen.action) != KIND_CLAIM)
    for i in range(k.n_seen):
        # All that the same seat played from then on; before, it was another hand.
        if k.seen[i].before.turn == seat and &k.seen[i] >= seen and (
            code_kind(k.seen[i].action) == KIND_PLAY
        ):
            e.later |= card_bit(code_card(k.seen[i].action))
    # Shown cards have to be played first: no choice among the others.
    if code_kind(seen.action) != KIND_PLAY or (known & seen.before.shown and not r.claim_free):
        return
    cards = unseen_cards(&k.view) | e.later | known | k.view.hand[seat]
    memcpy(&state, &seen.before, sizeof(FishingState))
    for i in range(2):
        # First the best value of all, then the weights in proportion to it.
        left = cards
        while left:
            card = bits_low(left)
            left &= left - 1
            state.hand[seat] = card_bit(card)
            state.unknown[seat] = <uint8_t>(held - 1)
            fishing_legal(r, &state, list)
            if list.n > MAX_WAYS:
                list.n = MAX_WAYS
            action_values(nets, r, &state, list.data, list.n, values)
            for j in range(list.n):
                if i == 0:
                    most = values[j] if values[j] > most else most
                    continue
                value = exponential((values[j] - most) / temperature)
                e.weight[card] += <float>value
                e.ways[card] += 1
                if list.data[j] == seen.action:
                    e.chosen = <float>value


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
        self.k.n_evidence = 0
        fishing_game(&self.rules.c, &self.game)
        self.game.draw = _draw
        self.view = &self.k.view
        self.knowledge = &self.k
        self._prepare()

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
        other.game.likelihood = self.game.likelihood
        return other

    def weighed(
        self, Value value, double temperature=1.5, double floor=0.02, double declining=0.05
    ):
        """Another information set, whose worlds come as likely as what was seen makes them.

        Every seat is taken to play by a softmax of rough values, of ``temperature`` points, a
        share ``floor`` of its actions apart, and to decline a claim that it has with the
        chance ``declining``.  Only actions of the current round tell anything: before it all
        hands were empty.
        """
        cdef FishingInformationSet other = self.copy()
        cdef Knowledge *k = &other.k
        cdef Actions list
        cdef int i
        memset(&list, 0, sizeof(Actions))
        k.floor = floor
        k.declining = declining
        k.n_evidence = 0
        for i in range(k.n_seen):
            _weigh(&self.rules.c, &value.c, k, &k.seen[i], temperature, &list,
                   &k.evidence[k.n_evidence])
            if k.evidence[k.n_evidence].chosen > 0 or k.evidence[k.n_evidence].declined:
                k.n_evidence += 1
        free(list.data)
        other.game.likelihood = NULL
        if k.n_evidence:
            other.game.likelihood = _likelihood
        return other

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
            self.k.n_seen = 0
        self._prepare()

    def deal(self, uint64_t hand):
        """Take in the viewer's new hand (a set) where a round is dealt."""
        view_deal(&self.rules.c, &self.k.view, hand)
        self.k.n_facts = 0
        self.k.n_seen = 0
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
