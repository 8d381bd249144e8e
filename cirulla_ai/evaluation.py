"""Evaluation files: what was learnt of the values of public states, for one rule set or more.

A file is a zip archive: ``about.json`` says for which rules there are networks and how they
were made, and each network is a member of half-precision floats, little-endian.  Read by
the standard library alone.
"""

from __future__ import annotations

import json
import struct
import zipfile
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

from cirulla_ai._core.equity import Equity
from cirulla_ai._core.value import Value
from cirulla_ai.rules import FISHING, Rules

__all__ = ["Evaluation", "EvaluationError", "EvaluationFile", "evaluation_key",
           "evaluation_of", "load_evaluation", "write_evaluation"]

FORMAT = 1
# The shipped file, beside this module.
SHIPPED = "shipped.eval"


# The preset that keys are told from.
BASE = "cirulla"
# Options that matter to the first deal alone, or to the match.
FIRST_DEAL = frozenset((
    "matta_table", "bonus_15", "bonus_30", "bonus_9", "misdeal_aces", "misdeal_three",
    "misdeal_first", "misdeal_loss", "table_four", "target",
))


class EvaluationError(ValueError):
    """An evaluation file that can't be read, with the reason."""


def evaluation_key(rules: Rules) -> str:
    """The rules as far as they decide what a public state after the first round is worth.

    The options that differ from ``cirulla``, without the target and those that matter to
    the first deal alone: presets that are played alike from there on share their networks.

    >>> evaluation_key(Rules("cirulla", target=31)), evaluation_key(Rules("cirulla-luzzati"))
    ('cirulla', 'cirulla players=4 rounds=3,3,3')
    """
    if rules.family is not FISHING:
        return str(rules)
    base = Rules(BASE)
    words = [BASE]
    for name, option in rules.family.options.items():
        if name not in FIRST_DEAL and rules[name] != base[name]:
            words.append(f"{name}={option.format(rules[name])}")
    return " ".join(words)


@dataclass(frozen=True)
class Evaluation:
    """What the engine knows of some rules: the networks, if any, and chances in a match."""

    value: Value | None
    equity: Equity


class EvaluationFile:
    """The networks of an evaluation file, by rules.

    ``path``: None for the one that comes with the package.  Raises EvaluationError where
    there is no such file or it is none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        source = files("cirulla_ai").joinpath(SHIPPED) if path is None else path
        name = SHIPPED if path is None else str(path)
        try:
            self._data = source.read_bytes()
            with zipfile.ZipFile(BytesIO(self._data)) as archive:
                about = json.loads(archive.read("about.json"))
                if about.get("format") != FORMAT:
                    raise EvaluationError(
                        f"{name}: format {about.get('format')}, not {FORMAT}")
                self.rules: Mapping[str, Mapping[str, Any]] = about["rules"]
                # Each network's member; they are unpacked when they are asked for.
                self._members = {
                    key: [f"{place}/{k + 1}" for k in range(entry["networks"])]
                    for place, (key, entry) in enumerate(self.rules.items())
                }
                names = set(archive.namelist())
                for members in self._members.values():
                    for member in members:
                        if member not in names:
                            raise EvaluationError(f"{name}: network {member} is missing")
        except OSError as error:
            raise EvaluationError(f"{name}: {error.strerror or error}") from None
        except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, EvaluationError):
                raise
            raise EvaluationError(f"{name}: no evaluation file ({error})") from None

    def evaluation(self, rules: Rules) -> Evaluation:
        """All that there is for these rules; raises EvaluationError as ``value`` does."""
        return Evaluation(self.value(rules), self.equity(rules))

    def value(self, rules: Rules) -> Value | None:
        """The networks for these rules, None where the file has none.

        Raises EvaluationError where they do not fit.
        """
        members = self._members.get(evaluation_key(rules))
        if not members or rules.family is not FISHING:
            return None
        try:
            with zipfile.ZipFile(BytesIO(self._data)) as archive:
                packed = [archive.read(member) for member in members]
            return Value(rules.table, [
                array("f", struct.unpack(f"<{len(half) // 2}e", half)) for half in packed
            ])
        except (ValueError, struct.error, zipfile.BadZipFile) as error:
            raise EvaluationError(f"{self.path or SHIPPED}: {error}") from None

    def has_results(self, rules: Rules) -> bool:
        """Whether there is a match equity table for these rules."""
        return rules.family is FISHING and bool(
            self.rules.get(evaluation_key(rules), {}).get("results"))

    def equity(self, rules: Rules) -> Equity:
        """The chances to win a match by these rules: by a table where the file has one."""
        mean, deviation = rules.pace
        plain = (rules.sides, rules.target, rules.family is not FISHING, mean, deviation)
        if not self.has_results(rules):
            return Equity(*plain)
        results = self.rules[evaluation_key(rules)]["results"]
        return Equity(*plain, [tuple(row) for row in results["points"]],
                      tuple(results["outright"]), [tuple(row) for row in results["spreads"]])


@lru_cache(maxsize=8)
def load_evaluation(path: str) -> EvaluationFile:
    """The evaluation file of this path, the shipped one for an empty path.

    A file is read once: one that changes on the disk meanwhile stays as it was.
    """
    return EvaluationFile(Path(path) if path else None)


@lru_cache(maxsize=16)
def evaluation_of(path: str, rules: Rules) -> Evaluation:
    """What the file of this path (the shipped one for an empty path) has for these rules."""
    return load_evaluation(path).evaluation(rules)


def write_evaluation(
    path: Path, entries: Mapping[str, tuple[Sequence[Sequence[float]], Mapping[str, Any]]]
) -> None:
    """Write an evaluation file: for each key its networks and what is to be said of them."""
    about = {
        "format": FORMAT,
        "rules": {
            key: {"networks": len(networks), **facts}
            for key, (networks, facts) in entries.items()
        },
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name: str, data: bytes) -> None:
            # A fixed date: the same contents are the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)

        add("about.json", json.dumps(about, indent=1).encode())
        for place, (networks, _) in enumerate(entries.values()):
            for k, numbers in enumerate(networks):
                add(f"{place}/{k + 1}", struct.pack(f"<{len(numbers)}e", *numbers))
