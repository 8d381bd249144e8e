"""``cirulla rollout``: a decision played on to the end, many times from each action."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.basics.outputs import why as why_not
from cirulla_ai.commands.arguments import real_in, whole_in
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.players import PLAYERS
from cirulla_ai.protocol.position import parse_position

if TYPE_CHECKING:
    from cirulla_ai.analysis.rollout import Rollout

__all__ = ["add_parser", "run"]

# What a rollout does where nothing else is said.
TRIALS, MINIMUM, JOINT_ERRORS, NODES = 5184, 324, 2.33, 200
MOST_TRIALS = 10**9
MOST_WORKERS = 10_000
WIDTH = 80

EXAMPLE = """\
examples:
  cirulla rollout state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0
  cirulla rollout startpos rules=scopa seed 3 --policy engine --nodes 500 --workers 4 \\
      --resume first.jsonl

With --resume the same command, or one with more trials, goes on where it was stopped.
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``rollout`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "rollout", help="play a decision on to the end, many times from each action",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Play a decision on to the end, many times from each action, in the same "
        "worlds and\ndeals: what each is worth, by scoring item, and how sure that is.",
        epilog=EXAMPLE)
    parser.add_argument(
        "position", nargs="*", metavar="POSITION",
        help="as after the protocol's position: 'state TOKENS… [moves A…]' or 'startpos …' "
        "(startpos seed 0)")
    parser.add_argument("--policy", default="quick", metavar="NAME",
                        help="by what all seats play on: quick, engine, a player "
                        f"({', '.join(PLAYERS)}) or a class of yours, module:Class (quick)")
    parser.add_argument("--nodes", type=whole_in(1, 10**12), default=NODES, metavar="N",
                        help=f"iterations of a decision by the engine ({NODES})")
    parser.add_argument("--trials", type=whole_in(1, MOST_TRIALS), default=TRIALS, metavar="N",
                        help=f"how many at most ({TRIALS})")
    parser.add_argument("--min", type=whole_in(1, MOST_TRIALS), default=MINIMUM, metavar="N",
                        dest="minimum", help=f"and at least ({MINIMUM})")
    parser.add_argument("--until", type=real_in(0, 1e6), default=JOINT_ERRORS,
                        metavar="JOINT_ERRORS",
                        help="an action as many joint errors behind is given up, and with the "
                        f"last of them it ends ({JOINT_ERRORS})")
    parser.add_argument("--workers", type=whole_in(1, MOST_WORKERS), default=1, metavar="N",
                        help="processes that play trials, or how many of a cluster's (1); the "
                        "result is the same for any")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="a Dask scheduler's address, or mpi, instead of own processes")
    parser.add_argument("--resume", type=Path, metavar="FILE",
                        help="keep the trials in a file, and go on from what it has")
    parser.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="N",
                        help="of the worlds and deals (1)")
    parser.add_argument("--json", action="store_true", help="one object of JSON, and nothing else")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for a position that can't be."""
    from cirulla_ai.workers.ending import Ending

    with Ending() as ending:
        return _run(args)
    assert ending.signal
    return 128 + ending.signal


def _run(args: argparse.Namespace) -> int:
    from cirulla_ai.analysis.dialect import written
    from cirulla_ai.analysis.rolling import roll_out
    from cirulla_ai.analysis.rollout import prepared
    from cirulla_ai.workers.mpi import count_mpi_workers

    words = " ".join(args.position).removeprefix("\ufeff").split()
    position = parse_position(words or ["startpos", "seed", "0"], None)
    begun = prepared(
        position, policy=args.policy, nodes=args.nodes, trials=args.trials,
        minimum=args.minimum, until=args.until, seed=args.seed)
    workers = count_mpi_workers() if args.scheduler == "mpi" else args.workers
    try:
        ended = roll_out(begun, workers=workers, scheduler=args.scheduler, path=args.resume)
    except ImportError as error:
        return _usage(f"--scheduler {args.scheduler}: {error}; "
                      f"{how_to_get('dask', 'distributed', error)}")
    except OSError as error:
        return _usage(f"--scheduler {args.scheduler}: no Dask scheduler answers there"
                      if args.scheduler else f"no workers: {why_not(error)}")
    if begun.done:
        found = begun.result()
        print(written(found.as_dict()) if args.json else "\n".join(lines(found)), flush=True)
    if ended:
        return 0
    if args.resume:
        print(f"cirulla rollout: interrupted; the same command goes on from {args.resume}",
              file=sys.stderr)
    return 130


def _usage(message: str) -> int:
    print(f"cirulla rollout: {message}", file=sys.stderr)
    return 2


def lines(found: Rollout) -> list[str]:
    """A rollout as text."""
    from cirulla_ai.analysis.rollout import why
    from cirulla_ai.analysis.words import in_words

    width = max(len("action"), *(len(str(one.action)) for one in found.actions))
    out = [
        f"{found.view.progress}, seat {found.seat} to move; {found.trials} trials by "
        f"{found.policy}, worth {found.worth} plain ones",
        "",
        f"{'action':{width}}  {'points':>14}  {'loss':>13}  {'best':>5}  {'trials':>6}"]
    for one in found.actions:
        out.append(
            f"{one.action!s:{width}}  {one.points:+7.2f} ± {one.error:.2f}  "
            f"{one.loss:6.2f} ± {one.loss_error:.2f}  {100 * one.best:3.0f} %  {one.trials:6}")
    names = [name for name in found.best.items
             if any(abs(one.items[name]) >= 0.005 for one in found.actions)]
    if len(names) > 1:
        # The longest by its card: all have to stand in a line.
        heads = {name: "7D" if name == "settebello" else name for name in names}
        out += ["", f"{'points of':{width}}" + "".join(f" {heads[name]:>6}" for name in names)]
        out += [
            f"{one.action!s:{width}}"
            + "".join(f" {one.items[name]:+{max(6, len(heads[name]))}.2f}" for name in names)
            for one in found.actions]
    if len(found.actions) > 1:
        second = found.actions[1]
        out += ["", *wrap(f"{second.action} against {found.best.action}: {in_words(why(found))}",
                          WIDTH)]
        if found.is_close:
            out.append("the best two are too close to call")
    return out
