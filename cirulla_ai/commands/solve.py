"""``cirulla solve``: rounds that can be solved."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.basics.terminal import wants_colour
from cirulla_ai.commands.arguments import real_in, whole_in
from cirulla_ai.commands.common import Subparsers, leave_interrupts, print_lines

if TYPE_CHECKING:
    from cirulla_ai.analysis.positions import FilePosition
    from cirulla_ai.analysis.solve import Solution

__all__ = ["add_parser", "run"]

MOST_ITERATIONS = 10**6

EXAMPLE = """\
examples:
  cirulla solve state rules=cirulla dealer=1 turn=1 round=6 hands=JH/4HQC \\
    table=3C4CQHKS scopa=2/17 last=0 \\
    taken=AHADAC2C4D4S5H5D5C6H6D6C6S7C7SJDJCJSQSKD/AS2H2D2S3H3D3S5S7H7DQDKHKC
  cirulla solve --file positions.txt --inference --json > solutions.jsonl
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``solve`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "solve", help="solve a last round, or the last but one as an equilibrium",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Solve what is left of a round, by what the seat to move knows: how often to "
        "play what,\nwhat each play is worth, and what it loses.  The last round of two players, "
        "and the\nlast tricks, where all cards are known, are solved exactly; the last round but "
        "one of\ntwo players as an equilibrium over all hands.",
        epilog=EXAMPLE)
    parser.add_argument(
        "position", nargs="*", metavar="POSITION",
        help="as after the protocol's position: 'state TOKENS… [moves A…]' or 'startpos …'")
    parser.add_argument("--file", metavar="FILE",
                        help="a position a line, - for standard input; # begins a remark")
    limits = parser.add_argument_group("when an equilibrium is good enough, whichever comes first")
    limits.add_argument("--gap", type=real_in(0, 1e6), metavar="POINTS",
                        help="it can be exploited by no more than this (0.01)")
    limits.add_argument("--iterations", type=whole_in(1, MOST_ITERATIONS), metavar="N",
                        help="iterations at the most (2000)")
    limits.add_argument("--movetime", type=real_in(0, 1e12), metavar="MS",
                        help="milliseconds at the most, laying out the round among them (300000)")
    parser.add_argument("--inference", action="store_true",
                        help="hands are as likely as what was played makes them, not all alike")
    parser.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="S",
                        help="deals a startpos that names none (1); nothing else is random")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each position")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command: 0 all is well, 2 a position can't be read or solved.

    Raises ValueError for a wrong use.
    """
    leave_interrupts()
    from cirulla_ai.commands.positions import asked

    if bool(args.position) == (args.file is not None):
        raise ValueError("a POSITION is needed, as 'state rules=cirulla …', or --file, and one of "
                         "them only")
    code = 0
    for place, game in enumerate(asked(args)):
        answer = _answer(game, args)
        if isinstance(answer, ValueError):
            code = 2
        _say(args, place, game, answer)
    return code


def _answer(game: FilePosition, args: argparse.Namespace) -> Solution | ValueError:
    from cirulla_ai.analysis.solve import solve

    if isinstance(game.game, ValueError):
        return game.game
    given = {name: value for name in ("gap", "iterations", "movetime")
             if (value := getattr(args, name)) is not None}
    try:
        return solve(game.game, inference=args.inference, **given)
    except ValueError as error:
        return error


def _say(
    args: argparse.Namespace, place: int, game: FilePosition, answer: Solution | ValueError
) -> None:
    """Print a solution, or what is wrong."""
    from cirulla_ai.analysis.dialect import error_words, written
    from cirulla_ai.analysis.solution_report import solution_lines
    from cirulla_ai.commands.positions import place_of

    where = place_of(args, game)
    if args.json:
        print_lines([written(error_words(answer, **where) if isinstance(answer, ValueError)
                             else answer.as_dict())])
        return
    heading = f"{args.file}, line {game.line}" if where else ""
    if isinstance(answer, ValueError):
        print(f"cirulla solve: {heading}{': ' * bool(heading)}{answer}", file=sys.stderr)
        return
    above = ["", heading] if place else [heading]
    print_lines([*(above if heading else ()),
                 *solution_lines(answer, colour=wants_colour(sys.stdout))])
