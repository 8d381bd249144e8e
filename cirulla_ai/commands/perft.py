"""``cirulla perft``: how many sequences of actions there are."""

from __future__ import annotations

import argparse

from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers, leave_interrupts, print_lines
from cirulla_ai.protocol.position import parse_position
from cirulla_ai.protocol.reports import perft_lines
from cirulla_ai.state import MAX_DEPTH

__all__ = ["add_parser", "run"]


def add_parser(commands: Subparsers) -> None:
    """Add ``perft`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "perft", help="count action sequences",
        description="Count the sequences of exactly DEPTH actions from a position.")
    parser.add_argument("depth", type=whole_in(1, MAX_DEPTH), metavar="DEPTH",
                        help=f"1 … {MAX_DEPTH}")
    parser.add_argument(
        "position", nargs=argparse.REMAINDER, metavar="POSITION",
        help="as after the protocol's position: 'state TOKENS… [moves A…]' or 'startpos …' "
        "(startpos seed 0)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for a position that can't be."""
    leave_interrupts()
    words = " ".join(args.position).removeprefix("\ufeff").split()
    position = parse_position(words or ["startpos", "seed", "0"], None)
    print_lines(perft_lines(position.state, args.depth))
    return 0
