"""Records to annotate: games by chance and by the engine."""

from __future__ import annotations

from random import Random

from cirulla_ai import Engine, Limit, State
from cirulla_ai.history import History
from cirulla_ai.records import Record

__all__ = ["by_chance", "by_the_engine"]


def by_chance(rules: str, seed: int, actions: int | None = None) -> Record:
    """A smazzata of actions by chance, to its end or so many."""
    random = Random(f"{rules} {seed}")
    start = state = State.deal(rules, seed=seed)
    words: list[str] = []
    while not state.is_over and len(words) != actions:
        words.append(str(random.choice(state.legal_actions())))
        state = state.apply(words[-1])
    return Record.from_play(start, words, names=[f"P{k}" for k in range(start.rules.players)])


def by_the_engine(rules: str, seed: int, nodes: int) -> Record:
    """A smazzata of the engine against itself."""
    engine = Engine()
    game = History(State.deal(rules, seed=seed))
    while not game.state.is_over:
        engine.set("Seed", 1 + len(game.steps))
        game = game.play(engine.play(game, Limit(nodes=nodes)))
    return Record.from_play(game.start, game.words)
