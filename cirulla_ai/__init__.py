"""An engine for Cirulla and the Italian fishing games.

``Rules`` and ``State`` are the game, ``Match`` keeps the score over smazzate, ``Engine``
decides.  The line protocol is spoken by ``python -m cirulla_ai`` (or ``cirulla``).
"""

from cirulla_ai.action import Action
from cirulla_ai.match import Match
from cirulla_ai.notation import ActionError, StateError
from cirulla_ai.rules import PRESETS, Rules, RulesError
from cirulla_ai.state import MisdealError, Points, State

__all__ = [
    "PRESETS",
    "Action",
    "ActionError",
    "Match",
    "MisdealError",
    "Points",
    "Rules",
    "RulesError",
    "State",
    "StateError",
]

__version__ = "0.1.0"
