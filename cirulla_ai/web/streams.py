"""Server-sent events."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

__all__ = ["PULSE_SECONDS", "Stream", "dumped"]

# How long a stream is silent at most.
PULSE_SECONDS = 15.0


def dumped(data: object) -> str:
    """Data as one line of JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Stream:
    """A stream of events to one client."""

    def __init__(self, response: web.StreamResponse) -> None:
        self.response = response

    @classmethod
    async def to(cls, request: web.Request) -> Stream:
        """Begin one in answer to a request."""
        response = web.StreamResponse(headers={
            "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
            "X-Accel-Buffering": "no"})
        await response.prepare(request)
        return cls(response)

    async def say(self, event: str, data: Any, number: int | None = None) -> None:
        """Send an event; raises ConnectionError where nobody listens any more."""
        head = "" if number is None else f"id: {number}\n"
        await self.response.write(f"{head}event: {event}\ndata: {dumped(data)}\n\n".encode())

    async def pulse(self) -> None:
        """A sign of life; raises ConnectionError as ``say``."""
        await self.response.write(b":\n\n")
