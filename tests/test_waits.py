"""Waits in slices, as on Windows, and whole ones: the same comes of them."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import SimpleQueue

import pytest

from cirulla_ai.basics import waits


@pytest.fixture(params=[None, 0.001], ids=["whole", "sliced"], autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waits, "SLICE", request.param)


def test_a_result_that_comes_later() -> None:
    future: Future[int] = Future()
    timer = threading.Timer(0.02, future.set_result, (7,))
    timer.start()
    assert waits.result_of(future) == 7
    timer.join()


def test_an_error_is_raised_also_one_of_time() -> None:
    future: Future[int] = Future()
    future.set_exception(TimeoutError("its own"))
    with pytest.raises(TimeoutError, match="its own"):
        waits.result_of(future)


def test_what_comes_next() -> None:
    queue: SimpleQueue[int] = SimpleQueue()
    timer = threading.Timer(0.02, queue.put, (7,))
    timer.start()
    assert waits.next_of(queue) == 7
    timer.join()


def test_a_condition_that_comes_true() -> None:
    changed, seen = threading.Condition(), [0]

    def change() -> None:
        for _ in range(3):
            with changed:
                seen[0] += 1
                changed.notify_all()

    timer = threading.Timer(0.02, change)
    timer.start()
    with changed:
        waits.wait_for(changed, lambda: seen[0] == 3)
    assert seen == [3]
    timer.join()
