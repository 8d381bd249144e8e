"""Running a tournament: deal sets over workers, results stored as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.play import Conditions, play_set
from cirulla_ai.tournament.schedule import Schedule
from cirulla_ai.tournament.store import Store
from cirulla_ai.workers.pool import work

__all__ = ["run"]


def run(
    schedule: Schedule,
    contenders: Sequence[Contender],
    conditions: Conditions,
    store: Store,
    executor: Executor,
    *,
    in_flight: int,
    on_result: Callable[[dict[str, Any]], bool],
    on_interrupt: Callable[[int], None] = lambda running: None,
) -> None:
    """Play every deal set that the store does not have yet.

    ``in_flight`` deal sets are given out at a time.  ``on_result`` sees each finished one,
    stored already; where it returns True no more are begun.  Raises InterruptedByUserError
    as ``work`` does.
    """
    done = store.places()

    def keep(result: dict[str, Any]) -> bool:
        store.add(result)
        return on_result(result)

    work((partial(play_set, conditions, contenders, deal)
          for deal in schedule if deal.index not in done),
         executor, in_flight=in_flight, on_result=keep, on_interrupt=on_interrupt)
