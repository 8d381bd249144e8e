"""The engine's end of the line protocol: reads commands, writes answers, nothing else."""

from __future__ import annotations

import io
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import BinaryIO, NoReturn, TextIO

from cirulla_ai.action import Action
from cirulla_ai.bench import run_bench
from cirulla_ai.engine import Engine, Info, Line, check_decidable
from cirulla_ai.notation import ActionError
from cirulla_ai.options import OPTIONS
from cirulla_ai.protocol.jobs import Job
from cirulla_ai.protocol.limits import GoWords, parse_go
from cirulla_ai.protocol.position import GamePosition, parse_position
from cirulla_ai.reports import eval_lines, perft_lines, rules_lines, score_lines
from cirulla_ai.rules import whole_number
from cirulla_ai.state import State
from cirulla_ai.version import __version__

__all__ = ["Server"]

# A longer line is no command of any use; it is read to its end and refused.
MAX_LINE = 1 << 22
MAX_DEPTH = 36
# A short perft or bench ends within this time before the next line is looked at, so that
# a `quit` right behind it does not cut it off.
COUNT_SECONDS = 0.1
# What waits for a running perft or bench to end (a search is stopped by them instead).
EXCLUSIVE = ("setoption", "ucinewgame", "position", "go", "perft", "bench")
AT_ONCE = ("stop", "quit", "isready")

HELP = (
    "uci                                    who the engine is, its options",
    "isready                                answers readyok",
    "setoption name NAME [value VALUE]      set an option",
    "ucinewgame                             forget earlier positions",
    "position state TOKENS… [moves A…]      a state, and actions played from it",
    "position startpos [TOKENS…] [seed N] [moves A…]   deal a smazzata",
    "go [searchmoves A…] [movetime MS] [nodes N] [time MS] [inc MS] [infinite]   search",
    "stop                                   end the search, perft or bench",
    "d                                      show the position",
    "legal                                  the legal actions",
    "view SEAT                              the position as a seat may see it",
    "score                                  the points of the taken cards so far",
    "eval                                   the static value of the position",
    "perft N                                count action sequences of N actions",
    "bench [THREADS] [NODES]                search fixed positions",
    "rules [PRESET]                         the presets, or one preset's options",
    "help                                   this list",
    "quit                                   leave",
)


class Server:
    """One conversation.  ``run`` reads ``lines`` to their end or to ``quit``.

    ``on_closed`` is called where the output can't be written any more: nobody listens.
    """

    def __init__(
        self,
        output: TextIO,
        *,
        on_closed: Callable[[], None] = lambda: None,
        errors: TextIO | None = None,
    ) -> None:
        self.engine = Engine()
        self.game = GamePosition(*_start())
        self._output = output
        self._errors = errors
        self._on_closed = on_closed
        self._writing = threading.Lock()
        self._log: TextIO | None = None
        self._job: Job | None = None
        # Answers owed for refused searches, after that of the one that runs.
        self._owed = 0
        self._owing = threading.Lock()
        self._inbox: SimpleQueue[str | None] = SimpleQueue()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci, "isready": self._isready, "setoption": self._setoption,
            "debug": self._ignore, "register": self._ignore, "ponderhit": self._ignore,
            "ucinewgame": self._ucinewgame, "position": self._position, "go": self._go,
            "stop": self._stop, "d": self._d, "legal": self._legal, "view": self._view,
            "score": self._score, "perft": self._perft, "eval": self._eval,
            "bench": self._bench, "rules": self._rules, "help": self._help,
        }

    # --- reading and writing ----------------------------------------------------------

    def run(self, stream: BinaryIO) -> None:
        """Read commands to the end of the input, or ``quit``."""
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()
        waiting: deque[str] = deque()
        while True:
            if waiting and not self._is_counting:
                line: str | None = waiting.popleft()
            else:
                line = self._inbox.get()
                if line is None:
                    break
                if self._is_counting and self._has_to_wait(line, bool(waiting)):
                    waiting.append(line)
                    continue
            if not self.handle(line):
                return
        # What has a limit may finish: printf '…' | cirulla works.
        for line in waiting:
            self._finish()
            if not self.handle(line):
                return
        if self._job and self._job.is_endless:
            self._job.halt()
        self._finish()

    def _read(self, stream: BinaryIO) -> None:
        """The reader's thread: lines into the inbox, None at the end."""
        first = True
        try:
            while raw := stream.readline(MAX_LINE):
                if first:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                    first = False
                if len(raw) >= MAX_LINE and not raw.endswith(b"\n"):
                    while raw and not raw.endswith(b"\n"):
                        raw = stream.readline(MAX_LINE)
                    self._error(f"a line of more than {MAX_LINE} bytes")
                    continue
                self._inbox.put(raw.decode("ascii", "replace"))
        except (OSError, ValueError):
            pass
        self._inbox.put(None)

    @property
    def _is_counting(self) -> bool:
        return self._job is not None and self._job.is_count and self._job.is_running

    def _has_to_wait(self, line: str, behind_others: bool) -> bool:
        """Whether a line waits for the count that runs."""
        for word in line.split():
            if word in AT_ONCE:
                return False
            if word in self._commands:
                return behind_others or word in EXCLUSIVE
        return behind_others

    def handle(self, line: str) -> bool:
        """Carry out one line; False after ``quit``.  Never raises on any input."""
        self._record(">", line.rstrip("\r\n"))
        words = line.split()
        for at, word in enumerate(words):
            if word == "quit":
                self._halt()
                return False
            command = self._commands.get(word)
            if command:
                try:
                    command(words[at + 1:])
                except (ValueError, MemoryError) as error:
                    self._error(str(error))
                except Exception as error:
                    if self._errors:
                        traceback.print_exc(file=self._errors)
                    self._error(f"{word}: {type(error).__name__}: {error}")
                return True
        if words:
            self._say(f"info string unknown command: {' '.join(words)[:200]}")
        return True

    def _say(self, *lines: str) -> None:
        """Write whole lines at once; lines of different threads never mix."""
        with self._writing:
            try:
                self._output.write("".join(line + "\n" for line in lines))
                self._output.flush()
            except (OSError, ValueError):
                self._on_closed()
                return
        for line in lines:
            self._record("<", line)

    def _error(self, message: str) -> None:
        # Whatever was typed comes back in ASCII, on one line.
        text = " ".join(message.split())[:1000]
        self._say("info string error: " + text.encode("ascii", "backslashreplace").decode())

    def _record(self, mark: str, line: str) -> None:
        if self._log:
            try:
                self._log.write(f"{mark} {line}\n")
                self._log.flush()
            except (OSError, ValueError):
                self._log = None

    # --- jobs -------------------------------------------------------------------------

    def _halt(self) -> None:
        """Stop what runs and wait until it has said its last word."""
        if self._job:
            self._job.halt()
        self._finish()

    def _finish(self) -> None:
        if self._job:
            self._job.join()
            self._job = None

    def _start(
        self, work: Callable[[Job], None], *, is_endless: bool = False, is_count: bool = False,
    ) -> None:
        self._halt()
        self._job = Job(lambda job: self._guard(work, job), is_endless=is_endless,
                        is_count=is_count)
        if is_count:
            self._job.join(COUNT_SECONDS)

    def _guard(self, work: Callable[[Job], None], job: Job) -> None:
        try:
            work(job)
        except (ValueError, MemoryError) as error:
            self._error(str(error))
        except Exception as error:
            if self._errors:
                traceback.print_exc(file=self._errors)
            self._error(f"{type(error).__name__}: {error}")
        finally:
            # Wakes the loop, so that what waits for this job goes on.
            self._inbox.put("")

    # --- commands ---------------------------------------------------------------------

    def _ignore(self, words: list[str]) -> None:
        """Commands of UCI that mean nothing here."""

    def _uci(self, words: list[str]) -> None:
        self._say(
            f"id name cirulla-ai {__version__}", "id author the cirulla-ai developers",
            *(option.uci for option in OPTIONS.values()), "uciok")

    def _isready(self, words: list[str]) -> None:
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        lowered = [word.lower() for word in words]
        if not words or lowered[0] != "name":
            raise ValueError("setoption takes: name NAME [value VALUE]")
        at = lowered.index("value") if "value" in lowered else len(words)
        name = " ".join(words[1:at])
        value = " ".join(words[at + 1:]) if at < len(words) else None
        if not name:
            raise ValueError("setoption: no name; it takes: name NAME [value VALUE]")
        # Tried on a copy first: what is refused must not stop the search.
        trial = Engine(self.engine.options.copy())
        trial.set(name, value)
        option = self.engine.options.find(name)
        log = self._open_log(str(trial.options[option.name])) \
            if option.name == "Debug Log File" else self._log
        self._halt()
        self.engine.set(name, value)
        self._log = log

    def _open_log(self, path: str) -> TextIO | None:
        if not path:
            return None
        try:
            return open(path, "a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise ValueError(f"Debug Log File: {path}: {error.strerror}; the old one stays") \
                from None

    def _ucinewgame(self, words: list[str]) -> None:
        self._halt()

    def _position(self, words: list[str]) -> None:
        game = parse_position(words, self.engine.options.number("Seed") or None,
                              self.game.state.rules)
        self._halt()
        self.game = game

    def _go(self, words: list[str]) -> None:
        try:
            go = parse_go(words)
            chosen = self._choose(go)
        except (ValueError, MemoryError) as error:
            self._refuse(str(error))
            return
        game, engine = self.game, Engine(self.engine.options.copy())

        def work(job: Job) -> None:
            best = "bestmove (none)"
            try:
                state = game.state if engine.options["Cheat"] else game.knowledge()
                info = None
                for info in engine.search(state, go.limit, actions=chosen, stop=job.stop):
                    self._say(*info_lines(info))
                if info:
                    pv = info.lines[0].pv
                    best = f"bestmove {pv[0]}" + (f" ponder {pv[1]}" if len(pv) > 1 else "")
                if go.limit.is_infinite:
                    job.wait_for_stop()
            finally:
                self._answer(best)

        self._start(work, is_endless=go.limit.is_infinite)

    def _choose(self, go: GoWords) -> list[Action] | None:
        """The actions that ``searchmoves`` leaves; raises ValueError where there is nothing
        to decide."""
        state = self.game.state
        if state.is_over and go.limit.is_infinite:
            # Nothing may be said before the stop.
            self._idle("the smazzata is over: there is nothing to decide")
            raise _HandledError
        check_decidable(state if state.viewer is not None else state.view(state.turn or 0))
        if self.engine.options["Cheat"] and state.viewer is not None:
            raise ValueError("Cheat is on, which needs the whole truth, and the position is "
                             f"the view of seat {state.viewer}")
        if go.actions is None:
            return None
        legal = state.legal_actions()
        chosen: list[Action] = []
        for word in go.actions:
            try:
                action = Action(word)
            except ActionError as error:
                self._say(f"info string searchmoves: {error}; left out")
                continue
            if action not in legal:
                self._say(f"info string searchmoves: {action} is not legal here; left out")
            elif action not in chosen:
                chosen.append(action)
        if not chosen:
            raise ValueError("searchmoves: none of them is legal here; legal are "
                             f"{' '.join(map(str, legal[:40]))}")
        return chosen

    def _idle(self, message: str) -> None:
        self._halt()
        self._error(message)

        def work(job: Job) -> None:
            job.wait_for_stop()
            self._answer("bestmove (none)")

        self._start(work, is_endless=True)

    def _refuse(self, message: str) -> None:
        """A ``go`` that can't be done: say why, and answer in its turn."""
        if message:
            self._error(message)
            with self._owing:
                if self._job and self._job.is_running and not self._job.stop.is_set():
                    self._owed += 1
                    return
            self._say("bestmove (none)")

    def _answer(self, best: str) -> None:
        """The answer of a search, and those owed for what was refused meanwhile."""
        with self._owing:
            owed, self._owed = self._owed, 0
        self._say(best, *["bestmove (none)"] * owed)

    def _stop(self, words: list[str]) -> None:
        self._halt()

    def _d(self, words: list[str]) -> None:
        state = self.game.state
        self._say(*state.pretty().split("\n"), f"state: {state}", "")

    def _legal(self, words: list[str]) -> None:
        self._say(" ".join(["legal", *map(str, self.game.state.legal_actions())]))

    def _view(self, words: list[str]) -> None:
        state = self.game.state
        players = state.rules.players
        if len(words) != 1:
            raise ValueError(f"view takes one seat, 0 … {players - 1}")
        try:
            seat = whole_number(words[0])
        except ValueError:
            raise ValueError(f"view {words[0]}: not a seat, 0 … {players - 1}") from None
        self._say(f"state: {state.view(seat)}")

    def _score(self, words: list[str]) -> None:
        self._say(*score_lines(self.game.state))

    def _eval(self, words: list[str]) -> None:
        self._say(*eval_lines(self.game.state), "")

    def _rules(self, words: list[str]) -> None:
        self._say(*rules_lines(words[0].lower() if words else None), "")

    def _help(self, words: list[str]) -> None:
        self._say(*HELP, "")

    def _perft(self, words: list[str]) -> None:
        depth = _number("perft", words, 1, 1, MAX_DEPTH)
        state = self.game.state
        if state.phase == "deal":
            raise ValueError("perft: cards must be dealt first")
        state.legal_actions()

        def work(job: Job) -> None:
            self._say(*perft_lines(state, depth, job.stop))

        self._start(work, is_count=True)

    def _bench(self, words: list[str]) -> None:
        threads = _number("bench", words[:1], 1, 1, 256)
        nodes = _number("bench", words[1:2], 2000, 1, 1 << 31)

        def work(job: Job) -> None:
            for line in run_bench(threads, nodes, job.stop):
                self._say(line)

        self._start(work, is_count=True)


class _HandledError(ValueError):
    """A refusal that has been answered already."""

    def __str__(self) -> str:
        return ""


def _start() -> tuple[State, tuple[str, ...], State]:
    """The position before any ``position``."""
    state = State.deal("cirulla", seed=0)
    return state, (), state


def _number(command: str, words: list[str], default: int, low: int, high: int) -> int:
    if not words:
        if command == "perft":
            raise ValueError(f"perft takes a number of actions, {low} … {high}")
        return default
    try:
        value = whole_number(words[0])
    except ValueError:
        value = -1
    if not low <= value <= high:
        raise ValueError(f"{command} {words[0]}: not a number in {low} … {high}")
    return value


def info_lines(info: Info) -> Iterable[str]:
    """The ``info`` lines of one report, the best action first."""
    for rank, line in enumerate(info.lines, 1):
        yield info_line(info, rank, line)


def info_line(info: Info, rank: int, line: Line) -> str:
    """One ``info`` line."""
    error = "" if line.error is None else f" se {line.error}"
    win, draw, loss = line.wdl
    return (
        f"info depth {info.depth} nodes {info.nodes} nps {info.nps} time {info.milliseconds} "
        f"hashfull {info.hashfull} multipv {rank} score cp {line.centipoints} "
        f"wdl {win} {draw} {loss}{error} visits {line.visits} pv {' '.join(map(str, line.pv))}"
    )


def main() -> NoReturn:
    """Speak the protocol on standard input and output."""
    # Nobody listens any more: leave at once, wherever the reader waits.
    server = Server(sys.stdout, on_closed=lambda: os._exit(0), errors=sys.stderr)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", errors="backslashreplace", newline="\n")
    server.run(sys.stdin.buffer)
    # The reader's thread may hang in a read that nothing but more input ends.
    sys.stderr.flush()
    os._exit(0)
