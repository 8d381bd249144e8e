"""Exact solving once all cards are known: two sides, no stock.

Plain alpha–beta over the core, captures first.  With two players the last round is such a
game: what nobody has seen is in the other hand.
"""

from libc.stdint cimport INT64_MAX, int8_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from cirulla_ai._core.cards cimport DECK, DIAMONDS, bits_count, bits_deposit, bits_low, cardset
from cirulla_ai._core.clock cimport clock_ns
from cirulla_ai._core.fishing cimport (
    PHASE_DEAL, PHASE_DONE, PHASE_PLAY, FishingRules, FishingState, fishing_apply,
    fishing_deal_random, fishing_legal, side_of, wins,
)
from cirulla_ai._core.fishing_captures cimport SMALL_TABLE, padded, ways_of_four
from cirulla_ai._core.fishing_claims cimport best_claim
from cirulla_ai._core.fishing_playout cimport random_turns
from cirulla_ai._core.fishing_position cimport FishingPosition, FishingTable
from cirulla_ai._core.fishing_scoring cimport fishing_totals
from cirulla_ai._core.game cimport Actions, Outcome
from cirulla_ai._core.rng cimport Rng
from cirulla_ai._core.stop cimport Stop

# A value is UNIT times the difference of the sides' points and, so that one number tells
# both, the points of side 0: of equal differences each side likes to have more itself,
# and the other less.
cdef enum:
    UNIT = 4096
    # Positions between two looks at the clock.
    CHECK_EVERY = 1024
    # With more cards a line's end would cost far more than all the rest of it.
    MAX_LAST_HAND = 4

cdef int INFINITE = 1 << 28

# Of four words of ways, the bits that lay a card.
cdef uint64_t LAYS = 0x0001000100010001


cdef int outcome(const Solver *v, const FishingState *s) noexcept nogil:
    """The value for side 0 of a finished smazzata."""
    cdef int totals[3]
    if s.won >= 0:
        return v.win * (UNIT + 1) if s.won == 0 else -v.win * UNIT
    fishing_totals(v.rules, s, totals)
    return (totals[0] - totals[1]) * UNIT + totals[0]


cdef inline int own_points(int value) noexcept nogil:
    """The points of side 0 in a value."""
    return value & (UNIT - 1)


cdef inline int difference(int value) noexcept nogil:
    return value >> 12


# --- plain last rounds of two players -------------------------------------------------
#
# No claim can be made, no matta is declared, and hands and table are of four cards at
# most: then a play is a bit of one word (see fishing_captures.pxd) and a state a handful of sets.

cdef struct Plain:
    cardset table
    cardset hand[2]
    cardset taken[2]
    int value               # of the scopas so far
    int last                # the side that captured last, or -1


cdef inline int scopa_value(int side, int points) noexcept nogil:
    """What points of a side add to a value."""
    return points * (UNIT + 1) if side == 0 else -points * UNIT


cdef bint is_plain(const FishingRules *r, const FishingState *s) noexcept nogil:
    """Whether the rest can be solved as a plain last round."""
    cdef int seat
    if r.players != 2 or s.phase != PHASE_PLAY or bits_count(s.table) > SMALL_TABLE:
        return False
    if s.declared and (s.table | s.hand[0] | s.hand[1]) & r.matta_bit:
        return False
    for seat in range(2):
        # A seat with fewer than three cards has nothing to claim, and nothing to play first
        # where all its cards are shown or none.
        if bits_count(s.hand[seat]) > 3 or s.hand[seat] & s.shown and s.hand[seat] & ~s.shown:
            return False
        if bits_count(s.hand[seat]) == 3 and r.claims_on_turn and not s.hand[seat] & s.shown:
            if best_claim(r, s.hand[seat]):
                return False
    return True


cdef int plain_end(const Solver *v, const Plain *p) noexcept nogil:
    """The value of a finished plain round; what lies on the table goes to the last taker."""
    cdef FishingState s
    cdef int totals[3]
    s.taken[0] = p.taken[0]
    s.taken[1] = p.taken[1]
    s.scopa[0] = 0
    s.scopa[1] = 0
    if p.last >= 0 and p.table:
        s.taken[p.last] |= p.table
        if wins(v.rules, s.taken[p.last], p.table):
            return scopa_value(p.last, v.win)
    fishing_totals(v.rules, &s, totals)
    return p.value + (totals[0] - totals[1]) * UNIT + totals[0]


cdef inline bint narrow(
    bint maximise, int value, int *best, int *alpha, int *beta
) noexcept nogil:
    """Take an action's value in; True where the other actions need not be looked at."""
    if maximise:
        if value > best[0]:
            best[0] = value
        if best[0] > alpha[0]:
            alpha[0] = best[0]
    else:
        if value < best[0]:
            best[0] = value
        if best[0] < beta[0]:
            beta[0] = best[0]
    return alpha[0] >= beta[0]


cdef int plain_value(
    Solver *v, const Plain *p, int turn, int alpha, int beta
) noexcept nogil:
    """As ``value_of``, of a plain round; ``turn`` is the seat and the side to move."""
    cdef Plain child
    cdef uint64_t ways, way, table = padded(p.table)
    cdef cardset captured, bit, mine
    cdef int best, value, kind, at
    cdef bint is_out, wins_all
    if bits_count(p.table) > SMALL_TABLE:
        return plain_to_full(v, p, turn, alpha, beta)
    v.nodes += 1
    best = INFINITE if turn else -INFINITE
    ways = ways_of_four(&v.rules.captures, table, padded(p.hand[turn]))
    # Captures first: they are most often best, and cut off the rest.
    for kind in range(2):
        way = ways & (LAYS if kind else ~LAYS)
        while way:
            at = bits_low(way)
            way &= way - 1
            captured = bits_deposit(at & 15, table)
            bit = bits_deposit(<uint64_t>1 << (at >> 4), p.hand[turn])
            child = p[0]
            child.hand[turn] ^= bit
            is_out = turn == v.dealer and child.hand[turn] == 0
            if captured:
                mine = captured | bit
                child.table ^= captured
                child.last = turn
                child.taken[turn] |= mine
                if child.table == 0 and (v.rules.last_scopa or not is_out):
                    child.value += scopa_value(turn, 1)
            else:
                child.table |= bit
            wins_all = captured != 0 and mine & DIAMONDS != 0 and (
                (child.taken[turn] & v.rules.cappotto_cards) == v.rules.cappotto_cards)
            if wins_all:
                value = scopa_value(turn, v.win)
            elif is_out:
                value = plain_end(v, &child)
            else:
                value = plain_value(v, &child, 1 - turn, alpha, beta)
            if narrow(turn == 0, value, &best, &alpha, &beta):
                return best
    return best


cdef int plain_to_full(
    Solver *v, const Plain *p, int turn, int alpha, int beta
) noexcept nogil:
    """Solve on in full where the table has outgrown a plain round."""
    cdef FishingState s
    cdef int side, value
    memcpy(&s, v.root, sizeof(FishingState))
    s.table = p.table
    s.turn = <int8_t>turn
    s.last = <int8_t>p.last
    for side in range(2):
        s.hand[side] = p.hand[side]
        s.taken[side] = p.taken[side]
        s.scopa[side] = 0
    s.shown &= s.hand[0] | s.hand[1]
    # Scopas so far are in the value; what is solved begins without any.
    value = value_of(v, &s, 0, alpha - p.value, beta - p.value)
    # The match won is worth the same whatever was scored before.
    if value == scopa_value(0, v.win) or value == scopa_value(1, v.win):
        return value
    return value + p.value


cdef int value_of(
    Solver *v, const FishingState *s, int ply, int alpha, int beta
) noexcept nogil:
    """The value for side 0 with best play, exact between ``alpha`` and ``beta``."""
    cdef FishingState child
    cdef Actions *list = v.lists + ply
    cdef int64_t i
    cdef int best, value, kind
    cdef bint maximise
    if s.phase == PHASE_DONE:
        return outcome(v, s)
    v.nodes += 1
    if v.nodes > v.most_nodes or v.stop[0] or ply + 1 >= MAX_PLIES or (
        v.nodes % CHECK_EVERY == 0 and clock_ns() >= v.deadline
    ):
        v.failed = True
    if v.failed:
        return 0
    fishing_legal(v.rules, s, list)
    if list.failed:
        v.failed = True
        return 0
    maximise = side_of(v.rules, s.turn) == 0
    best = -INFINITE if maximise else INFINITE
    # Captures and claims first: they are most often best, and cut off the rest.
    for kind in range(2):
        for i in range(list.n):
            if ((list.data[i] & DECK) == 0) != kind:
                continue
            memcpy(&child, s, sizeof(FishingState))
            fishing_apply(v.rules, &child, list.data[i])
            value = value_of(v, &child, ply + 1, alpha, beta)
            if v.failed:
                return 0
            if narrow(maximise, value, &best, &alpha, &beta):
                return best
    return best


cdef bint quickly_solved(const FishingRules *r) noexcept nogil:
    """Whether last rounds are small enough to be solved at the end of every line.

    With more than two players the hands are not known to each other, so that play is not
    what a solver makes of it.
    """
    return r.players == 2 and r.rounds[r.n_rounds - 1] <= MAX_LAST_HAND


cdef bint solvable(const FishingRules *r, const FishingState *s) noexcept nogil:
    """Whether no card is left to deal and two sides play on; a whole truth is asked of."""
    return r.sides == 2 and s.at == s.end and s.turn >= 0 and s.phase < PHASE_DEAL


cdef int solved_value(Solver *v, const FishingState *s, int alpha, int beta) noexcept nogil:
    """The value for side 0, the quick way where there is one."""
    cdef Plain p
    cdef int seat
    if s.phase == PHASE_DONE or not is_plain(v.rules, s):
        return value_of(v, s, 0, alpha, beta)
    v.root = s
    v.dealer = s.dealer
    p.table = s.table
    p.last = s.last
    p.value = 0
    for seat in range(2):
        p.hand[seat] = s.hand[seat]
        p.taken[seat] = s.taken[seat]
        p.value += scopa_value(seat, s.scopa[seat])
    return plain_value(v, &p, s.turn, alpha, beta)


cdef bint solve_outcome(Solver *v, const FishingState *s, Outcome *out) noexcept nogil:
    """What a smazzata comes to with best play; False where it gave up.

    The match won outright counts as the target, but is sought before any points.
    """
    cdef int value, side
    v.win = UNIT - 1
    v.nodes = 0
    v.failed = False
    value = solved_value(v, s, -INFINITE, INFINITE)
    if v.failed:
        return False
    out.points[0] = own_points(value)
    out.points[1] = own_points(value) - difference(value)
    out.won = -1
    out.left = 0
    out.dealer = side_of(v.rules, s.dealer)
    for side in range(2):
        if out.points[side] == v.win:
            out.won = side
            out.points[side] = v.rules.target
    for side in range(2):
        out.scores[side] = s.scores[side] + out.points[side]
    return True


cdef int64_t keeping(
    Solver *v, const FishingState *s, int value, FishingState *child
) noexcept nogil:
    """The place, in the solver's last list, of the first action that keeps a state's value, and
    the state after it; the last action where none does."""
    cdef Actions *list = v.lists + MAX_PLIES - 1
    cdef int64_t i
    fishing_legal(v.rules, s, list)
    for i in range(list.n):
        memcpy(child, s, sizeof(FishingState))
        fishing_apply(v.rules, child, list.data[i])
        # One of them has the value itself.
        if i == list.n - 1 or solved_value(v, child, value - 1, value + 1) == value:
            return i
    return -1


cdef bint solve_on(Solver *v, FishingState *s) noexcept nogil:
    """Play a last round to its end as ``solve_outcome`` has it; False where it gave up."""
    cdef FishingState child, end = s[0]
    cdef int value
    v.win = UNIT - 1
    v.nodes = 0
    v.failed = False
    value = solved_value(v, s, -INFINITE, INFINITE)
    while end.phase != PHASE_DONE and not v.failed:
        if keeping(v, &end, value, &child) < 0:
            return False
        end = child
    if not v.failed:
        s[0] = end
    return not v.failed


cdef void solver_free(Solver *v) noexcept nogil:
    cdef int i
    for i in range(MAX_PLIES):
        free(v.lists[i].data)


def is_solvable(FishingPosition position):
    """Whether everything is known and no card is left to deal, between two sides."""
    cdef int seat
    if not solvable(&position.rules.c, &position.c):
        return False
    for seat in range(position.rules.c.players):
        if position.c.unknown[seat]:
            return False
    return True


def solve(FishingPosition position, int win, int64_t most_nodes=1 << 40, int64_t deadline=INT64_MAX,
          Stop stop=None):
    """Exact values of all legal actions: [(code, value, line)], or None where it took too long.

    A value is the points over the whole smazzata of the side to move minus those of the
    other side, with best play of both, and the line the codes of that play, the action
    first; winning the match outright counts ``win`` (below 4096), losing it -``win``.  Of
    lines of one value each side prefers the one with more points for itself and fewer for
    the other.  Gives up after ``most_nodes`` positions, at ``deadline`` (nanoseconds
    of the monotonic clock) or at a raised ``stop``.  Raises ValueError where
    ``is_solvable`` is False.
    """
    cdef Solver v
    cdef Actions root
    cdef FishingState child
    cdef int64_t i
    cdef int sign, value = 0
    if not is_solvable(position):
        raise ValueError("only a position with all cards known and no stock can be solved, "
                         "between two sides")
    if stop is None:
        stop = Stop()
    memset(&v, 0, sizeof(Solver))
    v.rules = &position.rules.c
    v.win = win
    v.most_nodes = most_nodes
    v.deadline = deadline
    v.stop = &stop.raised
    sign = 1 if side_of(v.rules, position.c.turn) == 0 else -1
    root = position.legal_list()
    out = []
    try:
        for i in range(root.n):
            with nogil:
                memcpy(&child, &position.c, sizeof(FishingState))
                fishing_apply(v.rules, &child, root.data[i])
                value = solved_value(&v, &child, -INFINITE, INFINITE)
            if v.failed:
                return None
            line = [root.data[i]]
            _extend(&v, child, value, line)
            out.append((root.data[i], sign * difference(value), line))
        return out
    finally:
        free(root.data)
        solver_free(&v)


cdef _extend(Solver *v, FishingState s, int value, list line):
    """Add to a line the actions that keep the value, to the end of the smazzata."""
    cdef FishingState child
    cdef int64_t i
    while s.phase != PHASE_DONE:
        i = keeping(v, &s, value, &child)
        line.append(v.lists[MAX_PLIES - 1].data[i])
        s = child


def solve_random(FishingTable rules, int64_t n, uint64_t seed):
    """Solve ``n`` last rounds reached by uniformly random play: (positions, nodes, ns).

    For the benchmarks: the time is that of the solver alone.  Two sides.
    """
    cdef Solver v
    cdef FishingState s
    cdef Rng rng
    cdef Actions scratch
    cdef Outcome out
    cdef int64_t i, solved = 0, nodes = 0, spent = 0, began
    cdef Stop stop = Stop()
    memset(&v, 0, sizeof(Solver))
    memset(&s, 0, sizeof(FishingState))
    memset(&scratch, 0, sizeof(Actions))
    v.rules = &rules.c
    v.most_nodes = 1 << 40
    v.deadline = INT64_MAX
    v.stop = &stop.raised
    rng.state = seed
    with nogil:
        for i in range(n):
            s.dealer = <int8_t>(i % rules.c.players)
            fishing_deal_random(&rules.c, &s, &rng)
            if s.round < rules.c.n_rounds:
                random_turns(&rules.c, &s, &rng, &scratch, 1 << 30, rules.c.n_rounds - 1)
            if not solvable(&rules.c, &s):
                continue
            began = clock_ns()
            solve_outcome(&v, &s, &out)
            spent += clock_ns() - began
            nodes += v.nodes
            solved += 1
    free(scratch.data)
    solver_free(&v)
    return solved, nodes, spent
