"""What an action that was seen tells of the hand behind it.

A seat that has a choice makes it by a softmax of what each play is worth: by the learned
values, or by the rule of thumb, or it plays anything.  All that does not depend on its
hidden cards is made ready when the action was seen, since judging a hand is done once an
iteration of the search.

By the rule of thumb what a play is worth depends on the cards that the seat keeps, as those
can't take what it leaves.  The cards known to be kept are counted as they are, and each
hidden one by the chance that it is among them; but for the play that was made each hidden
card that is kept counts by itself.  So the softmax is a sum of one number a card.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport KIND_CLAIM, KIND_PLAY, action_t, code_kind
from cirulla_ai._core.cards cimport DECK, bits_count, bits_low, card_bit, cardset
from cirulla_ai._core.fishing cimport (
    CLAIM_OPTIONAL, FishingRules, FishingState, fishing_legal, hand_count, open_cards,
)
from cirulla_ai._core.fishing_claims cimport may_claim
from cirulla_ai._core.fishing_heuristic cimport Prospect, prospect_of, prospect_value
from cirulla_ai._core.fishing_value cimport action_values, after_layer, after_value, has_after
from cirulla_ai._core.game cimport Actions
from cirulla_ai._core.numeric cimport exponential, softmax

cdef enum:
    # Plays of one hand that are looked at; hardly ever more.
    MAX_WAYS = 64

# Of a play that is far worse than the best; and how much better one card can make a play, in
# temperatures.
cdef double LEAST_WEIGHT = 1e-12
cdef double MOST_CHANGE = 20


cdef bint _note_way(
    const FishingRules *r, const Model *m, const FishingState *s, action_t action, bint plain,
    Ways *ways
) noexcept nogil:
    """One more way to play, by the learned values; False: no memory."""
    cdef Way *data
    if m.nets != NULL:
        data = <Way *>realloc(ways.data, (ways.n + 1) * sizeof(Way))
        if data == NULL:
            return False
        ways.data = data
        if plain:
            action_values(m.nets, r, s, &action, 1, &data[ways.n].scored)
        else:
            data[ways.n].scored = after_layer(m.nets, r, s, action, &data[ways.n].layer)
    ways.n += 1
    return True


cdef bint evidence_of(
    const FishingRules *r, const Model *m, const SeenAction *seen, cardset later,
    cardset possible, Actions *list, Ways *ways, Evidence *e
) noexcept nogil:
    """What an action seen tells: all that the seat could have done.  False: no memory.

    ``later``: all the cards that the seat played from then on; ``possible``: the others that
    it may have had.
    """
    cdef FishingState state
    cdef Prospect prospect, chosen
    cdef int seat = seen.before.turn, card, other
    cdef int held = hand_count(&seen.before, seat), hidden = held - bits_count(later)
    cdef cardset unseen = DECK & ~open_cards(&seen.before), known = seen.before.hand[seat]
    cdef int among = bits_count(unseen & ~later)
    cdef double kept = <double>hidden / among if among > 0 else 0
    cdef double values[40 * MAX_WAYS]
    cdef double best = -1e300, value, change
    cdef int64_t j
    cdef int n = 0, first = ways.n
    memset(e, 0, sizeof(Evidence))
    e.seat = seat
    e.round = seen.before.round
    e.later = later
    e.chosen = -1
    e.declined = may_claim(r, &seen.before) and r.claim == CLAIM_OPTIONAL and (
        code_kind(seen.action) != KIND_CLAIM)
    e.plain = m.nets == NULL or not has_after(m.nets, r, &seen.before)
    # Shown cards have to be played first: no choice among the others.
    if code_kind(seen.action) != KIND_PLAY or (known & seen.before.shown and not r.claim_free):
        return True
    memcpy(&state, &seen.before, sizeof(FishingState))
    for card in range(40):
        e.first[card] = ways.n
        if (later | possible) & card_bit(card) == 0:
            continue
        state.hand[seat] = card_bit(card)
        state.unknown[seat] = <uint8_t>(held - 1)
        fishing_legal(r, &state, list)
        for j in range(min(list.n, MAX_WAYS)):
            if code_kind(list.data[j]) != KIND_PLAY:
                continue
            if not _note_way(r, m, &state, list.data[j], e.plain, ways):
                return False
            prospect_of(r, &state, list.data[j], unseen, &prospect)
            prospect.chance *= 1 - kept
            values[n] = prospect_value(&prospect, later & ~card_bit(card))
            best = max(best, values[n])
            if list.data[j] == seen.action:
                e.chosen = ways.n - 1
                chosen = prospect
            n += 1
    e.first[40] = ways.n
    if e.chosen < 0:
        return True
    value = values[e.chosen - first]
    for card in range(40):
        for n in range(e.first[card] - first, e.first[card + 1] - first):
            values[n] = LEAST_WEIGHT + exponential((values[n] - best) / m.heuristic_temperature)
            e.weight[card] += values[n]
        if later >> card & 1:
            e.later_weight += e.weight[card]
            e.later_ways += e.first[card + 1] - e.first[card]
    e.chosen_weight = values[e.chosen - first]
    for other in range(40):
        change = prospect_value(&chosen, later | card_bit(other)) - value
        change /= m.heuristic_temperature
        e.beside[other] = 1 / exponential(-min(change, MOST_CHANGE))
    return True


cdef double _by_values(
    const Model *m, const Way *ways, const Evidence *e, cardset hand
) noexcept nogil:
    """The chance of the way that was taken, by a softmax of the learned values."""
    cdef double values[MAX_WAYS]
    cdef double total
    cdef cardset left = hand
    cdef int j, card, n = 0, chosen = 0
    while left:
        card = bits_low(left)
        left &= left - 1
        for j in range(e.first[card], e.first[card + 1]):
            if n == MAX_WAYS:
                break
            values[n] = ways[j].scored
            if not e.plain:
                values[n] += after_value(
                    m.nets, e.round, &ways[j].layer, hand & ~card_bit(card))
            if j == e.chosen:
                chosen = n
            n += 1
    total = softmax(values, n, m.temperature)
    return values[chosen] / total


cdef void evidence_judge(
    const Model *m, const Way *ways, const Evidence *e, cardset hidden, double *likely
) noexcept nogil:
    """Multiply how likely a hand makes an action, for each style.

    ``hidden``: the cards of the hand that the seat has not shown since.
    """
    cdef double others = e.later_weight - e.chosen_weight, taken = e.chosen_weight, floor
    cdef cardset left = hidden
    cdef int card, n = e.later_ways
    while left:
        card = bits_low(left)
        left &= left - 1
        n += e.first[card + 1] - e.first[card]
        others += e.weight[card]
        taken *= e.beside[card]
    floor = m.lapse / n
    if m.nets != NULL:
        likely[STYLE_VALUE] *= (1 - m.lapse) * _by_values(m, ways, e, hidden | e.later) + floor
    likely[STYLE_HEURISTIC] *= (1 - m.lapse) * taken / (others + taken) + floor
    likely[STYLE_UNIFORM] *= 1.0 / n
