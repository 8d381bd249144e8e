"""A job of Windows that dies with its owner, whatever kills that one.

The system kills what is in the job, an engine and what it started, when the last handle of it
is closed; and only the owner has one.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

__all__ = ["JobGuard"]

# What ctypes has on Windows alone.
WINDOWS: Any = ctypes
# subprocess has these on Windows alone: a group of its own, which Ctrl-C does not reach, and no
# window for it.
CREATE_NEW_PROCESS_GROUP = 0x200
CREATE_NO_WINDOW = 0x08000000

# The names are those of the Windows API.
KILL_ON_JOB_CLOSE = 0x2000
EXTENDED_LIMIT_INFORMATION = 9
PROCESS_TERMINATE, PROCESS_SET_QUOTA, SYNCHRONIZE = 0x1, 0x100, 0x100000
# Any exit code but 0, as for one that was killed.
KILLED = 1


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


@cache
def system() -> Any:
    """The functions of kernel32 that are called here, with the types of what they take."""
    kernel = WINDOWS.WinDLL("kernel32", use_last_error=True)
    handle, number, truth = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int
    for name, result, arguments in (
        ("CreateJobObjectW", handle, (handle, ctypes.c_wchar_p)),
        ("SetInformationJobObject", truth, (handle, ctypes.c_int, handle, number)),
        ("OpenProcess", handle, (number, truth, number)),
        ("AssignProcessToJobObject", truth, (handle, handle)),
        ("WaitForSingleObject", number, (handle, number)),
        ("TerminateJobObject", truth, (handle, number)),
        ("CloseHandle", truth, (handle,)),
    ):
        function = getattr(kernel, name)
        function.restype, function.argtypes = result, arguments
    return kernel


def failure() -> OSError:
    """The error that the last call ended with."""
    error: OSError = WINDOWS.WinError(WINDOWS.get_last_error())
    return error


class JobGuard:
    """A job, to put one engine into; raises OSError where it can't be had."""

    # There are no forks.
    is_ours = True

    def __init__(self) -> None:
        self._job = system().CreateJobObjectW(None, None)
        if not self._job:
            raise failure()
        limits = ExtendedLimits(flags=KILL_ON_JOB_CLOSE)
        if not system().SetInformationJobObject(
                self._job, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits),
                ctypes.sizeof(limits)):
            error = failure()
            self.end()
            raise error

    @property
    def joining(self) -> dict[str, Any]:
        """The arguments by which subprocess starts a process for the job."""
        return {"creationflags": CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW}

    def take(self, pid: int) -> None:
        """Put a process that was just started into the job; what it starts from then on is in it
        too.  Raises OSError where it lives and can't be put there."""
        process = system().OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE | SYNCHRONIZE, 0, pid)
        if not process:
            raise failure()
        try:
            if not system().AssignProcessToJobObject(self._job, process):
                error = failure()
                if system().WaitForSingleObject(process, 0) != 0:
                    raise error
        finally:
            system().CloseHandle(process)

    def end(self) -> None:
        """Kill whatever is in the job."""
        job, self._job = self._job, None
        if job:
            system().TerminateJobObject(job, KILLED)
            system().CloseHandle(job)
