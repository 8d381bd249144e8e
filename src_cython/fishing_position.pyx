"""The fishing family for Python: the table of a game's rules, and positions."""

from functools import lru_cache

from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from cirulla_ai._core.actions cimport KIND_CLAIM, KIND_PLAY, code_card, code_cards, code_kind
from cirulla_ai._core.cards cimport DECK, DIAMONDS, bits_count, card_bit, card_value, cardset
from cirulla_ai._core.contract cimport Position, Table
from cirulla_ai._core.fishing cimport (
    CAPPOTTO_WIN, CLAIM_NO, MAX_ROUNDS, PHASE_DEAL, FishingRules, FishingState, fishing_deal,
    fishing_deal_random, fishing_game, hide, unseen_cards, view_deal,
)
from cirulla_ai._core.fishing_captures cimport capture_sets, capture_table_build
from cirulla_ai._core.fishing_playout cimport fishing_finish, random_turns
from cirulla_ai._core.fishing_scoring cimport N_ITEMS, fishing_items
from cirulla_ai._core.game cimport Actions
from cirulla_ai._core.rng cimport Rng

from cirulla_ai._core.contract import shared_table

PHASES = ("claim", "play", "deal", "done")
ITEMS = (
    "scopa", "cards", "diamonds", "settebello", "primiera", "piccola", "grande", "cappotto",
)
OUTCOMES = ("play", "misdeal", "win", "loss")


cdef class FishingTable(Table):
    """The rules of one game in the core's form, with its capture table.

    ``options`` maps every option's name to an int, a bool or a list of ints; what the
    text forms of values mean is known in ``cirulla_ai.rules``, nowhere else.
    """

    def __init__(self, dict options):
        cdef int i, cards, run
        cdef int piccola_max = options["piccola_max"]
        cdef int grande = options["grande"]
        cdef bint grande_extend = options["grande_extend"]
        memset(&self.c, 0, sizeof(FishingRules))
        self.c.players = options["players"]
        self.c.sides = 3 if self.c.players == 3 else 2
        self.c.side_mask = 1 if self.c.players == 4 else 3
        rounds = options["rounds"]
        self.c.n_rounds = len(rounds)
        for i in range(self.c.n_rounds):
            self.c.rounds[i] = rounds[i]
        self.c.table_size = options["table_size"]
        self.c.last_scopa = options["last_scopa"]
        self.c.matta = options["matta"]
        self.c.matta_bit = 0 if self.c.matta < 0 else card_bit(self.c.matta)
        self.c.matta_table = options["matta_table"]
        self.c.matta_memory = options["matta_memory"]
        self.c.bonus_15 = options["bonus_15"]
        self.c.bonus_30 = options["bonus_30"]
        self.c.bonus_9 = options["bonus_9"]
        self.c.misdeal_aces = options["misdeal_aces"]
        self.c.misdeal_three = options["misdeal_three"]
        self.c.misdeal_first = options["misdeal_first"]
        self.c.misdeal_loss = options["misdeal_loss"]
        self.c.table_four = options["table_four"]
        self.c.claim = options["claim"]
        for i in range(10):
            self.c.claim_three[i + 1] = options["claim_three"][i]
        self.c.claim_low = options["claim_low"]
        self.c.claim_royal = options["claim_royal"]
        self.c.claim_round = options["claim_time"]
        self.c.claims_on_turn = self.c.claim != CLAIM_NO and not self.c.claim_round
        self.c.claim_best = options["claim_best"]
        self.c.claim_free = options["claim_play"]
        self.c.points_cards = options["points_cards"]
        self.c.points_diamonds = options["points_diamonds"]
        self.c.points_settebello = options["points_settebello"]
        self.c.points_primiera = options["points_primiera"]
        self.c.cappotto = options["cappotto"]
        self.c.cappotto_cards = DIAMONDS if self.c.cappotto == CAPPOTTO_WIN else ~<cardset>0
        self.c.target = options["target"]
        for cards in range(1024):
            run = 0
            while run < piccola_max and cards >> run & 1:
                run += 1
            self.c.piccola[cards] = run if run >= 3 else 0
            if grande and cards & 0x380 == 0x380:
                self.c.grande[cards] = grande
                if grande_extend and cards & 0x40:
                    self.c.grande[cards] += 2 if cards & 0x20 else 1
        self.c.captures.rules.must_capture = options["must_capture"]
        self.c.captures.rules.equal = options["capture_equal"]
        self.c.captures.rules.sum = options["capture_sum"]
        self.c.captures.rules.fifteen = options["capture_15"]
        self.c.captures.rules.ace_sweep = options["ace_sweep"]
        self.c.captures.rules.ace_only_sweeps = options["ace_choice"]
        self.c.captures.rules.choice = options["capture_choice"]
        capture_table_build(&self.c.captures)
        fishing_game(&self.c, &self.game)
        self.game.finish = fishing_finish
        self.players = self.c.players
        self.options = tuple(
            (name, tuple(value) if isinstance(value, list) else value)
            for name, value in options.items())

    def __reduce__(self):
        return table_of, (self.options,)

    cdef void deal_afresh(self, void *state, int dealer, Rng *rng) noexcept nogil:
        cdef FishingState *s = <FishingState *>state
        s.dealer = <int8_t>dealer
        s.misdeals = 0
        fishing_deal_random(&self.c, s, rng)

    cdef Position blank(self):
        cdef FishingPosition p = FishingPosition.__new__(FishingPosition)
        p.rules = self
        return p

    def captures(self, uint64_t table, int card, int value=0):
        """The sets of ``table`` (40-bit) that a card can take, at a declared value if given.

        All table cards stand at their printed values.
        """
        cdef cardset sets[64]
        cdef int64_t n, i, done = 0
        out = []
        while True:
            n = capture_sets(&self.c.captures.rules, table & DECK, -1, 0,
                             value or card_value(card), done, sets, 64)
            for i in range(min(n - done, 64)):
                out.append(sets[i])
            done += 64
            if done >= n:
                return out


# Working out a table takes about a millisecond, and most states read have the rules of the
# one before: the last few are kept.
@lru_cache(maxsize=64)
def table_of(tuple options):
    """The table of these options, as pairs of names and values: the same for equal ones."""
    return shared_table(FishingTable, options)


cdef class FishingPosition(Position):
    """A state of the fishing family in the core's form.  Not to be changed once shared.

    ``fields`` is what ``fields()`` returns; it is taken as valid.
    """

    def __cinit__(self):
        self.state = &self.c

    def __init__(self, FishingTable rules, dict fields):
        cdef int i
        self.rules = rules
        memset(&self.c, 0, sizeof(FishingState))
        for i in range(rules.c.players):
            self.c.hand[i], self.c.unknown[i] = fields["hands"][i]
            self.c.shown |= <cardset>fields["shown"][i]
            self.c.claimed[i] = fields["claimed"][i]
        for i in range(rules.c.sides):
            self.c.taken[i] = fields["taken"][i]
            self.c.scopa[i] = fields["scopa"][i]
            self.c.scores[i] = fields["scores"][i]
        self.c.table = fields["table"]
        self.c.misdeals = fields["misdeals"]
        stock = fields["stock"]
        self.c.end = fields["stock_count"]
        for i in range(len(stock)):
            self.c.stock[i] = stock[i]
        self.c.dealer = fields["dealer"]
        self.c.turn = fields["turn"]
        self.c.round = fields["round"]
        self.c.declared = fields["declared"]
        self.c.last = fields["last"]
        self.c.won = fields["won"]
        self.c.viewer = fields["viewer"]
        self.c.phase = fields["phase"]

    cdef Table table(self):
        return self.rules

    def __reduce__(self):
        return FishingPosition, (self.rules, self.fields())

    def fields(self):
        """Every part of the state as plain ints, sets of cards as 40-bit ints."""
        cdef FishingRules *r = &self.rules.c
        cdef FishingState *s = &self.c
        return {
            "dealer": s.dealer, "turn": s.turn, "round": s.round,
            "hands": [(s.hand[i], s.unknown[i]) for i in range(r.players)],
            "shown": [s.hand[i] & s.shown for i in range(r.players)],
            "claimed": [s.claimed[i] for i in range(r.players)],
            "declared": s.declared, "table": s.table,
            "taken": [s.taken[i] for i in range(r.sides)],
            "scopa": [s.scopa[i] for i in range(r.sides)],
            "last": s.last,
            "stock": [] if s.viewer >= 0 else [s.stock[i] for i in range(s.at, s.end)],
            "stock_count": s.end - s.at,
            "scores": [s.scores[i] for i in range(r.sides)],
            "misdeals": s.misdeals, "won": s.won, "viewer": s.viewer, "phase": s.phase,
        }

    @staticmethod
    def deal(FishingTable rules, int dealer, list scores, int misdeals, list pack):
        """Deal from forty card indices in deal order: (outcome, FishingPosition).

        The position of a misdeal is meaningless, of a loss just won and the cards matter.
        """
        cdef FishingPosition p = _before_deal(rules, dealer, scores, misdeals)
        cdef int i
        for i in range(40):
            p.c.stock[i] = pack[i]
        return OUTCOMES[fishing_deal(&rules.c, &p.c)], p

    @staticmethod
    def deal_random(FishingTable rules, int dealer, list scores, int misdeals, uint64_t seed):
        """Shuffle by ``seed`` and deal, again after each misdeal (counted)."""
        cdef FishingPosition p = _before_deal(rules, dealer, scores, misdeals)
        cdef Rng rng
        rng.state = seed
        fishing_deal_random(&rules.c, &p.c, &rng)
        return p

    @property
    def viewer(self):
        """The seat whose knowledge this is, -1 for the whole truth."""
        return self.c.viewer

    @property
    def phase(self):
        """``claim``, ``play``, ``deal`` or ``done``."""
        return PHASES[self.c.phase]

    @property
    def won(self):
        """The side that has won the match outright, or -1."""
        return self.c.won

    def unseen(self):
        """The set of the cards that are nowhere to be seen in this view."""
        return unseen_cards(&self.c)

    def accepts(self, uint64_t code):
        """Whether the seat to move can have played this, as far as can be known."""
        cdef FishingPosition guess
        cdef cardset cards, new
        cdef int seat = self.c.turn
        cdef int kind = code_kind(code)
        if seat < 0 or self.c.phase >= PHASE_DEAL:
            return False
        if self.c.unknown[seat]:
            cards = code_cards(code) if kind == KIND_CLAIM else 0
            if kind == KIND_PLAY:
                cards = card_bit(code_card(code))
            new = cards & ~self.c.hand[seat]
            if new & ~unseen_cards(&self.c) or bits_count(new) > self.c.unknown[seat]:
                return False
            guess = self.copy()
            guess.c.hand[seat] |= new
            guess.c.unknown[seat] -= bits_count(new)
            return code in guess.legal()
        return code in self.legal()

    def after_deal(self, uint64_t hand):
        """A view in phase ``deal``, after the viewer was dealt these cards (as a set)."""
        cdef FishingPosition p = self.copy()
        view_deal(&p.rules.c, &p.c, hand)
        return p

    def after_random(self, int count, uint64_t seed):
        """The whole truth after ``count`` uniformly random actions, fewer at the end."""
        cdef FishingPosition p = self.copy()
        cdef Actions scratch
        cdef Rng rng
        rng.state = seed
        memset(&scratch, 0, sizeof(Actions))
        random_turns(&p.rules.c, &p.c, &rng, &scratch, count, MAX_ROUNDS)
        free(scratch.data)
        return p

    def view(self, int seat):
        """What ``seat`` knows of a whole truth."""
        cdef FishingPosition p = self.copy()
        hide(&p.rules.c, &p.c, seat)
        return p

    def items(self):
        """Per side, the points of the taken cards by item, in the order of ITEMS."""
        cdef int row[3 * N_ITEMS]
        fishing_items(&self.rules.c, &self.c, row)
        return [
            [row[side * N_ITEMS + i] for i in range(N_ITEMS)]
            for side in range(self.rules.c.sides)
        ]


cdef FishingPosition _before_deal(FishingTable rules, int dealer, list scores, int misdeals):
    cdef FishingPosition p = FishingPosition.__new__(FishingPosition)
    cdef int i
    p.rules = rules
    memset(&p.c, 0, sizeof(FishingState))
    p.c.dealer = dealer
    p.c.misdeals = misdeals
    for i in range(rules.c.sides):
        p.c.scores[i] = scores[i]
    return p
