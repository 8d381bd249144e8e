"""Each way to fail is named for what it is, and leaves the caller able to go on."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.engines import STATE, fake, is_gone

from cirulla_ai import Action, Limit
from cirulla_ai.client.engine_protocol import (
    EngineError,
    EngineOptionError,
    EngineRefusedError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalActionError,
)
from cirulla_ai.client.simple import SimpleEngine

FIRST = STATE.legal_actions()[0]
GO = Limit(nodes=10)
# Enough for any process to start on a busy machine.
TIMEOUT = 15.0


@contextmanager
def opened(mode: str, *, grace: float = 0.5) -> Iterator[SimpleEngine]:
    """A fake engine that has started; what it is asked may take a fraction of a second."""
    with SimpleEngine.popen(fake(mode), timeout=TIMEOUT, grace=grace) as engine:
        pid = engine.protocol.pid
        yield engine
    assert is_gone(pid)


def hurry(engine: SimpleEngine, seconds: float = 0.5) -> None:
    engine.protocol.timeout = seconds


# --- starting -----------------------------------------------------------------------------

@pytest.mark.parametrize("command", [
    "/no/such/engine", ["/no/such/engine", "x"], "no-such-engine", __file__, "/", [], "nul\0"])
def test_no_such_program(command: str | list[str]) -> None:
    with pytest.raises(EngineStartError):
        SimpleEngine.popen(command)


def test_no_such_directory() -> None:
    with pytest.raises(EngineStartError):
        SimpleEngine.popen(fake("good"), cwd="/no/such/directory")


def test_it_never_says_uciok() -> None:
    with pytest.raises(EngineStartError, match=r"no uciok within 0\.5 s of uci"):
        SimpleEngine.popen(fake("mute"), timeout=0.5)


def test_it_crashes_at_once() -> None:
    with pytest.raises(EngineTerminatedError, match="exit code 3") as caught:
        SimpleEngine.popen(fake("crash-start"), timeout=TIMEOUT)
    assert caught.value.exit_code == 3
    assert caught.value.stderr == ("first words", "no table to play on")
    assert "no table to play on" in str(caught.value)


def test_it_is_no_engine() -> None:
    with pytest.raises(EngineTerminatedError, match="exit code 0"):
        SimpleEngine.popen([sys.executable, "-c", "print('hello')"], timeout=TIMEOUT)


# --- searching ----------------------------------------------------------------------------

def test_it_crashes_in_a_search() -> None:
    with opened("crash-search") as engine:
        with pytest.raises(EngineTerminatedError, match="the table has collapsed") as caught:
            engine.play(STATE, GO)
        assert caught.value.exit_code == 4
        for _ in range(2):
            with pytest.raises(EngineTerminatedError, match="exit code 4"):
                engine.play(STATE, GO)
        with pytest.raises(EngineTerminatedError):
            engine.quit()


def test_a_signal_ends_it() -> None:
    with opened("abort-search") as engine, pytest.raises(EngineTerminatedError, match="SIGABRT"):
        engine.play(STATE, GO)


def test_it_ends_after_its_answer() -> None:
    with opened("exits-after") as engine:
        assert engine.play(STATE, GO).action == FIRST
        with pytest.raises(EngineTerminatedError, match="exit code 0"):
            engine.play(STATE, GO)


def test_its_last_line_has_no_end() -> None:
    with opened("unfinished") as engine:
        assert engine.play(STATE, GO).action == FIRST
        with pytest.raises(EngineTerminatedError, match="exit code 7"):
            engine.ping()


def test_it_closes_its_output() -> None:
    with opened("closes-output") as engine, \
            pytest.raises(EngineTerminatedError, match="killed because it had closed its output"):
        engine.play(STATE, GO)


def test_it_ends_and_leaves_its_pipes_to_another() -> None:
    with opened("orphan") as engine:
        started = time.monotonic()
        with pytest.raises(EngineTerminatedError, match="exit code 5"):
            engine.play(STATE, GO)
        assert time.monotonic() - started < 2.5


@pytest.mark.parametrize("limit", [Limit(nodes=5), Limit(movetime=10), Limit(time=10, inc=5)])
def test_it_stalls(limit: Limit) -> None:
    with opened("stall", grace=0.2) as engine:
        hurry(engine)
        with pytest.raises(EngineTimeoutError, match="no bestmove in time after go "):
            engine.play(STATE, limit)
        with pytest.raises(EngineTimeoutError, match=r"of stop; it was killed"):
            engine.play(STATE, limit)
        with pytest.raises(EngineTerminatedError, match="SIGKILL, killed because it did not"):
            engine.play(STATE, limit)


def test_it_does_not_stop() -> None:
    with opened("deaf", grace=0.2) as engine:
        hurry(engine)
        with pytest.raises(EngineTimeoutError, match="no bestmove in time"):
            engine.play(STATE, GO)
        engine.ping()
        with pytest.raises(EngineTimeoutError, match="it was killed"):
            engine.configure({"Hash": 2})


def test_it_talks_but_never_answers() -> None:
    with opened("flood", grace=0.2) as engine:
        with pytest.raises(EngineTimeoutError):
            engine.play(STATE, GO, timeout=0.5)
        with pytest.raises(EngineTimeoutError, match="it was killed"):
            engine.new_game()


def test_it_is_slow_within_its_time() -> None:
    with opened("slow") as engine:
        hurry(engine, 0.6)
        assert engine.play(STATE, GO).action == FIRST
        assert engine.play(STATE, Limit(movetime=1500)).action == FIRST
        with pytest.raises(EngineTimeoutError):
            engine.play(STATE, GO, timeout=0.2)


def test_a_late_answer_is_thrown_away() -> None:
    with opened("late", grace=TIMEOUT) as engine:
        hurry(engine)
        with pytest.raises(EngineTimeoutError):
            engine.play(STATE, GO)
        hurry(engine, TIMEOUT)
        for _ in range(3):
            result = engine.play(STATE, GO)
            # Neither the late action nor its infos, but those of the present search.
            assert (result.action, result.ponder) == (FIRST, None)
            assert [info.score and info.score.centipoints for info in result.infos] == [12]
        assert engine.quit() == 0


def test_a_late_readyok_is_thrown_away() -> None:
    with opened("late-ready") as engine:
        hurry(engine)
        with pytest.raises(EngineTimeoutError, match=r"no readyok within 0\.5 s"):
            engine.ping()
        hurry(engine, TIMEOUT)
        started = time.monotonic()
        engine.ping()
        assert time.monotonic() - started > 0.1
        assert engine.play(STATE, GO).action == FIRST


def test_it_hangs() -> None:
    with opened("hangs") as engine:
        hurry(engine)
        for _ in range(2):
            with pytest.raises(EngineTimeoutError, match="no readyok"):
                engine.play(STATE, GO)


@pytest.mark.parametrize(("mode", "text", "message"), [
    ("illegal", "KSxKC", "bestmove KSxKC is not legal"),
    ("unreadable", "e2e4", "'e2e4'"),
    ("none", "(none)", "no idea"),
    ("empty-bestmove", "(none)", "none"),
])
def test_an_answer_that_is_no_legal_action(mode: str, text: str, message: str) -> None:
    with opened(mode) as engine:
        for _ in range(2):
            with pytest.raises(IllegalActionError, match=message) as caught:
                engine.play(STATE, GO)
            assert caught.value.text == text
        engine.ping()


def test_an_answer_that_was_not_among_those_allowed() -> None:
    other = STATE.legal_actions()[1]
    with opened("good") as engine, pytest.raises(IllegalActionError, match="is not legal"):
        engine.play(STATE, GO, actions=[other])


def test_an_answer_too_many() -> None:
    with opened("twice") as engine:
        for _ in range(3):
            with pytest.raises(IllegalActionError, match="bestmove KS is not legal"):
                engine.play(STATE, GO)


# --- talking ------------------------------------------------------------------------------

@pytest.mark.parametrize("mode", ["stderr", "chatty"])
def test_what_it_says_besides_does_no_harm(mode: str) -> None:
    with opened(mode, grace=5) as engine:
        assert engine.id["name"] == "Fake"
        assert engine.options["Hash"].high == 1024
        for _ in range(2):
            assert engine.play(STATE, GO).action == FIRST
        assert len(engine.protocol._connection.stderr) <= 20


def test_garbage_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    with opened("garbage") as engine:
        assert (engine.id["name"], engine.options["Hash"].high) == ("Fake", 1024)
        for _ in range(30):
            engine.ping()
        # Garbage may hold an answer like any other; here it is empty.
        with pytest.raises(IllegalActionError, match=r"bestmove \(none\)"):
            engine.play(STATE, GO)
        engine.ping()
    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert 5 <= len(warnings) <= 10


def test_it_refuses_a_position() -> None:
    with opened("refuses") as engine, pytest.raises(EngineRefusedError, match="not played here"):
        engine.play(STATE, GO)


def test_it_refuses_an_option() -> None:
    with opened("refuses-options") as engine, pytest.raises(EngineOptionError, match="not today"):
        engine.configure({"Hash": 2})


def test_wrong_options_are_refused_before_they_are_sent() -> None:
    wrong: list[tuple[dict[str, int | str], str]] = [
        ({"Hash": 32, "Hush": 1}, "no option 'Hush'"), ({"Hash": 2000}, "1 … 1024"),
        ({"Hash": "x\nquit"}, "one line"),
    ]
    with opened("good") as engine:
        for options, message in wrong:
            with pytest.raises(EngineOptionError, match=message):
                engine.configure(options)
        result = engine.play(STATE, GO)
        assert result.action == FIRST
        with engine.analysis(STATE, GO) as analysis:
            assert "options []" in [info.string for info in analysis]


def test_odd_options_are_kept_within_bounds() -> None:
    with opened("odd-options") as engine:
        assert len(engine.options) == 1000
        assert engine.options["two words"].high == 5
        engine.configure({"Colour": "blue", "Plain": -7})


# --- leaving ------------------------------------------------------------------------------

def test_it_does_not_leave() -> None:
    with opened("stays", grace=0.3) as engine:
        with pytest.raises(EngineTimeoutError, match=r"still there 0\.3 s after quit"):
            engine.quit()
        assert engine.protocol.exit_code == -9


@pytest.mark.parametrize("mode", ["stays", "flood", "deaf"])
def test_closing_never_fails(mode: str) -> None:
    with opened(mode, grace=0.3) as engine:
        with engine.analysis(STATE):
            pass
        engine.close()
        engine.close()
        with pytest.raises(EngineTerminatedError, match="closed"):
            engine.ping()


def test_what_a_wrapper_has_started_ends_with_it() -> None:
    with opened("wrapper", grace=0.3) as engine:
        child = int(engine.id["name"])
    assert is_gone(child)


# --- using it wrongly ---------------------------------------------------------------------

def test_what_can_not_be_asked() -> None:
    with opened("good") as engine:
        with pytest.raises(ValueError, match="never ends"):
            engine.play(STATE, Limit())
        with pytest.raises(ValueError, match="not legal here"):
            engine.play(STATE, GO, actions=[Action("KS")])
        with pytest.raises(ValueError, match="no actions"):
            engine.play(STATE, GO, actions=[])
        with pytest.raises(ValueError, match="seat 1 is to move"):
            engine.play(STATE.apply("7HxAS6C"), GO)
        with pytest.raises(EngineOptionError, match="1 … 5"):
            engine.analyse(STATE, GO, multipv=6)
        assert engine.play(STATE, GO).action == FIRST


def test_errors_can_be_sent_between_processes() -> None:
    error = pickle.loads(pickle.dumps(EngineTerminatedError.of("x", -9, ["y"])))
    assert (error.exit_code, error.stderr, str(error)) == (
        -9, ("y",), "x has ended with signal SIGKILL; its last words: y")
    assert isinstance(pickle.loads(pickle.dumps(IllegalActionError("x", "7H"))), EngineError)
