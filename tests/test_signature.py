"""What every build on every machine has to say alike: the bench's signature, the README's decision.

Beside the vectors this is what a wheel is tested by.  A commit that changes what the search does
puts the new signature into ``data/signature.txt`` and names it (``Bench: N``).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cirulla_ai import Action, State
from cirulla_ai._core import cpu

SIGNATURE = int((Path(__file__).parent / "data" / "signature.txt").read_text())
STATE = "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD scores=12/7 viewer=0"


def said(*arguments: str, text: str = "", **settings: str) -> str:
    """What the command says, in a process of its own."""
    env = {name: value for name, value in os.environ.items() if name != "CIRULLA_BASELINE"}
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", *arguments], input=text, env=env | settings,
        capture_output=True, text=True, timeout=250, check=True)
    return done.stdout


@pytest.mark.parametrize("baseline", ["", "1"], ids=["best build", "any processor"])
def test_the_bench_has_its_signature(baseline: str) -> None:
    version = said("--version", CIRULLA_BASELINE=baseline)
    assert ("x86-64-v3" in version) is (
        not baseline and cpu.has_second_build() and cpu.has_x86_64_v3())
    assert f"Nodes searched: {SIGNATURE}\n" in said("bench", CIRULLA_BASELINE=baseline)


def test_it_decides_the_position_of_the_readme() -> None:
    answer = said(text=f"position state {STATE}\ngo nodes 20000\n")
    found = re.search(r"^bestmove (\S+)", answer, re.MULTILINE)
    assert found, answer
    assert Action(found.group(1)) in State.parse(STATE).legal_actions()
    # Nine or less in hand once the seven of hearts stands for 1: three points at once.
    assert found.group(1) == "!3C4D7H=1"
