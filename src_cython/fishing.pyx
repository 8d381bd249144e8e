"""The fishing family: legal actions, dealing, turns, views.

All is C over plain structs, without the interpreter lock; fishing_position.pyx has the classes
for Python.  Section numbers in the comments are those of the rules in docs/rules.md.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, action_t, code_card, code_cards, code_kind, code_value, deal_code,
    pass_code, play_code,
)
from cirulla_ai._core.cards cimport (
    ACES, DECK, bits_count, bits_low, card_bit, card_value, cardset,
)
from cirulla_ai._core.fishing_captures cimport capture_sets
from cirulla_ai._core.fishing_claims cimport add_claims, claim_points, contested_claim
from cirulla_ai._core.game cimport EVENT_DEAL, EVENT_NONE, Actions, Game, actions_add
from cirulla_ai._core.rng cimport Rng, rng_shuffle

# The forty cards in order.
cdef uint8_t PACK[40]
PACK[:] = list(range(40))


# --- legal actions (3.2) ------------------------------------------------------------

cdef int64_t captures_of(
    const FishingRules *r, const FishingState *s, int value, int64_t skip,
    cardset *out, int64_t room,
) noexcept nogil:
    return capture_sets(&r.captures.rules, s.table, r.matta if s.declared else -1, s.declared,
                        value, skip, out, room)


cdef int64_t count_ways(const FishingRules *r, const FishingState *s, int card) noexcept nogil:
    """The number of ways to play a card, by search."""
    cdef int64_t n = captures_of(r, s, value_in(r, s, card), 0, NULL, 0)
    return n + (n == 0 or not r.captures.rules.must_capture)


cdef void plays(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil:
    cdef cardset hand = playable(r, s), four, table
    cdef uint64_t ways
    cdef int card
    cdef int64_t n, i, done
    cdef cardset sets[64]
    if is_small(s.table):
        table = by_value(r, s)
        while hand:
            four = four_of(hand)
            hand ^= four
            ways = ways_of(r, s, table, four)
            while ways:
                actions_add(out, way_code(r, s, table, four, bits_low(ways)))
                ways &= ways - 1
        return
    while hand:
        card = bits_low(hand)
        hand &= hand - 1
        done = 0
        while True:
            n = captures_of(r, s, value_in(r, s, card), done, sets, 64)
            if done == 0 and (n == 0 or not r.captures.rules.must_capture):
                actions_add(out, play_code(card, 0))
            for i in range(min(n - done, 64)):
                actions_add(out, play_code(card, sets[i]))
            done += 64
            if done >= n:
                break


cdef void fishing_legal(
    const FishingRules *r, const FishingState *s, Actions *out
) noexcept nogil:
    """All actions of the seat to move, once each, in a fixed order."""
    out.n = 0
    if s.phase >= PHASE_DEAL:
        return
    if add_claims(r, s, out):
        return
    if s.phase == PHASE_CLAIM:
        actions_add(out, pass_code())
    else:
        plays(r, s, out)


cdef int64_t count_legal(
    const FishingRules *r, const FishingState *s, Actions *scratch
) noexcept nogil:
    """The number of legal actions, without listing the plays."""
    cdef cardset hand, four, table
    cdef int64_t n
    if s.phase >= PHASE_DEAL:
        return 0
    scratch.n = 0
    if add_claims(r, s, scratch):
        return scratch.n
    if s.phase == PHASE_CLAIM:
        return scratch.n + 1
    n = scratch.n
    hand = playable(r, s)
    if is_small(s.table):
        table = by_value(r, s)
        while hand:
            four = four_of(hand)
            hand ^= four
            n += bits_count(ways_of(r, s, table, four))
        return n
    while hand:
        n += count_ways(r, s, bits_low(hand))
        hand &= hand - 1
    return n


# --- dealing (3.1) ------------------------------------------------------------------

cdef void deal_hands(const FishingRules *r, FishingState *s) noexcept nogil:
    """One card at a time to each seat, from the seat after the dealer."""
    cdef int n = r.players * r.rounds[s.round - 1]
    cdef int i, at, seat = s.dealer
    cdef cardset hand
    for i in range(r.players):
        seat = next_seat(r, seat)
        hand = 0
        at = i
        while at < n:
            hand |= card_bit(s.stock[s.at + at])
            at += r.players
        s.hand[seat] = hand
    s.at += <uint8_t>n


cdef void start_round(const FishingRules *r, FishingState *s) noexcept nogil:
    cdef int i
    for i in range(4):
        s.claimed[i] = 0
    s.shown = 0
    s.turn = <signed char>next_seat(r, s.dealer)
    s.phase = PHASE_CLAIM if r.claim_round and r.claim != CLAIM_NO else PHASE_PLAY


cdef void next_round(const FishingRules *r, FishingState *s) noexcept nogil:
    """Deal the next round of a whole truth."""
    s.round += 1
    if r.matta_memory != MATTA_CAPTURED:
        s.declared = 0
    deal_hands(r, s)
    start_round(r, s)


cdef bint is_misdeal(const FishingRules *r, cardset table) noexcept nogil:
    cdef int rank
    if r.misdeal_aces and bits_count(table & ACES) >= r.misdeal_aces:
        return True
    if r.misdeal_three:
        for rank in range(10):
            if bits_count(table >> (4 * rank) & 15) >= 3:
                return True
    return False


cdef bint is_table_four(const FishingRules *r, cardset table) noexcept nogil:
    cdef int rank, n
    if r.table_four == FOUR_NO:
        return False
    for rank in range(10):
        n = bits_count(table >> (4 * rank) & 15)
        if n == 4:
            return True
        if n == 3 and r.table_four == FOUR_WIN and table & r.matta_bit & ~(
            <cardset>15 << (4 * rank)
        ):
            return True
    return False


cdef int bonus_for(const FishingRules *r, int total) noexcept nogil:
    cdef int bonus = 0
    if total == 15:
        bonus = r.bonus_15
    if total == 30:
        bonus = r.bonus_30
    if total <= 9 and r.bonus_9 > bonus:
        bonus = r.bonus_9
    return bonus


cdef int dealer_bonus(const FishingRules *r, cardset table) noexcept nogil:
    cdef int total = 0, v, best, points
    cdef cardset left = table
    if table == 0:
        return 0
    while left:
        total += card_value(bits_low(left))
        left &= left - 1
    best = bonus_for(r, total)
    if r.matta_table and table & r.matta_bit:
        total -= card_value(r.matta)
        for v in range(1, 11):
            points = bonus_for(r, total + v)
            best = points if points > best else best
    return best


cdef int fishing_deal(const FishingRules *r, FishingState *s) noexcept nogil:
    """Deal the first round from the pack in ``s.stock``; returns a DEAL_ outcome.

    Of the state only ``dealer``, ``scores``, ``misdeals`` and ``stock`` are read.  After a
    misdeal nothing but those may be used.
    """
    cdef int i, bonus, side
    cdef bint misdeal
    for i in range(4):
        s.hand[i] = 0
        s.unknown[i] = 0
    for i in range(3):
        s.taken[i] = 0
        s.scopa[i] = 0
    s.table = 0
    s.at = 0
    s.end = 40
    s.round = 1
    s.declared = 0
    s.last = -1
    s.won = -1
    s.viewer = -1
    deal_hands(r, s)
    for i in range(r.table_size):
        s.table |= card_bit(s.stock[s.at + i])
    s.at += <uint8_t>r.table_size
    start_round(r, s)
    side = side_of(r, s.dealer)
    if is_table_four(r, s.table):
        s.won = <signed char>side
        s.phase = PHASE_DONE
        s.turn = -1
        return DEAL_WIN
    bonus = dealer_bonus(r, s.table)
    misdeal = is_misdeal(r, s.table)
    if misdeal and (r.misdeal_first or bonus == 0):
        if r.misdeal_loss and s.misdeals + 1 >= r.misdeal_loss:
            s.won = <signed char>(1 - side)
            s.phase = PHASE_DONE
            s.turn = -1
            return DEAL_LOSS
        return DEAL_MISDEAL
    if bonus:
        s.scopa[side] = bonus
        s.taken[side] = s.table
        s.last = <signed char>side
        s.table = 0
    return DEAL_PLAY


cdef void fishing_deal_random(
    const FishingRules *r, FishingState *s, Rng *rng
) noexcept nogil:
    """Shuffle and deal, again after each misdeal (counted)."""
    memcpy(s.stock, PACK, 40)
    while True:
        rng_shuffle(rng, s.stock, 40)
        if fishing_deal(r, s) != DEAL_MISDEAL:
            return
        s.misdeals += 1


# --- playing an action --------------------------------------------------------------

cdef inline bint take(
    const FishingRules *r, FishingState *s, int side, cardset cards
) noexcept nogil:
    """Put cards among a side's taken ones; True where that wins by cappotto."""
    s.taken[side] |= cards
    # Chance says which cards these are: a mask, not a branch.
    s.declared &= <int8_t>-<int>((cards & r.matta_bit) == 0)
    if wins(r, s.taken[side], cards):
        end_by_cappotto(s, side)
        return True
    return False


cdef int end_of_hands(const FishingRules *r, FishingState *s) noexcept nogil:
    """All hands are empty: the next round, or the end (3.4)."""
    cdef cardset left
    if s.at < s.end:
        if s.viewer >= 0:
            s.phase = PHASE_DEAL
            s.turn = <signed char>next_seat(r, s.dealer)
            return EVENT_DEAL
        next_round(r, s)
        return EVENT_DEAL
    left = s.table
    if left and s.last >= 0:
        s.table = 0
        if take(r, s, s.last, left):
            return EVENT_NONE
    s.phase = PHASE_DONE
    s.turn = -1
    return EVENT_NONE


cdef inline void drop_card(FishingState *s, int seat, cardset bit) noexcept nogil:
    """Take a card out of a hand; in a view it may have been one of the unknown."""
    if s.hand[seat] & bit:
        s.hand[seat] &= ~bit
        s.shown &= ~bit
    else:
        s.unknown[seat] -= 1


cdef int play_card(
    const FishingRules *r, FishingState *s, int card, cardset captured
) noexcept nogil:
    cdef int seat = s.turn
    cdef int side = side_of(r, seat)
    cdef cardset bit = card_bit(card), mine
    # All ones where the card is just laid, 0 where it captures: a coin's toss to the
    # processor, so masks, not a branch.
    cdef int64_t lays = -<int64_t>(captured == 0)
    cdef bint dealer_out
    drop_card(s, seat, bit)
    # The dealer plays last: with its last card all hands are empty.
    dealer_out = seat == s.dealer and hand_count(s, seat) == 0
    s.table ^= captured ^ (bit & lays)
    mine = captured | (bit & ~lays)
    s.last = <int8_t>(side ^ ((side ^ s.last) & <int>lays))
    s.scopa[side] += (s.table == 0) & (not dealer_out or s.at < s.end or r.last_scopa)
    if take(r, s, side, mine):
        return EVENT_NONE
    if dealer_out:
        return end_of_hands(r, s)
    s.turn = <signed char>next_seat(r, seat)
    return EVENT_NONE


cdef int fishing_apply(const FishingRules *r, FishingState *s, action_t a) noexcept nogil:
    """Play a legal action; returns an EVENT_ code."""
    cdef int kind = code_kind(a)
    cdef int seat = s.turn
    cdef int best
    cdef cardset cards = code_cards(a)
    if kind == KIND_PLAY:
        return play_card(r, s, code_card(a), cards)
    if kind == KIND_CLAIM:
        if cards & ~s.hand[seat]:
            # A view learns of cards that it did not know.
            s.unknown[seat] -= bits_count(cards & ~s.hand[seat])
            s.hand[seat] |= cards
        s.shown |= cards
        s.claimed[seat] += 1
        if not r.claim_best:
            s.scopa[side_of(r, seat)] += claim_points(r, cards, code_value(a))
        if cards & r.matta_bit and (r.claim_round or r.matta_memory != MATTA_NO):
            s.declared = <signed char>code_value(a)
    if s.phase == PHASE_CLAIM:
        if seat != s.dealer:
            s.turn = <signed char>next_seat(r, seat)
        else:
            if r.claim_best:
                best = contested_claim(r, s)
                if best >= 0:
                    s.scopa[side_of(r, best)] += claim_points(
                        r, s.hand[best] & s.shown, s.declared)
            if r.matta_memory == MATTA_NO:
                s.declared = 0
            s.phase = PHASE_PLAY
            s.turn = <signed char>next_seat(r, s.dealer)
    return EVENT_NONE


# --- views (5) ----------------------------------------------------------------------

cdef cardset unseen_cards(const FishingState *s) noexcept nogil:
    cdef cardset seen = s.table
    cdef int i
    for i in range(4):
        seen |= s.hand[i]
    for i in range(3):
        seen |= s.taken[i]
    return DECK & ~seen


cdef void hide(const FishingRules *r, FishingState *s, int viewer) noexcept nogil:
    """Make a whole truth what one seat knows of it."""
    cdef int i
    cdef cardset known
    for i in range(r.players):
        if i != viewer:
            known = s.hand[i] & s.shown
            s.unknown[i] = <uint8_t>bits_count(s.hand[i] & ~known)
            s.hand[i] = known
    memset(s.stock, 0, 40)
    s.end = s.end - s.at
    s.at = 0
    s.viewer = <signed char>viewer


cdef void view_deal(const FishingRules *r, FishingState *s, cardset hand) noexcept nogil:
    """The next round as the viewer sees it dealt."""
    cdef int i, n
    s.round += 1
    n = r.rounds[s.round - 1]
    for i in range(r.players):
        s.hand[i] = hand if i == s.viewer else 0
        s.unknown[i] = 0 if i == s.viewer else <uint8_t>n
    s.at += <uint8_t>(n * r.players)
    if r.matta_memory != MATTA_CAPTURED:
        s.declared = 0
    start_round(r, s)


cdef int64_t fishing_perft(
    const FishingRules *r, const FishingState *s, int depth, Actions *levels, const bint *stop
) noexcept nogil:
    """As ``perft`` of the contract says; here no call goes through a pointer."""
    cdef FishingState child
    cdef Actions *list = levels + depth - 1
    cdef int64_t total = 0, n, i
    if s.phase == PHASE_DONE:
        return 0
    if s.viewer >= 0 and (s.phase == PHASE_DEAL or s.turn != s.viewer):
        return -1
    if depth == 1:
        return count_legal(r, s, list)
    fishing_legal(r, s, list)
    if list.failed:
        return -2
    for i in range(list.n):
        if stop[0]:
            return -3
        memcpy(&child, s, sizeof(FishingState))
        fishing_apply(r, &child, list.data[i])
        n = fishing_perft(r, &child, depth - 1, levels, stop)
        if n < 0:
            return n
        total += n
    return total


# --- the game contract --------------------------------------------------------------

cdef int _game_turn(const void *s) noexcept nogil:
    return (<const FishingState *>s).turn


cdef int _game_side(const void *r, int seat) noexcept nogil:
    return side_of(<const FishingRules *>r, seat)


cdef void _game_legal(const void *r, const void *s, Actions *out) noexcept nogil:
    fishing_legal(<const FishingRules *>r, <const FishingState *>s, out)


cdef int64_t _game_count(const void *r, const void *s, Actions *scratch) noexcept nogil:
    return count_legal(<const FishingRules *>r, <const FishingState *>s, scratch)


cdef int64_t _game_perft(
    const void *r, const void *s, int depth, Actions *levels, const bint *stop
) noexcept nogil:
    return fishing_perft(<const FishingRules *>r, <const FishingState *>s, depth, levels, stop)


cdef int _game_apply(const void *r, void *s, action_t a) noexcept nogil:
    return fishing_apply(<const FishingRules *>r, <FishingState *>s, a)


cdef action_t _game_seen(const void *s, int seat, action_t a) noexcept nogil:
    # All actions are open.
    return a


cdef cardset _game_hand(const void *s, int seat) noexcept nogil:
    return (<const FishingState *>s).hand[seat]


cdef action_t _game_dealt(const void *s, int seat) noexcept nogil:
    return deal_code((<const FishingState *>s).hand[seat])


cdef void fishing_game(const FishingRules *r, Game *g) noexcept nogil:
    """Fill the contract, all but ``finish`` and, which belongs to an information set, ``draw``."""
    g.rules = r
    g.state_size = sizeof(FishingState)
    g.sides = r.sides
    g.target = r.target
    g.fewest = False
    g.turn = _game_turn
    g.side = _game_side
    g.legal = _game_legal
    g.count = _game_count
    g.perft = _game_perft
    g.apply = _game_apply
    g.seen = _game_seen
    g.hand = _game_hand
    g.dealt = _game_dealt
    g.aid = NULL
    g.known = NULL
    g.likelihood = NULL
