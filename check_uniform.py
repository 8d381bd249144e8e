"""Whether the first action of a playout is uniform over the legal ones (chi-square)."""

import random
import sys

from cirulla_ai._core.fishing import Position
from cirulla_ai.rules import PRESETS, Rules

DRAWS = 20000
VARIANTS = [f"rules={name}" for name in PRESETS] + [
    "rules=cirulla must_capture=no",
    "rules=scopone must_capture=no",
    "rules=cirulla-coppie claim=optional",
    "rules=cirullone-9 claim=mandatory",
    "rules=cirulla players=3 capture_choice=fewest",
    "rules=cirullone-36 matta_memory=round must_capture=no",
    "rules=cirulla rounds=18 claim_play=free matta=JD claim_royal=12",
    "rules=cirulla rounds=18 matta=QD claim_royal=12",
    "rules=scopa players=2 rounds=20 table_size=0",
]


def key(position):
    return repr(position.fields())


def kinds(codes):
    return {code >> 50 & 3 for code in codes}


def check(position, rng):
    """The normal score of the chi-square statistic of DRAWS first actions."""
    legal = position.legal()
    seen = {}
    for code in legal:
        seen.setdefault(key(position.after(code)), [0, 0])[0] += 1
    for _ in range(DRAWS):
        seen[key(position.after_random(1, rng.getrandbits(64)))][1] += 1
    chi = sum((n - DRAWS * m / len(legal)) ** 2 / (DRAWS * m / len(legal))
              for m, n in seen.values())
    free = len(seen) - 1
    if free == 0:
        return 0.0
    # Wilson and Hilferty: the cube root of a chi-square is nearly normal.
    return ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5


def main():
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    worst = 0.0
    n = 0
    for text in VARIANTS:
        rules = Rules.parse(text)
        matta = 1 << rules.matta if rules.matta >= 0 else 0
        wanted = ["claim", "declared", "big", "any"]
        for _ in range(3000):
            if not wanted:
                break
            p = Position.deal_random(rules.table, 0, [0] * 3, 0, rng.getrandbits(64))
            p = p.after_random(rng.randrange(34), rng.getrandbits(64))
            if p.phase not in ("play", "claim") or not 2 <= len(p.legal()) <= 400:
                continue
            f = p.fields()
            hand = f["hands"][f["turn"]][0]
            here = {"any"}
            if 1 in kinds(p.legal()):
                here.add("claim")
            if f["declared"] and (hand | f["table"]) & matta:
                here.add("declared")
            if bin(f["table"]).count("1") > 4:
                here.add("big")
            for what in wanted:
                if what in here:
                    wanted.remove(what)
                    z = check(p, rng)
                    n += 1
                    worst = max(worst, z)
                    flag = "  <-- !" if z > 4.2 else ""
                    print(f"{text:60s} {what:9s} {len(p.legal()):4d} legal  z={z:+.2f}{flag}")
                    break
    print(f"{n} positions, worst z {worst:.2f}")
    return worst > 4.2


if __name__ == "__main__":
    sys.exit(main())
