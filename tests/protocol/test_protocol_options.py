"""Options: announced, set, refused, kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.client import (
    MEASURABLE,
    EngineProcess,
    LocalEngine,
    best_of,
    error_of,
    infos_of,
)
from support.engines import ASCII

import cirulla_ai
from cirulla_ai.engine.options import OPTIONS


def test_uci_announces_every_option_in_its_form(local: LocalEngine) -> None:
    lines = local.ask("uci")[2:-1]
    assert len(lines) == len(OPTIONS)
    for line, option in zip(lines, OPTIONS.values(), strict=True):
        words = line.split()
        assert line.startswith(f"option name {option.name} type {option.kind}")
        if option.kind == "spin":
            low, default, high = (int(words[words.index(key) + 1])
                                  for key in ("min", "default", "max"))
            assert low <= default <= high
        if option.kind == "check":
            assert words[-1] in ("true", "false")
        if option.kind == "combo":
            assert words[words.index("default") + 1] in words[words.index("var") + 1::2]
        if option.kind == "string":
            assert line.endswith("default <empty>")


@pytest.mark.parametrize("name", [o.name for o in OPTIONS.values() if o.kind == "spin"])
def test_the_edges_of_a_spin(local: LocalEngine, name: str) -> None:
    option = OPTIONS[name.lower()]
    if name != "Hash":  # whose upper end few machines have
        assert local.ask(f"setoption name {name} value {option.high}") == []
        assert local.server.engine.options[name] == option.high
    assert local.ask(f"setoption name {name} value {option.low}") == []
    for value in (str(option.low - 1), str(option.high + 1), "", "x", "1.5", "1e3", "0x10",
                  "9" * 100, f"{option.low} {option.low}", "--1", "nan", "true"):
        error = error_of(local.ask(f"setoption name {name} value {value}"))
        assert f"{name} takes {option.low} ... {option.high}" in error
        assert repr(value) in error
        assert local.server.engine.options[name] == option.low
    assert "no value" in error_of(local.ask(f"setoption name {name}"))
    assert local.server.engine.options[name] == option.low


@pytest.mark.parametrize(("line", "name", "value"), [
    ("name multipv value 7", "MultiPV", 7),
    ("NAME MULTIPV VALUE 7", "MultiPV", 7),
    ("name  skill   LEVEL  value   7", "Skill Level", 7),
    ("name move overhead value +7", "Move Overhead", 7),
    ("name Objective value MATCH", "Objective", "match"),
    ("name uci_limitstrength value TRUE", "UCI_LimitStrength", True),
    ("name threads value 007", "Threads", 7),
])
def test_names_and_values_in_odd_case_and_spaces(
    local: LocalEngine, line: str, name: str, value: object
) -> None:
    assert local.ask(f"setoption {line}") == []
    assert local.server.engine.options[name] == value


@pytest.mark.parametrize(("line", "names"), [
    ("", "name NAME"), ("value 5", "name NAME"), ("name", "name NAME"), ("name value 5", "name"),
    ("MultiPV value 5", "name NAME"), ("MultiPV=5", "name NAME"),
    ("name SkillLevel value 5", "SkillLevel"), ("name Nonsense value 5", "Nonsense"),
    ("name Ponder value true", "Ponder"), ("name Objective value money", "money"),
    ("name Objective", "points, match"), ("name Cheat value maybe", "true, false"),
    ("name MultiPV 5", "MultiPV 5"), ("name Clear Hash value 1", "no value"),
])
def test_a_refused_option_names_what_is_wrong(local: LocalEngine, line: str, names: str) -> None:
    before = [local.server.engine.options[name] for name in OPTIONS]
    assert names in error_of(local.ask(f"setoption {line}"))
    assert [local.server.engine.options[name] for name in OPTIONS] == before


def test_buttons_need_no_value(local: LocalEngine) -> None:
    assert local.ask("setoption name Clear Hash", "setoption name clear hash value") == []


def test_ucinewgame_does_not_reset_options(local: LocalEngine) -> None:
    local.ask("ucinewgame", "setoption name MultiPV value 3", "ucinewgame",
              "position startpos seed 1", "ucinewgame")
    assert max(info["multipv"] for info in infos_of(local.ask("go nodes 50"))) == 3


def test_options_set_during_a_search_are_those_of_the_next(engine: EngineProcess) -> None:
    engine.send("go infinite", "setoption name MultiPV value 3")
    assert max(info["multipv"] for info in infos_of(engine.until("bestmove"))) == 1
    assert max(info["multipv"] for info in infos_of(engine.search("go nodes 50"))) == 3


@MEASURABLE
def test_hash_bounds_the_memory_of_a_search(engine: EngineProcess) -> None:
    # All cards at once: every line is new, and ends with the smazzata.
    engine.ask("setoption name Hash value 8", "position startpos rules=scopone seed 1")
    engine.search("go nodes 100")
    before = engine.memory("VmRSS")
    # The second search comes upon what the first has freed.
    for _ in range(2):
        assert infos_of(engine.search("go nodes 200000"))[-1]["hashfull"] == 1000
    # 8 MiB of tree; reports and code that runs the first time take less than one more.
    assert engine.memory("VmHWM") - before < 9 << 20


@MEASURABLE
def test_a_hash_too_large_to_get_keeps_the_old_one(start: Callable[..., EngineProcess]) -> None:
    engine = start(wrapper=["sh", "-c", 'ulimit -v 1000000 && exec "$@"', "sh"])
    assert engine.ask("setoption name Hash value 32") == []
    error = error_of(engine.ask("setoption name Hash value 100000"))
    assert "Hash" in error
    assert "100000" in error
    assert "32 stays" in error
    assert engine.ask("setoption name MultiPV value 2") == []
    assert best_of(engine.search("go nodes 5000")) != "(none)"
    engine.send("quit")
    assert engine.wait() == 0
    assert engine.errors == ""


def test_hash_bounds_the_search_which_goes_on_when_it_is_full(local: LocalEngine) -> None:
    local.ask("setoption name Hash value 1")
    infos = infos_of(local.ask("position startpos seed 5", "go nodes 50000"))
    assert infos[-1]["hashfull"] == 1000
    assert infos[-1]["nodes"] == 50000


def test_the_objective_changes_the_search(local: LocalEngine) -> None:
    local.ask("setoption name Seed value 1", "position startpos seed 3 scores=50/50")
    reports = {}
    for objective in ("match", "points"):
        local.ask(f"setoption name Objective value {objective}")
        reports[objective] = infos_of(local.ask("go nodes 4000"))[-1]
    assert reports["match"] != reports["points"]


NAMES = ["perché.log", "a  b.log", " a", "a ", "value of value", "caff\xe8".encode("latin-1"),
         "\u00a0.log", "\u2028.log", "<empty", "日本"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("environment", [pytest.param({}, id=""), ASCII])
def test_the_name_of_a_file_is_what_was_sent(
    start: Callable[..., EngineProcess], tmp_path: Path, name: str | bytes,
    environment: dict[str, str],
) -> None:
    engine = start(**environment)
    path = os.path.join(os.fsencode(tmp_path), name if isinstance(name, bytes) else name.encode())
    engine.send_bytes(b"setoption name Debug Log File value " + path + b"\r\nlegal caff\xc3\xa8\n")
    assert engine.ask()[-1].startswith("legal ")
    assert os.path.basename(path) in os.listdir(os.fsencode(tmp_path))
    with open(path, encoding="utf-8") as log:
        assert "> legal caffè\n" in log


def test_an_evaluation_file_of_any_name(engine: EngineProcess, tmp_path: Path) -> None:
    shipped = Path(cirulla_ai.__file__).with_name("engine") / "shipped.eval"
    for name in ("perché.eval", "a  b.eval", "value"):
        path = tmp_path / name
        shutil.copy(shipped, path)
        engine.send_bytes(f"setoption name EvalFile value {path}\n".encode())
        assert engine.ask() == []
    engine.send_bytes(f"setoption name EvalFile value {tmp_path}/è \n".encode())
    assert f"{tmp_path}/\\xe8 : no such file" in error_of(engine.ask())


def test_values_are_the_rest_of_the_line(
    local: LocalEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for line, value in (
        ("setoption name Debug Log File value  x  y \r\n", " x  y "),
        ("zz setoption NAME  debug log FILE\tVALUE\tvalue x", "value x"),
        ("setoption name Debug Log File value <empty> ", None),
        ("setoption name Debug Log File value", None),
        ("setoption name Debug Log File value ", None),
    ):
        local.server.handle(line)
        got = local.server.engine.options["Debug Log File"]
        assert got == (value or ""), line
        if value:
            Path(value).unlink()
