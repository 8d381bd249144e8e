"""Ciapa No for Python: the table of a game's rules, and positions."""

from functools import lru_cache

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from cirulla_ai._core.actions cimport (
    KIND_GIVE, UNSEEN_CARD, card_code, code_card, code_kind, give_code,
)
from cirulla_ai._core.cards cimport N_CARDS
from cirulla_ai._core.ciapano cimport (
    PHASE_DONE, PHASE_PASS, SEATS, CiapanoState, ciapano_deal, ciapano_deal_random,
    ciapano_game, ciapano_hide, ciapano_playout, ciapano_unseen, count_points, count_thirds,
    sees_given, trick_winner,
)
from cirulla_ai._core.contract cimport Position, Table
from cirulla_ai._core.rng cimport Rng

from cirulla_ai._core.contract import shared_table

PHASES = ("pass", "play", "done")
ITEMS = ("thirds",)


def trick_taker(list cards):
    """The place, 0 … 2, of the card that takes a trick of these three (indices), led first."""
    return trick_winner(0, cards[0], cards[1], cards[2])


cdef class CiapanoTable(Table):
    """The rules of one game in the core's form: ``options`` maps target and cappotto."""

    def __init__(self, dict options):
        self.c.target = options["target"]
        self.c.cappotto = options["cappotto"]
        ciapano_game(&self.c, &self.game)
        self.players = SEATS

    def __reduce__(self):
        return table_of, ((("cappotto", bool(self.c.cappotto)), ("target", self.c.target)),)

    cdef void deal_afresh(self, void *state, int dealer, Rng *rng) noexcept nogil:
        (<CiapanoState *>state).dealer = <int8_t>dealer
        ciapano_deal_random(<CiapanoState *>state, rng)

    cdef Position blank(self):
        cdef CiapanoPosition p = CiapanoPosition.__new__(CiapanoPosition)
        p.rules = self
        return p


# As for the fishing family: the last few are kept.
@lru_cache(maxsize=64)
def table_of(tuple options):
    """The table of these options, as pairs of names and values: the same for equal ones."""
    return shared_table(CiapanoTable, options)


cdef class CiapanoPosition(Position):
    """A state of Ciapa No in the core's form.  Not to be changed once shared.

    ``fields`` is what ``fields()`` returns; it is taken as valid.
    """

    def __cinit__(self):
        self.state = &self.c

    def __init__(self, CiapanoTable rules, dict fields):
        cdef int i
        self.rules = rules
        memset(&self.c, 0, sizeof(CiapanoState))
        for i in range(SEATS):
            self.c.hand[i], self.c.unknown[i] = fields["hands"][i]
            self.c.taken[i] = fields["taken"][i]
            self.c.passed[i] = fields["passed"][i]
            self.c.scores[i] = fields["scores"][i]
        trick = fields["trick"]
        self.c.n_trick = len(trick)
        for i in range(self.c.n_trick):
            self.c.trick[i] = trick[i]
        self.c.lead = fields["lead"]
        self.c.turn = fields["turn"]
        self.c.discard = fields["discard"]
        self.c.dealer = fields["dealer"]
        self.c.viewer = fields["viewer"]
        self.c.phase = fields["phase"]

    cdef Table table(self):
        return self.rules

    def __reduce__(self):
        return CiapanoPosition, (self.rules, self.fields())

    def fields(self):
        """Every part of the state as plain ints, sets of cards as 40-bit ints.

        ``passed`` and ``discard`` are card indices, -1 for none, ``UNSEEN`` for unknown.
        """
        cdef CiapanoState *s = &self.c
        return {
            "dealer": s.dealer, "turn": s.turn,
            "hands": [(s.hand[i], s.unknown[i]) for i in range(SEATS)],
            "trick": [s.trick[i] for i in range(s.n_trick)],
            "lead": s.lead,
            "taken": [s.taken[i] for i in range(SEATS)],
            "discard": s.discard,
            "passed": [s.passed[i] for i in range(SEATS)],
            "scores": [s.scores[i] for i in range(SEATS)],
            "viewer": s.viewer, "phase": s.phase,
        }

    @staticmethod
    def deal(CiapanoTable rules, int dealer, list scores, int misdeals, list pack):
        """Deal from forty card indices in deal order: (outcome, position).

        The outcome is always ``play`` and ``misdeals`` is not looked at; both are there to
        be called as the fishing family's positions are.
        """
        cdef CiapanoPosition p = _before_deal(rules, dealer, scores)
        cdef uint8_t order[40]
        cdef int i
        for i in range(N_CARDS):
            order[i] = pack[i]
        ciapano_deal(&p.c, order)
        return "play", p

    @staticmethod
    def deal_random(CiapanoTable rules, int dealer, list scores, int misdeals, uint64_t seed):
        """Shuffle by ``seed`` and deal."""
        cdef CiapanoPosition p = _before_deal(rules, dealer, scores)
        cdef Rng rng
        rng.state = seed
        ciapano_deal_random(&p.c, &rng)
        return p

    @property
    def viewer(self):
        """The seat whose knowledge this is, -1 for the whole truth."""
        return self.c.viewer

    @property
    def phase(self):
        """``pass``, ``play`` or ``done``."""
        return PHASES[self.c.phase]

    @property
    def won(self):
        """The side that has won the match outright: never any, -1."""
        return -1

    def unseen(self):
        """The set of the cards that are nowhere to be seen in this view."""
        return ciapano_unseen(&self.c)

    def accepts(self, uint64_t code):
        """Whether the seat to move can have played this, as far as the view tells.

        What tricks gone by have told is known to an information set, not to a view.
        """
        cdef CiapanoState *s = &self.c
        cdef int kind = code_kind(code), card = code_card(code)
        if s.phase == PHASE_DONE or (kind == KIND_GIVE) != (s.phase == PHASE_PASS):
            return False
        if s.viewer < 0 or s.viewer == s.turn:
            return code in self.legal()
        if kind == KIND_GIVE and not sees_given(s, s.viewer, s.turn):
            return code == give_code(UNSEEN_CARD)
        if card >= N_CARDS or code != (
            give_code(card) if kind == KIND_GIVE else card_code(card)
        ):
            return False
        return (ciapano_unseen(s) >> card & 1) != 0 and s.unknown[s.turn] > 0

    def view(self, int seat):
        """What ``seat`` knows of a whole truth."""
        cdef CiapanoPosition p = self.copy()
        ciapano_hide(&p.c, seat)
        return p

    def items(self):
        """Per seat, the thirds of the cards taken so far; at the end the whole count."""
        cdef int thirds[3]
        count_thirds(&self.c, thirds)
        return [[thirds[i]] for i in range(SEATS)]

    def points(self):
        """Per seat, what the cards taken so far score."""
        cdef int scored[3]
        count_points(&self.rules.c, &self.c, scored)
        return [scored[i] for i in range(SEATS)]

    def playouts(self, int64_t n, uint64_t seed):
        """Play a whole truth out ``n`` times by uniformly random actions.

        Returns (actions played, per seat the sum of its points).
        """
        cdef CiapanoState s
        cdef Rng rng
        cdef int64_t _i, played = 0
        cdef int64_t sums[3]
        cdef int scored[3]
        cdef int seat
        if self.c.viewer >= 0:
            raise ValueError("a view can't be played out: draw worlds from it")
        memset(sums, 0, sizeof(sums))
        rng.state = seed
        with nogil:
            for _i in range(n):
                s = self.c
                played += ciapano_playout(&s, &rng)
                count_points(&self.rules.c, &s, scored)
                for seat in range(SEATS):
                    sums[seat] += scored[seat]
        return played, [sums[seat] for seat in range(SEATS)]


cdef CiapanoPosition _before_deal(CiapanoTable rules, int dealer, list scores):
    cdef CiapanoPosition p = CiapanoPosition.__new__(CiapanoPosition)
    cdef int i
    p.rules = rules
    memset(&p.c, 0, sizeof(CiapanoState))
    p.c.dealer = dealer
    for i in range(SEATS):
        p.c.scores[i] = scores[i]
    return p
