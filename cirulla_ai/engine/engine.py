"""The engine: decides what to play from what a seat knows.

No input or output here; the line protocol is in ``cirulla_ai.protocol``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cirulla_ai._core.contract import CheatInformationSet, InformationSet
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.search import can_allocate, now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.basics.numbers import given
from cirulla_ai.engine.decision import Decision
from cirulla_ai.engine.evaluation import Evaluation
from cirulla_ai.engine.evaluation_file import EvaluationError, evaluation_of, load_evaluation
from cirulla_ai.engine.limit import Limit, check_limit
from cirulla_ai.engine.options import OptionError, Options, Value, value_text
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.info import Info
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.rules import Rules
from cirulla_ai.state import OVER, State, check_decidable, legal_among

__all__ = ["Engine"]


class Engine:
    """An engine with its options; two engines share nothing.

    >>> engine = Engine()
    >>> engine.set("Seed", 1)
    >>> state = State.deal("cirulla", dealer=1, seed=7)
    >>> engine.play(state, Limit(nodes=500)) in state.legal_actions()
    True
    """

    def __init__(self, options: Options | None = None) -> None:
        if not isinstance(options, Options | None):
            raise TypeError(f"options {given(options)}: Options are needed; set changes one")
        self.options = options or Options()

    def set(self, name: str, value: Value | None = None) -> None:
        """Set an option; raises OptionError and keeps the old value."""
        changed = self.options.copy()
        changed.set(name, value_text(name, value))
        size = changed.number("Hash")
        if size > self.options.number("Hash") and not can_allocate(size << 20):
            raise OptionError(f"Hash: {size} MiB is more than the system gives; "
                              f"{self.options['Hash']} stays")
        if changed["EvalFile"] != self.options["EvalFile"]:
            try:
                load_evaluation(str(changed["EvalFile"]))
            except EvaluationError as error:
                raise OptionError(f"EvalFile: {error}") from None
        self.options = changed

    def play(self, state: State | Knowledge | History, limit: Limit) -> Action:
        """The action that the search chooses; raises ValueError as ``search`` does."""
        *_, last = self.search(state, limit)
        return last.pv[0]

    def search(
        self,
        state: State | Knowledge | History,
        limit: Limit,
        *,
        actions: Iterable[Action | str] | None = None,
        stop: Stop | None = None,
        started: int | None = None,
        pulse: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        """Search, giving the state of things now and then; the last is the final one.

        Of a whole truth only what the seat to move knows is used (but for the option
        ``Cheat``); of a history also what it saw of the steps.  ``actions`` restricts the
        choice; ``stop`` ends the search from another thread; times count from ``started``
        (now), in nanoseconds of the monotonic clock; ``pulse`` is called many times a second
        while it goes on, for a caller without another thread.  Raises ValueError where there
        is nothing to decide, the seat to move is not the viewer, or an action is not legal;
        TypeError for arguments of other kinds; RuntimeError in a process forked meanwhile, if
        it has threads.
        """
        return self.decision(state, limit, actions=actions, stop=stop, started=started,
                             pulse=pulse).infos()

    def decision(
        self,
        state: State | Knowledge | History,
        limit: Limit,
        *,
        actions: Iterable[Action | str] | None = None,
        stop: Stop | None = None,
        started: int | None = None,
        pulse: Callable[[], None] | None = None,
    ) -> Decision:
        """A decision, ready to be made, as ``search`` makes it; raises what ``search`` does."""
        if started is None:
            started = now_ns()
        if not isinstance(state, (State, Knowledge, History)):
            raise TypeError(f"{given(state)} can't be searched; a State, a Knowledge or a History "
                            "can")
        check_limit(limit)
        truth = state.state if isinstance(state, History) else state
        if isinstance(truth, State) and truth.is_over:
            raise ValueError(OVER)
        if isinstance(state, History):
            knowledge = state.knowledge()
        else:
            knowledge = state if isinstance(state, Knowledge) else Knowledge(state)
        view = knowledge.state
        check_decidable(view)
        legal = view.legal_actions()
        chosen = legal if actions is None else legal_among(legal, actions)
        if not chosen:
            raise ValueError("no legal action to choose from; legal are "
                             f"{' '.join(map(str, legal))}")
        # A copy: what is seen from now on is not of this search.
        core: InformationSet = knowledge.core.copy()
        if self.options["Cheat"]:
            if not isinstance(truth, State) or truth.viewer is not None:
                raise ValueError("Cheat needs the whole truth, not a view")
            core = CheatInformationSet(truth.position, knowledge.seat)
        # A copy, so that options set from now on are those of the next search.
        evaluation, remark = self.prepare_for(view)
        return Decision(core, view, chosen, limit, self.options.copy(), evaluation, remark,
                        stop or Stop(), started, pulse)

    def prepare_for(self, state: State) -> tuple[Evaluation, str]:
        """What is known of the rules of a state, ready for decisions in its round, and what
        there is to say of it.

        A search does this by itself; done before, it costs none of its time.
        """
        rules = state.rules
        try:
            evaluation, remark = self.prepare(rules)
            # Lines end with this round.
            evaluation.equity.prepare(len(rules.rounds) - state.round)
        except MemoryError as error:
            rough = Equity(rules.sides, rules.target, rules.family.fewest, *rules.pace)
            return Evaluation(None, rough), (
                f"{error or 'no memory for what was learnt'}: lines are played out at random")
        return evaluation, remark

    def prepare(self, rules: Rules) -> tuple[Evaluation, str]:
        """What is known of these rules, and what there is to say of it."""
        evaluation = evaluation_of(str(self.options["EvalFile"]), rules)
        remark = ""
        if evaluation.value is None and self.options["Evaluation"] and game_of(rules).has_value:
            remark = f"no learned value for {rules}: lines are played out at random"
        return evaluation, remark
