"""The shell's ``compliance`` command."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cirulla_ai.basics.terminal import wants_colour
from cirulla_ai.client.program import command_words
from cirulla_ai.commands.arguments import real_in
from cirulla_ai.commands.common import Subparsers

if TYPE_CHECKING:
    from cirulla_ai.compliance.runner import Finding

__all__ = ["add_parser", "run"]

# A day.
MOST_SECONDS = 86_400
OWN = ("--timeout", "--slack", "--only", "--list")


def add_parser(commands: Subparsers) -> None:
    """Add ``compliance`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "compliance", help="check an engine against the protocol",
        usage="%(prog)s [-h] [--timeout SECONDS] [--slack SECONDS] [--only NAME] [--list] "
        "COMMAND ...",
        description="Run an engine through the protocol's rules and say for each whether it "
        "keeps it.  The exit code is 1 where it breaks one.")
    parser.add_argument("--timeout", type=real_in(0, MOST_SECONDS), default=10.0, metavar="SECONDS",
                        help="how long any answer may take (10)")
    parser.add_argument("--slack", type=real_in(0, MOST_SECONDS), default=0.8, metavar="SECONDS",
                        help="how much a busy machine may add to the protocol's times (0.8)")
    parser.add_argument("--only", action="append", metavar="NAME",
                        help="run this check; may be given several times")
    parser.add_argument("--list", action="store_true", help="name the checks, run none")
    parser.add_argument("engine", nargs=argparse.REMAINDER, metavar="COMMAND",
                        help="the engine's program and its arguments")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command: 0 all is well, 1 the engine has broken a rule, 2 a wrong use."""
    from cirulla_ai.compliance.report import report_lines
    from cirulla_ai.compliance.runner import CHECKS, run_compliance

    if args.list:
        width = max(len(check.name) for check in CHECKS)
        for check in CHECKS:
            print(f"{check.name:{width}}  {check.rule}")
        return 0
    command = args.engine[1:] if args.engine[:1] == ["--"] else args.engine
    if len(command) == 1:
        # A program, or a whole command in quotes.
        try:
            command = command_words(command[0])
        except ValueError as error:
            return _wrong(f"{args.engine[-1]}: {error}")
    if not command:
        return _wrong("it takes the command that starts an engine")
    if not args.timeout:
        return _wrong(f"--timeout {args.timeout:g}: it takes seconds, more than 0")
    if shutil.which(command[0]) is None:
        given = f" (in {args.engine[0]})" if len(command) > len(args.engine) else ""
        return _wrong(f"{command[0]}{given}: " + (
            "it is there, but can't be run (chmod +x makes a script a program)"
            if Path(command[0]).is_file() else "there is no such program"))
    for word in command[1:]:
        if word.split("=")[0] in OWN:
            print(f"note: {word} stands after the engine's command and goes to the engine",
                  file=sys.stderr)
    failed = False

    def noted() -> Iterator[Finding]:
        nonlocal failed
        for finding in findings:
            failed |= finding.outcome == "fail"
            yield finding

    try:
        findings = run_compliance(
            command, timeout=args.timeout, slack=args.slack, only=args.only)
    except ValueError as error:
        return _wrong(f"--only: {error}")
    for line in report_lines(noted(), colour=wants_colour(sys.stdout)):
        print(line, flush=True)
    return 1 if failed else 0


def _wrong(message: str) -> int:
    print(f"cirulla compliance: {message}", file=sys.stderr)
    return 2
