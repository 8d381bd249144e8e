"""Games of Ciapa No by random play, as the package and as the reference have them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from cirulla_ai import Rules, State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai.action import parse_action
from cirulla_ai.games.ciapano.text import format_state
from support import ciapano_reference as reference

SEEDS = st.integers(0, 2**32 - 1)
SEATS = st.integers(0, 2)


@dataclass(frozen=True)
class Game:
    """A smazzata: ``positions`` has one more than ``words``, its actions."""

    rules: Rules
    positions: tuple[CiapanoPosition, ...]
    words: tuple[str, ...]

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return int(self.positions[0].fields()["dealer"])

    @property
    def hands(self) -> list[list[str]]:
        """The hands as dealt."""
        text = dict(token.split("=") for token in self.text(0).split())["hands"]
        return [reference.cards_of(hand) for hand in text.split("/")]

    def text(self, moment: int) -> str:
        """The state string after so many actions."""
        return format_state(self.rules, self.positions[moment])

    def truth(self, moment: int) -> reference.Truth:
        """The same as the reference has it."""
        truth = reference.replay(self.dealer, self.hands, self.words[:moment])
        assert truth is not None
        return truth

    def knowledge(self, viewer: int, moment: int, start: int = 0) -> CiapanoInformationSet:
        """What a seat knows after so many actions, having seen those since ``start``."""
        info = CiapanoInformationSet(self.positions[start], viewer)
        for word in self.words[start:moment]:
            info.observe(parse_action(word))
        return info


def short(text: str) -> str:
    """A state string as ``reference.Truth.tokens`` writes it: no rules, no scores."""
    return " ".join(token for token in text.split()
                    if token.split("=")[0] not in ("rules", "cappotto", "target", "scores"))


def play_on(rules: Rules, position: CiapanoPosition, random: Random) -> Game:
    """Random play to the end; in some games a seat holds its first gift back."""
    holds = random.random() < 0.5
    positions = [position]
    words: list[str] = []
    while codes := positions[-1].legal():
        gift = None
        if holds and positions[-1].phase == "play":
            gift = positions[-1].fields()["passed"][(positions[0].turn)]
        kept = [code for code in codes if code >> 40 & 63 != gift]
        code = random.choice(kept or codes)
        words.append(action_text(code))
        positions.append(positions[-1].after(code))
    return Game(rules, tuple(positions), tuple(words))


def game_of(seed: int, rules: Rules | None = None) -> Game:
    """The random game with this seed."""
    random = Random(seed)
    rules = rules or Rules("ciapano")
    scores = [random.randrange(rules.target) for _ in range(3)]
    position = CiapanoPosition.deal_random(
        rules.table, random.randrange(3), scores, 0, random.getrandbits(64))
    return play_on(rules, position, random)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any rules."""
    return Rules("ciapano", cappotto=draw(st.booleans()), target=draw(st.integers(1, 1000)))


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A whole game by random play under any rules."""
    return game_of(draw(SEEDS), draw(rule_sets()))


def position_of(text: str) -> CiapanoPosition:
    """The position of a state string without ``rules=``."""
    position: CiapanoPosition = State.parse(f"rules=ciapano {text}").position
    return position
