"""Iterations a second of OpenSpiel's ISMCTS and of ours: ``python bench/studies/openspiel.py``.

Both search information sets of trick games on this machine, one thread each: OpenSpiel
(Lanctot et al. 2019) its Hearts and Euchre, we Ciapa No at the first lead.  ``ours`` plays
lines out at random, as OpenSpiel does; ``engine`` by a model of play, and weighs worlds by
what was seen, as the engine does.  OpenSpiel is no dependency of this package.  Install it
beside, and name the interpreter that has it:

    python3 -m venv spiel && spiel/bin/pip install open_spiel
    .venv/bin/python bench/studies/openspiel.py --spiel spiel/bin/python

The two take turns, and the best round of each counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

OURS = """
import json, sys, time
from cirulla_ai import Rules, State
from cirulla_ai._core.ciapano_rollout import CiapanoRollout
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.search import Search
from cirulla_ai._core.stop import Stop
from cirulla_ai.history import History

iterations = int(sys.argv[1])
rules = Rules("ciapano")
equity = Equity(3, rules.target, True, *rules.pace)
state = State.deal(rules, seed=3)
game = History(state)
while game.state.phase == "pass":
    game = game.play(game.state.legal_actions()[0])
state, knowledge = game.state, game.knowledge()
codes = state.position.legal()
rows = []
for who, core, rollout in (("ours", knowledge.core, None),
                         ("engine", knowledge.core.posterior(), CiapanoRollout())):
    search = Search(core, codes, seed=1, hash_bytes=64 << 20, exploration=1, for_match=False,
                    equity=equity, stop=Stop(), rollout=rollout)
    start = time.perf_counter()
    search.run(iterations)
    rows.append([who, "Ciapa No", len(codes), iterations / (time.perf_counter() - start)])
print(json.dumps(rows))
"""

# At the first decision with five cards or more to choose from: the very first of Hearts is
# forced, those of Euchre are bids.
THEIRS = """
import json, random, sys, time
import pyspiel

iterations = int(sys.argv[1])
rows = []
for name in ("hearts", "euchre"):
    chance = random.Random(3)
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 5:
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(actions, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    bot = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, iterations, -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)
    start = time.perf_counter()
    bot.step(state)
    seconds = time.perf_counter() - start
    rows.append(["OpenSpiel", name.capitalize(), len(state.legal_actions()),
                 iterations / seconds])
print(json.dumps(rows))
"""

Row = tuple[str, str, int, float]


def measure(python: str, code: str, iterations: int) -> list[Row]:
    """What a program printed; raises SystemExit with its complaint where it failed."""
    done = subprocess.run([python, "-c", code, str(iterations)], capture_output=True, text=True)
    if "No module named 'pyspiel'" in done.stderr:
        raise SystemExit(
            f"{python} has no OpenSpiel. Install it in an environment of its own and name that:\n"
            "    python3 -m venv spiel && spiel/bin/pip install open_spiel\n"
            f"    {sys.executable} {sys.argv[0]} --spiel spiel/bin/python")
    if done.returncode:
        raise SystemExit(done.stderr)
    return [(who, game, actions, rate) for who, game, actions, rate in json.loads(done.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--spiel", default=sys.executable, metavar="PYTHON",
                        help="an interpreter that has open_spiel (default: this one)")
    parser.add_argument("--iterations", type=int, default=10_000, help="a search (10000)")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts (3)")
    args = parser.parse_args()
    best: dict[tuple[str, str, int], float] = {}
    for _ in range(args.rounds):
        for python, code in ((args.spiel, THEIRS), (sys.executable, OURS)):
            for who, game, actions, rate in measure(python, code, args.iterations):
                key = (who, game, actions)
                best[key] = max(best.get(key, 0.0), rate)
    rates = {who: rate for (who, *_), rate in best.items()}
    print(f"{'search':10} {'game':10} {'actions':>7} {'iterations/s':>13} "
          f"{'ours is':>9} {'engine':>9}")
    for (who, game, actions), rate in best.items():
        print(f"{who:10} {game:10} {actions:7} {rate:13,.0f} {rates['ours'] / rate:8.1f}x "
              f"{rates['engine'] / rate:8.1f}x")


if __name__ == "__main__":
    main()
