"""``cirulla review``: annotated records as one HTML page, for people."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.basics.outputs import check_output, why, written_whole
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.look import LANGUAGES

if TYPE_CHECKING:
    from cirulla_ai.records import Record, RecordError

__all__ = ["add_parser", "run"]

NODES = 2000
MOST_NODES = 10**12
MOST_WORKERS = 10_000
# What a worker has ready beside what it does.
AHEAD = 2

EXAMPLE = """\
examples:
  cirulla review games.txt -o report.html --workers 2
  cirulla annotate games.txt --json -o annotations.jsonl --nodes 20000
  cirulla review annotations.jsonl -o report.html --lang it --anonymous

The page needs nothing else: no network, no other file, no script to be read.
"""


def add_parser(commands: Subparsers) -> None:
    """Add ``review`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "review", help="make a page of records and what their decisions cost",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Make one HTML page of records: the match as a curve, the dearest errors in "
        "words, every\ndecision with the table as its seat saw it.  Records are annotated first; "
        "what cirulla annotate\n--json has written is taken as it is.",
        epilog=EXAMPLE)
    parser.add_argument("file", metavar="FILE",
                        help="records, or annotations as lines of JSON; - for standard input")
    parser.add_argument("-o", "--out", type=Path, metavar="OUT",
                        help="the page (standard output)")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language (en)")
    parser.add_argument("--anonymous", action="store_true",
                        help="leave the players' names out of the page")
    how = parser.add_argument_group("how records are annotated")
    how.add_argument("--nodes", type=whole_in(1, MOST_NODES), default=NODES, metavar="N",
                     help=f"search iterations for a decision ({NODES:,})")
    how.add_argument("--seed", type=whole_in(0, MAX_SEED), default=1, metavar="S",
                     help="with the same seed and nodes it is the same page again (1)")
    how.add_argument("--workers", type=whole_in(1, MOST_WORKERS), default=1, metavar="W",
                     help="processes side by side (1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for a wrong use."""
    from cirulla_ai.review import review

    if args.out:
        check_output(args.out)
    source = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    bad: list[RecordError] = []
    if source.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        annotations = list(_read(source, args.file))
    else:
        annotations = _annotated(args, source, bad)
    page = review(annotations, args.lang, anonymous=args.anonymous)
    if args.out:
        with written_whole(args.out) as path:
            path.write_text(page, encoding="utf-8", newline="\n")
    else:
        print(page, end="")
    return 2 if bad else 0


def _read(source: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    """Annotations from lines of JSON."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: it is no UTF-8 ({error})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{name}, line {number}: it is no JSON object ({error})") from None


def _annotated(
    args: argparse.Namespace, source: bytes, bad: list[RecordError],
) -> list[Mapping[str, Any]]:
    """Records annotated; what is wrong with others is said, and kept in ``bad``."""
    from cirulla_ai.analysis.annotate import Terms, parts
    from cirulla_ai.analysis.annotating import annotate_all, in_order
    from cirulla_ai.records import read_records
    from cirulla_ai.workers.bar import Bar
    from cirulla_ai.workers.pool import InterruptedByUserError, make_executor

    def note(error: RecordError) -> None:
        bad.append(error)
        print(f"cirulla review: {args.file}, {error}", file=sys.stderr)

    records: list[Record] = list(read_records(source, on_error=note))
    if not records:
        raise ValueError(f"{args.file}: no records there")
    terms = Terms(nodes=args.nodes, seed=args.seed)
    found: list[Mapping[str, Any]] = []
    with ExitStack() as stack:
        bar = stack.enter_context(Bar(sum(len(parts(record, terms)) for record in records)))
        executor = None
        if args.workers > 1:
            try:
                executor = stack.enter_context(make_executor(args.workers))
            except OSError as error:
                raise ValueError(f"no workers: {why(error)}") from None
        try:
            annotate_all(records, terms, in_order(len(records), found.append), executor=executor,
                         in_flight=AHEAD * args.workers, on_part=bar.show)
        except InterruptedByUserError:
            raise KeyboardInterrupt from None
    return found
