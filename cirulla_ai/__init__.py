"""An engine for Cirulla and other Italian card games.

``Rules`` and ``State`` are the game, ``Match`` keeps the score over smazzate, ``Knowledge``
is what one seat knows, ``Engine`` decides.  The line protocol is spoken by
``python -m cirulla_ai`` (or ``cirulla``).
"""

from cirulla_ai.action import Action, ActionError
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import OptionError
from cirulla_ai.games.ciapano.points import TrickPoints
from cirulla_ai.games.fishing.points import Points
from cirulla_ai.games.options import RulesError
from cirulla_ai.games.reader import StateError
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.history import History
from cirulla_ai.info import Info, Score, Wdl
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.match import Match
from cirulla_ai.rules import Rules
from cirulla_ai.state import MisdealError, State
from cirulla_ai.version import __version__

__all__ = [
    "PRESETS",
    "Action",
    "ActionError",
    "Engine",
    "History",
    "Info",
    "Knowledge",
    "Limit",
    "Match",
    "MisdealError",
    "OptionError",
    "Points",
    "Rules",
    "RulesError",
    "Score",
    "State",
    "StateError",
    "TrickPoints",
    "Wdl",
    "__version__",
]
