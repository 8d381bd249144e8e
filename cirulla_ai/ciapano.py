"""Ciapa No in text: its rules, state strings and actions, canonical on the way out.

A state string is read into plain fields and checked whole: whatever is refused is refused
with a message that names the key, what stands there, and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from cirulla_ai._core.cards import card_name, parse_card, parse_sequence, text_of
from cirulla_ai._core.ciapano import (
    PHASES,
    UNSEEN,
    CiapanoPosition,
    CiapanoTable,
    action_text,
    decode,
    encode_give,
    encode_play,
)
from cirulla_ai.notation import (
    MAX_POINTS,
    ActionError,
    Fields,
    StateError,
    _cards,
    _count,
    _listed,
    _Reader,
    _seat,
)
from cirulla_ai.rules import Option, RulesError

__all__ = [
    "KEYS", "OPTIONS", "PRESET", "CiapanoRules", "explain_refusal", "format_state",
    "parse_action", "parse_state",
]

PRESET = "ciapano"
TRADITION = "a trick game for three, points are bad"
SEATS = 3
# In the order in which a state string lists them.
OPTIONS: Mapping[str, Option] = MappingProxyType({
    option.name: option
    for option in (
        Option("cappotto", "flag", "a seat that takes all the points scores none, the others "
               "eleven each"),
        Option("target", "number", "match points at which the seat with the fewest wins",
               low=1, high=1000),
    )
})
DEFAULTS: Mapping[str, bool | int] = MappingProxyType({"cappotto": False, "target": 31})

KEYS = (
    "rules", "dealer", "turn", "hands", "trick", "lead", "taken", "discard", "passed",
    "scores", "viewer", "phase",
)


class CiapanoRules:
    """The rules of a game of Ciapa No: the preset and the options that differ from it.

    Immutable; equal rules compare and hash equal.  Raises RulesError where an option does
    not exist or a value is out of its range.

    >>> rules = CiapanoRules(target=21)
    >>> str(rules)
    'rules=ciapano target=21'
    >>> rules.winners([21, 7, 7])
    (1, 2)
    """

    _values: Mapping[str, bool | int]

    def __init__(self, preset: str = PRESET, **options: object) -> None:
        self._build(preset, {
            name: ("yes" if value else "no") if isinstance(value, bool) else str(value)
            for name, value in options.items()
        })

    @classmethod
    def parse(cls, text: str) -> CiapanoRules:
        """Rules from the tokens of a state string: the preset, with ``rules=`` or without,
        then options, in either letter case."""
        pairs = [token.partition("=") for token in text.lower().split()]
        if pairs and not pairs[0][1]:
            pairs[0] = ("rules", "=", pairs[0][0])
        if not pairs or pairs[0][0] != "rules":
            raise RulesError(f"rules: {text!r} does not begin with a preset: {PRESET}", "rules")
        options: dict[str, str] = {}
        for name, equals, value in pairs[1:]:
            if not equals:
                raise RulesError(f"{name!r} is not OPTION=VALUE", name)
            if name in options:
                raise RulesError(f"{name} stands twice", name)
            options[name] = value
        return cls.from_options(pairs[0][2], options)

    @classmethod
    def from_options(cls, preset: str, options: Mapping[str, str]) -> CiapanoRules:
        """Rules from the preset's name and option texts."""
        rules = cls.__new__(cls)
        rules._build(preset, options)
        return rules

    def _build(self, preset: str, texts: Mapping[str, str]) -> None:
        if preset != PRESET:
            raise RulesError(f"rules={preset}: no such preset; there is {PRESET}", "rules")
        values = dict(DEFAULTS)
        for name, text in texts.items():
            if name not in OPTIONS:
                raise RulesError(
                    f"{name}={text}: {PRESET} has no option {name}; it has "
                    f"{', '.join(OPTIONS)}", name)
            value = OPTIONS[name].parse(text)
            assert isinstance(value, (bool, int))
            values[name] = value
        object.__setattr__(self, "_values", MappingProxyType(values))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Rules can't be changed; make others from them")

    def __getitem__(self, name: str) -> bool | int:
        """The value of an option; KeyError where there is none of this name."""
        return self._values[name]

    @property
    def preset(self) -> str:
        """The preset's name."""
        return PRESET

    @property
    def players(self) -> int:
        """The number of seats."""
        return SEATS

    @property
    def sides(self) -> int:
        """The number of sides: each seat is one."""
        return SEATS

    @property
    def target(self) -> int:
        """Match points at which the match is over."""
        return int(self._values["target"])

    def side(self, seat: int) -> int:
        """The side that a seat plays for: each its own."""
        return seat

    def winners(self, scores: Sequence[int]) -> tuple[int, ...]:
        """Who has won with these match scores after a smazzata: several share, none yet."""
        if max(scores) < self.target:
            return ()
        return tuple(seat for seat, score in enumerate(scores) if score == min(scores))

    @cached_property
    def table(self) -> CiapanoTable:
        """The rules in the core's form."""
        return CiapanoTable(dict(self._values))

    @cached_property
    def pace(self) -> tuple[float, float]:
        """Points of a smazzata under random play: the mean a seat, and the standard
        deviation of the difference of two seats."""
        n = 1000
        _, points, squares, difference = self.table.random_games(n, 0)
        return points / n, float(squares / n - (difference / n) ** 2) ** 0.5

    def tokens(self) -> Iterator[str]:
        """``rules=ciapano``, then the options that differ from it, in their order."""
        yield f"rules={PRESET}"
        for name, option in OPTIONS.items():
            if self[name] != DEFAULTS[name]:
                yield f"{name}={option.format(self[name])}"

    def lines(self) -> Iterator[str]:
        """Every option with its value and meaning, for people."""
        for name, option in OPTIONS.items():
            yield f"{name}={option.format(self[name])}  {option.help} ({option.takes})"

    def __str__(self) -> str:
        return " ".join(self.tokens())

    def __repr__(self) -> str:
        return f"CiapanoRules.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CiapanoRules) and self._values == other._values

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return (CiapanoRules.parse, (str(self),))


# --- actions --------------------------------------------------------------------------

def parse_action(text: str) -> int:
    """The code of an action: ``7H`` played, ``>7H`` handed on or discarded, ``>?`` unseen.

    Raises ActionError where it is none; whether it is legal is another matter.

    >>> parse_action(">7h") == parse_action(">7H")
    True
    """
    if text == ">?":
        return encode_give(UNSEEN)
    given = text.startswith(">")
    try:
        card = parse_card(text[given:])
    except ValueError:
        raise ActionError(
            f"action {text!r}: not an action of {PRESET}: a card as 7H, one handed on or "
            "discarded as >7H, or >? where it was not seen") from None
    return encode_give(card) if given else encode_play(card)


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
    kind, card, _, _ = decode(code)
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


def format_state(rules: CiapanoRules, position: CiapanoPosition) -> str:
    """The canonical state string of a position."""
    f = position.fields()
    hands = [text_of(cards) + (f"?{n}" if n else "") or "-" for cards, n in f["hands"]]
    values = {
        "dealer": f["dealer"], "turn": _seat(f["turn"]), "hands": _listed(hands),
        "trick": "".join(map(card_name, f["trick"])) or "-", "lead": _seat(f["lead"]),
        "taken": _listed(map(_cards, f["taken"])), "discard": _one_card(f["discard"]),
        "passed": _listed(map(_one_card, f["passed"])), "scores": _listed(f["scores"]),
        "viewer": _seat(f["viewer"]), "phase": PHASES[f["phase"]],
    }
    return " ".join([*rules.tokens(), *(f"{key}={values[key]}" for key in KEYS[1:])])


# --- reading --------------------------------------------------------------------------

def parse_state(text: str) -> tuple[CiapanoRules, CiapanoPosition]:
    """Read a state string; raises StateError or RulesError with the reason."""
    return parse_tokens(text.split())


def parse_tokens(
    tokens: Iterable[str], known: CiapanoRules | None = None
) -> tuple[CiapanoRules, CiapanoPosition]:
    """As ``parse_state``, from the words of the string; ``known`` rules where they are these."""
    state, options = _split_tokens(tokens)
    if "rules" not in state:
        raise StateError("rules", f"is needed, as rules={PRESET}")
    rules = CiapanoRules.from_options(
        state["rules"].lower(), {name: value.lower() for name, value in options.items()})
    if known is not None and rules == known:
        rules = known
    return rules, CiapanoPosition(rules.table, _CiapanoReader(state).read())


def _split_tokens(tokens: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """``key=value`` tokens as (state keys, rule options); keys in either letter case."""
    state: dict[str, str] = {}
    options: dict[str, str] = {}
    for token in tokens:
        key, equals, value = token.partition("=")
        if not equals or not key:
            raise StateError(token, "not a token of the form key=value")
        key = key.lower()
        into = state if key in KEYS else options if key in OPTIONS else None
        if into is None:
            raise StateError(key, f"{PRESET} has no such key or option ({token})")
        if key in into:
            raise StateError(key, "stands twice")
        if not value:
            raise StateError(key, "has no value; an empty one is written -")
        into[key] = value
    return state, options


class _CiapanoReader(_Reader):
    """Reads and checks the keys of one state string."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def read(self) -> Fields:
        for key in ("dealer", "hands"):
            if key not in self.texts:
                raise StateError(key, "is needed")
        f: Fields = {}
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
        try:
            cards = [] if text == "-" else parse_sequence(text)
        except ValueError as error:
            raise StateError("trick", str(error)) from None
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

    def check_place(self, f: Fields) -> None:
        """Turn, lead, trick and discard against the phase."""
        phase = PHASES[f["phase"]]
        if phase == "done":
            if "turn" in self.texts and f["turn"] >= 0:
                raise StateError("turn", "must be - where phase=done")
            f["turn"] = -1
        elif f["turn"] < 0:
            raise StateError("turn", f"- stands only where phase=done, not where phase={phase}")
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

    def check_passed(self, f: Fields, first: int) -> None:
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

    def check_cards(self, f: Fields) -> None:
        """Every card once, forty in all."""
        places = [("hands", cards) for cards, _ in f["hands"]]
        places += [("trick", 1 << card) for card in f["trick"]]
        places += [("taken", cards) for cards in f["taken"]]
        unknown = sum(n for _, n in f["hands"]) + (f["discard"] == UNSEEN)
        if 0 <= f["discard"] != UNSEEN:
            places.append(("discard", 1 << f["discard"]))
        seen: dict[int, str] = {}
        for key, cards in places:
            for index in range(40):
                if cards >> index & 1:
                    if index in seen:
                        raise StateError(key, f"{card_name(index)} stands also in {seen[index]}")
                    seen[index] = key
        if len(seen) + unknown != 40:
            raise StateError("hands", f"{len(seen) + unknown} cards in hands, trick, taken and "
                             "discard together; there are forty")

    def check_sizes(self, f: Fields) -> None:
        """Hand sizes against the place in the smazzata; the card just given is in hand."""
        phase = PHASES[f["phase"]]
        counts = [_count(cards) + n for cards, n in f["hands"]]
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
            raise StateError("hands", f"sizes {_listed(counts)}; with turn={f['turn']} "
                             f"phase={phase} they must be {_listed(wanted)}")
        given = f["passed"][f["turn"] - 1] if phase == "pass" and self.gave else -1
        if 0 <= given != UNSEEN and not f["hands"][f["turn"]][0] >> given & 1:
            raise StateError("hands", f"seat {f['turn']} was handed {card_name(given)} (passed) "
                             "and must still have it")

    def check_viewer(self, f: Fields) -> None:
        viewer, dealer = f["viewer"], f["dealer"]
        for key in ("discard", "passed"):
            cards = [f["discard"]] if key == "discard" else f["passed"]
            if viewer < 0 and UNSEEN in cards:
                raise StateError(key, "?1: an unknown card in a whole truth (viewer=-)")
        for seat, (cards, unknown) in enumerate(f["hands"]):
            if viewer < 0 and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand: unknown cards in "
                                 "a whole truth (viewer=-)")
            if seat == viewer and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand, which is the "
                                 "viewer's own: viewer knows it")
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
