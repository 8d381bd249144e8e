"""``cirulla enter``: a game from a real table, typed in line by line."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from cirulla_ai.basics.outputs import why
from cirulla_ai.commands.common import Subparsers
from cirulla_ai.look.words import LANGUAGES
from cirulla_ai.records import Record, write_record
from cirulla_ai.records.entry import EntryError, GameEntry
from cirulla_ai.records.entry_file import EntryFile
from cirulla_ai.records.entry_words import EntryWords

__all__ = ["add_parser", "run"]

BACK = ("back", "undo", "indietro", "annulla")
HELP = ("?", "help", "aiuto")
SAVE = ("save", "salva")
SHOW = ("show", "mostra", "tavola")
QUIT = ("quit", "exit", "esci", "fine")


def add_parser(commands: Subparsers) -> None:
    """Add ``enter`` to the command line's sub-commands."""
    parser = commands.add_parser(
        "enter", help="type in a game from a real table",
        description="Type in a game from a real table: what is asked can be answered by a "
        "number or in words, nothing impossible is taken, and FILE gets the records.  An "
        "unfinished record at its end is gone on with; without FILE the records are printed "
        "at the end.")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the records")
    parser.add_argument("--rules", metavar="TOKENS",
                        help="a preset and options, as 'scopone target=31'")
    parser.add_argument("--seat", metavar="S",
                        help="whose hand is known: a seat's number, or all")
    parser.add_argument("--dealer", metavar="D", help="the seat that deals first")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language (en)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; returns the exit code.  Raises ValueError for a wrong use."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        # What is no text in the terminal's encoding is nonsense as any other.
        reconfigure(errors="replace")
    file = None if args.file is None else EntryFile(args.file)
    fresh = args.rules is not None
    resumed = file.resumed if file and not fresh else None
    if file and fresh:
        file.keep_all()
    try:
        entry = GameEntry(rules=args.rules, seat=args.seat, dealer=args.dealer, resumed=resumed,
                      after=file.after if file else None)
        return _Conversation(entry, file, args.lang).run()
    except EntryError as error:
        # Of the flags, whose words are English as those of the parser.
        words = EntryWords("en", letters=True)
        raise ValueError(words.refusal(GameEntry(rules=args.rules), error)) from None


class _Conversation:
    """Asks on standard output and reads answers from standard input, to its end."""

    def __init__(self, entry: GameEntry, file: EntryFile | None, language: str) -> None:
        self.entry = entry
        self.file = file
        self.language = language
        try:
            "♥".encode(sys.stdout.encoding or "utf-8")
            self.letters = False
        except (LookupError, UnicodeEncodeError):
            self.letters = True
        # What the file holds of this game, and why not more.
        self.saved: tuple[Record, ...] = entry.records
        self.unsaved = ""

    @property
    def words(self) -> EntryWords:
        return EntryWords.of(self.entry, self.language, self.letters)

    def say(self, key: str, **values: object) -> None:
        print(self.words(key, **values))

    def run(self) -> int:
        if self.file and self.file.broken:
            self.say("broken", file=self.file.path, why=self.file.broken)
        if self.file and self.saved:
            self.say("resumed", file=self.file.path, n=len(self.saved[-1].plies))
        try:
            self.ask()
            while self.entry.question is not None:
                text = input("> ").strip()
                if text.casefold() in QUIT:
                    break
                self.take(text)
        except EOFError:
            print()
        finally:
            self.leave()
        return 1 if self.unsaved else 0

    def ask(self) -> None:
        """Print what is asked next."""
        print()
        for line in self.words.question(self.entry):
            print(line)
        sys.stdout.flush()

    def take(self, text: str) -> None:
        """A command, or an answer."""
        word = text.casefold()
        if word in HELP:
            print(self.words.help)
        elif word in SAVE:
            self.save(aloud=True)
        elif word in SHOW:
            pass
        elif word in BACK:
            self.say("backed" if self.entry.back() else "no_back")
            self.save()
        else:
            try:
                self.entry.answer(text)
            except EntryError as error:
                print(self.words.refusal(self.entry, error))
                if error.key != "misdeal":
                    return
            for line in self.words.news(self.entry):
                print(line)
            self.save()
        self.ask()

    def save(self, aloud: bool = False) -> None:
        """Write the file where there is something new."""
        records = self.entry.records
        if self.file and records and records != self.saved:
            try:
                self.file.write(records)
                self.saved, self.unsaved = records, ""
            except OSError as error:
                if not self.unsaved or aloud:
                    self.say("not_saved", why=why(error))
                self.unsaved = why(error)
                return
        if aloud:
            self.say("saved" if self.file and self.saved else "nothing_yet",
                     file=self.file.path if self.file else "")

    def leave(self) -> None:
        """At the end: the file is written, or the records printed where there is none."""
        self.save()
        records = self.entry.records
        if self.file and not self.unsaved:
            if records and self.saved == records:
                self.say("saved", file=self.file.path)
            return
        if self.unsaved:
            self.say("not_saved", why=self.unsaved)
        with suppress(OSError):
            print()
            print("\n".join(map(write_record, records)), end="")
