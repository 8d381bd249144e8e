"""Who judges decisions: this engine, or any other that speaks the protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import hypot
from typing import Any

from cirulla_ai.action import Action
from cirulla_ai.analysis.analyse import Analysis, analyse
from cirulla_ai.analysis.dialect import evaluation_hash, rounded
from cirulla_ai.client.errors import EngineOptionError, IllegalActionError
from cirulla_ai.client.simple import SimpleEngine
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.info import Info
from cirulla_ai.rules import Rules
from cirulla_ai.version import FULL_NAME

__all__ = ["Choice", "Judge", "OwnJudge", "ProtocolJudge", "Verdict", "judge_of"]

# Seconds that an engine has to say uciok, and how long it may be silent.
PATIENCE_SECONDS = 60.0
NO_HANDS: Mapping[int, Mapping[str, float]] = {}


@dataclass(frozen=True)
class Choice:
    """What a judge says of an action: as ``Candidate`` has it, None where it does not say."""

    action: Action
    points: float | None = None
    error: float | None = None
    loss: float | None = None
    loss_error: float | None = None
    match: float | None = None
    match_loss: float | None = None
    match_error: float | None = None
    visits: int | None = None
    exact: bool = False
    pv: tuple[Action, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {
            "action": str(self.action), **{
                name: None if (value := getattr(self, name)) is None else rounded(value)
                for name in ("points", "error", "loss", "loss_error", "match")},
            "visits": self.visits, "exact": self.exact, "pv": list(map(str, self.pv))}


@dataclass(frozen=True)
class Verdict:
    """What a judge says of a decision: its choices, the best first.

    ``hands`` as ``Analysis`` has them, where they were asked for and it tells.
    """

    choices: tuple[Choice, ...]
    hands: Mapping[int, Mapping[str, float]] = field(default_factory=dict)

    def of(self, action: Action) -> Choice:
        """What is said of an action, one without any values where nothing is."""
        return next((c for c in self.choices if c.action == action), Choice(action))


class Judge(ABC):
    """Says what the actions of a decision are worth, by what its seat knows.

    ``name`` is who judges; ``is_ours`` whether it is this engine, which can say more.
    """

    name: str
    is_ours = False

    @abstractmethod
    def judge(
        self, history: History, played: Action, nodes: int, seed: int, *, hands: bool = False
    ) -> Verdict:
        """Judge the decision at the end of a seat's history, with ``nodes`` for all actions.

        ``played`` is the action that a value is needed of.  With the same ``nodes`` and
        ``seed`` it says the same, as far as the engine does.
        """

    def evaluation(self, rules: Rules) -> str | None:
        """The hash of the evaluation file in use, None where none is or it does not say."""
        return None

    def close(self) -> None:  # noqa: B027
        """Send home whatever it has started."""


class OwnJudge(Judge):
    """This package's engine, by comparison in the same worlds."""

    is_ours = True

    def __init__(self, options: Sequence[tuple[str, str]] = ()) -> None:
        self.name = FULL_NAME
        self.engine = Engine()
        for name, value in options:
            self.engine.set(name, value)

    def judge(
        self, history: History, played: Action, nodes: int, seed: int, *, hands: bool = False
    ) -> Verdict:
        return verdict_of(analyse(
            history, Limit(nodes=nodes), engine=self.engine, seed=seed, hands=hands))

    def evaluation(self, rules: Rules) -> str | None:
        return evaluation_hash(self.engine, rules)

    def in_hindsight(self, truth: History, nodes: int, seed: int) -> Verdict:
        """The same decision with all cards known."""
        cheat = Engine(self.engine.options.copy())
        cheat.set("Cheat", True)
        return verdict_of(analyse(
            truth, Limit(nodes=nodes), engine=cheat, seed=seed, hands=False))


def verdict_of(found: Analysis) -> Verdict:
    """What an analysis says."""
    return Verdict(tuple(
        Choice(one.action, one.points, one.error, one.loss, one.loss_error, one.match,
               one.match_loss, one.match_error, one.visits, one.exact, one.pv)
        for one in found.actions), found.hands)


class ProtocolJudge(Judge):
    """An engine in a process of its own; it runs until ``close``.

    What it does not say of the action that was played it is asked of that action alone.
    Its values are not of the same worlds: errors of differences are those of independent
    numbers.  Raises EngineStartError where it does not start, EngineOptionError for options
    that it does not take; ``judge`` raises EngineError where it fails.
    """

    def __init__(self, cmd: Sequence[str], options: Sequence[tuple[str, str]] = ()) -> None:
        self._engine = SimpleEngine.popen(list(cmd), timeout=PATIENCE_SECONDS)
        try:
            self._engine.configure(dict(options))
        except BaseException:
            self.close()
            raise
        self.name = self._engine.id.get("name", cmd[0])
        self._seeds = all(name.strip().lower() != "seed" for name, _ in options)

    def judge(
        self, history: History, played: Action, nodes: int, seed: int, *, hands: bool = False
    ) -> Verdict:
        limit = Limit(nodes=nodes)
        legal = history.state.legal_actions()
        self._reset(seed)
        infos = self._engine.analyse(history, limit, multipv=self._lines(len(legal)))
        if len(legal) > 1 and not any(said_of(info, played) for info in infos):
            self._reset(seed)
            # One that can't be asked of an action alone has not said.
            with suppress(IllegalActionError):
                infos = [*(info for info in infos if info.action != played),
                         *self._engine.analyse(history, limit, actions=[played])]
        return Verdict(choices_of(infos))

    def _lines(self, actions: int) -> int | None:
        """How many lines to ask for: as many as it can say, None where that is no option."""
        option = self._engine.options.get("MultiPV")
        if option is None or option.kind != "spin":
            return None
        return max(option.low, min(actions, option.high))

    def _reset(self, seed: int) -> None:
        """As if it had judged nothing before."""
        self._engine.new_game()
        value = self._engine.options.spin("Seed", seed) if self._seeds else None
        if value is not None:
            try:
                self._engine.configure({"Seed": value})
            except EngineOptionError:
                # It does not keep to its own announcement; its seed stays what it was.
                self._seeds = False

    def close(self) -> None:
        self._engine.close()


def said_of(info: Info, action: Action) -> bool:
    """Whether an info has a value of the action."""
    return info.action == action and info.score is not None


def choices_of(infos: Sequence[Info]) -> tuple[Choice, ...]:
    """What an engine's last infos say, the best first."""
    choices: list[Choice] = []
    for info in infos:
        action, score = info.action, info.score
        if action is None or any(choice.action == action for choice in choices):
            continue
        best = choices[0] if choices else None
        points = score.points if score else None
        error = score.error / 100 if score and score.error is not None else None
        match = info.wdl.expectation if info.wdl else None
        loss = loss_error = match_loss = 0.0 if best is None else None
        if best is not None:
            if points is not None and best.points is not None:
                loss = max(0.0, best.points - points)
            if error is not None and best.error is not None:
                loss_error = hypot(error, best.error)
            if match is not None and best.match is not None:
                match_loss = max(0.0, best.match - match)
        exact = bool(score and score.exact)
        if exact:
            error = 0.0
            if best is None or best.exact:
                loss_error = 0.0
        choices.append(Choice(action, points, error, loss, loss_error, match, match_loss, None,
                              info.visits, exact, info.pv))
    return tuple(choices)


@lru_cache(maxsize=4)
def judge_of(cmd: tuple[str, ...], options: tuple[tuple[str, str], ...]) -> Judge:
    """The judge with these options, an engine's process where there is a ``cmd``.

    A process that judges much keeps it running; it ends with that process, or where
    ``judge_of.cache_clear`` lets it go.
    """
    return ProtocolJudge(cmd, options) if cmd else OwnJudge(options)
