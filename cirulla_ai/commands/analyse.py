"""``cirulla analyse``: what each play of a position is worth."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from cirulla_ai.basics.encoding import argument_text
from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.basics.terminal import wants_colour
from cirulla_ai.commands.arguments import real_in, whole_in
from cirulla_ai.commands.common import Subparsers, leave_interrupts, print_lines
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import OPTIONS

if TYPE_CHECKING:
    from cirulla_ai.analysis import Analysis
    from cirulla_ai.analysis.positions import FilePosition
    from cirulla_ai.analysis.reasons import Reasons
    from cirulla_ai.history import History

__all__ = ["add_parser", "run"]

NODES = 20_000
MOST_NODES = 10**12
MOST_WORKERS = 256
# Positions that are read ahead for each worker.
AHEAD = 4
# Words that a position begins with.
POSITIONS = ("state", "startpos")

EXAMPLE = """\
examples:
  cirulla analyse state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0
  cirulla analyse startpos rules=scopone seed 1 --until 0.1 --top 5
  cirulla analyse --file positions.txt --workers 2 --json > answers.jsonl
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``analyse`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "analyse", help="what each play of a position is worth",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compare the plays of the seat to move, by what it knows: what each is worth, "
        "what it\nloses to the best, its chance to win the match, what is likely to follow, and "
        "where\nthe unseen cards are.",
        epilog=EXAMPLE)
    parser.add_argument(
        "position", nargs="*", metavar="POSITION",
        help="as after the protocol's position: 'state TOKENS… [moves A…]' or 'startpos …'")
    parser.add_argument("--file", metavar="FILE",
                        help="a position a line, - for standard input; # begins a remark")
    parser.add_argument("--json-lines", action="store_true",
                        help="answer queries, JSON lines on standard input, as they come")
    limits = parser.add_argument_group("when it ends, whichever comes first")
    limits.add_argument("--nodes", type=whole_in(1, MOST_NODES), metavar="N",
                        help=f"search iterations, for all plays together ({NODES:,})")
    limits.add_argument("--movetime", type=real_in(0, 1e12), metavar="MS", help="milliseconds")
    limits.add_argument("--until", type=real_in(0, 1e6), metavar="POINTS",
                        help="what the second best loses is known to so many points")
    how = parser.add_argument_group("how it is done")
    how.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="S",
                     help="with the same seed, nodes and one thread it is the same again (1)")
    how.add_argument("--threads", type=whole_in(1, OPTIONS["threads"].high), default=1,
                     metavar="T", help="trees side by side for each position (1)")
    how.add_argument("--workers", type=whole_in(1, MOST_WORKERS), default=1, metavar="W",
                     help="positions side by side (1)")
    how.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                     help="an option of the engine, as Objective=match; may be given several times")
    out = parser.add_argument_group("what comes out")
    out.add_argument("--top", type=whole_in(1, 10_000), metavar="K", help="the best K plays only")
    out.add_argument("--why", nargs="?", const="", metavar="ACTION",
                     help="why the best is better than this play, or the second best: both are "
                     "rolled out, by scoring item")
    out.add_argument("--json", action="store_true", help="a line of JSON for each position")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command: 0 all is well, 2 a position can't be read or decided.

    Raises ValueError for a wrong use.
    """
    leave_interrupts()
    if args.why in POSITIONS:
        # It is no action but where the position begins.
        args.position = [args.why, *args.position]
        args.why = ""
    engine = Engine()
    for option in args.option:
        name, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"--option {option}: it takes NAME=VALUE, as Objective=match")
        engine.set(name, value)
    if [bool(args.position), args.file is not None, args.json_lines].count(True) != 1:
        raise ValueError("a POSITION is needed, as startpos seed 1, or --file, or --json-lines, "
                         "and one of them only")
    if args.nodes is None and args.movetime is None and args.until is None:
        args.nodes = NODES
    if args.json_lines:
        from cirulla_ai.analysis.queries import Defaults
        from cirulla_ai.analysis.service import serve

        limit = Limit(nodes=args.nodes, movetime=args.movetime)
        return serve(engine, args.workers, Defaults(
            limit, args.until, args.seed, args.top, args.threads))
    return _analyse(args, engine)


def _analyse(args: argparse.Namespace, engine: Engine) -> int:
    """Answer for the position, or those of the file."""
    from cirulla_ai.analysis.positions import FilePosition, read_lines, read_position

    with ExitStack() as open_files:
        games: Iterable[FilePosition]
        if args.file is None:
            text = argument_text(" ".join(args.position))
            try:
                games = [FilePosition(0, read_position(text, args.seed))]
            except ValueError as error:
                games = [FilePosition(0, error)]
        elif args.file == "-":
            games = read_lines(sys.stdin.buffer if sys.stdin else (), args.seed)
        else:
            games = read_lines(open_files.enter_context(open(args.file, "rb")), args.seed)
        code = 0
        for place, (game, answer) in enumerate(_answers(games, engine, args)):
            if isinstance(answer, ValueError):
                code = 2
            _say(args, place, game, answer)
    return code


def _answers(
    games: Iterable[FilePosition], engine: Engine, args: argparse.Namespace
) -> Iterator[tuple[FilePosition, Analysis | ValueError]]:
    """Each position with its analysis, or what is wrong, in order; some worked on ahead."""
    left = iter(games)
    with ThreadPoolExecutor(args.workers) as pool:
        waiting: deque[tuple[FilePosition, Future[Analysis | ValueError]]] = deque()
        while True:
            for game in islice(left, AHEAD * args.workers - len(waiting)):
                waiting.append((game, pool.submit(_answer, game.game, engine, args)))
            if not waiting:
                return
            game, future = waiting.popleft()
            yield game, future.result()


def _answer(
    game: History | ValueError, engine: Engine, args: argparse.Namespace
) -> Analysis | ValueError:
    from cirulla_ai.analysis import analyse

    if isinstance(game, ValueError):
        return game
    try:
        found = analyse(
            game, Limit(nodes=args.nodes, movetime=args.movetime), engine=engine, seed=args.seed,
            threads=args.threads, until=args.until)
        return found if args.why is None else replace(
            found, why=_reasons(game, found, engine, args))
    except ValueError as error:
        return error


def _reasons(
    game: History, found: Analysis, engine: Engine, args: argparse.Namespace
) -> Reasons | None:
    """Why the play that is asked about is worse than the best; None where there is no other."""
    from cirulla_ai.analysis.reasons import reasons

    chosen = found.of(args.why) if args.why else found.actions[1:2] and found.actions[1]
    if not chosen or chosen == found.best:
        return None
    return reasons(game, chosen.action, found.best.action, engine=engine, seed=args.seed)


def _say(
    args: argparse.Namespace, place: int, game: FilePosition, answer: Analysis | ValueError
) -> None:
    """Print an answer, or what is wrong."""
    from cirulla_ai.analysis.dialect import error_words, written
    from cirulla_ai.analysis.report import report_lines

    where = {} if args.file is None else {"file": args.file, "line": game.line}
    if args.json:
        print_lines([written(error_words(answer, **where) if isinstance(answer, ValueError)
                             else answer.as_dict(args.top))])
        return
    heading = f"{args.file}, line {game.line}" if where else ""
    if isinstance(answer, ValueError):
        print(f"cirulla analyse: {heading}{': ' * bool(heading)}{answer}", file=sys.stderr)
        return
    above = ["", heading] if place else [heading]
    lines = report_lines(answer, top=args.top, colour=wants_colour(sys.stdout))
    print_lines([*(above if heading else ()), *lines])
