"""Checks of the end: quit, the end of the input, nobody listening."""

from __future__ import annotations

from cirulla_ai.compliance.conversation import Conversation, MisbehaviourError, is_bestmove
from cirulla_ai.compliance.lab import AT_ONCE_SECONDS, Check, Lab

__all__ = ["CHECKS"]

# How soon it is gone where its input ends.
END_SECONDS = 1.0

POSITION = "position state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0"


async def ready(lab: Lab) -> Conversation:
    talk = await lab.fresh()
    await talk.shake_hands()
    await talk.ask(POSITION)
    return talk


def one_bestmove(lines: list[str]) -> None:
    if sum(map(is_bestmove, lines)) != 1:
        raise MisbehaviourError("one bestmove before its end", lines)


async def quits(lab: Lab) -> None:
    talk = await ready(lab)
    talk.send("quit")
    await talk.leave("gone after quit", AT_ONCE_SECONDS + lab.slack)


async def quits_searching(lab: Lab) -> None:
    talk = await ready(lab)
    talk.send("go infinite")
    await talk.until(lambda line: " pv " in line, "an info with a pv")
    talk.send("quit")
    one_bestmove(await talk.leave("gone after quit", AT_ONCE_SECONDS + lab.slack))


async def ends_idle(lab: Lab) -> None:
    talk = await ready(lab)
    talk.connection.close()
    await talk.leave("gone after the end of its input", END_SECONDS + lab.slack)


async def ends_infinite(lab: Lab) -> None:
    talk = await ready(lab)
    talk.send("go infinite")
    await talk.until(lambda line: " pv " in line, "an info with a pv")
    talk.connection.close()
    one_bestmove(await talk.leave("gone after the end of its input", END_SECONDS + lab.slack))


async def ends_limited(lab: Lab) -> None:
    talk = await ready(lab)
    talk.send("go nodes 300")
    talk.connection.close()
    one_bestmove(await talk.leave("gone after the end of its input and of its search",
                                  talk.timeout))


async def nobody_listens(lab: Lab) -> None:
    talk = await ready(lab)
    talk.connection.drain_seconds = talk.timeout
    talk.connection.close(1)
    talk.send("uci", "isready", "uci")
    seconds = min(talk.timeout, END_SECONDS + lab.slack)
    if not await talk.connection.wait(seconds):
        raise MisbehaviourError(f"gone within {seconds:g} s once nobody reads its output",
                                "it is still there")
    if talk.connection.stderr:
        raise MisbehaviourError("gone quietly", list(talk.connection.stderr))


CHECKS = (
    Check("quit", "quit ends it at once, with exit code 0", quits),
    Check("quit-searching", "during a search too, after its bestmove", quits_searching),
    Check("end-idle", "the end of its input ends it", ends_idle),
    Check("end-infinite", "a search without a limit is ended, its bestmove said", ends_infinite),
    Check("end-limited", "a search with a limit is finished first", ends_limited),
    Check("closed-output", "it ends quietly where nobody reads its output", nobody_listens),
)
