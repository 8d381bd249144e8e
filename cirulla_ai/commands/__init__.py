"""The command ``cirulla``: the protocol, and some of its commands from the shell."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence

from cirulla_ai import compliance
from cirulla_ai.basics.encoding import forgive
from cirulla_ai.commands import match as match
from cirulla_ai.commands import met
from cirulla_ai.commands import train as train
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.engine.bench import run_bench
from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.protocol import loop
from cirulla_ai.protocol.position import parse_position
from cirulla_ai.protocol.reports import perft_lines, rules_lines
from cirulla_ai.protocol.server import MAX_BENCH, MAX_DEPTH
from cirulla_ai.version import FULL_NAME

__all__ = ["main"]


def _parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The command line's parser, and those of its commands."""
    parser = argparse.ArgumentParser(
        prog="cirulla",
        description="An engine for Cirulla and the Italian fishing games.  Without a command "
        "it speaks the line protocol on standard input and output: type help there.")
    parser.add_argument("--version", action="version", version=FULL_NAME)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    perft = commands.add_parser(
        "perft", help="count action sequences",
        description="Count the sequences of exactly DEPTH actions from a position.")
    perft.add_argument("depth", type=whole_in(1, MAX_DEPTH), metavar="DEPTH",
                       help=f"1 … {MAX_DEPTH}")
    perft.add_argument(
        "position", nargs=argparse.REMAINDER, metavar="POSITION",
        help="as after the protocol's position: 'state TOKENS… [moves A…]' or 'startpos …' "
        "(startpos seed 0)")

    bench = commands.add_parser(
        "bench", help="search fixed positions: signature and speed",
        description="Search fixed positions at fixed iterations and seed.  'Nodes searched' is "
        "the signature, the same on every machine for one version with one thread.")
    bench.add_argument("threads", type=whole_in(1, OPTIONS["threads"].high), nargs="?", default=1,
                       metavar="THREADS")
    bench.add_argument("nodes", type=whole_in(1, MAX_BENCH), nargs="?", default=2000,
                       metavar="NODES", help="iterations a position (2000)")

    rules = commands.add_parser(
        "rules", help="the presets, or one preset's options",
        description="List the presets, or the options of one with their values and meaning.")
    rules.add_argument("preset", nargs="?", metavar="PRESET")
    match.add_parser(commands)
    train.add_parser(commands)
    met.add_parser(commands)
    compliance.add_parser(commands)
    return parser, commands.choices


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 fine, 1 an engine misbehaved, 2 a wrong use."""
    forgive()
    parser, parsers = _parser()
    try:
        args, unknown = parser.parse_known_args(argv)
        if unknown:
            # By the command's own parser, whose usage shows what there is.
            parsers.get(args.command, parser).error(f"there is no {' '.join(unknown)} here")
        if args.command is None:
            loop.main()
        if args.command in ("perft", "bench"):
            # The core does not look for signals while it counts: let Ctrl-C end it.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if args.command == "perft":
            words = " ".join(args.position).removeprefix("\ufeff").split()
            position = parse_position(words or ["startpos", "seed", "0"], None)
            _print(perft_lines(position.state, args.depth))
        elif args.command == "bench":
            _print(run_bench(args.threads, args.nodes))
        elif args.command == "rules":
            _print(rules_lines(args.preset))
        elif args.command == "met":
            _print(met.met_lines(args))
        elif args.command == "match":
            return match.run(args)
        elif args.command == "train":
            return train.run(args)
        elif args.command == "compliance":
            return compliance.run(args)
    except OSError as error:
        # What is left to be written is written to nowhere, when Python ends.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            where = "" if error.filename is None else f"{error.filename}: "
            print(f"cirulla: {where}{error.strerror or error}", file=sys.stderr)
            return 1
    except KeyboardInterrupt:
        return 130
    except ValueError as error:
        print(f"cirulla: {error}", file=sys.stderr)
        return 2
    except MemoryError as error:
        print(f"cirulla: there is not enough memory for this ({error})", file=sys.stderr)
        return 2
    return 0
