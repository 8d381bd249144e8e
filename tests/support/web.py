"""A server of the page for the tests, and somebody who asks it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, ClientSession, DummyCookieJar, web

from cirulla_ai.play import Seat
from cirulla_ai.web.server import Server

__all__ = ["Asker", "serving"]


class Asker:
    """Somebody with a token, or without one."""

    def __init__(self, session: ClientSession, address: str, token: str | None) -> None:
        self.session, self.address, self.token = session, address, token

    def ask(self, method: str, path: str, body: object = None, **options: Any) -> Any:
        """The request, to be awaited or used as a context."""
        headers: dict[str, str] = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            options["data"] = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.session.request(method, self.address + path, headers=headers,
                                    allow_redirects=False, **options)

    async def bytes(self, method: str, path: str, body: object = None) -> bytes:
        """The body of an answer that must be a good one."""
        async with self.ask(method, path, body) as answer:
            data: bytes = await answer.read()
            assert answer.status < 400, (path, answer.status, data)
            return data

    async def get(self, path: str) -> Any:
        """What an address says, as JSON."""
        return json.loads(await self.bytes("GET", path))

    async def post(self, path: str, body: object = None) -> Any:
        """What comes of a request with a body, as JSON."""
        return json.loads(await self.bytes("POST", path, body))

    async def refused(self, method: str, path: str, body: object = None,
                      headers: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        """The status and the error of a refusal."""
        async with self.ask(method, path, body, headers=headers or {}) as answer:
            assert isinstance(answer, ClientResponse)
            data = await answer.read()
            said = json.loads(data)
            assert set(said) == {"error", "field"}, said
            assert said["error"]
            return answer.status, said

    async def events(self, path: str, most: int, body: object = None) -> list[tuple[str, Any]]:
        """The first events of a stream, with their data."""
        found: list[tuple[str, Any]] = []
        name = ""
        async with self.ask("POST" if body is not None else "GET", path, body) as answer:
            assert answer.status == 200, await answer.text()
            async for line in answer.content:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: "):
                    found.append((name, json.loads(text[6:])))
                    if len(found) == most or name == "end":
                        break
        return found

    async def messages(self, path: str, most: int) -> list[str]:
        """The first messages of a WebSocket."""
        found: list[str] = []
        async with self.session.ws_connect(self.address + path, headers={
                "Authorization": f"Bearer {self.token}"}) as socket:
            async for message in socket:
                found.append(message.data)
                if len(found) == most:
                    break
        return found

    def holding(self, token: str) -> Asker:
        """Somebody with another token."""
        return Asker(self.session, self.address, token)


@asynccontextmanager
async def serving(folder: Path, engines: tuple[Seat, ...] = ()) -> AsyncIterator[
        tuple[Server, Asker]]:
    """A server on a free port, and its owner."""
    server = Server(folder, engines=engines)
    runner = server.runner()
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.listens(runner.addresses[0][1])
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            yield server, Asker(session, server.api.tables.address, server.tokens.owner)
    finally:
        await runner.cleanup()
