"""``cirulla bench``: the search's signature and speed."""

from __future__ import annotations

import argparse

from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers, leave_interrupts, print_lines
from cirulla_ai.engine.bench import MAX_BENCH, run_bench
from cirulla_ai.engine.options import OPTIONS

__all__ = ["add_parser", "run"]


def add_parser(commands: Subparsers) -> None:
    """Add ``bench`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "bench", help="search fixed positions: signature and speed",
        description="Search fixed positions at fixed iterations and seed.  'Nodes searched' is "
        "the signature, the same on every machine for one version with one thread.")
    parser.add_argument("threads", type=whole_in(1, OPTIONS["threads"].high), nargs="?", default=1,
                        metavar="THREADS")
    parser.add_argument("nodes", type=whole_in(1, MAX_BENCH), nargs="?", default=2000,
                        metavar="NODES", help="iterations a position (2000)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    leave_interrupts()
    print_lines(run_bench(args.threads, args.nodes))
    return 0
