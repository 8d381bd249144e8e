"""The fishing family: dealing, claims, turns, scoring, random play, perft.

All is C over plain structs, without the interpreter lock; fishing_position.pyx has the classes for
Python.  Section numbers in the comments are those of the rules in docs/rules.md.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, claim_code, code_card, code_cards, code_kind, code_value,
    deal_code, pass_code, play_code,
)
from cirulla_ai._core.cards cimport (
    ACES, DECK, DIAMONDS, ROYAL, bits_count, bits_deposit, bits_extract, bits_low, bits_select,
    card_bit, cardset, suit_set,
)
from cirulla_ai._core.fishing_captures cimport (
    SMALL_TABLE, capture_sets, padded, row_place, ways_of_four,
)
from cirulla_ai._core.game cimport (
    EVENT_DEAL, EVENT_NONE, Actions, Outcome, action_t, actions_add,
)
from cirulla_ai._core.rng cimport Rng, rng_below, rng_shuffle

# The forty cards in order.
cdef uint8_t PACK[40]
PACK[:] = list(range(40))

# Prime of a suit by its ten cards as bits, A lowest; 0 where the suit is missing.
cdef uint8_t PRIME[1024]


cdef void _build_primes() noexcept nogil:
    cdef int cards, r, best
    cdef int points[10]
    points[:] = [16, 12, 13, 14, 15, 18, 21, 10, 10, 10]
    for cards in range(1024):
        best = 0
        for r in range(10):
            if cards >> r & 1 and points[r] > best:
                best = points[r]
        PRIME[cards] = <uint8_t>best


_build_primes()


# --- small questions about a state --------------------------------------------------

cdef inline int value_in(const FishingRules *r, const FishingState *s, int card) noexcept nogil:
    """Effective value of a card in hand or on the table."""
    if s.declared and card == r.matta:
        return s.declared
    return (card >> 2) + 1


cdef inline cardset playable(const FishingRules *r, const FishingState *s) noexcept nogil:
    """The cards that the seat to move may play: shown ones first where that is the rule."""
    cdef cardset hand = s.hand[s.turn]
    cdef cardset shown = hand & s.shown
    return shown if shown and not r.claim_free else hand


# --- claims (3.3) -------------------------------------------------------------------

cdef int claim_points(
    const FishingRules *r, cardset cards, int declared
) noexcept nogil:
    """Points of showing these three cards with the matta, if among them, at ``declared``."""
    cdef int v[3]
    cdef int i, card, points = 0
    cdef cardset left = cards
    for i in range(3):
        card = bits_low(left)
        left &= left - 1
        v[i] = declared if card == r.matta and declared else (card >> 2) + 1
    if v[0] == v[1] == v[2]:
        points = r.claim_three[v[0]]
    if v[0] + v[1] + v[2] <= 9 and r.claim_low > points:
        points = r.claim_low
    if cards == ROYAL and r.claim_royal > points:
        points = r.claim_royal
    return points


cdef inline bint claim_possible(const FishingRules *r, cardset cards) noexcept nogil:
    """A quick look at any number of cards: False where no claim can be among them."""
    cdef cardset others = cards & ~r.matta_bit
    cdef bint wild = others != cards
    cdef cardset left = padded(others), odd, both, either, equal
    cdef int total
    total = bits_low(left) >> 2
    left &= left - 1
    total += bits_low(left) >> 2
    left &= left - 1
    # The matta may stand for an ace, of rank 0.
    total += (bits_low(left) >> 2) & -<int>(not wild)
    # Of each pair of suits of a rank: both, or at least one.
    odd = others >> 1
    both = others & odd & <cardset>0x5555555555
    either = (others | odd) & <cardset>0x5555555555
    equal = both & either >> 2 | either & both >> 2
    # With the matta two are enough.
    equal |= either & either >> 2 & -<int64_t>wild
    equal = equal & <cardset>0x1111111111 | both & -<int64_t>wild
    return (total <= 6) | (equal != 0) | ((cards & ROYAL) == ROYAL)


cdef inline int offer_claim(
    const FishingRules *r, cardset cards, int declared, int least, Actions *out
) noexcept nogil:
    cdef int points = claim_points(r, cards, declared)
    if out != NULL and points >= least:
        actions_add(out, claim_code(cards, declared))
    return points


cdef int scan_claims(
    const FishingRules *r, cardset cards, int least, Actions *out
) noexcept nogil:
    """The most points of a claim from these cards, 0 where there is none.

    All claims of at least ``least`` points are added to ``out``, if not NULL.
    """
    cdef int place[40]
    cdef int value[40]
    cdef int n = 0, i, j, k, v, points, best = 0
    cdef cardset left = cards & ~r.matta_bit, two
    cdef bint wild = left != cards
    if not claim_possible(r, cards):
        return 0
    while left:
        place[n] = bits_low(left)
        value[n] = (place[n] >> 2) + 1
        left &= left - 1
        n += 1
    # Cards are in order of value: once three are neither low nor equal, no later third is.
    for i in range(n):
        for j in range(i + 1, n):
            if value[i] != value[j] and value[i] + value[j] > 8:
                break
            two = card_bit(place[i]) | card_bit(place[j])
            for k in range(j + 1, n):
                if value[i] != value[k] and value[i] + value[j] + value[k] > 9:
                    break
                points = offer_claim(r, two | card_bit(place[k]), 0, least, out)
                best = points if points > best else best
            if wild:
                for v in range(1, 10 - value[i] - value[j]):
                    points = offer_claim(r, two | r.matta_bit, v, least, out)
                    best = points if points > best else best
                if value[i] == value[j] and value[i] > 3:
                    points = offer_claim(r, two | r.matta_bit, value[i], least, out)
                    best = points if points > best else best
    if (cards & ROYAL) == ROYAL:
        # Where the matta is one of the three, at any value.
        v = 1 if ROYAL & r.matta_bit else 0
        while v <= (10 if ROYAL & r.matta_bit else 0):
            points = offer_claim(r, ROYAL, v, least, out)
            best = points if points > best else best
            v += 1
    return best


cdef int best_claim(const FishingRules *r, cardset cards) noexcept nogil:
    """The most points that one claim from these cards scores; 0: there is none."""
    return scan_claims(r, cards, 0, NULL)


cdef inline cardset claim_candidates(
    const FishingRules *r, const FishingState *s
) noexcept nogil:
    return s.hand[s.turn] & ~s.shown


cdef bint list_claims(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil:
    cdef cardset candidates = claim_candidates(r, s)
    cdef int best
    if r.claim != CLAIM_MANDATORY:
        scan_claims(r, candidates, 1, out)
        return False
    best = best_claim(r, candidates)
    if best == 0:
        return False
    scan_claims(r, candidates, best, out)
    return True


cdef inline bint add_claims(
    const FishingRules *r, const FishingState *s, Actions *out
) noexcept nogil:
    """Add the claims of the seat to move; whether it has to make one of them."""
    return may_claim(r, s) and list_claims(r, s, out)


cdef int contested_claim(const FishingRules *r, const FishingState *s) noexcept nogil:
    """The seat whose claim is the best of the round (``claim_best``), or -1."""
    cdef int _turn, j, seat, card, total, best = -1
    cdef int rank, best_rank = 0
    cdef int v[3]
    cdef cardset cards, left
    seat = s.dealer
    for _turn in range(r.players):
        seat = next_seat(r, seat)
        cards = s.hand[seat] & s.shown
        if bits_count(cards) != 3:
            continue
        left = cards
        for j in range(3):
            card = bits_low(left)
            left &= left - 1
            v[j] = value_in(r, s, card)
        total = v[0] + v[1] + v[2]
        # Three equal (and the royal, which counts so) before low, then the lower sum.
        rank = total if v[0] == v[1] == v[2] or cards == ROYAL else 100 + total
        if best < 0 or rank < best_rank:
            best = seat
            best_rank = rank
    return best


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


cdef inline bint is_small(cardset table) noexcept nogil:
    return bits_count(table) <= SMALL_TABLE


cdef inline cardset by_value(const FishingRules *r, const FishingState *s) noexcept nogil:
    """A small table with a declared matta moved to a free place of its declared value.

    There is one: the matta itself is one of the four cards.
    """
    cdef cardset others = s.table & ~r.matta_bit, place
    if not s.declared or others == s.table:
        return s.table
    place = card_bit(4 * (s.declared - 1))
    while place & others:
        place <<= 1
    return others | place


cdef inline cardset by_name(
    const FishingRules *r, const FishingState *s, cardset captured
) noexcept nogil:
    """Cards captured from ``by_value``'s table, as the cards they are."""
    cdef cardset others = s.table & ~r.matta_bit
    if not s.declared or not captured & ~others:
        return captured
    return captured & others | r.matta_bit


cdef inline cardset four_of(cardset hand) noexcept nogil:
    """The four lowest cards, or all."""
    cdef cardset others = hand & (hand - 1)
    others &= others - 1
    others &= others - 1
    return hand ^ (others & (others - 1))


cdef inline uint64_t ways_of(
    const FishingRules *r, const FishingState *s, cardset table, cardset four
) noexcept nogil:
    """``ways_of_four`` for ``by_value``'s table and cards that may be a declared matta."""
    cdef uint64_t ways = ways_of_four(&r.captures, padded(table), padded(four)), word
    cdef int at
    if s.declared and four & r.matta_bit:
        at = 16 * bits_count(four & (r.matta_bit - 1))
        word = r.captures.subsets[row_place(padded(table)) + s.declared - 1]
        ways = ways & ~(<uint64_t>0xFFFF << at) | word << at
    return ways


cdef inline action_t way_code(
    const FishingRules *r, const FishingState *s, cardset table, cardset four, int way
) noexcept nogil:
    """The play of a bit of ``ways_of``."""
    return play_code(
        bits_select(four, way >> 4), by_name(r, s, bits_deposit(way & 15, table)))


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
        total += (bits_low(left) >> 2) + 1
        left &= left - 1
    best = bonus_for(r, total)
    if r.matta_table and table & r.matta_bit:
        total -= (r.matta >> 2) + 1
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

cdef void end_by_cappotto(FishingState *s, int side) noexcept nogil:
    s.won = <int8_t>side
    s.phase = PHASE_DONE
    s.turn = -1


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


cdef inline int play_card(
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


# --- scoring (3.4.3) ----------------------------------------------------------------

cdef inline bint has_most(const int *of, int side) noexcept nogil:
    """Whether a side has strictly more than each of the others; of absent ones, -1."""
    cdef int left = side - 1 if side > 0 else 2
    cdef int right = side + 1 if side < 2 else 0
    return (of[side] > of[left]) & (of[side] > of[right])


cdef inline int prime(cardset taken) noexcept nogil:
    cdef int h, d, c, k
    h = PRIME[bits_extract(taken, suit_set(0))]
    d = PRIME[bits_extract(taken, suit_set(1))]
    c = PRIME[bits_extract(taken, suit_set(2))]
    k = PRIME[bits_extract(taken, suit_set(3))]
    return (h + d + c + k) & -<int>((h != 0) & (d != 0) & (c != 0) & (k != 0))


cdef void fishing_items(
    const FishingRules *r, const FishingState *s, int *items
) noexcept nogil:
    """What each side's points are made of: ``items[side * N_ITEMS + item]``."""
    cdef int side
    cdef int n_cards[3]
    cdef int n_diamonds[3]
    cdef int primes[3]
    cdef uint64_t diamonds
    cdef int *row
    n_cards[2] = -1
    n_diamonds[2] = -1
    primes[2] = -1
    for side in range(r.sides):
        n_cards[side] = bits_count(s.taken[side])
        n_diamonds[side] = bits_count(s.taken[side] & DIAMONDS)
        primes[side] = prime(s.taken[side])
    for side in range(r.sides):
        row = items + side * N_ITEMS
        diamonds = bits_extract(s.taken[side], DIAMONDS)
        row[ITEM_SCOPA] = s.scopa[side]
        row[ITEM_CARDS] = r.points_cards & -<int>has_most(n_cards, side)
        row[ITEM_DIAMONDS] = r.points_diamonds & -<int>has_most(n_diamonds, side)
        row[ITEM_SETTEBELLO] = r.points_settebello & -<int>(diamonds >> 6 & 1)
        row[ITEM_PRIMIERA] = r.points_primiera & -<int>has_most(primes, side)
        row[ITEM_PICCOLA] = r.piccola[diamonds]
        row[ITEM_GRANDE] = r.grande[diamonds]
        row[ITEM_CAPPOTTO] = r.cappotto if diamonds == 1023 and r.cappotto > 0 else 0


cdef void fishing_totals(
    const FishingRules *r, const FishingState *s, int *totals
) noexcept nogil:
    cdef int items[3 * N_ITEMS]
    cdef int side, i
    fishing_items(r, s, items)
    for side in range(r.sides):
        totals[side] = 0
        for i in range(N_ITEMS):
            totals[side] += items[side * N_ITEMS + i]


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


# --- random play --------------------------------------------------------------------

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


cdef int fishing_playout(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *scratch
) noexcept nogil:
    """Uniformly random play to the end of the smazzata; the number of actions."""
    return random_turns(r, s, rng, scratch, 1 << 30, MAX_ROUNDS)


# --- perft --------------------------------------------------------------------------

cdef int64_t fishing_perft(
    const FishingRules *r, const FishingState *s, int depth, Actions *levels,
    const bint *stop,
) noexcept nogil:
    """Sequences of exactly ``depth`` actions; -1 where a hidden card would be needed."""
    cdef FishingState child
    cdef Actions *list = levels + depth
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


cdef int _game_apply(const void *r, void *s, action_t a) noexcept nogil:
    return fishing_apply(<const FishingRules *>r, <FishingState *>s, a)


cdef action_t _game_seen(const void *s, int seat, action_t a) noexcept nogil:
    # All actions are open.
    return a


cdef action_t _game_dealt(const void *s, int seat) noexcept nogil:
    return deal_code((<const FishingState *>s).hand[seat])


cdef void fishing_outcome(
    const FishingRules *r, const FishingState *s, Outcome *out
) noexcept nogil:
    """What a finished smazzata came to; the match won outright counts as the target."""
    cdef int totals[3]
    cdef int side
    fishing_totals(r, s, totals)
    for side in range(r.sides):
        out.points[side] = totals[side]
        out.scores[side] = s.scores[side] + totals[side]
        if s.won >= 0:
            out.points[side] = r.target if side == s.won else 0
    out.won = s.won
    out.left = 0
    out.dealer = side_of(r, s.dealer)


cdef int _game_finish(
    const void *r, void *aid, void *s, Rng *rng, Actions *scratch, Outcome *out
) noexcept nogil:
    """Random play to the end."""
    cdef int played = fishing_playout(<const FishingRules *>r, <FishingState *>s, rng, scratch)
    fishing_outcome(<const FishingRules *>r, <const FishingState *>s, out)
    return played


cdef void fishing_game(const FishingRules *r, Game *g) noexcept nogil:
    """Fill the contract, all but ``draw``, which belongs to the information set."""
    g.rules = r
    g.state_size = sizeof(FishingState)
    g.sides = r.sides
    g.target = r.target
    g.fewest = False
    g.turn = _game_turn
    g.side = _game_side
    g.legal = _game_legal
    g.apply = _game_apply
    g.seen = _game_seen
    g.dealt = _game_dealt
    g.finish = _game_finish
    g.aid = NULL
    g.known = NULL
    g.likelihood = NULL
