"""A rule of thumb: what a play takes, less what the next seat can then be expected to take.

Cards are worth what a linear fit to the final difference under ordinary play of Cirulla
says: a card 0.1, a diamond 0.35, sette bello 0.9 more, other sevens 0.3, sixes 0.08, runs of
diamonds by what is still in reach; scaled by what the rules pay for each.  Each unseen card
is with the next seat by chance, and its best reply is worth what the card can take, a scopa
included.  So it keeps away from leaving equals, sums, fifteens and tables for an ace where
the cards for them are out, and does not give diamonds and sevens away.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, action_t, code_card, code_cards, code_kind, code_value,
)
from cirulla_ai._core.cards cimport (
    DECK, DIAMONDS, bits_count, bits_low, card_bit, card_value, cardset,
)
from cirulla_ai._core.fishing cimport (
    FishingRules, FishingState, hand_count, is_scopa, next_seat, open_cards, side_of, wins,
)
from cirulla_ai._core.fishing_captures cimport capture_sets
from cirulla_ai._core.fishing_claims cimport claim_points
from cirulla_ai._core.fishing_position cimport FishingPosition, FishingTable
from cirulla_ai._core.game cimport Actions

cdef enum:
    # Captures of one card that are looked at; hardly ever more.
    MAX_SETS = 64
    LOW = 1 << 1 | 1 << 5 | 1 << 9              # A 2 3 of diamonds

cdef cardset HIGH = <cardset>1 << 29 | <cardset>1 << 33 | <cardset>1 << 37

cdef double[4] LOW_RUN = [0.0, 1.0, 1.8, 3.1]
cdef double[4] HIGH_RUN = [0.0, 1.0, 2.2, 4.4]


cdef double _worth(const FishingRules *r, cardset cards) noexcept nogil:
    """What cards are worth to have taken, but for runs of diamonds."""
    cdef double total = 0.1 * r.points_cards * bits_count(cards)
    total += 0.35 * r.points_diamonds * bits_count(cards & DIAMONDS)
    if cards & card_bit(25):
        total += 0.9 * r.points_settebello
    return total + r.points_primiera * (
        0.3 * bits_count(cards >> 24 & 15) + 0.08 * bits_count(cards >> 20 & 15)
        + 0.04 * bits_count(cards & 15))


cdef double _runs(const FishingRules *r, cardset mine, cardset theirs) noexcept nogil:
    """What the runs of diamonds promise to a side that has ``mine``."""
    cdef double total = 0
    if r.piccola[7] and not theirs & LOW:
        total += LOW_RUN[bits_count(mine & LOW)]
    if r.grande[7 << 7] and not theirs & HIGH:
        total += r.grande[7 << 7] / 5.0 * HIGH_RUN[bits_count(mine & HIGH)]
    return total


cdef double _gain(
    const FishingRules *r, cardset cards, cardset mine, cardset theirs
) noexcept nogil:
    """What taking cards is worth, in points, beyond a scopa that it may make."""
    cdef double gain = _worth(r, cards)
    if cards & DIAMONDS:
        gain += _runs(r, mine | cards, theirs) - _runs(r, mine, theirs)
        gain += _runs(r, theirs, mine) - _runs(r, theirs, mine | cards)
    return gain


cdef double _best_reply(
    const FishingRules *r, cardset table, int card, cardset mine, cardset theirs
) noexcept nogil:
    """What the next seat, which has taken ``theirs``, gains by its best capture with a card."""
    cdef cardset sets[MAX_SETS]
    cdef double best = 0, gain
    cdef int64_t i, n = capture_sets(
        &r.captures.rules, table, -1, 0, card_value(card), 0, sets, MAX_SETS)
    for i in range(min(n, MAX_SETS)):
        gain = _gain(r, sets[i] | card_bit(card), theirs, mine) + (sets[i] == table)
        if gain > best:
            best = gain
    return best


cdef void prospect_of(
    const FishingRules *r, const FishingState *s, action_t action, cardset unseen,
    Prospect *out
) noexcept nogil:
    """What a play of the seat to move takes and leaves.

    ``unseen`` are the cards that the seat has not seen, and possibly others of its own hand,
    which ``prospect_value`` leaves out.  Of other hands only what is shown is looked at.
    """
    cdef int seat = s.turn, side = side_of(r, seat), next = next_seat(r, seat), other, card
    cdef int hand, hidden, i
    cdef cardset captured = code_cards(action), bit = card_bit(code_card(action))
    cdef cardset table, mine = s.taken[side], theirs = 0, left
    cdef double value
    for other in range(r.sides):
        if other != side:
            theirs |= s.taken[other]
    out.n = 0
    out.gain = 0
    # A card laid is a card that can't take later, most of all an ace.
    if captured:
        table = s.table & ~captured
        out.gain = _gain(r, captured | bit, mine, theirs)
        mine |= captured | bit
        out.gain += is_scopa(r, s, captured)
        if wins(r, mine, captured | bit):
            out.gain += 1000
    else:
        table = s.table | bit
        if code_card(action) < 4:
            out.gain -= 0.3
    hand = hand_count(s, next)
    out.known = s.hand[next] & s.shown
    hidden = hand - bits_count(out.known)
    if hand == 0:
        # The round is over: the seat after the dealer has new cards from the stock.
        hidden = r.rounds[s.round] if s.at < s.end else 0
    unseen &= ~(bit | out.known)
    # The seat's own other cards are no part of what it has not seen.
    other = 40 - bits_count(open_cards(s) | out.known)
    other -= hand_count(s, seat)
    out.chance = 0 if other <= 0 else 1 if hidden >= other else <double>hidden / other
    if table == 0 or (hidden == 0 and out.known == 0):
        return
    left = out.known | (unseen if hidden else 0)
    while left:
        card = bits_low(left)
        left &= left - 1
        value = _best_reply(r, table, card, mine, theirs)
        if value <= 0:
            continue
        i = out.n
        while i and (out.value[i - 1] < value):
            out.value[i] = out.value[i - 1]
            out.card[i] = out.card[i - 1]
            i -= 1
        out.value[i] = value
        out.card[i] = <uint8_t>card
        out.n += 1


cdef double prospect_value(const Prospect *p, cardset kept) noexcept nogil:
    """The value of a play to a seat that keeps these cards, in points."""
    cdef double total = 0, none_better = 1, chance
    cdef int i
    for i in range(p.n):
        if kept >> p.card[i] & 1:
            continue
        chance = 1 if p.known >> p.card[i] & 1 else p.chance
        total += none_better * chance * p.value[i]
        none_better *= 1 - chance
    return p.gain - total


cdef void rule_values(
    const FishingRules *r, const FishingState *s, const action_t *actions, int64_t n,
    double *values
) noexcept nogil:
    """The value of each legal action to the seat to move, in points.

    A claim is worth more than any play, of several the one of the most points.  Only what
    the seat to move knows is looked at.
    """
    cdef Prospect p
    cdef int64_t i
    cdef cardset hand = s.hand[s.turn], unseen = DECK & ~(open_cards(s) | hand)
    for i in range(n):
        if code_kind(actions[i]) == KIND_PLAY:
            prospect_of(r, s, actions[i], unseen, &p)
            values[i] = prospect_value(&p, hand & ~card_bit(code_card(actions[i])))
        elif code_kind(actions[i]) == KIND_CLAIM:
            values[i] = 500 + claim_points(r, code_cards(actions[i]), code_value(actions[i]))
        else:
            values[i] = 0


def heuristic_values(FishingPosition position):
    """[(code, value)] of the legal actions of the seat to move, as ``rule_values`` has them.

    Raises MemoryError.
    """
    cdef Actions list = position.legal_list()
    cdef double *values = <double *>malloc((list.n + 1) * sizeof(double))
    cdef int64_t i
    try:
        if list.failed or values == NULL:
            raise MemoryError("the values of the legal actions do not fit in memory")
        rule_values(&position.rules.c, &position.c, list.data, list.n, values)
        return [(list.data[i], values[i]) for i in range(list.n)]
    finally:
        free(list.data)
        free(values)


def worth_gain(FishingTable rules, uint64_t cards, uint64_t mine, uint64_t theirs):
    """What taking ``cards`` is worth to a side that has ``mine``, in points."""
    return _gain(&rules.c, cards, mine, theirs)
