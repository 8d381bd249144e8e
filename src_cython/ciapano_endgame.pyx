"""Exact solving of the last tricks of Ciapa No.

Max^n (Luckhardt, Irani, "An Algorithmic Solution of N-Person Games", AAAI 1986): with all
cards known every seat plays what is best for itself.  Of equally good plays each is as
likely as any other, so that a value depends on nothing but the position.

Positions between two tricks are looked up where they come again.  Cards of one hand that
come to the same, being neighbours in their suit and counting alike, are tried once.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cirulla_ai._core.actions cimport action_t, card_code, code_card
from cirulla_ai._core.cards cimport NO_CARD, bits_low, card_bit, cardset, suit_set
from cirulla_ai._core.ciapano cimport (
    LAST_TRICK_THIRDS, PHASE_PLAY, SEATS, CiapanoRules, CiapanoState, by_strength, score_thirds,
    seat_after, thirds_of,
)
from cirulla_ai._core.ciapano_position cimport CiapanoPosition
from cirulla_ai._core.clock cimport clock_ns
from cirulla_ai._core.contract cimport margins
from cirulla_ai._core.stop cimport Stop

cdef enum:
    TABLE_BITS = 15
    TABLE = 1 << TABLE_BITS
    # Positions between two looks at the clock, less one.
    CLOCK_MASK = 1023
    LOW_CARDS = 12          # ace, two and three, which beat what comes after them

# Margins that differ by less are the same: they are means of halves of points.
cdef double SAME = 1e-9


# --- positions ----------------------------------------------------------------------

cdef void tricks_play(Tricks *t, cardset card) noexcept nogil:
    """The seat to move plays a card of its hand; a third card ends the trick."""
    cdef int seat = t.turn
    t.hand[seat] ^= card
    t.open |= card
    t.worth += thirds_of(card)
    t.turn = seat_after(seat)
    if t.n == 0:
        t.led = bits_low(card) & 3
        t.taker = seat
        t.best = by_strength(card)
    elif card & suit_set(t.led) and by_strength(card) > t.best:
        t.taker = seat
        t.best = by_strength(card)
    t.n += 1
    if t.n == SEATS:
        t.thirds[t.taker] += t.worth
        t.turn = t.taker
        t.n = 0
        t.worth = 0
        t.open = 0


cdef inline cardset playable(const Tricks *t) noexcept nogil:
    cdef cardset hand = t.hand[t.turn], follow
    follow = hand & suit_set(t.led) if t.n else 0
    return follow if follow else hand


cdef inline cardset weakest(cardset cards) noexcept nogil:
    """The weakest card of one suit's."""
    cdef cardset plain = cards >> LOW_CARDS << LOW_CARDS
    plain = plain if plain else cards
    return plain & (~plain + 1)


cdef inline bint are_alike(cardset a, cardset b, cardset others) noexcept nogil:
    """Whether two cards of a suit in one hand, the weaker first, come to the same.

    They do where they count the same and none of the others' cards is between them.
    """
    if thirds_of(a) != thirds_of(b):
        return False
    return (by_strength(others) & (by_strength(b) - 1) & ~(2 * by_strength(a) - 1)) == 0


# --- values -------------------------------------------------------------------------

cdef void judge(const CiapanoRules *r, const int *thirds, Margins *out) noexcept nogil:
    """What a finished smazzata is worth."""
    cdef int points[3]
    cdef double own[3]
    cdef int i
    score_thirds(r, thirds, points)
    for i in range(SEATS):
        own[i] = -points[i]
    margins(own, SEATS, out.seat)


cdef bint is_over_budget(TrickSolver *v) noexcept nogil:
    """Count a position; whether the solver must give up."""
    v.nodes += 1
    if v.nodes > v.most_nodes or v.stop[0]:
        v.failed = True
    elif (v.nodes & CLOCK_MASK) == 0 and clock_ns() >= v.deadline:
        v.failed = True
    return v.failed


cdef void tricks_value(TrickSolver *v, Tricks *t, Margins *out) noexcept nogil:
    """The value of a position, with best play of all."""
    cdef uint64_t key
    cdef Entry *entry
    if t.n:
        value_by_plays(v, t, out)
        return
    key = t.hand[0] | t.hand[1] | t.hand[2]
    if not key:
        t.thirds[t.turn] += v.last
        judge(v.rules, t.thirds, out)
        return
    key |= (<uint64_t>t.turn << 40 | <uint64_t>t.thirds[0] << 42 | <uint64_t>t.thirds[1] << 48)
    entry = &v.table[key * <uint64_t>0x9E3779B97F4A7C15 >> (64 - TABLE_BITS)]
    if entry.key != key or entry.world != v.world:
        value_by_plays(v, t, out)
        entry.key = key
        entry.world = v.world
        entry.value = out[0]
    out[0] = entry.value


cdef void value_by_plays(TrickSolver *v, const Tricks *t, Margins *out) noexcept nogil:
    """The seat to move plays what is best for it, of equals each as likely."""
    cdef cardset own = t.hand[t.turn], cards = playable(t), suit, first, last, card
    cdef cardset others = (t.hand[0] | t.hand[1] | t.hand[2] | t.open) ^ own
    cdef Tricks child
    cdef Margins value
    cdef int i, s, weight, seat = t.turn
    cdef double best = 0, total = 0
    if is_over_budget(v):
        return
    for i in range(4):
        suit = cards & suit_set(i)
        while suit:
            first = weakest(suit)
            last = first
            suit ^= first
            weight = 1
            while suit:
                card = weakest(suit)
                if not are_alike(last, card, others & suit_set(i)):
                    break
                suit ^= card
                last = card
                weight += 1
            child = t[0]
            tricks_play(&child, first)
            tricks_value(v, &child, &value)
            if v.failed:
                return
            if total == 0 or value.seat[seat] > best + SAME:
                best = value.seat[seat]
                total = 0
                memset(out, 0, sizeof(Margins))
            if value.seat[seat] > best - SAME:
                total += weight
                for s in range(SEATS):
                    out.seat[s] += weight * value.seat[s]
    for s in range(SEATS):
        out.seat[s] /= total


# --- solving a truth ----------------------------------------------------------------

cdef bint tricks_solver_make(TrickSolver *v, const CiapanoRules *r) noexcept nogil:
    """Take what a solver needs; False where there is no memory."""
    memset(v, 0, sizeof(TrickSolver))
    v.rules = r
    v.most_nodes = INT64_MAX
    v.deadline = INT64_MAX
    v.table = <Entry *>calloc(TABLE, sizeof(Entry))
    return v.table != NULL


cdef void tricks_solver_free(TrickSolver *v) noexcept nogil:
    free(v.table)
    v.table = NULL


cdef void tricks_begin(TrickSolver *v, const CiapanoState *truth, Tricks *t) noexcept nogil:
    """A whole truth in play, as the solver has it."""
    cdef int i
    v.world += 1
    v.last = LAST_TRICK_THIRDS + thirds_of(card_bit(truth.discard))
    memset(t, 0, sizeof(Tricks))
    for i in range(SEATS):
        t.hand[i] = truth.hand[i]
        t.thirds[i] = thirds_of(truth.taken[i])
    t.turn = truth.lead
    for i in range(truth.n_trick):
        t.hand[t.turn] |= card_bit(truth.trick[i])
        tricks_play(t, card_bit(truth.trick[i]))


cdef int best_play(TrickSolver *v, const Tricks *t) noexcept nogil:
    """The card that the seat to move plays: of equals the first in the order of cards."""
    cdef cardset cards = playable(t), card
    cdef Tricks child
    cdef Margins value
    cdef int best = NO_CARD
    cdef double most = 0
    while cards:
        card = cards & (~cards + 1)
        cards ^= card
        child = t[0]
        tricks_play(&child, card)
        tricks_value(v, &child, &value)
        if v.failed:
            return NO_CARD
        if best == NO_CARD or value.seat[t.turn] > most + SAME:
            most = value.seat[t.turn]
            best = bits_low(card)
    return best


cdef list best_line(TrickSolver *v, Tricks t, action_t code):
    """The codes of best play from an action on, to the end of the smazzata."""
    cdef int card = code_card(code)
    line = []
    while card != NO_CARD:
        line.append(card_code(card))
        tricks_play(&t, card_bit(card))
        card = best_play(v, &t)
    return line


def solve(
    CiapanoPosition position, *, int64_t most_nodes=INT64_MAX, int64_t deadline=INT64_MAX,
    Stop stop=None,
):
    """Exact values of all plays with all cards known: [(code, margin, line)], or None.

    A margin is the mean of the others' points minus those of the seat to move, over the
    whole smazzata, with best play of all; the line is the codes of such play from the
    action on, to the end.  None where it would take more than ``most_nodes`` positions, go
    on beyond ``deadline`` (nanoseconds of the monotonic clock), or was stopped.

    Raises ValueError where the position is a view, or no card is to be played.
    """
    cdef TrickSolver v
    cdef Tricks t, child
    cdef Margins value
    cdef action_t code
    if position.c.viewer >= 0:
        raise ValueError("only a whole truth can be solved, not a view")
    if position.c.phase != PHASE_PLAY:
        raise ValueError("no card is to be played")
    if stop is None:
        stop = Stop()
    try:
        if not tricks_solver_make(&v, &position.rules.c):
            raise MemoryError("no memory for the solver's table")
        v.most_nodes = most_nodes
        v.deadline = deadline
        v.stop = &stop.raised
        tricks_begin(&v, &position.c, &t)
        out = []
        for code in position.legal():
            child = t
            with nogil:
                tricks_play(&child, card_bit(code_card(code)))
                tricks_value(&v, &child, &value)
            if not v.failed:
                out.append((code, value.seat[t.turn], best_line(&v, t, code)))
            if v.failed:
                return None
        return out
    finally:
        tricks_solver_free(&v)
