"""What people already have for UCI: python-chess's handshake, options and ping."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.version import FULL_NAME

if TYPE_CHECKING:
    from chess.engine import SimpleEngine

chess_engine = pytest.importorskip("chess.engine")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SimpleEngine]:
    engine = chess_engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "cirulla_ai"], timeout=30, cwd=tmp_path)
    yield engine
    engine.close()


def test_handshake_and_options(engine: SimpleEngine) -> None:
    assert engine.id == {"name": FULL_NAME, "author": "the cirulla-ai developers"}
    assert list(engine.options) == [option.name for option in OPTIONS.values()]
    for option in OPTIONS.values():
        theirs = engine.options[option.name]
        assert theirs.type == option.kind
        if option.kind == "spin":
            assert (theirs.min, theirs.max) == (option.low, option.high)
        if option.kind == "combo":
            assert theirs.var == list(option.choices)
        if option.kind in ("spin", "check", "combo"):
            assert theirs.default == option.default


def test_setting_an_option_of_each_type(engine: SimpleEngine) -> None:
    engine.configure({"Hash": 8, "Objective": "match", "UCI_LimitStrength": True,
                      "Debug Log File": "log", "Clear Hash": None, "Skill Level": 3})
    engine.ping()
    for wrong in ({"Hash": 0}, {"Objective": "money"}, {"Nonsense": 1}):
        with pytest.raises(chess_engine.EngineError):
            engine.configure(wrong)
    engine.ping()


def test_pings_during_a_search(
    engine: SimpleEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    answered = threading.Event()
    # A card game's search is not chess, so its lines go past python-chess's commands.
    listen = engine.protocol.line_received

    def line_received(line: str) -> None:
        said.append(line)
        if line.startswith("bestmove"):
            answered.set()
        else:
            listen(line)

    monkeypatch.setattr(engine.protocol, "line_received", line_received)
    engine.protocol.loop.call_soon_threadsafe(engine.protocol.send_line, "go infinite")
    for _ in range(100):
        engine.ping()
    started = time.monotonic()
    engine.ping()
    assert time.monotonic() - started < 5
    assert not answered.is_set()
    engine.protocol.loop.call_soon_threadsafe(engine.protocol.send_line, "stop")
    assert answered.wait(10)
    engine.ping()
    assert sum(line.startswith("bestmove") for line in said) == 1


def test_quit(engine: SimpleEngine) -> None:
    engine.quit()
    assert engine.protocol.returncode.result() == 0
