"""The progress of a tournament on the terminal, with how it stands."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from cirulla_ai.tournament.standing import Standing
from cirulla_ai.tournament.statistics import EloSprt, PointsSprt

__all__ = ["Progress"]


class Progress:
    """A bar on standard error, which is a terminal; elsewhere a line now and then.

    A match does not end because nobody can be told how it goes.
    """

    def __init__(self, total: int, done: int) -> None:
        # Names are the user's own, and no markup.
        self._console = Console(stderr=True, markup=False, emoji=False)
        self._total = total
        self._every = max(1, total // 10)
        self._said = done
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console,
            disable=not self._console.is_terminal)
        self._task = self._bar.add_task("", total=total, completed=done)

    def __enter__(self) -> Progress:
        with suppress(OSError):
            self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        with suppress(OSError):
            self._bar.stop()

    def show(self, standing: Standing, sprt: PointsSprt | EloSprt | None) -> None:
        """The standing after another deal set."""
        text = summary(standing, sprt)
        with suppress(OSError):
            self._bar.update(self._task, completed=standing.sets, description=text)
        if not self._console.is_terminal and standing.sets - self._said >= self._every:
            self._said = standing.sets
            self._say(f"{standing.sets}/{self._total}  {text}")

    def resumed(self, sets: int, path: Path) -> None:
        """What an earlier run has left."""
        self._say(f"{sets} deal sets are in {path} already, played with the engines as they were "
                  "then")

    def unlocked(self, path: Path) -> None:
        """That nothing keeps another run away."""
        self._say(f"{path} can't be locked where it is: see to it that one run at a time works "
                  "on it")

    def interrupted(self, running: int) -> None:
        """What happens after Ctrl-C."""
        with suppress(OSError):
            self._console.print(f"stopping after the {running} deal sets that are being played "
                                "or come next; Ctrl-C again drops them")

    @staticmethod
    def _say(text: str) -> None:
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)


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
