"""The command ``cirulla``: the protocol, and the other commands of the shell, a module each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from cirulla_ai.basics.encoding import forgive
from cirulla_ai.commands import (
    analyse,
    annotate,
    bench,
    compliance,
    enter,
    match,
    met,
    perft,
    play,
    review,
    rollout,
    rules,
    solve,
    stats,
    train,
    web,
)
from cirulla_ai.protocol import loop
from cirulla_ai.version import FULL_NAME

__all__ = ["main"]

# In the order in which the help lists them.
COMMANDS = (
    play, web, analyse, rollout, solve, annotate, stats, review, enter, perft, bench, rules, match,
    train, met, compliance)


def _parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The command line's parser, and those of its commands."""
    parser = argparse.ArgumentParser(
        prog="cirulla",
        description="An engine for Cirulla and the Italian fishing games.  Without a command "
        "it speaks the line protocol on standard input and output: type help there.")
    parser.add_argument("--version", action="version", version=FULL_NAME)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(commands)
    return parser, commands.choices


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
        return int(args.run(args))
    except OSError as error:
        # What is left to be written is written to nowhere, when Python ends.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
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
