"""The contract's classes by themselves: without a game they refuse, and do not crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai._core.contract import CheatInformationSet, InformationSet, Position
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_worlds import FishingInformationSet


@pytest.mark.parametrize("kind", [Position, FishingPosition, CiapanoPosition])
@pytest.mark.parametrize("ask", [
    lambda position: position.turn, lambda position: position.copy(),
    lambda position: position.legal(), lambda position: position.count_legal(),
    lambda position: position.seen(0, 0), lambda position: position.after(0),
    lambda position: position.perft(2),
])
def test_a_position_without_rules_says_so(
    kind: type[Position], ask: Callable[[Any], object]
) -> None:
    position = kind.__new__(kind)
    with pytest.raises((TypeError, AttributeError)) as refused:
        ask(position)
    # What a position is a view of is a game's own to say.
    assert "no rules" in str(refused.value) or "viewer" in str(refused.value)


@pytest.mark.parametrize("kind", [
    InformationSet, CheatInformationSet, FishingInformationSet, CiapanoInformationSet,
])
@pytest.mark.parametrize("ask", [
    lambda knowledge: knowledge.position(), lambda knowledge: knowledge.draw(0),
])
def test_an_information_set_without_rules_says_so(
    kind: type[InformationSet], ask: Callable[[Any], object]
) -> None:
    with pytest.raises(TypeError, match="no rules"):
        ask(kind.__new__(kind))
