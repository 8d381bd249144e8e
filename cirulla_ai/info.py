"""What a search says of its actions: values, and the protocol's ``info`` lines both ways.

The engine yields them, the server writes them, the client reads them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cirulla_ai.action import Action, ActionError

__all__ = ["Info", "Score", "Wdl", "info_lines", "parse_info"]

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True)
class Score:
    """What a position is worth to the seat to move, over the whole smazzata.

    ``centipoints`` is 100 × the expected points of that seat's side minus the other's (with
    three seats the mean of the others'), what is scored already included.  ``error`` is the
    standard error of that, in centipoints, None where the engine does not say; ``exact``
    is whether the value is proved, not sampled.

    >>> score = Score(centipoints=-172, error=18)
    >>> score.points, str(score)
    (-1.72, '-1.72 ± 0.18')
    """

    centipoints: int
    exact: bool = False
    error: int | None = None

    @property
    def points(self) -> float:
        """The expected difference in points."""
        return self.centipoints / 100

    def __neg__(self) -> Score:
        """The same for the other side, of two."""
        return Score(-self.centipoints, self.exact, self.error)

    def __str__(self) -> str:
        text = f"{self.points:+.2f}"
        if self.exact:
            return f"{text} exactly"
        return text if self.error is None else f"{text} ± {self.error / 100:.2f}"


class Wdl(NamedTuple):
    """The chances, per mille, that the side to move wins, draws or loses the match.

    >>> Wdl(465, 0, 535).expectation
    0.465
    """

    win: int
    draw: int
    loss: int

    @property
    def expectation(self) -> float:
        """The expected result, 0 … 1, a draw counting half."""
        total = self.win + self.draw + self.loss
        return (self.win + self.draw / 2) / total if total else 0.5

    def __neg__(self) -> Wdl:
        """The same for the other side, of two."""
        return Wdl(self.loss, self.draw, self.win)


@dataclass(frozen=True)
class Info:
    """What a search says of one action; of the others that were asked for in ``others``.

    ``nodes`` are search iterations, ``nps`` those a second, ``hashfull`` is per mille,
    ``milliseconds`` the time since the search began, ``multipv`` the rank of the action
    from 1, ``visits`` how often the search chose it first, ``pv`` the line that begins with
    it.  ``string`` is what was said in words.  ``actions_played`` counts those of all
    iterations, which no line tells.  Whatever an engine did not say is None.  Times and speeds
    do not count where infos are compared: of one seed the same is said again.
    """

    depth: int | None = None
    nodes: int | None = None
    nps: int | None = field(default=None, compare=False)
    milliseconds: int | None = field(default=None, compare=False)
    hashfull: int | None = None
    multipv: int | None = None
    score: Score | None = None
    wdl: Wdl | None = None
    visits: int | None = None
    pv: tuple[Action, ...] = ()
    string: str | None = None
    actions_played: int | None = None
    others: tuple[Info, ...] = ()

    @property
    def action(self) -> Action | None:
        """The action that this is about: the first of ``pv``."""
        return self.pv[0] if self.pv else None

    @property
    def lines(self) -> tuple[Info, ...]:
        """This and the other actions', the best first."""
        return (self, *self.others)

    @property
    def centipoints(self) -> int | None:
        """That of ``score``."""
        return None if self.score is None else self.score.centipoints

    @property
    def exact(self) -> bool:
        """Whether the value is proved, not sampled."""
        return self.score is not None and self.score.exact

    def apart(self) -> Iterator[Info]:
        """As whoever reads the lines gets it: the words, then each action by itself."""
        if self.string is not None:
            yield Info(string=self.string)
        for info in self.lines:
            yield replace(info, string=None, actions_played=None, others=())


# Key of the line: name of the field, for keys with one whole number after them.
# In the order in which a line has them.
NUMBERS = {
    "depth": "depth", "nodes": "nodes", "nps": "nps", "time": "milliseconds",
    "hashfull": "hashfull", "multipv": "multipv", "visits": "visits",
}
KEYS = frozenset((*NUMBERS, "score", "wdl", "se", "exact", "pv", "string"))
# What a number after a key can be, where it is to be believed: no engine has thought more,
# and whatever adds these up, draws them or writes them down can do so.
RANGES = {
    "depth": (0, 10**6), "nodes": (0, 10**15), "nps": (0, 10**15), "time": (0, 10**12),
    "hashfull": (0, 1000), "multipv": (1, 1000), "visits": (0, 10**15),
    # A smazzata won outright counts as the target, of a thousand points at most; a stranger
    # may have a scale of its own.
    "cp": (-10**9, 10**9), "se": (0, 10**9), "wdl": (0, 1000),
}
# Three rounded numbers per mille.
WDL_SUMS = range(998, 1003)
# It keeps int() from being handed a megabyte.
NUMBER = re.compile(r"[+-]?[0-9]{1,19}")


def info_lines(info: Info) -> Iterator[str]:
    """The protocol's lines for a report: its words, then a line an action, the best first.

    >>> list(info_lines(Info(nodes=9, score=Score(-172, error=18), pv=(Action("3C"),))))
    ['info nodes 9 score cp -172 se 18 pv 3C']
    """
    return map(_line, info.apart())


def _line(info: Info) -> str:
    if info.string is not None:
        return f"info string {info.string}"
    words: list[object] = ["info"]

    def say(key: str, *values: object) -> None:
        words.extend([key, *values])

    for key, name in NUMBERS.items():
        if key != "visits" and (value := getattr(info, name)) is not None:
            say(key, value)
    if info.score is not None:
        say("score", "cp", info.score.centipoints)
    if info.wdl is not None:
        say("wdl", *info.wdl)
    if info.score is not None and info.score.error is not None:
        say("se", info.score.error)
    if info.score is not None and info.score.exact:
        say("exact", 1)
    if info.visits is not None:
        say("visits", info.visits)
    if info.pv:
        say("pv", *info.pv)
    return " ".join(map(str, words))


def parse_info(line: str) -> Info:
    """Read an ``info`` line as far as it can be read; never raises.

    Keys that are not known are skipped with what follows them; values that can't be read, or
    can't be, as a time below 0 or chances that don't add up, are left out; both are logged.

    >>> info = parse_info("info depth 6 nodes 2000 colour blue score cp -172 se 18 pv 3C JHx7D")
    >>> info.nodes, info.score.points, str(info.action)
    (2000, -1.72, '3C')
    """
    words = line.split()
    values: dict[str, object] = {}
    cp: int | None = None
    se: int | None = None
    exact = False
    at = 1
    while at < len(words):
        key = words[at]
        at += 1
        if key in NUMBERS:
            values[NUMBERS[key]] = _whole(key, words, at)
        elif key == "score":
            if words[at:at + 1] == ["cp"]:
                cp = _whole("cp", words, at + 1)
        elif key == "se":
            se = _whole("se", words, at)
        elif key == "exact":
            exact = words[at:at + 1] == ["1"]
        elif key == "wdl":
            values["wdl"] = _wdl(words, at)
        elif key == "pv":
            pv = _actions(words[at:])
            values["pv"] = pv
            at += len(pv)
        elif key == "string":
            # The words as they stand, blanks included.
            values["string"] = line.split(None, at)[-1].rstrip() if at < len(words) else ""
            break
        else:
            LOGGER.debug("unknown key %r in %r", key[:50], line[:200])
        while at < len(words) and words[at] not in KEYS:
            at += 1
    if cp is not None:
        values["score"] = Score(cp, exact, se)
    return Info(**values)  # type: ignore[arg-type]


def _whole(key: str, words: Sequence[str], at: int) -> int | None:
    """The number at ``at``, None where there is none or it can't be."""
    low, high = RANGES[key]
    if at < len(words) and NUMBER.fullmatch(words[at]) and low <= int(words[at]) <= high:
        return int(words[at])
    LOGGER.debug("no whole number from %d to %d after %s", low, high,
                 " ".join(words[at - 1:at + 1])[:100])
    return None


def _wdl(words: Sequence[str], at: int) -> Wdl | None:
    win, draw, loss = (_whole("wdl", words, at + k) for k in range(3))
    if win is None or draw is None or loss is None:
        return None
    if win + draw + loss not in WDL_SUMS:
        LOGGER.debug("wdl %d %d %d is not 1000 together", win, draw, loss)
        return None
    return Wdl(win, draw, loss)


def _actions(words: Sequence[str]) -> tuple[Action, ...]:
    """The actions at the beginning of ``words``."""
    actions = []
    for word in words:
        try:
            actions.append(Action(word))
        except ActionError as error:
            if word not in KEYS:
                LOGGER.debug("pv: %s", error)
            break
    return tuple(actions)
