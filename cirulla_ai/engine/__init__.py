"""The engine: decides what to play from what a seat knows.

No input or output here; the line protocol is in ``cirulla_ai.protocol``.
"""

from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import OptionError, Options

__all__ = ["Engine", "Limit", "OptionError", "Options"]
