"""State strings of Ciapa No, and why an action is refused in it.

A state string is read into plain fields and checked whole: whatever is refused is refused
with a message that names the key, what stands there, and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cirulla_ai._core.actions import UNSEEN, action_text, decode, encode_give
from cirulla_ai._core.cards import card_name, parse_card, text_of
from cirulla_ai._core.ciapano_position import PHASES, CiapanoPosition
from cirulla_ai.games.ciapano.rules import SEATS
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
    from cirulla_ai._core.ciapano_position import CiapanoFields
    from cirulla_ai.rules import Rules

__all__ = ["DEAL_KEYS", "KEYS", "explain_refusal", "format_state", "read_fields"]

KEYS = (
    "rules", "dealer", "turn", "hands", "trick", "lead", "taken", "discard", "passed",
    "scores", "viewer", "phase",
)
DEAL_KEYS = ("rules", "dealer", "scores", "pack")


# --- actions --------------------------------------------------------------------------

def explain_refusal(position: CiapanoPosition, code: int) -> str:
    """Why a readable action can't be played, and what could be."""
    text = action_text(code)
    if position.phase == "done":
        return f"action {text}: the smazzata is over"
    if position.viewer in (-1, position.turn):
        legal = sorted(map(action_text, position.legal()))
        return f"action {text} is not legal for seat {position.turn}; legal are {' '.join(legal)}"
    return f"action {text}: {_why_impossible(position, code)}"


def _why_impossible(position: CiapanoPosition, code: int) -> str:
    """Why a seat whose hand is hidden can't be seen to do this."""
    seat, viewer = position.turn, position.viewer
    kind, card, cards, _ = decode(code)
    if cards or kind not in ("play", "give"):
        return "cards are played and handed on here, nothing else"
    hidden = position.seen(code, viewer) == encode_give(UNSEEN)
    if (kind == "give") != (position.phase == "pass"):
        return ("a card is handed on or discarded here, as >7H or >?"
                if position.phase == "pass" else "a card is played here, as 7H")
    if hidden and card is not None:
        return f"viewer {viewer} does not see which card seat {seat} gives: >?"
    if card is None:
        return f"viewer {viewer} gets the card that seat {seat} hands on and knows it"
    return f"seat {seat} can't have {card_name(card)}, seen elsewhere"


# --- writing --------------------------------------------------------------------------

def _one_card(card: int) -> str:
    return {-1: "-", UNSEEN: "?1"}.get(card) or card_name(card)


def format_state(rules: Rules, position: CiapanoPosition) -> str:
    """The canonical state string of a position."""
    f = position.fields()
    hands = [text_of(cards) + (f"?{n}" if n else "") or "-" for cards, n in f["hands"]]
    values = {
        "dealer": f["dealer"], "turn": seat_text(f["turn"]), "hands": listed(hands),
        "trick": "".join(map(card_name, f["trick"])) or "-", "lead": seat_text(f["lead"]),
        "taken": listed(map(cards_text, f["taken"])), "discard": _one_card(f["discard"]),
        "passed": listed(map(_one_card, f["passed"])), "scores": listed(f["scores"]),
        "viewer": seat_text(f["viewer"]), "phase": PHASES[f["phase"]],
    }
    return " ".join([*rules.tokens(), *(f"{key}={values[key]}" for key in KEYS[1:])])


# --- reading --------------------------------------------------------------------------

def read_fields(rules: Rules, texts: Mapping[str, str]) -> CiapanoFields:
    """What a state's keys say, checked whole; raises StateError."""
    return CiapanoReader(rules, texts).read()


class CiapanoReader(Reader):
    """Reads and checks the keys of one state string."""

    def read(self) -> CiapanoFields:
        self.need("dealer", "hands")
        f: CiapanoFields = {}
        f["dealer"] = self.one("dealer", 0, 0, SEATS - 1)
        first = (f["dealer"] + 1) % SEATS
        f["turn"] = self.one("turn", first, 0, SEATS - 1, empty=-1)
        f["lead"] = self.one("lead", -1, 0, SEATS - 1, empty=-1)
        f["viewer"] = self.one("viewer", -1, 0, SEATS - 1, empty=-1)
        f["hands"] = [self.hand(part) for part in self.many("hands", SEATS, "-")]
        f["trick"] = self.trick()
        f["taken"] = self.sets("taken", SEATS)
        f["discard"] = self.one_card("discard", self.texts.get("discard", "-"))
        f["passed"] = [self.one_card("passed", part) for part in self.many("passed", SEATS, "-")]
        f["scores"] = self.numbers("scores", SEATS, MAX_POINTS)
        f["phase"] = self.phase()
        # The seats before this one in playing order have handed a card on.
        self.gave = (f["turn"] - first) % SEATS if PHASES[f["phase"]] == "pass" else SEATS
        self.check_place(f)
        self.check_passed(f, first)
        self.check_cards(f)
        self.check_sizes(f)
        self.check_viewer(f)
        return f

    def trick(self) -> list[int]:
        text = self.texts.get("trick", "-")
        cards = self.sequence("trick", text)
        if len(cards) >= SEATS:
            raise StateError("trick", f"{text}: an open trick has one or two cards")
        if len(set(cards)) != len(cards):
            raise StateError("trick", f"{text}: the card stands twice")
        return cards

    def one_card(self, key: str, text: str) -> int:
        """A card's index, -1 for ``-``, UNSEEN for ``?1``."""
        if text in ("-", "?1"):
            return -1 if text == "-" else UNSEEN
        try:
            return parse_card(text)
        except ValueError:
            raise StateError(key, f"{text} is not a card, ?1 for an unknown one, or -") from None

    def phase(self) -> int:
        text = self.texts.get("phase", "pass").lower()
        if text not in PHASES:
            raise StateError("phase", f"{text} is not one of {', '.join(PHASES)}")
        return PHASES.index(text)

    def check_place(self, f: CiapanoFields) -> None:
        """Turn, lead, trick and discard against the phase."""
        phase = PHASES[f["phase"]]
        self.check_turn(f, phase)
        if (f["lead"] < 0) != (phase == "pass"):
            raise StateError("lead", "must be - where phase=pass" if phase == "pass" else
                             f"- stands only where phase=pass, not where phase={phase}")
        if phase != "play" and f["trick"]:
            raise StateError("trick", f"must be - where phase={phase}")
        if (f["discard"] >= 0) != (phase == "play"):
            raise StateError("discard", "a card, or ?1 for one that the viewer does not know, "
                             "is needed where phase=play" if phase == "play" else
                             f"must be - where phase={phase}")
        if phase == "play" and f["turn"] != (f["lead"] + len(f["trick"])) % SEATS:
            raise StateError(
                "turn", f"{f['turn']}; with lead={f['lead']} and {len(f['trick'])} cards in "
                f"trick it must be {(f['lead'] + len(f['trick'])) % SEATS}")
        if phase == "pass" and any(f["taken"]):
            raise StateError("taken", "must be empty where phase=pass")

    def check_passed(self, f: CiapanoFields, first: int) -> None:
        for place in range(SEATS):
            seat = (first + place) % SEATS
            given = f["passed"][seat]
            wanted = place < min(self.gave, SEATS - 1)
            if (given >= 0) != wanted:
                raise StateError(
                    "passed", f"{_one_card(given)} for seat {seat}, which "
                    + ("has handed a card on: the card, or ?1" if wanted else
                       "is the dealer and hands none on: -" if seat == f["dealer"] else
                       "has handed none on yet: -"))

    def check_cards(self, f: CiapanoFields) -> None:
        """Every card once, forty in all."""
        places = [("hands", cards) for cards, _ in f["hands"]]
        places += [("trick", 1 << card) for card in f["trick"]]
        places += [("taken", cards) for cards in f["taken"]]
        unknown = sum(n for _, n in f["hands"]) + (f["discard"] == UNSEEN)
        if 0 <= f["discard"] != UNSEEN:
            places.append(("discard", 1 << f["discard"]))
        total = self.check_once(places) + unknown
        if total != 40:
            raise StateError("hands", f"{total} cards in hands, trick, taken and "
                             "discard together; there are forty")

    def check_sizes(self, f: CiapanoFields) -> None:
        """Hand sizes against the place in the smazzata; the card just given is in hand."""
        phase = PHASES[f["phase"]]
        counts = [count(cards) + n for cards, n in f["hands"]]
        if phase == "done":
            if any(counts):
                raise StateError("hands", "must be empty where phase=done")
            return
        if phase == "pass":
            wanted = [14 if seat == f["turn"] else 13 for seat in range(SEATS)]
        else:
            here = counts[f["turn"]]
            if not 1 <= here <= 13:
                raise StateError("hands", f"seat {f['turn']} is to play with {here} cards; "
                                 "that is 1 … 13")
            wanted = [here - ((seat - f["lead"]) % SEATS < len(f["trick"]))
                      for seat in range(SEATS)]
        if counts != wanted:
            raise StateError("hands", f"sizes {listed(counts)}; with turn={f['turn']} "
                             f"phase={phase} they must be {listed(wanted)}")
        given = f["passed"][f["turn"] - 1] if phase == "pass" and self.gave else -1
        if 0 <= given != UNSEEN and not f["hands"][f["turn"]][0] >> given & 1:
            raise StateError("hands", f"seat {f['turn']} was handed {card_name(given)} (passed) "
                             "and must still have it")

    def check_viewer(self, f: CiapanoFields) -> None:
        viewer, dealer = f["viewer"], f["dealer"]
        for key in ("discard", "passed"):
            handed = [f["discard"]] if key == "discard" else f["passed"]
            if viewer < 0 and UNSEEN in handed:
                raise StateError(key, "?1: an unknown card in a whole truth (viewer=-)")
        self.check_unknown(f)
        for seat, (cards, _) in enumerate(f["hands"]):
            if viewer in (-1, seat):
                continue
            given = f["passed"][viewer]
            if seat == f["turn"] and self.gave < SEATS and (seat - 1) % SEATS == viewer and (
                given >= 0
            ):
                cards &= ~(1 << given)
            if cards:
                raise StateError("hands", f"viewer {viewer} can't know {text_of(cards)} in seat "
                                 f"{seat}'s hand, not handed on to it by the viewer")
        if viewer < 0:
            return
        self.check_known("discard", f["discard"], viewer == dealer, f"seat {dealer} discarded")
        for seat, given in enumerate(f["passed"]):
            self.check_known("passed", given, viewer in (seat, (seat + 1) % SEATS),
                             f"seat {seat} handed on")

    @staticmethod
    def check_known(key: str, card: int, knows: bool, what: str) -> None:
        """A viewer knows what it gave and got, and nothing else that was given."""
        if card >= 0 and (card != UNSEEN) != knows:
            raise StateError(key, f"{_one_card(card)}: the viewer "
                             f"{'knows' if knows else 'cannot know'} the card that {what}")
