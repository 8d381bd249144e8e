"""The tree of one round before all is known."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint16_t

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.fishing_endgame cimport Solver
from cirulla_ai._core.fishing_value cimport ValueNets
from cirulla_ai._core.game cimport Actions

cdef enum:
    # What a node is, by who still has something to decide.
    NODE_PLAY = 0
    # The actor's last card: after it the other's, if any, is forced, and its best way is known.
    # A matrix holds what the round then comes to.
    NODE_LAST = 1
    # Nothing is left to decide: the match was won.  A matrix as well, of one value.
    NODE_OVER = 2
    # Cards left to deal after the round.
    MAX_STOCK = 12

cdef struct Node:
    int8_t kind
    int8_t seat                 # the actor
    bint is_forced              # no hand has more than one action
    int32_t hands[2]            # how many each seat may hold
    int32_t n_edges
    int32_t n_entries
    int64_t edges               # the first in Tree.edges
    int64_t entries             # the first in Tree.hand, Tree.regret and Tree.average
    int64_t matrix              # NODE_LAST, NODE_OVER: a row for each entry, points of side 0

cdef struct Edge:
    # An action.  Its entries, one for each of the actor's hands that may choose it, are
    # the actor's hands after it, in the same order.
    action_t code
    int32_t n                   # entries
    int64_t child
    # In Tree.others: for each hand of the other seat at the child, which it was before.
    int64_t others

cdef struct EndKey:
    # A public state at the end of a round.
    cardset taken[2]
    cardset table
    int16_t scopa[2]
    int8_t last
    int8_t declared

cdef struct End:
    EndKey key
    bint used
    float value

cdef struct Tree:
    Node *nodes
    Edge *edges
    uint16_t *hand              # of an entry: the actor's hand
    uint16_t *others
    float *regret               # of an entry
    float *average              # of an entry: the sum of what the strategies were
    float *matrix
    End *ends
    int64_t n_nodes, room_nodes
    int64_t n_edges, room_edges
    int64_t n_entries, room_entries
    int64_t n_others, room_others
    int64_t n_matrix, room_matrix
    int64_t n_ends, room_ends
    int64_t most_bytes          # that it may take
    int most_hands
    int most_entries
    bint failed                 # memory ran out, or it was stopped

cdef struct Builder:
    const FishingRules *rules
    Tree *tree
    Solver solver
    # The learned values that tell what the round comes to; NULL: the exact ones do, in the
    # mean of all deals of the last round.
    const ValueNets *nets
    Actions legal
    Actions reply

cdef void tree_free(Tree *t) noexcept nogil
cdef int64_t build(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n
) noexcept nogil
