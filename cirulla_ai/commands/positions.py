"""The positions that a command is asked about: one of its arguments, or those of a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from cirulla_ai.analysis.positions import FilePosition, read_lines, read_position
from cirulla_ai.basics.encoding import argument_text

__all__ = ["asked", "place_of"]


def asked(args: argparse.Namespace) -> Iterator[FilePosition]:
    """The position of ``args.position``, or those of ``args.file``, - for standard input.

    ``args.seed`` deals where a position names no seed or pack.  Raises OSError for a file that
    can't be read.
    """
    if args.file is None:
        text = argument_text(" ".join(args.position))
        try:
            yield FilePosition(0, read_position(text, args.seed))
        except ValueError as error:
            yield FilePosition(0, error)
    elif args.file == "-":
        yield from read_lines(sys.stdin.buffer if sys.stdin else (), args.seed)
    else:
        with open(args.file, "rb") as file:
            yield from read_lines(file, args.seed)


def place_of(args: argparse.Namespace, game: FilePosition) -> Mapping[str, object]:
    """Where a position stands in a file, as the JSON dialect says it."""
    return {} if args.file is None else {"file": args.file, "line": game.line}
