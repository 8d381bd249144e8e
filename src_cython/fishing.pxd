"""States and actions of the fishing family (Cirulla, Scopa and their relatives)."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from cirulla_ai._core.actions cimport action_t, play_code
from cirulla_ai._core.cards cimport (
    DIAMONDS, bits_count, bits_deposit, bits_select, card_bit, cardset,
)
from cirulla_ai._core.fishing_captures cimport (
    SMALL_TABLE, CaptureTable, padded, row_place, ways_of_four,
)
from cirulla_ai._core.game cimport Actions, Game
from cirulla_ai._core.rng cimport Rng

cdef enum:
    MAX_ROUNDS = 40

    MATTA_CAPTURED = 0
    MATTA_ROUND = 1
    MATTA_NO = 2

    FOUR_NO = 0
    FOUR_NATURAL = 1
    FOUR_WIN = 2

    CLAIM_NO = 0
    CLAIM_OPTIONAL = 1
    CLAIM_MANDATORY = 2

    CAPPOTTO_NO = 0
    CAPPOTTO_WIN = -1

    PHASE_CLAIM = 0
    PHASE_PLAY = 1
    PHASE_DEAL = 2
    PHASE_DONE = 3

    # Outcomes of a deal.
    DEAL_PLAY = 0
    DEAL_MISDEAL = 1
    DEAL_WIN = 2
    DEAL_LOSS = 3

cdef struct FishingRules:
    int players
    int sides
    int side_mask           # the bits of a seat that are its side
    int n_rounds
    uint8_t rounds[MAX_ROUNDS]
    int table_size
    bint last_scopa
    int matta               # card index or -1
    cardset matta_bit       # its bit or 0
    bint matta_table
    int matta_memory
    int bonus_15
    int bonus_30
    int bonus_9
    int misdeal_aces
    bint misdeal_three
    bint misdeal_first
    int misdeal_loss
    int table_four
    int claim
    int claim_three[11]     # by value 1 … 10
    int claim_low
    int claim_royal
    bint claim_round        # claim_time=round
    bint claims_on_turn     # there are claims, on one's turn
    bint claim_best
    bint claim_free         # claim_play=free
    int points_cards
    int points_diamonds
    int points_settebello
    int points_primiera
    int cappotto            # CAPPOTTO_WIN, CAPPOTTO_NO or points
    cardset cappotto_cards  # what wins the match; where nothing does, more than the deck
    int target
    # Points of a set of diamonds (ten bits, A lowest): piccola and grande.
    uint8_t piccola[1024]
    uint8_t grande[1024]
    CaptureTable captures

cdef struct FishingState:
    cardset hand[4]         # in a view: the cards that the viewer knows
    cardset taken[3]
    cardset table
    cardset shown           # the shown cards of all hands
    int32_t scopa[3]
    int32_t scores[3]
    int32_t misdeals
    uint8_t stock[40]       # stock[at:end] in deal order
    uint8_t at
    uint8_t end
    uint8_t unknown[4]      # cards in each hand that the viewer does not know
    uint8_t claimed[4]
    int8_t dealer
    int8_t turn
    int8_t round            # from 1
    int8_t declared         # value of the matta while a declaration holds, else 0
    int8_t last
    int8_t won
    int8_t viewer           # -1: the whole truth
    int8_t phase


cdef inline int next_seat(const FishingRules *r, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < r.players else 0


cdef inline int hand_count(const FishingState *s, int seat) noexcept nogil:
    return bits_count(s.hand[seat]) + s.unknown[seat]


cdef inline int side_of(const FishingRules *r, int seat) noexcept nogil:
    return seat & r.side_mask


cdef inline cardset open_cards(const FishingState *s) noexcept nogil:
    """The cards that lie open for all: the table and what is taken."""
    return s.table | s.taken[0] | s.taken[1] | s.taken[2]


cdef inline int plays_left(const FishingRules *r, const FishingState *s) noexcept nogil:
    """Plays that are left in the round."""
    cdef int seat, total = 0
    for seat in range(r.players):
        total += hand_count(s, seat)
    return total


cdef inline bint is_scopa(
    const FishingRules *r, const FishingState *s, cardset captured
) noexcept nogil:
    """Whether the play that is about to take these cards is a scopa."""
    return captured != 0 and captured == s.table and (
        s.at < s.end or r.last_scopa or plays_left(r, s) > 1)


cdef inline bint wins(const FishingRules *r, cardset taken, cardset cards) noexcept nogil:
    """Whether these cards, the last of what a side has taken, win the match by cappotto."""
    return (taken & r.cappotto_cards) == r.cappotto_cards and cards & DIAMONDS


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


# Plays as bits of words, where four cards or fewer are on the table.


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


cdef inline void end_by_cappotto(FishingState *s, int side) noexcept nogil:
    s.won = <int8_t>side
    s.phase = PHASE_DONE
    s.turn = -1


cdef int64_t captures_of(
    const FishingRules *r, const FishingState *s, int value, int64_t skip,
    cardset *out, int64_t room,
) noexcept nogil
cdef int64_t count_ways(const FishingRules *r, const FishingState *s, int card) noexcept nogil
cdef void fishing_legal(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil
cdef int64_t count_legal(
    const FishingRules *r, const FishingState *s, Actions *scratch) noexcept nogil
cdef int fishing_apply(const FishingRules *r, FishingState *s, action_t a) noexcept nogil
cdef int play_card(
    const FishingRules *r, FishingState *s, int card, cardset captured) noexcept nogil
cdef int end_of_hands(const FishingRules *r, FishingState *s) noexcept nogil
cdef int fishing_deal(const FishingRules *r, FishingState *s) noexcept nogil
cdef void fishing_deal_random(const FishingRules *r, FishingState *s, Rng *rng) noexcept nogil
cdef void next_round(const FishingRules *r, FishingState *s) noexcept nogil
cdef cardset unseen_cards(const FishingState *s) noexcept nogil
cdef void hide(const FishingRules *r, FishingState *s, int viewer) noexcept nogil
cdef void view_deal(const FishingRules *r, FishingState *s, cardset hand) noexcept nogil
cdef void fishing_game(const FishingRules *r, Game *g) noexcept nogil
