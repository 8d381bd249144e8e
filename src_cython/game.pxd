"""The contract between a game and the search.

A game is a table of functions over states that are plain memory.  The search knows
nothing else of it: seats, actions as 64-bit codes, payoffs a side, worlds drawn from an
information set.  docs/adding-a-game.md in words; fishing.pyx is the first to fulfil it.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport realloc

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.rng cimport Rng

cdef enum:
    MAX_SEATS = 4
    MAX_SIDES = 3
    # What points are made of.
    MAX_ITEMS = 8

    # What an action brought about.
    EVENT_NONE = 0
    EVENT_DEAL = 1      # a new round was dealt: chance moved

cdef struct Actions:
    # A growing list of action codes; data belongs to whoever made the list.
    action_t *data
    int64_t n
    int64_t room
    bint failed         # memory ran out: the list is not whole


cdef inline void actions_add(Actions *list, action_t action) noexcept nogil:
    cdef int64_t room
    cdef action_t *data
    if list.n == list.room:
        room = 64 if list.room == 0 else 2 * list.room
        data = <action_t *>realloc(list.data, room * sizeof(action_t))
        if data == NULL:
            list.failed = True
            return
        list.data = data
        list.room = room
    list.data[list.n] = action
    list.n += 1


cdef struct Outcome:
    # What a smazzata comes to, or may be expected to come to.
    double points[MAX_SIDES]    # a side; more is better, so where few are good below 0
    double scores[MAX_SIDES]    # the match scores after it, a side
    int won                     # the side that has won the match outright, or -1
    int left                    # rounds still to be played; 0: it is over
    int dealer                  # the side that dealt it


cdef struct Game:
    const void *rules
    # Belongs to the search alone: what ``finish`` and ``known`` work with, or NULL.
    void *aid
    size_t state_size
    int sides
    int target
    # Few points are good: the match is over at the target, and the fewest points win it.
    bint fewest
    # The seat that decides, or -1 when the smazzata is over.
    int (*turn)(const void *state) noexcept nogil
    int (*side)(const void *rules, int seat) noexcept nogil
    # All actions of the seat that decides, its hand being known: none only in a view, where
    # cards are dealt next, and where the smazzata is over.
    void (*legal)(const void *rules, const void *state, Actions *out) noexcept nogil
    # How many those are; the list is there to work with.
    int64_t (*count)(const void *rules, const void *state, Actions *scratch) noexcept nogil
    # Sequences of exactly so many actions, with a list to work with for each depth, -1 where a
    # hidden card would be needed, -2 out of memory, -3 stopped; NULL where the contract's own
    # count, which is slower by a tenth, will do.
    int64_t (*perft)(
        const void *rules, const void *state, int depth, Actions *levels, const bint *stop
    ) noexcept nogil
    # Plays a legal action; returns an EVENT_ code.
    int (*apply)(const void *rules, void *state, action_t action) noexcept nogil
    # What a seat sees of an action about to be played: the action, or one that says less.
    action_t (*seen)(const void *state, int seat, action_t action) noexcept nogil
    # The cards in a seat's hand, in a view those that the viewer knows.
    cardset (*hand)(const void *state, int seat) noexcept nogil
    # What a seat saw of the last deal: its new hand, as a code.
    action_t (*dealt)(const void *state, int seat) noexcept nogil
    # Plays on to where the outcome can be told, and tells it; returns the actions played.
    int (*finish)(
        const void *rules, void *aid, void *state, Rng *rng, Actions *scratch, Outcome *out
    ) noexcept nogil
    # Whether ``finish`` would not play on where cards were just dealt.  NULL: it would.
    bint (*known)(const void *rules, const void *aid, const void *state) noexcept nogil
    # A whole truth drawn uniformly from those that agree with an information set.
    bint (*draw)(const void *rules, const void *knowledge, void *world, Rng *rng) noexcept nogil
    # How likely a world makes what the seats were seen to do, up to a factor; above 0.
    # NULL: all worlds alike.
    double (*likelihood)(
        const void *rules, const void *knowledge, const void *world) noexcept nogil


cdef struct Quick:
    # A quick way to play a game, and what its states between two deals are worth to it.
    const void *rules
    void *aid               # what the functions work with
    int items               # what a side's points are made of
    # Whether cards were just dealt and nothing was done since.
    bint (*fresh)(const void *rules, const void *state) noexcept nogil
    # Takes the last deal of a whole truth back and deals anew, each deal as often as it comes:
    # with misdeals and all where it is the first.
    void (*redeal)(const void *rules, void *state, Rng *rng) noexcept nogil
    # What the deals to come can be expected to bring where cards were just dealt, without a look
    # at the hands; False where nothing is known of it.
    bint (*expect)(
        const void *rules, void *aid, const void *state, Outcome *out) noexcept nogil
    # What best play comes to, where the rest can be solved at once; False where it can't.
    bint (*solve)(const void *rules, void *aid, const void *state, Outcome *out) noexcept nogil
    # Plays a whole truth on until cards are dealt (EVENT_DEAL) or it is over (EVENT_NONE), each
    # seat by what it knows; what ``solve`` solves perfectly.
    int (*advance)(const void *rules, void *aid, void *state, Rng *rng) noexcept nogil
    # What a smazzata that is over came to, and what it is made of, ``side * items + item``:
    # with the sign of the outcome's points, and adding up to them.
    void (*outcome)(const void *rules, const void *state, Outcome *out) noexcept nogil
    void (*itemise)(const void *rules, const void *state, double *out) noexcept nogil
