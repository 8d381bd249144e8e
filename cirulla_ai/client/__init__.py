"""The front end's end of the line protocol: engines in other processes, or in this one.

``SimpleEngine`` starts an engine and asks it, ``popen`` does the same over asyncio,
``InProcessEngine`` is this package's engine behind the same calls.  What those take and give
is here too, so that a front end needs no other import.
"""

from cirulla_ai.action import Action
from cirulla_ai.client.announced import AnnouncedOptions
from cirulla_ai.client.engine_protocol import EngineProtocol, popen
from cirulla_ai.client.errors import (
    EngineError,
    EngineForkedError,
    EngineOptionError,
    EngineRefusedError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalActionError,
)
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.client.remote import Analysis, PlayResult
from cirulla_ai.client.simple import AnyEngine, SimpleAnalysis, SimpleEngine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.info import Info, Score, Wdl
from cirulla_ai.state import State

__all__ = [
    "Action",
    "Analysis",
    "AnnouncedOptions",
    "AnyEngine",
    "EngineError",
    "EngineForkedError",
    "EngineOptionError",
    "EngineProtocol",
    "EngineRefusedError",
    "EngineStartError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "History",
    "IllegalActionError",
    "InProcessEngine",
    "Info",
    "Limit",
    "PlayResult",
    "Score",
    "SimpleAnalysis",
    "SimpleEngine",
    "State",
    "Wdl",
    "popen",
]
