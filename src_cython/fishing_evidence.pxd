"""What an action that was seen tells of the hand behind it."""

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.fishing_value cimport Layer, ValueNets
from cirulla_ai._core.game cimport Actions

cdef enum:
    # Ways to play that a seat may have.
    STYLE_VALUE = 0         # by the learned values
    STYLE_HEURISTIC = 1     # by the rule of thumb
    STYLE_UNIFORM = 2       # anything, all plays alike
    STYLES = 3

cdef struct Model:
    # How seats choose.
    const ValueNets *nets   # NULL: none goes by learned values
    double temperature      # of the softmax over learned values, in points
    double heuristic_temperature    # the same for the rule of thumb
    double lapse            # the share of actions that are done without a thought
    double declining        # how often a claim that is there is declined

cdef struct SeenAction:
    # What another seat did, and the view before it.
    FishingState before
    action_t action

cdef struct Way:
    # One thing that a seat could have done, by the learned values: what it scores at once and
    # the hidden layer of the afterstate, but for the hand that is left.
    double scored
    Layer layer

cdef struct Ways:
    # A growing list; ``data`` belongs to whoever has it.
    Way *data
    int n

cdef struct Evidence:
    # How likely a seat's hand made an action of its.
    int seat
    int round
    bint declined           # it could have claimed, with the right cards
    bint plain              # a way is worth what it scores: there is no network
    cardset later           # cards that it had then and has shown since, this one among them
    int chosen              # the way that it took, -1 where that tells nothing
    int first[41]           # of each card, the place of its ways; the next card's ends them
    int later_ways          # of the cards in ``later``
    # By the rule of thumb: the weight in a softmax of each card's ways, of all that are in
    # ``later``, of the one that was taken; what each card that the seat keeps makes of that.
    double weight[40]
    double later_weight
    double chosen_weight
    double beside[40]

cdef bint evidence_of(
    const FishingRules *r, const Model *m, const SeenAction *seen, cardset later,
    cardset possible, Actions *list, Ways *ways, Evidence *e
) noexcept nogil
cdef void evidence_judge(
    const Model *m, const Way *ways, const Evidence *e, cardset hidden, double *likely
) noexcept nogil
