"""The learned value of a public state of the fishing family.

Between two rounds all hands are empty and the state is public: what each side has taken,
the table, who captured last, who leads.  A small network (Tesauro, "Temporal difference
learning and TD-Gammon", CACM 38(3), 1995, for the idea) maps it to the points that each
side can still expect, the count at the end included, the scopas it has already not.  There
is one network for each round's end but the last.

Within a round the same networks give a rough value of an action: that of the table and
the cards it leaves, as if the round ended there and the next seat led.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

from cirulla_ai._core.cards cimport card_bit, cardset
from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, code_card, code_cards, code_kind, code_value,
)
from cirulla_ai._core.fishing cimport (
    FishingRules, FishingState, claim_points, hand_count, next_seat, side_of,
)
from cirulla_ai._core.position cimport Position, RuleTable
from cirulla_ai._core.game cimport MAX_SIDES, action_t

cdef extern from "network.h" nogil:
    enum:
        HIDDEN
    ctypedef struct Layer:
        pass
    void layer_set(Layer *layer, const float *row)
    void layer_add(Layer *layer, const float *row)
    void layer_add_set(Layer *layer, const float *rows, uint64_t bits)
    float layer_out(const Layer *layer, const float *weights)

# A network's floats: a row of HIDDEN for each input, one of biases, one of output weights
# for each side, then the sides' output biases.


cdef int value_inputs(int sides) noexcept nogil:
    return CARDS_IN * (1 + sides) + sides + DECLARED_IN


cdef inline int net_size(int sides) noexcept nogil:
    return HIDDEN * (value_inputs(sides) + 1 + sides) + sides


cdef inline int relative(int side, int leader, int sides) noexcept nogil:
    """A side counted from the leader's."""
    return side - leader if side >= leader else side - leader + sides


cdef inline void evaluate(
    const float *net, int sides, int leader, cardset table, const cardset *taken,
    int last, int declared, double *points
) noexcept nogil:
    """Points that each side may still expect, by its own number."""
    cdef Layer layer
    cdef int side, inputs = value_inputs(sides)
    layer_set(&layer, net + HIDDEN * inputs)
    layer_add_set(&layer, net, table)
    for side in range(sides):
        layer_add_set(
            &layer, net + HIDDEN * CARDS_IN * (1 + relative(side, leader, sides)), taken[side])
    if last >= 0:
        layer_add(&layer, net + HIDDEN * (CARDS_IN * (1 + sides) + relative(last, leader, sides)))
    if declared:
        layer_add(&layer, net + HIDDEN * (CARDS_IN * (1 + sides) + sides + declared))
    net += HIDDEN * (inputs + 1)
    for side in range(sides):
        points[side] = (
            layer_out(&layer, net + HIDDEN * relative(side, leader, sides))
            + net[HIDDEN * sides + relative(side, leader, sides)])


cdef inline const float *net_of(const ValueNets *nets, int round) noexcept nogil:
    """The network of the end of a round; of the last round, the one before it."""
    return nets.net[(round if round <= nets.n else nets.n) - 1]


cdef inline int declared_on(
    const FishingRules *r, const FishingState *s, cardset table
) noexcept nogil:
    return s.declared if table & r.matta_bit else 0


cdef void state_value(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, int round, double *points
) noexcept nogil:
    """Points over the whole smazzata that each side can expect at the end of ``round``.

    The next round's hands, already dealt or not, are not looked at.  Within the round it
    is a rough value of what is open.
    """
    cdef int side
    evaluate(net_of(nets, round), r.sides, side_of(r, s.turn), s.table, s.taken, s.last,
             declared_on(r, s, s.table), points)
    for side in range(r.sides):
        points[side] += s.scopa[side]


cdef inline double margin_of(const double *points, int side, int sides) noexcept nogil:
    """A side's points minus the mean of the others'."""
    cdef double total = 0
    cdef int i
    for i in range(sides):
        total += points[i]
    return points[side] - (total - points[side]) / (sides - 1)


cdef void action_values(
    const ValueNets *nets, const FishingRules *r, const FishingState *s,
    const action_t *actions, int64_t n, double *values
) noexcept nogil:
    """How much the seat to move has from each action: roughly, in points of margin.

    ``actions`` are legal for some hand of the seat to move.  Only what is public is looked
    at, and the card played.  Claims count what they score more than laying the cards.
    """
    cdef int64_t i
    cdef int side = side_of(r, s.turn), seat = s.turn, kind, other
    cdef int leader = side_of(r, next_seat(r, seat)), card
    cdef cardset captured, bit
    cdef cardset taken[MAX_SIDES]
    cdef cardset table
    cdef double points[MAX_SIDES]
    cdef bint is_last = (
        seat == s.dealer and s.at == s.end and hand_count(s, seat) == 1 and not r.last_scopa)
    for other in range(r.sides):
        taken[other] = s.taken[other]
    for i in range(n):
        kind = code_kind(actions[i])
        captured = code_cards(actions[i])
        if kind != KIND_PLAY:
            # Points of a claim are for the asking: more than any play is worth.
            values[i] = 20 + claim_points(r, captured, code_value(actions[i])) if (
                kind == KIND_CLAIM) else 0
            continue
        card = code_card(actions[i])
        bit = card_bit(card)
        if captured:
            table = s.table & ~captured
            taken[side] = s.taken[side] | captured | bit
        else:
            table = s.table | bit
            taken[side] = s.taken[side]
        evaluate(net_of(nets, s.round), r.sides, leader, table, taken,
                 side if captured else s.last, declared_on(r, s, table), points)
        values[i] = margin_of(points, side, r.sides)
        if table == 0 and not is_last:
            values[i] += 1


cdef class Value:
    """The networks of some rules.

    ``networks``: one flat buffer of float32 for each round's end but the last, of
    ``Value.size(sides)`` numbers.  Raises ValueError where their number or length is wrong.
    """

    def __cinit__(self, RuleTable rules, list networks):
        cdef const float[::1] net
        cdef float *mine
        cdef int i, k, size = net_size(rules.c.sides)
        self.rules = rules
        self.c.sides = rules.c.sides
        self.c.n = 0
        if len(networks) != rules.c.n_rounds - 1 or not networks:
            raise ValueError(f"{len(networks)} networks, not {rules.c.n_rounds - 1}, one for each "
                             "round but the last")
        for k in range(len(networks)):
            net = networks[k]
            if net.shape[0] != size:
                raise ValueError(f"a network of {net.shape[0]} numbers, not {size}")
            mine = <float *>malloc(size * sizeof(float))
            if mine == NULL:
                raise MemoryError("no memory for a value network")
            for i in range(size):
                mine[i] = net[i]
            self.c.net[k] = mine
            self.c.n = k + 1

    def __dealloc__(self):
        cdef int k
        for k in range(self.c.n):
            free(<void *>self.c.net[k])

    @staticmethod
    def shape(int sides):
        """(inputs, hidden units, numbers in all) of a network for so many sides."""
        return value_inputs(sides), HIDDEN, net_size(sides)

    def points(self, Position position):
        """Expected points of each side over the smazzata, where a round begins.

        Raises ValueError for any other position.
        """
        cdef double points[MAX_SIDES]
        cdef int seat
        if not 2 <= position.c.round <= self.c.n + 1 or position.c.turn < 0:
            raise ValueError("only the beginning of a round after the first has a value")
        state_value(&self.c, &self.rules.c, &position.c, position.c.round - 1, points)
        return [points[seat] for seat in range(self.c.sides)]

    def actions(self, Position position):
        """[(code, value)] of the legal actions by the rough value that ranks them."""
        cdef double value
        cdef action_t code
        out = []
        for code in position.legal():
            action_values(&self.c, &self.rules.c, &position.c, &code, 1, &value)
            out.append((code, value))
        return out
