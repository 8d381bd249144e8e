"""What an engine that behaves is sent and answers, with and without asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest
from support.engines import REAL, STATE, TRUTH, fake

from cirulla_ai import Action, Limit, State
from cirulla_ai.client.engine_protocol import (
    EngineProtocol,
    EngineTerminatedError,
    EngineTimeoutError,
    History,
    popen,
)
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.client.remote import go_line
from cirulla_ai.client.simple import AnyEngine, SimpleEngine

FIRST = STATE.legal_actions()[0]
GO = Limit(nodes=10)
TIMEOUT = 15.0


@pytest.fixture
def engine() -> Iterator[SimpleEngine]:
    with SimpleEngine.popen(fake("good"), timeout=TIMEOUT) as engine:
        yield engine


def strings(engine: AnyEngine, position: State | History = STATE) -> list[str | None]:
    """What the fake engine says of what it was sent."""
    with engine.analysis(position, GO) as analysis:
        return [info.string for info in analysis if info.string is not None]


# --- what is sent -------------------------------------------------------------------------

@pytest.mark.parametrize(("limit", "line"), [
    (Limit(), "go infinite"), (Limit(inc=5), "go infinite"), (Limit(nodes=7), "go nodes 7"),
    (Limit(movetime=0.4), "go movetime 0"), (Limit(movetime=250.6, nodes=9),
                                             "go movetime 251 nodes 9"),
    (Limit(time=6000, inc=100), "go time 6000 inc 100"), (Limit(nodes=1e3), "go nodes 1000"),  # type: ignore[arg-type]
])
def test_limits(limit: Limit, line: str) -> None:
    assert go_line(limit) == line


def test_actions_to_choose_from() -> None:
    actions = [Action("7HxAS6C"), Action("!3C4D7H=2")]
    assert go_line(Limit(nodes=1), actions) == "go searchmoves 7HxAS6C !3C4D7H=2 nodes 1"


def test_states_and_histories(engine: SimpleEngine) -> None:
    assert f"position state {STATE}" in strings(engine)
    game = History.of(STATE, FIRST)
    assert f"position state {STATE} moves {FIRST}" in strings(engine, game)


def test_options_are_sent_once_configured(engine: SimpleEngine) -> None:
    engine.configure({"hash": 64, "FAIR": False, "Style": "Very Risky", "Book File": "",
                      "Clear Hash": None})
    assert ("options [('Book File', '<empty>'), ('Clear Hash', ''), ('Fair', 'false'), "
            "('Hash', '64'), ('Style', 'Very Risky')]") in strings(engine)


def test_multipv_is_for_one_search(engine: SimpleEngine) -> None:
    engine.analyse(STATE, GO, multipv=3)
    assert "options [('MultiPV', '1')]" in strings(engine)
    engine.configure({"MultiPV": 2})
    with engine.analysis(STATE, GO, multipv=4) as analysis:
        assert "options [('MultiPV', '4')]" in [info.string for info in analysis]
    assert "options [('MultiPV', '2')]" in strings(engine)


# --- a good engine ------------------------------------------------------------------------

def test_who_it_is(engine: SimpleEngine) -> None:
    assert engine.id == {"name": "Fake", "author": "nobody at all"}
    assert engine.options["STYLE"].choices == ("Solid", "Very Risky")


def test_play_and_analyse(engine: SimpleEngine) -> None:
    result = engine.play(STATE, GO)
    assert (result.action, result.ponder) == (FIRST, None)
    assert result.infos[0].score and result.infos[0].score.points == 0.12
    assert [info.action for info in engine.analyse(STATE, GO)] == [FIRST]
    engine.new_game()
    engine.ping()
    assert engine.quit() == 0


def test_an_analysis_ends_when_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(STATE) as analysis:
        first = analysis.next()
        assert first and first.action == FIRST
        engine.ping()
        analysis.stop()
        analysis.stop()
        assert [info.action for info in analysis if info.pv] == [FIRST]
        assert analysis.next() is None
        assert analysis.wait().action == FIRST
    assert analysis.infos[0].action == FIRST


def test_the_next_call_stops_an_analysis(engine: SimpleEngine) -> None:
    first = engine.analysis(STATE)
    second = engine.analysis(STATE)
    assert first.wait().action == FIRST
    assert engine.play(STATE, GO).action == FIRST
    assert second.wait().action == FIRST


def test_closing_ends_an_analysis(engine: SimpleEngine) -> None:
    analysis = engine.analysis(STATE)
    engine.close()
    analysis.stop()
    with pytest.raises(EngineTerminatedError):
        analysis.wait()


def test_what_nobody_reads_is_bounded() -> None:
    with (SimpleEngine.popen(fake("chatty"), timeout=TIMEOUT) as engine,
          engine.analysis(STATE, GO) as analysis):
        assert analysis.wait().action == FIRST
        assert len(list(analysis)) == 1000


# --- over asyncio -------------------------------------------------------------------------

def run(work: Callable[[EngineProtocol], Awaitable[None]], mode: str = "good") -> None:
    async def main() -> None:
        async with await popen(fake(mode), timeout=TIMEOUT, grace=TIMEOUT) as engine:
            await asyncio.wait_for(work(engine), 4 * TIMEOUT)

    asyncio.run(main())


def test_asyncio() -> None:
    async def work(engine: EngineProtocol) -> None:
        assert engine.id["name"] == "Fake"
        await engine.configure({"Hash": 32})
        assert (await engine.play(STATE, GO)).action == FIRST
        assert [info.action for info in await engine.analyse(STATE, GO)] == [FIRST]
        async with await engine.analysis(STATE) as analysis:
            async for info in analysis:
                assert info.action == FIRST
                break
        assert (await analysis.wait()).action == FIRST
        await engine.new_game()
        assert await engine.quit() == 0
        assert engine.exit_code == 0

    run(work)


def test_calls_at_the_same_time_are_done_one_after_the_other() -> None:
    async def work(engine: EngineProtocol) -> None:
        results = await asyncio.gather(
            *(engine.play(STATE, GO) for _ in range(5)), engine.ping(), engine.new_game())
        assert [result.action for result in results if result] == [FIRST] * 5

    run(work)


def test_many_engines_at_once() -> None:
    async def main() -> None:
        engines = await asyncio.gather(*(popen(fake("good"), timeout=TIMEOUT) for _ in range(5)))
        results = await asyncio.gather(*(engine.play(STATE, GO) for engine in engines))
        assert [result.action for result in results] == [FIRST] * 5
        await asyncio.gather(*(engine.quit() for engine in engines))

    asyncio.run(main())


def test_a_cancelled_call_leaves_the_engine_in_step() -> None:
    async def work(engine: EngineProtocol) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(STATE, GO), 0.2)
        for _ in range(3):
            result = await engine.play(STATE, GO)
            assert [i.score and i.score.centipoints for i in result.infos] == [12]

    run(work, "late")


def test_a_cancelled_start_leaves_no_process() -> None:
    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(popen(fake("mute"), timeout=TIMEOUT), 0.4)

    asyncio.run(main())


# --- the real one -------------------------------------------------------------------------

@pytest.fixture(scope="module")
def real() -> Iterator[SimpleEngine]:
    with SimpleEngine.popen(REAL, timeout=TIMEOUT) as engine:
        yield engine


def test_the_real_engine(real: SimpleEngine) -> None:
    assert real.id["name"].startswith("cirulla-ai ")
    assert "Hash" in real.options
    result = real.play(STATE, Limit(movetime=30))
    assert result.action in STATE.legal_actions()
    assert result.infos[0].action == result.action
    infos = real.analyse(STATE, Limit(nodes=500), multipv=3)
    assert [info.multipv for info in infos] == [1, 2, 3]
    assert all(info.score and info.wdl and info.nodes and info.pv for info in infos)


def test_the_real_engine_can_be_watched(real: SimpleEngine) -> None:
    with real.analysis(STATE) as analysis:
        for info in analysis:
            if info.nodes and info.nodes >= 1000:
                break
    assert analysis.wait().action in STATE.legal_actions()


@pytest.mark.parametrize("position", [
    STATE, TRUTH, TRUTH.view(0), History.of(TRUTH, TRUTH.legal_actions()[-1]),
    History.of(TRUTH, TRUTH.legal_actions()[-1]).view(1),
], ids=["view", "truth", "truth's view", "history", "history's view"])
def test_in_process_is_the_same(real: SimpleEngine, position: State | History) -> None:
    def answers(engine: AnyEngine) -> list[object]:
        engine.configure({"Seed": 3})
        result = engine.play(position, Limit(nodes=700))
        infos = [*result.infos, *engine.analyse(position, Limit(nodes=700), multipv=3)]
        with engine.analysis(position, Limit(nodes=3000)) as analysis:
            infos += analysis
        return [result.action, result.ponder, *(
            (i.depth, i.nodes, i.hashfull, i.multipv, i.score, i.wdl, i.visits, i.pv)
            for i in infos)]

    with InProcessEngine() as inside:
        assert answers(real) == answers(inside)


def test_in_process_has_the_same_options(real: SimpleEngine) -> None:
    with InProcessEngine() as inside:
        assert inside.id == real.id
        assert list(inside.options) == list(real.options)


def test_a_whole_smazzata_told_as_seen(real: SimpleEngine) -> None:
    game = History.of(TRUTH)
    while not game.state.is_over:
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        assert seen.state == game.state.view(seat)
        game = game.play(real.play(seen, Limit(nodes=5)).action)
    # What each seat saw leads to what it knows at the end.
    assert [game.view(seat).state for seat in (0, 1)] == [game.state.view(s) for s in (0, 1)]


# --- in the process -----------------------------------------------------------------------

def test_in_process_errors_are_the_same() -> None:
    with InProcessEngine() as engine:
        wrong: list[tuple[Callable[[], object], str]] = [
            (lambda: engine.play(STATE, Limit()), "never ends"),
            (lambda: engine.play(STATE, GO, actions=[Action("KS")]), "not legal here"),
            (lambda: engine.play(STATE, GO, actions=[]), "no actions"),
            (lambda: engine.play(STATE, GO, actions=["KS"]), "not legal here"),
            (lambda: engine.play(STATE, Limit(nodes=1.5)),  # type: ignore[arg-type]
             "whole number"),
            (lambda: engine.play(STATE.apply("7HxAS6C"), GO), "seat 1 is to move"),
            (lambda: engine.configure({"Hush": 1}), "no option 'Hush'"),
            (lambda: engine.analyse(STATE, GO, multipv=0), "1 … "),
            (lambda: engine.configure({"Hash": 1 << 20}), "Hash"),
        ]
        for call, message in wrong:
            with pytest.raises(ValueError, match=message):
                call()
        with pytest.raises(EngineTimeoutError):
            engine.play(STATE, Limit(nodes=10**12), timeout=0.1)
        assert engine.play(STATE, GO, actions=[FIRST]).action == FIRST
        assert engine.play(STATE, GO, actions=[str(FIRST)]).action == FIRST
        engine.ping()
        engine.new_game()
        assert engine.quit() == 0


def test_in_process_analysis() -> None:
    forced = STATE.play("7HxAS6C", "2S", "3Cx2SKD", "QS")
    with InProcessEngine() as engine:
        with engine.analysis(STATE) as analysis:
            first = analysis.next()
            assert first and first.action in STATE.legal_actions()
        list(analysis)
        assert analysis.wait().action in STATE.legal_actions()
        assert analysis.infos
        # Nothing to decide, but it is not over before it is stopped.
        assert len(forced.legal_actions()) == 1
        analysis = engine.analysis(forced)
        assert analysis.next()
        time.sleep(0.1)
        assert not analysis._feed.is_over  # type: ignore[attr-defined]
        engine.play(forced, GO)
        assert analysis.wait().action == forced.legal_actions()[0]


def test_in_process_search_ends_with_its_engine() -> None:
    engine = InProcessEngine()
    feed = engine.analysis(STATE)._feed  # type: ignore[attr-defined]
    del engine
    with feed.changed:
        assert feed.changed.wait_for(lambda: feed.is_over, TIMEOUT)
