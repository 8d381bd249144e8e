"""Benchmarks print rates; times alone say little on machines that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RATES = pytest.StashKey[list[str]]()


@pytest.fixture
def rate(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Run a function that does ``n`` of something and note how many a second it did.

    The best round counts: what disturbs a run only ever slows it down.
    """

    def run(function: Callable[[], Any], n: float, unit: str, rounds: int = 7) -> Any:
        result = benchmark.pedantic(function, rounds=rounds, warmup_rounds=1)
        if benchmark.stats is not None:
            per_second = n / benchmark.stats.stats.min
            benchmark.extra_info["per_second"] = per_second
            benchmark.extra_info["unit"] = unit
            lines = request.config.stash.setdefault(RATES, [])
            lines.append(f"{request.node.name:42} {per_second / 1e6:9.3f} M {unit}/s")
        return result

    return run


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    lines = config.stash.get(RATES, [])
    if lines:
        from cirulla_ai import _core

        terminalreporter.section(f"rates of the {_core.VARIANT} build, best round, one core")
        for line in lines:
            terminalreporter.line(line)
