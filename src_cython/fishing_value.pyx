"""The learned value of a public state of the fishing family.

Between two rounds all hands are empty and the state is public: what each side has taken,
the table, who captured last, who leads.  A small network (Tesauro, "Temporal difference
learning and TD-Gammon", CACM 38(3), 1995, for the idea) maps it to the points that each
side can still expect, the count at the end included, the scopas it has already not.  There
is one network for each round's end but the last.

Within a round there is a network for afterstates (Sutton and Barto, "Reinforcement learning",
2018, section 6.8): what a seat that has just played can expect, from what is public and the
cards that it still holds.  That values its actions.  Where there is none, an action has a
rough value: that of the table and the cards it leaves, as if the round ended there and the
next seat led.
"""

from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc

from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, action_t, code_card, code_cards, code_kind, code_value,
)
from cirulla_ai._core.cards cimport card_bit, cardset
from cirulla_ai._core.contract cimport margin
from cirulla_ai._core.fishing cimport (
    MAX_ROUNDS, FishingRules, FishingState, is_scopa, next_seat, plays_left, side_of,
)
from cirulla_ai._core.fishing_claims cimport claim_points
from cirulla_ai._core.fishing_position cimport FishingPosition, FishingTable
from cirulla_ai._core.game cimport MAX_SIDES

# A network's floats: a row of the hidden units for each input, one of biases, one of output
# weights for each output, then the outputs' biases.  A round's end has an output for each
# side, an afterstate one, the mover's margin.


cdef int value_inputs(int sides) noexcept nogil:
    return CARDS_IN * (1 + sides) + sides + DECLARED_IN


cdef inline int net_size(int inputs, int hidden, int outputs) noexcept nogil:
    return hidden * (inputs + 1 + outputs) + outputs


cdef inline int relative(int side, int leader, int sides) noexcept nogil:
    """A side counted from the leader's."""
    return side - leader if side >= leader else side - leader + sides


cdef inline void evaluate(
    const ValueNets *nets, const float *net, int leader, cardset table, const cardset *taken,
    int last, int declared, double *points
) noexcept nogil:
    """Points that each side may still expect, by its own number."""
    cdef Layer layer
    cdef int side, sides = nets.sides, v = nets.vectors, row = LANES * v
    cdef int inputs = value_inputs(sides)
    layer_set(v, &layer, net + row * inputs)
    layer_add_set(v, &layer, net, table)
    for side in range(sides):
        layer_add_set(
            v, &layer, net + row * CARDS_IN * (1 + relative(side, leader, sides)), taken[side])
    if last >= 0:
        layer_add(v, &layer, net + row * (CARDS_IN * (1 + sides) + relative(last, leader, sides)))
    if declared:
        layer_add(v, &layer, net + row * (CARDS_IN * (1 + sides) + sides + declared))
    net += row * (inputs + 1)
    for side in range(sides):
        points[side] = (
            layer_out(v, &layer, net + row * relative(side, leader, sides))
            + net[row * sides + relative(side, leader, sides)])


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
    evaluate(nets, net_of(nets, round), side_of(r, s.turn), s.table, s.taken, s.last,
             declared_on(r, s, s.table), points)
    for side in range(r.sides):
        points[side] += s.scopa[side]


cdef double _rough_value(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, action_t action
) noexcept nogil:
    """The margin after a play, as if the round ended there and the next seat led."""
    cdef int side = side_of(r, s.turn), other, last = s.last
    cdef cardset bit = card_bit(code_card(action)), captured = code_cards(action)
    cdef cardset table = s.table | bit
    cdef cardset taken[MAX_SIDES]
    cdef double points[MAX_SIDES]
    for other in range(r.sides):
        taken[other] = s.taken[other]
    if captured:
        table = s.table & ~captured
        taken[side] |= captured | bit
        last = side
    evaluate(nets, net_of(nets, s.round), side_of(r, next_seat(r, s.turn)), table, taken, last,
             declared_on(r, s, table), points)
    return margin(points, side, r.sides)


# --- afterstates ----------------------------------------------------------------------

cdef int after_inputs(const FishingRules *r) noexcept nogil:
    """The hand, the table, what each side has taken from the mover's on, who captured last,
    a declared matta on the table, the plays that are left in the round."""
    cdef int i, most = 0
    for i in range(r.n_rounds):
        most = r.rounds[i] if r.rounds[i] > most else most
    return CARDS_IN * (2 + r.sides) + r.sides + DECLARED_IN + r.players * most


cdef bint has_after(
    const ValueNets *nets, const FishingRules *r, const FishingState *s
) noexcept nogil:
    """Whether there is a network for the afterstates of this state's actions."""
    return nets.after[s.round - 1] != NULL and plays_left(r, s) > 1


cdef double after_layer(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, action_t action,
    Layer *layer
) noexcept nogil:
    """The hidden layer of a play's afterstate, but for the hand that is left; the points that
    the play scores at once."""
    cdef const float *net = nets.after[s.round - 1]
    cdef int seat = s.turn, side = side_of(r, seat), other, k, last = s.last, declared
    cdef cardset table = s.table, bit = card_bit(code_card(action))
    cdef cardset captured = code_cards(action), taken
    cdef int left = plays_left(r, s) - 1, v = nets.vectors, row = LANES * v
    if captured:
        table &= ~captured
        last = side
    else:
        table |= bit
    layer_set(v, layer, net + row * nets.after_inputs)
    net += row * CARDS_IN
    layer_add_set(v, layer, net, table)
    net += row * CARDS_IN
    for k in range(r.sides):
        other = side + k
        if other >= r.sides:
            other -= r.sides
        taken = s.taken[other]
        if k == 0 and captured:
            taken |= captured | bit
        layer_add_set(v, layer, net, taken)
        net += row * CARDS_IN
    if last >= 0:
        layer_add(v, layer, net + row * relative(last, side, r.sides))
    net += row * r.sides
    declared = declared_on(r, s, table)
    if declared:
        layer_add(v, layer, net + row * declared)
    net += row * DECLARED_IN
    layer_add(v, layer, net + row * left)
    return is_scopa(r, s, captured)


cdef double after_value(
    const ValueNets *nets, int round, const Layer *layer, cardset hand
) noexcept nogil:
    """The margin still to be expected by the seat that has just played and holds ``hand``."""
    cdef const float *net = nets.after[round - 1]
    cdef int v = nets.vectors, row = LANES * v
    cdef Layer whole = layer[0]
    layer_add_set(v, &whole, net, hand)
    net += row * (nets.after_inputs + 1)
    return layer_out(v, &whole, net) + net[row]


cdef void action_values(
    const ValueNets *nets, const FishingRules *r, const FishingState *s,
    const action_t *actions, int64_t n, double *values
) noexcept nogil:
    """How much the seat to move has from each action, in points of margin.

    ``actions`` are legal for its hand; where there is no network of afterstates, for any
    hand.  Only what is public is looked at, and the seat's own hand.  Claims count what they
    score more than any play.
    """
    cdef int64_t i
    cdef Layer layer
    cdef bint learnt = has_after(nets, r, s)
    for i in range(n):
        if code_kind(actions[i]) == KIND_CLAIM:
            # Points of a claim are for the asking.
            values[i] = 20 + claim_points(r, code_cards(actions[i]), code_value(actions[i]))
        elif code_kind(actions[i]) != KIND_PLAY:
            values[i] = 0
        elif learnt:
            values[i] = after_layer(nets, r, s, actions[i], &layer)
            values[i] += after_value(
                nets, s.round, &layer, s.hand[s.turn] & ~card_bit(code_card(actions[i])))
        else:
            values[i] = is_scopa(r, s, code_cards(actions[i])) + _rough_value(
                nets, r, s, actions[i])


def unpack(const int8_t[::1] octets, const double[::1] steps, float[::1] out):
    """Each octet times its unit's step, into ``out``: units follow one another, in rows."""
    cdef Py_ssize_t i, unit = 0
    if not steps.shape[0] or out.shape[0] < octets.shape[0]:
        raise ValueError(f"{octets.shape[0]} octets of {steps.shape[0]} units do not fit into "
                         f"{out.shape[0]} numbers")
    for i in range(octets.shape[0]):
        out[i] = <float>(octets[i] * steps[unit])
        unit = unit + 1 if unit + 1 < steps.shape[0] else 0


cdef const float *_kept(const float[::1] net, int size) except NULL:
    """A copy of a network's numbers, of which there must be so many."""
    cdef float *mine
    cdef int i
    if net.shape[0] != size:
        raise ValueError(f"a network of {net.shape[0]} numbers, not {size}")
    mine = <float *>malloc(size * sizeof(float))
    if mine == NULL:
        raise MemoryError("no memory for a value network")
    for i in range(size):
        mine[i] = net[i]
    return mine


cdef class Value:
    """The networks of some rules, all with as many ``hidden`` units: a multiple of 8 up to 64.

    ``networks``: one flat buffer of float32 for each round's end but the last, as long as
    ``Value.shape`` says.  ``afterstates``: one for each of the first rounds, None or missing
    where there is none, as ``Value.after_shape`` says.  Raises ValueError where their
    number or length is wrong.
    """

    def __cinit__(
        self, FishingTable rules, list networks, list afterstates=None, int hidden=32
    ):
        cdef int k
        self.rules = rules
        if hidden <= 0 or hidden % LANES or hidden > LANES * MOST_VECTORS:
            raise ValueError(f"{hidden} hidden units, not a multiple of {LANES} up to "
                             f"{LANES * MOST_VECTORS}")
        self.c.sides = rules.c.sides
        self.c.vectors = hidden // LANES
        self.c.after_inputs = after_inputs(&rules.c)
        self.c.n = 0
        if len(networks) != rules.c.n_rounds - 1 or not networks:
            raise ValueError(f"{len(networks)} networks, not {rules.c.n_rounds - 1}, one for each "
                             "round but the last")
        if len(afterstates or ()) > rules.c.n_rounds:
            raise ValueError(f"{len(afterstates)} networks of afterstates, but "
                             f"{rules.c.n_rounds} rounds")
        for k in range(len(networks)):
            self.c.net[k] = _kept(networks[k], self.shape(rules, hidden)[1])
            self.c.n = k + 1
        for k in range(len(afterstates or ())):
            if afterstates[k] is not None:
                self.c.after[k] = _kept(afterstates[k], self.after_shape(rules, hidden)[1])

    def __dealloc__(self):
        cdef int k
        for k in range(self.c.n):
            free(<void *>self.c.net[k])
        for k in range(MAX_ROUNDS):
            free(<void *>self.c.after[k])

    @staticmethod
    def shape(FishingTable rules, int hidden):
        """(inputs, numbers in all) of the network of a round's end."""
        cdef int inputs = value_inputs(rules.c.sides)
        return inputs, net_size(inputs, hidden, rules.c.sides)

    @staticmethod
    def after_shape(FishingTable rules, int hidden):
        """(inputs, numbers in all) of the network of a round's afterstates."""
        cdef int inputs = after_inputs(&rules.c)
        return inputs, net_size(inputs, hidden, 1)

    def points(self, FishingPosition position):
        """Expected points of each side over the smazzata, where a round begins.

        Raises ValueError for any other position.
        """
        cdef double points[MAX_SIDES]
        cdef int seat
        if not 2 <= position.c.round <= self.c.n + 1 or position.c.turn < 0:
            raise ValueError("only the beginning of a round after the first has a value")
        state_value(&self.c, &self.rules.c, &position.c, position.c.round - 1, points)
        return [points[seat] for seat in range(self.c.sides)]

    def actions(self, FishingPosition position):
        """[(code, value)] of the legal actions, in points of margin, as ``action_values`` has it:
        by the network of afterstates where there is one, else roughly."""
        cdef double value
        cdef action_t code
        out = []
        for code in position.legal():
            action_values(&self.c, &self.rules.c, &position.c, &code, 1, &value)
            out.append((code, value))
        return out
