"""A tournament as the command line asks for it: checked, played, summed up."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from cirulla_ai.basics.encoding import read_text
from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.basics.numbers import real_number, whole_number
from cirulla_ai.basics.outputs import check_output, why
from cirulla_ai.client.errors import EngineError
from cirulla_ai.games.options import RulesError
from cirulla_ai.match import MOST_SMAZZATE
from cirulla_ai.players import make_player
from cirulla_ai.rules import Rules
from cirulla_ai.state import State
from cirulla_ai.tournament.contender import ContenderError, parse_contender
from cirulla_ai.tournament.play import Conditions, close_rosters
from cirulla_ai.tournament.plots import check_plot, save_plot
from cirulla_ai.tournament.process import check_options
from cirulla_ai.tournament.progress import Progress
from cirulla_ai.tournament.runner import run
from cirulla_ai.tournament.schedule import MOST_DEALS, Schedule, ScheduleError
from cirulla_ai.tournament.standing import Standing
from cirulla_ai.tournament.statistics import Bounds, EloSprt, PointsSprt
from cirulla_ai.tournament.store import Store
from cirulla_ai.workers.ending import Ending
from cirulla_ai.workers.journal import JournalError
from cirulla_ai.workers.mpi import count_mpi_workers
from cirulla_ai.workers.pool import InterruptedByUserError, make_executor

__all__ = ["run_match"]


def run_match(args: argparse.Namespace) -> int:
    """Run ``cirulla match``; returns the exit code."""
    with Ending() as ending:
        return checked(args)
    assert ending.signal
    # To a terminal that is perhaps no more.
    with suppress(OSError):
        print(f"cirulla match: ended by {ending.signal.name}; the same command goes on",
              file=sys.stderr)
    return 128 + ending.signal


def checked(args: argparse.Namespace) -> int:
    """Check what is asked for, and play it; returns the exit code."""
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
        with Store(plan.path, plan.header) as store:
            return play(args, plan, store)
    except JournalError as error:
        return _usage(str(error))


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
            if contender.player not in ("", "engine"):
                make_player(contender.player).check(self.rules)
        names = [contender.name for contender in self.contenders]
        for name in names:
            if names.count(name) > 1:
                raise ContenderError(f"two engines of the name {name}; give name=… to one")
        self.names = names
        self.names = names
        if args.matches and not self.rules.can_score:
            raise ValueError(f"--matches: under {self.rules} nobody can ever make a point, and no "
                             "match ends")
        self.concurrency: int = (
            count_mpi_workers() if args.scheduler == "mpi" else args.concurrency)
        self.packs, deals = read_deals(args.deals, self.rules)
        self.schedule = Schedule(self.rules, len(names), deals, args.seed, args.format)
        self.conditions = Conditions(
            rules=str(self.rules), matches=args.matches,
            forfeit_points=args.forfeit_points, records=args.records is not None,
            packs=self.packs, most_smazzate=args.smazzate, luck=args.luck)
        if self.packs and args.matches:
            raise ValueError("--matches needs deals from a seed: a match has many deals")
        self.sprt = read_sprt(args.sprt) if args.sprt else None
        if self.sprt and len(names) != 2:
            raise ValueError(f"--sprt compares two engines, here are {len(names)}")
        if args.luck and len(names) != 2:
            raise ValueError(f"--luck compares two engines, here are {len(names)}")
        self.header: dict[str, Any] = {
            "rules": str(self.rules), "engines": [c.to_json() for c in self.contenders],
            "seed": args.seed, "format": args.format, "matches": args.matches,
            "forfeit_points": args.forfeit_points, "records": args.records is not None,
            "packs": hashlib.sha256("".join(self.packs).encode()).hexdigest()
            if self.packs else None,
        }
        if args.luck:
            self.header["luck"] = True
        if args.matches and args.smazzate != MOST_SMAZZATE:
            self.header["smazzate"] = args.smazzate
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
        check_output(path)


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
        text = read_text(path)
    except OSError as error:
        raise ValueError(f"--deals {path}: not a number, and as a file: {error}") from None
    except ValueError as error:
        raise ValueError(f"--deals {path}: {error}") from None
    packs = []
    for number, line in enumerate(text.split("\n"), 1):
        # Files that were put together may have a byte order mark each.
        pack = line.split("#")[0].strip().lstrip("\ufeff")
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
    """Play what is left, and say how it stands.  Raises JournalError where that can't be kept."""
    standing = Standing(plan.rules, plan.names, plan.conditions.matches)
    standing.add_all(store)
    total = len(plan.schedule)
    interrupted = False
    broken = ""

    def enough() -> bool:
        return plan.sprt is not None and standing.test(plan.sprt).state != "continue"

    with ExitStack() as stack:
        progress = stack.enter_context(Progress(total, standing.sets))
        progress.stand(standing, plan.sprt)
        if standing.sets:
            progress.resumed(standing.sets, plan.path)
        if not store.is_locked:
            progress.unlocked(plan.path)

        def on_result(line: dict[str, Any]) -> bool:
            standing.add(line)
            progress.stand(standing, plan.sprt)
            return enough()

        if standing.sets < total and not enough():
            try:
                executor = stack.enter_context(make_executor(
                    plan.concurrency, args.scheduler, close_rosters))
            except ImportError as error:
                return _usage(f"--scheduler {args.scheduler}: {error}; "
                              f"{how_to_get('dask', 'distributed', error)}")
            except OSError as error:
                return _usage(f"--scheduler {args.scheduler}: no Dask scheduler answers there"
                              if args.scheduler else f"no workers: {why(error)}")
            try:
                run(plan.schedule, plan.contenders, plan.conditions, store, executor,
                    in_flight=2 * plan.concurrency, on_result=on_result,
                    on_interrupt=progress.interrupted)
            except InterruptedByUserError:
                interrupted = True
            except BrokenExecutor as error:
                broken = str(error)
    # From the stored sets alone, in the schedule's order: what is said does not depend on
    # who finished first.
    final = Standing(plan.rules, plan.names, plan.conditions.matches)
    final.add_all(store)
    unwritten = write_extras(args, plan, store, final)
    unwritten += say(args, plan, final)
    for message in unwritten:
        _usage(message)
    if broken:
        print(f"cirulla match: a worker has died: {broken}", file=sys.stderr)
        return 1
    if interrupted:
        return 130
    return 2 if unwritten else 1 if final.faults else 0


def say(args: argparse.Namespace, plan: Plan, standing: Standing) -> list[str]:
    """Print how it stands; returns why it could not be."""
    lines = standing.lines(plan.sprt)
    lines.append(f"results in {plan.path}" + (", the same command goes on with them"
                                              if standing.sets < len(plan.schedule) else ""))
    if args.json:
        lines.append(json.dumps(standing.to_json(plan.sprt), sort_keys=True))
    try:
        print(*lines, sep="\n", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left to be written is written to nowhere, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return [f"standard output: {why(error)}; the results are in {plan.path}"]
    return []


def write_extras(
    args: argparse.Namespace, plan: Plan, store: Store, standing: Standing
) -> list[str]:
    """Records and plots, where they are asked for; returns why some could not be written."""
    unwritten = []

    def write(path: Path, save: Callable[[], None]) -> None:
        try:
            save()
        except OSError as error:
            unwritten.append(f"{path}: {why(error)}; the same command writes it again")
        except ValueError as error:
            unwritten.append(f"{path}: {error}")

    if args.records:
        from cirulla_ai.tournament.archive import write_archive

        write(args.records, partial(
            write_archive, args.records, plan.rules, plan.names, store))
    for path in args.plot:
        write(path, partial(
            save_plot, path, plan.rules, plan.names, list(store), standing))
    return unwritten
