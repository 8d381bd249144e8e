"""Smazzate played on by a game's quick way to play, from deals and from decisions.

Written over the contract, as the search is: a new game inherits it.
"""

from cpython.array cimport array
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.contract cimport InformationSet, Position, QuickPlay, margin, margins
from cirulla_ai._core.equity cimport Equity, match_equity
from cirulla_ai._core.game cimport EVENT_DEAL, MAX_ITEMS, MAX_SIDES, Game, Outcome, Quick
from cirulla_ai._core.rng cimport Rng, rng_next, rng_share


cdef void deal_value(
    const Game *g, const Quick *q, void *state, Rng *rng, Outcome *out
) noexcept nogil:
    """What a round that was just dealt comes to; the state is played on for it.

    It is played to its end, which is worth what can be expected then.  A round that can be
    solved is solved, and where nothing is known of the deals to come the smazzata is played
    out.
    """
    while g.turn(state) >= 0:
        if q.solve(q.rules, q.aid, state, out):
            return
        if q.advance(q.rules, q.aid, state, rng) == EVENT_DEAL and q.expect(
            q.rules, q.aid, state, out
        ):
            return
    q.outcome(q.rules, state, out)


cdef void add_value(
    const Game *g, const Quick *q, Equity equity, const void *dealt, void *work, bint redeal,
    int plays, Rng *rng, double *points, double *chances
) noexcept nogil:
    """Add what so many plays of a deal, or of other deals, come to in the mean."""
    cdef Outcome out
    cdef double values[MAX_SIDES]
    cdef int _i, side
    for _i in range(plays):
        memcpy(work, dealt, g.state_size)
        if redeal:
            q.redeal(q.rules, work, rng)
        deal_value(g, q, work, rng, &out)
        margins(out.points, g.sides, values)
        for side in range(g.sides):
            points[side] += values[side] / plays
        match_equity(&equity.c, out.scores, out.won, out.left, out.dealer, values)
        for side in range(g.sides):
            chances[side] += values[side] / plays


def deal_values(
    QuickPlay quick not None, Position dealt not None, Equity equity not None, int plays,
    int redeals, uint64_t seed,
):
    """What a deal is worth, and what others of the same cards are in the mean.

    ``dealt``: a whole truth in which cards were just dealt.  It is played ``plays`` times, and
    each of ``redeals`` others once.  Returns (points, chances) of the deal and (points,
    chances) of the others, for each side: points less the mean of the others', and the chance
    to win the match, for which ``equity`` has to be prepared.  Raises ValueError for any other
    position.
    """
    cdef const Game *g = dealt.game()
    cdef const Quick *q = &quick.quick
    cdef double own[2][MAX_SIDES]
    cdef double mean[2][MAX_SIDES]
    cdef Rng rng
    cdef void *work
    cdef int side
    if dealt.viewer >= 0 or not quick.is_fresh(dealt):
        raise ValueError("only a whole truth in which cards were just dealt has a deal's value")
    if plays < 1 or redeals < 1:
        raise ValueError(f"{plays} plays and {redeals} other deals: at least one of each is needed")
    work = malloc(g.state_size)
    if work == NULL:
        raise MemoryError("a state does not fit in memory")
    memset(own, 0, sizeof(own))
    memset(mean, 0, sizeof(mean))
    rng.state = seed
    with nogil:
        add_value(g, q, equity, dealt.state, work, False, plays, &rng, own[0], own[1])
        add_value(g, q, equity, dealt.state, work, True, redeals, &rng, mean[0], mean[1])
    free(work)
    sides = range(g.sides)
    return (
        ([own[0][side] for side in sides], [own[1][side] for side in sides]),
        ([mean[0][side] for side in sides], [mean[1][side] for side in sides]))


# --- from a decision -------------------------------------------------------------------

cdef enum:
    # Worlds of which one is taken as often as it is likely, where they are not all alike.
    WORLDS = 64


cdef uint64_t seed_of(uint64_t seed, uint64_t number) noexcept nogil:
    """A seed for each number: unlike those beside it."""
    cdef Rng rng
    rng.state = seed
    rng.state = rng_next(&rng) ^ number * <uint64_t>0xD1342543DE82EF95
    return rng_next(&rng)


cdef void draw_likely(
    const Game *g, const void *knowledge, void *world, void *work, Rng *rng
) noexcept nogil:
    """A world, each as often as what was seen makes it likely: one of many that are drawn.

    (Rubin, "Using the SIR algorithm to simulate posterior distributions", Bayesian Statistics
    3, 1988.)
    """
    cdef double likely, total = 0
    cdef int _i
    if g.likelihood == NULL:
        g.draw(g.rules, knowledge, world, rng)
        return
    for _i in range(WORLDS):
        g.draw(g.rules, knowledge, work, rng)
        likely = g.likelihood(g.rules, knowledge, work)
        total += likely
        if rng_share(rng) * total < likely:
            memcpy(world, work, g.state_size)


cdef void side_items(
    const Game *g, const Quick *q, const void *end, int side, double *out
) noexcept nogil:
    """What a side's points are made of where it is over, less the mean of the others'."""
    cdef double all[MAX_SIDES * MAX_ITEMS]
    cdef int i, other
    q.itemise(q.rules, end, all)
    for i in range(q.items):
        out[i] = all[side * q.items + i]
        for other in range(g.sides):
            if other != side:
                out[i] -= all[other * q.items + i] / (g.sides - 1)


cdef double others_mean(
    const Game *g, const Quick *q, const void *dealt, void *work, int side, int redeals, Rng rng
) noexcept nogil:
    """What other deals of the same cards are worth to a side, less the mean of the others'."""
    cdef Outcome out
    cdef double total = 0
    cdef int _i
    for _i in range(redeals):
        memcpy(work, dealt, g.state_size)
        q.redeal(q.rules, work, &rng)
        deal_value(g, q, work, &rng, &out)
        total += margin(out.points, side, g.sides)
    return total / redeals


cdef double play_on(
    const Game *g, const Quick *q, void *state, void *work, int side, int event, int redeals,
    Rng rng, uint64_t seed
) noexcept nogil:
    """Play to the end; the luck of the deals on the way, in points of a side.

    What a deal is worth is told by the very play of its round, so it is only looked for where
    something is known of the deals to come.  Of one ``seed`` other deals are the same cards
    for every line of play.
    """
    cdef Outcome out
    cdef Rng other
    cdef double luck = 0, mean
    cdef bint counts
    cdef int deals = 0
    while g.turn(state) >= 0:
        counts = event == EVENT_DEAL and redeals > 0 and q.expect(q.rules, q.aid, state, &out)
        if counts:
            deals += 1
            other.state = seed_of(seed, deals)
            mean = others_mean(g, q, state, work, side, redeals, other)
        event = q.advance(q.rules, q.aid, state, &rng)
        if counts:
            if event != EVENT_DEAL:
                q.outcome(q.rules, state, &out)
            elif not q.expect(q.rules, q.aid, state, &out):
                continue
            luck += margin(out.points, side, g.sides) - mean
    return luck


def roll(
    QuickPlay quick not None, InformationSet known not None, list actions not None, int64_t first,
    int64_t trials, uint64_t seed, int redeals, double[::1] out,
):
    """Play trials number ``first`` and on: each in one world, from each of the actions.

    ``out``: for each trial and action what the side's points at the end are made of, less the
    mean of the others', and the luck of the deals on the way (0 where ``redeals``, the other
    deals that each is compared with, is 0, or nothing is known of deals to come): zero in the
    mean, whatever the action.  A trial depends on its number, ``seed`` and the actions, on no
    other trial; all its actions get the same world, deals, and luck of play.
    """
    quick.check(known.table())
    cdef const Game *g = &known.game
    cdef const Quick *q = &quick.quick
    cdef int64_t trial, i, n = len(actions)
    cdef int row = q.items + 1, side = g.side(g.rules, known.viewer), event
    cdef char *states
    cdef void *world
    cdef void *work
    cdef void *line
    cdef Rng rng
    cdef action_t[::1] codes = array("Q", actions)
    if g.turn(known.view) != known.viewer:
        raise ValueError("there is nothing to decide for the viewer")
    if out.shape[0] != trials * n * row:
        raise ValueError(f"{out.shape[0]} numbers, not {trials} trials of {n} actions, {row} each")
    states = <char *>malloc(3 * g.state_size)
    if states == NULL:
        raise MemoryError("worlds do not fit in memory")
    world = states
    work = states + g.state_size
    line = states + 2 * g.state_size
    with nogil:
        for trial in range(trials):
            rng.state = seed_of(seed, first + trial)
            draw_likely(g, known.knowledge, world, work, &rng)
            for i in range(n):
                memcpy(line, world, g.state_size)
                event = g.apply(g.rules, line, codes[i])
                out[(trial * n + i + 1) * row - 1] = play_on(
                    g, q, line, work, side, event, redeals, rng, rng.state)
                side_items(g, q, line, side, &out[(trial * n + i) * row])
    free(states)


def likely_world(InformationSet known not None, int64_t trial, uint64_t seed):
    """The world of a trial of ``roll``, as a position."""
    cdef Position world = known.position()
    cdef Position work = world.copy()
    cdef Rng rng
    rng.state = seed_of(seed, trial)
    draw_likely(&known.game, known.knowledge, world.state, work.state, &rng)
    return world


def play_out(QuickPlay quick not None, Position position not None, uint64_t seed):
    """A whole truth played on as the lines of ``roll`` are: where cards are dealt, and the end."""
    cdef Position end = position.copy()
    cdef const Game *g = end.game()
    cdef const Quick *q = &quick.quick
    cdef Rng rng
    cdef int event = 0
    quick.check(position.table())
    if position.viewer >= 0:
        raise ValueError("a view can't be played out: draw worlds from it")
    rng.state = seed
    out = []
    while g.turn(end.state) >= 0:
        end = end.copy()
        with nogil:
            event = q.advance(q.rules, q.aid, end.state, &rng)
        if event == EVENT_DEAL:
            out.append(end)
    return [*out, end]


def items_of(QuickPlay quick not None, Position end not None, int side):
    """What a side's points are made of where it is over, less the mean of the others'."""
    cdef double items[MAX_ITEMS]
    cdef int i
    quick.check(end.table())
    if not 0 <= side < end.game().sides:
        raise ValueError(f"there is no side {side}")
    if end.turn >= 0:
        raise ValueError("the smazzata is not over")
    side_items(end.game(), &quick.quick, end.state, side, items)
    return [items[i] for i in range(quick.quick.items)]


def solved_end(QuickPlay quick not None, Position position not None):
    """The end with best play of both sides, where the rest can be solved at once, else None."""
    cdef const Quick *q = &quick.quick
    cdef Position end
    cdef Outcome out
    cdef Rng rng
    quick.check(position.table())
    if position.viewer >= 0:
        raise ValueError("a view can't be solved: draw worlds from it")
    if position.turn < 0 or not q.solve(q.rules, q.aid, position.state, &out):
        return None
    end = position.copy()
    rng.state = 0
    q.advance(q.rules, q.aid, end.state, &rng)
    return end
