"""A process group that dies with its owner, whatever kills that one.

Its first member is a shell that waits for the end of a pipe, whose other end only the owner
holds, and then kills the whole group: an engine, however deaf it is, and what it started.
Windows has ``job_guard`` instead.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakSet

__all__ = ["Guard"]


# Nothing but the end of its input, or SIGKILL, ends it: what is sent to the group is not for it.
SCRIPT = "trap '' HUP INT QUIT TERM USR1 USR2 PIPE ALRM TSTP TTIN TTOU; read _; kill -KILL 0"


class Guard:
    """A process group, to start one engine in; raises OSError where it can't be had.

    It belongs to the process that made it: in one forked from that its methods do nothing.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd="/", **_group(0))
        GUARDS.add(self)

    @property
    def is_ours(self) -> bool:
        """Whether this process made it, not one that this was forked from."""
        return os.getpid() == self._owner

    @property
    def joining(self) -> dict[str, Any]:
        """The arguments by which subprocess starts a process in the group."""
        return _group(self._shell.pid)

    def take(self, pid: int) -> None:
        """The process was started with ``joining``, so it is in the group already."""

    def end(self) -> None:
        """Kill whatever is in the group."""
        if sys.platform != "win32" and self.is_ours and self._shell.returncode is None:
            # Not waited for yet: nobody else can have its number.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._shell.pid, signal.SIGKILL)
            self.forget()
            self._shell.wait()

    def forget(self) -> None:
        """Let go of the pipe."""
        assert self._shell.stdin
        with suppress(OSError):
            self._shell.stdin.close()


def _group(leader: int) -> dict[str, Any]:
    """The arguments that put a process into the group of ``leader``, 0 into its own."""
    if sys.version_info >= (3, 11):
        return {"process_group": leader}
    return {"preexec_fn": partial(os.setpgid, 0, leader)}


# Those of this process.  A process that is forked from it must not hold their pipes open.
GUARDS: WeakSet[Guard] = WeakSet()


def _in_child() -> None:
    for guard in list(GUARDS):
        guard.forget()
    GUARDS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
