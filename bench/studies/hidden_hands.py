"""What showing the others its hand costs the search: ``python bench/studies/hidden_hands.py``.

Two-player Cirulla.  In a single-observer tree the imagined opponent finds out which replies
are good against the hand that the searcher really has.  How much does that cost?  The
decisions looked at are those of the second seat at its first card of a round, when the other
has laid one card and holds two.  From there the rest of the round is solved as a game in
which neither sees the other's hand (``cirulla_ai._core.fishing_equilibrium``), with all the hands
that the other may hold, as likely as the engine's inference takes them to be, a sample of
those that the searcher might, and the round's end worth its learned value.

Both sides of the comparison so believe and value the same; only how they search differs.  Two
equilibria are found from different samples: by the first one plays, the second one judges
both that choice and the engine's, so that no choice is judged by what it was chosen for.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt
from random import Random

from rich.console import Console
from rich.progress import track
from rich.table import Table

from cirulla_ai import State
from cirulla_ai._core.cards import indices
from cirulla_ai._core.fishing_equilibrium import Equilibrium
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.analysis.beliefs import likely_hands
from cirulla_ai.engine.evaluation_file import EvaluationFile
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.players.base import Turn
from cirulla_ai.players.sampling import EnginePlayer

# The searcher's true hand is one of very many to the other seat.
TRUE_HAND = 1e-3
# Iterations of the play that leads to the decisions.
QUICK = Limit(nodes=400)


@dataclass(frozen=True)
class Comparison:
    """A decision: what the equilibrium's choice gains over the engine's, in points."""

    round: int
    gain: float
    differs: bool


def is_wanted(state: State) -> bool:
    """The second seat's first card of a round but the last, with a choice and no hand shown."""
    fields = state.position.fields()
    sizes = [len(indices(hand)) for hand, _ in fields["hands"]]
    return (
        state.phase == "play" and state.turn is not None
        and state.round < len(state.rules.rounds)
        and sizes[state.turn] == 3 and sizes[1 - state.turn] == 2
        and not any(state.shown) and len(state.legal_actions()) > 1)


def beliefs(game: History, value: Value) -> dict[int, float]:
    """The hands that the other seat may hold, and how likely the engine takes each to be."""
    seat = game.state.turn
    assert seat is not None
    mine = game.state.position.fields()["hands"][seat][0]
    likely = likely_hands(game.view(seat), 1 - seat, value)
    return {hand: chance for hand, chance in likely.items() if not hand & mine}


def equilibrium_values(
    state: State, others: dict[int, float], value: Value, own: int, iterations: int,
    random: Random,
) -> dict[int, float]:
    """What each action is worth to the seat to move, in points, neither seeing the other's hand.

    ``others``: the hands that the other seat may hold, and how likely each is; ``own``: how
    many the searcher might hold besides the true one.
    """
    fields = state.position.fields()
    me = state.turn
    assert me is not None
    (mine, _), (theirs, _) = fields["hands"][me], fields["hands"][1 - me]
    cards = [*fields["stock"], *indices(theirs), *indices(mine)]
    # Before the last rounds there are thousands; at their end fewer than were asked for.
    sample = {sum(1 << card for card in random.sample(cards, 3)) for _ in range(own)} - {mine}
    hands = [list(others)] * 2
    weights = [list(others.values())] * 2
    hands[me] = [mine, *sorted(sample)]
    weights[me] = [TRUE_HAND] + [1.0] * len(sample)
    equilibrium = Equilibrium(
        state.position, hands, tremble=0.01, value=value, weights=weights)
    equilibrium.run(iterations)
    return dict(equilibrium.action_values(mine))


def compare(
    start: State, words: list[str], state: State, value: Value, args: argparse.Namespace,
    random: Random,
) -> Comparison:
    """One decision by both, ``words`` after ``start``."""
    game = History(start, *words)
    turn = Turn(game, Limit(nodes=args.nodes))
    others = beliefs(game, value)
    first, second = (
        equilibrium_values(state, others, value, args.own, args.iterations, random)
        for _ in range(2))
    best = max(first, key=lambda code: first[code])
    chosen = EnginePlayer(random.getrandbits(32)).choose(turn).code
    return Comparison(state.round, second[best] - second[chosen], best != chosen)


def decisions(seed: int, value: Value, args: argparse.Namespace) -> list[Comparison]:
    """The decisions of one smazzata, played by quick searches."""
    random = Random(seed)
    start = state = State.deal("cirulla", seed=seed, dealer=seed % 2)
    player = EnginePlayer(seed)
    words: list[str] = []
    out = []
    while not state.is_over:
        if is_wanted(state):
            out.append(compare(start, words, state, value, args, random))
        words.append(str(player.choose(Turn(History(start, *words), QUICK))))
        state = state.play(words[-1])
    return out


def cells(rows: list[Comparison]) -> list[str]:
    """How many, how often they differ, the mean gain and its standard error."""
    n = len(rows)
    if not n:
        return ["0", "", ""]
    mean = sum(row.gain for row in rows) / n
    error = sqrt(sum((row.gain - mean) ** 2 for row in rows) / max(n - 1, 1) / n)
    return [str(n), f"{100 * sum(row.differs for row in rows) / n:.0f} %",
            f"{mean:+.4f} ± {error:.4f}"]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = argparse.ArgumentParser(
        description="What the engine's choices lose, in points, against an equilibrium in which "
        "neither seat sees the other's hand, with the same beliefs and values.")
    out.add_argument("--games", type=int, default=100, metavar="N", help="smazzate (100)")
    out.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    out.add_argument("--nodes", type=int, default=20000, metavar="N",
                     help="iterations of the engine (20000)")
    out.add_argument("--own", type=int, default=40, metavar="N",
                     help="hands that the searcher might hold (40)")
    out.add_argument("--iterations", type=int, default=80, metavar="N",
                     help="of the equilibrium (80)")
    return out


def main() -> None:
    """Run the command."""
    args = parser().parse_args()
    if min(args.games, args.nodes, args.own, args.iterations) < 1:
        parser().error("N is 1 or more")
    rules = State.deal("cirulla", seed=1).rules
    value = EvaluationFile().value(rules)
    assert value is not None
    rows: list[Comparison] = []
    for game in track(range(args.games), "smazzate", console=Console(stderr=True)):
        rows += decisions(1000 * args.seed + game, value, args)
    table = Table(title="what the equilibrium's choice gains over the engine's, in points")
    for heading in ("round", "decisions", "differ", "gain ± standard error"):
        table.add_column(heading, justify="right", no_wrap=True)
    for round in range(1, len(rules.rounds)):
        table.add_row(str(round), *cells([row for row in rows if row.round == round]))
    table.add_row("all", *cells(rows))
    Console().print(table)


if __name__ == "__main__":
    main()
