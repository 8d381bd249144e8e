"""How much time a decision may take: never more than half of what is left of a clock."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from cirulla_ai.engine.budget import Budget

MS = 1_000_000
# From nothing to for ever, and what front ends send by mistake.
TIMES = st.one_of(
    st.integers(-1000, 10_000), st.floats(-1.0, 1e6), st.just(float("inf")),
    st.integers(10**9, 10**30))


@given(st.none() | TIMES, TIMES, TIMES, st.integers(0, 20), st.integers(0, 5000))
@example(None, 1000, 3000, 9, 2)
@example(None, 50, 500, 9, 2)
@example(None, 300, 300, 1, 2)
@example(None, 1000, 0, 1, 0)
def test_never_more_than_half_of_what_is_left_and_the_overhead_is_kept(
    movetime: float | None, time: float, inc: float, plays: int, overhead: int
) -> None:
    budget = Budget.of(movetime, time, inc, plays, overhead)
    # To a nanosecond's rounding, or a double's.
    most = max(0.0, min(time, 1e12)) / 2
    if movetime is not None:
        most = min(most, max(0.0, movetime))
    # Of a short time at most half is kept.
    kept = min(overhead, most / 2)
    assert 0 <= budget.hard <= (most - kept) * MS * (1 + 1e-12) + 1
    assert budget.even is not None
    assert 0 <= budget.even <= budget.hard


@given(TIMES, TIMES, st.integers(0, 20), st.integers(0, 5000), st.integers(0, 10**12))
def test_the_next_look_comes_in_time(
    time: float, inc: float, plays: int, overhead: int, elapsed: int
) -> None:
    budget = Budget.of(None, time, inc, plays, overhead)
    look = budget.next_look(elapsed)
    assert look <= budget.hard
    # The search gets on, or it is over.
    assert look > elapsed or budget.is_spent(elapsed, [1, 1])


def test_an_increment_that_is_more_than_the_clock_is_no_reason_to_hurry() -> None:
    # Nine cards in hand: half of a second, less the overhead.
    assert Budget.of(None, 1000, 3000, 9, 2) == Budget(498 * MS, 498 * MS)
    # With as much as that on the clock it is the even share: 9000 / 9 + 3000.
    budget = Budget.of(None, 9000, 3000, 9, 0)
    assert budget.even == 4000 * MS
    assert budget.hard == 4500 * MS
