"""Locks on open files: which file it is decides, not by what name it was opened."""

from __future__ import annotations

import errno

__all__ = ["try_lock"]

try:
    import fcntl
except ImportError:  # pragma: no cover  (where there is no such module)
    fcntl = None  # type: ignore[assignment]

# What file systems say that have no locks.
UNABLE = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file, or folder, for as long as it is open; without waiting.

    True: it is ours; False: somebody else has it; None: there are no locks here.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in UNABLE:
            return None
        raise
    return True
