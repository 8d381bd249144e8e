"""The server: the API's table as routes, the page's files, and its life from start to Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import web

from cirulla_ai.play import Seat
from cirulla_ai.web.api import Api
from cirulla_ai.web.asks import Ask, mine
from cirulla_ai.web.endpoints import ENDPOINTS, MOST_BYTES, Endpoint, openapi
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.guard import Guard, is_loopback
from cirulla_ai.web.sittings import MissingError
from cirulla_ai.web.static_files import StaticFiles
from cirulla_ai.web.streams import dumped
from cirulla_ai.web.tokens import Tokens

__all__ = ["Server", "serve"]

# For a person; programs ask the API.
STRANGER = """<!doctype html><title>cirulla-ai</title>
<p>Open the address that cirulla web has printed, or the link that you were sent: it has a token.
<p lang="it">Apri l'indirizzo che cirulla web ha scritto, o il link che hai ricevuto: c'è la chiave.
"""


class Server:
    """An application, and what it needs once it listens."""

    def __init__(
        self, folder: Path, *, host: str = "127.0.0.1", engines: Sequence[Seat] = ()
    ) -> None:
        tokens = Tokens.kept(folder / "secret")
        self.tokens = tokens
        self.host = host
        self.guard = Guard(tokens, host)
        self.api = Api(folder, tokens, engines)
        self.files = StaticFiles()
        self.app = web.Application(middlewares=[self.guard.middleware],
                                   client_max_size=MOST_BYTES)
        for endpoint in ENDPOINTS:
            self.app.router.add_route(endpoint.method, endpoint.path, self._answers(endpoint))
        self.app.router.add_get("/", self._index)
        self.app.router.add_get("/openapi.json", self._openapi)
        self.app.router.add_get("/static/{name:.+}", self._static)
        self.app.on_shutdown.append(self._end_streams)
        self.app.on_cleanup.append(self._close)

    def runner(self) -> web.AppRunner:
        """What runs it.  Work for somebody who has gone is ended; requests that are being
        answered when it all ends get a moment."""
        return web.AppRunner(self.app, access_log=None, shutdown_timeout=1.0,
                             handler_cancellation=True)

    def listens(self, port: int) -> None:
        """It is known where it can be reached."""
        self.guard.port = port
        host = _reached(self.host)
        self.api.tables.address = f"http://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def address(self) -> str:
        """The first address, with the owner's token."""
        return f"{self.api.tables.address}/?token={self.tokens.owner}"

    async def _end_streams(self, app: web.Application) -> None:
        self.api.end_streams()

    async def _close(self, app: web.Application) -> None:
        await self.api.close()

    # --- what is not the API ------------------------------------------------------------

    async def _index(self, request: web.Request) -> web.StreamResponse:
        response = self.guard.settle(request)
        if response is not None:
            return response
        if not self.guard.grants(request):
            return web.Response(status=401, text=STRANGER, content_type="text/html")
        return self.files.answer(request)

    async def _openapi(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(openapi())

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return self.files.answer(request, request.match_info["name"])

    # --- the API ------------------------------------------------------------------------

    def _answers(self, endpoint: Endpoint) -> Callable[[web.Request], Awaitable[
            web.StreamResponse]]:
        method = self.api.answer(endpoint.name)

        async def answer(request: web.Request) -> web.StreamResponse:
            found = await method(await self._ask(endpoint, request))
            if isinstance(found, web.StreamResponse):
                return found
            response = web.Response(status=204) if found is None else web.json_response(
                found, status=endpoint.status, dumps=dumped)
            response.headers["Cache-Control"] = "no-store"
            return response

        return answer

    async def _ask(self, endpoint: Endpoint, request: web.Request) -> Ask:
        """The request, checked; raises FieldError, MissingError, HTTPException."""
        grants = self.guard.grants(request)
        ask = Ask(request, grants)
        if endpoint.access != "anyone" and not grants:
            raise web.HTTPUnauthorized(
                text="a token is needed: Authorization: Bearer TOKEN, or the page's cookie")
        if endpoint.access == "owner" and not grants.is_owner:
            raise web.HTTPForbidden(text="a seat's token may not do this")
        if "game" in request.match_info:
            name = request.match_info["game"]
            may = grants.is_owner or any(game == name for game, _ in grants.seats)
            if not may:
                raise MissingError(f"there is no game {name[:60]!r}")
            ask.sitting = self.api.sittings.get(name)
            ask.seats = mine(ask.sitting, grants)
        for name in request.query:
            if name not in endpoint.query:
                raise FieldError(name[:60], f"{name[:60]}: there is no such word in the query; "
                                 f"there are {', '.join(endpoint.query) or 'none'}")
        ask.query = {name: endpoint.query[name].read(text, name)
                     for name, text in request.query.items()}
        data = await request.read()
        if endpoint.body is not None:
            ask.body = endpoint.body.check(_parsed(data), "")
        elif data.strip() not in (b"", b"{}"):
            raise FieldError(None, "the body: there is none here")
        return ask


def _reached(host: str) -> str:
    """The address at which others reach what listens on ``host``."""
    elsewhere = {"0.0.0.0": (socket.AF_INET, "192.0.2.1", "127.0.0.1"),
                 "::": (socket.AF_INET6, "2001:db8::1", "::1")}.get(host)
    if elsewhere is None:
        return host
    # A wildcard is no address: the one that this machine would speak from.  Nothing is sent.
    family, other, own = elsewhere
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((other, 9))
        own = way.getsockname()[0]
    return own


def _parsed(data: bytes) -> Any:
    if not data.strip():
        return {}
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FieldError(None, f"the body is no JSON: {error}") from None


def serve(
    folder: Path, *, port: int = 0, host: str = "127.0.0.1", is_opened: bool = True,
    engines: Sequence[Seat] = (),
) -> int:
    """Serve until Ctrl-C; returns the exit code.

    The first line on standard output is the address.  Raises OSError where it can't listen
    there, ValueError where another server has the folder.
    """
    return asyncio.run(_serve(folder, port, host, is_opened, engines))


async def _serve(
    folder: Path, port: int, host: str, is_opened: bool, engines: Sequence[Seat],
) -> int:
    server = Server(folder, host=host, engines=engines)
    runner = server.runner()
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), f"{host}:{port}") from None
        server.listens(runner.addresses[0][1])
        print(server.address, flush=True)
        print("Ctrl-C ends it", file=sys.stderr, flush=True)
        if not is_loopback(host):
            print("others on your network reach it; what is sent is not encrypted",
                  file=sys.stderr, flush=True)
        if is_opened:
            # Some browsers are waited for.
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, server.address)
        await _ended()
    finally:
        await runner.cleanup()
    return 0


async def _ended() -> None:
    """Wait for Ctrl-C, or to be told to end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Where there are no such handlers Ctrl-C is a KeyboardInterrupt.
    with suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ended.set)
    await ended.wait()
