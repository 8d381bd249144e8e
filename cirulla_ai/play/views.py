"""What a seat may be shown of a game: made from its own history, so that no more can be in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from cirulla_ai.action import Action, Deal
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Place", "SeatView", "action_dict", "legal_dicts", "position_dict", "sheet_dict",
           "step_dicts"]


@dataclass(frozen=True)
class Place:
    """Who sits at a seat, as far as everybody knows: ``kind`` is that of ``Seat``."""

    name: str
    side: int
    kind: str
    level: int | None = None


@dataclass(frozen=True)
class SeatView:
    """A game as one seat sees it.

    ``history`` is what it saw of the smazzata, ``last`` of the one that was over last, None
    before the first is; all else is known to everybody.  ``scores`` are those of the match with
    that one's points, ``version`` grows with each change.
    """

    seat: int
    history: History
    last: History | None
    places: tuple[Place, ...]
    stage: str
    smazzata: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    is_cut: bool
    taken_back: int
    can_take_back: bool
    version: int

    @property
    def state(self) -> State:
        """The present state, as the seat sees it."""
        return self.history.state

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.state.rules

    @property
    def is_turn(self) -> bool:
        """Whether this seat is to decide."""
        return self.state.turn == self.seat and self.state.phase not in ("deal", "done")

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        finished = self.smazzata - (self.stage == "playing")
        return {
            "version": self.version, "seat": self.seat,
            "rules": str(self.rules).removeprefix("rules="), "target": self.rules.target,
            "fewest": self.rules.family.fewest,
            "seats": [asdict(place) for place in self.places],
            "stage": self.stage, "smazzata": self.smazzata, "scores": list(self.scores),
            "winners": list(self.winners), "cut": self.is_cut,
            "position": position_dict(self.state), "log": step_dicts(self.history),
            "sheet": None if self.last is None else sheet_dict(self.last, finished),
            "can_take_back": self.can_take_back, "taken_back": self.taken_back,
        }


def position_dict(state: State, holding: str | None = None) -> dict[str, Any]:
    """A state as plain values, with the legal actions where they can be known.

    ``holding``: cards that the seat to move is taken to have, whose hand is not known; the
    actions are then what it may be seen to do with them.  Raises ValueError for what are none.
    """

    def part(name: str) -> Any:
        """What not all games have."""
        value = getattr(state, name, None)
        return list(value) if isinstance(value, tuple) else value

    fishing = part("table") is not None
    nobody = [()] * state.rules.players
    return {
        "state": str(state), "turn": state.turn, "phase": state.phase, "dealer": state.dealer,
        "round": state.round, "rounds": max(1, len(state.rules.rounds)),
        "hands": [
            {"cards": list(cards), "unknown": unknown, "shown": list(shown), "claimed": claimed}
            for cards, unknown, shown, claimed in zip(
                state.hands, state.unknown, part("shown") or nobody,
                part("claimed") or [0] * len(nobody), strict=True)],
        "taken": [{"cards": list(cards), "scopa": scopa} for cards, scopa in zip(
            state.taken, part("scopa") or [0] * state.rules.sides, strict=True)],
        "points": [{**asdict(points), "total": points.total}
                   for points in state.points()],
        "table": part("table"), "stock": state.stock_count if fishing else None,
        "last": part("last"),
        "matta": {"card": state.rules["matta"], "value": state.declared}
        if fishing and state.declared else None,
        "trick": part("trick"), "lead": part("lead"), "discard": part("discard"),
        "passed": part("passed"),
        "legal": legal_dicts(state, holding),
    }


def legal_dicts(state: State, holding: str | None = None) -> list[dict[str, Any]]:
    """The legal actions of the seat to move, with what each takes; none where its hand is not
    known, unless ``holding`` says what it may have."""
    if state.phase in ("deal", "done"):
        return []
    if state.viewer not in (None, state.turn):
        actions = [] if holding is None else state.possible_actions(holding)
    else:
        actions = state.legal_actions()
    return [action_dict(state, action, state.apply(action)) for action in actions]


def action_dict(before: State, action: Action, after: State) -> dict[str, Any]:
    """An action with what it did: ``sweeps``: it cleared the table; ``points`` scored at once."""
    table = getattr(before, "table", ())
    scored = sum(getattr(after, "scopa", ())) - sum(getattr(before, "scopa", ()))
    return {
        "action": str(action), "kind": action.kind, "card": action.card,
        "cards": list(action.cards), "value": action.value,
        "sweeps": action.kind == "play" and bool(action.cards) and set(table) <= {*action.cards},
        "points": scored,
    }


def step_dicts(history: History) -> list[dict[str, Any]]:
    """What was done and dealt, in order, with the round that it belongs to."""
    steps: list[dict[str, Any]] = []
    states = history.states
    for number, (step, before, after) in enumerate(
            zip(history.steps, states, states[1:], strict=False)):
        if isinstance(step, Deal):
            assert history.start.viewer is not None
            steps.append({"number": number, "round": after.round,
                          "deal": list(after.hands[history.start.viewer])})
        else:
            steps.append({"number": number, "round": before.round, "seat": before.turn,
                          **action_dict(before, step, after)})
    return steps


def sheet_dict(history: History, number: int) -> dict[str, Any]:
    """The score sheet of a finished smazzata."""
    state = history.state
    return {
        "smazzata": number,
        "items": [asdict(item) for item in game_of(state.rules).sheet(history)],
        "points": [points.total for points in state.points()],
        "before": list(state.scores), "after": list(state.match_scores()), "won": state.won,
    }
