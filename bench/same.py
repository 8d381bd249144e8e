"""Compare what two installs say: ``python bench/same.py PYTHON_A PYTHON_B``.

Each argument is an interpreter that has cirulla_ai installed.  Both are asked the same through
the command line alone, so that they may be laid out differently inside: the bench signature in
both builds, every test vector, perft, searches by fixed seeds and nodes, the records of a
match, a small trained file.  Times and speeds are left out; all the rest must be the same byte
for byte.  Where it is not, the first lines that differ are shown, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
PRESETS = (
    "cirulla", "cirulla players=3", "cirulla-luzzati", "cirulla-spezia", "cirullone", "scopa",
    "scopone", "ciapano",
)
# What differs from run to run, and who is asked.
TIMES = (
    (re.compile(r" nps \d+ time \d+"), ""), (re.compile(r"^Nodes/second: \d+", re.M), ""),
    (re.compile(r"^id name .*", re.M), ""), (re.compile(r"\b[\d.]+s\b"), ""),
    (re.compile(r"^results in .*", re.M), ""),
)
SHOWN = 20


class Install:
    """One install, asked in a folder of its own."""

    def __init__(self, python: str, folder: Path) -> None:
        # Not resolved: an environment is known by the link that its python is.
        self.python = os.path.abspath(python) if os.sep in python else python
        self.folder = folder

    def run(self, *arguments: str, lines: str = "", baseline: bool = False) -> str:
        """What ``cirulla ARGUMENTS`` says, without times."""
        env = dict(os.environ, CIRULLA_BASELINE="1" if baseline else "", NO_COLOR="1")
        done = subprocess.run(
            [self.python, "-m", "cirulla_ai", *arguments], input=lines.encode(), env=env,
            cwd=self.folder, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{self.python} -m cirulla_ai {' '.join(arguments)}: exit code "
                             f"{done.returncode}\n{done.stderr.decode(errors='replace')}")
        return timeless(done.stdout.decode())


    def talk(self, lines: Iterable[str]) -> str:
        """What the engine says to these lines, each answered before the next is sent."""
        with subprocess.Popen(
            [self.python, "-m", "cirulla_ai"], cwd=self.folder, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as engine:
            assert engine.stdin and engine.stdout
            said = []
            for line in lines:
                last = "bestmove" if line.startswith("go") else "readyok"
                print(line if last == "bestmove" else f"{line}\nisready", file=engine.stdin,
                      flush=True)
                while not (answer := engine.stdout.readline()).startswith(last):
                    if not answer:
                        raise SystemExit(f"{self.python}: has ended after {line}")
                    said.append(answer)
                said.append(answer)
            engine.stdin.close()
        return timeless("".join(said))


def timeless(text: str) -> str:
    """A text without times and speeds."""
    for pattern, place in TIMES:
        text = pattern.sub(place, text)
    return text


def signature(install: Install) -> str:
    return install.run("bench")


def baseline_signature(install: Install) -> str:
    return install.run("bench", baseline=True)


def vectors(install: Install) -> str:
    """Every position of the vectors, whatever it was meant to show."""
    return install.run(lines="".join(f"{line}\n" for line in vector_lines()))


def vector_lines() -> Iterator[str]:
    for path in sorted(DATA.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            if "pack" in row and "state" not in row:
                continue
            state = row.get("state") or row.get("text")
            if not state:
                continue
            moves = row.get("moves") or ([row["action"]] if "action" in row else [])
            yield f"position state {state}" + (f" moves {' '.join(moves)}" if moves else "")
            yield from ("d", "legal", "score", "eval", "view 0", "view 1", "perft 2")


def perft(install: Install) -> str:
    return "".join(install.run("perft", str(depth), "startpos", f"rules={rules}", "seed", "3")
                   for rules in PRESETS for depth in (1, 4))


def searches(install: Install) -> str:
    """Searches of positions with and without a history, by several options."""
    return install.talk(search_lines(install))


def search_lines(install: Install) -> Iterator[str]:
    yield from ("uci", "setoption name Seed value 7", "setoption name MultiPV value 3")
    for rules in PRESETS:
        start = f"startpos rules={rules} seed 11"
        moves: list[str] = []
        for turn in range(14):
            here = f"position {start}{' moves ' * bool(moves)}{' '.join(moves)}"
            legal = install.run(lines=f"{here}\nlegal\n").split()[1:]
            if not legal:
                break
            if turn % 4 == 1:
                yield here
                yield "go nodes 3000"
                if turn == 5:
                    for name, usual, other in (
                        ("Objective", "points", "match"), ("Evaluation", "true", "false"),
                        ("Inference", "true", "false"), ("Search", "tree", "flat"),
                        ("Skill Level", "20", "6"),
                    ):
                        yield f"setoption name {name} value {other}"
                        yield "go nodes 2000"
                        yield f"setoption name {name} value {usual}"
            moves.append(legal[(5 * turn + 2) % len(legal)])


def records(install: Install) -> str:
    """The records of matches between players of ours."""
    said = ""
    for rules, players in (("cirulla", "greedy random"), ("scopone", "careful greedy"),
                           ("ciapano", "rule random"), ("cirulla target=21", "engine careful")):
        path = install.folder / "records.txt"
        out = install.folder / f"results-{rules.replace(' ', '-')}.jsonl"
        engines = [word for player in players.split() for word in (
            "--engine", f"player={player}" + ",nodes=300" * (player == "engine"))]
        said += install.run(
            "match", *engines, "--rules", rules, "--deals", "4", "--seed", "5", "--json",
            "--records", path.name, "--out", out.name, *["--matches"] * ("target" in rules))
        said += path.read_text(encoding="utf-8")
    # Where lines are broken depends on the times in them.
    return "\n".join(timeless(said).split())


def trained(install: Install) -> str:
    """A small evaluation file."""
    path = install.folder / "small.eval"
    install.run("train", "cirulla rounds=9,9", "--out", path.name, "--samples", "2000", "--deals",
                "2", "--epochs", "2", "--plays", "4000", "--hidden", "8", "--generations", "1")
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()} of {path.stat().st_size} octets\n"


PROBES: tuple[Callable[[Install], str], ...] = (
    signature, baseline_signature, vectors, perft, searches, records, trained)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("python", nargs=2, metavar="PYTHON", help="an interpreter")
    args = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        installs = []
        for name, python in zip("AB", args.python, strict=True):
            place = Path(folder, name)
            place.mkdir()
            installs.append(Install(python, place))
        for probe in PROBES:
            name = probe.__name__.replace("_", " ")
            first, second = (probe(install) for install in installs)
            digest = hashlib.sha256(first.encode()).hexdigest()[:16]
            if first == second:
                print(f"{name:20} the same  {len(first):9} characters  {digest}", flush=True)
                continue
            different += 1
            print(f"{name:20} DIFFERENT", flush=True)
            lines = list(difflib.unified_diff(
                first.splitlines(), second.splitlines(), args.python[0], args.python[1],
                lineterm="", n=0))
            print("\n".join(lines[:SHOWN]), flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
