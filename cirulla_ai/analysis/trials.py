"""The trials of a rollout: one world each, played to the end from each of the actions.

A trial depends on its number, the seed and the question, on nothing else: whoever plays it, and
whatever was played before it, it comes to the same.
"""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import get_ident
from typing import Any

from cirulla_ai._core.contract import Position
from cirulla_ai._core.quick import deal_values, items_of, likely_world, roll, solved_end
from cirulla_ai.action import Action
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["QUICK", "Question", "item_names", "play_trials"]

# The policy that is a game's own quick way to play.
QUICK = "quick"
# Other deals that a later one is compared with, and plays of its own, where a slow policy makes
# them cheap beside the rest; for the quick one its own play of the round is enough.
REDEALS = 8
SLOW_PLAYS, SLOW_REDEALS = 16, 48



@dataclass(frozen=True)
class Question:
    """What is rolled out: all that decides what a trial comes to.

    ``known``: a pickled ``Knowledge``; ``policy``: by what all seats play on: ``quick``, the
    name of a player, or ``engine``, with so many ``nodes`` for each action; ``inference``:
    whether worlds come as likely as the plays that were seen make them; ``evaluation``: the
    path of the evaluation file, empty for the shipped one.
    """

    known: bytes
    policy: str
    nodes: int
    seed: int
    inference: bool
    evaluation: str
    control: bool

    @classmethod
    def of(
        cls, known: Knowledge, policy: str, nodes: int, seed: int, inference: bool,
        evaluation: str, control: bool,
    ) -> Question:
        """The question of what one seat knows; raises PlayerError for a policy that is none."""
        if policy != QUICK:
            _player(policy).check(known.rules)
        return cls(pickle.dumps(known), policy, nodes, seed, inference, evaluation, control)


def item_names(rules: Rules) -> tuple[str, ...]:
    """What points are made of under these rules."""
    return game_of(rules).quick(rules, None, False).items


def play_trials(
    question: Question, codes: Sequence[int], first: int, trials: int
) -> list[list[list[float]]]:
    """What trials number ``first`` and on come to.

    For each trial and action: the items, side less the mean of the others', and the luck of
    the deals on the way, which is zero in the mean.
    """
    return _roller(question, get_ident()).play(codes, first, trials)


@lru_cache(maxsize=8)
def _roller(question: Question, thread: int) -> Roller:
    """What plays a question's trials in one thread: others have their own."""
    return Roller(question)


class Roller:
    """Plays the trials of one question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        known: Knowledge = pickle.loads(question.known)
        self.rules = known.rules
        self.side = known.rules.side(known.seat)
        game = game_of(known.rules)
        self.evaluation = evaluation_of(question.evaluation, known.rules)
        value = self.evaluation.value
        core = known.core
        self.core = game.posterior(core, value) if question.inference else core
        self.quick = game.quick(known.rules, value, False)
        self.softly = game.quick(known.rules, value, True)
        self.names = self.quick.items
        self.players: list[Player] = []
        if question.policy != QUICK:
            self.players = [_player(question.policy) for _ in range(known.rules.players)]
        self.limit = Limit(nodes=question.nodes)

    def play(self, codes: Sequence[int], first: int, trials: int) -> list[list[list[float]]]:
        """As ``play_trials``."""
        if self.players:
            return [[self._line(code, trial) for code in codes]
                    for trial in range(first, first + trials)]
        width = len(self.names) + 1
        out = array("d", bytes(8 * trials * len(codes) * width))
        roll(self.quick, self.core, list(codes), first, trials, self.question.seed,
             REDEALS if self.question.control else 0, out)
        rows = [_rounded(out[i:i + width]) for i in range(0, len(out), width)]
        return [rows[i:i + len(codes)] for i in range(0, len(rows), len(codes))]

    def _line(self, code: int, trial: int) -> list[float]:
        """One trial from one action, by players."""
        world = likely_world(self.core, trial, self.question.seed)
        # Seats play alike after every action, and deals are compared with the same others.
        random = Random(f"{self.question.seed}/{trial}")
        for player in self.players:
            player.begin(random.getrandbits(62))
        seed = random.getrandbits(62)
        history = History(State(self.rules, world)).play(Action.from_code(code))
        luck = 0.0
        round_ = history.start.round
        while not history.state.is_over:
            state = history.state
            if state.round > round_:
                round_ = state.round
                luck += self._luck(state.position, seed + round_)
            end = solved_end(self.quick, state.position)
            if end is not None:
                return self._row(end, luck)
            seat = state.turn
            assert seat is not None
            turn = Turn(history, self.limit)
            history = history.play(self.players[seat].choose(turn))
        return self._row(history.state.position, luck)

    def _luck(self, dealt: Position, seed: int) -> float:
        if not self.question.control:
            return 0.0
        (own, _), (others, _) = deal_values(
            self.softly, dealt, self.evaluation.equity, SLOW_PLAYS, SLOW_REDEALS, seed)
        return own[self.side] - others[self.side]

    def _row(self, end: Position, luck: float) -> list[float]:
        return _rounded([*items_of(self.quick, end, self.side), luck])


def _player(policy: str) -> Player:
    return EnginePlayer() if policy == "engine" else make_player(policy)


def _rounded(numbers: Any) -> list[float]:
    """As a file keeps them, so that what is gone on with is what was played."""
    return [round(number, 6) for number in numbers]
