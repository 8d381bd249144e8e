"""How errors travel: between processes, into logs, as copies."""

from __future__ import annotations

import copyreg
from typing import Any

__all__ = ["PortableError"]


class PortableError(Exception):
    """An error that pickles and copies whatever arguments it is made from.

    Python makes an error anew by calling its class with the message, which fails, and breaks
    a pool of processes, where the class takes something else.  Here it is put together from
    what it is.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]
