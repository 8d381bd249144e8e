"""Smazzate that the engine's quick policy plays against itself: what training learns from.

A sample is a public state at the end of a round with the points that each side got from
there on, in the mean of several deals of what is left; or the state after a play, as the
mover sees it, with the margin that it got from there on.
"""

from libc.stdint cimport INT64_MAX, int8_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from cirulla_ai._core.contract cimport margin
from cirulla_ai._core.fishing cimport (
    PHASE_DONE, FishingRules, FishingState, fishing_deal_random, next_round, next_seat,
    plays_left, side_of,
)
from cirulla_ai._core.fishing_endgame cimport (
    Solver, quickly_solved, solvable, solve_outcome, solver_free,
)
from cirulla_ai._core.fishing_policy cimport Policy, policy_free, policy_play
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_scoring cimport fishing_outcome
from cirulla_ai._core.fishing_value cimport Value, state_value
from cirulla_ai._core.game cimport MAX_SIDES, Outcome
from cirulla_ai._core.rng cimport Rng, rng_shuffle
from cirulla_ai._core.stop cimport Stop

cdef enum:
    # Of one round.
    MAX_PLAYS = 40


cdef void finish(
    const FishingRules *r, Policy *policy, Solver *solver, FishingState *s, int round, Rng *rng,
    Outcome *out,
) noexcept nogil:
    """Play to the end of a round; what it comes to, or only the points to be expected."""
    while s.phase != PHASE_DONE and s.round <= round:
        if quickly_solved(r) and solvable(r, s) and solve_outcome(solver, s, out):
            return
        policy_play(policy, r, s, rng)
    if s.phase == PHASE_DONE:
        fishing_outcome(r, s, out)
    else:
        state_value(policy.nets, r, s, s.round - 1, out.points)


cdef void redeal(const FishingRules *r, FishingState *s, Rng *rng) noexcept nogil:
    """Take back the hands of a round that was just dealt, shuffle and deal again."""
    s.at -= r.players * r.rounds[s.round - 1]
    s.round -= 1
    rng_shuffle(rng, s.stock + s.at, s.end - s.at)
    next_round(r, s)


cdef void public_row(
    const FishingRules *r, const FishingState *s, int side, uint64_t *row
) noexcept nogil:
    """What is open for all, counted from a side: the table, what each side has taken, 1 + the
    side that captured last (0 none), the declared value of a matta on the table."""
    cdef int k
    row[0] = s.table
    for k in range(r.sides):
        row[1 + k] = s.taken[(side + k) % r.sides]
    row[1 + r.sides] = 0 if s.last < 0 else 1 + (s.last - side + r.sides) % r.sides
    row[2 + r.sides] = s.declared if s.table & r.matta_bit else 0


cdef class SelfPlay:
    """Plays by the networks ``value`` with a softmax of ``temperature`` points.

    ``seed`` gives the whole sequence of what it makes.
    """

    cdef FishingTable rules
    cdef Value value
    cdef Policy policy
    cdef Solver solver
    cdef Rng rng
    cdef Stop stop

    def __cinit__(
        self, FishingTable rules, Value value not None, double temperature, uint64_t seed
    ):
        memset(&self.policy, 0, sizeof(Policy))
        memset(&self.solver, 0, sizeof(Solver))
        self.rules = rules
        self.value = value
        self.policy.nets = &value.c
        self.policy.temperature = temperature
        self.stop = Stop()
        self.solver.rules = &rules.c
        self.solver.most_nodes = 1 << 20
        self.solver.deadline = INT64_MAX
        self.solver.stop = &self.stop.raised
        self.rng.state = seed

    def __dealloc__(self):
        policy_free(&self.policy)
        solver_free(&self.solver)

    @staticmethod
    def solves(FishingTable rules):
        """Whether the last round is played perfectly."""
        return quickly_solved(&rules.c)

    cdef void deal(self, FishingState *s, int64_t game) noexcept nogil:
        memset(s, 0, sizeof(FishingState))
        s.dealer = <int8_t>(game % self.rules.c.players)
        fishing_deal_random(&self.rules.c, s, &self.rng)

    def states(
        self, int round, int deals, Value later not None, uint64_t[:, ::1] states,
        float[:, ::1] points,
    ):
        """Fill arrays with samples of the end of a round (from 1).

        ``states``: a row each of the table, what each side has taken from the leader's on,
        1 + the side that captured last (0 none), the declared value of a matta on the table.
        ``points``: for the same sides, points over the whole smazzata less the scopas made
        so far, in the mean of ``deals`` deals of the next round.  It is played by the
        networks ``later``, and its end is worth what they say.
        """
        cdef const FishingRules *r = &self.rules.c
        cdef FishingState s, t
        cdef Policy next
        cdef double total[MAX_SIDES]
        cdef Outcome out
        cdef int64_t i, n = states.shape[0], game = 0
        cdef int _k, side, leader
        memset(&next, 0, sizeof(Policy))
        next.nets = &later.c
        next.temperature = self.policy.temperature
        with nogil:
            i = 0
            while i < n:
                self.deal(&s, game)
                game += 1
                while s.phase != PHASE_DONE and s.round <= round:
                    policy_play(&self.policy, r, &s, &self.rng)
                if s.phase == PHASE_DONE:
                    continue
                leader = side_of(r, s.turn)
                public_row(r, &s, leader, &states[i, 0])
                for side in range(r.sides):
                    total[side] = 0
                for _k in range(deals):
                    memcpy(&t, &s, sizeof(FishingState))
                    redeal(r, &t, &self.rng)
                    finish(r, &next, &self.solver, &t, round + 1, &self.rng, &out)
                    for side in range(r.sides):
                        total[side] += out.points[side] - s.scopa[side]
                for side in range(r.sides):
                    points[i, side] = total[(leader + side) % r.sides] / deals
                i += 1
        policy_free(&next)

    def afterstates(
        self, int round, int deals, uint64_t[:, ::1] states, float[::1] margins,
    ):
        """Fill arrays with samples of afterstates of a round (from 1).

        ``states``: a row each of the hand that the mover keeps, what ``states`` has, from the
        mover's side on, the plays left in the round.  ``margins``: the
        mover's points from there on minus the mean of the others'.
        """
        cdef const FishingRules *r = &self.rules.c
        cdef FishingState s, t
        cdef Outcome out
        cdef int64_t i = 0, j, n = states.shape[0], game = 0
        cdef int _k, k, side, mover, left
        cdef double points[MAX_SIDES]
        # Of the plays of this deal: the mover, and its margin before.
        cdef int movers[MAX_PLAYS]
        cdef double before[MAX_PLAYS]
        with nogil:
            while i < n:
                self.deal(&s, game)
                game += 1
                while s.phase != PHASE_DONE and s.round < round:
                    policy_play(&self.policy, r, &s, &self.rng)
                if s.phase == PHASE_DONE:
                    continue
                for _k in range(deals):
                    memcpy(&t, &s, sizeof(FishingState))
                    if round > 1:
                        redeal(r, &t, &self.rng)
                    j = i
                    left = plays_left(r, &t)
                    while t.phase != PHASE_DONE and t.round == round and j < n:
                        mover = side_of(r, t.turn)
                        k = t.turn
                        policy_play(&self.policy, r, &t, &self.rng)
                        if plays_left(r, &t) != left - 1 or left == 1:
                            # A claim tells nothing; the last play is the end of the round.
                            continue
                        left -= 1
                        states[j, 0] = t.hand[k]
                        public_row(r, &t, mover, &states[j, 1])
                        for side in range(r.sides):
                            points[side] = t.scopa[side]
                        states[j, 4 + r.sides] = left
                        movers[j - i] = mover
                        before[j - i] = margin(points, mover, r.sides)
                        j += 1
                    finish(r, &self.policy, &self.solver, &t, round, &self.rng, &out)
                    for k in range(<int>(j - i)):
                        margins[i + k] = <float>(
                            margin(out.points, movers[k], r.sides) - before[k])
                    i = j

    def results(self, int[:, ::1] points, float[:, :, ::1] expected):
        """Fill arrays with whole smazzate; the leader's side is the first, the dealer's the last.

        ``points``: a row of each side's points (the target where it won the match
        outright) and, 1 + the side that won it outright, 0 none.  ``expected``: for the
        end of each round but the last, the points that each side could expect then.
        """
        cdef const FishingRules *r = &self.rules.c
        cdef FishingState s
        cdef Outcome out
        cdef double now[MAX_SIDES]
        cdef int64_t i
        cdef int side, leader, round
        with nogil:
            for i in range(points.shape[0]):
                self.deal(&s, i)
                leader = side_of(r, next_seat(r, s.dealer))
                for round in range(1, r.n_rounds):
                    while s.phase != PHASE_DONE and s.round <= round:
                        policy_play(&self.policy, r, &s, &self.rng)
                    if s.phase != PHASE_DONE:
                        state_value(self.policy.nets, r, &s, round, now)
                    for side in range(r.sides):
                        expected[i, round - 1, side] = now[(leader + side) % r.sides]
                finish(r, &self.policy, &self.solver, &s, r.n_rounds, &self.rng, &out)
                for side in range(r.sides):
                    points[i, side] = <int>out.points[(leader + side) % r.sides]
                points[i, r.sides] = 0 if out.won < 0 else (
                    1 + (out.won - leader + r.sides) % r.sides)
