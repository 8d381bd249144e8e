"""What the engine knows of some rules, and what such knowledge goes by."""

from __future__ import annotations

from dataclasses import dataclass

from cirulla_ai._core.equity import Equity
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.games.registry import FISHING
from cirulla_ai.rules import Rules

__all__ = ["Evaluation", "evaluation_key"]


# The preset that keys are told from.
BASE = "cirulla"
# Options that matter to the first deal alone, or to the match.
FIRST_DEAL = frozenset((
    "matta_table", "bonus_15", "bonus_30", "bonus_9", "misdeal_aces", "misdeal_three",
    "misdeal_first", "misdeal_loss", "table_four", "target",
))


def evaluation_key(rules: Rules) -> str:
    """The rules as far as they decide what a public state after the first round is worth.

    The options that differ from ``cirulla``, without the target and those that matter to
    the first deal alone: presets that are played alike from there on share their networks.

    >>> evaluation_key(Rules("cirulla", target=31)), evaluation_key(Rules("cirulla-luzzati"))
    ('cirulla', 'cirulla players=4 rounds=3,3,3')
    """
    if rules.family is not FISHING:
        return str(rules)
    base = Rules(BASE)
    words = [BASE]
    for name, option in rules.family.options.items():
        if name not in FIRST_DEAL and rules[name] != base[name]:
            words.append(f"{name}={option.format(rules[name])}")
    return " ".join(words)


@dataclass(frozen=True)
class Evaluation:
    """What the engine knows of some rules: the networks, if any, and chances in a match."""

    value: Value | None
    equity: Equity
