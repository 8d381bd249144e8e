"""Information sets of the fishing family and the drawing of worlds.

A world is drawn uniformly from the whole truths that agree with all that the viewer
has seen.  Cards on the table, taken, shown or one's own fix what is unseen; where
claims are mandatory a seat that did not claim, or claimed less, tells something too:
that is kept as facts for the current round (before it all hands were empty).
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport KIND_PLAY, code_card, code_kind
from cirulla_ai._core.cards cimport bits_deposit, bits_low, card_bit, cardset
from cirulla_ai._core.contract cimport InformationSet, Table
from cirulla_ai._core.fishing cimport (
    CLAIM_MANDATORY, PHASE_DEAL, FishingRules, FishingState, fishing_apply, hide, unseen_cards,
    view_deal,
)
from cirulla_ai._core.fishing_claims cimport best_claim, claim_points, may_claim
from cirulla_ai._core.fishing_evidence cimport (
    STYLES, STYLE_HEURISTIC, STYLE_UNIFORM, STYLE_VALUE, Evidence, SeenAction, evidence_judge,
    evidence_of,
)
from cirulla_ai._core.fishing_position cimport FishingPosition
from cirulla_ai._core.fishing_value cimport Value
from cirulla_ai._core.game cimport MAX_SEATS, Actions
from cirulla_ai._core.rng cimport Rng, rng_below, rng_shuffle

from cirulla_ai._core.actions import decode

cdef enum:
    # Draws that are thrown away before one is mended instead, and steps of mending.
    MAX_DRAWS = 256
    MAX_SWAPS = 20000
    # Hands that are gone through where chances are wanted: those of three cards of 33 are fewer.
    MAX_HANDS = 1 << 13


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
    """How likely a world's hands made what their seats were seen to do this round."""
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef const Knowledge *k = <const Knowledge *>knowledge
    cdef const FishingState *world = <const FishingState *>truth
    cdef const Evidence *e
    cdef double likely = 1
    cdef double styles[MAX_SEATS][STYLES]
    cdef cardset hidden
    cdef int i, seat
    memcpy(styles, k.style, sizeof(styles))
    for i in range(k.n_evidence):
        e = &k.evidence[i]
        hidden = world.hand[e.seat] & ~e.later
        if e.declined and best_claim(r, hidden | e.later):
            likely *= k.model.declining
        if e.chosen >= 0:
            evidence_judge(&k.model, k.ways.data, e, hidden, styles[e.seat])
    for seat in range(r.players):
        likely *= styles[seat][0] + styles[seat][1] + styles[seat][2]
    return likely


cdef double hands_of(int cards, int size) noexcept nogil:
    """How many hands of a size so many cards make."""
    cdef double n = 1
    cdef int i
    for i in range(size):
        n = n * (cards - i) / (i + 1)
    return n


cdef double _weigh_hands(
    const FishingRules *r, const Knowledge *k, bint judged, int seat, FishingState *world,
    double *chance,
) noexcept nogil:
    """Add to each unseen card the likelihood of every hand of ``seat`` with it; their sum.

    ``world`` is a copy of the view, of which nothing but this hand is looked at.
    """
    cdef cardset unseen = unseen_cards(&k.view), cards, left
    cdef uint64_t subset = (<uint64_t>1 << k.view.unknown[seat]) - 1, low, ripple
    cdef double likely, total = 0
    cdef int culprit = 0
    while not subset >> k.n_unseen:
        cards = bits_deposit(subset, unseen)
        world.hand[seat] = k.view.hand[seat] | cards
        if k.n_facts == 0 or _excess(r, k, world, &culprit) == 0:
            likely = _likelihood(r, k, world) if judged else 1
            total += likely
            left = cards
            while left:
                chance[bits_low(left)] += likely
                left &= left - 1
        # The next larger number of as many bits.
        low = subset & (0 - subset)
        ripple = subset + low
        subset = ripple | ((subset ^ ripple) >> 2) // low
    return total


cdef bint _weigh(
    const FishingRules *r, Knowledge *k, const SeenAction *seen, Actions *list, Evidence *e
) noexcept nogil:
    """What an action that was seen tells; False: no memory."""
    cdef int seat = seen.before.turn, i
    cdef cardset later = 0, possible = 0
    for i in range(k.n_seen):
        # All that the same seat played from then on; before, it was another hand.
        if k.seen[i].before.turn == seat and &k.seen[i] >= seen and (
            k.seen[i].before.round == seen.before.round
        ) and (
            code_kind(k.seen[i].action) == KIND_PLAY
        ):
            later |= card_bit(code_card(k.seen[i].action))
    if seen.before.round == k.view.round:
        possible = unseen_cards(&k.view) | seen.before.hand[seat] | k.view.hand[seat]
    return evidence_of(r, &k.model, seen, later, possible, list, &k.ways, e)


cdef class FishingInformationSet(InformationSet):
    """A seat's knowledge: its view, and what the actions it saw have told.

    ``position`` is a view, or a whole truth, of which just what ``viewer`` may know is
    kept.
    """

    def __init__(self, FishingPosition position, int viewer):
        self.rules = position.rules
        self.viewer = viewer
        self.k.view = position.c
        if position.c.viewer < 0:
            hide(&self.rules.c, &self.k.view, viewer)
        self.k.n_facts = 0
        self.k.n_seen = 0
        self.k.n_past = 0
        self.k.n_evidence = 0
        self.game = self.rules.game
        self.game.draw = _draw
        self.view = &self.k.view
        self.knowledge = &self.k
        self._prepare()

    def __dealloc__(self):
        free(self.k.ways.data)

    cdef Table table(self):
        return self.rules

    def _prepare(self):
        cdef cardset left = unseen_cards(&self.k.view)
        self.k.n_unseen = 0
        while left:
            self.k.unseen[self.k.n_unseen] = <uint8_t>bits_low(left)
            left &= left - 1
            self.k.n_unseen += 1

    def __reduce__(self):
        """Its parts, as ``copy`` has them: evidence is made anew where it is wanted."""
        cdef FishingPosition before
        cdef int i
        seen = []
        for i in range(self.k.n_seen):
            before = self.position()
            before.c = self.k.seen[i].before
            seen.append((before, self.k.seen[i].action))
        facts = [(self.k.facts[i].seat, self.k.facts[i].limit, self.k.facts[i].seen)
                 for i in range(self.k.n_facts)]
        return remembered, (self.position(), self.viewer, seen, self.k.n_past, facts)

    def copy(self):
        """Another information set with the same knowledge."""
        cdef FishingInformationSet other = FishingInformationSet(self.position(), self.viewer)
        other.k = self.k
        # Evidence is made anew where it is wanted.
        other.k.n_evidence = 0
        other.k.ways.data = NULL
        other.k.ways.n = 0
        return other

    def posterior(
        self, Value value, double temperature=0.5, double lapse=0.02, double declining=0.05,
        double heuristic_temperature=0.2, double heuristic_prior=0.2, double uniform_prior=0.05
    ):
        """Another information set, whose worlds come as likely as what was seen makes them.

        A seat plays in one of three ways: by a softmax of the learned values, of
        ``temperature`` points; by a softmax of the values of the rule of thumb, of
        ``heuristic_temperature`` points; or anything, all plays alike.  Before it is seen to
        play, the second has the chance ``heuristic_prior`` and the third ``uniform_prior``;
        without ``value`` (None) none goes by learned values, and the second has all but the
        third.  What it did with the hands of the rounds that are over tells more.  A share
        ``lapse`` of its actions is done without a thought, and it declines a claim that it has
        with the chance ``declining``.  Of the hands that are out, only actions of the current
        round tell anything: before it all were empty.

        Raises MemoryError.
        """
        cdef FishingInformationSet other = self.copy()
        cdef Knowledge *k = &other.k
        cdef Actions list
        cdef Evidence past
        cdef double total, value_prior
        cdef int i, j
        memset(&list, 0, sizeof(Actions))
        other.value = value
        k.model.nets = NULL
        if value is not None:
            k.model.nets = &value.c
            value_prior = 1 - heuristic_prior - uniform_prior
        else:
            value_prior = 0
            heuristic_prior = 1 - uniform_prior
        k.model.temperature = temperature
        k.model.lapse = lapse
        k.model.declining = declining
        k.model.heuristic_temperature = heuristic_temperature
        for i in range(MAX_SEATS):
            k.style[i][STYLE_VALUE] = value_prior
            k.style[i][STYLE_HEURISTIC] = heuristic_prior
            k.style[i][STYLE_UNIFORM] = uniform_prior
        k.n_evidence = 0
        # How the seats have played so far: their hands are known by now.
        for i in range(k.n_past):
            if not _weigh(&self.rules.c, k, &k.seen[i], &list, &past):
                free(list.data)
                raise MemoryError("no memory to weigh worlds")
            if past.chosen >= 0:
                evidence_judge(&k.model, k.ways.data, &past, 0, k.style[past.seat])
            k.ways.n = 0
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

        As its play in the past rounds makes it; of what ``posterior`` has made.
        """
        return tuple(self.k.style[seat])

    def likelihood(self, FishingPosition world):
        """How likely ``world`` makes what was seen, up to a factor; 1 where nothing tells."""
        if self.game.likelihood == NULL:
            return 1.0
        return self.game.likelihood(&self.rules.c, &self.k, &world.c)

    def hands(self, int64_t worlds, uint64_t seed):
        """As the parent has it; exactly, where nothing tells cards apart, and where just one hand
        hides cards and there are not too many that it can be."""
        cdef const FishingRules *r = &self.rules.c
        cdef const Knowledge *k = &self.k
        cdef FishingState world = k.view
        cdef double chance[40]
        cdef double total = 0
        cdef int seat, hider = -1, hiders = 0
        cdef cardset unseen = unseen_cards(&k.view)
        for seat in range(r.players):
            if k.view.unknown[seat]:
                hider = seat
                hiders += 1
        if k.n_facts == 0 and self.game.likelihood == NULL:
            return [
                [k.view.unknown[seat] / <double>k.n_unseen if unseen >> card & 1 else 0.0
                 for card in range(40)]
                for seat in range(r.players)]
        if hiders == 1 and hands_of(k.n_unseen, k.view.unknown[hider]) <= MAX_HANDS:
            memset(chance, 0, sizeof(chance))
            with nogil:
                total = _weigh_hands(r, k, self.game.likelihood != NULL, hider, &world, chance)
        if total == 0:
            return InformationSet.hands(self, worlds, seed)
        return [
            [chance[card] / total if seat == hider else 0.0 for card in range(40)]
            for seat in range(r.players)]

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


def remembered(FishingPosition position, int viewer, list seen, int n_past, list facts):
    """The information set of a view, with what was seen before: pairs of the view at the time
    and the action, the first ``n_past`` of past rounds, and (seat, limit, seen) for each fact.
    """
    cdef FishingInformationSet known = FishingInformationSet(position, viewer)
    cdef FishingPosition before
    cdef int i
    if len(seen) > MAX_SEEN or len(facts) > MAX_FACTS or not 0 <= n_past <= len(seen):
        raise ValueError("more than anybody sees in a smazzata")
    for i, (before, action) in enumerate(seen):
        known.k.seen[i].before = before.c
        known.k.seen[i].action = action
    known.k.n_seen = len(seen)
    known.k.n_past = n_past
    for i, (seat, limit, cards) in enumerate(facts):
        known.k.facts[i].seat = seat
        known.k.facts[i].limit = limit
        known.k.facts[i].seen = cards
    known.k.n_facts = len(facts)
    return known
