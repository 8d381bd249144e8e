"""What each level of the engine throws away a decision, as ``cirulla annotate`` judges it.

    python bench/studies/levels.py > cirulla_ai/analysis/strength.json

Each level plays smazzate of two-player cirulla against itself, the deals the same for all; every
decision is judged as annotate does by default.  ``cirulla stats`` reads the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial

from cirulla_ai import Engine, Limit, State
from cirulla_ai.analysis.annotate import Terms, annotate
from cirulla_ai.analysis.stats import Mean, Stats
from cirulla_ai.engine.levels import FULL
from cirulla_ai.history import History
from cirulla_ai.records import Record
from cirulla_ai.workers.pool import Workers

RULES = "cirulla"
LEVELS = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
# Iterations of the full level's decisions; those below it have a number of their own.
NODES = 2000
COMMAND = "python bench/studies/levels.py"


def played(level: int, seed: int) -> Record:
    """A smazzata of a level against itself."""
    engine = Engine()
    engine.set("Skill Level", level)
    start = State.deal(RULES, dealer=seed % 2, seed=seed)
    game = History(start)
    while not game.state.is_over:
        engine.set("Seed", 1 + 1000 * seed + len(game.steps))
        game = game.play(engine.play(game, Limit(nodes=NODES)))
    return Record.from_play(start, game.words)


def lost(level: int, seeds: range) -> Mean:
    """What the level loses a decision over some smazzate."""
    stats = Stats()
    for seed in seeds:
        stats.add(annotate(played(level, seed), Terms(seed=1 + seed)).as_dict())
    mean = stats.all.losses.mean()
    assert mean is not None
    return mean


def main() -> None:
    """Measure the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--smazzate", type=int, default=60, help="of each level (60)")
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    terms = Terms()
    rows = []
    with Workers(args.workers) as workers:
        means = workers.map(partial(lost, seeds=range(args.smazzate)), LEVELS)
        for level, mean in zip(LEVELS, means, strict=True):
            rows.append({"level": level, "loss": round(mean.mean, 4),
                         "loss_error": round(mean.error or 0.0, 4), "decisions": mean.number})
            print(rows[-1], file=sys.stderr, flush=True)
    assert LEVELS[-1] == FULL
    options = f" --smazzate {args.smazzate}" if args.smazzate != 60 else ""
    print(json.dumps({
        "rules": f"rules={RULES}", "nodes": terms.nodes, "deep": terms.deep,
        "command": f"{COMMAND}{options}", "levels": rows}, indent=1))


if __name__ == "__main__":
    main()
