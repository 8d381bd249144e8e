"""The equilibrium of one round before all is known, by counterfactual regret minimisation.

Two players.  At the beginning of the last round but one nobody has seen its hands or what is
left in the stock; when the stock is dealt each player knows the other's hand, and what the
round came to has an exact value (fishing_endgame.pyx), the mean over the deals of the stock.  Other
rounds end with learned values.  So a round is a zero-sum game, small enough to solve where
not too many hands are possible: CFR+ (Tammelin, "Solving large imperfect
information games using CFR+", 2014) in vector form (Johanson et al., "Accelerating best
response calculation in large extensive games", IJCAI 2011): it walks the tree of what
everybody sees, with a number for each hand that a seat may hold.

It solves rounds for people and is a measure for the engine, not a part of it.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cirulla_ai._core.actions cimport KIND_PLAY, action_t, code_card, code_kind
from cirulla_ai._core.cards cimport bits_count, card_bit, cardset, format_cards
from cirulla_ai._core.clock cimport clock_ns
from cirulla_ai._core.fishing cimport (
    PHASE_DEAL, FishingRules, FishingState, hand_count, unseen_cards,
)
from cirulla_ai._core.fishing_endgame cimport solver_free
from cirulla_ai._core.fishing_position cimport FishingPosition
from cirulla_ai._core.fishing_round_tree cimport (
    MAX_STOCK, NODE_LAST, NODE_OVER, NODE_PLAY, Builder, Edge, Node, Tree, build, tree_free,
)
from cirulla_ai._core.fishing_value cimport Value
from cirulla_ai._core.stop cimport Stop

from cirulla_ai._core.actions import action_text

cdef enum:
    # Plies of a round: six cards, claims and passes.
    MAX_DEPTH = 24
    # Numbers of hands are kept in 16 bits.
    MAX_HANDS = 20000


cdef enum:
    LEARN = 0       # the strategies of now, for the learner against the other's
    BEST = 1        # the best response to the other's average strategy

cdef struct Walk:
    Tree *tree
    int seat                # whose values are sought
    int mode
    double weight           # of this iteration in the average
    double tremble
    float *free             # scratch memory from here


cdef inline float *take_floats(Walk *w, int n) noexcept nogil:
    cdef float *out = w.free
    w.free += n
    return out


cdef void strategy(
    Walk *w, const Node *node, const float *source, float tremble, float *out
) noexcept nogil:
    """The chance of each entry, in the proportion of what is positive in ``source``.

    Uniform where nothing is; mixed with as much of uniform play as ``tremble`` says.
    """
    cdef const uint16_t *hand = w.tree.hand + node.entries
    cdef int n = node.hands[node.seat], i, h
    cdef float *sum
    cdef float *count
    cdef float *mark = w.free
    if node.is_forced:
        for i in range(node.n_entries):
            out[i] = 1
        return
    sum = take_floats(w, n)
    count = take_floats(w, n)
    source += node.entries
    for h in range(n):
        sum[h] = 0
        count[h] = 0
    for i in range(node.n_entries):
        sum[hand[i]] += source[i]
        count[hand[i]] += 1
    for h in range(n):
        # From here on factors, of the source and of uniform play.
        if sum[h] > 0:
            sum[h] = (1 - tremble) / sum[h]
            count[h] = tremble / count[h]
        else:
            sum[h] = 0
            count[h] = 1 / count[h]
    for i in range(node.n_entries):
        out[i] = source[i] * sum[hand[i]] + count[hand[i]]
    w.free = mark


cdef void learn(
    Walk *w, const Node *node, const float *chance, const float *gain, const float *reach,
    float *values
) noexcept nogil:
    """The learner's values of its hands from those of its entries; in ``LEARN`` regrets too."""
    cdef const uint16_t *hand = w.tree.hand + node.entries
    cdef float *regret = w.tree.regret + node.entries
    cdef float *average = w.tree.average + node.entries
    cdef float r, weight = <float>w.weight
    cdef int i, h, n = node.hands[node.seat]
    if node.is_forced:
        for i in range(node.n_entries):
            values[hand[i]] = gain[i]
        return
    if w.mode == BEST:
        for h in range(n):
            values[h] = -1e30
        for i in range(node.n_entries):
            if gain[i] > values[hand[i]]:
                values[hand[i]] = gain[i]
        return
    for h in range(n):
        values[h] = 0
    for i in range(node.n_entries):
        values[hand[i]] += chance[i] * gain[i]
    for i in range(node.n_entries):
        r = regret[i] + gain[i] - values[hand[i]]
        regret[i] = r if r > 0 else 0
        average[i] += weight * reach[hand[i]] * chance[i]


cdef void walk_last(
    Walk *w, const Node *node, const float *chance, const float *mine, const float *theirs,
    float *values
) noexcept nogil:
    cdef Tree *t = w.tree
    cdef const uint16_t *hand = t.hand + node.entries
    cdef const float *row = t.matrix + node.matrix
    cdef int m = node.hands[1 - node.seat], i, j
    cdef float sign = 1 if w.seat == 0 else -1, sum, weight
    cdef float *gain
    if node.seat == w.seat:
        gain = take_floats(w, node.n_entries)
        for i in range(node.n_entries):
            sum = 0
            for j in range(m):
                sum += row[j] * theirs[j]
            gain[i] = sign * sum
            row += m
        learn(w, node, chance, gain, mine, values)
        return
    for j in range(m):
        values[j] = 0
    for i in range(node.n_entries):
        weight = sign * chance[i] * theirs[hand[i]]
        for j in range(m):
            values[j] += weight * row[j]
        row += m


cdef void walk(
    Walk *w, int64_t at, const float *mine, const float *theirs, float *values
) noexcept nogil:
    """Counterfactual values of the hands of ``w.seat``.

    ``mine`` are its own chances to have come here with each of its hands, ``theirs`` those of
    the other seat.  Values are sums over the other's hands, so weighted, not means.
    """
    cdef Tree *t = w.tree
    cdef const Node *node = t.nodes + at
    cdef const Edge *edge
    cdef const uint16_t *hand = t.hand + node.entries
    cdef const uint16_t *others
    cdef int seat = w.seat, other = 1 - w.seat, i, j, e, n
    cdef float *mark = w.free
    cdef float *chance = take_floats(w, node.n_entries)
    cdef float *gain
    cdef float *a
    cdef float *b
    cdef float *c
    if node.seat == seat:
        if w.mode == LEARN:
            strategy(w, node, t.regret, 0, chance)
    elif w.mode == LEARN:
        strategy(w, node, t.regret, <float>w.tremble, chance)
    else:
        strategy(w, node, t.average, 0, chance)
    if node.kind != NODE_PLAY:
        walk_last(w, node, chance, mine, theirs, values)
        w.free = mark
        return
    if node.seat == seat:
        gain = take_floats(w, node.n_entries)
        n = 0
        for e in range(node.n_edges):
            edge = t.edges + node.edges + e
            others = t.others + edge.others
            a = w.free
            b = take_floats(w, edge.n)
            c = take_floats(w, t.nodes[edge.child].hands[other])
            if w.mode == LEARN:
                for i in range(edge.n):
                    b[i] = mine[hand[n + i]] * chance[n + i]
            for j in range(t.nodes[edge.child].hands[other]):
                c[j] = theirs[others[j]]
            walk(w, edge.child, b, c, gain + n)
            w.free = a
            n += edge.n
        learn(w, node, chance, gain, mine, values)
        w.free = mark
        return
    for i in range(node.hands[seat]):
        values[i] = 0
    n = 0
    for e in range(node.n_edges):
        edge = t.edges + node.edges + e
        others = t.others + edge.others
        a = w.free
        b = take_floats(w, t.nodes[edge.child].hands[seat])
        c = take_floats(w, edge.n)
        gain = take_floats(w, t.nodes[edge.child].hands[seat])
        if w.mode == LEARN:
            for j in range(t.nodes[edge.child].hands[seat]):
                b[j] = mine[others[j]]
        for i in range(edge.n):
            c[i] = theirs[hand[n + i]] * chance[n + i]
        walk(w, edge.child, b, c, gain)
        for j in range(t.nodes[edge.child].hands[seat]):
            values[others[j]] += gain[j]
        w.free = a
        n += edge.n
    w.free = mark


# --- for Python ---------------------------------------------------------------------

cdef _subsets(cardset cards, int size):
    """All sets of ``size`` of these cards."""
    from itertools import combinations
    bits = [card_bit(card) for card in range(40) if cards >> card & 1]
    return [sum(chosen) for chosen in combinations(bits, size)]


cdef _place(hands, hand):
    if hand not in hands:
        raise ValueError(f"the seat to move can't hold {format_cards(hand)} there")
    return hands.index(hand)


cdef class Equilibrium:
    """The equilibrium of what is left of a round, from ``position`` on; two players.

    Only what everybody sees of ``position`` is looked at: of a hand, what a claim has shown.
    ``hands``: for each seat the hands (40-bit sets) that it may hold, by default all.
    ``weights``: for each seat a number for each of them, 0 or more, by default 1; a pair of
    hands without a card in common is as likely as the product of the two.  ``value``: the
    learned values that tell what the round comes to; without them it must be the last but one
    or the last, whose end has an exact value.  ``tremble``: while it learns, each seat
    takes the other to play at random with this chance a decision, so that it also learns to
    answer what is never played in equilibrium (after Selten, "Reexamination of the
    perfectness concept", 1975).

    Values are points over the whole smazzata, the match won outright counting as the
    target.  The whole last round but one of three cards takes some 10 seconds and 100 MiB to
    build; one thread at a time may use it.  Raises ValueError where the position, hands or
    weights are not of that kind, MemoryError, also where the tree would take more than
    ``most_bytes``, InterruptedError where ``stop`` was raised or the ``deadline`` passed
    (nanoseconds of the monotonic clock) before the tree was built.
    """

    cdef readonly FishingPosition position
    cdef readonly int iterations
    cdef readonly double tremble
    cdef Tree tree
    cdef Stop stop
    cdef Value learned
    cdef list hands
    cdef float *weight[2]       # of each hand
    cdef int leader
    cdef double pairs           # the weights of all pairs of hands
    cdef float *scratch

    def __init__(
        self, FishingPosition position, hands=None, double tremble=0.005, Stop stop=None,
        Value value=None, weights=None, int64_t most_bytes=INT64_MAX,
        int64_t deadline=INT64_MAX
    ):
        cdef FishingRules *r = &position.rules.c
        cdef FishingState *s
        cdef cardset unseen, known
        cdef int seat, size
        self.position = position = position.copy()
        s = &position.c
        if r.players != 2:
            raise ValueError(f"{r.players} players; an equilibrium is found for 2")
        if s.phase >= PHASE_DEAL or s.turn < 0:
            raise ValueError("nobody is to play in the position")
        if value is None and s.round < r.n_rounds - 1:
            raise ValueError(f"round {s.round} of {r.n_rounds}; without learned values it takes "
                             "the last round but one, or the last")
        if value is not None and value.rules is not position.rules:
            raise ValueError("the learned values are those of other rules")
        for seat in range(2):
            size = hand_count(s, seat)
            s.hand[seat] &= s.shown
            s.unknown[seat] = size - bits_count(s.hand[seat])
        s.end -= s.at
        s.at = 0
        # Somebody who sees no hand: at the end of the round nothing is dealt.
        s.viewer = 2
        unseen = unseen_cards(s)
        if value is None and s.end > MAX_STOCK:
            raise ValueError(f"{s.end} cards in the stock, more than {MAX_STOCK}")
        self.hands = []
        likely = []
        for seat in range(2):
            size = s.unknown[seat]
            known = s.hand[seat]
            given = ([known | hidden for hidden in _subsets(unseen, size)] if hands is None
                     else list(hands[seat]))
            for hand in given:
                if hand & known != known or hand & ~(unseen | known) or (
                        bits_count(hand & ~known) != size):
                    raise ValueError(
                        f"a hand of seat {seat} is not of {size} unseen cards"
                        + (f" and {format_cards(known)}, which is shown" if known else ""))
            if len(given) > MAX_HANDS:
                raise ValueError(f"{len(given)} hands, more than {MAX_HANDS}")
            self.hands.append(given)
            likely.append(
                [1.0] * len(given) if weights is None else list(map(float, weights[seat])))
            if len(likely[seat]) != len(given) or not all(0 <= w < 1e9 for w in likely[seat]):
                raise ValueError(f"the weights of seat {seat} are not {len(given)} numbers of 0 "
                                 "or more, below 1e9")
        self.pairs = sum(
            v * w for a, v in zip(self.hands[0], likely[0])
            for b, w in zip(self.hands[1], likely[1]) if not a & b)
        if not self.pairs:
            raise ValueError("no two hands without a card in common that are likely at all")
        self.leader = s.turn
        self.tremble = tremble
        self.learned = value
        self.stop = Stop() if stop is None else stop
        self._weigh(likely)
        self._build(most_bytes, deadline)

    def __dealloc__(self):
        tree_free(&self.tree)
        free(self.scratch)
        free(self.weight[0])
        free(self.weight[1])

    def _weigh(self, list likely):
        cdef int seat, i, n
        for seat in range(2):
            n = len(likely[seat])
            self.weight[seat] = <float *>malloc(n * sizeof(float))
            if self.weight[seat] == NULL:
                raise MemoryError("the hands do not fit in memory")
            for i in range(n):
                self.weight[seat][i] = likely[seat][i]

    def _build(self, int64_t most_bytes, int64_t deadline):
        cdef Builder b
        cdef cardset *lists[2]
        cdef int n[2]
        cdef int seat, i
        memset(&b, 0, sizeof(Builder))
        self.tree.most_bytes = most_bytes
        b.rules = &self.position.rules.c
        b.tree = &self.tree
        b.nets = NULL if self.learned is None else &self.learned.c
        b.solver.rules = b.rules
        b.solver.most_nodes = 1 << 40
        b.solver.deadline = deadline
        b.solver.stop = &self.stop.raised
        for seat in range(2):
            n[seat] = len(self.hands[seat])
            lists[seat] = <cardset *>malloc(n[seat] * sizeof(cardset))
            if lists[seat] == NULL:
                raise MemoryError("the hands do not fit in memory")
            for i in range(n[seat]):
                lists[seat][i] = self.hands[seat][i]
        with nogil:
            build(&b, &self.position.c, self.leader, <const cardset *const *>lists, n)
        free(lists[0])
        free(lists[1])
        free(b.legal.data)
        free(b.reply.data)
        solver_free(&b.solver)
        if self.stop.raised:
            raise InterruptedError("stopped")
        if self.tree.failed and clock_ns() >= deadline:
            raise InterruptedError("the time is over before the tree of the round is built")
        self.tree.regret = <float *>calloc(self.tree.n_entries, sizeof(float))
        self.tree.average = <float *>calloc(self.tree.n_entries, sizeof(float))
        self.scratch = <float *>malloc(
            MAX_DEPTH * (6 * self.tree.most_hands + 3 * self.tree.most_entries) * sizeof(float))
        if self.tree.failed or not (self.tree.regret and self.tree.average and self.scratch):
            raise MemoryError("the tree of the round does not fit in memory")

    cdef double walk_root(self, int seat, int mode) noexcept nogil:
        """One walk for a seat; its value in points."""
        cdef Walk w = self.walker(seat, mode)
        cdef const Node *root = self.tree.nodes
        cdef float *mine
        cdef float *theirs
        cdef float *values
        cdef double total = 0
        cdef int i
        mine = take_floats(&w, root.hands[seat])
        theirs = take_floats(&w, root.hands[1 - seat])
        values = take_floats(&w, root.hands[seat])
        for i in range(root.hands[seat]):
            mine[i] = self.weight[seat][i]
        for i in range(root.hands[1 - seat]):
            theirs[i] = self.weight[1 - seat][i]
        walk(&w, 0, mine, theirs, values)
        for i in range(root.hands[seat]):
            total += self.weight[seat][i] * values[i]
        return total / self.pairs

    def run(self, int iterations):
        """So many iterations more; fewer where ``stop`` is raised."""
        cdef int _k, seat
        with nogil:
            for _k in range(iterations):
                if self.stop.raised:
                    break
                self.iterations += 1
                for seat in range(2):
                    self.walk_root(seat, LEARN)

    def bounds(self):
        """(low, high): what side 0's strategy gets at least and side 1's allows at most.

        Points of side 0 minus those of side 1; the value of the game lies between them, and
        their difference is how much the two strategies can be exploited by, added up.
        """
        cdef double low, high
        with nogil:
            low = -self.walk_root(1, BEST)
            high = self.walk_root(0, BEST)
        return low, high

    cdef Walk walker(self, int seat, int mode) noexcept nogil:
        cdef Walk w
        w.tree = &self.tree
        w.seat = seat
        w.mode = mode
        w.weight = <double>self.iterations * self.iterations
        w.tremble = self.tremble
        w.free = self.scratch
        return w

    cdef tuple arrive(self, history):
        """(node, hands, reach) after these actions.

        For each seat the hands that it may hold, and the weight of such a hand times the
        chance that it would have played so far by its average strategy, ``tremble`` included.
        """
        cdef Walk w = self.walker(0, BEST)
        cdef Tree *t = &self.tree
        cdef const Node *node
        cdef const Edge *edge
        cdef int64_t at = 0
        cdef float *chance
        cdef action_t code
        cdef cardset gone
        cdef int e, i, n, seat
        hands = [list(of_seat) for of_seat in self.hands]
        reach = [[self.weight[seat][i] for i in range(len(hands[seat]))] for seat in range(2)]
        for code in history:
            node = t.nodes + at
            n = 0
            for e in range(node.n_edges):
                edge = t.edges + node.edges + e
                if edge.code == code and edge.child >= 0:
                    break
                n += edge.n
            else:
                raise ValueError(f"the tree of the round has no {action_text(code)} there")
            seat = node.seat
            chance = self.scratch
            w.free = self.scratch + node.n_entries
            strategy(&w, node, t.average, <float>self.tremble, chance)
            gone = card_bit(code_card(code)) if code_kind(code) == KIND_PLAY else 0
            at = edge.child
            came = [t.hand[node.entries + n + i] for i in range(edge.n)]
            reach[seat] = [reach[seat][came[i]] * chance[n + i] for i in range(edge.n)]
            hands[seat] = [hands[seat][i] & ~gone for i in came]
            came = [t.others[edge.others + i] for i in range(t.nodes[at].hands[1 - seat])]
            reach[1 - seat] = [reach[1 - seat][i] for i in came]
            hands[1 - seat] = [hands[1 - seat][i] for i in came]
        if t.nodes[at].kind == NODE_OVER:
            raise ValueError("the match is over there")
        return at, hands, reach

    def actor(self, history=()):
        """The seat to move after these actions (codes)."""
        return self.tree.nodes[self.arrive(history)[0]].seat

    def strategy(self, uint64_t hand, history=()):
        """[(code, chance)]: what the seat to move plays after these actions, in equilibrium.

        ``hand`` is what it then holds.  Raises ValueError as ``action_values``.
        """
        cdef Walk w = self.walker(0, BEST)
        cdef Tree *t = &self.tree
        cdef const Node *node
        cdef int held, e, _i, n = 0
        at, hands, _ = self.arrive(history)
        node = t.nodes + <int64_t>at
        held = _place(hands[node.seat], hand)
        w.free = self.scratch + node.n_entries
        strategy(&w, node, t.average, 0, self.scratch)
        out = []
        for e in range(node.n_edges):
            for _i in range(t.edges[node.edges + e].n):
                if t.hand[node.entries + n] == held:
                    out.append((t.edges[node.edges + e].code, self.scratch[n]))
                n += 1
        return out

    def action_values(self, uint64_t hand, history=()):
        """[(code, value)] for the seat to move after these actions (codes), holding ``hand``.

        A value is the expected points of its own side minus the other's: over what the other
        may hold, by its equilibrium strategy so far, against that strategy from here on, and
        with the best play of one's own.  So what a decision loses is the best value minus
        that of the action chosen.  Where the other would hardly have played so, the chances
        of its hands are those of its ``tremble``.

        Raises ValueError where that can't come about, or all that the round still has to
        decide is how the last card of all takes.
        """
        cdef Walk w
        cdef Tree *t = &self.tree
        cdef const Node *node
        cdef const Edge *edge
        cdef float *theirs
        cdef float *gain
        cdef float *c
        cdef double mass = 0
        cdef int seat, other, held, e, i, j, n = 0
        at, hands, reach = self.arrive(history)
        node = t.nodes + <int64_t>at
        seat = node.seat
        other = 1 - seat
        held = _place(hands[seat], hand)
        w = self.walker(seat, BEST)
        theirs = take_floats(&w, node.hands[other])
        gain = take_floats(&w, node.n_entries)
        for j in range(node.hands[other]):
            theirs[j] = reach[other][j]
            if not hands[other][j] & hand:
                mass += theirs[j]
        if mass == 0:
            raise ValueError("the other seat can't hold anything there")
        out = []
        for e in range(node.n_edges):
            edge = t.edges + node.edges + e
            if node.kind == NODE_LAST:
                for i in range(edge.n):
                    c = t.matrix + node.matrix + (n + i) * node.hands[other]
                    gain[n + i] = 0
                    for j in range(node.hands[other]):
                        gain[n + i] += theirs[j] * c[j] * (1 if seat == 0 else -1)
            else:
                c = take_floats(&w, t.nodes[edge.child].hands[other])
                for j in range(t.nodes[edge.child].hands[other]):
                    c[j] = theirs[t.others[edge.others + j]]
                with nogil:
                    walk(&w, edge.child, c, c, gain + n)
                w.free = c
            for i in range(edge.n):
                if t.hand[node.entries + n + i] == held:
                    out.append((edge.code, gain[n + i] / mass))
            n += edge.n
        return out

    @property
    def value(self):
        """The value of the game, in points of side 0 minus side 1: the middle of ``bounds``."""
        low, high = self.bounds()
        return (low + high) / 2

    @property
    def size(self):
        """(nodes, entries, numbers in matrices, ends of the round) of the tree."""
        return self.tree.n_nodes, self.tree.n_entries, self.tree.n_matrix, self.tree.n_ends
