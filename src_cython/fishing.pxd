"""State, actions and scoring of the fishing family (Cirulla, Scopa and their relatives)."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from cirulla_ai._core.cards cimport DIAMONDS, cardset
from cirulla_ai._core.fishing_captures cimport CaptureTable
from cirulla_ai._core.game cimport Actions, Game, Outcome, action_t
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

    # Items of a score, in the order in which they are listed.
    ITEM_SCOPA = 0
    ITEM_CARDS = 1
    ITEM_DIAMONDS = 2
    ITEM_SETTEBELLO = 3
    ITEM_PRIMIERA = 4
    ITEM_PICCOLA = 5
    ITEM_GRANDE = 6
    ITEM_CAPPOTTO = 7
    N_ITEMS = 8

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


cdef inline bint may_claim(const FishingRules *r, const FishingState *s) noexcept nogil:
    """Whether the seat to move is at a place where the rules let it claim."""
    cdef int seat = s.turn
    cdef int n = hand_count(s, seat)
    if r.claim == CLAIM_NO or n < 3:
        return False
    if s.phase == PHASE_CLAIM:
        return True
    if r.claim_round:
        return False
    if r.claim_free:
        return n == r.rounds[s.round - 1]
    return (s.hand[seat] & s.shown) == 0


cdef extern from "bits.h" nogil:
    int bits_count(uint64_t x)

cdef int claim_points(const FishingRules *r, cardset cards, int declared) noexcept nogil
cdef int best_claim(const FishingRules *r, cardset cards) noexcept nogil
cdef void fishing_legal(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil
cdef int fishing_apply(const FishingRules *r, FishingState *s, action_t a) noexcept nogil
cdef int64_t count_legal(
    const FishingRules *r, const FishingState *s, Actions *scratch) noexcept nogil
cdef int fishing_deal(const FishingRules *r, FishingState *s) noexcept nogil
cdef void fishing_deal_random(const FishingRules *r, FishingState *s, Rng *rng) noexcept nogil
cdef void next_round(const FishingRules *r, FishingState *s) noexcept nogil
cdef int random_turns(
    const FishingRules *r, FishingState *s, Rng *rng, Actions *scratch, int limit, int round
) noexcept nogil
cdef void fishing_items(const FishingRules *r, const FishingState *s, int *items) noexcept nogil

cdef void fishing_totals(const FishingRules *r, const FishingState *s, int *totals) noexcept nogil
cdef int64_t fishing_perft(
    const FishingRules *r, const FishingState *s, int depth, Actions *levels,
    const bint *stop) noexcept nogil
cdef void fishing_outcome(
    const FishingRules *r, const FishingState *s, Outcome *out
) noexcept nogil
cdef void fishing_game(const FishingRules *r, Game *g) noexcept nogil
cdef cardset unseen_cards(const FishingState *s) noexcept nogil
cdef void hide(const FishingRules *r, FishingState *s, int viewer) noexcept nogil
cdef void view_deal(const FishingRules *r, FishingState *s, cardset hand) noexcept nogil
