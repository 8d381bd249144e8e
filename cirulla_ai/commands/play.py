"""``cirulla play`` on the command line: a game in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cirulla_ai.basics.encoding import read_text
from cirulla_ai.basics.folders import data_folder
from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.commands.arguments import whole_in
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.engine.levels import FULL
from cirulla_ai.look.words import LANGUAGES, Words
from cirulla_ai.rules import Rules

if TYPE_CHECKING:
    from cirulla_ai.play import Game

__all__ = ["add_parser", "run"]

# Whoever sits next, in playing order, by the number of seats.
PLACES = {2: ("",), 3: ("right", "left"), 4: ("right", "partner", "left")}


def add_parser(commands: Subparsers) -> None:
    """Add ``play`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "play", help="play in the terminal",
        description="Play against the engine, line by line: a number chooses a play, ? is help.  "
        "The game is kept after every play, and can be gone on with.")
    parser.add_argument("--rules", metavar="TOKENS",
                        help="a preset and options, as 'cirulla target=31' (cirulla)")
    parser.add_argument("--seat", type=whole_in(0, 3), default=0, metavar="S",
                        help="your seat; the last one deals first (0)")
    parser.add_argument("--level", type=whole_in(0, FULL), default=FULL, metavar="L",
                        help=f"of the engines, 0 to {FULL} ({FULL})")
    parser.add_argument("--seed", type=whole_in(0, MAX_SEED), metavar="N",
                        help="makes all deals (a secret one)")
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (the system's, or en)")
    parser.add_argument("--engine", action="append", default=[], metavar="KEY=VALUE,…",
                        help="an engine at the next seat, as for cirulla match: cmd=COMMAND, or "
                        "player=NAME; the last one sits at all that are left")
    parser.add_argument("--file", type=Path, metavar="FILE",
                        help="where the game is kept; one that is there is gone on with")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the last game that was left")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for rules, a seat or an engine
    that there is not, OSError where the game can't be kept."""
    # Slow to import: an engine that is started needs none of it.
    from cirulla_ai.terminal import Session

    if sys.stdin is not None and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    language = args.lang or _system_language()
    words = Words(language)
    file, game = _found(args, words)
    if game is None:
        game = _new(args, words)
        file = file or _new_file()
    else:
        print(words("went_on", file=file))
    if args.rules is not None and Rules.parse(args.rules) != game.rules:
        raise ValueError(f"{file}: its game is one of {game.rules}; --rules {args.rules} needs "
                         "another --file")
    assert file is not None
    Session(game, language=language, read=_read, write=print, file=file,
            encoding=getattr(sys.stdout, "encoding", None)).run()
    return 0


def _read(prompt: str) -> str | None:
    try:
        line = input(prompt)
    except EOFError:
        return None
    if not sys.stdin.isatty():
        # Nobody has pressed Enter: what comes next begins a line.
        print()
    return line


def _system_language() -> str:
    """Italian where the system speaks it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "it" if value.lower().startswith("it") else "en"
    return "en"


def _found(args: argparse.Namespace, words: Words) -> tuple[Path | None, Game | None]:
    """The file that was named, and the game to go on with; None where a new one is meant."""
    if args.file is not None:
        if not args.file.exists():
            return args.file, None
        return args.file, _opened(args.file)
    if not args.resume and not (sys.stdin is not None and sys.stdin.isatty()):
        return None, None
    left = _left()
    if left is None:
        if args.resume:
            raise ValueError("--resume: no game was left")
        return None, None
    if not args.resume:
        answer = _read(words("unfinished", game=left[1].match) + " ")
        if (answer or "").strip().lower()[:1] not in ("y", "s"):
            return None, None
    return left


def _opened(file: Path) -> Game:
    from cirulla_ai.play import Game, GameError

    try:
        game = Game.from_text(read_text(file))
        if not any(seat.is_person for seat in game.seats):
            raise GameError("nobody but bots sits there")
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    return game


def _left() -> tuple[Path, Game] | None:
    """The last game that is not over, None where there is none."""
    for file in sorted((data_folder() / "play").glob("*.json"), reverse=True):
        try:
            game = _opened(file)
        except (OSError, ValueError):
            continue
        if game.stage != "over":
            return file, game
    return None


def _new_file() -> Path:
    folder = data_folder() / "play"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.json"


def _new(args: argparse.Namespace, words: Words) -> Game:
    from cirulla_ai.play import Game, Seat, level_seat

    rules = Rules.parse(args.rules or "cirulla")
    players = rules.players
    if args.seat >= players:
        raise ValueError(f"--seat {args.seat}: {rules.preset} has the seats 0 … {players - 1}")
    seats = [Seat()] * players
    for k, place in enumerate(PLACES[players]):
        engines = args.engine[k:k + 1] or args.engine[-1:]
        if engines:
            bot = Seat(bot=engines[0])
        else:
            bot = level_seat(args.level, words("level_n", n=args.level))
        # Several of a kind are known by where they sit.
        name = words(place) if place else bot.name
        seats[(args.seat + 1 + k) % players] = Seat(name, bot.bot)
    return Game(rules, seats, seed=args.seed)
