"""``cirulla train`` on the command line: its flags, and nothing that is slow to import."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.training.plan import FLAGS, PLANS, Plan

__all__ = ["add_parser", "run"]

DESCRIPTION = """\
Learn the values of public states, the ends of rounds, from the engine's own play, and write
an evaluation file for the option EvalFile.  The same command goes on where it was stopped;
the same seed makes the same file.  Where nothing else is asked for, some rules have
numbers of their own:
""" + "\n".join(
    f"{rules}: {', '.join(f'{name} {number}' for name, number in numbers.items())}"
    for rules, numbers in PLANS.items()
)


def add_parser(commands: Subparsers) -> None:
    """Add ``train`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "train", help="learn the values of public states", description=DESCRIPTION)
    parser.add_argument(
        "rules", nargs="*", metavar="RULES",
        help="rule sets, each a preset with its options in one word or quoted, as "
        "'cirulla players=3' (those of the shipped file)")
    parser.add_argument("--out", type=Path, default=Path("trained.eval"), metavar="FILE",
                        help="the evaluation file to write, or to add to (trained.eval)")
    parser.add_argument("--folder", type=Path, metavar="DIR",
                        help="where finished networks are kept, to go on from (FILE.parts)")
    for name, what in FLAGS.items():
        parser.add_argument(
            f"--{name}", type=whole_in(0, MAX_SEED), metavar="N",
            help=f"{what} ({getattr(Plan, name)})")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Needs the extra ``train``."""
    try:
        from cirulla_ai.training.run import run_training
    except ImportError as error:
        print(f"cirulla train: {error}; {how_to_get('train', 'numpy', error)}",
              file=sys.stderr)
        return 2
    return run_training(args)
