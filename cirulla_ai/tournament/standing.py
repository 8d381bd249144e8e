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


def without_luck(rules: Rules, line: dict[str, Any]) -> dict[str, Any] | None:
    """A stored deal set with the luck of the deals taken out of points and matches; None where
    it was not worked out."""
    if not all("luck" in game for game in line["games"]):
        return None
    # Of a margin, a side's own part: they add up to nothing.
    share = (rules.sides - 1) / rules.sides
    games = []
    for game in line["games"]:
        adjusted = {"points": [
            points - share * luck
            for points, luck in zip(game["points"], game["luck"], strict=True)]}
        if "won" in game:
            adjusted["won"] = [
                won - luck for won, luck in zip(game["won"], game["match_luck"], strict=True)]
        games.append({**game, **adjusted})
    return {**line, "games": games}


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
    # Where luck was worked out: the same without it, of whole matches their shares, and what that
    # is to be compared with.  (Points a smazzata of matches are none of it: luck makes matches
    # long or short.)
    plain: Tally | None = None
    adjusted: Tally | None = None
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
        self._add_luck(line)

    def _add_luck(self, line: dict[str, Any]) -> None:
        """Take in a deal set once more, with the luck of the deals taken out."""
        adjusted = without_luck(self.rules, line)
        if adjusted is None:
            return
        if self.plain is None or self.adjusted is None:
            self.plain, self.adjusted = (Tally(len(line["games"])) for _ in range(2))
        for tally, told in ((self.plain, line), (self.adjusted, adjusted)):
            tally.add([self._won(game) for game in told["games"]] if self.with_matches
                      else set_result(self.rules, self.names, told).differences(*self.names))

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
        if self.plain is not None and self.adjusted is not None:
            out["luck"] = {"of": "matches" if self.with_matches else "points",
                           **_compared(self.plain, self.adjusted)}
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
        if self.plain is not None and self.adjusted is not None:
            luck = _compared(self.plain, self.adjusted)
            out.append(_luck_line(f"% of the matches won by {a}", luck, 100)
                       if self.with_matches else _luck_line(per, luck, 1))
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


def _compared(plain: Tally, adjusted: Tally) -> dict[str, Any]:
    """Two means of the same sets, with their standard errors; which is the surer; and by what
    the variance of a single game is divided where its luck is taken out."""
    a, b = plain.summary(), adjusted.summary()
    out: dict[str, Any] = {
        "mean": b.mean, "error": b.error, "plain_mean": a.mean, "plain_error": a.error,
        "smaller": None, "variance_ratio": None}
    if a.error is not None and b.error is not None:
        out["smaller"] = "luck" if b.error < a.error else "plain"
    if a.independent_error and b.independent_error:
        out["variance_ratio"] = (a.independent_error / b.independent_error) ** 2
    return out


def _luck_line(per: str, luck: dict[str, Any], unit: float) -> str:
    """What is left when the luck of the deals is taken out, and whether it says more."""
    form = "+.3f" if unit == 1 else ".1f"
    text = f"luck   {unit * (luck['mean'] or 0):{form}}"
    if luck["error"] is None:
        return f"{text} {per}, with the luck of the deals taken out"
    places = form[-2:]
    text += (f" ± {unit * luck['error']:.{places}} {per}, with the luck of the deals taken out; "
             f"plain {unit * luck['plain_mean']:{form}} ± {unit * luck['plain_error']:.{places}}: "
             f"the smaller error is "
             f"{'that without luck' if luck['smaller'] == 'luck' else 'the plain one'}")
    if luck["variance_ratio"] is not None:
        text += (f" (of single games it divides the variance by {luck['variance_ratio']:.2f}, of "
                 f"deal sets by {_squared(luck['plain_error'], luck['error'])})")
    return text


def _squared(plain: float, adjusted: float) -> str:
    return f"{(plain / adjusted) ** 2:.2f}" if adjusted else "any number"


def describe(sprt: PointsSprt | EloSprt) -> str:
    """A test's hypotheses in words."""
    if isinstance(sprt, PointsSprt):
        return f"points {sprt.points0:g} or {sprt.points1:g}"
    return f"{sprt.model} Elo {sprt.elo0:g} or {sprt.elo1:g}"
