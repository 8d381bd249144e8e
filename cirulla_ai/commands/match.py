"""``cirulla match`` on the command line: its flags, and nothing that is slow to import."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.commands.arguments import real_in, whole_in
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.match import MOST_SMAZZATE
from cirulla_ai.players import PLAYERS
from cirulla_ai.tournament.schedule import FORMATS

__all__ = ["add_parser", "run"]

# Credited for a forfeit, as a record can hold them.
MOST_POINTS = 1_000_000
# More than any cluster plays at a time.
MOST_JOBS = 10_000
MILLISECONDS = real_in(0, 1e12)

EXAMPLE = """\
examples:
  cirulla match --engine name=A,cmd=cirulla,option.Hash=16 --engine name=B,player=greedy \\
      --deals 200 --movetime 20 --concurrency 2
  cirulla match --engine player=careful --engine player=random --rules scopone --deals 500
  cirulla match --engine name=new,cmd=./new --engine name=old,cmd=./old --nodes 4000 \\
      --deals 20000 --sprt points0=0,points1=0.3

The same command goes on where it was stopped.  Exit codes: 0 fine, 1 an engine misbehaved,
2 wrong use or something could not be written, 130 interrupted, 143 and 129 ended by SIGTERM
and SIGHUP.
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``match`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "match", help="play engines against each other",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Play engines against each other over duplicate deals: every deal is "
        "played again\nwith the engines exchanged, so that the luck of the cards cancels.",
        epilog=EXAMPLE)
    who = parser.add_argument_group("who plays")
    who.add_argument(
        "--engine", action="append", default=[], metavar="KEY=VALUE,…",
        help="an engine, twice or more: cmd=COMMAND starts a program that speaks the protocol, "
        f"player=NAME is one of ours (engine, {', '.join(PLAYERS)}) or a class of yours "
        "(module:Class); name=NAME, "
        "option.NAME=VALUE, and movetime, nodes, time, inc for it alone (player=engine "
        "without: 2000 nodes)")
    who.add_argument("--format", choices=FORMATS, default="round-robin",
                     help="more than two engines: all pairs, or the first against each other")
    what = parser.add_argument_group("what is played")
    what.add_argument("--rules", default="cirulla", metavar="TOKENS",
                      help="a preset and options, as 'scopone target=31' (cirulla)")
    what.add_argument("--deals", default="100", metavar="N|FILE",
                      help="deal sets for each pairing (100), or a file of packs, forty cards a "
                      "line in deal order")
    what.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="N",
                      help="of the deals (1)")
    what.add_argument("--matches", action="store_true",
                      help="whole matches to the target, instead of single smazzate")
    what.add_argument("--smazzate", type=whole_in(1, MOST_POINTS), default=MOST_SMAZZATE,
                      metavar="N", help="how many a match may have; it then goes to who leads "
                      f"({MOST_SMAZZATE})")
    what.add_argument("--forfeit-points", type=whole_in(0, MOST_POINTS), default=10, metavar="N",
                      help="what a smazzata lost by a fault costs (10)")
    clock = parser.add_argument_group("clock, for all engines")
    clock.add_argument("--movetime", type=MILLISECONDS, metavar="MS", help="for each action")
    clock.add_argument("--nodes", type=whole_in(1, 10**12), metavar="N", help="search iterations")
    clock.add_argument("--time", type=MILLISECONDS, metavar="MS", help="for the whole smazzata")
    clock.add_argument("--inc", type=MILLISECONDS, metavar="MS", help="added after each action")
    clock.add_argument("--margin", type=MILLISECONDS, default=1000, metavar="MS",
                       help="how late an answer may be before it is a fault (1000)")
    what.add_argument("--luck", action="store_true",
                      help="take the luck of the deals out of the result as well, and say whether "
                      "that makes it surer")
    how = parser.add_argument_group("how it is run")
    how.add_argument("--concurrency", type=whole_in(1, MOST_JOBS), default=1, metavar="N",
                     help="deal sets played at the same time (1)")
    how.add_argument("--scheduler", metavar="ADDRESS",
                     help="a Dask scheduler's address, or mpi, instead of own processes")
    how.add_argument("--sprt", metavar="KEY=VALUE,…",
                     help="stop when it is decided, after --deals at the latest: "
                     "points0=0,points1=0.5 or elo0=0,elo1=20; alpha=, beta= (0.05), "
                     "model=logistic|normalised")
    out = parser.add_argument_group("what comes out")
    out.add_argument("--out", type=Path, metavar="FILE",
                     help="the results, which a later run goes on with (a name made from what "
                     "is played)")
    out.add_argument("--records", type=Path, metavar="FILE",
                     help="every smazzata as text")
    out.add_argument("--plot", type=Path, action="append", default=[], metavar="FILE",
                     help="a plot of the result, PNG or SVG")
    out.add_argument("--json", action="store_true", help="the result as one last line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Needs the extra ``match``."""
    try:
        from cirulla_ai.tournament.tournament import run_match
    except ImportError as error:
        print(f"cirulla match: {error}; {how_to_get('match', 'rich', error)}",
              file=sys.stderr)
        return 2
    return run_match(args)
