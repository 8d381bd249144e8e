"""``cirulla stats``: annotated records pooled, by player."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cirulla_ai.basics.outputs import why
from cirulla_ai.commands.common import Subparsers, print_lines

if TYPE_CHECKING:
    from cirulla_ai.analysis.stats import Losses, Player, Stats

__all__ = ["add_parser", "run"]

# What the kinds of play are called.
KINDS = {"claim": "claims", "capture": "captures", "lay": "cards laid", "hand": "cards handed on",
         "trick": "tricks"}


def add_parser(commands: Subparsers) -> None:
    """Add ``stats`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "stats", help="what players throw away, from annotated records",
        description="Pool annotations: what each player loses a decision, in which rounds and "
        "kinds of play, how often, and how lucky it was.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE",
                        help="records that cirulla annotate has annotated, or what it writes "
                        "with --json")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command: 0 all is well, 2 something could not be read."""
    from cirulla_ai.analysis.dialect import written
    from cirulla_ai.analysis.stats import Stats, read_annotations

    stats, code = Stats(), 0
    for path in args.files:
        try:
            for where, words in read_annotations(path):
                try:
                    if isinstance(words, ValueError):
                        raise words
                    stats.add(words)
                except ValueError as error:
                    code = 2
                    print(f"cirulla stats: {path}, {where}{': ' * bool(where)}{error}",
                          file=sys.stderr)
        except OSError as error:
            code = 2
            print(f"cirulla stats: {path}: {why(error)}", file=sys.stderr)
    print_lines([written(stats.as_dict())] if args.json else report(stats))
    return code


def report(stats: Stats) -> Iterator[str]:
    """The players for people, in at most eighty columns."""
    records = stats.all.records
    yield f"{records} record{'s' * (records != 1)}"
    players = [stats.players[name] for name in sorted(stats.players)]
    for player in (players if len(players) == 1 else [stats.all, *players]):
        yield ""
        yield from _player(player)


def _player(player: Player) -> Iterator[str]:
    """One player, or all."""
    words = player.as_dict()
    name = "all" if player.name is None else player.name
    yield (f"{name}: {player.decisions} decisions in {player.records} "
           f"record{'s' * (player.records != 1)}, {words['forced']} more without a choice")
    losses = player.losses.mean()
    if losses is None:
        return
    yield _row("points lost a decision", player.losses)
    level = player.level()
    if level is not None:
        beyond = ", the end of the scale" if level.is_beyond else ""
        yield (f"  plays like level {level.level:.0f} ± {max(level.error, 1):.0f} of the "
               f"engine{beyond}")
    yield "  " + ", ".join(
        f"{name} {100 * rate:.0f} %" for name, rate in words["rates"].items())
    known = words["punished"] + words["unpunished"]
    if known:
        yield f"  {words['punished']} of {known} errors were punished"
    for number, row in sorted(player.rounds.items()):
        if len(player.rounds) > 1:
            yield _row(f"round {number}", row)
    for kind, title in KINDS.items():
        if kind in player.kinds:
            yield _row(title, player.kinds[kind])
    if player.last_rounds.mean():
        yield _row("last rounds", player.last_rounds)
    if words["luck"] is not None:
        yield (f"  a smazzata: result {words['result']:+.2f}, luck {words['luck']:+.2f}, "
               f"without it {words['adjusted']:+.2f} ({words['smazzate']} smazzate)")


def _row(title: str, losses: Losses) -> str:
    mean = losses.mean()
    if mean is None:
        return f"  {title:24}      -"
    error = "" if mean.error is None else f" ± {mean.error:.3f}"
    return f"  {title:24} {mean.mean:6.3f}{error:10} {mean.number:6}"
