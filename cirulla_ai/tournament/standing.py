"""Where a tournament stands, worked out from its stored deal sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cirulla_ai.rules import Rules
from cirulla_ai.tournament.statistics import (
    EloSprt,
    PointsSprt,
    Ratings,
    Scores,
    SetResult,
    SprtResult,
    Tally,
)

__all__ = ["Standing"]


def set_result(rules: Rules, names: Sequence[str], line: dict[str, Any]) -> SetResult:
    """A stored deal set as the statistics take it: engines and points per side."""
    engines, points = [], []
    for game in line["games"]:
        seats = game["seats"]
        engines.append(tuple(names[seats[side]] for side in range(rules.sides)))
        # Of a whole match, what a smazzata of it brought on average.
        points.append(tuple(p / game.get("smazzate", 1) for p in game["points"]))
    return SetResult(tuple(engines), tuple(points))


@dataclass
class Standing:
    """Sums over the deal sets of a tournament; the order of the sets makes no difference.

    ``names`` are the contenders.  With two contenders ``tally`` compares the first with the
    second, and ``matches`` counts whole matches where those are played.
    """

    rules: Rules
    names: Sequence[str]
    with_matches: bool = False
    ratings: Ratings = field(init=False)
    tally: Tally | None = None
    matches: Scores | None = None
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    sets: int = 0
    # Matches that went to whoever led after the most smazzate that they may have.
    cut: int = 0

    def __post_init__(self) -> None:
        self.ratings = Ratings(tuple(self.names))

    def add(self, line: dict[str, Any]) -> None:
        """Take in one stored deal set."""
        result = set_result(self.rules, self.names, line)
        self.ratings.add(result)
        self.sets += 1
        for game in line["games"]:
            self.cut += bool(game.get("cut"))
            for fault in game.get("forfeits", ()):
                self.faults[self.names[game["seats"][fault["seat"]]], fault["kind"]] += 1
        if len(self.names) != 2:
            return
        a, b = self.names
        if self.tally is None:
            self.tally = Tally(len(line["games"]))
        self.tally.add(result.differences(a, b))
        if self.with_matches:
            if self.matches is None:
                self.matches = Scores(len(line["games"]))
            self.matches.add([self._won(game) for game in line["games"]])

    def _won(self, game: dict[str, Any]) -> float:
        """The share of a whole match that the first contender won."""
        seats = game["seats"]
        return float(sum(
            share for side, share in enumerate(game["won"]) if seats[side] == 0))

    def add_all(self, lines: Iterable[dict[str, Any]]) -> None:
        """Take in many."""
        for line in lines:
            self.add(line)

    def test(self, sprt: PointsSprt | EloSprt) -> SprtResult:
        """Where a sequential test stands (two contenders)."""
        if isinstance(sprt, EloSprt) and self.matches is not None:
            return sprt.test(self.matches)
        return sprt.test(self.tally or Tally())

    # --- for people and programs ------------------------------------------------------

    def to_json(self, sprt: PointsSprt | EloSprt | None = None) -> dict[str, Any]:
        """Everything as plain values."""
        out: dict[str, Any] = {
            "rules": str(self.rules), "engines": list(self.names), "sets": self.sets,
            "faults": [
                {"engine": name, "kind": kind, "count": count}
                for (name, kind), count in sorted(self.faults.items())],
            "ratings": [asdict(rating) for rating in self.ratings.table()],
        }
        if self.tally is not None:
            out["summary"] = asdict(self.tally.summary())
        if self.matches is not None:
            out["matches"] = asdict(self.matches.summary())
        if self.with_matches:
            out["cut"] = self.cut
        if sprt is not None:
            out["sprt"] = asdict(self.test(sprt))
        return out

    def lines(self, sprt: PointsSprt | EloSprt | None = None) -> list[str]:
        """The standing as text, the same for the same deal sets."""
        out = []
        if self.tally is not None:
            out += self._pair_lines()
        if len(self.names) > 2:
            out += self._table_lines()
        if sprt is not None and len(self.names) == 2:
            result = self.test(sprt)
            out.append(f"SPRT {describe(sprt)}: LLR {result.llr:.2f} "
                       f"({result.lower:.2f} … {result.upper:.2f}), "
                       + {"continue": "undecided", "H0": "H0 accepted",
                          "H1": "H1 accepted"}[result.state])
        if self.cut:
            out.append(f"cut    {self.cut} matches had no winner after the most smazzate that they "
                       "may have, and went to who led then")
        out += [
            f"fault  {name}: {kind} in {count} smazzate"
            for (name, kind), count in sorted(self.faults.items())]
        return out or ["no deal set has finished yet"]

    def _pair_lines(self) -> list[str]:
        assert self.tally is not None
        a, b = self.names
        s = self.tally.summary()
        scores = s.scores
        per = f"points a smazzata, {a} minus {b}"
        out = [f"{s.sets} deal sets, {s.games} games of {a} against {b}"]
        if s.error is None:
            out.append(f"mean   {s.mean or 0:+.3f} {per}")
        else:
            out.append(f"mean   {s.mean:+.3f} ± {s.error:.3f} (standard error) {per}; "
                       f"95 % {s.low:+.3f} … {s.high:+.3f}; likelihood of superiority "
                       f"{s.superiority:.4f}")
        out.append(f"sets   won {s.won}, drawn {s.drawn}, lost {s.lost}; games won "
                   f"{s.games_won}, drawn {s.games_drawn}, lost {s.games_lost}")
        steps = "/".join(f"{k / 2:g}" for k in range(len(scores.counts)))
        out.append(f"scores {'/'.join(map(str, scores.counts))} sets of {steps} points")
        out.append(f"Elo    {scores.elo:+.1f}, 95 % {scores.elo_low:+.1f} … "
                   f"{scores.elo_high:+.1f}; likelihood of superiority "
                   f"{scores.superiority:.4f}")
        if s.saved is not None and s.independent_error is not None:
            out.append(f"deals  played both ways divided the variance by {s.saved:.2f} "
                       f"(standard error of as many independent games: "
                       f"{s.independent_error:.3f})")
        if self.matches is not None:
            m = self.matches.summary()
            out.append(f"match  {a} won {100 * (m.score or 0):.1f} % of {m.games} matches, 95 % "
                       f"{100 * m.low:.1f} … {100 * m.high:.1f}; Elo {m.elo:+.1f}, 95 % "
                       f"{m.elo_low:+.1f} … {m.elo_high:+.1f}")
        return out

    def _table_lines(self) -> list[str]:
        width = max(map(len, self.names), default=0)
        out = [f"{'':3} {'engine':{width}} {'sets':>6} {'points':>8} {'± 95 %':>8} "
               f"{'Elo':>7} {'± 95 %':>7}"]
        for place, r in enumerate(self.ratings.table(), 1):
            out.append(
                f"{place:3} {r.name:{width}} {r.sets:6} {r.points:+8.3f} "
                f"{(r.points_high - r.points_low) / 2:8.3f} {r.elo:+7.1f} "
                f"{(r.elo_high - r.elo_low) / 2:7.1f}")
        return out


def describe(sprt: PointsSprt | EloSprt) -> str:
    """A test's hypotheses in words."""
    if isinstance(sprt, PointsSprt):
        return f"points {sprt.points0:g} or {sprt.points1:g}"
    return f"{sprt.model} Elo {sprt.elo0:g} or {sprt.elo1:g}"
