"""Locks on files and folders, here and as Windows has them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cirulla_ai.basics import locks

TRY = "import sys; from cirulla_ai.basics import locks; from pathlib import Path\n" \
    "print(locks.try_lock(locks.open_folder(Path(sys.argv[1]))))"


def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    def elsewhere() -> str:
        return subprocess.run([sys.executable, "-c", TRY, str(tmp_path)], capture_output=True,
                              text=True, check=True, timeout=60).stdout.strip()

    descriptor = locks.open_folder(tmp_path)
    assert locks.try_lock(descriptor) is True
    assert elsewhere() == "False"
    os.close(descriptor)
    assert elsewhere() == "True"


class Octets(ModuleType):
    """Stands in for msvcrt: locks octets of files from where their descriptors stand."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.locked: dict[tuple[int, int], int] = {}

    def locking(self, descriptor: int, mode: int, octets: int) -> None:
        assert (mode, octets) == (self.LK_NBLCK, 1)
        place = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        # The C library takes the place for 32 bits, the last octet's end included.
        assert place[1] + octets < 2**31
        if self.locked.setdefault(place, descriptor) != descriptor:
            raise PermissionError(13, "Permission denied")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setitem(sys.modules, "msvcrt", Octets())
    monkeypatch.setattr(sys, "platform", "win32")
    assert locks.__file__
    spec = importlib.util.spec_from_file_location("windows_locks", locks.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_on_windows_an_octet_is_locked_that_no_file_has(
    windows: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "results"
    path.write_bytes(b"one\ntwo\n")
    first, second = (os.open(path, os.O_RDWR) for _ in range(2))
    try:
        os.lseek(first, 4, os.SEEK_SET)
        assert windows.try_lock(first) is True
        assert os.read(first, 4) == b"two\n"
        assert windows.try_lock(second) is False
        assert os.read(second, 4) == b"one\n"
    finally:
        os.close(first)
        os.close(second)


def test_on_windows_a_folder_is_locked_by_a_file_in_it(
    windows: ModuleType, tmp_path: Path
) -> None:
    first, second = windows.open_folder(tmp_path), windows.open_folder(tmp_path)
    try:
        assert windows.try_lock(first) is True
        assert windows.try_lock(second) is False
    finally:
        os.close(first)
        os.close(second)
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]
