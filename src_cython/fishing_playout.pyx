"""Uniformly random play: where playouts, and with them a search, spend their time."""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

from cirulla_ai._core.actions cimport pass_code
from cirulla_ai._core.cards cimport (
    DECK, bits_count, bits_deposit, bits_low, bits_select, cardset,
)
from cirulla_ai._core.fishing cimport (
    MAX_ROUNDS, PHASE_CLAIM, PHASE_DONE, PHASE_PLAY, FishingRules, FishingState, by_value,
    captures_of, count_ways, end_by_cappotto, end_of_hands, fishing_apply, four_of, is_small,
    next_seat, play_card, playable, side_of, value_in, way_code, ways_of, wins,
)
from cirulla_ai._core.fishing_captures cimport SMALL_TABLE, padded, ways_of_four
from cirulla_ai._core.fishing_claims cimport add_claims, claim_possible
from cirulla_ai._core.fishing_scoring cimport fishing_outcome
from cirulla_ai._core.game cimport Actions, Outcome
from cirulla_ai._core.rng cimport Rng, rng_below


cdef void random_turn(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *scratch
) noexcept nogil:
    """One uniformly random legal action of a seat whose cards are all known."""
    cdef cardset hand, captured = 0, table = by_value(r, s) if is_small(s.table) else 0
    # The hand in parts: where plays are looked up four cards each, else single ones.
    cdef cardset part[20]
    cdef int64_t ways[20]
    cdef int64_t pick, total
    cdef int i, card, n = 0
    cdef bint claims_only, lookup = is_small(s.table)
    scratch.n = 0
    claims_only = add_claims(r, s, scratch)
    total = scratch.n
    if claims_only or s.phase == PHASE_CLAIM:
        pick = rng_below(rng, <uint32_t>(total + (not claims_only)))
        fishing_apply(r, s, scratch.data[pick] if pick < total else pass_code())
        return
    hand = playable(r, s)
    while hand:
        if lookup:
            part[n] = four_of(hand)
            ways[n] = bits_count(ways_of(r, s, table, part[n]))
        else:
            part[n] = hand & -hand
            ways[n] = count_ways(r, s, bits_low(hand))
        hand ^= part[n]
        total += ways[n]
        n += 1
    pick = rng_below(rng, <uint32_t>total)
    if pick < scratch.n:
        fishing_apply(r, s, scratch.data[pick])
        return
    pick -= scratch.n
    i = 0
    while pick >= ways[i]:
        pick -= ways[i]
        i += 1
    if lookup:
        fishing_apply(r, s, way_code(
            r, s, table, part[i], bits_select(ways_of(r, s, table, part[i]), <int>pick)))
        return
    card = bits_low(part[i])
    # The last way is to lay the card, where that is allowed.
    captures_of(r, s, value_in(r, s, card), pick, &captured, 1)
    play_card(r, s, card, captured)


cdef int plain_turns(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *claims, int limit, int round
) noexcept nogil:
    """Uniformly random turns of a whole truth for as long as they are plain; their number.

    They end with a round.

    Nearly all turns are: no claim has to be made, and there are four cards or fewer to
    play and on the table, none of them a declared matta.  Then a play is a bit of one
    64-bit word, and all is done without a branch that depends on chance.  What is on the
    path from one turn's table to the next one's is kept short; the rest is done by the side.
    """
    cdef cardset table = padded(s.table), hand, shown, captured, bit, mine
    cdef uint64_t ways, way
    cdef uint32_t n_ways, n_claims, pick
    cdef int64_t lays
    cdef int turn = s.turn, last = s.last, side, played = 0
    cdef bint dealer_out, last_counts = r.last_scopa or s.at < s.end
    if s.phase != PHASE_PLAY:
        return 0
    while played < limit:
        hand = s.hand[turn]
        shown = hand & s.shown
        n_claims = 0
        if (
            bits_count(table) > bits_count(padded(0)) + SMALL_TABLE
            or bits_count(hand) > 4
            or shown and shown != hand
            or s.declared and (hand | table) & r.matta_bit
        ):
            break
        if r.claims_on_turn and bits_count(hand) >= 3 and claim_possible(r, hand & ~shown):
            s.turn = <int8_t>turn
            claims.n = 0
            if add_claims(r, s, claims):
                break
            n_claims = <uint32_t>claims.n
        ways = ways_of_four(&r.captures, table, padded(hand))
        n_ways = bits_count(ways)
        if n_claims:
            pick = rng_below(rng, n_ways + n_claims)
            if pick >= n_ways:
                fishing_apply(r, s, claims.data[pick - n_ways])
                played += 1
                continue
        else:
            pick = rng_below(rng, n_ways)
        way = bits_select(ways, pick)
        captured = bits_deposit(way & 15, table)
        bit = bits_deposit(<uint64_t>1 << (way >> 4), hand)
        # As in play_card, with all that is known here.
        lays = (<int64_t>(way & 15) - 1) >> 63
        table ^= captured ^ (bit & lays)
        mine = captured | (bit & ~lays)
        side = side_of(r, turn)
        last = side ^ ((side ^ last) & <int>lays)
        dealer_out = (turn == s.dealer) & (hand == bit)
        s.scopa[side] += (table == padded(0)) & (last_counts | (not dealer_out))
        s.hand[turn] = hand ^ bit
        s.shown &= ~bit
        s.taken[side] |= mine
        played += 1
        if dealer_out | wins(r, s.taken[side], mine):
            s.last = <int8_t>last
            s.table = table & DECK
            if wins(r, s.taken[side], mine):
                end_by_cappotto(s, side)
                return played
            end_of_hands(r, s)
            if s.phase != PHASE_PLAY or s.round > round:
                return played
            table = padded(s.table)
            last_counts = r.last_scopa or s.at < s.end
        turn = next_seat(r, turn)
    s.last = <int8_t>last
    s.table = table & DECK
    s.turn = <int8_t>turn
    return played


cdef int random_turns(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *scratch, int limit, int round
) noexcept nogil:
    """Uniformly random actions from a whole truth; their number.

    Up to ``limit``, and not beyond the end of a ``round``.
    """
    cdef int played = plain_turns(r, s, rng, scratch, limit, round)
    while s.phase != PHASE_DONE and s.round <= round and played < limit:
        random_turn(r, s, rng, scratch)
        played += 1
        if s.round <= round:
            played += plain_turns(r, s, rng, scratch, limit - played, round)
    return played


cdef int fishing_finish(
    const void *rules, void *aid, void *state, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil:
    """Random play to the end of the smazzata, and what it came to."""
    cdef const FishingRules *r = <const FishingRules *>rules
    cdef FishingState *s = <FishingState *>state
    cdef int played = random_turns(r, s, rng, scratch, 1 << 30, MAX_ROUNDS)
    fishing_outcome(r, s, out)
    return played
