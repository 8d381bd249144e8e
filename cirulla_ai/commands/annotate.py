"""``cirulla annotate``: whole records judged, decision by decision, and the luck of their deals."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.numbers import MAX_SEED, real_number
from cirulla_ai.basics.outputs import check_output, why, written_whole
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers

if TYPE_CHECKING:
    from cirulla_ai.analysis.annotate import Terms
    from cirulla_ai.records import Record, RecordError

__all__ = ["add_parser", "run"]

NODES = 2000
MOST_NODES = 10**12
MOST_WORKERS = 10_000
# What a worker has ready beside what it does.
AHEAD = 2

EXAMPLE = """\
examples:
  cirulla annotate games.txt > annotated.txt
  cirulla annotate games.txt --json --workers 2 -o annotations.jsonl
  cirulla annotate mine.txt --seat 0 --nodes 20000 --option Objective=match
  cirulla annotate games.txt --engine cmd=./engine,option.Hash=64 --nodes 5000

With -o the same command goes on where it was stopped.  Exit codes: 0 fine, 1 the engine
misbehaved or something could not be written, 2 wrong use or a record that can't be read.
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``annotate`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "annotate", help="judge the decisions of whole records, and their luck",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Judge every decision of records by what its seat could know, and measure "
        "the luck of\neach deal.  Records come out with marks and comments.",
        epilog=EXAMPLE)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="records, - for standard input")
    how = parser.add_argument_group("how it is judged")
    how.add_argument("--nodes", type=whole_in(1, MOST_NODES), default=NODES, metavar="N",
                     help=f"search iterations for a decision ({NODES:,})")
    how.add_argument("--deep", type=whole_in(1, MOST_NODES), metavar="N",
                     help="and for the second look at what may be an error (ten times as many)")
    how.add_argument("--seat", type=whole_in(0, 3), metavar="S",
                     help="the decisions of this seat alone (all that can be judged)")
    how.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="S",
                     help="with the same seed and nodes it is the same again (1)")
    how.add_argument("--thresholds", type=_thresholds, metavar="A,B,C",
                     help="what is doubtful (?!), a mistake (?), a blunder (??) loses at least, in "
                     "points (0.25,0.5,1.0) or, with Objective=match, as a chance to win the "
                     "match (0.02,0.04,0.08)")
    how.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                     help="an option of the engine, as Objective=match; may be given several times")
    how.add_argument("--engine", metavar="cmd=…",
                     help="let another engine judge, which speaks the protocol: cmd=COMMAND, and "
                     "option.NAME=VALUE, as cirulla match takes them")
    run_by = parser.add_argument_group("how it is run")
    run_by.add_argument("--workers", type=whole_in(1, MOST_WORKERS), default=1, metavar="W",
                        help="processes side by side (1)")
    run_by.add_argument("--scheduler", metavar="ADDRESS",
                        help="a Dask scheduler's address, or mpi, instead of own processes")
    out = parser.add_argument_group("what comes out")
    out.add_argument("-o", "--out", type=Path, metavar="OUT",
                     help="a file, written when all is done (standard output, as it comes)")
    out.add_argument("--json", action="store_true",
                     help="a line of JSON for each record, instead of records")
    parser.set_defaults(run=run)


def _thresholds(text: str) -> tuple[float, ...]:
    try:
        values = tuple(real_number(part, 0, 1e6) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if len(values) != 3:
        raise argparse.ArgumentTypeError(f"{text}: three numbers are needed, as 0.25,0.5,1.0")
    return values


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for a wrong use."""
    from cirulla_ai.workers.ending import Ending

    with Ending() as ending:
        return _checked(args)
    assert ending.signal
    with suppress(OSError):
        print(f"cirulla annotate: ended by {ending.signal.name}{_goes_on(args)}", file=sys.stderr)
    return 128 + ending.signal


def _goes_on(args: argparse.Namespace) -> str:
    return "; the same command goes on" if args.out else ""


def _checked(args: argparse.Namespace) -> int:
    from cirulla_ai.analysis.annotate import Terms
    from cirulla_ai.analysis.classes import Thresholds
    from cirulla_ai.client.errors import EngineError

    cmd, options = _engine(args)
    terms = Terms(
        nodes=args.nodes, deep=args.deep or 0, seed=args.seed, seat=args.seat,
        thresholds=Thresholds(*args.thresholds) if args.thresholds else None,
        options=options, cmd=cmd)
    if args.out:
        check_output(args.out)
    bad: list[RecordError] = []
    records = list(_read(args.files, bad))
    if not records and not bad:
        raise ValueError(f"{', '.join(args.files)}: no records there")
    try:
        terms.judge()
        code = _annotate(args, records, terms)
    except EngineError as error:
        print(f"cirulla annotate: {f'--engine: {error}' if args.engine else error}",
              file=sys.stderr)
        code = 1
    finally:
        from cirulla_ai.analysis.judge import judge_of
        judge_of.cache_clear()
    return code or 2 * bool(bad)


def _engine(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The command that starts the judge, empty where it is ours, and its options."""
    options: list[tuple[str, str]] = []
    cmd: tuple[str, ...] = ()
    if args.engine:
        from cirulla_ai.tournament.contender import parse_contender

        contender = parse_contender(args.engine, {"nodes": args.nodes})
        if not contender.cmd:
            raise ValueError(f"--engine {args.engine}: cmd=COMMAND is needed, a program that "
                             "speaks the protocol; without --engine our own engine judges")
        cmd, options = contender.cmd, list(contender.options)
    for option in args.option:
        name, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"--option {option}: it takes NAME=VALUE, as Objective=match")
        options.append((name, value))
    return cmd, tuple(options)


def _read(files: Iterable[str], bad: list[RecordError]) -> Iterable[Record]:
    """The records of all files; what is wrong with others is said, and kept in ``bad``."""
    from cirulla_ai.records import read_records

    for file in files:
        def note(error: RecordError, file: str = file) -> None:
            bad.append(error)
            print(f"cirulla annotate: {file}, {error}", file=sys.stderr)

        source = (sys.stdin.buffer if sys.stdin else ()) if file == "-" else Path(file)
        try:
            yield from read_records(source, on_error=note)
        except OSError as error:
            raise ValueError(f"{file}: {why(error)}") from None


def _annotate(args: argparse.Namespace, records: list[Record], terms: Terms) -> int:
    from cirulla_ai.analysis.annotate import parts
    from cirulla_ai.analysis.annotating import annotate_all, in_order, journal_for
    from cirulla_ai.workers.bar import Bar
    from cirulla_ai.workers.mpi import count_mpi_workers
    from cirulla_ai.workers.pool import InterruptedByUserError, make_executor

    workers = count_mpi_workers() if args.scheduler == "mpi" else args.workers
    with ExitStack() as stack:
        done = stack.enter_context(journal_for(args.out, records, terms)) if args.out else None
        left = [record for place, record in enumerate(records)
                if done is None or place not in done]
        executor = None
        if left and (workers > 1 or args.scheduler):
            try:
                executor = stack.enter_context(make_executor(
                    workers, args.scheduler, _farewell, fresh=False))
            except ImportError as error:
                raise ValueError(f"--scheduler {args.scheduler}: {error}; "
                                 f"{how_to_get('dask', 'distributed', error)}") from None
            except OSError as error:
                raise ValueError(
                    f"--scheduler {args.scheduler}: no Dask scheduler answers there"
                    if args.scheduler else f"no workers: {why(error)}") from None
        bar = stack.enter_context(Bar(sum(len(parts(record, terms)) for record in left)))
        if done is not None:
            if len(done):
                bar.say(f"{len(done)} of {len(records)} records are in {done.path} already")
            if not done.is_locked:
                bar.say(f"{done.path} can't be locked where it is: see to it that one run at a "
                        "time works on it")
        write = _writer(args, records, sys.stdout)
        try:
            annotate_all(
                records, terms, in_order(len(records), write) if done is None else _nothing,
                done=done, executor=executor, in_flight=AHEAD * workers, on_part=bar.show,
                on_interrupt=lambda running: bar.say(
                    f"stopping after the {running} parts that are being judged; Ctrl-C again "
                    "drops them"))
        except (InterruptedByUserError, KeyboardInterrupt):
            bar.say(f"cirulla annotate: interrupted{_goes_on(args)}")
            return 130
        if done is not None:
            with written_whole(args.out) as path, path.open("w", encoding="utf-8") as file:
                write = _writer(args, records, file)
                for line in done:
                    write(json.loads(line["annotation"]))
            done.path.unlink(missing_ok=True)
    return 0


def _nothing(place: int, words: Mapping[str, Any]) -> None:
    """What was kept in the journal is written at the end."""


def _farewell() -> None:
    """End the engines of a cluster's worker."""
    from cirulla_ai.analysis.judge import judge_of

    judge_of.cache_clear()


def _writer(
    args: argparse.Namespace, records: list[Record], file: TextIO
) -> Callable[[Mapping[str, Any]], None]:
    """Writes annotations that come in order, as JSON or as records with an empty line between."""
    from cirulla_ai.analysis.dialect import written
    from cirulla_ai.analysis.marking import marked
    from cirulla_ai.records import write_record

    def write(words: Mapping[str, Any]) -> None:
        number = int(words["record"])
        if args.json:
            file.write(written(words) + "\n")
        else:
            file.write("\n" * (number > 1) + write_record(marked(records[number - 1], words)))
        file.flush()

    return write
