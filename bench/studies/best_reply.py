"""What can be won from an opponent that is known: ``python bench/studies/best_reply.py exact``.

Two-player Cirulla.  A player plays smazzate against an opponent whose choices can be asked for
with any hand: a simple player, or the plain search with a few seeds.  At each of the player's
decisions all hands that agree with what the opponent has done this round are found by asking it,
and the best reply to it is worked out to the round's end, which is worth its learned value.
By how much the player's choice is worth less, summed over a smazzata, is by how much one that
knew the opponent through and through would win more (the performance difference lemma: Kakade
and Langford, "Approximately optimal approximate reinforcement learning", ICML 2002).  Where
player and opponent are of a kind, and so would win nothing from each other, it is all that
there is to be won from it.

Last rounds are left out: there the solved ones lose nothing, whoever the opponent.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import sqrt
from random import Random

from rich.console import Console
from rich.progress import track
from rich.table import Table

from cirulla_ai import State
from cirulla_ai._core.actions import action_text, decode
from cirulla_ai._core.cards import indices
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.engine.evaluation_file import EvaluationFile
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History as Played
from cirulla_ai.players import Player, make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.workers.pool import Workers

History = tuple[int, ...]

# Cards that both play in a round.
PLAYS = 6
# These do the same whenever they see the same.
BY_RULE = ("greedy", "careful", "exact")
# Information-set Monte Carlo tree search and nothing else.
PLAIN = (
    ("Evaluation", "false"), ("Exact", "false"), ("Inference", "false"), ("Exploration", "100"))


@dataclass(frozen=True)
class World:
    """What may be true: the round as it began and as it is now, the hand that the opponent
    was dealt, and how likely that is."""

    start: FishingPosition
    now: FishingPosition
    hand: int
    weight: float = 1.0

    def after(self, code: int, chance: float = 1.0) -> World:
        """The same after one more action, which was as likely."""
        return World(self.start, self.now.after(code), self.hand, self.weight * chance)


@dataclass(frozen=True)
class Loss:
    """A decision of the player: what it loses against the best reply, in points."""

    round: int
    loss: float


class Opponent:
    """A player that can be asked what it does, and how often."""

    def __init__(self, name: str, nodes: int, seeds: int) -> None:
        self.limit = Limit(nodes=nodes)
        self.players: list[Player] = [make_player(name)] if name in BY_RULE else [
            EnginePlayer(options=(*PLAIN, ("Seed", str(seed)))) for seed in range(1, seeds + 1)]

    def chances(self, start: State, words: Sequence[str], state: State) -> dict[int, float]:
        """How likely it does what, by code; ``words`` led from ``start`` to ``state``."""
        out: dict[int, float] = defaultdict(float)
        for player in self.players:
            code = player.choose(Turn(Played(start, *words), self.limit)).code
            out[code] += 1 / len(self.players)
        return dict(out)


class Round:
    """A round of the seat ``me``, against an opponent that can be asked.

    ``start`` is the whole truth as the round begins; histories are the codes of what both did
    since.  Of more than ``most`` hands of the opponent a sample is looked at.
    """

    def __init__(self, start: State, me: int, opponent: Opponent, value: Value, most: int) -> None:
        self.start = start
        self.me = me
        self.opponent = opponent
        self.value = value
        self.most = most
        self.fields = start.position.fields()
        # What the opponent does with a hand, as it was dealt, after a history.
        self.asked: dict[tuple[int, History], dict[int, float]] = {}

    def replies(self, world: World, history: History) -> dict[int, float]:
        """How likely the opponent, who is to move, does what in a world."""
        codes = world.now.legal()
        if len(codes) == 1:
            return {codes[0]: 1.0}
        if (world.hand, history) not in self.asked:
            rules = self.start.rules
            self.asked[world.hand, history] = self.opponent.chances(
                State(rules, world.start), list(map(action_text, history)),
                State(rules, world.now))
        return self.asked[world.hand, history]

    def truth(self, history: History) -> World:
        """The world that is true."""
        position = self.start.position
        for code in history:
            position = position.after(code)
        return World(self.start.position, position, self.fields["hands"][1 - self.me][0])

    def worlds(self, history: History, random: Random) -> list[World]:
        """A world for each hand with which the opponent may have done as it has."""
        cards = {*self.fields["stock"], *indices(self.fields["hands"][1 - self.me][0])}
        seen = self._seen(history)
        hidden = list(combinations(sorted(cards - seen), 3 - len(seen)))
        if len(hidden) > self.most:
            hidden = random.sample(hidden, self.most)
        worlds = [self._world(seen.union(more), cards) for more in hidden]
        for i, code in enumerate(history):
            worlds = [
                world.after(code, chance) for world in worlds
                if (chance := self._chance(world, history[:i], code))]
        return worlds

    def _world(self, hand: set[int], cards: set[int]) -> World:
        """The round with this hand of the opponent, of the cards that it may have."""
        dealt = list(self.fields["hands"])
        dealt[1 - self.me] = (sum(1 << card for card in hand), 0)
        start = FishingPosition(self.start.rules.table, self.fields | {
            "hands": dealt, "stock": sorted(cards - hand)})
        return World(start, start, dealt[1 - self.me][0])

    def _seen(self, history: History) -> set[int]:
        """The cards that the opponent has played or shown."""
        position = self.start.position
        seen: set[int] = set()
        for code in history:
            kind, card, cards, _ = decode(code)
            if position.turn != self.me:
                seen |= {card} if kind == "play" and card is not None else set(indices(cards))
            position = position.after(code)
        return seen

    def _chance(self, world: World, history: History, code: int) -> float:
        """How likely this is what is done next in a world."""
        if code not in world.now.legal():
            return 0.0
        return 1.0 if world.now.turn == self.me else self.replies(world, history).get(code, 0.0)

    def action_values(self, worlds: Sequence[World], history: History) -> dict[int, float]:
        """What each action of the seat is worth in the mean of the worlds, the best replies
        following; it can't tell which of them is true."""
        weight = sum(world.weight for world in worlds)
        return {code: worth / weight for code, worth in self._sums(worlds, history).items()}

    def _sums(self, worlds: Sequence[World], history: History) -> dict[int, float]:
        """What each action is worth, summed over worlds that the seat can't tell apart."""
        return {
            code: self._worth([world.after(code) for world in worlds], (*history, code))
            for code in worlds[0].now.legal()}

    def _worth(self, worlds: Sequence[World], history: History) -> float:
        """What such worlds are worth together, each by its weight."""
        if sum(decode(code)[0] == "play" for code in history) == PLAYS or worlds[0].now.turn < 0:
            return sum(world.weight * self._end(world.now) for world in worlds)
        if worlds[0].now.turn == self.me:
            return max(self._sums(worlds, history).values())
        groups: dict[int, list[World]] = defaultdict(list)
        for world in worlds:
            for code, chance in self.replies(world, history).items():
                groups[code].append(world.after(code, chance))
        return sum(self._worth(group, (*history, code)) for code, group in groups.items())

    def _end(self, position: FishingPosition) -> float:
        """The margin of the seat that a round's end promises."""
        if position.won >= 0:
            return self.start.rules.target * (1.0 if position.won == self.me else -1.0)
        points = self.value.points(position)
        return points[self.me] - points[1 - self.me]


def decider(name: str, seed: int) -> Player:
    """The player whose losses are measured."""
    if name in BY_RULE:
        return make_player(name)
    return EnginePlayer(seed, PLAIN if name == "plain" else ())


def losses(seed: int, me: int, args: argparse.Namespace) -> list[Loss]:
    """The player's decisions of one smazzata, in which it has the seat ``me``."""
    random = Random(2 * seed + me)
    start = state = State.deal("cirulla", seed=seed, dealer=seed % 2)
    value = EvaluationFile().value(state.rules)
    assert value is not None
    player = decider(args.player, 2 * seed + me)
    opponent = Opponent(args.opponent, args.opponent_nodes, args.seeds)
    words: list[str] = []
    history: History = ()
    out: list[Loss] = []
    now = 0
    while not state.is_over and state.round < len(state.rules.rounds):
        if state.round != now:
            now, history = state.round, ()
            round = Round(state, me, opponent, value, args.hands)
        if state.turn != me:
            replies = round.replies(round.truth(history), history)
            code = random.choices(list(replies), list(replies.values()))[0]
        else:
            code = player.choose(Turn(Played(start, *words), Limit(nodes=args.nodes))).code
            if now >= args.first and len(state.legal_actions()) > 1:
                values = round.action_values(round.worlds(history, random), history)
                out.append(Loss(now, max(values.values()) - values[code]))
        history = (*history, code)
        words.append(action_text(code))
        state = state.play(words[-1])
    return out


def game(number: int, args: argparse.Namespace) -> list[Loss]:
    """``losses`` of a smazzata by its number, the player in one seat after the other."""
    return losses(1000 * args.seed + number // 2, number % 2, args)


def summed(games: Sequence[Sequence[Loss]], round: int | None = None) -> list[str]:
    """Decisions, the mean loss of one, and the sum over a smazzata with its standard error."""
    sums = [sum(one.loss for one in rows if round in (None, one.round)) for rows in games]
    count = sum(round in (None, one.round) for rows in games for one in rows)
    mean = sum(sums) / len(sums)
    error = sqrt(sum((x - mean) ** 2 for x in sums) / max(len(sums) - 1, 1) / len(sums))
    return [str(count), f"{sum(sums) / max(count, 1):.3f}", f"{mean:.3f} ± {error:.3f}"]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = argparse.ArgumentParser(
        description="What a player wins less from an opponent than one that knew it could.")
    out.add_argument("opponent", choices=(*BY_RULE, "plain"), help="who is known")
    out.add_argument("--player", choices=(*BY_RULE, "plain", "engine"), default="engine",
                     help="whose decisions are looked at (engine)")
    out.add_argument("--games", type=int, default=100, metavar="N", help="smazzate (100)")
    out.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    out.add_argument("--nodes", type=int, default=20000, metavar="N",
                     help="iterations of the player, if it searches (20000)")
    out.add_argument("--opponent-nodes", type=int, default=4000, metavar="N",
                     help="iterations of an opponent that searches (4000)")
    out.add_argument("--seeds", type=int, default=1, metavar="N",
                     help="seeds with which it is asked: 1 knows its random numbers too (1)")
    out.add_argument("--hands", type=int, default=6000, metavar="N",
                     help="hands of the opponent that are looked at, at most (6000: all)")
    out.add_argument("--first", type=int, default=1, metavar="N",
                     help="the round from which on decisions are looked at (1)")
    out.add_argument("--concurrency", type=int, default=2, metavar="N",
                     help="smazzate at once (2)")
    return out


def main() -> None:
    """Run the command."""
    args = parser().parse_args()
    if min(args.games, args.nodes, args.opponent_nodes, args.seeds, args.hands, args.first,
           args.concurrency) < 1:
        parser().error("N is 1 or more")
    with Workers(args.concurrency) as pool:
        results = pool.map(partial(game, args=args), range(args.games))
        games = list(track(results, "smazzate", args.games, console=Console(stderr=True)))
    table = Table(title=f"the best reply to {args.opponent}: points that {args.player} loses")
    for heading in ("round", "decisions", "a decision", "a smazzata"):
        table.add_column(heading, justify="right", no_wrap=True)
    for number in sorted({one.round for rows in games for one in rows}):
        table.add_row(str(number), *summed(games, number))
    table.add_row("all", *summed(games))
    Console().print(table)


if __name__ == "__main__":
    main()
