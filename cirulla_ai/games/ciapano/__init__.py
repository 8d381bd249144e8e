"""Ciapa No, a trick game for three."""

from __future__ import annotations

from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_quick import CiapanoQuick
from cirulla_ai._core.ciapano_rollout import CiapanoRollout
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai.games.ciapano.exact import ciapano_exact
from cirulla_ai.games.ciapano.picture import trick_picture, trick_progress
from cirulla_ai.games.ciapano.points import TrickPoints
from cirulla_ai.games.ciapano.rules import CiapanoFamily
from cirulla_ai.games.ciapano.sheet import ciapano_sheet
from cirulla_ai.games.ciapano.text import (
    DEAL_KEYS,
    KEYS,
    explain_refusal,
    format_state,
    read_fields,
)
from cirulla_ai.games.contract import Game

__all__ = ["FAMILY", "GAME"]

FAMILY = CiapanoFamily()

GAME = Game(
    family=FAMILY,
    keys=KEYS,
    deal_keys=DEAL_KEYS,
    position=CiapanoPosition,
    read=read_fields,
    write=format_state,
    explain_refusal=explain_refusal,
    information_set=CiapanoInformationSet,
    exact=ciapano_exact,
    has_value=False,
    exploration=100,
    far_exploration=100,
    rollout=lambda rules, value, exact: CiapanoRollout(),
    posterior=lambda core, value: core.posterior(),
    quick=lambda rules, value, softly: CiapanoQuick(rules.table),
    points=TrickPoints.of,
    sheet=ciapano_sheet,
    progress=trick_progress,
    picture=trick_picture,
)
