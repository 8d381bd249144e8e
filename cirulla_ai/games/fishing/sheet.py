"""The score sheet of a smazzata of the fishing family: what each side has for each item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from cirulla_ai.games.contract import SheetItem
from cirulla_ai.games.fishing.points import Points

if TYPE_CHECKING:
    from cirulla_ai.history import History
    from cirulla_ai.state import State

__all__ = ["fishing_sheet"]

RANKS = "A234567JQK"
SUITS = "HDCS"
# The primes of the ranks (rules, section 3.4).
PRIMES = dict(zip(RANKS, (16, 12, 13, 14, 15, 18, 21, 10, 10, 10), strict=True))
GRANDE = ("JD", "QD", "KD")

Cards = Sequence[str]


def fishing_sheet(history: History) -> tuple[SheetItem, ...]:
    """The items that the rules have, in the order in which they are counted at a table."""
    return tuple(_items(history))


def _items(history: History) -> Iterator[SheetItem]:
    state = history.state
    rules, points = state.rules, Points.of(state.position)
    for item, scored in _scored(history).items():
        yield SheetItem(item, scored, scored)
    for item, count, cards, lacking in COUNTED:
        option = "piccola_max" if item == "piccola" else (
            item if item == "grande" else f"points_{item}")
        if not rules[option]:
            continue
        gained = tuple(getattr(p, item) for p in points)
        counts = tuple(count(taken) for taken in state.taken)
        reason = "" if any(gained) else "tie" if _is_tie(item, counts) else lacking
        yield SheetItem(item, gained, counts, tuple(cards(taken) for taken in state.taken), reason)
    diamonds = tuple(len(_diamonds(taken)) for taken in state.taken)
    if rules["cappotto"] != "no" and 10 in diamonds:
        yield SheetItem("cappotto", tuple(p.cappotto for p in points), diamonds)


def _scored(history: History) -> dict[str, tuple[int, ...]]:
    """Points scored during play, a side: scopas, claims, the dealer's bonus, and what a
    position that is no fresh deal had brought before."""
    start, rules = history.start, history.state.rules
    nothing = (0,) * rules.sides
    scored = {"scope": nothing, "claims": nothing, "bonus": nothing, "before": nothing}
    scored["bonus" if _is_fresh(start) else "before"] = start.scopa
    steps = zip(history.steps, history.states, history.states[1:], strict=False)
    for step, before, after in steps:
        item = "scope" if getattr(step, "kind", "play") == "play" else "claims"
        scored[item] = tuple(
            has + new - old for has, new, old in zip(scored[item], after.scopa, before.scopa,
                                                     strict=True))
    if rules["claim"] == "no":
        del scored["claims"]
    for item in ("bonus", "before"):
        if not any(scored[item]):
            del scored[item]
    return scored


def _is_fresh(start: State) -> bool:
    """Whether nothing has been done since the deal, but for the dealer's bonus."""
    dealt = len(start.table) + sum(map(len, start.taken))
    dealer = start.rules.side(start.dealer)
    others = [scopa for side, scopa in enumerate(start.scopa) if side != dealer]
    return start.round == 1 and dealt == start.rules.table_size and not any(others)


def _is_tie(item: str, counts: Sequence[int]) -> bool:
    """Whether the most was shared, where the most is what counts."""
    return item in ("cards", "diamonds", "primiera") and max(counts) > 0


def _diamonds(taken: Cards) -> tuple[str, ...]:
    return tuple(card for card in taken if card[1] == "D")


def _settebello(taken: Cards) -> tuple[str, ...]:
    return tuple(card for card in taken if card == "7D")


def _best(taken: Cards) -> tuple[str, ...]:
    """The card of each suit with the highest prime, of those suits that there are."""
    suits = ([card for card in taken if card[1] == suit] for suit in SUITS)
    return tuple(max(suit, key=lambda card: PRIMES[card[0]]) for suit in suits if suit)


def _prime(taken: Cards) -> int:
    best = _best(taken)
    return sum(PRIMES[card[0]] for card in best) if len(best) == len(SUITS) else 0


def _run(taken: Cards) -> tuple[str, ...]:
    """The diamonds in sequence from the ace on."""
    run: list[str] = []
    for rank in RANKS:
        if f"{rank}D" not in taken:
            break
        run.append(f"{rank}D")
    return tuple(run)


def _grande(taken: Cards) -> tuple[str, ...]:
    return tuple(card for card in GRANDE if card in taken)


def _nothing(taken: Cards) -> tuple[str, ...]:
    return ()


def _number(of: Callable[[Cards], tuple[str, ...]]) -> Callable[[Cards], int]:
    return lambda taken: len(of(taken))


# Item, what is counted, the cards to show for it, and why nobody has it where no tie is the
# reason: nobody took it, nobody has all suits, all runs are too short.
COUNTED: tuple[
    tuple[str, Callable[[Cards], int], Callable[[Cards], tuple[str, ...]], str], ...] = (
    ("cards", len, _nothing, "nobody"),
    ("diamonds", _number(_diamonds), _diamonds, "nobody"),
    ("settebello", _number(_settebello), _settebello, "nobody"),
    ("primiera", _prime, _best, "none"),
    ("piccola", _number(_run), _run, "short"),
    ("grande", _number(_grande), _grande, "short"),
)
