"""Single-observer information-set Monte Carlo tree search (SO-ISMCTS).

Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2),
2012: each iteration draws a fresh world that agrees with all the searcher knows and walks
one tree whose edges are actions; a node's actions are those that the world allows, so UCT
counts how often each was available.  Where chance moves (a round is dealt) the edge is
what the searcher would see of it: its own new hand.

Everything a search owns, it owns alone: two searches share nothing.  Only IEEE basic
operations and square roots touch the numbers that decide, so that one seed gives one
search on every machine.
"""

cimport cython
from libc.math cimport sqrt
from libc.stdint cimport INT64_MAX, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.blocks cimport Blocks
from cirulla_ai._core.clock cimport clock_ns
from cirulla_ai._core.contract cimport InformationSet, Rollout, margin, margins
from cirulla_ai._core.equity cimport Equity, match_equity
from cirulla_ai._core.game cimport EVENT_DEAL, MAX_SIDES, Actions, Game, Outcome, actions_add
from cirulla_ai._core.numeric cimport natural_log
from cirulla_ai._core.rng cimport Rng, rng_below, rng_share
from cirulla_ai._core.stop cimport Stop

cdef extern from "pages.h" nogil:
    void *pages_take(size_t size)
    void pages_give(void *pages, size_t size)

cdef enum:
    MAX_PATH = 512
    CHANCE = 255            # in place of a side: the edge is a deal
    FIRST_NODES = 1024
    LOGS = 4096
    CHECK_EVERY = 32        # iterations between two looks at the clock
    COMPARE_EVERY = 4       # worlds between two looks
    ROOT = 0

# Visits are counted in 32 bits.
MAX_ITERATIONS = (1 << 32) - 2

cdef struct Node:
    action_t action
    double sum              # of the payoff of the side that played ``action``
    uint32_t visits
    uint32_t available      # iterations that passed the parent with the action legal
    uint32_t parent
    uint32_t child          # first child; 0 none, since the root is nobody's child
    uint32_t sibling
    uint32_t side           # who played the action, or CHANCE

cdef struct Tree:
    # An arena of nodes and an open-addressed index from (parent, action) to node.  Both are
    # reserved at once, and used from the front: what is untouched is not in memory yet, and
    # nothing is ever copied, which would hold old and new together.
    Node *nodes
    uint32_t n
    uint32_t room           # nodes that the used part of the index has room for
    uint32_t limit
    uint32_t *index
    uint32_t mask

cdef struct RootStat:
    # Sums over the visits of a root action.
    int64_t visits
    double points
    double squares
    double wins
    double shared           # matches won together with others

cdef double LOG[LOGS]


cdef void _build_logs() noexcept nogil:
    cdef uint32_t n
    LOG[0] = 0
    for n in range(1, <uint32_t>LOGS):
        LOG[n] = natural_log(n)


_build_logs()


cdef inline double log_of(uint32_t n) noexcept nogil:
    return LOG[n] if n < LOGS else natural_log(n)


# --- the tree -----------------------------------------------------------------------

cdef inline uint32_t slot_of(uint32_t parent, action_t action, uint32_t mask) noexcept nogil:
    cdef uint64_t h = (action ^ (<uint64_t>parent << 32 | parent)) * <uint64_t>0x9E3779B97F4A7C15
    h = (h ^ h >> 32) * <uint64_t>0xD6E8FEB86659FD93
    return <uint32_t>(h >> 32) & mask


cdef inline uint32_t tree_find(const Tree *t, uint32_t parent, action_t action) noexcept nogil:
    """The child of ``parent`` by ``action``, 0 where there is none."""
    cdef uint32_t slot = slot_of(parent, action, t.mask)
    cdef uint32_t node = t.index[slot]
    while node:
        if t.nodes[node].action == action and t.nodes[node].parent == parent:
            return node
        slot = (slot + 1) & t.mask
        node = t.index[slot]
    return 0


cdef void tree_enter(Tree *t, uint32_t node) noexcept nogil:
    cdef uint32_t slot = slot_of(t.nodes[node].parent, t.nodes[node].action, t.mask)
    while t.index[slot]:
        slot = (slot + 1) & t.mask
    t.index[slot] = node


cdef uint32_t index_size(uint32_t nodes) noexcept nogil:
    """Slots of an index of so many nodes: a power of two, two thirds full at most."""
    cdef uint32_t size = 2
    while size < nodes + nodes // 2:
        size *= 2
    return size


cdef void tree_index(Tree *t, uint32_t room) noexcept nogil:
    """Make the index anew, with room for so many nodes."""
    cdef uint32_t i, size = index_size(room)
    memset(t.index, 0, size * sizeof(uint32_t))
    t.room = room
    t.mask = size - 1
    for i in range(1, t.n):
        tree_enter(t, i)


cdef uint32_t tree_limit(uint64_t budget) noexcept nogil:
    """Nodes that fit in ``budget`` bytes with their index."""
    cdef uint64_t size, nodes, best = 2
    cdef int i
    for i in range(4, 32):
        size = <uint64_t>1 << i
        if budget < sizeof(uint32_t) * size:
            break
        nodes = (budget - sizeof(uint32_t) * size) // sizeof(Node)
        if nodes > size * 2 // 3:
            nodes = size * 2 // 3
        if nodes > best:
            best = nodes
    return <uint32_t>best


cdef bint tree_begin(Tree *t, uint64_t budget) noexcept nogil:
    """A tree of the root alone, of at most so many bytes; False where memory ran out."""
    t.limit = tree_limit(budget)
    t.nodes = <Node *>pages_take(t.limit * sizeof(Node))
    t.index = <uint32_t *>pages_take(index_size(t.limit) * sizeof(uint32_t))
    if t.nodes == NULL or t.index == NULL:
        return False
    t.n = 1
    tree_index(t, min(<uint32_t>FIRST_NODES, t.limit))
    return True


cdef void tree_end(Tree *t) noexcept nogil:
    pages_give(t.nodes, t.limit * sizeof(Node))
    pages_give(t.index, index_size(t.limit) * sizeof(uint32_t))


cdef uint32_t tree_add(
    Tree *t, uint32_t parent, action_t action, uint32_t side
) noexcept nogil:
    """A new child, or 0 where the tree is full."""
    cdef Node *node
    if t.n == t.limit:
        return 0
    if t.n == t.room:
        tree_index(t, t.limit if t.room > t.limit // 2 else 2 * t.room)
    node = t.nodes + t.n
    node.action = action
    node.sum = 0
    node.visits = 0
    node.available = 1
    node.parent = parent
    node.child = 0
    node.side = side
    node.sibling = t.nodes[parent].child
    t.nodes[parent].child = t.n
    tree_enter(t, t.n)
    t.n += 1
    return t.n - 1


# --- the search ---------------------------------------------------------------------

# Nothing derives from it, so that an iteration's parts call one another directly.
@cython.final
cdef class Search:
    """One tree, one generator, one thread's work.

    ``actions`` are the codes to choose among at the root.  ``exploration`` is UCT's
    constant in standard deviations of the payoff.  With ``for_match`` the payoff is the
    chance to win the match, else points.  ``mean`` and ``deviation`` describe a smazzata
    under the rules (see ``match_equity``).  ``hash_bytes`` bounds the tree's memory.  With
    ``flat`` there is no tree: in each world every action is played out once.

    Raises MemoryError where the system does not give so much.
    """

    cdef Game game
    cdef readonly InformationSet knowledge
    cdef Tree tree
    cdef Rng rng
    cdef Actions root
    cdef Actions legal
    cdef Actions scratch
    cdef uint32_t *kids
    cdef int64_t kids_room
    cdef Rollout rollout
    cdef RootStat *stats
    cdef void *world
    cdef void *drawn
    cdef void *kept
    cdef double likely
    cdef uint32_t path[MAX_PATH]
    cdef Stop stop
    cdef bint for_match
    cdef bint flat
    cdef double exploration
    cdef Equity equity
    cdef int root_side
    # Of the last iteration: the root side's points and chance to win the match, where shared
    # half.
    cdef double points
    cdef double chance
    # Of the root side's payoff over all iterations: what its spread is.
    cdef double total
    cdef double squares
    cdef readonly int64_t iterations
    cdef readonly int64_t actions_played
    cdef readonly int depth

    def __cinit__(
        self, InformationSet knowledge, list actions, *, uint64_t seed, uint64_t hash_bytes,
        double exploration, bint for_match, Equity equity, Stop stop, bint flat=False,
        Rollout rollout=None,
    ):
        cdef int seat
        self.knowledge = knowledge
        self.game = knowledge.game
        if rollout is not None:
            self.rollout = rollout.fresh()
            self.rollout.install(&self.game, knowledge.view)
        self.rng.state = seed
        self.stop = stop
        self.exploration = exploration
        self.for_match = for_match
        self.flat = flat
        self.equity = equity
        seat = self.game.turn(knowledge.view)
        if seat < 0 or not actions:
            raise ValueError("no action to decide")
        self.root_side = self.game.side(self.game.rules, seat)
        for code in actions:
            actions_add(&self.root, code)
        self.world = malloc(self.game.state_size)
        self.drawn = malloc(self.game.state_size)
        self.kept = malloc(self.game.state_size)
        self.stats = <RootStat *>calloc(len(actions), sizeof(RootStat))
        if (
            self.world == NULL or self.drawn == NULL or self.kept == NULL
            or self.stats == NULL or self.root.failed
            or not tree_begin(&self.tree, hash_bytes)
        ):
            raise MemoryError("no memory for a search tree")

    def __dealloc__(self):
        tree_end(&self.tree)
        free(self.root.data)
        free(self.legal.data)
        free(self.scratch.data)
        free(self.kids)
        free(self.stats)
        free(self.world)
        free(self.drawn)
        free(self.kept)

    cdef int64_t select(self, uint32_t node, const Actions *list) noexcept nogil:
        """The place in ``list`` of the action to try: an untried one, else by UCT."""
        cdef int64_t i, missing = 0, pick = 0
        cdef uint32_t kid, k
        cdef Node *child
        cdef double value, best = 0, width
        cdef bint first = True
        if list.n > self.kids_room:
            free(self.kids)
            self.kids_room = 2 * list.n
            self.kids = <uint32_t *>malloc(self.kids_room * sizeof(uint32_t))
            if self.kids == NULL:
                self.kids_room = 0
                return rng_below(&self.rng, <uint32_t>list.n)
        for i in range(list.n):
            kid = tree_find(&self.tree, node, list.data[i])
            self.kids[i] = kid
            if kid:
                self.tree.nodes[kid].available += 1
            else:
                missing += 1
        if missing == list.n or (missing and self.tree.n < self.tree.limit):
            k = rng_below(&self.rng, <uint32_t>missing)
            for i in range(list.n):
                if self.kids[i] == 0:
                    if k == 0:
                        return i
                    k -= 1
        width = self.exploration * self.spread()
        for i in range(list.n):
            if self.kids[i] == 0:
                continue
            child = &self.tree.nodes[self.kids[i]]
            value = child.sum / child.visits + width * sqrt(
                log_of(child.available) / child.visits)
            if first or value > best:
                best = value
                pick = i
                first = False
        return pick

    cdef double spread(self) noexcept nogil:
        """Standard deviation of the payoff so far, so that exploration has its scale."""
        cdef double n, variance
        if self.iterations < 2:
            return 1
        n = <double>self.iterations
        variance = self.squares / n - (self.total / n) * (self.total / n)
        return sqrt(variance) if variance > 1e-6 else 1e-3

    cdef void iterate(self) noexcept nogil:
        self.draw()
        self.walk(-1)

    cdef void walk(self, int64_t given) noexcept nogil:
        """From ``world`` through the tree to an outcome, by the root's action at the place
        ``given``; -1: by the one to try."""
        cdef Game *g = &self.game
        cdef uint32_t node = ROOT, child
        cdef int n = 0, plies = 0, i, seat, event
        cdef int64_t pick, root_pick = 0
        cdef const Actions *list
        cdef action_t action, edge
        cdef uint32_t side
        cdef double value[MAX_SIDES]
        cdef double payoff
        cdef bint fresh = False
        while not fresh and n < MAX_PATH - 1:
            seat = g.turn(self.world)
            if seat < 0:
                break
            if plies == 0:
                list = &self.root
            else:
                g.legal(g.rules, self.world, &self.legal)
                list = &self.legal
            action = g.seen(self.world, self.knowledge.viewer, list.data[0])
            if plies == 0 and given >= 0:
                pick = given
                action = edge = list.data[pick]
            elif action == list.data[0]:
                pick = self.select(node, list)
                action = list.data[pick]
                edge = g.seen(self.world, self.knowledge.viewer, action)
            else:
                # What is done unseen is one edge: nothing can be learnt of what is best.
                edge = action
                pick = rng_below(&self.rng, <uint32_t>list.n)
                action = list.data[pick]
            if plies == 0:
                root_pick = pick
            side = g.side(g.rules, seat)
            event = g.apply(g.rules, self.world, action)
            plies += 1
            child = self.step(node, edge, side, &fresh)
            if child == 0:
                break
            self.path[n] = child
            n += 1
            node = child
            if event == EVENT_DEAL and not fresh:
                if g.known != NULL and g.known(g.rules, g.aid, self.world):
                    break
                child = self.step(
                    node, g.dealt(self.world, self.knowledge.viewer), CHANCE, &fresh)
                if child == 0:
                    break
                self.path[n] = child
                n += 1
                node = child
        if plies > self.depth:
            self.depth = plies
        self.actions_played += plies
        payoff = self.judge(value, &self.stats[root_pick])
        self.total += payoff
        self.squares += payoff * payoff
        for i in range(n):
            child = self.path[i]
            self.tree.nodes[child].visits += 1
            side = self.tree.nodes[child].side
            if side != CHANCE:
                self.tree.nodes[child].sum += value[side]
        self.iterations += 1

    cdef void sample(self) noexcept nogil:
        """Flat Monte Carlo: one world, in which every root action is played out once."""
        cdef Game *g = &self.game
        cdef double value[MAX_SIDES]
        cdef int64_t i
        self.draw()
        memcpy(self.drawn, self.world, g.state_size)
        for i in range(self.root.n):
            memcpy(self.world, self.drawn, g.state_size)
            g.apply(g.rules, self.world, self.root.data[i])
            self.actions_played += 1
            self.judge(value, &self.stats[i])
            self.iterations += 1
        self.depth = 1

    cdef uint32_t step(
        self, uint32_t node, action_t action, uint32_t side, bint *fresh
    ) noexcept nogil:
        """The child by an edge, made where it is new; 0 where the tree is full."""
        cdef uint32_t child = tree_find(&self.tree, node, action)
        if child == 0:
            child = tree_add(&self.tree, node, action, side)
            fresh[0] = True
        return child

    cdef double judge(self, double *value, RootStat *stat) noexcept nogil:
        """Play on to an outcome: each side's payoff; returns the root side's."""
        cdef Game *g = &self.game
        cdef Outcome out
        cdef double equity[MAX_SIDES]
        cdef double points
        cdef int winners, root = 1 << self.root_side
        self.actions_played += g.finish(
            g.rules, g.aid, self.world, &self.rng, &self.scratch, &out)
        winners = match_equity(
            &self.equity.c, out.scores, out.won, out.left, out.dealer, equity)
        points = margin(out.points, self.root_side, g.sides)
        stat.visits += 1
        stat.points += points
        stat.squares += points * points
        self.points = points
        if winners != root and winners & root:
            stat.shared += 1
            self.chance = 0.5
        else:
            stat.wins += equity[self.root_side]
            self.chance = equity[self.root_side]
        if self.for_match:
            margins(equity, g.sides, value)
        else:
            margins(out.points, g.sides, value)
        return value[self.root_side]

    cdef void draw(self) noexcept nogil:
        """The next world, in ``world``.

        Where worlds are not all alike it is the next of a Markov chain whose worlds come as
        often as they are likely (Metropolis and others, J. Chem. Phys. 21, 1953): a fresh
        one is taken where it is likelier than the last, else as often as it is as likely.
        """
        cdef Game *g = &self.game
        cdef double likely
        g.draw(g.rules, self.knowledge.knowledge, self.world, &self.rng)
        if g.likelihood == NULL:
            return
        likely = g.likelihood(g.rules, self.knowledge.knowledge, self.world)
        if self.likely <= 0 or likely >= self.likely or (
            likely > self.likely * rng_share(&self.rng)
        ):
            self.likely = likely
            memcpy(self.kept, self.world, g.state_size)
        else:
            memcpy(self.world, self.kept, g.state_size)

    def run(self, int64_t iterations, int64_t deadline=INT64_MAX, int64_t least=1):
        """Search on until so many more iterations, a time, or the stop flag.

        ``deadline`` is in nanoseconds of the monotonic clock.  The very first ``least``
        iterations are always made.  Returns the number made.
        """
        cdef int64_t before = self.iterations
        cdef uint32_t rounds = 0
        with nogil:
            while self.iterations - before < iterations:
                if self.iterations >= least:
                    if self.stop.raised:
                        break
                    if rounds % CHECK_EVERY == 0 and clock_ns() >= deadline:
                        break
                if self.flat:
                    self.sample()
                else:
                    self.iterate()
                rounds += 1
        return self.iterations - before

    def compare(
        self, list places, Blocks blocks, int64_t worlds, int64_t deadline=INT64_MAX,
        int64_t least=2,
    ):
        """Try the root's actions at these places once in each of so many worlds.

        What differs between them is not the luck of the world then.  ``blocks`` gets a trial a
        world: for each place the points of the side to move less the mean of the others', and
        its chance to win the match, where it is shared half.  ``deadline`` and ``least`` as
        ``run`` has them, in worlds.  Returns the number of worlds.  Raises ValueError.
        """
        cdef Game *g = &self.game
        cdef int64_t *chosen = NULL
        cdef double *trial = NULL
        cdef double value[MAX_SIDES]
        cdef int64_t i, n = len(places), done = 0
        if blocks.columns != 2 * n:
            raise ValueError(f"{blocks.columns} columns for {n} actions: two each are needed")
        if not all(0 <= place < self.root.n for place in places):
            raise ValueError(f"places {places}: there are {self.root.n} actions")
        try:
            chosen = <int64_t *>malloc(n * sizeof(int64_t))
            trial = <double *>malloc(2 * n * sizeof(double))
            if chosen == NULL or trial == NULL:
                raise MemoryError("no memory to compare actions")
            for i in range(n):
                chosen[i] = places[i]
            with nogil:
                while done < worlds:
                    if done >= least:
                        if self.stop.raised:
                            break
                        if done % COMPARE_EVERY == 0 and clock_ns() >= deadline:
                            break
                    self.draw()
                    memcpy(self.drawn, self.world, g.state_size)
                    for i in range(n):
                        memcpy(self.world, self.drawn, g.state_size)
                        if self.flat:
                            g.apply(g.rules, self.world, self.root.data[chosen[i]])
                            self.actions_played += 1
                            self.judge(value, &self.stats[chosen[i]])
                            self.iterations += 1
                        else:
                            self.walk(chosen[i])
                        trial[2 * i] = self.points
                        trial[2 * i + 1] = self.chance
                    blocks.add(trial)
                    done += 1
        finally:
            free(chosen)
            free(trial)
        return done

    def results(self):
        """Per root action: (code, visits, sum of points, sum of squares, wins, shared wins).

        Points are those of the side to move minus the mean of the others'; the chances to
        win the match, alone and with others, add up in the last two.
        """
        cdef int64_t i
        return [
            (self.root.data[i], self.stats[i].visits, self.stats[i].points,
             self.stats[i].squares, self.stats[i].wins, self.stats[i].shared)
            for i in range(self.root.n)
        ]

    def line(self, uint64_t action):
        """The most visited line of actions from the root that begins with ``action``.

        It stops where cards are dealt.
        """
        cdef uint32_t node = tree_find(&self.tree, ROOT, action)
        cdef uint32_t kid, best
        out = [action]
        while node:
            best = 0
            kid = self.tree.nodes[node].child
            while kid:
                if self.tree.nodes[kid].side == CHANCE:
                    best = 0
                    break
                if self.tree.nodes[kid].visits > (
                    self.tree.nodes[best].visits if best else <uint32_t>0
                ):
                    best = kid
                kid = self.tree.nodes[kid].sibling
            if best:
                out.append(self.tree.nodes[best].action)
            node = best
        return out

    @property
    def nodes(self):
        """Nodes in the tree."""
        return self.tree.n

    @property
    def hashfull(self):
        """How full the tree is, per mille of what its memory allows."""
        return 1000 * <uint64_t>self.tree.n // self.tree.limit


def now_ns():
    """The monotonic clock that ``Search.run`` looks at, in nanoseconds."""
    return clock_ns()


def can_allocate(uint64_t size):
    """Whether the system would give so many bytes (which it may not have to back yet)."""
    cdef void *pages = pages_take(size)
    pages_give(pages, size)
    return pages != NULL
