"""The checks find what is wrong, and nothing where nothing is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.engines import REAL, STATE, fake

from cirulla_ai import State
from cirulla_ai.commands.compliance import add_parser, run
from cirulla_ai.compliance import CHECKS, Finding, report_lines, run_compliance
from cirulla_ai.compliance.conversation import MisbehaviourError
from cirulla_ai.compliance.searching import check_answer
from cirulla_ai.history import History

MISBEHAVING = Path(__file__).parents[1] / "support" / "misbehaving.py"
TIMEOUT = 20.0
# Checks that look at the clock: a stall of the machine fails one, but not twice.
TIMED = {"movetime", "infinite", "infinite-forced", "while-searching", "refused-meanwhile", "quit",
         "quit-searching", "end-idle", "end-infinite", "closed-output"}
# For what is found by waiting: enough for an engine to start on a busy machine.
SILENT_SECONDS = 4.0
NAMES = [check.name for check in CHECKS]


def faulty(fault: str) -> list[str]:
    """The command of the engine that has this fault."""
    return [sys.executable, "-S", str(MISBEHAVING), fault]


def outcomes(command: list[str], *only: str, timeout: float = TIMEOUT) -> dict[str, str]:
    return {finding.check: finding.outcome
            for finding in run_compliance(command, timeout=timeout, only=only or None)}


def test_our_own_engine_passes_all() -> None:
    findings = list(run_compliance(REAL, timeout=TIMEOUT))
    for i, finding in enumerate(findings):
        if finding.outcome == "fail" and finding.check in TIMED:
            [findings[i]] = run_compliance(REAL, timeout=TIMEOUT, only=[finding.check])
    assert [finding for finding in findings if finding.outcome != "pass"] == []
    assert [finding.check for finding in findings] == NAMES
    assert len(set(NAMES)) == len(NAMES)


# What each fault breaks.
FAULTS = [
    ("banner", "silence"),
    ("no-author", "handshake"),
    ("chats-at-uci", "handshake"),
    ("bad-default", "options"),
    ("option-twice", "options"),
    ("ready-twice", "isready"),
    ("silent", "unknown-commands"),
    ("stop-answers", "accepted"),
    ("case-matters", "defaults"),
    ("takes-anything", "option-ranges"),
    ("takes-anything", "bad-arguments"),
    ("takes-anything", "legal-unknown"),
    ("forgets", "bad-positions"),
    ("long-lines", "long-lines"),
    ("noise", "noise"),
    ("no-empty-line", "free-text"),
    ("wrong-state", "states"),
    ("loses-moves", "moves"),
    ("random-deals", "startpos"),
    ("wrong-legal", "legal"),
    ("leaky-view", "view"),
    ("wrong-score", "score"),
    ("wrong-perft", "perft"),
    ("illegal", "answers"),
    ("no-info", "smallest-limits"),
    ("takes-its-time", "movetime"),
    ("never-infinite", "infinite"),
    ("never-infinite", "infinite-forced"),
    ("quiet-search", "infinite"),
    ("easily-disturbed", "refused-meanwhile"),
    ("two-answers", "in-order"),
    ("no-searchmoves", "searchmoves"),
    ("too-many-lines", "multipv"),
    ("unseeded", "repeatable"),
    ("peeks", "hidden-cards"),
    ("peeks", "hidden-moves"),
    ("exit-code", "quit"),
    ("lingers", "end-idle"),
    ("leaves-silently", "quit-searching"),
    ("leaves-silently", "end-infinite"),
    ("leaves-silently", "end-limited"),
    ("complains", "closed-output"),
]
# Those that are found by waiting.
SILENT_FAULTS = [
    ("no-crlf", "white-space"),
    ("not-ready", "isready"),
    ("never-stops", "infinite"),
    ("one-at-a-time", "while-searching"),
    ("one-go", "superseded"),
    ("no-answer", "refused-go"),
    ("lingers", "quit"),
]


# Fake engines of the client's tests, and a check that they fail.
FAKES = [
    ("crash-search", "smallest-limits"), ("abort-search", "movetime"),
    ("illegal", "smallest-limits"), ("unreadable", "smallest-limits"), ("none", "in-order"),
    ("empty-bestmove", "movetime"), ("twice", "in-order"), ("garbage", "isready"),
    ("exits-after", "in-order"), ("stays", "quit"),
    ("refuses", "presets"), ("refuses-options", "defaults"), ("odd-options", "options"),
]
SILENT_FAKES = [("stall", "movetime"), ("deaf", "movetime"), ("flood", "movetime")]


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Finding]:
    """What is found of every engine, looked at side by side, since much of it is waiting."""
    engines = [(faulty(fault), check, SILENT_SECONDS) for fault, check in SILENT_FAULTS]
    engines += [(fake(mode), check, SILENT_SECONDS) for mode, check in SILENT_FAKES]
    engines += [(faulty(fault), check, TIMEOUT) for fault, check in FAULTS]
    engines += [(fake(mode), check, TIMEOUT) for mode, check in FAKES]

    def look(engine: tuple[list[str], str, float]) -> Finding:
        command, check, timeout = engine
        [finding] = run_compliance(command, timeout=timeout, only=[check])
        return finding

    with ThreadPoolExecutor(8) as pool:
        return dict(zip(((command[-1], check) for command, check, _ in engines),
                        pool.map(look, engines), strict=True))


@pytest.mark.parametrize(("engine", "check"), [*FAULTS, *SILENT_FAULTS, *FAKES, *SILENT_FAKES])
def test_what_is_wrong_is_found(
    engine: str, check: str, found: dict[tuple[str, str], Finding],
) -> None:
    finding = found[engine, check]
    assert finding.outcome == "fail"
    # The check itself, not a start that was too slow for it.
    assert not finding.expected.startswith("uciok")


def test_a_fault_fails_no_other_check() -> None:
    results = outcomes(faulty("wrong-score"), "isready", "view", "score", "refused-go", "quit")
    assert {name for name, outcome in results.items() if outcome != "pass"} == {"score"}


INFO = "info depth 1 nodes 9 nps 8 time 1 multipv 1 score cp 5 wdl 465 0 535 se 18 pv 7HxAS6C 2S"


def test_a_sound_answer() -> None:
    check_answer([INFO, "bestmove 7HxAS6C"], History.of(STATE))
    check_answer([INFO, "info string 1.5 things", "bestmove 7HxAS6C ponder 2S"], History.of(STATE))


@pytest.mark.parametrize(("info", "best", "message"), [
    (INFO, "bestmove", "bestmove ACTION"),
    (INFO, "bestmove e2e4", "bestmove ACTION"),
    (INFO, "bestmove KSxKD", "bestmove one of"),
    (INFO, "bestmove 4DxASKD", "the first action of the best pv"),
    (INFO, "bestmove 7HxAS6C and so on", "ponder B"),
    (INFO, "bestmove 7HxAS6C ponder 4D", "can be played"),
    ("info depth 1", "bestmove 7HxAS6C", "score cp and pv before"),
    ("info depth 1 pv 7HxAS6C", "bestmove 7HxAS6C", "score cp and pv before"),
    (INFO.replace("multipv 1", "multipv 2"), "bestmove 7HxAS6C", "first action of the best pv"),
    (INFO.replace("pv 7HxAS6C 2S", "pv 7H 2S"), "bestmove 7HxAS6C", "can be played"),
    (INFO.replace("2S", "2S time 5"), "bestmove 7HxAS6C", "to the end of the line"),
    (INFO.replace(" 7HxAS6C 2S", ""), "bestmove 7HxAS6C", "after pv"),
    (INFO.replace("nps 8", "nps 8.5"), "bestmove 7HxAS6C", "whole number after nps"),
    (INFO.replace("cp 5", "cp inf"), "bestmove 7HxAS6C", "whole number after cp"),
    (INFO.replace("465", "999"), "bestmove 7HxAS6C", "per mille"),
    (INFO.replace("465 0 535", "465 535"), "bestmove 7HxAS6C", "per mille"),
])
def test_answers_that_are_not(info: str, best: str, message: str) -> None:
    with pytest.raises(MisbehaviourError, match=message):
        check_answer([info, best], History.of(STATE))


def test_a_pv_stops_where_cards_are_dealt() -> None:
    state = State.parse("rules=scopa dealer=1 turn=1 hands=-/2H viewer=1 table=KS round=1 "
                        "taken=3C4D7HAS5D6CKD2C/- stock=?30")
    info = "info score cp 5 pv 2H"
    check_answer([info, "bestmove 2H"], History.of(state))
    with pytest.raises(MisbehaviourError, match="pv that stops"):
        check_answer([f"{info} 3H", "bestmove 2H"], History.of(state))


def test_every_check_can_fail() -> None:
    broken = {fault[1] for fault in (*FAULTS, *SILENT_FAULTS)}
    # An engine that plays other presets than cirulla passes over that one.
    assert set(NAMES) - broken == {"presets"}


@pytest.mark.parametrize(("command", "expected"), [
    (["/no/such/engine"], "fail skip skip skip"), (fake("mute"), "fail fail skip skip"),
    (fake("crash-start"), "fail fail skip skip"), (faulty("no-uciok"), "fail fail skip skip"),
    (fake("hangs"), "pass fail fail fail"),
], ids=lambda value: value[-1])
def test_an_engine_that_does_not_start_is_not_asked_more(
    command: list[str], expected: str,
) -> None:
    results = outcomes(command, "handshake", "isready", "presets", "end-idle", timeout=0.7)
    assert " ".join(results.values()) == expected


def test_options_that_an_engine_lacks_are_passed_over() -> None:
    [finding] = run_compliance(fake("good"), timeout=TIMEOUT, only=["repeatable"])
    assert (finding.outcome, finding.seen) == ("skip", "it has no option Seed")


def test_a_failure_says_what_was_sent_expected_and_seen() -> None:
    [finding] = run_compliance(faulty("wrong-legal"), timeout=TIMEOUT, only=["legal"])
    assert finding.sent[-2:] == ("legal", "isready")
    assert finding.sent[-4].startswith("position state ")
    assert finding.expected.startswith("legal ")
    assert finding.expected.startswith(finding.seen)


def test_a_name_that_no_check_has() -> None:
    with pytest.raises(ValueError, match="no check 'nonsense'; there are silence, "):
        run_compliance(REAL, only=["nonsense"])


def test_stopping_early_leaves_no_engine() -> None:
    findings = run_compliance(fake("good"), timeout=TIMEOUT)
    next(findings)
    assert isinstance(findings, Generator)
    findings.close()


def test_the_report() -> None:
    findings = [
        Finding("quit", "it quits", "pass", 0.1),
        Finding("legal", "legal lists", "fail", 0.2, ("position x", "legal"), "legal A\nlegal B",
                "\x1b[2J" + "y" * 400),
        Finding("multipv", "lines", "skip", 0, seen="it has no option MultiPV"),
    ]
    text = "\n".join(report_lines(findings))
    assert "fail  legal" in text and "sent      position x" in text
    assert "expected  legal A\n                legal B" in text
    assert "\x1b" not in text and "y" * 301 not in text
    assert "skip  multipv            lines (it has no option MultiPV)" in text
    assert text.endswith("1 passed, 1 failed, 1 skipped")
    assert "\x1b[31mfail\x1b[0m" in "\n".join(report_lines(findings, colour=True))


def command_line(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="cirulla")
    add_parser(parser.add_subparsers())
    try:
        args = parser.parse_args(["compliance", *words])
    except SystemExit as left:
        return int(left.code or 0)
    return run(args)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line("--only", "isready", "--only", "quit", "--", *REAL) == 0
    assert "2 passed, 0 failed, 0 skipped" in capsys.readouterr().out
    assert command_line("--only", "isready", "--timeout", "1", *fake("hangs")) == 1
    assert "fail  isready" in capsys.readouterr().out
    assert command_line("--list") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(CHECKS)


@pytest.mark.parametrize(("fault", "check"), [
    ("takes-its-time", "movetime"), ("leaves-late", "quit"),
])
def test_slack_forgives_what_comes_late(fault: str, check: str) -> None:
    words = ["--only", check, "--", *faulty(fault)]
    assert command_line(*words) == 1
    assert command_line("--slack", "15", *words) == 0


@pytest.mark.parametrize(("words", "message"), [
    ([], "it takes the command"), (["--timeout", "0", "x"], "more than 0"),
    (["--slack", "-1", "x"], "0 … 86400"),
    (["--only", "nonsense", sys.executable], "no check 'nonsense'"),
    (["/no/such/engine"], "no such program"),
])
def test_wrong_uses_of_the_command(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str],
) -> None:
    assert command_line(*words) == 2
    assert message in capsys.readouterr().err


def test_a_program_that_can_not_be_run_is_told_from_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "engine.py"
    script.write_text("print()")
    script.chmod(0o644)
    assert command_line(str(script)) == 2
    assert "chmod +x" in capsys.readouterr().err


def test_own_options_behind_the_command_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line("--only", "isready", *REAL, "--slack", "3") == 1
    assert "note: --slack stands after the engine's command" in capsys.readouterr().err
