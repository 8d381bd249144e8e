"""A tournament as the command line asks for it: checked, played, summed up."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, cast

from cirulla_ai.match.contender import ContenderError, parse_contender
from cirulla_ai.match.play import Conditions
from cirulla_ai.match.plots import check_plot, save_plot
from cirulla_ai.match.process import check_options
from cirulla_ai.match.progress import Progress
from cirulla_ai.match.runner import InterruptedByUserError, make_executor, run
from cirulla_ai.match.schedule import MOST_DEALS, Schedule, ScheduleError
from cirulla_ai.match.standing import Standing
from cirulla_ai.match.statistics import Bounds, EloSprt, PointsSprt
from cirulla_ai.match.store import Store, StoreError
from cirulla_ai.numbers import real_number, whole_number
from cirulla_ai.players import PLAYERS, make_player
from cirulla_ai.protocol.errors import EngineError
from cirulla_ai.rules import Rules, RulesError
from cirulla_ai.state import State

__all__ = ["run_match"]


def run_match(args: argparse.Namespace) -> int:
    """Run ``cirulla match``; returns the exit code."""
    try:
        plan = Plan(args)
    except (ContenderError, ScheduleError, RulesError, ValueError, ImportError) as error:
        return _usage(str(error))
    for contender in plan.contenders:
        try:
            if contender.cmd:
                check_options(contender)
        except EngineError as error:
            return _usage(f"--engine {contender.name}: {error}")
    try:
        store = Store(plan.path, plan.header)
    except (StoreError, OSError) as error:
        return _usage(str(error))
    with store:
        return play(args, plan, store)


def _usage(message: str) -> int:
    print(f"cirulla match: {message}", file=sys.stderr)
    return 2


class Plan:
    """What the arguments ask for, checked.  Raises ValueErrors with the reason."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.rules = Rules.parse(args.rules)
        clock = {
            key: value for key in ("movetime", "nodes", "time", "inc", "margin")
            if (value := getattr(args, key)) is not None}
        for key, value in clock.items():
            if value == 0 and key in ("movetime", "nodes", "time"):
                raise ValueError(f"--{key} {value:g}: a number above 0 is needed")
        self.contenders = [parse_contender(text, clock) for text in args.engine]
        for contender in self.contenders:
            if contender.player in PLAYERS:
                make_player(contender.player).check(self.rules)
        names = [contender.name for contender in self.contenders]
        for name in names:
            if names.count(name) > 1:
                raise ContenderError(f"two engines of the name {name}; give name=… to one")
        self.names = names
        self.packs, deals = read_deals(args.deals, self.rules)
        self.schedule = Schedule(self.rules, len(names), deals, args.seed, args.format)
        self.conditions = Conditions(
            rules=str(self.rules), matches=args.matches,
            forfeit_points=args.forfeit_points, records=args.records is not None,
            packs=self.packs)
        if self.packs and args.matches:
            raise ValueError("--matches needs deals from a seed: a match has many deals")
        self.sprt = read_sprt(args.sprt) if args.sprt else None
        if self.sprt and len(names) != 2:
            raise ValueError(f"--sprt compares two engines, here are {len(names)}")
        self.header: dict[str, Any] = {
            "rules": str(self.rules), "engines": [c.to_json() for c in self.contenders],
            "seed": args.seed, "format": args.format, "matches": args.matches,
            "forfeit_points": args.forfeit_points, "records": args.records is not None,
            "packs": hashlib.sha256("".join(self.packs).encode()).hexdigest()
            if self.packs else None,
        }
        digest = hashlib.sha256(json.dumps(self.header, sort_keys=True).encode()).hexdigest()
        self.path: Path = args.out or Path(f"match-{digest[:10]}.jsonl")
        check_outputs(self.path, [args.records] if args.records else [], args.plot)


def check_outputs(results: Path, records: Sequence[Path], plots: Sequence[Path]) -> None:
    """Raise ValueError for a file that could not be written after the match, or that would
    overwrite another one of them; ImportError where plots lack their extra."""
    for path in plots:
        check_plot(path)
    paths = [results, *records, *plots]
    places = [path.resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise ValueError(f"{path} is given for two things; each needs a file of its own")
        if not place.parent.is_dir():
            raise ValueError(f"{path}: there is no folder {path.parent}")
        if place.is_dir():
            raise ValueError(f"{path} is a folder, not a file")
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise ValueError(f"{path} can't be written to")


def read_deals(text: str, rules: Rules) -> tuple[tuple[str, ...], int]:
    """The packs of a file, none where ``--deals`` is a number, and how many deals that makes."""
    # What looks like a number is none of a file's name.
    if text.lstrip("+-").isdigit():
        try:
            # None at all is the schedule's to refuse.
            return (), whole_number(text, 0, MOST_DEALS)
        except ValueError as error:
            raise ValueError(f"--deals: {error}") from None
    packs = read_packs(Path(text), rules)
    return packs, len(packs)


def read_packs(path: Path, rules: Rules) -> tuple[str, ...]:
    """Packs from a file, a line each; raises ValueError for one that can't be dealt."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"--deals {path}: not a number, and as a file: {error}") from None
    packs = []
    for number, line in enumerate(text.splitlines(), 1):
        pack = line.split("#")[0].strip()
        if pack:
            try:
                State.deal(rules, pack=pack)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
            packs.append(pack)
    if not packs:
        raise ValueError(f"--deals {path}: no pack in it")
    return tuple(packs)


def read_sprt(text: str) -> PointsSprt | EloSprt:
    """The test that ``--sprt`` asks for."""
    values: dict[str, float] = {}
    model = "logistic"
    for part in text.split(","):
        key, _, value = part.partition("=")
        if key == "model":
            model = value
            continue
        if key not in ("points0", "points1", "elo0", "elo1", "alpha", "beta"):
            raise ValueError(f"--sprt {text}: {part!r}; there are points0, points1, elo0, elo1, "
                             "alpha, beta, model")
        try:
            values[key] = real_number(value, -1e6, 1e6)
        except ValueError as error:
            raise ValueError(f"--sprt {text}: {key}: {error}") from None
    bounds = Bounds(values.pop("alpha", 0.05), values.pop("beta", 0.05))
    if set(values) == {"points0", "points1"}:
        return PointsSprt(values["points0"], values["points1"], bounds)
    if set(values) == {"elo0", "elo1"}:
        return EloSprt(values["elo0"], values["elo1"], bounds,
                       cast("Literal['logistic', 'normalised']", model))
    raise ValueError(f"--sprt {text}: give points0 and points1, or elo0 and elo1")


def play(args: argparse.Namespace, plan: Plan, store: Store) -> int:
    """Play what is left, and say how it stands."""
    standing = Standing(plan.rules, plan.names, plan.conditions.matches)
    standing.add_all(store)
    total = len(plan.schedule)
    interrupted = False
    broken = ""

    def enough() -> bool:
        return plan.sprt is not None and standing.test(plan.sprt).state != "continue"

    with ExitStack() as stack:
        progress = stack.enter_context(Progress(total, standing.sets))
        progress.show(standing, plan.sprt)
        if standing.sets:
            progress.resumed(standing.sets, plan.path)

        def on_result(line: dict[str, Any]) -> bool:
            standing.add(line)
            progress.show(standing, plan.sprt)
            return enough()

        if standing.sets < total and not enough():
            try:
                executor = stack.enter_context(make_executor(args.concurrency, args.scheduler))
            except ImportError as error:
                return _usage(f"--scheduler {args.scheduler}: {error}; pip install "
                              f"'cirulla-ai[{'mpi' if args.scheduler == 'mpi' else 'dask'}]'")
            except OSError:
                return _usage(f"--scheduler {args.scheduler}: no Dask scheduler answers there")
            try:
                run(plan.schedule, plan.contenders, plan.conditions, store, executor,
                    in_flight=2 * args.concurrency, on_result=on_result,
                    on_interrupt=progress.interrupted)
            except InterruptedByUserError:
                interrupted = True
            except BrokenExecutor as error:
                broken = str(error)
    # From the stored sets alone, in the schedule's order: what is said does not depend on
    # who finished first.
    final = Standing(plan.rules, plan.names, plan.conditions.matches)
    final.add_all(store)
    for line in final.lines(plan.sprt):
        print(line)
    write_extras(args, plan, store, final)
    print(f"results in {plan.path}" + (", the same command goes on with them"
                                       if final.sets < total else ""))
    if args.json:
        print(json.dumps(final.to_json(plan.sprt), sort_keys=True))
    if broken:
        print(f"cirulla match: a worker has died: {broken}", file=sys.stderr)
        return 1
    if interrupted:
        return 130
    return 1 if final.faults else 0


def write_extras(
    args: argparse.Namespace, plan: Plan, store: Store, standing: Standing
) -> None:
    """Records and plots, where they are asked for."""
    if args.records:
        from cirulla_ai.match.archive import write_archive

        write_archive(args.records, plan.rules, plan.names, store)
    if args.plot:
        for path in args.plot:
            save_plot(path, plan.rules, plan.names, list(store), standing)

