"""The fishing family: Cirulla, Scopa, Scopone and their relatives."""

from __future__ import annotations

from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_quick import FishingQuick
from cirulla_ai._core.fishing_rollout import FishingRollout
from cirulla_ai._core.fishing_worlds import FishingInformationSet
from cirulla_ai.games.contract import Game
from cirulla_ai.games.fishing.exact import fishing_exact
from cirulla_ai.games.fishing.picture import fishing_picture, fishing_progress
from cirulla_ai.games.fishing.points import Points
from cirulla_ai.games.fishing.rules import FishingFamily
from cirulla_ai.games.fishing.sheet import fishing_sheet
from cirulla_ai.games.fishing.text import (
    DEAL_KEYS,
    KEYS,
    explain_refusal,
    format_state,
    read_fields,
)

__all__ = ["FAMILY", "GAME"]

FAMILY = FishingFamily()

# In points: of a softmax of learned values, and of the rule of thumb's where there are none.
TEMPERATURE = 0.5
RULE_TEMPERATURE = 0.3

GAME = Game(
    family=FAMILY,
    keys=KEYS,
    deal_keys=DEAL_KEYS,
    position=FishingPosition,
    read=read_fields,
    write=format_state,
    explain_refusal=explain_refusal,
    information_set=FishingInformationSet,
    exact=fishing_exact,
    has_value=True,
    exploration=200,
    far_exploration=100,
    rollout=lambda rules, value, exact: FishingRollout(rules.table, value, exact),
    # By the rule of thumb alone it takes a softer choice.
    posterior=lambda core, value: (
        core.posterior(None, heuristic_temperature=RULE_TEMPERATURE) if value is None
        else core.posterior(value)),
    quick=lambda rules, value, softly: FishingQuick(
        rules.table, value, 0 if not softly else RULE_TEMPERATURE if value is None
        else TEMPERATURE),
    points=Points.of,
    sheet=fishing_sheet,
    progress=fishing_progress,
    picture=fishing_picture,
)
