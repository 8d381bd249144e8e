"""Checks of the search: its answers, its infos, what may be said meanwhile."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from cirulla_ai.action import Action, ActionError
from cirulla_ai.client.remote import go_line
from cirulla_ai.compliance.conversation import (
    Answer,
    Conversation,
    MisbehaviourError,
    NotApplicableError,
    is_bestmove,
    sort_out,
)
from cirulla_ai.compliance.lab import AT_ONCE_SECONDS, Check, Lab
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.info import NUMBERS, parse_info
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import State

__all__ = ["CHECKS"]

# What a busy machine may add to the protocol's times.
INFO_SECONDS = 1.0
# Picks one of the seeds that the engine takes.
SEED = 10

STATE = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
OTHER = State.parse("rules=cirulla dealer=1 hands=2S6HQS/?3 table=3D7SJCKH viewer=0")
# One legal action: nothing to choose.
FORCED = STATE.play("7HxAS6C", "2S", "3Cx2SKD", "QS")


# --- what an answer has to be -------------------------------------------------------------

def check_answer(
    lines: Sequence[str], position: History, among: Sequence[Action] | None = None,
) -> list[str]:
    """Raise MisbehaviourError where the lines from go to bestmove break a rule.

    Gives back the info lines with a line of play.
    """
    state = position.state
    legal = list(among if among is not None else state.legal_actions())
    words = lines[-1].split()
    best = action_of(words[1] if len(words) > 1 else "", "bestmove ACTION", lines[-1:])
    if best not in legal:
        raise MisbehaviourError(f"bestmove one of {' '.join(map(str, legal))}", lines[-1])
    if len(words) > 2:
        if len(words) != 4 or words[2] != "ponder":
            raise MisbehaviourError("bestmove A [ponder B]", lines[-1])
        replay(state, words[1::2], lines[-1])
    infos = [line for line in lines[:-1]
             if line.split()[:1] == ["info"] and " string" not in line]
    for line in infos:
        check_info(line, state)
    full = [line for line in infos if " score cp " in line and " pv " in line]
    if not full:
        raise MisbehaviourError("an info with score cp and pv before the bestmove", lines)
    last = [line for line in full if (parse_info(line).multipv or 1) == 1][-1:]
    if not last or parse_info(last[0]).action != best:
        raise MisbehaviourError("the bestmove the first action of the best pv",
                                [*last, lines[-1]])
    return full


def check_info(line: str, state: State) -> None:
    """Raise MisbehaviourError where an info line is no key–value pairs, or its pv no play."""
    for key in (*NUMBERS, "cp", "se"):
        if re.search(rf" {key} (?![+-]?\d+(\s|$))", line.partition(" pv ")[0]):
            raise MisbehaviourError(f"a whole number after {key}", line)
    if re.search(r" wdl\s", line):
        chances = re.search(r" wdl (\d+) (\d+) (\d+)(\s|$)", line)
        # Three numbers, each rounded.
        if not chances or not 998 <= sum(map(int, chances.groups()[:3])) <= 1002:
            raise MisbehaviourError("wdl W D L, per mille", line)
    words = line.split()
    if "pv" in words:
        pv = words[words.index("pv") + 1:]
        if not pv:
            raise MisbehaviourError("an action at least after pv", line)
        replay(state, pv, line)


def action_of(word: str, expected: str, seen: str | Sequence[str]) -> Action:
    """The action; raise MisbehaviourError where it is none."""
    try:
        return Action(word)
    except ActionError:
        raise MisbehaviourError(expected, seen) from None


def replay(state: State, words: Sequence[str], line: str) -> None:
    """Play a pv in what the mover knows; raise MisbehaviourError where it can't be played."""
    assert state.turn is not None
    state = state.view(state.turn)
    for word in words:
        action = action_of(word, "a pv of actions, to the end of the line", line)
        if state.phase in ("deal", "done"):
            raise MisbehaviourError(f"a pv that stops where {state}", line)
        try:
            state = state.apply(action)
        except ActionError as error:
            raise MisbehaviourError(f"a pv that can be played, but {error}", line) from None


async def searched(
    talk: Conversation, position: History, go: str, among: Sequence[Action] | None = None,
) -> list[str]:
    """Set a position, search it, check the answer; its info lines."""
    await talk.ask(position.line)
    talk.send(go)
    full = check_answer(await talk.bestmove(), position, among)
    more = await talk.ask()
    if any(map(is_bestmove, more.lines)):
        raise MisbehaviourError("one bestmove a go", more.lines)
    return full


# --- the checks ---------------------------------------------------------------------------

async def answers(lab: Lab) -> None:
    talk = await lab.engine()
    for game in await lab.moments(2, smazzate=1):
        turn = game.state.turn
        if turn is not None:
            # The whole truth, and with what was seen.
            await searched(talk, History.of(game.state), "go nodes 50")
            await searched(talk, game.view(turn), "go nodes 50")


async def smallest(lab: Lab) -> None:
    talk = await lab.engine()
    for limit in ("nodes 1", "movetime 1", "nodes 0", "movetime 0", "nodes -5", "movetime -100",
                  "time 1 inc 0", "time 0", "nodes 1 movetime 1 infinite"):
        if "infinite" in limit:
            await talk.ask(f"position state {STATE}")
            talk.send(f"go {limit}", "stop")
            check_answer(await talk.bestmove(), History.of(STATE))
        else:
            await searched(talk, History.of(STATE), f"go {limit}")


async def movetime(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    started = time.monotonic()
    await searched(talk, History.of(STATE), "go movetime 300")
    seconds = time.monotonic() - started
    more = AT_ONCE_SECONDS + lab.slack
    if seconds > 0.3 + more:
        raise MisbehaviourError(f"a bestmove after 0.3 s, at most {more:g} s more",
                                f"one after {seconds:.2f} s")


async def infinite(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    talk.send("go infinite")
    lines: list[str] = []
    for _ in range(2):
        more = await talk.during(INFO_SECONDS + 0.2)
        if not any(line.split()[:1] == ["info"] for line in more):
            raise MisbehaviourError(f"an info at least every {INFO_SECONDS:g} s", [*lines, *more])
        lines += more
    if any(map(is_bestmove, lines)):
        raise MisbehaviourError("no bestmove before stop", lines[-2:])
    await stopped(lab, talk, lines, History.of(STATE))


async def stopped(lab: Lab, talk: Conversation, before: Sequence[str], position: History) -> None:
    """Stop the search and check its answer."""
    started = time.monotonic()
    talk.send("stop")
    check_answer([*before, *await talk.bestmove()], position)
    seconds = time.monotonic() - started
    if seconds > AT_ONCE_SECONDS + lab.slack:
        raise MisbehaviourError("bestmove at once after stop", f"it took {seconds:.2f} s")


async def infinite_forced(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {FORCED}")
    talk.send("go infinite")
    lines = await talk.during(0.5)
    if any(map(is_bestmove, lines)):
        raise MisbehaviourError("no bestmove before stop, also with one legal action", lines)
    await stopped(lab, talk, lines, History.of(FORCED))
    await searched(talk, History.of(FORCED), "go movetime 60000")


async def while_searching(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    quiet = {question: (await talk.ask(question)).lines
             for question in ("d", "legal", "view 0", "score", "eval", "rules", "help")}
    talk.send("go infinite")
    infos = []
    for question, expected in quiet.items():
        answer = await talk.ask(question)
        infos += [line for line in answer.lines if line.startswith("info ")]
        seen = [line for line in answer.lines if not line.startswith("info ")]
        if seen != expected:
            raise MisbehaviourError(
                "\n".join([f"as without a search, in answer to {question}:", *expected]), seen)
    talk.send(*["isready"] * 100)
    for _ in range(100):
        lines = await talk.until(lambda line: line.strip() == "readyok", "readyok")
        infos += lines[:-1]
        if any(map(is_bestmove, lines)):
            raise MisbehaviourError("no bestmove before stop", lines)
    await stopped(lab, talk, infos, History.of(STATE))


async def refused_meanwhile(lab: Lab) -> None:
    talk = await lab.engine()
    await talk.ask(f"position state {STATE}")
    talk.send("go infinite")
    infos: list[str] = []
    for line in ("position nowhere", "setoption name No Such Option value 1", "view 5", "perft x",
                 f"position state {STATE} moves KS"):
        answer = await talk.ask(line)
        infos += answer.lines
        if not answer.errors or any(map(is_bestmove, answer.lines)):
            raise MisbehaviourError(
                f"an error in answer to {line[:100]}, and the search to go on", answer.all()[-5:])
    await stopped(lab, talk, infos, History.of(STATE))


async def superseded(lab: Lab) -> None:
    talk = await lab.engine()
    for line in ("go nodes 20", f"position state {OTHER}", "ucinewgame"):
        await talk.ask(f"position state {STATE}")
        talk.send("go infinite", line)
        check_answer(await talk.bestmove(), History.of(STATE))
        if line == "go nodes 20":
            check_answer(await talk.bestmove(), History.of(STATE))
        if line.startswith("position"):
            talk.send("go nodes 20")
            check_answer(await talk.bestmove(), History.of(OTHER))
        more = await talk.ask()
        if more.lines:
            raise MisbehaviourError("one bestmove a go", more.lines)


async def in_order(lab: Lab) -> None:
    talk = await lab.engine()
    positions = [History.of(STATE), History.of(OTHER)] * 15
    for position in positions:
        talk.send(position.line, "go infinite", "stop", "go nodes 1", "stop")
    for position in positions:
        for _ in range(2):
            check_answer(await talk.bestmove(), position)
    more = await talk.ask()
    if more.lines:
        raise MisbehaviourError("one bestmove a go", more.lines)


async def refused_go(lab: Lab) -> None:
    talk = await lab.engine()
    waiting = STATE.apply("7HxAS6C")
    over = (await lab.games())[0].state
    cases = [(STATE, go) for go in (
        "go wibble", "go nodes", "go nodes x", "go movetime 1.5.2 x", "go searchmoves",
        "go searchmoves KS", "go searchmoves e2e4 nodes 5")]
    cases += [(waiting, "go nodes 5"), (over, "go nodes 5")]
    for state, go in cases:
        await talk.ask(f"position state {state}")
        talk.send(go)
        lines = await talk.bestmove()
        if lines[-1].split() != ["bestmove", "(none)"] or not sort_out(lines).errors:
            raise MisbehaviourError(f"info string error: … and bestmove (none) after {go} "
                                    f"in {state}", lines)
        more = await talk.ask()
        if more.lines:
            raise MisbehaviourError("one bestmove a go", more.lines)


async def searchmoves(lab: Lab) -> None:
    talk = await lab.engine()
    legal = STATE.legal_actions()
    for actions in ([legal[0]], [legal[-1]], legal[1:3], legal):
        await searched(talk, History.of(STATE), go_line(Limit(nodes=50), actions), actions)
    await talk.ask(f"position state {STATE}")
    talk.send(f"go searchmoves KS {legal[2]} e2e4 nodes 50")
    lines = await talk.bestmove()
    check_answer(lines, History.of(STATE), [legal[2]])
    if not any(line.startswith("info string") for line in lines):
        raise MisbehaviourError("an info string about illegal searchmoves", lines)


async def multipv(lab: Lab) -> None:
    option = await lab.need_spin("MultiPV")
    talk = await lab.engine()
    legal = STATE.legal_actions()
    for asked in (min(max(2, option.low), option.high), option.high):
        await talk.ask(f"setoption name MultiPV value {asked}")
        try:
            full = await searched(talk, History.of(STATE), "go nodes 200")
        finally:
            await talk.ask(f"setoption name MultiPV value {option.default}")
        wanted = min(asked, len(legal))
        last = [parse_info(line) for line in full[-wanted:]]
        if [info.multipv for info in last] != list(range(1, wanted + 1)) or \
                len({info.action for info in last}) != wanted:
            raise MisbehaviourError(
                f"at the end {wanted} lines, multipv 1 … {wanted}, of different actions",
                full[-wanted - 1:])


# --- what the engine may know --------------------------------------------------------------

async def repeatable(lab: Lab) -> None:
    await lab.need_spin("Seed")
    outputs = []
    for _ in range(2):
        outputs.append(await seeded(lab, History.of(STATE)))
    if outputs[0] != outputs[1]:
        raise MisbehaviourError("the same output but for times:\n" + "\n".join(outputs[0][-3:]),
                                outputs[1][-3:])


async def hidden(lab: Lab) -> None:
    await lab.need_spin("Seed")
    compared = 0
    for game in await lab.moments(2, smazzate=1):
        state = game.state
        if state.turn is None:
            continue
        view = state.view(state.turn)
        truths = [state, *(Knowledge(view).draw(seed) for seed in (1, 2))]
        outputs = [await seeded(lab, History.of(truth)) for truth in (*truths, view)]
        compared += len(set(truths)) - 1
        for truth, output in zip((*truths, view), outputs, strict=True):
            if output != outputs[-1]:
                raise MisbehaviourError(
                    "\n".join([f"the same output in {truth}", f"as in {view}:", *outputs[-1][-3:]]),
                    output[-3:])
    if not compared:
        raise NotApplicableError("no two worlds with one view")


async def hidden_moves(lab: Lab) -> None:
    await lab.need_spin("Seed")
    for game in await lab.moments(2, smazzate=1):
        turn = game.state.turn
        if turn is None:
            continue
        outputs = [await seeded(lab, position) for position in (game, game.view(turn))]
        if outputs[0] != outputs[1]:
            raise MisbehaviourError(
                "\n".join([f"after {game.line}", "the same output as after what the seat saw:",
                           *outputs[1][-3:]]), outputs[0][-3:])


async def seeded(lab: Lab, position: History) -> list[str]:
    """The output of a search with a seed, without its times."""
    talk = await lab.engine()
    options = await lab.options()
    await talk.ask(
        "ucinewgame", f"setoption name Seed value {options.spin('Seed', SEED)}", position.line)
    talk.send("go nodes 300")
    lines = await talk.bestmove()
    answer: Answer = await talk.ask(f"setoption name Seed value {options['Seed'].default}")
    return [re.sub(r" (time|nps) \d+", "", line) for line in [*lines, *answer.lines]]


CHECKS = (
    Check("answers", "a bestmove is legal, its infos are sound, their pvs can be played", answers),
    Check("smallest-limits", "the smallest limits give an answer with its info", smallest),
    Check("movetime", "movetime is kept", movetime),
    Check("infinite", "go infinite talks, and answers after stop alone", infinite),
    Check("infinite-forced", "so it does with one legal action", infinite_forced),
    Check("while-searching", "questions are answered during a search", while_searching),
    Check("refused-meanwhile", "what is refused during a search does not disturb it",
          refused_meanwhile),
    Check("superseded", "what is accepted during a search ends it, its bestmove first",
          superseded),
    Check("in-order", "every go gives one bestmove, in order", in_order),
    Check("refused-go", "a go that can't be done says so and bestmove (none)", refused_go),
    Check("searchmoves", "searchmoves restrict the choice", searchmoves),
    Check("multipv", "MultiPV gives a line an action, never more", multipv),
    Check("repeatable", "a seed makes a search repeatable", repeatable),
    Check("hidden-cards", "the hidden cards make no difference", hidden),
    Check("hidden-moves", "of the moves just what the seat has seen makes a difference",
          hidden_moves),
)
