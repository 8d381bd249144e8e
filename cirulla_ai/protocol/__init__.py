"""The line protocol: a UCI-like conversation on standard input and output."""

from cirulla_ai.protocol.loop import Loop
from cirulla_ai.protocol.server import Server

__all__ = ["Loop", "Server"]
