"""The progress of a tournament on the terminal, with how it stands."""

from __future__ import annotations

from pathlib import Path

# Whoever plays matches has the extra, and is told so before hours of play, not after.
import rich.progress  # noqa: F401

from cirulla_ai.tournament.standing import Standing
from cirulla_ai.tournament.statistics import EloSprt, PointsSprt
from cirulla_ai.workers.bar import Bar

__all__ = ["Progress"]


class Progress(Bar):
    """A bar on standard error, which is a terminal; elsewhere a line now and then."""

    def __init__(self, total: int, done: int) -> None:
        super().__init__(total, done)
        self._total = total
        self._every = max(1, total // 10)
        self._said = done

    def stand(self, standing: Standing, sprt: PointsSprt | EloSprt | None) -> None:
        """The standing after another deal set."""
        text = summary(standing, sprt)
        self.show(standing.sets, text)
        if not self.is_seen and standing.sets - self._said >= self._every:
            self._said = standing.sets
            self.say(f"{standing.sets}/{self._total}  {text}")

    def resumed(self, sets: int, path: Path) -> None:
        """What an earlier run has left."""
        self.say(f"{sets} deal sets are in {path} already, played with the engines as they were "
                 "then")

    def unlocked(self, path: Path) -> None:
        """That nothing keeps another run away."""
        self.say(f"{path} can't be locked where it is: see to it that one run at a time works "
                 "on it")

    def interrupted(self, running: int) -> None:
        """What happens after Ctrl-C."""
        self.say(f"stopping after the {running} deal sets that are being played or come next; "
                 "Ctrl-C again drops them")


def summary(standing: Standing, sprt: PointsSprt | EloSprt | None) -> str:
    """The standing in a few words."""
    if standing.tally is None:
        best = standing.ratings.table()
        return f"{best[0].name} leads" if standing.sets and best else "playing"
    s = standing.tally.summary()
    text = f"{s.mean or 0:+.2f}" + ("" if s.error is None else f" ± {s.error:.2f}")
    if sprt is not None:
        text += f" LLR {standing.test(sprt).llr:.2f}"
    return text
