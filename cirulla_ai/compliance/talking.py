"""Checks of the conversation itself: the handshake, options, bad input."""

from __future__ import annotations

import re

from cirulla_ai.client.announced import KINDS, parse_option
from cirulla_ai.compliance.conversation import MisbehaviourError, NotApplicableError, is_error
from cirulla_ai.compliance.lab import Check, Lab, state_in
from cirulla_ai.engine.options import EngineOption

__all__ = ["CHECKS"]

SILENT_SECONDS = 0.3
MOMENT_SECONDS = 0.1
STATE = ("rules=cirulla dealer=1 turn=0 round=1 hands=3C4D7H/?3 shown=-/- claimed=0/0 declared=- "
         "table=AS5D6CKD taken=-/- scopa=0/0 last=- stock=?30 scores=12/7 misdeals=0 won=- "
         "viewer=0 phase=play")


async def silence(lab: Lab) -> None:
    talk = await lab.fresh()
    lines = await talk.during(SILENT_SECONDS)
    # A banner of a slow starter comes later, before the answer to uci.
    lines += (await talk.shake_hands())[:1]
    if lines[0].split()[:1] not in (["id"], ["option"], ["uciok"], ["info"]):
        raise MisbehaviourError("nothing before uci, then its answer", lines)


async def handshake(lab: Lab) -> None:
    lines = await (await lab.fresh()).shake_hands()
    for line in lines:
        if not re.match(r"id (name|author) \S|option name \S|uciok|info string", line.strip()):
            raise MisbehaviourError("id, option and uciok lines", line)
    for start in ("id name ", "id author "):
        if sum(line.startswith(start) for line in lines) != 1:
            raise MisbehaviourError(f"one line {start}…", lines)


async def options(lab: Lab) -> None:
    lines = await (await lab.engine()).shake_hands()
    seen: set[str] = set()
    for line in lines:
        if line.split()[:1] != ["option"]:
            continue
        try:
            option = parse_option(line)
        except ValueError as error:
            raise MisbehaviourError("option name NAME type TYPE …", str(error)) from None
        if option.name.lower() in seen:
            raise MisbehaviourError(f"option {option.name} once", line)
        seen.add(option.name.lower())
        if not is_sound(line, option):
            raise MisbehaviourError(
                f"a type of {', '.join(KINDS)}, its bounds or choices, a default among them", line)


def is_sound(line: str, option: EngineOption) -> bool:
    """Whether an option line says what its type needs."""
    numbers = [re.search(rf" {key} (-?\d+)\b", line) for key in ("min", "default", "max")]
    if f" type {option.kind}" not in line:
        return False
    if option.kind == "spin":
        low, default, high = (int(n[1]) if n else None for n in numbers)
        return low is not None and default is not None and high is not None \
            and low <= default <= high
    if option.kind == "check":
        return bool(re.search(r" default (true|false)\b", line))
    return option.kind != "combo" or option.default in option.choices


async def isready(lab: Lab) -> None:
    talk = await lab.engine()
    for _ in range(3):
        answer = await talk.ask()
        if answer.all():
            raise MisbehaviourError("readyok alone", answer.all())
    more = await talk.during(MOMENT_SECONDS)
    if more:
        raise MisbehaviourError("one readyok for each isready", more)


async def white_space(lab: Lab) -> None:
    talk = await lab.engine()
    talk.send_bytes(b"\n\r\n \t\nposition \t state  " + STATE.encode() + b"\tmoves\r\n")
    talk.send_bytes(b"d\r\n\t isready \r\n")
    lines = await talk.until(lambda line: line.strip() == "readyok", "readyok")
    if state_in(lines) != STATE:
        raise MisbehaviourError(f"state: {STATE}", lines)


async def unknown(lab: Lab) -> None:
    talk = await lab.engine()
    for line in ("xyzzy", "Xyzzy of the cave 1 2 3"):
        talk.send(line, "isready")
        lines = await talk.until(lambda line: line.strip() == "readyok", "readyok")
        if not any(re.match(r"info string unknown command: \S", said) for said in lines):
            raise MisbehaviourError("info string unknown command: …", lines[:-1])
    talk.send("xyzzy isready")
    await talk.until(lambda line: line.strip() == "readyok", "the unknown word skipped, readyok")


async def accepted(lab: Lab) -> None:
    talk = await lab.engine()
    answer = await talk.ask("debug on", "debug off", "register later", "ponderhit", "stop",
                            "stop", "ucinewgame", "stop")
    if answer.all():
        raise MisbehaviourError("nothing but readyok", answer.all())


async def defaults(lab: Lab) -> None:
    options = await lab.options()
    talk = await lab.engine()
    for name, option in options.items():
        if option.kind in ("spin", "check", "combo"):
            text = str(option.default)
            value = text.lower() if option.kind == "check" else _other_case(text.upper(), text)
            answer = await talk.ask(
                f"setoption name {_other_case(name.swapcase(), name)} value {value}")
            if answer.all():
                raise MisbehaviourError(f"{name} set to its default, in other letter case",
                                        answer.all())


def _other_case(other: str, text: str) -> str:
    """A text in ``other`` letter case, where that is beyond doubt."""
    return other if text.isascii() else text


async def ranges(lab: Lab) -> None:
    talk = await lab.engine()
    wrong = ["setoption", "setoption name", "setoption name No Such Option value 1"]
    for name, option in (await lab.options()).items():
        if option.kind == "spin":
            wrong += [f"setoption name {name} value {value}"
                      for value in (option.low - 1, option.high + 1, "many", "")]
            wrong.append(f"setoption name {name}")
        elif option.kind in ("check", "combo"):
            wrong.append(f"setoption name {name} value no-such-value")
    for line in wrong:
        await refused(lab, line)
    await talk.ask()


async def refused(lab: Lab, line: str) -> None:
    """Raise MisbehaviourError where the engine does not say an error in answer to ``line``."""
    answer = await (await lab.engine()).ask(line)
    if not answer.errors or answer.lines:
        raise MisbehaviourError(f"info string error: … in answer to {line[:200]}", answer.all())


async def bad_arguments(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    for line in ("view", "view 2", "view x", "view 1", "perft", "perft 0", "perft x", "perft 37",
                 "rules no-such-preset"):
        await refused(lab, line)


async def bad_positions(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    for line in (
        "position", "position nowhere", "position state", "position fen 8/8/8",
        f"position state {STATE.replace('3C4D7H', '3C4DAS')}",
        f"position state {STATE.replace('3C4D7H', '3C4D')}",
        f"position state {STATE.replace('3C4D7H', '3C4DXX')}",
        f"position state {STATE.replace('dealer=1', 'dealer=2')}",
        f"position state {STATE.replace('rules=cirulla', 'rules=no-such-preset')}",
        f"position state {STATE.replace('?30', '?29')}",
        f"position state {STATE.replace('/?3', '/2H?2')}",
        f"position state {STATE.replace('viewer=0', 'viewer=-')}",
        f"position state {STATE} colour=red",
        f"position state {STATE} dealer=1",
        f"position state {STATE} moves 3C4D",
        f"position state {STATE} moves KS",
        f"position state {STATE} moves 3CxAS5D6C @2H2D2C",
        "position startpos seed x", "position startpos seed 18446744073709551616",
        "position startpos pack=2H2D", "position startpos rules=cirulla turn=1",
    ):
        await refused(lab, line)
        kept = state_in((await talk.ask("d")).lines)
        if kept != STATE:
            raise MisbehaviourError(f"the old position kept after {line[:300]}", kept)


async def long_lines(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    await talk.ask(f"position state {STATE} moves{' 7H' * 100_000}")
    await talk.ask("x" * 1_000_000)
    kept = state_in((await talk.ask("d")).lines)
    if kept != STATE:
        raise MisbehaviourError("the old position kept", kept)


async def noise(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    talk.send_bytes(bytes(range(256)) * 4 + b"\n\xc3\xa9 \xff\xfe\n\0\0\n" + b"\x80go\n")
    kept = state_in((await talk.ask("d")).lines)
    if kept != STATE:
        raise MisbehaviourError("the old position kept", kept)


async def free_text(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    for line in ("d", "eval", "rules", "rules cirulla", "help"):
        answer = await talk.ask(line)
        if len(answer.lines) < 2 or answer.lines[-1].strip() or any(map(is_error, answer.lines)):
            raise MisbehaviourError(f"some text ended by an empty line, in answer to {line}",
                                    answer.all())


async def presets(lab: Lab) -> None:
    played = await lab.presets()
    if not played:
        raise MisbehaviourError("a position of some preset accepted", "an error for each")
    if "cirulla" not in played:
        raise NotApplicableError(f"it plays {', '.join(played)}")


CHECKS = (
    Check("silence", "nothing is said before uci", silence),
    Check("handshake", "uci is answered by id name, id author, options and uciok", handshake),
    Check("options", "each option has a name, a type, bounds or choices, a default", options),
    Check("isready", "isready is answered by readyok", isready),
    Check("white-space", "CRLF, tabs, blanks and empty lines are read", white_space),
    Check("unknown-commands", "unknown words are skipped, unknown commands named", unknown),
    Check("accepted", "debug, register, ponderhit, stop and ucinewgame when idle say nothing",
          accepted),
    Check("defaults", "options are found in either letter case and take their defaults", defaults),
    Check("option-ranges", "wrong names and values of options are refused in words", ranges),
    Check("presets", "the game cirulla is played", presets),
    Check("bad-arguments", "a known command with a bad argument is refused in words",
          bad_arguments),
    Check("bad-positions", "a bad position is refused in words, the old one kept", bad_positions),
    Check("long-lines", "very long lines do no harm", long_lines),
    Check("noise", "bytes that are no text do no harm", noise),
    Check("free-text", "d, eval, rules and help end with an empty line", free_text),
)
