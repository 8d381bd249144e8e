"""A whole run of ``cirulla train``: all rule sets, with progress and a log."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cirulla_ai.evaluation import evaluation_key, write_evaluation
from cirulla_ai.rules import FISHING, Rules, RulesError
from cirulla_ai.training.pipeline import Plan, Step, facts, results, train_rules

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
    if rules.family is not FISHING or len(rules.rounds) < 2:
        raise RulesError(
            f"{text}: there is nothing to learn, all cards are dealt at once", "rounds")
    return rules


def run_training(args: argparse.Namespace) -> int:
    """Train all that is asked for and write the file; returns the exit code."""
    chosen = [trainable(text) for text in args.rules or SHIPPED_RULES]
    for name in ("samples", "deals", "epochs", "generations"):
        least = 1000 if name == "samples" else 1
        if getattr(args, name) < least:
            raise ValueError(f"--{name} {getattr(args, name)}: {least} or more")
    plan = Plan(samples=args.samples, deals=args.deals, epochs=args.epochs,
                generations=args.generations, seed=args.seed)
    folder = args.folder or Path(f"{args.out}.parts")
    entries = {}
    console = Console(stderr=True)
    total = sum(plan.generations * (len(rules.rounds) - 1) for rules in chosen)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("training", total=total)
        for rules in chosen:
            key = evaluation_key(rules)
            parts = folder / key.replace(" ", ",")
            parts.mkdir(parents=True, exist_ok=True)
            steps: list[Step] = []
            began = time.monotonic()
            networks: list[Any] = []
            for step, made in train_rules(rules, plan, parts):
                networks = made
                steps.append(step)
                progress.update(task, advance=1, description=key)
                console.print(
                    f"{key}: generation {step.generation}, end of round {step.round}: "
                    f"error {step.error:.3f} of {step.spread:.3f} points, "
                    f"{100 * step.explained:.1f} % explained, "
                    f"{time.monotonic() - began:.0f} s", highlight=False)
            entries[key] = ([net.tolist() for net in networks], {
                **facts(plan, steps),
                **({"results": results(rules, plan, networks)} if rules.sides == 2 else {}),
            })
    write_evaluation(args.out, entries)
    console.print(f"{args.out}: {len(entries)} rule sets, {args.out.stat().st_size} bytes",
                  highlight=False)
    return 0
