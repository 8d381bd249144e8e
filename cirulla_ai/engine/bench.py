"""The bench: fixed positions at fixed iterations and seed, and its signature.

The signature is the number of actions that all the searches played, in their trees and
playouts: it changes with anything that the search does, and with nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from cirulla_ai._core.stop import Stop
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.state import State

__all__ = ["MAX_BENCH", "bench_positions", "run_bench"]

# Iterations a position, more than anybody waits for.
MAX_BENCH = 1 << 31


def bench_positions() -> Iterator[tuple[str, State]]:
    """For each preset a fresh deal and a later state, both whole truths."""
    for k, preset in enumerate(PRESETS):
        state = State.deal(preset, seed=1000 + k)
        yield preset, state
        for turn in range(12):
            actions = state.legal_actions()
            state = state.apply(actions[(7 * turn + k) % len(actions)])
            if state.is_over:
                break
        else:
            yield preset, state


def run_bench(
    threads: int = 1, nodes: int = 2000, *, stop: Stop | None = None,
    pulse: Callable[[], None] | None = None,
) -> Iterator[str]:
    """Search every bench position; a line each, then signature and speed.

    ``nodes`` are iterations a position; ``stop`` and ``pulse`` are those of
    ``Engine.search``.  With one thread the signature is the same on every machine.
    """
    stop = stop or Stop()
    engine = Engine()
    engine.set("Seed", 1)
    engine.set("Threads", threads)
    played = 0
    started = perf_counter()
    for preset, state in bench_positions():
        *_, info = engine.search(state, Limit(nodes=nodes), stop=stop, pulse=pulse)
        if stop.is_set():
            yield "info string bench stopped before its end"
            return
        played += info.actions_played or 0
        yield (f"info string bench {preset} {state.progress} bestmove {info.action} "
               f"cp {info.centipoints} actions {info.actions_played}")
    seconds = perf_counter() - started
    yield f"Nodes searched: {played}"
    yield f"Nodes/second: {round(played / max(seconds, 1e-9))}"
