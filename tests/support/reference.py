"""The rules once more, as slowly and plainly as they are written.

An independent reading of the rules' text to hold the package against.  It shares no code
with the package: cards are two-letter strings, states are read from and compared as
their texts, options are a mapping of names to values, and whatever can be found by
trying all sets of cards is found so.  Section numbers are those of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

RANKS = "A234567JQK"
SUITS = "HDCS"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
ROYAL = {"JD", "QD", "KD"}

Options = Mapping[str, Any]


# --- words and cards (1, 2) -----------------------------------------------------------

def value(card: str) -> int:
    """The printed value."""
    return RANKS.index(card[0]) + 1


def ordered(cards: Iterable[str]) -> list[str]:
    """Canonical order: by rank, then by suit."""
    return sorted(cards, key=DECK.index)


def cards_of(text: str) -> list[str]:
    """The cards of a text, in its order."""
    text = "" if text == "-" else text
    return [text[i:i + 2] for i in range(0, len(text), 2)]


def joined(cards: Iterable[str]) -> str:
    """A set of cards as text."""
    return "".join(ordered(cards))


def side_of(options: Options, seat: int) -> int:
    """Pairs of four; else each seat is a side."""
    return seat % 2 if options["players"] == 4 else seat


def sides(options: Options) -> int:
    """The number of sides."""
    return 3 if options["players"] == 3 else 2


def effective(options: Options, card: str, declared: int | None) -> int:
    """The value of a card while the matta stands for ``declared``."""
    return declared if declared and card == options["matta"] else value(card)


# --- states as text (5) ---------------------------------------------------------------

@dataclass
class Fields:
    """A state string taken apart, without its rules."""

    dealer: int
    turn: int | None
    round: int
    hands: list[list[str]]
    unknown: list[int]
    shown: list[list[str]]
    claimed: list[int]
    declared: int | None
    table: list[str]
    taken: list[list[str]]
    scopa: list[int]
    last: int | None
    stock: list[str]
    stock_count: int
    scores: list[int]
    misdeals: int
    won: int | None
    viewer: int | None
    phase: str


def read(text: str) -> Fields:
    """The fields of a canonical state string."""
    keys = dict(token.split("=") for token in text.split())

    def number(key: str) -> int | None:
        return None if keys[key] == "-" else int(keys[key])

    def lists(key: str) -> list[list[str]]:
        return [cards_of(part) for part in keys[key].split("/")]

    def numbers(key: str) -> list[int]:
        return [int(part) for part in keys[key].split("/")]

    hands = [part.partition("?") for part in keys["hands"].split("/")]
    hidden, stock = keys["stock"].startswith("?"), keys["stock"]
    return Fields(
        dealer=int(keys["dealer"]), turn=number("turn"), round=int(keys["round"]),
        hands=[cards_of(known) for known, _, _ in hands],
        unknown=[int(n or 0) for _, _, n in hands],
        shown=lists("shown"), claimed=numbers("claimed"), declared=number("declared"),
        table=cards_of(keys["table"]), taken=lists("taken"), scopa=numbers("scopa"),
        last=number("last"), stock=[] if hidden else cards_of(stock),
        stock_count=int(stock[1:]) if hidden else len(cards_of(stock)),
        scores=numbers("scores"), misdeals=int(keys["misdeals"]), won=number("won"),
        viewer=number("viewer"), phase=keys["phase"],
    )


def copied(f: Fields) -> Fields:
    """Fields that can be changed without changing the others."""
    return replace(
        f, hands=[*map(list, f.hands)], unknown=list(f.unknown), shown=[*map(list, f.shown)],
        claimed=list(f.claimed), table=list(f.table), taken=[*map(list, f.taken)],
        scopa=list(f.scopa), stock=list(f.stock), scores=list(f.scores),
    )


def view(f: Fields, seat: int) -> Fields:
    """What a seat knows: its own hand, all that lies or was shown face up, and counts."""
    g = copied(f)
    g.viewer = seat
    g.stock = []
    for other, hand in enumerate(f.hands):
        if other != seat:
            g.hands[other] = [card for card in hand if card in f.shown[other]]
            g.unknown[other] = len(hand) - len(g.hands[other])
    return g


# --- dealing (3.1) --------------------------------------------------------------------

def deal(
    options: Options, dealer: int, scores: Sequence[int], misdeals: int, pack: Sequence[str]
) -> tuple[str, Fields]:
    """Outcome (play, misdeal, win, loss) and the state after the deal."""
    stock = list(pack)
    players, n_sides = options["players"], sides(options)
    f = Fields(
        dealer=dealer, turn=None, round=0, hands=[[] for _ in range(players)],
        unknown=[0] * players, shown=[[] for _ in range(players)], claimed=[0] * players,
        declared=None, table=[], taken=[[] for _ in range(n_sides)], scopa=[0] * n_sides,
        last=None, stock=stock, stock_count=0, scores=list(scores), misdeals=misdeals, won=None,
        viewer=None, phase="done",
    )
    deal_round(options, f)
    f.table = ordered(f.stock[:options["table_size"]])
    f.stock = f.stock[options["table_size"]:]
    f.stock_count = len(f.stock)
    dealers_side = side_of(options, dealer)

    def over(winner: int) -> None:
        f.won, f.turn, f.phase = winner, None, "done"

    ranks = [card[0] for card in f.table]
    if options["table_four"] != "no":
        for rank in RANKS:
            three_and_matta = (
                options["table_four"] == "win" and ranks.count(rank) == 3
                and options["matta"] in f.table and options["matta"][0] != rank
            )
            if ranks.count(rank) == 4 or three_and_matta:
                over(dealers_side)
                return "win", f
    bonus = dealer_bonus(options, f.table)
    misdeal = (
        options["misdeal_aces"] > 0 and ranks.count("A") >= options["misdeal_aces"]
    ) or (options["misdeal_three"] and max(map(ranks.count, RANKS)) >= 3)
    if misdeal and (options["misdeal_first"] or not bonus):
        if options["misdeal_loss"] and misdeals + 1 >= options["misdeal_loss"]:
            over(1 - dealers_side)
            return "loss", f
        return "misdeal", f
    if bonus:
        f.scopa[dealers_side] = bonus
        f.taken[dealers_side], f.table = f.table, []
        f.last = dealers_side
    return "play", f


def dealer_bonus(options: Options, table: Sequence[str]) -> int:
    """The dealer's points for the first table."""
    if not table:
        return 0
    values = range(1, 11) if options["matta_table"] and options["matta"] in table else [None]
    best = 0
    for declared in values:
        total = sum(effective(options, card, declared) for card in table)
        for holds, points in (
            (total == 15, options["bonus_15"]),
            (total == 30, options["bonus_30"]),
            (total <= 9, options["bonus_9"]),
        ):
            best = max(best, points if holds else 0)
    return best


def deal_round(options: Options, f: Fields) -> None:
    """Hand out the next round, one card at a time from the seat after the dealer."""
    players = options["players"]
    f.round += 1
    for _ in range(options["rounds"][f.round - 1]):
        for k in range(players):
            f.hands[(f.dealer + 1 + k) % players].append(f.stock.pop(0))
    f.hands = [ordered(hand) for hand in f.hands]
    f.stock_count = len(f.stock)
    f.shown = [[] for _ in range(players)]
    f.claimed = [0] * players
    f.turn = (f.dealer + 1) % players
    asked = options["claim"] != "no" and options["claim_time"] == "round"
    f.phase = "claim" if asked else "play"


# --- captures (3.2) -------------------------------------------------------------------

class Captures:
    """What each value can take from one table, by trying every set of its cards."""

    def __init__(self, options: Options, table: Sequence[str], declared: int | None) -> None:
        self.options = options
        self.table = frozenset(table)
        values = {card: effective(options, card, declared) for card in table}
        self.has_ace = 1 in values.values()
        self.by_sum: dict[int, list[frozenset[str]]] = {}
        for size in range(1, len(table) + 1):
            for cards in combinations(table, size):
                total = sum(values[card] for card in cards)
                self.by_sum.setdefault(total, []).append(frozenset(cards))

    def of(self, v: int) -> set[frozenset[str]]:
        """All the sets that a card of effective value ``v`` may take."""
        options = self.options
        adding_up = self.by_sum.get(v, [])
        equals = {s for s in adding_up if len(s) == 1 and options["capture_equal"]}
        sums = {s for s in adding_up if len(s) >= 2 and options["capture_sum"]}
        fifteens = set(self.by_sum.get(15 - v, [])) if options["capture_15"] else set()
        sweeps = set()
        if v == 1 and self.table and (
            options["ace_sweep"] == "always"
            or (options["ace_sweep"] == "no_ace" and not self.has_ace)
        ):
            sweeps = {self.table}
        if options["capture_choice"] == "single" and equals:
            sums = set()
        if options["capture_choice"] == "fewest" and equals | sums:
            fewest = min(map(len, equals | sums))
            equals = {s for s in equals if len(s) == fewest}
            sums = {s for s in sums if len(s) == fewest}
        if options["ace_choice"] == "sweep" and sweeps:
            return sweeps
        return equals | sums | fifteens | sweeps


def plays(options: Options, f: Fields) -> set[str]:
    """Every way for the seat to move to play a card."""
    assert f.turn is not None
    hand = f.hands[f.turn]
    if options["claim_play"] == "first" and f.shown[f.turn]:
        hand = f.shown[f.turn]
    captures = Captures(options, f.table, f.declared)
    out = set()
    for card in hand:
        sets = captures.of(effective(options, card, f.declared))
        out |= {f"{card}x{joined(s)}" for s in sets}
        if not sets or not options["must_capture"]:
            out.add(card)
    return out


# --- claims (3.3) ---------------------------------------------------------------------

def claim_points(options: Options, cards: Sequence[str], declared: int | None) -> int:
    """Points of showing three cards; 0: there is no such claim."""
    values = [effective(options, card, declared) for card in cards]
    points = [0]
    if values.count(values[0]) == 3:
        points.append(options["claim_three"][values[0] - 1])
    if sum(values) <= 9:
        points.append(options["claim_low"])
    if set(cards) == ROYAL:
        points.append(options["claim_royal"])
    return max(points)


def claims(options: Options, cards: Sequence[str]) -> dict[str, int]:
    """Every scoring claim from these cards, with its points."""
    out = {}
    for three in combinations(ordered(cards), 3):
        declarable = range(1, 11) if options["matta"] in three else [None]
        for declared in declarable:
            points = claim_points(options, three, declared)
            if points:
                out[f"!{joined(three)}" + (f"={declared}" if declared else "")] = points
    return out


def may_claim(options: Options, f: Fields) -> bool:
    """Whether the rules let the seat to move claim now, if it has a claim."""
    assert f.turn is not None
    if options["claim"] == "no":
        return False
    if options["claim_time"] == "round":
        return f.phase == "claim"
    size = options["rounds"][f.round - 1]
    first_turn = bool(len(f.hands[f.turn]) == size)
    if size <= 3 or options["claim_play"] == "free":
        return first_turn
    return not f.shown[f.turn]


def legal(options: Options, f: Fields) -> list[str]:
    """All legal actions in ASCII order."""
    if f.phase in ("deal", "done"):
        return []
    assert f.turn is not None
    out: set[str] = set()
    if may_claim(options, f):
        possible = claims(
            options, [card for card in f.hands[f.turn] if card not in f.shown[f.turn]])
        if possible and options["claim"] == "mandatory":
            best = max(possible.values())
            return sorted(text for text, points in possible.items() if points == best)
        out |= set(possible)
    return sorted(out | ({"pass"} if f.phase == "claim" else plays(options, f)))


# --- what an action does --------------------------------------------------------------

def apply(options: Options, f: Fields, action: str) -> Fields:
    """The state after a legal action of a whole truth."""
    f = copied(f)
    assert f.turn is not None
    seat, side = f.turn, side_of(options, f.turn)
    following = (seat + 1) % options["players"]
    first = (f.dealer + 1) % options["players"]
    if action.startswith("!"):
        text, _, number = action[1:].partition("=")
        cards, declared = cards_of(text), int(number) if number else None
        f.shown[seat] = ordered([*f.shown[seat], *cards])
        f.claimed[seat] += 1
        if declared and (options["matta_memory"] != "no" or options["claim_time"] == "round"):
            f.declared = declared
        if not options["claim_best"]:
            f.scopa[side] += claim_points(options, cards, declared)
    if f.phase == "claim":
        f.turn = following
        if following == first:
            f.phase = "play"
            if options["claim_best"]:
                score_best_claim(options, f)
            if options["matta_memory"] == "no":
                f.declared = None
        return f
    if action.startswith("!"):
        return f

    card, _, text = action.partition("x")
    captured = cards_of(text)
    f.hands[seat].remove(card)
    f.shown[seat] = [c for c in f.shown[seat] if c != card]
    very_last = not any(f.hands) and not f.stock
    if captured:
        f.table = [c for c in f.table if c not in captured]
        f.last = side
        if not f.table and (options["last_scopa"] or not very_last):
            f.scopa[side] += 1
        if take(options, f, side, [*captured, card]):
            return f
    else:
        f.table = ordered([*f.table, card])
    f.turn = following
    if any(f.hands):
        return f
    if f.stock:
        if options["matta_memory"] == "round":
            f.declared = None
        deal_round(options, f)
        return f
    f.turn, f.phase = None, "done"
    if f.table and f.last is not None:
        left, f.table = f.table, []
        take(options, f, f.last, left)
    return f


def take(options: Options, f: Fields, side: int, cards: Sequence[str]) -> bool:
    """Move cards to a side's taken ones; whether that wins the match by cappotto."""
    f.taken[side] = ordered([*f.taken[side], *cards])
    if options["matta"] in cards:
        f.declared = None
    if options["cappotto"] == "win" and len(diamonds(f.taken[side])) == 10:
        f.won, f.turn, f.phase = side, None, "done"
        return True
    return False


def score_best_claim(options: Options, f: Fields) -> None:
    """Score the best claim of the round: three equal, then low, by the lower sum."""
    best: tuple[bool, int, int] | None = None
    for k in range(options["players"]):
        seat = (f.dealer + 1 + k) % options["players"]
        cards = f.shown[seat]
        if cards:
            values = [effective(options, card, f.declared) for card in cards]
            is_low = len(set(values)) > 1 and set(cards) != ROYAL
            # The earlier seat is found first and stays where all else is the same.
            if best is None or (is_low, sum(values)) < best[:2]:
                best = (is_low, sum(values), seat)
    if best is not None:
        seat = best[2]
        f.scopa[side_of(options, seat)] += claim_points(options, f.shown[seat], f.declared)


# --- scoring (3.4.3) ------------------------------------------------------------------

@dataclass
class Items:
    """A side's points by what they are for."""

    scopa: int = 0
    cards: int = 0
    diamonds: int = 0
    settebello: int = 0
    primiera: int = 0
    piccola: int = 0
    grande: int = 0
    cappotto: int = 0


PRIME = dict(zip(RANKS, (16, 12, 13, 14, 15, 18, 21, 10, 10, 10), strict=True))


@dataclass
class Tally:
    """The numbers of one item, a side; the highest, where it is alone, scores."""

    of: list[int] = field(default_factory=list)

    def alone(self) -> int | None:
        """The side with strictly more than every other."""
        best = max(self.of)
        return self.of.index(best) if self.of.count(best) == 1 else None


def diamonds(cards: Iterable[str]) -> list[str]:
    """The diamonds among cards, as ranks."""
    return [card[0] for card in cards if card[1] == "D"]


def prime(cards: Sequence[str]) -> int:
    """The best card of each suit added up; 0 (less than any prime) without one of each."""
    best = [max((PRIME[c[0]] for c in cards if c[1] == suit), default=0) for suit in SUITS]
    return sum(best) if all(best) else 0


def piccola(options: Options, ranks: Sequence[str]) -> int:
    """A, 2, 3 of diamonds and each next one up to the highest rank that counts."""
    run = 0
    while run < options["piccola_max"] and RANKS[run] in ranks:
        run += 1
    return run if run >= 3 else 0


def grande(options: Options, ranks: Sequence[str]) -> int:
    """J, Q, K of diamonds, and what extends them."""
    if not options["grande"] or not {"J", "Q", "K"} <= set(ranks):
        return 0
    points: int = options["grande"]
    if options["grande_extend"] and "7" in ranks:
        points += 2 if "6" in ranks else 1
    return points


def items(options: Options, f: Fields) -> list[Items]:
    """Each side's points for its taken cards as they stand."""
    out = []
    for side, cards in enumerate(f.taken):
        ranks = diamonds(cards)
        number = options["cappotto"] if isinstance(options["cappotto"], int) else 0
        out.append(Items(
            scopa=f.scopa[side], settebello=options["points_settebello"] * ("7" in ranks),
            piccola=piccola(options, ranks), grande=grande(options, ranks),
            cappotto=number if len(ranks) == 10 else 0,
        ))
    for name, numbers in (
        ("cards", [len(cards) for cards in f.taken]),
        ("diamonds", [len(diamonds(cards)) for cards in f.taken]),
        ("primiera", [prime(cards) for cards in f.taken]),
    ):
        winner = Tally(numbers).alone()
        if winner is not None:
            setattr(out[winner], name, options[f"points_{name}"])
    return out
