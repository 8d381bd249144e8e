"""The first action of a playout is uniform over the legal ones (chi-square)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from cirulla_ai._core.actions import action_text
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai.games.registry import FISHING
from cirulla_ai.rules import Rules

VARIANTS = [
    *FISHING.presets, "cirulla must_capture=no", "scopone must_capture=no",
    "cirulla-coppie claim=optional", "cirullone-9 claim=mandatory",
    "cirulla players=3 capture_choice=fewest", "cirullone-36 matta_memory=round must_capture=no",
    "cirulla rounds=18 claim_play=free matta=JD claim_royal=12",
    "cirulla rounds=18 matta=QD claim_royal=12", "scopa players=2 rounds=20 table_size=0",
]


def normal_score(position: FishingPosition, draws: int, random: Random) -> float:
    """How far the drawn actions are from uniform, in standard deviations."""
    legal = position.legal()
    # Actions that lead to the same state can't be told apart, and count together.
    seen: dict[str, list[int]] = {}
    for code in legal:
        seen.setdefault(repr(position.after(code).fields()), [0, 0])[0] += 1
    for _ in range(draws):
        drawn = position.after_random(1, random.getrandbits(64))
        seen[repr(drawn.fields())][1] += 1
    chi = sum((n - draws * m / len(legal)) ** 2 / (draws * m / len(legal))
              for m, n in seen.values())
    free = len(seen) - 1
    if free == 0:
        return 0.0
    # Wilson and Hilferty, 1931: the cube root of a chi-square is nearly normal.
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


def places(rules: Rules, random: Random) -> Iterator[FishingPosition]:
    """A position with a claim, one with a declared matta in play, one with a large table,
    and any other, as far as random games come to them soon."""
    matta = 1 << rules.matta if rules.matta >= 0 else 0
    wanted = {"claim", "declared", "large", "any"}
    for _ in range(2000):
        position = FishingPosition.deal_random(rules.table, 0, [0] * 3, 0, random.getrandbits(64))
        position = position.after_random(random.randrange(34), random.getrandbits(64))
        if not wanted or position.phase not in ("play", "claim"):
            continue
        legal = position.legal()
        if not 2 <= len(legal) <= 400:
            continue
        fields = position.fields()
        hand = fields["hands"][fields["turn"]][0]
        here = {"any"}
        if any(action_text(code).startswith("!") for code in legal):
            here.add("claim")
        if fields["declared"] and (hand | fields["table"]) & matta:
            here.add("declared")
        if bin(fields["table"]).count("1") > 4:
            here.add("large")
        if here & wanted:
            wanted -= here
            yield position


# 35 positions with the default variants: 4.5 standard deviations come once in thousands of runs.
@pytest.mark.parametrize("text", VARIANTS)
def test_every_legal_action_has_the_same_chance(text: str) -> None:
    random = Random(text)
    for position in places(Rules.parse(text), random):
        assert normal_score(position, 1500, random) < 4.5, position.fields()


@pytest.mark.long
@pytest.mark.parametrize("text", VARIANTS)
def test_every_legal_action_has_the_same_chance_at_length(text: str) -> None:
    random = Random(f"long {text}")
    for position in places(Rules.parse(text), random):
        assert normal_score(position, 20_000, random) < 4.5, position.fields()
