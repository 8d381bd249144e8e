"""Engines for the protocol's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.client import EngineProcess, LocalEngine


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., EngineProcess]]:
    """Starts engine processes, which are gone after the test."""
    started: list[EngineProcess] = []

    def start(*arguments: str, **options: object) -> EngineProcess:
        directory = tmp_path / str(len(started))
        directory.mkdir()
        started.append(EngineProcess(directory, *arguments, **options))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for process in started:
        process.close()


@pytest.fixture
def engine(start: Callable[..., EngineProcess]) -> Iterator[EngineProcess]:
    """An engine process that must end well: exit code 0, nothing on standard error."""
    process = start()
    yield process
    if process.process.poll() is None:
        process.send("quit")
        process.rest()
    assert process.wait() == 0
    assert process.errors == ""


@pytest.fixture
def local() -> LocalEngine:
    """A server in this process."""
    return LocalEngine()
