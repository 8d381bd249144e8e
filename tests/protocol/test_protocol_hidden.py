"""Hidden information: what the engine says does not depend on cards that it can't know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from support.client import LocalEngine, timeless

from cirulla_ai import PRESETS, Knowledge, State


@dataclass(frozen=True)
class Decision:
    """A truth at its deal, what was played from it, and the same with other hidden cards.

    Where cards are handed on unseen, they are others too.
    """

    start: State
    words: tuple[str, ...]
    other: State
    other_words: tuple[str, ...]
    seat: int

    @property
    def seen(self) -> str:
        """The words as the seat saw them, with the hands that it was dealt."""
        state, words = self.start, []
        for word in self.words:
            words.append(str(state.seen(word, self.seat)))
            before, state = state.round, state.apply(word)
            if state.round > before:
                words.append("@" + "".join(state.hands[self.seat]))
        return " ".join(words)


def decisions(preset: str, seed: int, every: int) -> Iterator[Decision]:
    """Decisions of one smazzata, some turns apart, each with another truth behind it."""
    start = state = State.deal(preset, seed=seed)
    words: list[str] = []
    while not state.is_over:
        if len(words) % every == seed % every:
            seat = state.turn
            assert seat is not None
            knowledge = Knowledge.replay(start, words, seat)
            world = knowledge.draw(seed=seed + len(words))
            assert world.view(seat) == state.view(seat)
            if start.phase == "pass":
                other, instead = unpassed(start, words, world)
            else:
                other, instead = swapped(start, state, world), words
            yield Decision(start, tuple(words), other, tuple(instead), seat)
        actions = state.legal_actions()
        words.append(str(actions[(3 * len(words) + seed) % len(actions)]))
        state = state.apply(words[-1])


def swapped(start: State, state: State, world: State) -> State:
    """``start`` as it was if ``world`` and not ``state`` is what it came to."""
    instead = dict(zip(stock(state), stock(world), strict=True))
    for mine, theirs in zip(state.hands, world.hands, strict=True):
        # Cards that stay in the hand may be shown ones, and were so all the time.
        instead.update(zip([card for card in mine if card not in theirs],
                           [card for card in theirs if card not in mine], strict=True))
    tokens = []
    for token in str(start).split():
        key, equals, value = token.partition("=")
        if key in ("hands", "stock"):
            value = "/".join(
                "".join(instead.get(card, card) for card in cards(part)) or "-"
                for part in value.split("/"))
        tokens.append(key + equals + value)
    return State.parse(" ".join(tokens))


def unpassed(start: State, words: list[str], world: State) -> tuple[State, list[str]]:
    """Start and words as they were if it is ``world`` that they came to (Ciapa No)."""
    hands = [set(hand) for hand in world.hands]
    state = start
    for word in words:
        if state.phase == "play":
            assert state.turn is not None
            hands[state.turn].add(word)
        state = state.apply(word)
    given = [world.discard if seat == world.dealer else card
             for seat, card in enumerate(world.passed)]
    instead = list(words)
    for place in range(min(3, len(words))):
        seat = (world.dealer + 1 + place) % 3
        card = given[seat]
        assert card is not None
        instead[place] = f">{card}"
        hands[seat].add(card)
    for place in range(min(2, len(words))):
        seat = (world.dealer + 1 + place) % 3
        card = given[seat]
        assert card is not None
        hands[(seat + 1) % 3].discard(card)
    before = "/".join("".join(sorted(hand)) for hand in hands)
    tokens = [f"hands={before}" if token.startswith("hands=") else token
              for token in str(start).split()]
    return State.parse(" ".join(tokens)), instead


def stock(state: State) -> list[str]:
    return cards(str(state).split(" stock=")[1].split()[0])


def cards(text: str) -> list[str]:
    return [] if text == "-" else [text[at:at + 2] for at in range(0, len(text), 2)]


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("options", "nodes"), [
    ({"MultiPV": 1, "Objective": "points"}, 1),
    ({"MultiPV": 3, "Objective": "points"}, 300),
    ({"MultiPV": 3, "Objective": "match"}, 60),
    ({"MultiPV": 1, "Objective": "match"}, 600),
])
def test_the_same_view_gives_the_same_output_whatever_is_hidden(
    engine: LocalEngine, preset: str, options: dict[str, object], nodes: int
) -> None:
    engine.ask("setoption name Seed value 5",
               *(f"setoption name {name} value {value}" for name, value in options.items()))
    others = 0
    for seed in range(2):
        for decision in decisions(preset, seed, every=5):
            words = " ".join(decision.words)
            said = [
                timeless(engine.ask(f"position {position}", "legal", f"go nodes {nodes}"))
                for position in (
                    f"state {decision.start} moves {words}",
                    f"state {decision.other} moves {' '.join(decision.other_words)}",
                    f"state {decision.start.view(decision.seat)} moves {decision.seen}",
                )
            ]
            assert not [line for line in said[0] if "error" in line]
            assert said[0] == said[1]
            assert said[0] == said[2]
            others += decision.start != decision.other
    assert others, "the truths have to differ"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_state_gives_the_same_output_whatever_is_hidden(
    engine: LocalEngine, preset: str
) -> None:
    """As above, from the present state alone."""
    engine.ask("setoption name Seed value 5", "setoption name MultiPV value 2",
               "setoption name Objective value points")
    for decision in decisions(preset, 2, every=4):
        truth = decision.start.play(*decision.words)
        assert truth.turn is not None
        other = decision.other.play(*decision.other_words)
        said = [timeless(engine.ask(f"position state {state}", "go nodes 100"))
                for state in (truth, other, truth.view(truth.turn))]
        assert said[0] == said[1] == said[2]


def test_another_seed_gives_another_search(engine: LocalEngine) -> None:
    said = [timeless(engine.ask(f"setoption name Seed value {seed}", "position startpos seed 1",
                                "go nodes 500"))
            for seed in (1, 2, 0, 0)]
    assert len({"\n".join(lines) for lines in said}) == 4


@pytest.mark.parametrize("preset", PRESETS)
def test_the_worlds_that_are_drawn_vary_and_agree_with_what_was_seen(preset: str) -> None:
    for decision in decisions(preset, 3, every=6):
        knowledge = Knowledge.replay(decision.start, decision.words, decision.seat)
        worlds = {knowledge.draw(seed=seed) for seed in range(30)}
        assert all(world.view(decision.seat) == knowledge.state for world in worlds)
        assert all(world.viewer is None for world in worlds)
        hidden = knowledge.state.stock_count + sum(knowledge.state.unknown)
        # Of few hidden cards there are few arrangements.
        assert len(worlds) > 20 or hidden < 7


@pytest.mark.parametrize("preset", PRESETS)
def test_a_drawn_world_replayed_is_what_was_seen(preset: str) -> None:
    for decision in decisions(preset, 4, every=5):
        truth, world = decision.start, decision.other
        assert world.view(decision.seat) == truth.view(decision.seat)
        for word, other in zip(decision.words, decision.other_words, strict=True):
            truth, world = truth.apply(word), world.apply(other)
            assert world.view(decision.seat) == truth.view(decision.seat)


def test_cheating_sees_what_is_hidden(engine: LocalEngine) -> None:
    """That these tests would find a leak: with Cheat there is one."""
    engine.ask("setoption name Seed value 5", "setoption name Cheat value true")
    differ = 0
    for decision in decisions("cirulla", 5, every=5):
        said = [timeless(engine.ask(f"position state {start} moves {' '.join(decision.words)}",
                                    "go nodes 100"))
                for start in (decision.start, decision.other)]
        differ += said[0] != said[1]
    engine.ask("setoption name Cheat value false")
    assert differ > 3
