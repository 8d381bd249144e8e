"""State strings of the fishing family, both ways, and why an action is refused in it.

What is written is canonical.  A state string is read into plain fields and checked whole:
whatever is refused is refused with a message that names the key, what stands there, and
what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cirulla_ai._core.actions import action_text, decode
from cirulla_ai._core.cards import card_name, text_of
from cirulla_ai._core.fishing_position import PHASES, FishingPosition
from cirulla_ai.games.reader import (
    MAX_POINTS,
    Reader,
    StateError,
    cards_text,
    count,
    listed,
    seat_text,
)

if TYPE_CHECKING:
    from cirulla_ai._core.fishing_position import FishingFields
    from cirulla_ai.rules import Rules

__all__ = ["DEAL_KEYS", "KEYS", "explain_refusal", "format_state", "read_fields"]

KEYS = (
    "rules", "dealer", "turn", "round", "hands", "shown", "claimed", "declared", "table",
    "taken", "scopa", "last", "stock", "scores", "misdeals", "won", "viewer", "phase",
)
DEAL_KEYS = ("rules", "dealer", "scores", "misdeals", "pack")


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
    if count(played & ~hand) > unknown:
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


def format_state(rules: Rules, position: FishingPosition) -> str:
    """The canonical state string of a position."""
    f = position.fields()
    hidden = f["viewer"] >= 0
    hands = [text_of(cards) + (f"?{n}" if n else "") or "-" for cards, n in f["hands"]]
    stock = (f"?{f['stock_count']}" if hidden else "".join(map(card_name, f["stock"])))
    values = {
        "dealer": f["dealer"], "turn": seat_text(f["turn"]), "round": f["round"],
        "hands": listed(hands), "shown": listed(map(cards_text, f["shown"])),
        "claimed": listed(f["claimed"]), "declared": f["declared"] or "-",
        "table": cards_text(f["table"]), "taken": listed(map(cards_text, f["taken"])),
        "scopa": listed(f["scopa"]), "last": seat_text(f["last"]),
        "stock": stock if f["stock_count"] else "-", "scores": listed(f["scores"]),
        "misdeals": f["misdeals"], "won": seat_text(f["won"]), "viewer": seat_text(f["viewer"]),
        "phase": PHASES[f["phase"]],
    }
    return " ".join([*rules.tokens(), *(f"{key}={values[key]}" for key in KEYS[1:])])


def read_fields(rules: Rules, texts: Mapping[str, str]) -> FishingFields:
    """What a state's keys say, checked whole; raises StateError."""
    return FishingReader(rules, texts).read()


class FishingReader(Reader):
    """Reads and checks the keys of one state string."""

    def read(self) -> FishingFields:
        rules, texts = self.rules, self.texts
        players, sides = rules.players, rules.sides
        self.need("dealer", "hands")
        f: FishingFields = {}
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

    def read_phase(self, f: FishingFields, first: int) -> None:
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
        self.check_turn(f, phase)
        if f["won"] >= 0 and phase != "done":
            raise StateError("won", f"the match is won, so phase must be done, not {phase}")

    def read_stock(self, f: FishingFields) -> None:
        seen = [f["table"], *f["taken"], *(cards for cards, _ in f["hands"])]
        unknown = sum(n for _, n in f["hands"])
        text = self.texts.get("stock")
        known = sum(map(count, seen))
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
            f["stock"] = self.sequence("stock", text)
            f["stock_count"] = len(f["stock"])
            if f["stock"] and f["viewer"] >= 0:
                raise StateError("stock", "a viewer can't know the stock; write "
                                 f"?{f['stock_count']}")
            if len(set(f["stock"])) != len(f["stock"]):
                twice = next(c for c in f["stock"] if f["stock"].count(c) > 1)
                raise StateError("stock", f"{card_name(twice)} stands twice")

    def check_cards(self, f: FishingFields) -> None:
        """Every card once, forty in all."""
        places = [("hands", cards) for cards, _ in f["hands"]]
        places += [("table", f["table"]), *(("taken", cards) for cards in f["taken"])]
        places.append(("stock", sum(1 << card for card in f["stock"])))
        total = self.check_once(places) + sum(n for _, n in f["hands"])
        total += f["stock_count"] - len(f["stock"])
        if total != 40:
            raise StateError("stock", f"{total} cards in hands, table, taken and stock together; "
                             "there are forty")

    def check_viewer(self, f: FishingFields) -> None:
        viewer = f["viewer"]
        self.check_unknown(f)
        for seat, (cards, _) in enumerate(f["hands"]):
            if viewer >= 0 and seat != viewer and cards & ~f["shown"][seat]:
                raise StateError(
                    "hands", f"viewer {viewer} can't know {text_of(cards & ~f['shown'][seat])} "
                    f"in seat {seat}'s hand, not shown")

    def check_hands(self, f: FishingFields, first: int) -> None:
        """Hand sizes against the place in the round, and the stock against the rounds left."""
        rules, players = self.rules, self.rules.players
        size = rules.rounds[f["round"] - 1]
        phase = PHASES[f["phase"]]
        counts = [count(cards) + n for cards, n in f["hands"]]
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
            raise StateError("hands", f"sizes {listed(counts)}; with dealer={f['dealer']} "
                             f"turn={f['turn']} they must be {listed(wanted)}")

    def check_claims(self, f: FishingFields) -> None:
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
            if count(cards) > 3 * f["claimed"][seat]:
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
