"""How much play in the last round but one loses: ``python bench/studies/penultimate.py``.

Two-player Cirulla.  For positions at the beginning of that round, reached by the careful
player, the equilibrium of the round is worked out (``cirulla_ai._core.fishing_equilibrium``) and
hands are dealt.  What the engine and the simple players choose with them is compared with
the best choice against the equilibrium strategy of the other seat: the difference is what
the decision loses, in points of the smazzata.  Play goes on by the equilibrium strategies,
so that every decision comes about as often as it should.

An equilibrium takes some ten seconds; ``--cache FILE`` keeps them for the next time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from cirulla_ai import State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.cards import indices, set_of
from cirulla_ai._core.fishing_equilibrium import Equilibrium
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai.action import Action
from cirulla_ai.analysis.solve import converge
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import OptionError
from cirulla_ai.history import History
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.players.sampling import EnginePlayer

VERSION = 1
MOVETIMES = (10.0, 100.0, 1000.0)
# A choice that loses less than this is called right: far above what the equilibrium is off by.
RIGHT = 0.01


@dataclass(frozen=True)
class Decision:
    """A decision with a choice: where the round began, what was played since, and what each
    action is worth (points of the seat to move minus the other's)."""

    start: str
    words: tuple[str, ...]
    card: int               # the place, from 1, of the card of the round that is about to be played
    values: dict[str, float]

    def loss(self, action: str) -> float:
        """What an action loses, in points."""
        return max(self.values.values()) - self.values[action]

    @property
    def random_loss(self) -> float:
        """What a choice at random loses on average."""
        return max(self.values.values()) - sum(self.values.values()) / len(self.values)


@dataclass(frozen=True)
class Solved:
    """A position with its equilibrium's value (side 0 minus side 1) and some decisions."""

    state: str
    value: float
    gap: float
    iterations: int
    seconds: float
    decisions: tuple[Decision, ...]

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Solved:
        """What ``asdict`` and JSON made of one."""
        decisions = tuple(
            Decision(**{**row, "words": tuple(row["words"])}) for row in line.pop("decisions"))
        return cls(**line, decisions=decisions)


# --- positions, deals, decisions ------------------------------------------------------

def reach(seed: int) -> State | None:
    """The beginning of the last round but one; None where it does not come to that."""
    start = state = State.deal("cirulla", seed=seed, dealer=seed % 2)
    player = make_player("careful", seed)
    words: list[str] = []
    while state.round < len(state.rules.rounds) - 1:
        words.append(str(player.choose(Turn(History(start, *words), Limit()))))
        state = state.play(words[-1])
        if state.is_over:
            return None
    return state


def redeal(state: State, random: Random) -> State:
    """The same position with hands and stock dealt again."""
    fields = state.position.fields()
    sizes = [bin(cards).count("1") for cards, _ in fields["hands"]]
    cards = [*fields["stock"]]
    for hand, _ in fields["hands"]:
        cards += indices(hand)
    random.shuffle(cards)
    hands = []
    for size in sizes:
        hands.append((sum(1 << card for card in cards[:size]), 0))
        cards = cards[size:]
    fields.update(hands=hands, stock=cards)
    return State(state.rules, FishingPosition(state.rules.table, fields))


def decisions(
    equilibrium: Equilibrium, start: State, cards: int, random: Random
) -> Iterator[Decision]:
    """The decisions of one deal up to the ``cards``th card, as the equilibrium plays it."""
    state = start
    history: list[int] = []
    card = 1
    while card <= cards and not state.is_over:
        assert state.turn is not None
        hand = set_of("".join(state.hands[state.turn]))
        values = equilibrium.action_values(hand, history)
        if len(values) > 1:
            yield Decision(
                str(start), tuple(map(action_text, history)), card,
                {action_text(code): round(value, 5) for code, value in values})
        codes, chances = zip(*equilibrium.strategy(hand, history), strict=True)
        code = random.choices(codes, chances)[0]
        history.append(code)
        state = state.apply(action_text(code))
        card += Action.from_code(code).kind == "play"


def solve(state: State, args: argparse.Namespace, seed: int) -> Solved:
    """The equilibrium of a position, and decisions with it."""
    began = perf_counter()
    random = Random(seed)
    equilibrium = Equilibrium(state.position)
    *_, (low, high) = converge(equilibrium, args.gap)
    found: list[Decision] = []
    for _ in range(args.deals):
        found += decisions(equilibrium, redeal(state, random), args.cards, random)
    return Solved(str(state), equilibrium.value, high - low, equilibrium.iterations,
                  perf_counter() - began, tuple(found))


class Cache:
    """Solved positions in a file of JSON lines, the first of which says how they were made.

    Raises ValueError where the file was made otherwise.
    """

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        self.path = path
        self.solved: list[Solved] = []
        header = {"version": VERSION, **header}
        if path is None:
            return
        if path.exists():
            # What a kill tore off is made again.
            whole = [line for line in path.read_text().splitlines(True) if line.endswith("\n")]
            if whole and json.loads(whole[0]) != header:
                raise ValueError(f"{path} was made with {whole[0].strip()}, not with "
                                 f"{json.dumps(header)}: give the same options or another file")
            self.solved = [Solved.from_json(json.loads(line)) for line in whole[1:]]
            path.write_text("".join(whole))
        if not path.exists() or not path.read_text():
            path.write_text(json.dumps(header) + "\n")

    def add(self, solved: Solved) -> None:
        """Keep one more."""
        self.solved.append(solved)
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(asdict(solved)) + "\n")


def solved_positions(args: argparse.Namespace, progress: Progress) -> list[Solved]:
    """As many as were asked for, out of the cache as far as they are there."""
    cache = Cache(args.cache, {
        "seed": args.seed, "deals": args.deals, "cards": args.cards, "gap": args.gap})
    task = progress.add_task("equilibria", total=args.positions)
    seed = 1000 * args.seed
    done = 0
    while done < args.positions:
        state = reach(seed)
        seed += 1
        if state is None:
            continue
        if done >= len(cache.solved):
            cache.add(solve(state, args, seed))
        done += 1
        progress.update(task, completed=done)
    return cache.solved[:args.positions]


# --- what players lose ------------------------------------------------------------------

def choice(player: Player, decision: Decision, limit: Limit) -> str:
    """What a player that has seen the round so far does."""
    turn = Turn(History(State.parse(decision.start), *decision.words), limit)
    return str(player.choose(turn))


def losses(
    name: str, player: Player | None, limit: Limit, solved: Sequence[Solved], progress: Progress
) -> list[list[tuple[int, float]]]:
    """For each position (card of the round, loss) of its decisions; no player: at random."""
    task = progress.add_task(name, total=sum(len(one.decisions) for one in solved))
    out = []
    for k, one in enumerate(solved):
        row = []
        for i, decision in enumerate(one.decisions):
            if player is None:
                loss = decision.random_loss
            else:
                player.begin(1000 * k + i)
                loss = decision.loss(choice(player, decision, limit))
            row.append((decision.card, loss))
            progress.advance(task)
        out.append(row)
    return out


def mean(rows: Iterable[Iterable[float]]) -> tuple[float, float]:
    """Mean over all decisions and its standard error; those of a position belong together."""
    sums = [(len(row), sum(row)) for row in map(list, rows)]
    n = sum(count for count, _ in sums)
    if not n:
        return 0.0, 0.0
    average = sum(total for _, total in sums) / n
    squares = sum((total - average * count) ** 2 for count, total in sums)
    return average, sqrt(squares * len(sums) / max(len(sums) - 1, 1)) / n


def row_of(name: str, found: list[list[tuple[int, float]]], cards: int) -> list[str]:
    """A line of the table."""
    def cell(rows: list[list[float]]) -> str:
        average, error = mean(rows)
        return f"{average:.3f} ± {error:.3f}"

    every = [[loss for _, loss in row] for row in found]
    right = mean([[float(loss < RIGHT) for loss in row] for row in every])[0]
    return [name, cell(every),
            *(cell([[loss for at, loss in row if at == card] for row in found])
              for card in range(1, cards + 1)),
            f"{100 * right:.1f} %"]


def contenders(args: argparse.Namespace) -> Iterator[tuple[str, Player | None, Limit]]:
    """Who is measured: (name, player, limit)."""
    yield "random", None, Limit()
    for name in ("greedy", "careful"):
        yield name, make_player(name, 1), Limit()
    movetimes = args.movetime if args.movetime or args.nodes else MOVETIMES
    options = [tuple(option.partition("=")[::2]) for option in args.option]
    for limit, name in [
        *((Limit(nodes=nodes), f"engine, {nodes} nodes") for nodes in args.nodes),
        *((Limit(movetime=ms), f"engine, {ms:g} ms") for ms in movetimes),
    ]:
        yield name, EnginePlayer(1, options), limit


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = argparse.ArgumentParser(
        description="What the decisions of the last round but one lose, in points, measured by "
        "that round's equilibrium.")
    out.add_argument("--positions", type=int, default=50, metavar="N", help="(50)")
    out.add_argument("--deals", type=int, default=6, metavar="N",
                     help="deals of hands a position (6)")
    out.add_argument("--cards", type=int, default=2, metavar="N",
                     help="decisions up to this card of the round, 1 … 5 (2: the first of each "
                     "seat)")
    out.add_argument("--seed", type=int, default=1, help="of the positions and hands (1)")
    out.add_argument("--gap", type=float, default=0.01, metavar="POINTS",
                     help="how much the equilibrium may be exploited by (0.01)")
    out.add_argument("--cache", type=Path, metavar="FILE",
                     help="keep the equilibria in this file, and use those that it has")
    out.add_argument("--movetime", type=float, nargs="+", default=[], metavar="MS",
                     help="engine times (10 100 1000, where no nodes are given)")
    out.add_argument("--nodes", type=int, nargs="+", default=[], metavar="N",
                     help="engine iterations")
    out.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                     help="of the engine")
    return out


def main() -> None:
    """Run the command."""
    args = parser().parse_args()
    if not (args.positions > 0 and args.deals > 0 and 1 <= args.cards <= 5 and args.gap > 0):
        parser().error("N is 1 or more, --cards 1 … 5, --gap above 0")
    try:
        players = list(contenders(args))
    except OptionError as error:
        parser().error(str(error))
    with Progress(console=Console(stderr=True)) as progress:
        try:
            solved = solved_positions(args, progress)
        except ValueError as error:
            parser().error(str(error))
        rows = [row_of(name, losses(name, player, limit, solved, progress), args.cards)
                for name, player, limit in players]
    count = sum(len(one.decisions) for one in solved)
    table = Table(title=f"points lost a decision ± standard error; {len(solved)} positions, "
                  f"{count} decisions")
    for heading in ("player", "all", *(f"card {k}" for k in range(1, args.cards + 1)), "right"):
        table.add_column(heading, justify="left" if heading == "player" else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console()
    console.print(table)
    console.print(
        f"equilibria: gap at most {max(one.gap for one in solved):.4f} points, "
        f"{sum(one.seconds for one in solved) / len(solved):.1f} s and "
        f"{sum(one.iterations for one in solved) / len(solved):.0f} iterations each")


if __name__ == "__main__":
    main()
