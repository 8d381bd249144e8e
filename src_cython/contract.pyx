"""The contract's classes: what games give to Python and to the search, and what all share."""

from weakref import WeakValueDictionary

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport bits_low, cardset
from cirulla_ai._core.game cimport MAX_SEATS, Actions, Game, Outcome
from cirulla_ai._core.rng cimport Rng
from cirulla_ai._core.stop cimport Stop


cdef class Table:
    """The rules of one game in the core's form."""

    cdef void deal_afresh(self, void *state, int dealer, Rng *rng) noexcept nogil:
        pass

    cdef Position blank(self):
        return None

    def random_games(self, int64_t n, uint64_t seed):
        """Play ``n`` smazzate by uniformly random actions, from fresh deals.

        Returns (actions played, sum of the first side's points, sum of the squares of the
        first side's points minus the second's, the same sum not squared): enough to check
        the play against theory and to know how wide results are.
        """
        cdef Game *game = &self.game
        cdef Rng rng
        cdef Actions scratch
        cdef Outcome out
        cdef int64_t i, ahead, played = 0, points = 0, squares = 0, difference = 0
        cdef void *state = calloc(1, game.state_size)
        if state == NULL:
            raise MemoryError("a state does not fit in memory")
        memset(&scratch, 0, sizeof(Actions))
        rng.state = seed
        with nogil:
            for i in range(n):
                self.deal_afresh(state, <int>(i % self.players), &rng)
                played += game.finish(game.rules, NULL, state, &rng, &scratch, &out)
                # Scores before the deal are 0.
                ahead = <int64_t>(out.scores[0] - out.scores[1])
                points += <int64_t>out.scores[0]
                difference += ahead
                squares += ahead * ahead
        free(scratch.data)
        free(state)
        return played, points, squares, difference


# The tables that somebody has, by class and options.  They never change, so that sharing them
# shares nothing that could.
_tables = WeakValueDictionary()


def shared_table(type kind, tuple options):
    """The table of a class with these options, as pairs of names and values.

    One and the same for equal options, for as long as anybody has it: what is made for some
    rules knows by it whether what it is given is of the same.
    """
    table = _tables.get((kind, options))
    if table is None:
        table = _tables.setdefault((kind, options), kind(dict(options)))
    return table


cdef inline int64_t none(const Game *g, const void *state) noexcept nogil:
    """Where no action is legal: -1 where a seat decides, since it will be dealt cards that
    nobody has seen; 0 where the smazzata is over."""
    return -1 if g.turn(state) >= 0 else 0


cdef inline int64_t count_actions(
    const Game *g, const void *state, int viewer, Actions *scratch
) noexcept nogil:
    """How many actions there are; as ``count_paths`` says where that can't be told."""
    cdef int64_t n
    if viewer >= 0 and 0 <= g.turn(state) != viewer:
        return -1
    n = g.count(g.rules, state, scratch)
    return n if n else none(g, state)


cdef int64_t count_paths(
    const Game *g, const void *state, int viewer, int depth, Actions *levels, char *states,
    const bint *stop
) noexcept nogil:
    """Sequences of exactly ``depth`` actions, two or more.

    -1 where a hidden card would be needed, -2 out of memory, -3 stopped.  There are a list and
    a state to work with for each depth.
    """
    cdef Actions *list = levels + depth - 1
    cdef void *child = states + (depth - 1) * g.state_size
    cdef int64_t total = 0, n, i
    if viewer >= 0 and 0 <= g.turn(state) != viewer:
        return -1
    g.legal(g.rules, state, list)
    if list.failed:
        return -2
    if list.n == 0:
        return none(g, state)
    for i in range(list.n):
        if stop[0]:
            return -3
        memcpy(child, state, g.state_size)
        g.apply(g.rules, child, list.data[i])
        if depth == 2:
            n = count_actions(g, child, viewer, levels)
        else:
            n = count_paths(g, child, viewer, depth - 1, levels, states, stop)
        if n < 0:
            return n
        total += n
    return total


cdef inline Table given(Table table):
    """The table of what has one."""
    if table is None:
        raise TypeError("no rules: only a game's own positions and information sets have any")
    return table


cdef class Position:
    """A state in the core's form.  Not to be changed once shared."""

    cdef Table table(self):
        return None

    cdef const Game *game(self) noexcept:
        return &given(self.table()).game

    @property
    def turn(self):
        """The seat to decide, -1 when the smazzata is over."""
        return given(self.table()).game.turn(self.state)

    def copy(self):
        """Another position with the same contents."""
        cdef Position p = given(self.table()).blank()
        memcpy(p.state, self.state, given(self.table()).game.state_size)
        return p

    cdef Actions legal_list(self):
        cdef const Game *game = &given(self.table()).game
        cdef Actions list
        memset(&list, 0, sizeof(Actions))
        with nogil:
            game.legal(game.rules, self.state, &list)
        return list

    def legal(self):
        """Codes of all legal actions of the seat to move, its hand being known."""
        cdef Actions list = self.legal_list()
        cdef int64_t i
        try:
            if list.failed:
                raise MemoryError("the list of legal actions does not fit in memory")
            return [list.data[i] for i in range(list.n)]
        finally:
            free(list.data)

    def count_legal(self):
        """The number of legal actions, without listing them."""
        cdef const Game *game = &given(self.table()).game
        cdef Actions scratch
        cdef int64_t n
        memset(&scratch, 0, sizeof(Actions))
        n = game.count(game.rules, self.state, &scratch)
        free(scratch.data)
        return n

    def seen(self, uint64_t code, int seat):
        """The code of an action of the seat to move as ``seat`` sees it."""
        return given(self.table()).game.seen(self.state, seat, code)

    def after(self, uint64_t code):
        """The position after an action that ``accepts`` has allowed."""
        cdef Position p = self.copy()
        cdef const Game *game = p.game()
        game.apply(game.rules, p.state, code)
        return p

    def perft(self, int depth, Stop stop=None):
        """The number of action sequences of exactly ``depth`` actions.

        -1 where a hidden card would have to be known, -3 where ``stop`` was raised.
        Raises MemoryError.
        """
        cdef const Game *game = &given(self.table()).game
        cdef Actions levels[63]
        cdef int viewer = self.viewer, i
        cdef int64_t n = -2
        cdef char *states
        if not 1 <= depth < 64:
            raise ValueError(f"depth {depth} is not in 1 … 63")
        if stop is None:
            stop = Stop()
        memset(levels, 0, sizeof(levels))
        states = <char *>malloc(depth * game.state_size)
        if states != NULL:
            with nogil:
                if game.perft != NULL:
                    n = game.perft(game.rules, self.state, depth, levels, &stop.raised)
                elif depth == 1:
                    n = count_actions(game, self.state, viewer, levels)
                else:
                    n = count_paths(game, self.state, viewer, depth, levels, states, &stop.raised)
        for i in range(depth):
            free(levels[i].data)
        free(states)
        if n == -2:
            raise MemoryError("the lists of legal actions do not fit in memory")
        return n


cdef class InformationSet:
    """What the search is given: a game, a view, and a way to draw worlds."""

    cdef Table table(self):
        return None

    def position(self):
        """The viewer's view as a position."""
        cdef Position p = given(self.table()).blank()
        memcpy(p.state, self.view, self.game.state_size)
        return p

    def draw(self, uint64_t seed):
        """A world drawn uniformly: (position of the whole truth, whether it agrees)."""
        cdef Position p = given(self.table()).blank()
        cdef Rng rng
        cdef bint agrees
        rng.state = seed
        agrees = self.game.draw(self.game.rules, self.knowledge, p.state, &rng)
        return p, agrees

    def hands(self, int64_t worlds, uint64_t seed):
        """Per seat and card the chance that the seat holds it without the viewer knowing.

        Worlds are drawn, so many, and each counts as it is likely.  The chances of a seat add
        up to the number of cards that it holds unseen.
        """
        cdef Game *g = &self.game
        cdef double chance[MAX_SEATS][40]
        cdef double likely, total = 0
        cdef cardset cards
        cdef int seat, seats = given(self.table()).players, card
        cdef int64_t _i
        cdef Rng rng
        cdef void *world
        if worlds < 1:
            raise ValueError(f"{worlds} worlds: at least one is needed")
        world = malloc(g.state_size)
        if world == NULL:
            raise MemoryError("a state does not fit in memory")
        memset(chance, 0, sizeof(chance))
        rng.state = seed
        with nogil:
            for _i in range(worlds):
                g.draw(g.rules, self.knowledge, world, &rng)
                likely = 1
                if g.likelihood != NULL:
                    likely = g.likelihood(g.rules, self.knowledge, world)
                total += likely
                for seat in range(seats):
                    cards = g.hand(world, seat) & ~g.hand(self.view, seat)
                    while cards:
                        chance[seat][bits_low(cards)] += likely
                        cards &= cards - 1
        free(world)
        return [[chance[seat][card] / total for card in range(40)] for seat in range(seats)]

    def truth(self):
        """The whole truth as a position where all is known, else None."""
        return None


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
    cdef Position whole
    cdef Truth known

    def __init__(self, Position position, int viewer):
        if position.viewer >= 0:
            raise ValueError("only a whole truth can be searched with all cards known")
        self.whole = position
        self.viewer = viewer
        self.game = position.game()[0]
        self.game.draw = _truth
        self.game.seen = _sees_all
        self.known.state = position.state
        self.known.size = self.game.state_size
        self.view = position.state
        self.knowledge = &self.known

    cdef Table table(self):
        return None if self.whole is None else self.whole.table()

    def __reduce__(self):
        return CheatInformationSet, (self.whole, self.viewer)

    def truth(self):
        """The position itself."""
        return self.whole


cdef class Rollout:
    """What a search may be given to tell outcomes with; of some rules."""

    cdef Rollout fresh(self):
        return Rollout()

    cdef void install(self, Game *g, const void *view):
        pass


cdef class QuickPlay:
    """A quick way to play by some rules; ``items`` are the names of what points are made of."""

    cdef Table table(self):
        return None

    cdef check(self, Table table):
        """Raise ValueError for rules that it does not play by."""
        if given(self.table()) is not table:
            raise ValueError("a quick way to play is of some rules, these are others")

    def is_fresh(self, Position position not None):
        """Whether cards were just dealt and nothing was done since.

        Raises ValueError for a position by other rules, as all that takes both does.
        """
        self.check(position.table())
        return self.quick.fresh(self.quick.rules, position.state)
