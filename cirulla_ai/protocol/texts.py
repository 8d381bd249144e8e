"""What the server says that is more than a word: ``help`` and ``uci``."""

from __future__ import annotations

from collections.abc import Iterator

from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.version import FULL_NAME

__all__ = ["HELP", "uci_lines"]

HELP = """\
uci                                     who the engine is, its options
isready                                 answers readyok
setoption name NAME [value VALUE]       set an option
ucinewgame                              forget earlier positions
position state TOKENS... [moves A...]   a state, and actions played from it
position startpos [TOKENS...] [seed N] [moves A...]
                                        deal a smazzata, from a seed or pack=
go [LIMITS]                             search; the first limit reached ends it
   movetime MS                          so long
   nodes N                              so many iterations
   time MS [inc MS]                     my clock for the rest of the smazzata, and
                                        what each action adds to it
   searchmoves A...                     choose among these only
   infinite                             answer after stop, as without a limit
stop                                    end the search, perft or bench
d                                       show the position
legal                                   the legal actions
view SEAT                               the position as a seat may see it
score                                   the points of the taken cards so far
eval                                    the static value of the position
perft N                                 count action sequences of N actions
bench [THREADS] [NODES]                 search fixed positions
rules [PRESET]                          the presets, or one preset's options
help                                    this list
quit                                    leave
""".splitlines()


def uci_lines() -> Iterator[str]:
    """Who the engine is, and its options."""
    yield f"id name {FULL_NAME}"
    yield "id author the cirulla-ai developers"
    yield from (option.uci for option in OPTIONS.values())
    yield "uciok"
