"""Compare the speed of two builds: ``python bench/ratio.py PYTHON_A PYTHON_B``.

Each argument is an interpreter that has cirulla_ai installed.  The two take turns, so that
what disturbs the machine disturbs both, and the best round of each counts.  With one
argument its own two builds are compared: the one for any processor and the one imported.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess

KERNELS = """
import json, time
from cirulla_ai import Engine, Limit, Rules, State

def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start

def search():
    engine = Engine()
    engine.set("Seed", 1)
    state = State.deal("cirulla", seed=3)
    engine.play(state, Limit(nodes=10))
    return lambda: engine.play(state, Limit(nodes=50_000))

table = Rules("cirulla").table
position = State.deal("cirulla", seed=4).position
print(json.dumps({
    "random smazzate": 100_000 / timed(lambda: table.random_games(100_000, 1)),
    "perft 14": position.perft(14) / timed(lambda: position.perft(14)),
    "search": 50_000 / timed(search()),
}))
"""


def rates(python: str, baseline: bool) -> dict[str, float]:
    env = dict(os.environ, CIRULLA_BASELINE="1" if baseline else "")
    out = subprocess.run([python, "-c", KERNELS], env=env, check=True, capture_output=True)
    return {name: float(rate) for name, rate in json.loads(out.stdout).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("python", nargs="+", metavar="PYTHON", help="one or two interpreters")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    first, second = args.python[0], args.python[-1]
    alone = len(args.python) == 1
    best: list[dict[str, float]] = [{}, {}]
    for _ in range(args.rounds):
        for k, (python, baseline) in enumerate([(first, alone), (second, False)]):
            for name, rate in rates(python, baseline).items():
                best[k][name] = max(best[k].get(name, 0.0), rate)
    for name, rate in best[0].items():
        other = best[1][name]
        print(f"{name:16} {rate / 1e6:8.3f} M/s {other / 1e6:8.3f} M/s  ratio {other / rate:.3f}")


if __name__ == "__main__":
    main()
