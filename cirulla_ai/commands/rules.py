"""``cirulla rules``: the presets, and what their options are."""

from __future__ import annotations

import argparse

from cirulla_ai.commands.common import Subparsers, print_lines
from cirulla_ai.protocol.reports import rules_lines

__all__ = ["add_parser", "run"]


def add_parser(commands: Subparsers) -> None:
    """Add ``rules`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "rules", help="the presets, or one preset's options",
        description="List the presets, or the options of one with their values and meaning.")
    parser.add_argument("preset", nargs="?", metavar="PRESET")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises RulesError for an unknown preset."""
    print_lines(rules_lines(args.preset))
    return 0
