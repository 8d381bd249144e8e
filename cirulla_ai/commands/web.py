"""``cirulla web`` on the command line."""

from __future__ import annotations

import argparse
import sys

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.folders import VARIABLE, data_folder
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers

__all__ = ["add_parser", "run"]


def add_parser(commands: Subparsers) -> None:
    """Add ``web`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "web", help="play in the browser",
        description="Serve a page to play on, on this machine.  The first line is its address, "
        "which also opens in the browser; Ctrl-C ends it.  Games are kept in the user's data "
        f"folder, or in the one that {VARIABLE} names in the environment.")
    parser.add_argument("--port", type=whole_in(0, 65535), default=0, metavar="N",
                        help="where to listen (0: any that is free)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help="of this machine, where others are to reach it: 0.0.0.0 for all "
                        "(127.0.0.1: nobody but you)")
    parser.add_argument("--no-open", action="store_true", help="don't open the browser")
    parser.add_argument("--engine", action="append", default=[], metavar="KEY=VALUE,…",
                        help="an engine that may sit at a table, as for cirulla match: "
                        "name=NAME,cmd=COMMAND; may be given several times")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ContenderError, OSError, ValueError."""
    # Slow to import: an engine that is started needs none of it.
    from cirulla_ai.play.seats import Seat

    engines = [Seat(bot=text) for text in args.engine]
    try:
        from cirulla_ai.web.server import serve
    except ImportError as error:
        print(f"cirulla web: {how_to_get('web', 'aiohttp', error)}", file=sys.stderr)
        return 2
    return serve(data_folder(), port=args.port, host=args.host, is_opened=not args.no_open,
                 engines=engines)
