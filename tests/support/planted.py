"""Blunders of known cost: late decisions whose every outcome can be played out by the rules alone.

What follows such a decision is forced, whatever the others hold, and the best action is the best
by as much in every world; so what another loses is known without any search, any values, or any
guess at what the others hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

from cirulla_ai import State
from cirulla_ai.records import Record

__all__ = ["Planted", "minimax_costs", "planted"]

LEAST = 0.25
# Cards that the mover can't see: more worlds than these can have tell nothing new.
MOST_UNSEEN = 4


@dataclass(frozen=True)
class Planted:
    """A record, the index of the action that is bad in it, what it costs, and what was best."""

    record: Record
    index: int
    cost: float
    best: tuple[str, ...]


def ahead(state: State, seat: int) -> float:
    """The points of a seat's side less the mean of the others'; where few are good, the other
    way round.  A match won outright counts as its target."""
    rules = state.rules
    points = [one.total for one in state.points()]
    if state.won is not None:
        points = [rules.target if side == state.won else 0 for side in range(rules.sides)]
    side = rules.side(seat)
    others = (sum(points) - points[side]) / (len(points) - 1)
    return (others - points[side]) if rules.family.fewest else points[side] - others


def forced_end(state: State) -> State | None:
    """The end of a smazzata in which nobody has a choice any more; None where somebody has."""
    while not state.is_over:
        legal = state.legal_actions()
        if len(legal) != 1:
            return None
        state = state.apply(legal[0])
    return state


def worlds(state: State) -> Iterator[State]:
    """The state with the cards that its mover can't see dealt to the others in every way."""
    seat = state.turn
    fields = dict(token.split("=", 1) for token in str(state).split())
    # Cards of a claim lie face up.
    shown = getattr(state, "shown", [()] * len(state.hands))
    known = [hand if other == seat else shown[other] for other, hand in enumerate(state.hands)]
    hidden_discard = fields.get("discard", "-") != "-" and state.dealer != seat
    unseen = [card for hand, seen in zip(state.hands, known, strict=True) for card in hand
              if card not in seen]
    if hidden_discard:
        unseen.append(fields["discard"])
    if len(unseen) > MOST_UNSEEN:
        return
    for order in permutations(unseen):
        cards = list(order)
        dealt = ["".join((*seen, *(cards.pop() for _ in range(len(hand) - len(seen))))) or "-"
                 for hand, seen in zip(state.hands, known, strict=True)]
        changed = {**fields, "hands": "/".join(dealt)}
        if hidden_discard:
            changed["discard"] = cards.pop()
        yield State.parse(" ".join(f"{key}={value}" for key, value in changed.items()))


def costs(state: State) -> dict[str, list[float]] | None:
    """By action what it brings in each world; None where it is not forced what follows."""
    seat = state.turn
    assert seat is not None
    found: dict[str, list[float]] = {str(action): [] for action in state.legal_actions()}
    for world in worlds(state):
        for action, values in found.items():
            end = forced_end(world.apply(action))
            if end is None:
                return None
            values.append(ahead(end, seat))
    return found if all(found.values()) else None


def planted(rules: str, random: Random) -> Planted:
    """A game by chance, to its end, in which one action loses what can be said exactly."""
    while True:
        start = state = State.deal(rules, seed=random.getrandbits(32))
        words: list[str] = []
        found: tuple[int, float, tuple[str, ...]] | None = None
        while not state.is_over:
            legal = [str(action) for action in state.legal_actions()]
            word = random.choice(legal)
            if found is None and len(legal) > 1 and sum(map(len, state.hands)) <= MOST_UNSEEN + 2:
                bad = worse(costs(state) or {}, random)
                if bad is not None:
                    word, cost, best = bad
                    found = len(words), cost, best
            words.append(word)
            state = state.apply(word)
        if found is not None:
            index, cost, best = found
            return Planted(Record.from_play(start, words), index, cost, best)


def worse(
    values: dict[str, list[float]], random: Random
) -> tuple[str, float, tuple[str, ...]] | None:
    """An action that loses the same to the best in every world, how much, and the best ones."""
    if not values:
        return None
    best = max(values, key=lambda action: min(
        own - max(others) for own, others in zip(
            values[action], zip(*values.values(), strict=True), strict=True)))
    if any(own < max(others) for own, others in zip(
            values[best], zip(*values.values(), strict=True), strict=True)):
        return None
    sure = {}
    for action, row in values.items():
        behind = {a - b for a, b in zip(values[best], row, strict=True)}
        if len(behind) == 1 and max(behind) >= LEAST:
            sure[action] = max(behind)
    if not sure:
        return None
    bad = random.choice(sorted(sure))
    return bad, sure[bad], tuple(
        action for action, row in values.items() if row == values[best])


def minimax_costs(state: State) -> dict[str, float]:
    """What each action of a last round with all cards known loses, both sides playing their
    best: two sides."""
    seat = state.turn
    assert seat is not None
    values = {str(action): minimax(state.apply(action), seat) for action in state.legal_actions()}
    return {action: max(values.values()) - value for action, value in values.items()}


def minimax(state: State, seat: int) -> float:
    """What the state is worth to a seat's side."""
    if state.is_over:
        return ahead(state, seat)
    assert state.turn is not None
    values: Sequence[float] = [
        minimax(state.apply(action), seat) for action in state.legal_actions()]
    mine = state.rules.side(state.turn) == state.rules.side(seat)
    return max(values) if mine else min(values)
