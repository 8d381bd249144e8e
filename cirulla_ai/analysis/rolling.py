"""A rollout as long work: on workers, shown as it goes, kept as it comes."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from cirulla_ai.analysis.rollout import Batch, Run
from cirulla_ai.analysis.trials import Question
from cirulla_ai.workers.bar import Bar
from cirulla_ai.workers.journal import Journal, JournalError
from cirulla_ai.workers.pool import InterruptedByUserError, make_executor, work

__all__ = ["Trials", "roll_out"]


class Trials(Journal):
    """The batches of a rollout in a file; see ``Journal``.

    What it is of are the question, the actions and when they are given up; with more trials
    it is gone on with.
    """

    run = "rollout"
    entry = "batch of trials"

    def __init__(self, path: Path, run: Run) -> None:
        question = run.question
        super().__init__(path, {
            "position": run.seen, "actions": [str(a) for a in run.actions.values()],
            "policy": question.policy, "nodes": question.nodes, "seed": question.seed,
            "inference": question.inference, "evaluation": run.evaluation,
            "min": run.minimum, "until": run.until})

    def check(self, result: Any) -> None:
        for row in result["rows"]:
            for line in row:
                if not all(isinstance(number, int | float) for number in line):
                    raise ValueError(f"{line} are no numbers")


def roll_out(
    run: Run, *, workers: int = 1, scheduler: str | None = None, path: Path | None = None
) -> bool:
    """Play a rollout to its end; False where Ctrl-C has ended it before.

    ``path``: the file that its trials are kept in, and gone on from.  Raises JournalError for
    a file of something else, ImportError and OSError as ``make_executor`` does.
    """
    with ExitStack() as stack:
        kept: dict[int, Any] = {}
        journal = stack.enter_context(Trials(path, run)) if path else None
        if journal is not None:
            kept = {line["index"]: line["rows"] for line in journal}
        bar = stack.enter_context(Bar(run.trials))
        if journal is not None and kept:
            bar.say(f"{len(kept)} batches of trials are in {path} already")

        def take(index: int, rows: list[list[list[float]]]) -> None:
            run.add(index, rows)
            bar.show(run.played, _standing(run))

        def keep(result: tuple[int, list[list[list[float]]]]) -> bool:
            index, rows = result
            if journal is not None:
                journal.add({"index": index, "rows": rows})
            take(index, rows)
            return False

        executor = None
        try:
            while due := run.due():
                left = []
                for batch in due:
                    if batch.index in kept:
                        try:
                            take(batch.index, kept.pop(batch.index))
                        except ValueError as error:
                            raise JournalError(f"{path}: {error}") from None
                    else:
                        left.append(batch)
                if not left:
                    continue
                if workers == 1 and not scheduler:
                    for batch in left:
                        keep(_played(run.question, batch))
                    continue
                if executor is None:
                    executor = stack.enter_context(make_executor(workers, scheduler))
                work((partial(_played, run.question, batch) for batch in left), executor,
                     in_flight=2 * workers, on_result=keep,
                     on_interrupt=lambda running: bar.say(
                         f"stopping after the {running} batches that are being played or come "
                         "next; Ctrl-C again drops them"))
        except (InterruptedByUserError, KeyboardInterrupt):
            run.cut()
            return False
    return True


def _played(question: Question, batch: Batch) -> tuple[int, list[list[list[float]]]]:
    return batch.index, batch.play(question)


def _standing(run: Run) -> str:
    return f"{len(run.left)} of {len(run.actions)} actions"
