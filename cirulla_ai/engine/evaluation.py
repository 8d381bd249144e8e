"""What the engine knows of some rules, and what such knowledge goes by."""

from __future__ import annotations

from dataclasses import dataclass

from cirulla_ai._core.equity import Equity
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.rules import Rules

__all__ = ["Evaluation", "evaluation_key"]


def evaluation_key(rules: Rules) -> str:
    """The rules as far as they decide what a public state after the first round is worth.

    >>> evaluation_key(Rules("cirulla", target=31)), evaluation_key(Rules("cirulla-luzzati"))
    ('cirulla', 'cirulla players=4 rounds=3,3,3')
    """
    return rules.family.key(rules)


@dataclass(frozen=True)
class Evaluation:
    """What the engine knows of some rules: the networks, if any, and chances in a match."""

    value: Value | None
    equity: Equity
