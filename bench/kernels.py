"""What ``ratio.py`` compares: prints rates by kernel as JSON.

All but random smazzate uses the public API alone, so that versions can be compared whose
insides differ.  Each kernel takes some 0.05 s of the processor's time, which is what counts:
other programs don't.  Only the protocol, between two processes, is timed by the clock.  The
best of four times is said; with ``-v`` also how long it took.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice

from cirulla_ai import Engine, Knowledge, Limit, Rules, State

Kernel = tuple[Callable[[], object], int]
"""What is timed, and how many of what is counted it does."""


def later(rules: str, seed: int, rounds: int) -> Knowledge:
    """What the seat to move knows in a round, with all that it has seen before: everybody plays
    the first action by its text."""
    start = state = State.deal(rules, seed=seed)
    words: list[str] = []
    while state.round < rounds or len(state.legal_actions()) < 2:
        words.append(min(map(str, state.legal_actions())))
        state = state.apply(words[-1])
    assert state.turn is not None
    return Knowledge.replay(start, words, state.turn)


def search(position: State | Knowledge, nodes: int, **options: bool) -> Kernel:
    """Iterations of one search."""
    engine = Engine()
    engine.set("Seed", 1)
    for name, value in options.items():
        engine.set(name, value)
    # What is made ready once.
    engine.play(position, Limit(nodes=10))
    return lambda: engine.play(position, Limit(nodes=nodes)), nodes


def last_rounds() -> Kernel:
    """Last rounds of two players, which the engine solves."""
    engine = Engine()
    places = [later("cirulla", seed, 6) for seed in range(20)]
    engine.play(places[0], Limit(nodes=10))
    return lambda: [engine.play(known, Limit(nodes=10)) for known in places * 25], 500


def perft() -> Kernel:
    state = State.deal("cirulla", seed=4)
    return lambda: state.perft(20), sum(state.perft(20).values())


def worlds() -> Kernel:
    known = later("cirulla", 4, 3)
    return lambda: [known.draw(seed) for seed in range(40_000)], 40_000


def states() -> Kernel:
    """States read from text, each with one of its legal actions played."""
    state, texts = State.deal("cirulla", seed=5), []
    while not state.is_over:
        texts.append(str(state))
        state = state.apply(state.legal_actions()[0])

    def run() -> None:
        for text in islice(cycle(texts), 500):
            there = State.parse(text)
            there.apply(there.legal_actions()[-1])

    return run, 500


def deals() -> Kernel:
    return lambda: [State.deal("cirulla", seed=seed) for seed in range(2000)], 2000


def protocol() -> Kernel:
    """Round trips of ``position`` and ``go`` to a process."""
    engine = subprocess.Popen([sys.executable, "-I", "-m", "cirulla_ai"], text=True, bufsize=1,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin and engine.stdout
    read, write = engine.stdout, engine.stdin

    def run(times: int = 50) -> None:
        for seed in range(times):
            write.write(f"position startpos rules=cirulla seed {seed}\ngo nodes 1\n")
            while not read.readline().startswith("bestmove"):
                pass

    run(5)
    return run, 50


KERNELS: dict[str, Callable[[], Kernel]] = {
    "random smazzate": lambda: (lambda: Rules("cirulla").table.random_games(45_000, 1), 45_000),
    "perft": perft,
    "first turn": lambda: search(State.deal("cirulla", seed=3), 30_000),
    "third round": lambda: search(later("cirulla", 4, 3), 40_000),
    "third round, played out": lambda: search(
        later("cirulla", 4, 3), 8_000, Evaluation=False),
    "last rounds solved": last_rounds,
    "three seats": lambda: search(later("scopa players=3", 4, 2), 20_000),
    "Scopone": lambda: search(State.deal("scopone-scientifico", seed=3), 15_000),
    "Ciapa No": lambda: search(later("ciapano", 4, 1), 10_000),
    "worlds": worlds,
    "states": states,
    "deals": deals,
    "protocol": protocol,
}


def timed(function: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    function()
    return clock() - start


if __name__ == "__main__":
    rates = {}
    for name, make in KERNELS.items():
        run, count = make()
        clock = time.perf_counter if name == "protocol" else time.process_time
        rates[name] = count / min(timed(run, clock) for _ in range(4))
        if "-v" in sys.argv:
            print(f"{name:24} {count / rates[name]:.3f} s", file=sys.stderr)
    print(json.dumps(rates))
