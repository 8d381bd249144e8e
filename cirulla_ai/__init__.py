"""An engine for Cirulla and other Italian card games.

``Rules`` and ``State`` are the game, ``Match`` keeps the score over smazzate, ``Knowledge``
is what one seat knows, ``Engine`` decides.  The line protocol is spoken by
``python -m cirulla_ai`` (or ``cirulla``).
"""

from cirulla_ai.action import Action
from cirulla_ai.engine import Engine, Info, Limit, Line
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.match import Match
from cirulla_ai.notation import ActionError, StateError
from cirulla_ai.options import OptionError
from cirulla_ai.rules import PRESETS, Rules, RulesError
from cirulla_ai.state import MisdealError, Points, State, TrickPoints
from cirulla_ai.version import __version__

__all__ = [
    "PRESETS",
    "Action",
    "ActionError",
    "Engine",
    "Info",
    "Knowledge",
    "Limit",
    "Line",
    "Match",
    "MisdealError",
    "OptionError",
    "Points",
    "Rules",
    "RulesError",
    "State",
    "StateError",
    "TrickPoints",
    "__version__",
]
