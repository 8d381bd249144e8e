"""``cirulla match`` as a user runs it: results, kills and resumption, faults, exit codes."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest
from support.command_line import cirulla

from cirulla_ai import Limit, Rules, State
from cirulla_ai.commands import main
from cirulla_ai.history import History
from cirulla_ai.players import make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.records import Comment, read_records
from cirulla_ai.tournament import tournament
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.play import Conditions
from cirulla_ai.tournament.plots import check_plot, reach
from cirulla_ai.tournament.process import ProcessPlayer
from cirulla_ai.tournament.referee import Clock, FaultError, play_smazzata
from cirulla_ai.tournament.runner import run
from cirulla_ai.tournament.schedule import Schedule
from cirulla_ai.tournament.store import Store
from cirulla_ai.workers import pool
from cirulla_ai.workers.pool import InterruptedByUserError

FAKE = Path(__file__).parents[1] / "support" / "fake_engine.py"
OURS = f"cmd={shlex.join([sys.executable, '-m', 'cirulla_ai'])}"
RANDOM_V_GREEDY = ["--engine", "name=A,player=random", "--engine", "name=B,player=greedy"]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "cirulla_ai", "match", *words]


def match_process(
    folder: Path, *words: str, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=folder, capture_output=True, encoding="utf-8",
                          timeout=timeout, check=False)


def match(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return cirulla(folder, "match", *words)


def result(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    value = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(value, dict)
    return value


def standing(done: subprocess.CompletedProcess[str]) -> str:
    """All that is said of the result."""
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("results in"))


def fake(mode: str, name: str = "X") -> list[str]:
    return ["--engine", f"name={name},cmd={shlex.join([sys.executable, '-S', str(FAKE), mode])}"]


def test_help_explains_every_flag(tmp_path: Path) -> None:
    text = match(tmp_path, "--help").stdout
    for word in ("--engine", "--deals", "--movetime", "--concurrency", "--sprt", "examples:"):
        assert word in text


def test_a_match_says_who_is_better(tmp_path: Path) -> None:
    done = match_process(tmp_path, *RANDOM_V_GREEDY, "--deals", "60", "--json")
    assert done.returncode == 0, done.stderr
    value = result(done)
    assert value["sets"] == 60
    # About -8 points, and the error of 60 pairs is about 0.8.
    assert value["summary"]["mean"] < -4
    assert value["summary"]["low"] < value["summary"]["mean"] < value["summary"]["high"]
    assert [r["name"] for r in value["ratings"]] == ["B", "A"]


def test_the_same_whatever_the_concurrency(tmp_path: Path) -> None:
    one = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "30", "--json", "--out", "one")
    two = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "30", "--json", "--out", "two",
                "--concurrency", "2")
    assert standing(one) == standing(two)


def kill_and_resume(folder: Path, deals: int, seconds: float) -> None:
    words = [*RANDOM_V_GREEDY, "--deals", str(deals), "--json", "--concurrency", "2"]
    whole = match(folder, *words, "--out", "whole")
    moments = random.Random(deals)
    for _ in range(5):
        with subprocess.Popen(command(*words, "--out", "torn"), cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            time.sleep(moments.uniform(0.3, seconds))
            os.killpg(process.pid, signal.SIGKILL)
    resumed = match(folder, *words, "--out", "torn")
    assert standing(resumed) == standing(whole)
    lines = (folder / "torn").read_text().splitlines()
    assert sorted(lines[1:]) == sorted((folder / "whole").read_text().splitlines()[1:])


def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 100, 3)


@pytest.mark.long
def test_two_thousand_deals_killed_five_times(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 2000, 8)
    # Against an independent longer run.
    words = [*RANDOM_V_GREEDY, "--json", "--concurrency", "2"]
    short = result(match(tmp_path, *words, "--deals", "2000", "--out", "torn"))
    longer = result(match(tmp_path, *words, "--deals", "6000", "--seed", "77"))
    error = (short["summary"]["error"] ** 2 + longer["summary"]["error"] ** 2) ** 0.5
    assert abs(short["summary"]["mean"] - longer["summary"]["mean"]) < 3 * error
    assert short["summary"]["low"] < longer["summary"]["mean"] < short["summary"]["high"]


def test_more_deals_go_on_from_fewer(tmp_path: Path) -> None:
    match(tmp_path, *RANDOM_V_GREEDY, "--deals", "10")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "20", "--json")
    assert result(done)["sets"] == 20
    assert len(list(tmp_path.glob("match-*.jsonl"))) == 1


def test_interrupted_once_it_stores_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = [*RANDOM_V_GREEDY, "--deals", "100000", "--out", "r"]
    with subprocess.Popen(command(*words), cwd=tmp_path, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8") as process:
        while not (tmp_path / "r").exists() or len((tmp_path / "r").read_text().splitlines()) < 4:
            time.sleep(0.1)
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "goes on" in out
    before = len((tmp_path / "r").read_text().splitlines())
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", str(before), "--out", "r", "--json")
    assert result(done)["sets"] == before


def test_sprt_stops_early(tmp_path: Path) -> None:
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "5000", "--sprt", "points0=-1,points1=0",
                 "--json")
    value = result(done)
    assert value["sprt"]["state"] == "H0"
    assert value["sets"] < 500


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("crash_search", "crash"), ("stall", "time"), ("illegal", "illegal"),
     ("unreadable", "illegal"), ("none", "illegal"), ("refuses", "refused")])
def test_a_fault_is_counted_and_named_and_the_others_go_on(
    tmp_path: Path, mode: str, kind: str
) -> None:
    done = match(
        tmp_path, *fake(mode), "--engine", "name=B,player=random", "--engine",
        "name=C,player=random", "--deals", "1", "--movetime", "20", "--margin", "300", "--json")
    assert done.returncode == 1, done.stderr
    value = result(done)
    assert {(f["engine"], f["kind"]) for f in value["faults"]} == {("X", kind)}
    # Every set was played: three pairings.
    assert value["sets"] == 3
    assert value["ratings"][-1]["name"] == "X"


def player_of(command: str, clock: Clock) -> ProcessPlayer:
    """An engine process, by a shell's command, that plays with this clock."""
    return ProcessPlayer(Contender("X", cmd=("sh", "-c", command), clock=clock))


@pytest.mark.parametrize("clock", [Clock(movetime=700, margin=500), Clock(time=9000, margin=100),
                                   Clock(nodes=200, margin=1)])
def test_an_answer_may_take_its_limit_and_the_margin(clock: Clock) -> None:
    player = player_of(f"exec {shlex.quote(sys.executable)} -m cirulla_ai", clock)
    state = State.deal("cirulla", dealer=1, seed=7)
    player.prepare()
    player.prepare()
    limit = clock.limit(clock.time)
    assert player.choose(Turn(History(state), limit)) in state.legal_actions()
    player.close()


def test_the_start_of_a_process_is_not_on_its_clock(tmp_path: Path) -> None:
    script = tmp_path / "slow.sh"
    script.write_text(f"sleep 2\nexec {shlex.quote(sys.executable)} -m cirulla_ai\n",
                      encoding="utf-8")
    done = match(tmp_path, "--engine", f"name=A,cmd=sh {shlex.quote(str(script))}", "--engine",
                 "name=B,player=random", "--deals", "1", "--movetime", "5", "--margin", "1500",
                 "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert result(done)["faults"] == []


def test_an_engine_gets_ready_once_a_round(tmp_path: Path) -> None:
    log = tmp_path / "log"
    contender = Contender(
        "X", cmd=(sys.executable, "-m", "cirulla_ai"), clock=Clock(nodes=20),
        options=(("Debug Log File", str(log)),))
    player = ProcessPlayer(contender)
    start = State.deal("cirulla", dealer=1, seed=7)
    game = play_smazzata(start, [player, make_player("random", 1)], [Clock(nodes=20)] * 2)
    player.close()
    assert game.forfeit is None
    told = [line.split()[1] for line in log.read_text().splitlines() if line.startswith("> ")]
    # A play is a position, a ping and a search; before the first of a round there is another
    # position with its ping.
    assert told[told.index("position"):][:5] == ["position", "isready"] * 2 + ["go"]
    assert told.count("position") == told.count("go") + len(start.rules.rounds)


@pytest.mark.parametrize("most", ["1", "2147483647"])
def test_seeds_are_within_the_range_of_the_engine(most: str) -> None:
    engine = f"{shlex.quote(sys.executable)} -m cirulla_ai | sed -u s/9223372036854775807/{most}/"
    player = player_of(engine, Clock(movetime=5, margin=20000))
    player.begin(12345)
    player.prepare()
    state = State.deal("cirulla", dealer=1, seed=7)
    assert player.choose(Turn(History(state), Limit(nodes=50))) in state.legal_actions()
    player.close()


@pytest.mark.parametrize("mode", ["own-seeds", "no-seeds", "odd-seed"])
def test_what_is_ours_to_set_is_what_the_engine_takes(mode: str) -> None:
    state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    player = ProcessPlayer(Contender(
        "X", cmd=(sys.executable, "-S", str(FAKE), mode), clock=Clock(nodes=1, margin=9000)))
    for seed in range(3):
        player.begin(seed)
        player.prepare()
        assert str(player.choose(Turn(History(state), Limit(nodes=1)))) == "!3C4D7H=1"
    player.close()


def test_a_value_goes_to_the_engine_as_it_was_given(tmp_path: Path) -> None:
    log = tmp_path / "perché  due, tre.log"
    done = match(tmp_path, "--engine", f"name=A,{OURS},option.Debug Log File='{log}'",
                 "--engine", "name=B,player=random", "--deals", "1", "--nodes", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "> go nodes 5" in log.read_text(encoding="utf-8").splitlines()


def test_an_option_that_is_gone_at_a_later_start_is_a_fault() -> None:
    contender = Contender("X", cmd=(sys.executable, "-m", "cirulla_ai"), options=(("Hush", "1"),))
    player = ProcessPlayer(contender)
    with pytest.raises(FaultError, match="Hush") as info:
        player.prepare()
    assert info.value.kind == "options"


def test_nobody_is_paid_for_a_fault_of_its_own_in_another_seat(tmp_path: Path) -> None:
    for words in ([], ["--matches"]):
        done = match(tmp_path, *fake("crash_search"), "--engine", "name=B,player=random",
                     "--rules", "cirulla players=3", "--deals", "1", "--movetime", "20", "--json",
                     "--out", f"r{len(words)}", "--records", f"records{len(words)}", *words)
        assert done.returncode == 1, done.stderr
        [line] = map(json.loads, (tmp_path / f"r{len(words)}").read_text().splitlines()[1:])
        for game in line["games"]:
            assert game["points"] == [10.0 * who for who in game["seats"]]
            if words:
                share = 1 / sum(game["seats"])
                assert game["won"] == [share * who for who in game["seats"]]
        records = list(read_records(tmp_path / f"records{len(words)}"))
        assert sorted(record.result.points for record in records) == sorted(
            tuple(10 * who for who in game["seats"]) for game in line["games"])


@pytest.mark.parametrize(
    ("words", "says"),
    [(["--engine", "name=A,cmd=/no/such/engine"], "/no/such/engine"),
     (["--engine", "player=greedy"], "two or more"),
     ([*RANDOM_V_GREEDY, "--rules", "bridge"], "bridge"),
     ([*RANDOM_V_GREEDY, "--sprt", "points0=1"], "points1"),
     ([*RANDOM_V_GREEDY, "--deals", "nothing.txt"], "nothing.txt"),
     ([*RANDOM_V_GREEDY, "--deals", "0"], "0 deals"),
     ([*RANDOM_V_GREEDY, "--concurrency", "0"], "concurrency"),
     ([*RANDOM_V_GREEDY, "--forfeit-points", "-5"],
      "--forfeit-points: '-5' is not a whole number in 0 …"),
     (["--engine", "player=random", "--engine", "player=random"], "name=")])
def test_wrong_use_is_said_before_the_first_deal(
    tmp_path: Path, words: list[str], says: str
) -> None:
    if len(words) == 2 and "cmd" in words[1]:
        words = [*words, "--engine", "player=greedy"]
    done = match(tmp_path, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_misspelt_engine_option_is_an_error_before_the_first_deal(tmp_path: Path) -> None:
    engine = f"name=A,{OURS},option.Hahs=16"
    done = match_process(tmp_path, "--engine", engine, "--engine", "player=greedy")
    assert done.returncode == 2
    assert "Hahs" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_real_engine_process_plays(tmp_path: Path) -> None:
    engine = f"name=A,{OURS},option.Hash=4"
    done = match(tmp_path, "--engine", engine, "--engine", "name=B,player=random", "--deals", "2",
                 "--nodes", "50", "--json", "--records", "games.txt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert result(done)["sets"] == 2
    text = (tmp_path / "games.txt").read_text(encoding="utf-8")
    assert text.count("[Rules ") == 4
    # Value, time and nodes of the engine's choices.
    assert re.search(r"\{[+-][0-9.]+/[0-9.]+s/50n\}", text)


@pytest.mark.parametrize("rules", ["scopone", "cirulla players=3", "cirulla-coppie"])
def test_pairs_and_three_seats(tmp_path: Path, rules: str) -> None:
    done = match(tmp_path, *RANDOM_V_GREEDY, "--rules", rules, "--deals", "8", "--json")
    assert done.returncode == 0, done.stderr
    assert result(done)["summary"]["mean"] < 1


def test_whole_matches(tmp_path: Path) -> None:
    done = match(tmp_path, *RANDOM_V_GREEDY, "--matches", "--rules", "cirulla target=21",
                 "--deals", "6", "--json")
    assert done.returncode == 0, done.stderr
    assert result(done)["matches"]["score"] < 0.5


def test_deals_from_a_file(tmp_path: Path) -> None:
    pack = ("2H2DKC7SJC2C5C5S5H5D4DJSAH6DKH3S4H6C7HQS4S3D3HKDADKSAC2S7D6S6HQDQCJHASQH4C3CJD7C")
    (tmp_path / "packs").write_text(f"# one deal\n{pack}\n\n")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "packs", "--json", "--records", "r.txt")
    assert result(done)["sets"] == 1
    # Seat 0 is dealt the first card, seat 1, the dealer, the second.
    assert '[Pack "2H2D' in (tmp_path / "r.txt").read_text()
    for name, data in (("mark", b"\xef\xbb\xbf" + pack.encode() + b"\r\n"),
                       ("marks", 2 * (b"\xef\xbb\xbf" + pack.encode() + b"\r")),
                       ("remark", f"# perché\n{pack}".encode())):
        (tmp_path / name).write_bytes(data)
        done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", name, "--json")
        assert result(done)["sets"] == (2 if name == "marks" else 1), done.stderr
    (tmp_path / "wide").write_text(pack, encoding="utf-16")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "wide")
    assert done.returncode == 2
    assert "--deals wide: it is UTF-16 or UTF-32; save it as UTF-8" in done.stderr
    (tmp_path / "bad").write_text(pack[:-2] + "\n")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "bad")
    assert done.returncode == 2
    assert "bad, line 1" in done.stderr


def test_a_plot_shows_all_means_and_the_later_intervals() -> None:
    means = [9.0 - n / 100 for n in range(100)]
    widths = [40.0 / (n + 1) for n in range(100)]
    low = [mean - width for mean, width in zip(means, widths, strict=True)]
    high = [mean + width for mean, width in zip(means, widths, strict=True)]
    bottom, top = reach(means, low, high)
    assert bottom < 0 and top > max(means)
    assert top > max(high[10:]) and bottom < min(low[10:])
    # The first interval goes up to 49.
    assert top < 20
    below = reach([-mean for mean in means], [-h for h in high], [-lo for lo in low])
    assert below == pytest.approx((-top, -bottom))


@pytest.mark.parametrize(("words", "says"), [
    (["--records", "no/r.txt"], "no/r.txt: there is no folder no"),
    (["--out", "no/r.jsonl"], "no/r.jsonl: there is no folder no"),
    (["--plot", "no/p.png"], "no/p.png: there is no folder no"),
    (["--plot", "p.jpg"], "p.jpg: a plot is saved as .png or .svg"),
    (["--records", "."], "is a folder"),
    (["--out", "r", "--records", "./r"], "r is given for two things"),
    (["--plot", "p.png", "--plot", "p.png"], "p.png is given for two things"),
])
def test_files_that_can_not_be_written_are_found_before_the_first_deal(
    tmp_path: Path, words: list[str], says: str
) -> None:
    if "p.png" in " ".join(words):
        pytest.importorskip("matplotlib")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "100000", *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_plot_without_its_extra_is_found_before_the_first_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cirulla_ai.tournament.plots.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"-m pip install .*matplotlib"):
        check_plot(Path("p.png"))


def test_what_an_earlier_run_has_left_is_said(tmp_path: Path) -> None:
    first = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "4", "--out", "r")
    again = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "4", "--out", "r")
    assert "already" not in first.stderr
    assert "4 deal sets are in r already" in again.stderr
    assert first.stdout == again.stdout


def test_a_worker_that_dies_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dies(*args: object, **more: object) -> None:
        raise BrokenExecutor("it was killed")

    monkeypatch.setattr(tournament, "run", dies)
    monkeypatch.chdir(tmp_path)
    assert main(["match", *RANDOM_V_GREEDY, "--deals", "2"]) == 1
    assert "a worker has died: it was killed" in capsys.readouterr().err


def test_what_has_not_begun_is_taken_back_at_an_interrupt(tmp_path: Path) -> None:
    class Pool(Executor):
        """Begins nothing, and is interrupted at the first wait."""

        def __init__(self) -> None:
            self.given: list[Future[dict[str, Any]]] = []

        def submit(self, *args: Any, **more: Any) -> Future[Any]:
            self.given.append(Future())
            if len(self.given) == 3:
                raise KeyboardInterrupt
            return self.given[-1]

    heard: list[int] = []
    pool = Pool()
    rules = Rules("cirulla")
    with Store(tmp_path / "r", {}) as store, pytest.raises(InterruptedByUserError):
        run(Schedule(rules, 2, 9, 1, "round-robin"), [], Conditions(str(rules)), store, pool,
            in_flight=4, on_result=lambda line: False, on_interrupt=heard.append)
    assert heard == [0]
    assert [future.cancelled() for future in pool.given] == [True, True, False]


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(pool, "SCHEDULER_SECONDS", 0.5)
    done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "4", "--scheduler", "localhost:9")
    assert done.returncode == 2
    assert "--scheduler localhost:9: no Dask scheduler answers there" in done.stderr
    assert "Traceback" not in done.stderr


HARDLY = "scopa capture_equal=no capture_sum=no bonus_30=1"


def test_matches_in_which_nobody_can_score_are_refused(tmp_path: Path) -> None:
    rules = HARDLY.replace("bonus_30=1", "points_cards=5")
    done = match(tmp_path, *RANDOM_V_GREEDY, "--matches", "--rules", rules)
    assert done.returncode == 2
    assert "nobody can ever make a point, and no match ends" in done.stderr
    assert list(tmp_path.iterdir()) == []
    # Single smazzate end.
    assert match(tmp_path, *RANDOM_V_GREEDY, "--rules", rules, "--deals", "2").returncode == 0


def test_matches_end_where_hardly_a_point_can_be_made(tmp_path: Path) -> None:
    words = [*RANDOM_V_GREEDY, "--matches", "--rules", f"{HARDLY} target=1000", "--deals", "2",
             "--json", "--out", "r"]
    done = match(tmp_path, *words, "--smazzate", "30")
    assert done.returncode == 0, done.stderr
    assert "cut    4 matches had no winner after the most smazzate" in done.stdout
    assert result(done)["cut"] == 4
    lines = list(map(json.loads, (tmp_path / "r").read_text().splitlines()))
    assert lines[0]["smazzate"] == 30
    for line in lines[1:]:
        for game in line["games"]:
            assert game["smazzate"] == 30 and game["cut"] is True
            lead = game["points"][0] - game["points"][1]
            assert game["won"] == ([0.5, 0.5] if lead == 0 else [1, 0] if lead > 0 else [0, 1])
    # It decides the results.
    other = match(tmp_path, *words, "--smazzate", "31")
    assert other.returncode == 2
    assert "different are: smazzate" in other.stderr


@pytest.mark.parametrize("most", ["0", "-3", "10000000"])
def test_a_match_has_a_sensible_number_of_smazzate(tmp_path: Path, most: str) -> None:
    done = match(tmp_path, *RANDOM_V_GREEDY, "--matches", "--smazzate", most)
    assert done.returncode == 2
    assert "argument --smazzate: " in done.stderr
    assert f"{most}" in done.stderr
    assert "in 1 … 1000000" in done.stderr


def test_an_engine_that_is_out_of_its_mind_spoils_no_file(tmp_path: Path) -> None:
    mad = ("score cp 10000000000000000 wdl 5000 0 -4000 se -1 nodes 9223372036854775807 "
           "time -5 nps 99999999999999999999 multipv 1")
    script = tmp_path / "mad.sh"
    script.write_text(f"{shlex.quote(sys.executable)} -m cirulla_ai | "
                      f"sed -u 's/^info depth .* pv/info depth -1 {mad} pv/'\n")
    words = ["--engine", f"name=A,cmd={shlex.join(['sh', str(script)])}",
             "--engine", "name=B,player=random", "--deals", "1", "--nodes", "20", "--json",
             "--records", "games", "--out", "r"]
    for _ in range(2):
        done = match(tmp_path, *words)
        assert done.returncode == 0, done.stderr
        assert result(done)["sets"] == 1
        assert len(list(read_records(tmp_path / "games"))) == 2


def test_mad_numbers_that_were_stored_before_are_left_out(tmp_path: Path) -> None:
    words = [*RANDOM_V_GREEDY, "--deals", "1", "--json", "--records", "games", "--out", "r"]
    first = match(tmp_path, *words)
    header, line = (tmp_path / "r").read_text().splitlines()
    stored = json.loads(line)
    said = stored["games"][0]["played"][0]["said"]
    said[0] = [10**16, 12, 10**18]
    said[1] = [-(10**14) - 1, -5, -1]
    said[2] = [1.5, 10**15, 7]
    said[3] = [float("nan"), "x", [1]]
    (tmp_path / "r").write_text(f"{header}\n{json.dumps(stored)}\n")
    # What is logged goes to a process's own standard error.
    again = match_process(tmp_path, *words)
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout
    assert again.stderr.splitlines()[-1] == (
        "left out of games, whose records can't hold them: 4 centipoints, 3 milliseconds, 3 nodes")
    record = next(iter(read_records(tmp_path / "games")))
    comments = [(c.centipoints, c.milliseconds, c.nodes)
                for c in (ply.comment or Comment() for ply in record.plies[:4])]
    assert comments == [(None, 12, None), (None, None, None), (None, None, 7),
                        (None, None, None)]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plots(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    two = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "12", "--plot", f"two.{suffix}")
    assert two.returncode == 0, two.stderr
    three = match(tmp_path, *RANDOM_V_GREEDY, "--engine", "name=C,player=careful", "--deals", "4",
                  "--plot", f"three.{suffix}")
    assert three.returncode == 0, three.stderr
    head = b"\x89PNG" if suffix == "png" else b"<?xml"
    for name in ("two", "three"):
        assert (tmp_path / f"{name}.{suffix}").read_bytes().startswith(head)


def test_a_dask_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        done = match(tmp_path, *RANDOM_V_GREEDY, "--deals", "6", "--scheduler",
                     cluster.scheduler_address, "--json")
    assert done.returncode == 0, done.stderr
    assert result(done)["sets"] == 6


def test_engines_of_a_cluster_s_worker_leave(tmp_path: Path) -> None:
    """The worker stays when the tournament is over."""
    distributed = pytest.importorskip("distributed")
    engine = f"name=A,cmd={shlex.join([sys.executable, '-S', str(FAKE), 'good'])}"
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=True,
                                  dashboard_address=None) as cluster:
        before = fakes()
        done = match(tmp_path, "--engine", engine, "--engine", "player=random", "--deals", "2",
                     "--movetime", "20", "--concurrency", "2", "--scheduler",
                     cluster.scheduler_address)
        # It plays what is not legal.
        assert done.returncode == 1, done.stderr
        deadline = time.monotonic() + 5
        while fakes() - before:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def fakes() -> set[int]:
    """The fake engines that run."""
    found = set()
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(FAKE) in line.read_text():
                found.add(int(line.parent.name))
        except OSError:
            continue
    return found
