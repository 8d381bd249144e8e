"""Who may ask: the owner's token, and one for each seat that is a guest's."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes

__all__ = ["Grants", "Tokens"]

SECRET_BYTES = 32


@dataclass(frozen=True)
class Grants:
    """What somebody's tokens are good for: everything that is the owner's, and seats of games."""

    is_owner: bool = False
    seats: frozenset[tuple[str, int]] = frozenset()

    def __bool__(self) -> bool:
        return self.is_owner or bool(self.seats)


class Tokens:
    """Tokens that need not be kept: each is worked out from one secret.

    >>> tokens = Tokens(b"a secret of one's own")
    >>> tokens.grants([tokens.seat("g", 1), "nonsense"])
    Grants(is_owner=False, seats=frozenset({('g', 1)}))
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def kept(cls, path: Path) -> Tokens:
        """Those of the secret in a file, which is made where there is none."""
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            secret = path.read_bytes()
        else:
            secret = token_bytes(SECRET_BYTES)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secret)
        if len(secret) < SECRET_BYTES:
            raise ValueError(f"{path} is no secret of {SECRET_BYTES} bytes; without it a new one "
                             "is made")
        return cls(secret)

    @property
    def owner(self) -> str:
        """The owner's."""
        return self._made("owner")

    def seat(self, game: str, seat: int) -> str:
        """A guest's."""
        return f"{game}.{seat}.{self._made(f'{game}.{seat}')}"

    def _made(self, what: str) -> str:
        return hmac.new(self._secret, what.encode(), "sha256").hexdigest()[:40]

    def grants(self, given: Iterable[str]) -> Grants:
        """What the good ones among these are good for."""
        is_owner, seats = False, set()
        for token in given:
            if not token.isascii():
                continue
            is_owner |= hmac.compare_digest(token, self.owner)
            game, _, rest = token.partition(".")
            number = rest.partition(".")[0]
            if number in ("0", "1", "2", "3") and hmac.compare_digest(
                    token, self.seat(game, int(number))):
                seats.add((game, int(number)))
        return Grants(is_owner, frozenset(seats))
