"""Searches: their limits, their answers, and what may be said while they run."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from support.client import (
    MEASURABLE,
    EngineProcess,
    LocalEngine,
    best_of,
    error_of,
    infos_of,
    parse_info,
)

from cirulla_ai import PRESETS, State
from cirulla_ai.engine.levels import LEVEL_ITERATIONS

# Seat 0 has one action: to lay its last card.
FORCED = ("state rules=cirulla dealer=1 turn=0 round=1 hands=KS/?1 table=2H viewer=0 "
          "taken=AHADACAS/3H3D3C")
OVER = ("state rules=cirulla dealer=1 turn=- round=6 hands=-/- phase=done last=0 stock=- taken="
        "AHADACAS2H2D2C2S3H3D3C3S4H4D4C4S5H5D5C5S/6H6D6C6S7H7D7C7SJHJDJCJSQHQDQCQSKHKDKCKS")


def is_idle(engine: EngineProcess, seconds: float = 0.5) -> bool:
    before = engine.processor_seconds()
    engine.silence(seconds)
    return engine.processor_seconds() - before <= 0.2 * seconds


@MEASURABLE
def test_solved_early_an_infinite_search_idles_until_stop(engine: EngineProcess) -> None:
    engine.send(f"position {FORCED}", "go infinite")
    engine.until(lambda line: parse_info(line)["nodes"] > 1)
    assert is_idle(engine)
    engine.send("stop")
    assert best_of(engine.until("bestmove")) == "KS"


@MEASURABLE
def test_cut_short_by_skill_an_infinite_search_idles_until_stop(engine: EngineProcess) -> None:
    engine.send("setoption name Skill Level value 0", "go")
    engine.until(lambda line: parse_info(line)["nodes"] == LEVEL_ITERATIONS)
    assert is_idle(engine)
    engine.send("stop")
    engine.until("bestmove")


@MEASURABLE
def test_infinite_with_another_limit_still_answers_after_stop(engine: EngineProcess) -> None:
    engine.send("go nodes 50 infinite")
    engine.until(lambda line: parse_info(line)["nodes"] == 50)
    assert is_idle(engine)
    engine.send("stop")
    engine.until("bestmove")


@MEASURABLE
def test_nothing_to_decide_an_infinite_search_idles_until_stop(engine: EngineProcess) -> None:
    for go in ("go infinite", "go"):
        engine.send(f"position {OVER}", go)
        assert "over" in error_of(engine.until("info string error"))
        assert is_idle(engine)
        engine.send("stop")
        assert engine.line() == "bestmove (none)"


def test_a_thousand_isready_do_not_disturb_a_search(engine: EngineProcess) -> None:
    engine.ask()
    engine.send("go infinite")
    started = time.monotonic()
    engine.send(*["isready"] * 1000)
    lines = [line for _ in range(1000) for line in engine.until("readyok")]
    # A tenth of a second for one is what is promised; all of them are well within this.
    assert time.monotonic() - started < 5
    engine.send("stop")
    lines += engine.until("bestmove")
    assert lines.count("readyok") == 1000
    infos = infos_of(lines)
    assert len(infos) + 1001 == len(lines), "lines have mixed"
    assert infos[-1]["nodes"] > 1000


def test_questions_are_answered_while_a_search_goes_on(engine: EngineProcess) -> None:
    idle = {ask: engine.ask(ask) for ask in ("d", "legal", "view 1", "score", "eval",
                                             "rules scopa", "help", "uci")}
    engine.send("go infinite")
    engine.until("info")
    for ask, answer in idle.items():
        said = engine.ask(ask)
        assert [line for line in said if not line.startswith("info depth")] == answer
    engine.send("stop")
    engine.until("bestmove")


def test_stop_position_go_five_hundred_times_in_order(engine: EngineProcess) -> None:
    for seed in range(500):
        engine.send(f"position startpos seed {seed}", "go infinite", "stop")
    engine.send("isready")
    lines = engine.until("readyok")
    best = [line.split()[1] for line in lines if line.startswith("bestmove")]
    assert len(best) == 500
    for seed, action in enumerate(best):
        State.deal("cirulla", seed=seed).apply(action)


def test_position_and_go_stop_the_search_before_them(engine: EngineProcess) -> None:
    for seed in range(100):
        engine.send(f"position startpos seed {seed}", "go infinite")
    engine.send("stop", "isready")
    best = [line.split()[1] for line in engine.until("readyok") if line.startswith("bestmove")]
    assert len(best) == 100
    for seed, action in enumerate(best):
        State.deal("cirulla", seed=seed).apply(action)


def test_a_second_go_stops_the_first(engine: EngineProcess) -> None:
    engine.send("go infinite", "go nodes 100")
    engine.until("bestmove")
    assert infos_of(engine.until("bestmove"))[-1]["nodes"] == 100


@pytest.mark.parametrize("line", [
    "setoption name MultiPV value 2", "ucinewgame", "perft 1", "bench 1 1",
    "position startpos seed 3",
])
def test_what_changes_things_stops_the_search_first(engine: EngineProcess, line: str) -> None:
    engine.send("go infinite", line)
    assert best_of(engine.until("bestmove")) != "(none)"
    assert not [line for line in engine.ask() if line.startswith("bestmove")]


@pytest.mark.parametrize("line", [
    "setoption name MultiPV value 0", "setoption name Nonsense value 1", "perft 0", "bench x",
    "position state rules=cirulla", "position startpos moves 7H7H", "nonsense", "view 9",
    "position state", "stopp",
])
def test_what_is_refused_leaves_the_search_going(engine: EngineProcess, line: str) -> None:
    before = engine.ask("d")
    engine.send("go infinite", line)
    engine.until("info string")
    engine.silence_of_answers(0.2)
    engine.send("stop")
    assert best_of(engine.until("bestmove")) != "(none)"
    assert engine.ask("d") == before


def test_a_refused_go_is_answered_after_the_search_that_runs(engine: EngineProcess) -> None:
    engine.send("go infinite", "go depth 3", "go searchmoves", "isready")
    lines = engine.until("readyok")
    assert sum(line.startswith("info string error: go: ") for line in lines) == 2
    assert not [line for line in lines if line.startswith("bestmove")]
    engine.send("stop", "isready")
    best = [line for line in engine.until("readyok") if line.startswith("bestmove")]
    assert best[0] != "bestmove (none)"
    assert best[1:] == ["bestmove (none)"] * 2
    # Nothing is owed twice.
    assert best_of(engine.search("go nodes 5")) != "(none)"
    assert engine.ask() == []


def test_refusals_right_behind_short_searches_are_all_answered(engine: EngineProcess) -> None:
    for _ in range(300):
        engine.send("go nodes 1", "go depth 3")
    engine.send("stop", "isready")
    lines = engine.until("readyok")
    assert sum(line.startswith("bestmove") for line in lines) == 600


def test_stop_and_ponderhit_mean_nothing_to_an_idle_engine(engine: EngineProcess) -> None:
    assert engine.ask("stop", "stop", "stop", "ponderhit", "ponderhit") == []
    engine.search("go nodes 100")
    assert engine.ask("stop", "ponderhit", "stop") == []


def test_ucinewgame_or_go_right_behind_an_answer(engine: EngineProcess) -> None:
    for _ in range(50):
        engine.search("go nodes 20")
        engine.send("ucinewgame")
        engine.search("go nodes 20")
    assert engine.ask() == []


@pytest.mark.parametrize("limit", [
    "nodes 1", "movetime 1", "nodes 0", "nodes -5", "movetime 0", "movetime -100", "time 0",
    "time 1 inc 0", "time -50 inc -50", "nodes 1 movetime 1", "movetime +1",
    "movetime -99999999999999999999", "nodes -99999999999999999999",
])
def test_the_smallest_search_has_an_answer(local: LocalEngine, limit: str) -> None:
    for multipv in (1, 3):
        lines = local.ask(f"setoption name MultiPV value {multipv}", f"go {limit}")
        assert len(infos_of(lines)) >= multipv
        assert all(info["pv"] and "cp" in info for info in infos_of(lines))
        last = infos_of(lines)[-multipv:]
        assert [info["multipv"] for info in last] == list(range(1, multipv + 1))
        assert last[0]["pv"][0] == best_of(lines)


@pytest.mark.parametrize("limit", [
    "nodes 3 movetime 99999999999999999999999", "movetime 5 nodes 99999999999999999999999",
    "time 99999999999999999 nodes 3", "inc 99999999999999999 nodes 3",
    "NODES 3", "nodes 3 time 10000000 inc 5 movetime 1000000", "nodes 9 nodes 3",
])
def test_limits_combine_and_the_first_ends_the_search(local: LocalEngine, limit: str) -> None:
    local.ask("setoption name Move Overhead value 0")
    lines = local.ask(f"go {limit}")
    if limit.startswith("movetime"):
        assert infos_of(lines)[-1]["time"] < 2000
    else:
        assert infos_of(lines)[-1]["nodes"] == 3
    assert best_of(lines) != "(none)"


@pytest.mark.parametrize(("go", "name"), [
    ("depth 5", "depth"), ("nodes", "nodes"), ("nodes x", "x"), ("movetime 1.5", "1.5"),
    ("wtime 1000 btime 1000", "wtime"), ("nodes 5 perft 3", "perft"), ("ponder", "ponder"),
    ("searchmoves", "searchmoves"), ("searchmoves KS KD", "KS KD"), ("infinite 5", "5"),
    ("nodes searchmoves", "searchmoves"), ("infinite depth 3", "depth"), ("nodes ²", "nodes"),
])
def test_a_go_that_cannot_be_done_is_answered(local: LocalEngine, go: str, name: str) -> None:
    lines = local.ask(f"go {go}")
    assert error_of(lines).startswith("go: ")
    assert name in error_of(lines)
    assert lines[-1] == "bestmove (none)"
    assert len(lines) == 2


def test_nothing_to_decide_is_answered_at_once(local: LocalEngine) -> None:
    for limit in ("nodes 5", "movetime 100", "time 1000"):
        lines = local.ask(f"position {OVER}", f"go {limit}")
        assert "over" in error_of(lines)
        assert lines[-1] == "bestmove (none)"


@pytest.mark.parametrize("limit", ["nodes 5", "infinite"])
def test_what_is_missing_is_said(local: LocalEngine, limit: str) -> None:
    truth = State.deal("cirulla", seed=4)
    other = local.ask(f"position state {truth.view(1)}", f"go {limit}")
    assert "seat 0 is to move" in error_of(other)
    assert other[-1] == "bestmove (none)"
    actions = []
    while truth.round == 1:
        actions.append(str(truth.legal_actions()[0]))
        truth = truth.apply(actions[-1])
    start = State.deal("cirulla", seed=4).view(1)
    before = f"position state {start} moves {' '.join(actions)}"
    deal = local.ask(before, f"go {limit}")
    assert "dealt" in error_of(deal)
    assert deal[-1] == "bestmove (none)"
    assert local.ask("legal") == ["legal"]
    assert "dealt" in error_of(local.ask("perft 2"))
    # With the cards that are missing it goes on: seat 0, whose hand is not known, moves.
    assert local.ask(f"{before} @{''.join(truth.hands[1])}") == []
    assert local.state() == str(truth.view(1))


def test_an_action_is_chosen_among_searchmoves(local: LocalEngine) -> None:
    truth = State.deal("cirulla", seed=4)
    for action in map(str, truth.legal_actions()):
        lines = local.ask("position startpos seed 4", f"go nodes 200 searchmoves {action.lower()}")
        assert best_of(lines) == action
        assert all(info["pv"][0] == action for info in infos_of(lines))
    two = [str(action) for action in truth.legal_actions()[:2]]
    lines = local.ask("setoption name MultiPV value 5",
                      f"go searchmoves KSxKD {two[0]} junk {two[1]} {two[0]} nodes 300")
    assert lines[0] == "info string searchmoves: left out, not legal here: KSxKD junk"
    assert {info["pv"][0] for info in infos_of(lines)} == set(two)


def test_the_clock_starts_with_go(engine: EngineProcess) -> None:
    engine.ask("setoption name Move Overhead value 0", "position startpos seed 5")
    time.sleep(0.6)
    started = time.monotonic()
    lines = engine.search("go movetime 400")
    assert 0.35 < time.monotonic() - started < 10
    assert infos_of(lines)[-1]["time"] >= 390


def test_time_is_shared_among_the_cards_to_be_played(local: LocalEngine) -> None:
    started = time.monotonic()
    local.ask("position startpos seed 5", "go time 1800")
    assert time.monotonic() - started < 1.2


def test_something_is_said_at_least_every_second(engine: EngineProcess) -> None:
    engine.ask("setoption name Threads value 2")
    engine.send("position startpos rules=cirullone-9 seed 1", "go movetime 2500")
    last = time.monotonic()
    gaps = []
    while not (engine.line() or "").startswith("bestmove"):
        gaps.append(time.monotonic() - last)
        last = time.monotonic()
    # 0.9 s where nothing else runs.
    assert max(gaps) < 2
    assert len(gaps) >= 3


def test_one_action_is_answered_at_once(local: LocalEngine) -> None:
    started = time.monotonic()
    assert best_of(local.ask(f"position {FORCED}", "go movetime 60000")) == "KS"
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("preset", PRESETS)
def test_every_pv_can_be_replayed(local: LocalEngine, preset: str) -> None:
    local.ask("setoption name MultiPV value 4")
    for seed in range(3):
        truth = State.deal(preset, seed=seed)
        turn = 0
        while not truth.is_over:
            actions = truth.legal_actions()
            if turn % 7 == seed and truth.turn is not None:
                view = truth.view(truth.turn)
                for position in (truth, view):
                    lines = local.ask(f"position state {position}", "go nodes 300")
                    for info in infos_of(lines):
                        # As far as the seat to move can know; a deal would need @CARDS.
                        view.play(*info["pv"])
                    check_answer(lines, [str(action) for action in actions])
            truth = truth.apply(actions[(5 * turn + seed) % len(actions)])
            turn += 1


def check_answer(lines: list[str], legal: list[str]) -> None:
    infos = infos_of(lines)
    last = infos[-min(4, len(legal)):]
    assert [info["multipv"] for info in last] == list(range(1, len(last) + 1))
    assert len({info["nodes"] for info in last}) == 1
    assert len({info["pv"][0] for info in last}) == len(last)
    assert all(info["pv"][0] in legal for info in infos)
    assert lines[-1].split()[1] == last[0]["pv"][0]
    assert [info["visits"] for info in last] == sorted(
        (info["visits"] for info in last), reverse=True)
    for info in infos:
        assert sum(info["wdl"]) == 1000
        assert min(info["wdl"]) >= 0
        assert info["hashfull"] <= 1000


def test_as_many_lines_as_actions_where_multipv_is_more(local: LocalEngine) -> None:
    local.ask("setoption name MultiPV value 500")
    for seed in range(20):
        legal = State.deal("cirulla", seed=seed).legal_actions()
        infos = infos_of(local.ask(f"position startpos seed {seed}", "go nodes 500"))
        assert [info["multipv"] for info in infos[-len(legal):]] == list(range(1, len(legal) + 1))
        assert max(info["multipv"] for info in infos) == len(legal)


def test_the_same_go_twice_has_the_same_answer(local: LocalEngine) -> None:
    local.ask("setoption name Seed value 11", "setoption name MultiPV value 3",
              "position startpos seed 8")
    without_times = [[{**info, "nps": 0, "time": 0} for info in infos_of(local.ask("go nodes 900"))]
                     for _ in range(3)]
    assert without_times[0] == without_times[1] == without_times[2]


def test_points_are_those_of_the_seat_to_move(local: LocalEngine) -> None:
    """The same situation, with the seats swapped."""
    mine = ("state rules=cirulla dealer={dealer} turn={turn} round=3 hands={hands} scopa={scopa} "
            "table=2D5CKH last={turn} taken={taken} scores={scores} viewer={turn}")
    winner, loser = "AHADACAS2H2C2S3H3D3C3S", "4H4D"
    hands, scopa, taken, scores = ("7D7C6D", "?3"), (9, 0), (winner, loser), (40, 20)
    reports = []
    for turn in (0, 1):
        def seats(pair: tuple[object, object], turn: int = turn) -> str:
            return "/".join(map(str, pair if turn == 0 else pair[::-1]))

        lines = local.ask(
            "setoption name Seed value 5",
            "position " + mine.format(dealer=1 - turn, turn=turn, hands=seats(hands),
                                      scopa=seats(scopa), taken=seats(taken),
                                      scores=seats(scores)), "go nodes 3000")
        assert lines[0].startswith("info depth"), lines[0]
        reports.append(infos_of(lines)[-1])
    for report in reports:
        assert 400 < report["cp"] < 2500
        assert report["wdl"][0] > 800
    assert abs(reports[0]["cp"] - reports[1]["cp"]) < 6 * (reports[0]["se"] + reports[1]["se"])
    behind = local.ask(
        "position " + mine.format(dealer=1, turn=0, hands="/".join(hands), scopa="0/9",
                                  taken=f"{loser}/{winner}", scores="20/40"), "go nodes 3000")
    assert behind[0].startswith("info depth"), behind[0]
    assert infos_of(behind)[-1]["cp"] < -400
    assert infos_of(behind)[-1]["wdl"][0] < 200


@pytest.mark.parametrize("scores", ["1000000/0", "0/1000000", "1000000/1000000", "50/50"])
@pytest.mark.parametrize("scopa", ["0/0", "1000000/0", "0/1000000"])
def test_numbers_stay_finite_at_the_edges(local: LocalEngine, scores: str, scopa: str) -> None:
    state = (f"rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD scores={scores} "
             f"scopa={scopa} viewer=0")
    for objective in ("points", "match"):
        for threads in (1, 3):
            lines = local.ask(f"setoption name Objective value {objective}",
                              f"setoption name Threads value {threads}",
                              f"position state {state}", "go nodes 50")
            best_of(lines)
            for info in infos_of(lines):
                assert sum(info["wdl"]) == 1000
                assert abs(info["cp"]) < 101_000_000
                assert "se" in info or info["visits"] == 1


def test_a_flat_search_tries_all_actions_equally(local: LocalEngine) -> None:
    local.ask("setoption name Search value flat", "setoption name MultiPV value 50",
              "position startpos seed 4")
    legal = State.deal("cirulla", seed=4).legal_actions()
    for nodes in (1, 1000):
        lines = local.ask(f"go nodes {nodes}")
        last = infos_of(lines)[-len(legal):]
        assert len({info["visits"] for info in last}) == 1
        assert {info["pv"][0] for info in last} == set(map(str, legal))
        assert nodes <= last[0]["nodes"] < nodes + len(legal)
        assert best_of(lines) == last[0]["pv"][0]


def test_threads_add_up(local: LocalEngine) -> None:
    local.ask("setoption name Threads value 4", "setoption name MultiPV value 3")
    lines = local.ask("position startpos seed 8", "go nodes 4000")
    assert infos_of(lines)[-1]["nodes"] >= 4000
    assert best_of(lines) != "(none)"


@pytest.mark.parametrize("option", ["Skill Level value 0", "UCI_Elo value 1700"])
def test_weaker_levels_search_less(local: LocalEngine, option: str) -> None:
    local.ask("setoption name UCI_LimitStrength value true", f"setoption name {option}")
    assert infos_of(local.ask("go nodes 5000"))[-1]["nodes"] == LEVEL_ITERATIONS


def test_cheating_needs_the_whole_truth(local: LocalEngine) -> None:
    local.ask("setoption name Cheat value true", "position startpos seed 1")
    assert best_of(local.ask("go nodes 300")) != "(none)"
    view = State.deal("cirulla", seed=1).view(0)
    lines = local.ask(f"position state {view}", "go nodes 300")
    assert "Cheat" in error_of(lines)
    assert lines[-1] == "bestmove (none)"


def stopped(engine: EngineProcess, line: str) -> list[str]:
    started = time.monotonic()
    engine.send(line)
    lines = engine.until(lambda said: said.startswith(("bestmove", "info string")))
    assert time.monotonic() - started < 5
    return lines


@pytest.mark.parametrize("count", ["perft 30", "bench 1 2000000000"])
def test_a_count_ends_by_stop_and_lets_questions_through(
    engine: EngineProcess, count: str
) -> None:
    engine.send("position startpos rules=cirullone-9 seed 1", count)
    assert engine.ask("d")[-2].startswith("state: ")
    assert "stopped" in stopped(engine, "stop")[-1]
    assert engine.ask() == []


def test_commands_wait_for_a_count_in_order(engine: EngineProcess) -> None:
    engine.send("bench 1 3000", "position startpos rules=scopa seed 3", "go nodes 10", "d",
                "isready", "go nodes 20", "ucinewgame")
    # Ready at once, but what waits is carried out in its order.
    assert engine.until("readyok")[-1] == "readyok"
    lines = engine.until("bestmove")
    assert any(line.startswith("Nodes/second: ") for line in lines)
    lines += engine.until("bestmove")
    last = [line for line in lines if line.startswith(("Nodes/second", "state: ", "bestmove"))]
    assert last[0].startswith("Nodes/second")
    assert sum("rules=scopa" in line for line in last) == 1


def test_a_stop_also_ends_what_waits_for_a_count(engine: EngineProcess) -> None:
    engine.send("position startpos rules=cirullone-9 seed 1", "perft 30", "perft 31",
                "go infinite", "stop")
    assert best_of(engine.until("bestmove")) != "(none)"
    assert engine.ask() == []


def test_a_stop_does_not_wait_for_each_count_before_it(engine: EngineProcess) -> None:
    engine.send(*["perft 20"] * 200, "stop", "isready")
    began = time.monotonic()
    engine.until("readyok")
    # A tenth of a second for each would be twenty.
    assert time.monotonic() - began < 10


def test_isready_is_answered_whatever_else_fails(
    local: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(rules: object) -> None:
        raise ValueError("out of luck")

    monkeypatch.setattr(local.server.engine, "prepare", prepare)
    assert local.ask("isready") == ["info string error: isready: out of luck", "readyok"]


def test_quit_answers_what_waits_for_a_count(start: Callable[..., EngineProcess]) -> None:
    engine = start()
    engine.send("position startpos rules=cirullone-9 seed 1", "perft 30", "go nodes 5",
                "d", "go infinite", "quit")
    assert [line for line in engine.rest() if line.startswith("bestmove")] == [
        "bestmove (none)"] * 2
    assert engine.wait() == 0
