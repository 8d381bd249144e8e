"""After every test here, no process that it started is left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.engines import children, left_since


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    before = children()
    yield
    assert not left_since(before), "processes are left"
