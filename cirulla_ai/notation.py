"""Actions of all games as text, and state strings of the fishing family, both ways.

What is written is canonical.  A state string is read into plain fields and checked whole:
whatever is refused is refused with a message that names the key, what stands there, and
what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cirulla_ai._core.actions import (
    UNSEEN,
    action_text,
    decode,
    encode_claim,
    encode_give,
    encode_pass,
    encode_play,
)
from cirulla_ai._core.cards import card_name, parse_card, parse_sequence, set_of, text_of
from cirulla_ai._core.fishing_position import PHASES, FishingPosition
from cirulla_ai.errors import PortableError
from cirulla_ai.numbers import given, whole_number
from cirulla_ai.rules import MAX_POINTS, Rules

__all__ = ["ActionError", "StateError", "explain_refusal", "format_state", "parse_action",
           "read_fields"]

KEYS = (
    "rules", "dealer", "turn", "round", "hands", "shown", "claimed", "declared", "table",
    "taken", "scopa", "last", "stock", "scores", "misdeals", "won", "viewer", "phase",
)
DEAL_KEYS = ("rules", "dealer", "scores", "misdeals", "pack")
DECK = (1 << 40) - 1

Fields = dict[str, Any]


class StateError(PortableError, ValueError):
    """A state string that can't be; ``key`` is the key at fault."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


class ActionError(ValueError):
    """An action that can't be read or played."""


def _count(cards: int) -> int:
    return bin(cards).count("1")


# --- actions --------------------------------------------------------------------------

def parse_action(text: str) -> int:
    """The code of an action in the rules' notation, in any order and letter case.

    Raises ActionError where it is no action at all; whether it is legal is another matter.
    """
    if not isinstance(text, str):
        raise TypeError(f"action {given(text)}: an Action or its text is needed, as '7Hx3S5C'")
    try:
        return _parse_action(text)
    except ValueError as error:
        raise ActionError(f"action {text!r}: {error}") from None


def _parse_action(text: str) -> int:
    if text.lower() == "pass":
        return encode_pass()
    if text.startswith(">"):
        return encode_give(UNSEEN if text == ">?" else parse_card(text[1:]))
    if text.startswith("!"):
        shown, equals, declared = text[1:].partition("=")
        cards = set_of(shown)
        if _count(cards) != 3:
            raise ValueError("a claim shows three cards, as !3C4D7H=2")
        value = 0
        if equals:
            value = whole_number(declared, 1, 10)
        return encode_claim(cards, value)
    card, x, captured = text.replace("X", "x").partition("x")
    if len(card) != 2:
        raise ValueError("not an action: a card as 7H, a capture as 7Hx3S5C, a claim as "
                         "!3C4D7H=2, pass, or a card handed on as >7H")
    if x and captured in ("", "-"):
        raise ValueError("no captured cards after x")
    taken = set_of(captured)
    index = parse_card(card)
    if taken >> index & 1:
        raise ValueError(f"{card} can't capture itself")
    return encode_play(index, taken)


def explain_refusal(position: FishingPosition, code: int) -> str:
    """Why a readable action can't be played, and what could be."""
    text = action_text(code)
    if position.phase == "done":
        return f"action {text}: the smazzata is over"
    if position.phase == "deal":
        return f"action {text}: cards must be dealt first (@CARDS with the viewer's new hand)"
    if position.viewer in (-1, position.turn):
        legal = sorted(action_text(a) for a in position.legal()[:40])
        return (f"action {text} is not legal for seat {position.turn}; legal are "
                f"{' '.join(legal)}{' …' if len(legal) == 40 else ''}")
    return f"action {text}: {why_impossible(position, code)}"


def why_impossible(position: FishingPosition, code: int) -> str:
    """Why a seat whose hand is hidden can't have played an action."""
    seat = position.turn
    kind, card, cards, _ = decode(code)
    if kind == "give":
        return "no card is handed on or discarded in this game"
    known = position.fields()
    hand, unknown = known["hands"][seat]
    played = cards if kind == "claim" else 0 if card is None else 1 << card
    elsewhere = played & ~hand & ~position.unseen()
    if elsewhere:
        return f"seat {seat} can't have {text_of(elsewhere)}, seen elsewhere"
    if _count(played & ~hand) > unknown:
        return f"seat {seat} has no such card: all of its hand is known"
    if kind == "play" and cards & ~known["table"]:
        return f"{text_of(cards & ~known['table'])} is not on the table"
    if kind == "pass":
        return f"seat {seat} can't pass here"
    if kind == "claim":
        return f"seat {seat} can't claim this here"
    if cards:
        return f"{card_name(card or 0)} can't take {text_of(cards)} here"
    return (f"seat {seat} can't just lay {card_name(card or 0)} here: it captures, or shown cards "
            "go first")


# --- writing --------------------------------------------------------------------------

def _cards(cards: int) -> str:
    return text_of(cards) or "-"


def _seat(seat: int) -> str:
    return str(seat) if seat >= 0 else "-"


def _listed(values: Iterable[object]) -> str:
    return "/".join(map(str, values))


def format_state(rules: Rules, position: FishingPosition) -> str:
    """The canonical state string of a position."""
    f = position.fields()
    hidden = f["viewer"] >= 0
    hands = [text_of(cards) + (f"?{n}" if n else "") or "-" for cards, n in f["hands"]]
    stock = (f"?{f['stock_count']}" if hidden else "".join(map(card_name, f["stock"])))
    values = {
        "dealer": f["dealer"], "turn": _seat(f["turn"]), "round": f["round"],
        "hands": _listed(hands), "shown": _listed(map(_cards, f["shown"])),
        "claimed": _listed(f["claimed"]), "declared": f["declared"] or "-",
        "table": _cards(f["table"]), "taken": _listed(map(_cards, f["taken"])),
        "scopa": _listed(f["scopa"]), "last": _seat(f["last"]),
        "stock": stock if f["stock_count"] else "-", "scores": _listed(f["scores"]),
        "misdeals": f["misdeals"], "won": _seat(f["won"]), "viewer": _seat(f["viewer"]),
        "phase": PHASES[f["phase"]],
    }
    return " ".join([*rules.tokens(), *(f"{key}={values[key]}" for key in KEYS[1:])])


# --- reading --------------------------------------------------------------------------

def read_fields(rules: Rules, texts: Mapping[str, str]) -> Fields:
    """What a state's keys say, checked whole; raises StateError."""
    return _Reader(rules, texts).read()


class _Reader:
    """Reads and checks the keys of one state string."""

    def __init__(self, rules: Rules, texts: Mapping[str, str]) -> None:
        self.rules = rules
        self.texts = texts

    def number(self, key: str, text: str, low: int, high: int) -> int:
        try:
            return whole_number(text, low, high)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    def one(self, key: str, default: int, low: int, high: int, empty: int | None = None) -> int:
        """A number; ``-`` is ``empty`` where that is allowed."""
        text = self.texts.get(key)
        if text is None:
            return default
        if text == "-" and empty is not None:
            return empty
        return self.number(key, text, low, high)

    def many(self, key: str, n: int, default: str) -> list[str]:
        parts = self.texts.get(key, "/".join([default] * n)).split("/")
        if len(parts) != n:
            raise StateError(key, f"{len(parts)} parts separated by / in {self.texts[key]}; "
                             f"{n} are needed")
        return parts

    def numbers(self, key: str, n: int, high: int) -> list[int]:
        return [self.number(key, part, 0, high) for part in self.many(key, n, "0")]

    def card_set(self, key: str, text: str) -> int:
        try:
            return set_of(text)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    def sets(self, key: str, n: int) -> list[int]:
        return [self.card_set(key, part) for part in self.many(key, n, "-")]

    def hand(self, text: str) -> tuple[int, int]:
        """Known cards and the number of unknown ones."""
        known, mark, unknown = text.partition("?")
        n = self.number("hands", unknown, 1, 40) if mark else 0
        return self.card_set("hands", known), n

    def read(self) -> Fields:
        rules, texts = self.rules, self.texts
        players, sides = rules.players, rules.sides
        for key in ("dealer", "hands"):
            if key not in texts:
                raise StateError(key, "is needed")
        f: Fields = {}
        f["dealer"] = self.one("dealer", 0, 0, players - 1)
        first = (f["dealer"] + 1) % players
        f["viewer"] = self.one("viewer", -1, 0, players - 1, empty=-1)
        f["round"] = self.one("round", 1, 1, len(rules.rounds))
        f["hands"] = [self.hand(part) for part in self.many("hands", players, "-")]
        f["shown"] = self.sets("shown", players)
        f["claimed"] = self.numbers("claimed", players, 40)
        f["declared"] = self.one("declared", 0, 1, 10, empty=0)
        f["table"] = self.card_set("table", texts.get("table", "-"))
        f["taken"] = self.sets("taken", sides)
        f["scopa"] = self.numbers("scopa", sides, MAX_POINTS)
        f["last"] = self.one("last", -1, 0, sides - 1, empty=-1)
        f["scores"] = self.numbers("scores", sides, MAX_POINTS)
        f["misdeals"] = self.one("misdeals", 0, 0, MAX_POINTS)
        f["won"] = self.one("won", -1, 0, sides - 1, empty=-1)
        self.read_phase(f, first)
        self.read_stock(f)
        self.check_cards(f)
        self.check_viewer(f)
        self.check_hands(f, first)
        self.check_claims(f)
        return f

    def read_phase(self, f: Fields, first: int) -> None:
        rules = self.rules
        claims_first = rules["claim_time"] == "round" and rules["claim"] != "no"
        phase = self.texts.get("phase", "claim" if claims_first else "play").lower()
        if phase not in PHASES:
            raise StateError("phase", f"{phase} is not one of {', '.join(PHASES)}")
        f["phase"] = PHASES.index(phase)
        if phase == "claim" and not claims_first:
            raise StateError("phase", "claim exists only with claim_time=round and claims")
        if phase == "deal" and f["viewer"] < 0:
            raise StateError("phase", "deal exists only for a viewer; the whole truth "
                             "(viewer=-) has the next round dealt")
        f["turn"] = self.one("turn", first, 0, rules.players - 1, empty=-1)
        if phase == "done":
            if "turn" in self.texts and f["turn"] >= 0:
                raise StateError("turn", "must be - where phase=done")
            f["turn"] = -1
        elif f["turn"] < 0:
            raise StateError("turn", f"- stands only where phase=done, not where phase={phase}")
        if f["won"] >= 0 and phase != "done":
            raise StateError("won", f"the match is won, so phase must be done, not {phase}")

    def read_stock(self, f: Fields) -> None:
        seen = [f["table"], *f["taken"], *(cards for cards, _ in f["hands"])]
        unknown = sum(n for _, n in f["hands"])
        text = self.texts.get("stock")
        known = sum(map(_count, seen))
        f["stock"] = []
        if text is None:
            f["stock_count"] = 40 - known - unknown
            if f["stock_count"] < 0:
                raise StateError("hands", f"{known + unknown} cards are in hands, on the table "
                                 "and taken; there are forty")
            if f["viewer"] < 0 and f["stock_count"]:
                raise StateError("stock", f"left out, with {f['stock_count']} cards nowhere "
                                 "else: the whole truth must list them in deal order")
        elif text.startswith("?"):
            if f["viewer"] < 0:
                raise StateError("stock", f"{text}: unknown cards in a whole truth (viewer=-); "
                                 "list them in deal order")
            f["stock_count"] = self.number("stock", text[1:], 0, 40)
        else:
            try:
                f["stock"] = [] if text == "-" else parse_sequence(text)
            except ValueError as error:
                raise StateError("stock", str(error)) from None
            f["stock_count"] = len(f["stock"])
            if f["stock"] and f["viewer"] >= 0:
                raise StateError("stock", "a viewer can't know the stock; write "
                                 f"?{f['stock_count']}")
            if len(set(f["stock"])) != len(f["stock"]):
                twice = next(c for c in f["stock"] if f["stock"].count(c) > 1)
                raise StateError("stock", f"{card_name(twice)} stands twice")

    def check_cards(self, f: Fields) -> None:
        """Every card once, forty in all."""
        places = [("hands", cards) for cards, _ in f["hands"]]
        places += [("table", f["table"]), *(("taken", cards) for cards in f["taken"])]
        places.append(("stock", sum(1 << card for card in f["stock"])))
        seen: dict[int, str] = {}
        for key, cards in places:
            for index in range(40):
                if cards >> index & 1:
                    if index in seen:
                        raise StateError(key, f"{card_name(index)} stands also in {seen[index]}")
                    seen[index] = key
        total = len(seen) + sum(n for _, n in f["hands"])
        total += f["stock_count"] - len(f["stock"])
        if total != 40:
            raise StateError("stock", f"{total} cards in hands, table, taken and stock together; "
                             "there are forty")

    def check_viewer(self, f: Fields) -> None:
        viewer = f["viewer"]
        for seat, (cards, unknown) in enumerate(f["hands"]):
            if viewer < 0 and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand: unknown cards in "
                                 "a whole truth (viewer=-)")
            if seat == viewer and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand, which is the "
                                 "viewer's own: viewer knows it")
            if viewer >= 0 and seat != viewer and cards & ~f["shown"][seat]:
                raise StateError(
                    "hands", f"viewer {viewer} can't know {text_of(cards & ~f['shown'][seat])} "
                    f"in seat {seat}'s hand, not shown")

    def check_hands(self, f: Fields, first: int) -> None:
        """Hand sizes against the place in the round, and the stock against the rounds left."""
        rules, players = self.rules, self.rules.players
        size = rules.rounds[f["round"] - 1]
        phase = PHASES[f["phase"]]
        counts = [_count(cards) + n for cards, n in f["hands"]]
        left = players * sum(rules.rounds[f["round"]:])
        if f["stock_count"] != left and "stock" not in self.texts:
            place = f"round={f['round']} of rounds={','.join(map(str, rules.rounds))}"
            raise StateError("hands", f"with those on the table and taken they are "
                             f"{40 - f['stock_count']} cards; in {place} they are {40 - left}, "
                             "and the rest is the stock")
        if f["stock_count"] != left:
            raise StateError("stock", f"{f['stock_count']} cards; with round={f['round']} of "
                             f"rounds={','.join(map(str, rules.rounds))} it has {left}")
        if phase == "deal":
            if any(counts):
                raise StateError("hands", "must be empty where phase=deal")
            if not left:
                raise StateError("phase", "deal, but the stock is empty")
            if f["turn"] != first:
                raise StateError("turn", f"must be {first}, the seat after the dealer, "
                                 "where phase=deal")
            return
        if phase == "done":
            if f["won"] < 0 and any(counts):
                raise StateError("hands", "must be empty where phase=done and won=-")
            if f["won"] < 0 and left:
                raise StateError("stock", "must be empty where phase=done and won=-")
            if f["won"] < 0 and f["table"] and f["last"] >= 0:
                raise StateError("table", "must be empty where phase=done and won=-: what is "
                                 "left goes to the side that captured last")
            if any(n > size for n in counts):
                raise StateError("hands", f"a hand of round {f['round']} has at most {size} cards")
            return
        if phase == "claim":
            wanted = [size] * players
        else:
            # Seats from the first to the one before the turn have played one card more.
            here = counts[f["turn"]]
            if not 1 <= here <= size:
                raise StateError("hands", f"seat {f['turn']} is to move with {here} cards; "
                                 f"in round {f['round']} that is 1 … {size}")
            gone = (f["turn"] - first) % players
            wanted = [here - ((seat - first) % players < gone) for seat in range(players)]
        if counts != wanted:
            raise StateError("hands", f"sizes {_listed(counts)}; with dealer={f['dealer']} "
                             f"turn={f['turn']} they must be {_listed(wanted)}")

    def check_claims(self, f: Fields) -> None:
        rules = self.rules
        size = rules.rounds[f["round"] - 1]
        most = 0 if rules["claim"] == "no" else size // 3
        for seat, cards in enumerate(f["shown"]):
            if cards & ~f["hands"][seat][0]:
                raise StateError("shown", f"{text_of(cards & ~f['hands'][seat][0])} is not in "
                                 f"seat {seat}'s hand")
            if f["claimed"][seat] > most:
                raise StateError("claimed", f"{f['claimed'][seat]} claims of seat {seat}; in "
                                 f"round {f['round']} at most {most} can be made")
            if _count(cards) > 3 * f["claimed"][seat]:
                raise StateError("shown", f"{text_of(cards)} of seat {seat}, more than its "
                                 f"claimed={f['claimed'][seat]} claims can have shown")
        if f["declared"]:
            matta = 0 if rules.matta < 0 else 1 << rules.matta
            shown = 0
            for cards in f["shown"]:
                shown |= cards
            if not matta & (shown | f["table"]):
                raise StateError("declared", "a value is declared, but the matta "
                                 f"({rules['matta']}) is neither shown nor on the table")
