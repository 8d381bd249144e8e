"""What stands between the server and whoever asks: hosts, origins, tokens, errors, headers."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Awaitable, Callable

from aiohttp import web

from cirulla_ai.action import ActionError
from cirulla_ai.play import TurnError
from cirulla_ai.records import RecordError
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import BusyError, MissingError
from cirulla_ai.web.tokens import Grants, Tokens

__all__ = ["HEADERS", "Guard", "is_loopback", "refusal"]

LOGGER = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Content-Security-Policy":
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A cookie lasts as long as the browser lets it: a year.
COOKIE_SECONDS = 365 * 24 * 3600
MOST_TOKENS = 50


def refusal(status: int, message: str, field: str | None = None) -> web.Response:
    """An error as the API says it."""
    return web.json_response({"error": message, "field": field}, status=status,
                             headers={"Cache-Control": "no-store"})


class Guard:
    """Lets through what comes from the server's own page or a client with a token.

    ``port`` is known once the server listens; ``host`` is what it was told to listen on.
    """

    def __init__(self, tokens: Tokens, host: str) -> None:
        self._tokens = tokens
        self._host = host
        self.port = 0
        own = {host.lower(), "localhost", "127.0.0.1", "[::1]"}
        if not is_loopback(host):
            name = socket.gethostname().lower()
            own |= {name, f"{name}.local"}
        self._names = own

    @property
    def cookie(self) -> str:
        """The owner's cookie.  Cookies know no ports, so their names do."""
        return f"cirulla-{self.port}"

    def grants(self, request: web.Request) -> Grants:
        """What the request's tokens are good for."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        given = [token.strip()] if scheme.lower() == "bearer" else []
        given += [value for name, value in request.cookies.items()
                  if name == self.cookie or name.startswith(f"{self.cookie}-")]
        return self._tokens.grants(given[:MOST_TOKENS])

    def settle(self, request: web.Request) -> web.StreamResponse | None:
        """Turn the token of an address into a cookie, and go on without it; None where there is
        no good one.

        By a page of our own, not by a redirect: a link that was followed from another site's
        page would not bring the cookie along.
        """
        token = request.query.get("token", "")
        grants = self._tokens.grants([token])
        if not grants:
            return None
        name, place = self.cookie, "/"
        for game, seat in grants.seats:
            # A seat's link opens its game.
            name, place = f"{self.cookie}-{game}-{seat}", f"/?game={game}&amp;seat={seat}"
        response = web.Response(
            text=f'<!doctype html><meta http-equiv="refresh" content="0; url={place}">'
            '<link rel="icon" href="/static/icon.svg">'
            f'<title>cirulla-ai</title><a href="{place}">cirulla-ai</a>',
            content_type="text/html", headers={"Cache-Control": "no-store"})
        response.set_cookie(name, token, max_age=COOKIE_SECONDS, httponly=True,
                            samesite="Strict", path="/")
        return response

    def is_own(self, host: str) -> bool:
        """Whether a ``Host`` is this server.  Other names may have been bent to its address;
        an address can't be."""
        name, colon, port = host.lower().rpartition(":")
        if not colon or port.endswith("]"):
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        return name in self._names or (not is_loopback(self._host) and _is_address(name))

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what is not the server's to answer, and say errors as the API does."""
        host = request.headers.get("Host", "")
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site", "none")
        response: web.StreamResponse
        if not self.is_own(host):
            response = refusal(403, f"Host {host[:100]!r}: this server has another address")
        elif origin is not None and origin.lower() != f"http://{host.lower()}":
            response = refusal(403, f"Origin {origin[:100]!r}: other sites' pages may not ask")
        elif site not in ("same-origin", "none") and (
                request.method != "GET" or request.path.startswith("/api/")):
            response = refusal(403, f"Sec-Fetch-Site {site[:20]!r}: other sites' pages may not ask")
        else:
            response = await self._answer(request, handler)
        if not response.prepared:
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
        return response

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status < 400:
                raise
            found = refusal(error.status, _said(error))
            if "Allow" in error.headers:
                found.headers["Allow"] = error.headers["Allow"]
            return found
        except FieldError as error:
            return refusal(400, str(error), error.field)
        except TurnError as error:
            return refusal(409, str(error))
        except ActionError as error:
            return refusal(400, str(error), "action")
        except RecordError as error:
            return refusal(400, str(error), "text")
        except MissingError as error:
            return refusal(404, error.args[0])
        except BusyError as error:
            return refusal(429, str(error))
        except ValueError as error:
            return refusal(400, str(error))
        except OSError as error:
            LOGGER.error("%s %s: %s", request.method, request.path, error)
            return refusal(507, f"it can't be kept: {error.strerror or error}")
        except Exception:
            LOGGER.exception("%s %s", request.method, request.path)
            return refusal(500, "the server has failed; what it was doing is in its log")


def _said(error: web.HTTPException) -> str:
    if error.status == 413:
        return "the request is too large; it takes 256 KiB"
    if error.status == 404 and error.text == "404: Not Found":
        return "there is nothing at this address"
    return error.text or error.reason


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches what listens there."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(
        host.strip("[]")).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
