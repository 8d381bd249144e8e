"""``cirulla met``: the match equity table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers, print_lines
from cirulla_ai.engine.evaluation_file import MOST_TARGET, load_evaluation
from cirulla_ai.games.options import RulesError
from cirulla_ai.rules import Rules

__all__ = ["add_parser", "met_lines", "run"]

# Between smazzate there is nothing to come of one.
BETWEEN = 0
# By the number of sides, what side 0 does in the next smazzata and which side dealt the last.
PARTS = {
    2: (("deals", 1), ("leads", 0)),
    3: (("deals", 2), ("leads", 1), ("comes second", 0)),
}


def add_parser(commands: Subparsers) -> None:
    """Add ``met`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "met", help="the match equity table",
        description="Print the chance to win the match, in per cent, for a side with so many "
        "points (rows) against so many of the other (columns), before a smazzata that it "
        "deals and before one that it leads; of three sides the next one in turn has the points "
        "of the column, the last one those of --third.  For rules that the evaluation file knows.")
    parser.add_argument("rules", nargs="*", metavar="RULES",
                        help="a preset and options, as 'cirulla target=31' (cirulla)")
    parser.add_argument("--step", type=whole_in(1, MOST_TARGET), default=5, metavar="N",
                        help="points between rows and columns (5)")
    parser.add_argument("--third", type=whole_in(0, MOST_TARGET), default=0, metavar="N",
                        help="points of the third side, where there are three (0)")
    parser.add_argument("--eval", default="", metavar="FILE", dest="file",
                        help="an evaluation file, instead of the one that comes with the engine")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueErrors for a wrong use."""
    print_lines(met_lines(args))
    return 0


def met_lines(args: argparse.Namespace) -> Iterator[str]:
    """The table as text; raises RulesError where there is none, EvaluationError for the file."""
    rules = Rules.parse(" ".join(args.rules) or "cirulla")
    evaluation = load_evaluation(args.file)
    if not evaluation.has_results(rules):
        raise RulesError(f"{rules}: the evaluation file has no match equity table for these rules; "
                         f"there are none to more than {MOST_TARGET} points")
    if not 1 <= args.step <= rules.target:
        raise ValueError(f"--step {args.step}: 1 … {rules.target}")
    if not 0 <= args.third < rules.target or (args.third and rules.sides == 2):
        raise ValueError(f"--third {args.third}: " + (
            "there are two sides" if rules.sides == 2 else f"0 … {rules.target - 1}"))
    equity = evaluation.equity(rules)
    scores = range(0, rules.target, args.step)
    third = [args.third] * (rules.sides - 2)
    where = f", {args.third} points for the third side" if third else ""
    for words, last_dealer in PARTS[rules.sides]:
        yield (f"{rules}: per cent of matches to {rules.target} "
               f"for the side that {words} next{where}")
        yield "     " + "".join(f"{b:6d}" for b in scores)
        for a in scores:
            row = (equity.chances([a, b, *third], last_dealer, -1, BETWEEN)[0][0] for b in scores)
            yield f"{a:5d}" + "".join(f"{100 * chance:6.1f}" for chance in row)
        yield ""
