"""How lucky the sides were with the cards: what each deal brought, less what it could have.

The luck of a deal is what it is worth to a side less what other deals of the same cards are
worth in the mean (as GNU Backgammon has it for dice; Zinkevich and others, "Optimal unbiased
estimators for evaluating agent performance", AAAI 2006; Burch and others, "AIVAT", arXiv
1612.06915, for chance's part).  Its mean over all deals is zero, whatever a deal is taken to be
worth and whoever plays, so that a result less its luck is right in the mean, and less noisy the
better the worth tells how the smazzata goes on.

A deal is worth what its round comes to where the quick policy plays it: the learned value of
the round's end, or the result where nothing is known of what follows; a last round that can be
solved is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from cirulla_ai._core.contract import QuickPlay
from cirulla_ai._core.quick import deal_values
from cirulla_ai.basics.numbers import MAX_SEED, whole
from cirulla_ai.engine.evaluation import Evaluation
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.games.registry import game_of
from cirulla_ai.records import Record
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["DealLuck", "deal_luck", "luck_of", "start_value"]

# Times that a deal is played, by a softmax, and other deals of the same cards, each once.  Fixed
# by play of the engine against itself on other deals than those that it was then measured on.
PLAYS = 64
REDEALS = 400
# First deals whose mean is a start's value: as many as take a moment, which are fewer where each
# is played to its end.
STARTS, STARTS_PLAYED_OUT = 20_000, 2_000


@dataclass(frozen=True)
class DealLuck:
    """The luck of the deal that began a round (from 1), a side each.

    ``luck`` in points, less the mean of the others'; ``match`` as a chance to win the match,
    shared ones by halves.
    """

    round: int
    luck: tuple[float, ...]
    match: tuple[float, ...]


def deal_luck(
    played: Record | Iterable[State],
    *,
    seed: int = 0,
    evaluation: Evaluation | None = None,
    plays: int = PLAYS,
    redeals: int = REDEALS,
) -> tuple[DealLuck, ...]:
    """The luck of each deal of a smazzata: a record, or its states in order, whole truths.

    A start in the middle of a round is no deal.  The same deal has the same luck from one
    ``seed``.  ``evaluation`` None: the shipped one.  Raises ValueError for a seat's view, whose
    deals nobody can value without the other hands, and for a seed that is not 0 … 2**64 - 1.
    """
    whole(seed, 0, MAX_SEED, "seed")
    states = played.states() if isinstance(played, Record) else list(played)
    if not states:
        return ()
    if any(state.viewer is not None for state in states):
        raise ValueError("the luck of a deal needs the whole truth, not one seat's view")
    rules = states[0].rules
    known = evaluation or evaluation_of("", rules)
    quick = game_of(rules).quick(rules, known.value, True)
    for left in range(1, len(rules.rounds)):
        known.equity.prepare(left)
    return tuple(
        _luck(state, quick, known, seed, plays, redeals)
        for state in _dealt(quick, states))


def luck_of(deals: Sequence[DealLuck]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """All of it: points and chances, a side each; empty where there is no deal."""
    return (tuple(map(sum, zip(*(deal.luck for deal in deals), strict=True))),
            tuple(map(sum, zip(*(deal.match for deal in deals), strict=True))))


def start_value(
    rules: Rules, dealer: int, *, evaluation: Evaluation | None = None
) -> tuple[float, ...]:
    """Points that each side can expect, less the mean of the others', before a card is dealt.

    What first deals by this dealer are worth in the mean.  Raises ValueError where there is no
    such seat.
    """
    dealer = whole(dealer, 0, rules.players - 1, "dealer")
    known = evaluation or evaluation_of("", rules)
    # Seats go round: only who deals makes a difference.
    values = _start(rules, known)
    side = rules.side(dealer)
    return tuple(values[(k - side) % rules.sides] for k in range(rules.sides))


@lru_cache(maxsize=64)
def _start(rules: Rules, known: Evaluation) -> tuple[float, ...]:
    """The start's value where the first seat deals."""
    state = State.deal(rules, dealer=0, seed=0)
    quick = game_of(rules).quick(rules, known.value, True)
    deals = STARTS_PLAYED_OUT if known.value is None else STARTS
    _, (points, _) = deal_values(quick, state.position, known.equity, 1, deals, 0)
    return tuple(points)


def _dealt(quick: QuickPlay, states: Sequence[State]) -> Iterable[State]:
    """The states in which cards were just dealt, once each."""
    for before, state in zip((None, *states), states, strict=False):
        # A word that deals to a viewer leaves a whole truth as it is.
        if quick.is_fresh(state.position) and state != before:
            yield state


def _luck(
    dealt: State, quick: QuickPlay, known: Evaluation, seed: int, plays: int, redeals: int
) -> DealLuck:
    # Other cards, other numbers: what one deal is off by tells nothing of the next one's.
    own_seed = Random(f"{seed}/{dealt}").getrandbits(64)
    own, others = deal_values(
        quick, dealt.position, known.equity, plays, redeals, own_seed)
    points, chances = (
        tuple(a - b for a, b in zip(mine, theirs, strict=True))
        for mine, theirs in zip(own, others, strict=True))
    return DealLuck(dealt.round, points, chances)
