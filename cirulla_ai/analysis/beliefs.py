"""Which hands the seats may hold at a point of a round of two players, and how likely each is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from cirulla_ai._core.cards import indices, set_of
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.fishing_worlds import remembered
from cirulla_ai.action import Action, Deal, Step
from cirulla_ai.history import History
from cirulla_ai.state import State

if TYPE_CHECKING:
    from cirulla_ai._core.fishing_position import FishingFields

__all__ = ["MOST_HANDS", "Beliefs", "likely_hands", "possible_hands"]

# Hands (40-bit sets), and how likely each is, up to a factor.
Beliefs: TypeAlias = dict[int, float]
# Of a seat; more make a tree that fits in no memory.
MOST_HANDS = 20_000
# Who sees no hand: no seat of two.
ONLOOKER = 2
# Actions that the core remembers: more than a seat has in a smazzata.
MOST_SEEN = 64


def _round_of(game: History) -> tuple[Sequence[State], Sequence[Step]]:
    """The states of the present round as far back as a seat's history tells, and its actions."""
    dealt = [k + 1 for k, step in enumerate(game.steps) if isinstance(step, Deal)]
    first = dealt[-1] if dealt else 0
    return game.states[first:], game.steps[first:]


def possible_hands(game: History, seat: int) -> list[int]:
    """The hands that ``seat`` may hold after a seat's history of two players, by the rules alone.

    That is by what lies open and was shown; and as it was seen to play this round, it held what
    allows that: where claims are mandatory, nothing better to claim.  The viewer's own cards
    count as unseen too: these are the hands that nobody but their owner can rule out.  Raises
    ValueError where there are more than ``MOST_HANDS``.
    """
    states, steps = _round_of(game)
    hands = _hands(game.state, seat)
    played = 0
    for state, step in zip(reversed(states[:-1]), reversed(steps), strict=True):
        if state.turn == seat and isinstance(step, Action):
            played |= set_of(step.card or "")
            hands = [hand for hand in hands
                     if step.code in _seen_by(state, seat, hand | played).legal()]
    return hands


def likely_hands(game: History, seat: int, value: Value | None) -> Beliefs:
    """Those hands, and how likely the engine takes each to be by what the seat was seen to do.

    That is as the search infers it, but for an onlooker, who sees no hand: so what one of the two
    believes does not tell what it holds itself.  The likeliest has 1.  ``value``: the learned
    values by which the seat is taken to play, if there are any.
    """
    seen = [(state, step.code) for state, step in zip(game.states, game.steps, strict=False)
            if isinstance(step, Action) and state.turn == seat][-MOST_SEEN:]
    past = sum(state.round < game.state.round for state, _ in seen)
    onlooker = remembered(
        _public(game.state), ONLOOKER, [(_public(state), code) for state, code in seen], past,
        []).posterior(value)
    fields = onlooker.position().fields()
    out = {}
    for hand in possible_hands(game, seat):
        hands = [(0, 0), (0, 0)]
        hands[seat] = (hand, 0)
        out[hand] = onlooker.likelihood(
            FishingPosition(game.state.rules.table, fields | {"hands": hands}))
    most = max(out.values())
    return {hand: likely / most for hand, likely in out.items()}


def _public(state: State) -> FishingPosition:
    """What everybody sees of a view."""
    fields = state.position.fields()
    return FishingPosition(state.rules.table, fields | {
        "hands": [_open(fields, seat) for seat in range(2)], "viewer": ONLOOKER})


def _open(fields: FishingFields, seat: int) -> tuple[int, int]:
    """What is shown of a hand, and the number of its other cards."""
    held, hidden = fields["hands"][seat]
    shown = fields["shown"][seat]
    return shown, (held & ~shown).bit_count() + hidden


def _hands(state: State, seat: int) -> list[int]:
    """What was shown of the hand, with any of the cards that nobody has seen but their owner."""
    public = _public(state)
    shown, size = public.fields()["hands"][seat]
    unseen = indices(public.unseen())
    if (count := comb(len(unseen), size)) > MOST_HANDS:
        raise ValueError(f"seat {seat} may hold {count:,} hands, more than {MOST_HANDS:,}")
    return [shown | sum(1 << card for card in chosen) for chosen in combinations(unseen, size)]


def _seen_by(state: State, seat: int, hand: int) -> FishingPosition:
    """A view as it was for ``seat``, had it held ``hand``."""
    fields = _public(state).fields()
    hands = list(fields["hands"])
    hands[seat] = (hand, 0)
    return FishingPosition(state.rules.table, fields | {"hands": hands, "viewer": seat})
