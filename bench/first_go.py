"""How soon the first decision of a fresh process is answered, and after how much of a search.

Prints for each set of rules the milliseconds and iterations of a ``go movetime 20`` that is the
first of its process: after ``position`` alone, after ``isready`` as well, and the same of
``Engine().play`` in Python.  Of some processes each the quickest, as others may be at work
on the machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter

from cirulla_ai.games.registry import PRESETS

MOVETIME = 20
# Rules beside the presets: three seats, longer matches, no learned values, later rounds.
MORE = (
    "cirulla players=3", "cirulla players=3 target=31", "cirulla players=3 target=101",
    "cirulla players=4", "cirulla target=101", "cirullone target=101", "cirulla claim=no",
    "cirulla scores=40/45",
)
IN_PYTHON = """
import sys
from time import perf_counter
from cirulla_ai import Engine, Knowledge, Limit, State
from cirulla_ai.protocol.position import parse_position
state = parse_position(sys.argv[1].split(), None).state
began = perf_counter()
*_, info = Engine().search(state, Limit(movetime=int(sys.argv[2])))
print(1000 * (perf_counter() - began), info.nodes)
"""


def by_protocol(rules: str, options: Sequence[str], *, ready: bool) -> tuple[float, int]:
    """Milliseconds to the ``bestmove`` of a fresh engine, and its iterations."""
    command = [sys.executable, "-m", "cirulla_ai"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, bufsize=1) as process:
        assert process.stdin and process.stdout
        for option in options:
            name, _, value = option.partition("=")
            process.stdin.write(f"setoption name {name} value {value}\n")
        # The answer to `legal` shows that the position has been set.
        process.stdin.write(f"position startpos rules={rules} seed 5\n"
                            + ("isready\n" if ready else "legal\n"))
        process.stdout.readline()
        began = perf_counter()
        process.stdin.write(f"go movetime {MOVETIME}\n")
        nodes = 0
        for line in process.stdout:
            words = line.split()
            if words[0] == "bestmove":
                break
            if "nodes" in words:
                nodes = int(words[words.index("nodes") + 1])
        took = 1000 * (perf_counter() - began)
        process.stdin.write("quit\n")
        return took, nodes


def in_python(rules: str) -> tuple[float, int]:
    """The same of a search without the protocol."""
    command = [sys.executable, "-c", IN_PYTHON, f"startpos rules={rules} seed 5", str(MOVETIME)]
    took, nodes = subprocess.run(
        command, check=True, capture_output=True, text=True).stdout.split()
    return float(took), int(nodes)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", help="those alone, as 'cirulla players=3'")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="of the engine, as Objective=match")
    parser.add_argument("--processes", type=int, default=3, metavar="N",
                        help="of which the quickest counts (3)")
    args = parser.parse_args()
    print(f"{'rules':32}  {'position':>15}  {'isready':>15}  {'Python':>15}")
    for rules in args.rules or (*PRESETS, *MORE):
        columns = []
        for ready in (False, True, None):
            took, nodes = min(
                in_python(rules) if ready is None
                else by_protocol(rules, args.option, ready=ready)
                for _ in range(args.processes))
            columns.append(f"{took:6.1f} ms {nodes:5}")
        print(f"{rules:32}  {'  '.join(columns)}", flush=True)


if __name__ == "__main__":
    main()
