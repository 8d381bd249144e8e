"""What all tests share.

Hypothesis profiles: a short fixed run by default, a long random one on request.
``HYPOTHESIS_PROFILE=long pytest tests`` searches for what the default run can't reach.
"""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

# Games are made by the code under test, so an example takes as long as it plays.
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

# The same examples each time: a failure in CI is a change in the code, never bad luck.
settings.register_profile(
    "default", max_examples=50, deadline=None, derandomize=True, database=None,
    suppress_health_check=SLOW,
)
settings.register_profile(
    "long", max_examples=5000, deadline=None, print_blob=True, suppress_health_check=SLOW,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# Files whose tests look at the clock: one after the other, never beside each other.
CLOCK = (
    "tests/client/test_failures.py", "tests/compliance/test_compliance.py",
    "tests/protocol/test_protocol_process.py", "tests/protocol/test_protocol_search.py",
)


class Scheduling(LoadFileScheduling):  # type: ignore[misc]
    """A file's tests go to one worker, and those of all files that look at the clock.

    (The marks of ``--dist loadgroup`` are not seen with pytest 9.2.)
    """

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "clock" if file in CLOCK else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """How tests are handed out, where the command line does not say otherwise."""
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def away_from_the_sources(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Work in an empty folder: an engine that a test starts by ``python -m cirulla_ai`` would,
    in the sources' folder, find those before the package that is tested, which may be an
    installed wheel."""
    os.chdir(tmp_path_factory.mktemp("away"))


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """A run in the background of a script ignores interrupts, and what it starts inherits that;
    tests interrupt what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
