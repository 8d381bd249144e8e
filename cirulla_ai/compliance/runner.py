"""Running the checks against an engine."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cirulla_ai.client.connection import Command, new_loop
from cirulla_ai.client.errors import EngineError, EngineForkedError
from cirulla_ai.compliance import leaving, rules, searching, talking
from cirulla_ai.compliance.conversation import MisbehaviourError, NotApplicableError
from cirulla_ai.compliance.lab import Check, Lab

__all__ = ["CHECKS", "Finding", "run_compliance"]

CHECKS: tuple[Check, ...] = (
    *talking.CHECKS, *rules.CHECKS, *searching.CHECKS, *leaving.CHECKS)


@dataclass(frozen=True)
class Finding:
    """What came of one check.

    ``outcome`` is ``pass``, ``fail`` or ``skip``.  Of a failure, ``sent`` are the last
    lines that the engine was sent, ``expected`` what was right and ``seen`` what came; of
    a skipped check, ``seen`` is why.
    """

    check: str
    rule: str
    outcome: str
    seconds: float
    sent: tuple[str, ...] = ()
    expected: str = ""
    seen: str = ""


def run_compliance(
    command: Command, *, timeout: float = 10.0, slack: float = 0.8,
    only: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Run an engine through the protocol's rules, and give what came of each as it comes.

    ``timeout`` is how many seconds any answer may take, ``slack`` how many a busy machine may
    add to the times of the protocol; ``only`` the names of the checks to run.  Raises
    ValueError for a name that no check has.  No engine is left running.
    """
    names = [check.name for check in CHECKS]
    for name in only or ():
        if name not in names:
            raise ValueError(f"there is no check {name!r}; there are {', '.join(names)}")
    return _run(Lab(command, timeout, slack), [c for c in CHECKS if only is None or c.name in only])


def _run(lab: Lab, checks: list[Check]) -> Iterator[Finding]:
    loop = new_loop()
    owner = os.getpid()
    try:
        for check in checks:
            if os.getpid() != owner:
                raise EngineForkedError.of("the engine")
            yield loop.run_until_complete(_run_check(lab, check))
    finally:
        # In a forked process they are the parent's.
        if os.getpid() == owner:
            loop.run_until_complete(lab.discard())
            loop.close()


async def _run_check(lab: Lab, check: Check) -> Finding:
    started = time.monotonic()
    outcome, expected, seen = "pass", "", ""
    sent: tuple[str, ...] = ()
    lab.begin_check()
    try:
        if lab.is_hopeless:
            raise NotApplicableError("it does not shake hands")
        await check.run(lab)
    except NotApplicableError as reason:
        outcome, seen = "skip", str(reason)
    except MisbehaviourError as error:
        outcome, sent, expected, seen = "fail", lab.sent, error.expected, error.seen
    except EngineError as error:
        outcome, sent, expected, seen = "fail", lab.sent, "an engine that runs", str(error)
    if outcome == "fail":
        # Whatever state it is in, the next check is not to suffer from it.
        await lab.discard()
    return Finding(check.name, check.rule, outcome, time.monotonic() - started, sent, expected,
                   seen)
