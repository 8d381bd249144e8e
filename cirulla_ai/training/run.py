"""A whole run of ``cirulla train``: all rule sets, with progress and a log."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cirulla_ai.basics.locks import open_folder, try_lock
from cirulla_ai.basics.outputs import check_output, why
from cirulla_ai.engine.evaluation import evaluation_key
from cirulla_ai.engine.evaluation_file import Entry, EvaluationFile, write_evaluation
from cirulla_ai.games.options import RulesError
from cirulla_ai.rules import Rules
from cirulla_ai.training.pipeline import Networks, Step, facts, results, steps, train_rules
from cirulla_ai.training.plan import FLAGS, Plan, plan_for

__all__ = ["SHIPPED_RULES", "run_training"]

# What the shipped file knows.  Where all cards are dealt at once no state in between is public.
SHIPPED_RULES = (
    "cirulla", "cirulla players=3", "cirulla players=4", "cirulla-wikipedia", "cirulla-coppie",
    "cirulla-torneo", "cirulla-spezia", "cirulla-pigliatutto", "cirullone", "cirullone-36",
    "scopa", "asso-piglia-tutto", "scopa-15",
)


def trainable(text: str) -> Rules:
    """Rules that have public states between rounds; raises RulesError for others."""
    rules = Rules.parse(text)
    if not rules.family.has_values(rules):
        raise RulesError(
            f"{text}: there is nothing to learn, all cards are dealt at once", "rounds")
    return rules


def run_training(args: argparse.Namespace) -> int:
    """Train all that is asked for and write the file; returns the exit code.

    Raises ValueError for what can't be done.
    """
    chosen = [trainable(text) for text in args.rules or SHIPPED_RULES]
    asked = {name: getattr(args, name) for name in FLAGS}
    plans = [plan_for(rules, asked) for rules in chosen]
    check_output(args.out)
    folder = args.folder or Path(f"{args.out}.parts")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with only_run(folder):
            return _train(args, chosen, plans, folder)
    except OSError as error:
        where = error.filename or folder
        print(f"cirulla train: {where}: {why(error)}; what has been learnt is in {folder}, and the "
              "same command goes on with it", file=sys.stderr)
        return 2


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Raise ValueError where another run is at work in the folder; keep others from it."""
    descriptor = open_folder(folder)
    try:
        if try_lock(descriptor) is False:
            raise ValueError(f"{folder}: another run is at work there")
        yield
    finally:
        os.close(descriptor)


def _train(
    args: argparse.Namespace, chosen: Sequence[Rules], plans: Sequence[Plan], folder: Path
) -> int:
    # What the file knows of other rules is kept.
    entries = EvaluationFile(args.out).entries() if args.out.exists() else {}
    console = Console(stderr=True, markup=False, emoji=False)
    total = sum(len(steps(rules, plan)) for rules, plan in zip(chosen, plans, strict=True))
    with Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), console=console, disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("training", total=total)
        for rules, plan in zip(chosen, plans, strict=True):
            key = evaluation_key(rules)
            parts = folder / key.replace(" ", ",")
            parts.mkdir(parents=True, exist_ok=True)
            made: list[Step] = []
            began = time.monotonic()
            networks = Networks.of(rules)
            for step, so_far in train_rules(rules, plan, parts):
                networks = so_far
                made.append(step)
                progress.update(task, advance=1, description=key)
                console.print(
                    f"{key}: generation {step.generation}, {step.kind} of round {step.round}: "
                    f"error {step.error:.3f} of {step.spread:.3f} points, "
                    f"{100 * step.explained:.1f} % explained, "
                    f"{time.monotonic() - began:.0f} s", highlight=False)
            entries[key] = Entry(plan.hidden, networks.ends, networks.afterstates, {
                **facts(plan, made),
                "results": results(rules, plan, networks),
            })
    write_evaluation(args.out, entries)
    console.print(f"{args.out}: {len(entries)} rule sets, {args.out.stat().st_size} bytes",
                  highlight=False)
    return 0
