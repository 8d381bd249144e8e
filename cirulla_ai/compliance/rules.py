"""Checks of the game: positions, legal actions, views, scores, counts, against this package's."""

from __future__ import annotations

from collections.abc import Iterable

from cirulla_ai.compliance.conversation import MisbehaviourError
from cirulla_ai.compliance.lab import Check, Lab, state_in
from cirulla_ai.history import History
from cirulla_ai.protocol.reports import perft_lines, score_lines
from cirulla_ai.state import State

__all__ = ["CHECKS"]

PACK = ("2H2DKC7SJC2C5C5S5H5D4DJSAH6DKH3S4H6C7HQS4S3D3HKDADKSAC2S7D6S6HQDQCJHASQH4C3CJD7C")


async def set_up(lab: Lab, game: History) -> None:
    """Set a position; raise MisbehaviourError where it is refused."""
    answer = await (await lab.engine()).ask(game.line)
    if answer.all():
        raise MisbehaviourError("the position accepted without a word", answer.all())


async def expect_state(lab: Lab, expected: object) -> None:
    """Raise MisbehaviourError where ``d`` shows another state."""
    seen = state_in((await (await lab.engine()).ask("d")).lines)
    if seen != str(expected):
        raise MisbehaviourError(f"state: {expected}", f"state: {seen}")


async def expect(lab: Lab, question: str, expected: Iterable[str]) -> None:
    """Raise MisbehaviourError where the answer is another."""
    answer = await (await lab.engine()).ask(question)
    wanted = list(expected)
    if [" ".join(line.split()) for line in answer.lines] != wanted or answer.errors:
        raise MisbehaviourError("\n".join(wanted), answer.all())


async def states(lab: Lab) -> None:
    for game in await lab.moments(3, smazzate=1):
        for state in (game.state, game.state.view(0)):
            await set_up(lab, History.of(state))
            await expect_state(lab, state)


async def moves(lab: Lab) -> None:
    for game in (await lab.games())[::2]:
        await set_up(lab, game)
        await expect_state(lab, game.state)
        for seat in range(game.start.rules.players):
            seen = game.view(seat)
            await set_up(lab, seen)
            await expect_state(lab, seen.state)


async def startpos(lab: Lab) -> None:
    talk = await lab.engine()
    seen = []
    for line in ("startpos seed 7", "startpos seed 8", "startpos seed 7 moves"):
        await talk.ask(f"position {line}")
        seen.append(state_in((await talk.ask("d")).lines))
    if seen[0] != seen[2] or seen[0] == seen[1]:
        raise MisbehaviourError("the same seed the same deal, another another", seen)
    try:
        state = State.parse(seen[0])
    except ValueError as error:
        raise MisbehaviourError("a state string", [seen[0], str(error)]) from None
    if (state.dealer, state.turn, state.viewer, state.rules.preset) != (1, 0, None, "cirulla"):
        raise MisbehaviourError("rules=cirulla dealer=1 turn=0 viewer=-", seen[0])
    await talk.ask(f"position startpos dealer=0 scores=3/4 misdeals=1 pack={PACK}")
    await expect_state(lab, State.deal(dealer=0, scores=(3, 4), misdeals=1, pack=PACK))


async def legal(lab: Lab) -> None:
    for game in await lab.moments(4):
        state = game.state
        actions = state.legal_actions()
        positions = [game, History.of(state.view(state.turn))] if state.turn is not None \
            else [game]
        for position in positions:
            await set_up(lab, position)
            await expect(lab, "legal", [" ".join(["legal", *map(str, actions)])])


async def legal_unknown(lab: Lab) -> None:
    talk = await lab.engine()
    for game in await lab.moments(2, smazzate=1):
        state = game.state
        if state.turn is not None:
            await set_up(lab, History.of(state.view((state.turn + 1) % state.rules.players)))
            for question in ("legal", "perft 1", f"view {state.turn}"):
                answer = await talk.ask(question)
                if answer.lines or not answer.errors:
                    raise MisbehaviourError(
                        f"info string error: … in answer to {question} in another seat's view",
                        answer.all())


async def view(lab: Lab) -> None:
    for game in await lab.moments(3, smazzate=1):
        await set_up(lab, game)
        for seat in range(game.start.rules.players):
            await expect(lab, f"view {seat}", [f"state: {game.state.view(seat)}"])


async def score(lab: Lab) -> None:
    for game in [*await lab.moments(3, smazzate=1), *await lab.games()]:
        await set_up(lab, game)
        await expect(lab, "score", score_lines(game.state))


async def perft(lab: Lab) -> None:
    for game in await lab.moments(3, smazzate=1):
        if not game.state.is_over:
            await set_up(lab, game)
            for depth in (1, 2, 3):
                await expect(lab, f"perft {depth}", perft_lines(game.state, depth))


CHECKS = (
    Check("states", "position state … is the state that d shows", states),
    Check("moves", "moves lead from a state to the right one, for a viewer too", moves),
    Check("startpos", "a seed deals the same each time, a pack deals its cards", startpos),
    Check("legal", "legal lists the legal actions in order", legal),
    Check("legal-unknown", "what a viewer can't know is an error", legal_unknown),
    Check("view", "view hides what the seat can't know", view),
    Check("score", "score counts the points of the taken cards", score),
    Check("perft", "perft counts the right numbers", perft),
)
