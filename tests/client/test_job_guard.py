"""The guard of Windows, on a stand-in for the system's functions that keeps their rules."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from cirulla_ai.client import job_guard
from cirulla_ai.client.job_guard import ExtendedLimits, JobGuard


class Kernel:
    """Jobs, handles and processes as kernel32 has them: a job whose last handle is closed kills
    what is in it where its limits say so."""

    def __init__(self, *running: int) -> None:
        self.running = set(running)
        self.kills_on_close = False
        self.members: set[int] = set()
        self.handles: dict[int, object] = {}
        self.refuses = ""

    def handle(self, what: object) -> int:
        number = 100 + 4 * len(self.handles)
        self.handles[number] = what
        return number

    def refused(self, name: str) -> bool:
        return self.refuses == name

    def CreateJobObjectW(self, security: None, name: None) -> int:  # noqa: N802
        return 0 if self.refused("CreateJobObjectW") else self.handle("job")

    def SetInformationJobObject(  # noqa: N802
        self, job: int, kind: int, limits: Any, size: int
    ) -> int:
        assert self.handles[job] == "job"
        assert (kind, size) == (9, ctypes.sizeof(ExtendedLimits))
        if self.refused("SetInformationJobObject"):
            return 0
        self.kills_on_close = bool(limits._obj.flags & 0x2000)
        return 1

    def OpenProcess(self, access: int, inherit: int, pid: int) -> int:  # noqa: N802
        # To be put into a job it has to be opened for both.
        assert access & 0x101 == 0x101
        return self.handle(pid)

    def AssignProcessToJobObject(self, job: int, process: int) -> int:  # noqa: N802
        pid = self.handles[process]
        assert isinstance(pid, int) and self.handles[job] == "job"
        if pid not in self.running or self.refused("AssignProcessToJobObject"):
            return 0
        self.members.add(pid)
        return 1

    def WaitForSingleObject(self, process: int, milliseconds: int) -> int:  # noqa: N802
        return 258 if self.handles[process] in self.running else 0

    def TerminateJobObject(self, job: int, code: int) -> int:  # noqa: N802
        assert self.handles[job] == "job" and code != 0
        self.running -= self.members
        return 1

    def CloseHandle(self, handle: int) -> int:  # noqa: N802
        if self.handles.pop(handle) == "job" and self.kills_on_close:
            self.running -= self.members
        return 1


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel(7, 8)
    monkeypatch.setattr(job_guard, "system", lambda: kernel)
    monkeypatch.setattr(job_guard, "failure", lambda: OSError("refused"))
    return kernel


def test_the_limits_are_laid_out_as_the_system_reads_them() -> None:
    # Of 64-bit Windows: flags after two times, what each process may have after the counters.
    if ctypes.sizeof(ctypes.c_size_t) == 8:
        assert ExtendedLimits.flags.offset == 16
        assert ExtendedLimits.io.offset == 64
        assert ExtendedLimits.process_memory.offset == 112
        assert ctypes.sizeof(ExtendedLimits) == 144


def test_what_was_taken_ends_with_the_guard(kernel: Kernel) -> None:
    guard = JobGuard()
    assert kernel.kills_on_close
    guard.take(7)
    assert kernel.members == {7}
    guard.end()
    guard.end()
    assert kernel.running == {8}
    assert not kernel.handles


def test_one_that_has_ended_already_is_no_error(kernel: Kernel) -> None:
    guard = JobGuard()
    guard.take(9)
    guard.end()
    assert kernel.running == {7, 8}
    assert not kernel.handles


@pytest.mark.parametrize("name", [
    "CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"])
def test_what_the_system_refuses_is_said(kernel: Kernel, name: str) -> None:
    kernel.refuses = name
    with pytest.raises(OSError, match="refused"):
        JobGuard().take(7)
    assert set(kernel.handles.values()) <= {"job"}


def test_an_engine_gets_no_window_and_no_ctrl_c() -> None:
    guard = object.__new__(JobGuard)
    # CREATE_NO_WINDOW and CREATE_NEW_PROCESS_GROUP.
    assert guard.joining == {"creationflags": 0x08000200}
