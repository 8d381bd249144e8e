"""The page's files, in memory: named by what is in them, so that they may be kept for ever."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from aiohttp import web

from cirulla_ai import look

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["StaticFiles"]

TYPES = {
    ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".json": "application/json",
    ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
}
INDEX = "index.html"
# As the page's files write it; what stands in its place names the version.
PREFIX = "/static/"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
# Where zipping saves less, or the file is smaller, it is sent as it is.
LEAST_ZIPPED = 500


class StaticFiles:
    """What the page consists of: the package's files, the deck and the common style.

    Below ``/static/VERSION/`` they may be kept for ever; the version is a hash of all of them.
    """

    def __init__(self) -> None:
        found = dict(_read(files(__package__).joinpath("static"), PurePosixPath()))
        found["deck.svg"] = look.sprite().encode()
        found["look.css"] = look.style().encode()
        for language in look.LANGUAGES:
            found[f"look-{language}.json"] = json.dumps(
                look.word_table(language), ensure_ascii=False).encode()
        digest = sha256()
        for name in sorted(found):
            digest.update(name.encode() + b"\0" + found[name] + b"\0")
        self.version = digest.hexdigest()[:16]
        versioned = f"{PREFIX}{self.version}/".encode()
        self._files = {
            name: data.replace(PREFIX.encode(), versioned) if name.endswith(".html") else data
            for name, data in found.items()}
        self._zipped = {name: small for name, data in self._files.items()
                        if len(data) > LEAST_ZIPPED
                        and len(small := gzip.compress(data, mtime=0)) < len(data)}
        self._tags = {name: f'"{sha256(data).hexdigest()[:24]}"'
                      for name, data in self._files.items()}

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def answer(self, request: web.Request, name: str = INDEX) -> web.Response:
        """A file; raises HTTPNotFound where there is none."""
        version, _, rest = name.partition("/")
        caching = ASK_AGAIN
        if version == self.version and rest:
            name, caching = rest, FOR_EVER
        if name not in self._files:
            raise web.HTTPNotFound(text=f"there is no file {name[:60]!r}")
        headers = {"Cache-Control": caching, "ETag": self._tags[name], "Vary": "Accept-Encoding",
                   "Content-Type": TYPES.get(PurePosixPath(name).suffix,
                                             "application/octet-stream")}
        if self._tags[name] in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        data = self._files[name]
        if name in self._zipped and "gzip" in request.headers.get("Accept-Encoding", ""):
            data = self._zipped[name]
            headers["Content-Encoding"] = "gzip"
        return web.Response(body=data, headers=headers)


def _read(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[str, bytes]]:
    """Names and contents of all files below a folder of the package."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _read(one, at / one.name)
        elif PurePosixPath(one.name).suffix in TYPES:
            yield str(at / one.name), one.read_bytes()
