"""Engines in processes of their own, as players; kept running from one deal set to the next."""

from __future__ import annotations

from cirulla_ai.action import Action
from cirulla_ai.basics.encoding import argument_text
from cirulla_ai.client.errors import (
    EngineError,
    EngineOptionError,
    EngineRefusedError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalActionError,
)
from cirulla_ai.client.simple import SimpleEngine
from cirulla_ai.history import History
from cirulla_ai.players.base import Player, Thought, Turn
from cirulla_ai.rules import Rules
from cirulla_ai.state import State
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.referee import FaultError

__all__ = ["ProcessPlayer", "check_options"]

# Seconds that an engine has to say uciok, and to answer isready.
START_SECONDS = 20.0


def fault_of(error: EngineError) -> FaultError:
    """What an engine's error is to the referee."""
    kinds: tuple[tuple[type[EngineError], str], ...] = (
        (IllegalActionError, "illegal"), (EngineTimeoutError, "time"),
        (EngineStartError, "start"), (EngineTerminatedError, "crash"),
        (EngineRefusedError, "refused"), (EngineOptionError, "options"),
    )
    for kind, name in kinds:
        if isinstance(error, kind):
            return FaultError(name, str(error))
    return FaultError("garbage", str(error))


def launch(contender: Contender) -> SimpleEngine:
    """Start the contender's engine and set its options; raises EngineError."""
    engine = SimpleEngine.popen(list(contender.cmd), timeout=START_SECONDS)
    try:
        engine.configure({name: argument_text(value) for name, value in contender.options})
    except BaseException:
        engine.close()
        raise
    return engine


def check_options(contender: Contender) -> None:
    """Start the engine once, before the first deal, to see that it starts and takes its
    options.

    Raises EngineOptionError for a misspelt option or a value out of range, EngineStartError
    where it does not start.
    """
    launch(contender).close()


class ProcessPlayer(Player):
    """An engine process on one seat.  It starts when it is first to get ready, and again after
    it has failed."""

    def __init__(self, contender: Contender) -> None:
        super().__init__()
        self.name = contender.name
        self.contender = contender
        self.sees_all = any(
            name.strip().lower() == "cheat" and value.strip().lower() == "true"
            for name, value in contender.options)
        self._engine: SimpleEngine | None = None
        # The rules and the round that it is ready for.
        self._ready_for: tuple[Rules, int] | None = None
        self._seed = 0
        # Its seeds are ours to set, unless they were given or it does not take them.
        self._seeds = all(name.strip().lower() != "seed" for name, _ in contender.options)

    def begin(self, seed: int) -> None:
        """A new game: what comes next has nothing to do with what was before."""
        super().begin(seed)
        self._seed = self.random.getrandbits(62) | 1
        if self._engine is not None:
            try:
                self._reset(self._engine)
            except EngineError:
                self.close()

    def _reset(self, engine: SimpleEngine) -> None:
        self._ready_for = None
        engine.new_game()
        seed = engine.options.spin("Seed", self._seed) if self._seeds else None
        if seed is not None:
            try:
                engine.configure({"Seed": seed})
            except EngineOptionError:
                # It does not keep to its own announcement; its seed stays what it was.
                self._seeds = False
        engine.ping()

    def choose(self, turn: Turn) -> Action:
        limit = turn.limit
        times = [ms for ms in (limit.movetime, limit.time) if ms is not None]
        # Without a time it may think as long as it gives signs of life.
        timeout = (min(times) + self.contender.clock.margin) / 1000 if times else None
        try:
            result = self._started().play(self._position(turn), limit, timeout=timeout)
        except EngineError as error:
            raise self._failed(error) from None
        best = result.infos[0] if result.infos else None
        self.thought = Thought(
            best.score.centipoints if best and best.score else None,
            best.nodes if best else None)
        return result.action

    def prepare(self, turn: Turn | None = None) -> None:
        try:
            engine = self._started()
            if turn is not None and self._ready_for != (turn.view.rules, turn.view.round):
                # Once a round: more would be time to think in.
                engine.prepare(self._position(turn))
                self._ready_for = turn.view.rules, turn.view.round
        except EngineError as error:
            raise self._failed(error) from None

    def _position(self, turn: Turn) -> State | History:
        return turn.truth(self) if self.sees_all else turn.history

    def _started(self) -> SimpleEngine:
        if self._engine is None:
            self._engine = launch(self.contender)
            self._reset(self._engine)
        return self._engine

    def _failed(self, error: EngineError) -> FaultError:
        """The fault that an error is."""
        fault = fault_of(error)
        if fault.kind != "illegal":
            # In whatever state it is, the next game gets a fresh one.
            self.close()
        return fault

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
