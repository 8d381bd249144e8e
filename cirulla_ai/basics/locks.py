"""Locks on open files: which file it is decides, not by what name it was opened."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

__all__ = ["open_folder", "try_lock"]

# What file systems say that have no locks.
UNABLE = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)

if sys.platform == "win32":
    import msvcrt

    # Windows locks octets, and nobody else can read those: one where no file of ours has any.
    # The last that its C library can lock.
    PLACE = 2**31 - 2

    def _lock(descriptor: int) -> None:
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)
else:
    try:
        import fcntl
    except ImportError:  # pragma: no cover  (where there is no such module)
        fcntl = None  # type: ignore[assignment]

    def _lock(descriptor: int) -> None:
        if fcntl is None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file, or what ``open_folder`` gave, for as long as it is open; without waiting.

    True: it is ours; False: somebody else has it; None: there are no locks here.
    """
    try:
        _lock(descriptor)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        if error.errno in UNABLE:
            return None
        raise
    return True


def open_folder(folder: Path) -> int:
    """A descriptor by which a folder is locked; raises OSError.

    That of the folder itself; on Windows, where no folder is opened, of a file ``lock`` in it.
    """
    if sys.platform == "win32":
        return os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
    return os.open(folder, os.O_RDONLY)
