"""Compare the speed of two builds: ``python bench/ratio.py PYTHON_A PYTHON_B``.

Each argument is an interpreter that has cirulla_ai installed.  The two take turns, so that
what disturbs the machine disturbs both, and the best round of each counts.  With one
argument its own two builds are compared: the one for any processor and the one imported.
Ratios are B's rates by A's; those outside 3 % are marked.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from pathlib import Path
from statistics import geometric_mean

KERNELS = Path(__file__).with_name("kernels.py")
NOTABLE = 0.03


def said_by(python: str, *words: str, baseline: bool = False) -> str:
    """What an interpreter prints.  Its own packages count, not those of the current folder."""
    env = dict(os.environ, CIRULLA_BASELINE="1" if baseline else "")
    return subprocess.run([python, "-I", *words], env=env, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("python", nargs="+", metavar="PYTHON", help="one or two interpreters")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    first, second = args.python[0], args.python[-1]
    alone = len(args.python) == 1
    for name, python in zip("AB", (first, second), strict=True):
        where = said_by(python, "-c", "import cirulla_ai; print(cirulla_ai.__path__[0])")
        print(f"{name} {where.strip()}{', for any processor' * (alone and name == 'A')}")
    best: list[dict[str, float]] = [{}, {}]
    turns = [*zip(best, (first, second), (alone, False), strict=True)]
    for _ in range(args.rounds):
        # A B, B A, …: none is always the one to begin.
        turns.reverse()
        for rates, python, baseline in turns:
            for name, rate in json.loads(said_by(python, str(KERNELS), baseline=baseline)).items():
                rates[name] = max(rates.get(name, 0.0), rate)
    ratios = {name: best[1][name] / rate for name, rate in best[0].items()}
    for name, ratio in ratios.items():
        a, b = (f"{rates[name]:12,.0f}/s" for rates in best)
        mark = "" if abs(ratio - 1) <= NOTABLE else "  slower" if ratio < 1 else "  faster"
        print(f"{name:24} {a} {b}  ratio {ratio:.3f}{mark}")
    print(f"{'geometric mean':52}  ratio {geometric_mean(ratios.values()):.3f}")


if __name__ == "__main__":
    main()
