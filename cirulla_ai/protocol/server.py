"""The engine's end of the line protocol: commands in, answers out, nothing else."""

from __future__ import annotations

import re
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TextIO

from cirulla_ai._core.search import now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action, ActionError
from cirulla_ai.basics.encoding import file_name
from cirulla_ai.basics.numbers import given, whole_number
from cirulla_ai.engine.bench import MAX_BENCH, run_bench
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.history import History
from cirulla_ai.info import Info, info_lines
from cirulla_ai.protocol.channel import Channel, open_log
from cirulla_ai.protocol.jobs import Job, Worker
from cirulla_ai.protocol.limits import parse_go
from cirulla_ai.protocol.position import PositionReader
from cirulla_ai.protocol.reports import eval_lines, perft_lines, rules_lines, score_lines
from cirulla_ai.protocol.setoption import parse_setoption
from cirulla_ai.protocol.texts import HELP, uci_lines
from cirulla_ai.state import MAX_DEPTH, State

__all__ = ["MAX_LINE", "Server"]

WORD = re.compile(r"\S+")
# A longer line is no command of any use.
MAX_LINE = 1 << 22
MAX_LINE = 1 << 22
# A short perft or bench ends within this time before the next line is looked at, so that
# a `quit` right behind it does not cut it off.
COUNT_SECONDS = 0.1
# How often to look whether anybody waits for what is silent for long.
CHECK_SECONDS = 1.0


class Server:
    """One conversation: ``handle`` carries out a line, ``end`` ends it.

    ``on_closed`` is called where the output can't be written any more: nobody listens.
    ``errors`` is where tracebacks of internal errors go.  ``on_job_end`` may be set: it is
    called from another thread when a search, perft or bench has ended.
    """

    def __init__(
        self,
        output: TextIO,
        *,
        on_closed: Callable[[], None] = lambda: None,
        errors: TextIO | None = None,
    ) -> None:
        start = State.deal("cirulla", seed=0)
        self.engine = Engine()
        self.game = History(start)
        self._positions = PositionReader()
        self.on_job_end: Callable[[], None] = lambda: None
        # Where there is no thread for jobs: called by a job while it goes on, to read on; with
        # True it may wait for the next line.
        self.read_on: Callable[[bool], None] = lambda may_wait: None
        # Whether a stop has been read already that ends what is begun now.
        self.is_hurried = False
        self._channel = Channel(output, on_closed)
        self._errors = errors
        self._job: Job | None = None
        self._worker = Worker()
        self._answering = threading.Lock()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci, "isready": self._isready, "setoption": self._setoption,
            "debug": self._ignore, "register": self._ignore, "ponderhit": self._ignore,
            "ucinewgame": self._stop, "position": self._position, "go": self._go,
            "stop": self._stop, "d": self._d, "legal": self._legal, "view": self._view,
            "score": self._score, "perft": self._perft, "eval": self._eval,
            "bench": self._bench, "rules": self._rules, "help": self._help, "quit": self._stop,
        }

    # --- lines ------------------------------------------------------------------------

    def split(self, line: str) -> tuple[str, list[str]]:
        """The command of a line and its words; unknown words before it are skipped.

        What comes after ``setoption`` is one, as it was sent.
        """
        for match in WORD.finditer(line):
            if match[0] in self._commands:
                rest = line[match.end():]
                return match[0], [rest] if match[0] == "setoption" else rest.split()
        return "", line.split()

    def handle(self, line: str) -> bool:
        """Carry out one line; False after ``quit``.  Never raises on any input."""
        self._channel.heard(line)
        command, words = self.split(line)
        try:
            if command and len(line) > MAX_LINE:
                raise ValueError(f"a line of more than {MAX_LINE} bytes")
            if command:
                self._commands[command](words)
            elif words:
                self._channel.inform(f"unknown command: {' '.join(words)[:200]}")
        except Exception as error:
            self._complain(command, error)
            if command == "go":
                self._answer_none()
        return command != "quit"

    def refuse(self, line: str) -> None:
        """Leave a line undone, with the answer that it must have."""
        if self.split(line)[0] == "go":
            self._answer_none()

    def end(self) -> None:
        """The end of the input: what has a limit may finish, so printf '…' | cirulla works."""
        if self.is_endless:
            self._halt()
        self.finish()

    def _complain(self, command: str, error: Exception) -> None:
        message = str(error)
        if not isinstance(error, (ValueError, MemoryError)) or not message:
            message = f"{type(error).__name__}: {message}"
            if self._errors:
                with suppress(OSError, ValueError):
                    traceback.print_exception(error, file=self._errors)
        self._channel.error(f"{command}: {message}")

    # --- jobs -------------------------------------------------------------------------

    @property
    def is_counting(self) -> bool:
        """Whether a perft or bench runs."""
        return self._job is not None and self._job.is_count and not self._job.is_over

    @property
    def is_endless(self) -> bool:
        """Whether only a stop ends what runs."""
        return self._job is not None and self._job.is_endless

    def interrupt(self) -> None:
        """Tell what runs to stop, and do not wait for it."""
        if self._job:
            self._job.halt()

    def work_here(self) -> None:
        """Run jobs in the thread that calls ``handle``: it can't both wait for lines and be woken
        by the end of a job."""
        self._worker.dismiss()

    def finish(self) -> None:
        """Wait until what runs has said its last word."""
        while self._job and not self._job.join(CHECK_SECONDS):
            self._channel.check()
        self._job = None

    def _halt(self) -> None:
        self.interrupt()
        self.finish()

    def _start(self, job: Job) -> None:
        self._job = job
        if not self._worker.is_there:
            self._channel.inform("no thread for this: lines are read between slices of it")
        job.start(self._worker)

    @property
    def _felt_pulse(self) -> Callable[[], None] | None:
        """What a job has to call many times a second, where it has no thread of its own."""
        return None if self._worker.is_there else partial(self.read_on, False)

    def _count(self, command: str, lines: Iterator[str], stop: Stop) -> None:
        """Start a perft or bench, which says these lines."""
        def work(job: Job) -> None:
            try:
                for line in lines:
                    self._channel.say(line)
                    if self._felt_pulse:
                        self._felt_pulse()
            except Exception as error:
                self._complain(command, error)

        self._halt()
        job = Job(work, stop, self._job_ended, is_count=True)
        self._start(job)
        if not self.is_hurried:
            job.join(COUNT_SECONDS)

    def _search(self, infos: Iterator[Info], stop: Stop, is_endless: bool) -> None:
        """Start a search, which says these infos and its answer."""
        def work(job: Job) -> None:
            best = "(none)"
            try:
                for info in infos:
                    self._channel.say(*info_lines(info))
                    best = " ponder ".join(map(str, info.pv[:2]))
            except Exception as error:
                self._complain("go", error)
            if is_endless and self._worker.is_there:
                job.wait_for_stop()
            while is_endless and not job.is_halted:
                self.read_on(True)
            with self._answering:
                job.has_answered = True
                self._channel.say(f"bestmove {best}", *["bestmove (none)"] * job.owed)

        self._start(Job(work, stop, self._job_ended, is_endless=is_endless))

    def _job_ended(self) -> None:
        self.on_job_end()

    def _answer_none(self) -> None:
        """Answer a search that can't be done, after the one that runs."""
        with self._answering:
            if self._job and not self._job.has_answered:
                self._job.owed += 1
            else:
                self._channel.say("bestmove (none)")

    # --- commands ---------------------------------------------------------------------

    def _ignore(self, words: list[str]) -> None:
        """Commands of UCI that mean nothing here."""

    def _uci(self, words: list[str]) -> None:
        self._channel.say(*uci_lines())

    def _isready(self, words: list[str]) -> None:
        self._prepare("isready")
        # Whoever waits for readyok gets it.
        self._channel.say("readyok")

    def _prepare(self, command: str) -> None:
        """Read and work out what is known of these rules now, not in the time of a search."""
        try:
            self.engine.prepare_for(self.game.state)
        except Exception as error:
            self._complain(command, error)

    def _setoption(self, words: list[str]) -> None:
        name, value = parse_setoption(words[0])
        # Set on another engine first: what is refused must not stop the search.
        engine = Engine(self.engine.options)
        option = engine.options.find(name)
        if value is not None and option.kind == "string":
            # All of them are names of files.
            value = file_name(value)
        engine.set(name, value)
        is_log = option.name == "Debug Log File"
        log = open_log(str(engine.options["Debug Log File"])) if is_log else None
        self._halt()
        self.engine = engine
        if is_log:
            self._channel.log_to(log)
        self._prepare("setoption")

    def _position(self, words: list[str]) -> None:
        game = self._positions.read(words, self.engine.options.number("Seed") or None)
        self._halt()
        self.game = game
        self._prepare("position")

    def _go(self, words: list[str]) -> None:
        started = now_ns()
        go = parse_go(words)
        stop = Stop()
        if self.game.state.is_over:
            message = "the smazzata is over: there is nothing to decide"
            if not go.is_endless:
                raise ValueError(message)
            # A search without an end, and nothing may be said before the stop.
            self._halt()
            self._channel.error(f"go: {message}")
            self._search(iter(()), stop, is_endless=True)
            return
        actions, left_out = self._among(go.actions)
        infos = self.engine.search(
            self.game, go.limit, actions=actions, stop=stop, started=started,
            pulse=self._felt_pulse)
        self._halt()
        if left_out:
            self._channel.inform(
                f"searchmoves: left out, not legal here: {' '.join(left_out)}")
        self._search(infos, stop, go.is_endless)

    def _among(self, words: tuple[str, ...] | None) -> tuple[list[Action] | None, list[str]]:
        """Those of ``searchmoves`` that are legal, and the others as they were given."""
        if words is None:
            return None, []
        legal = self.game.state.legal_actions()
        chosen: list[Action] = []
        left_out: list[str] = []
        for word in words:
            try:
                action = Action(word)
            except ActionError:
                left_out.append(word)
                continue
            if action not in legal:
                left_out.append(word)
            elif action not in chosen:
                chosen.append(action)
        if legal and not chosen:
            raise ValueError(
                f"searchmoves: {' '.join(words[:20]) or 'nothing'}: none of it is legal here; "
                f"legal are {' '.join(map(str, legal))}")
        return chosen, left_out

    def _stop(self, words: list[str]) -> None:
        """Also all there is to do for ``quit`` and for ``ucinewgame``: a search leaves
        nothing behind for the next."""
        self._halt()

    def _d(self, words: list[str]) -> None:
        state = self.game.state
        self._channel.say(*state.pretty().split("\n"), f"state: {state}", "")

    def _legal(self, words: list[str]) -> None:
        self._channel.say(" ".join(["legal", *map(str, self.game.state.legal_actions())]))

    def _view(self, words: list[str]) -> None:
        seats = self.game.state.rules.players - 1
        seat = _numbers(words, (0, seats), least=1)[0]
        self._channel.say(f"state: {self.game.state.view(seat)}")

    def _score(self, words: list[str]) -> None:
        self._channel.say(*score_lines(self.game.state))

    def _eval(self, words: list[str]) -> None:
        self._channel.say(*eval_lines(self.game.state), "")

    def _rules(self, words: list[str]) -> None:
        self._channel.say(*rules_lines(" ".join(words).lower() or None), "")

    def _help(self, words: list[str]) -> None:
        self._channel.say(*HELP, "")

    def _perft(self, words: list[str]) -> None:
        depth = _numbers(words, (1, MAX_DEPTH), least=1)[0]
        state = self.game.state
        if state.phase == "deal":
            raise ValueError("cards must be dealt first: @ and the new hand of seat "
                             f"{state.viewer}")
        state.legal_actions()  # raises where another seat moves
        stop = Stop()
        self._count("perft", perft_lines(state, depth, stop), stop)

    def _bench(self, words: list[str]) -> None:
        stop = Stop()
        stop = Stop()
        numbers = _numbers(words, (1, OPTIONS["threads"].high), (1, MAX_BENCH))
        self._count("bench", run_bench(*numbers, stop=stop, pulse=self._felt_pulse), stop)


def _numbers(words: list[str], *ranges: tuple[int, int], least: int = 0) -> list[int]:
    """The numbers after a command, each in its range, the last ones perhaps left out."""
    takes = ", then ".join(f"a number in {low} … {high}" for low, high in ranges)
    if not least <= len(words) <= len(ranges):
        raise ValueError(f"it takes {takes}, not {' '.join(words) or 'nothing'}")
    numbers = []
    for word, (low, high) in zip(words, ranges, strict=False):
        try:
            numbers.append(whole_number(word, low, high))
        except ValueError:
            raise ValueError(f"{given(word)[1:-1]} is not a number in {low} … {high}") from None
    return numbers
