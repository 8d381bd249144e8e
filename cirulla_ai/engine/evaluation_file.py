"""Evaluation files: what was learnt of the values of public states, for one rule set or more.

A file is a zip archive: ``about.json`` says for which rules there are networks and how they
were made, and for each of them a member has all networks, one after the other, and another
one (in format 3 ``about.json`` itself) how smazzate end.  What follows from that for a match of
three sides to the usual target is there as well, as it takes long to work out.  Of a network
the weights of each hidden unit, its bias among them, are an octet each, -127 … 127 of a step;
the units' steps come first and the weights of the outputs last, in half precision.  Read by
the standard library alone.
"""

from __future__ import annotations

import json
import struct
import sys
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from itertools import chain, cycle
from math import isfinite
from pathlib import Path
from typing import Any

from cirulla_ai._core.equity import Equity
from cirulla_ai._core.fishing_value import Value, unpack
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.engine.evaluation import Evaluation, evaluation_key
from cirulla_ai.games.options import RulesError
from cirulla_ai.rules import Rules

__all__ = ["Entry", "EvaluationError", "EvaluationFile", "evaluation_of", "load_evaluation",
           "write_evaluation"]


FORMAT = 4
READABLE = (3, 4)
# Steps of a hidden unit's weights each way.
MOST = 127
# The longest matches for which there are tables: filling one takes a time that grows with the
# square of the target.
MOST_TARGET = 101
# A file's size; the shipped one has less than one MiB.
MOST_OCTETS = 64 << 20
# Results of smazzate and their variances stay far below.
MOST_NUMBER = 1e6
# What reading a wrong or damaged file raises.
UNREADABLE = (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError,
              RuntimeError, EOFError, struct.error, zipfile.BadZipFile, zlib.error)
# The shipped file, beside this module.
SHIPPED = "shipped.eval"


class EvaluationError(ValueError):
    """An evaluation file that can't be read, with the reason."""


@dataclass(frozen=True)
class Entry:
    """What an evaluation file holds for some rules.

    Networks of so many ``hidden`` units, as ``Value`` takes them: of the ``ends`` of rounds
    and of the ``afterstates`` of rounds; and ``facts``: how they were made, how well they do,
    how smazzate end.
    """

    hidden: int
    ends: Sequence[Any]
    afterstates: Sequence[Any]
    facts: Mapping[str, Any]


class EvaluationFile:
    """The networks of an evaluation file, by rules.

    ``path``: None for the one that comes with the package.  Raises EvaluationError where
    there is no such file or it is none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        source = files("cirulla_ai.engine").joinpath(SHIPPED) if path is None else path
        name = SHIPPED if path is None else str(path)
        try:
            if path is not None and not path.is_file():
                raise EvaluationError(
                    f"{name}: not a file" if path.exists() else f"{name}: no such file")
            if path is not None and path.stat().st_size > MOST_OCTETS:
                raise EvaluationError(f"{name}: larger than {MOST_OCTETS >> 20} MiB")
            self._data = source.read_bytes()
            with zipfile.ZipFile(BytesIO(self._data)) as archive:
                if archive.getinfo("about.json").file_size > MOST_OCTETS:
                    raise EvaluationError(f"{name}: its about.json is too large")
                about = json.loads(archive.read("about.json"))
                if about.get("format") not in READABLE:
                    raise EvaluationError(
                        f"{name}: format {about.get('format')}, not {FORMAT}")
                entries = about["rules"]
                if not isinstance(entries, dict) or not all(
                        isinstance(entry, dict) for entry in entries.values()):
                    raise ValueError("its rules are none")
                names = set(archive.namelist())
                # What a member holds is unpacked when it is asked for.
                self._places = {key: str(place) for place, key in enumerate(entries)}
                for key, member in self._places.items():
                    if member not in names:
                        raise EvaluationError(f"{name}: the networks of {key} are missing")
                self.rules = _Facts(name, entries, self._points)
        except OSError as error:
            raise EvaluationError(f"{name}: {error.strerror or error}") from None
        except UNREADABLE as error:
            if isinstance(error, EvaluationError):
                raise
            raise EvaluationError(f"{name}: no evaluation file ({error})") from None
        if path is not None:
            # What is wrong with a file is said when it is given, not in the search.
            for key in self.rules:
                self._check(key)

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the file in hexadecimal digits, the first sixteen: enough to tell files
        apart."""
        return sha256(self._data).hexdigest()[:16]

    def has_value(self, rules: Rules) -> bool:
        """Whether there are networks for these rules."""
        return evaluation_key(rules) in self._places and rules.family.has_values(rules)

    def evaluation(self, rules: Rules) -> Evaluation:
        """All that there is for these rules; raises EvaluationError as ``value`` does."""
        return Evaluation(self.value(rules), self.equity(rules))

    def value(self, rules: Rules) -> Value | None:
        """The networks for these rules, None where the file has none.

        Raises EvaluationError where they do not fit.
        """
        if not self.has_value(rules):
            return None
        entry = self._entry(evaluation_key(rules))
        try:
            return Value(rules.table, list(entry.ends), list(entry.afterstates), entry.hidden)
        except ValueError as error:
            raise EvaluationError(f"{self.path or SHIPPED}: {error}") from None

    def _check(self, key: str) -> None:
        """Raise EvaluationError where what the file holds for these rules can't be used."""
        try:
            rules = Rules.parse(key)
        except RulesError as error:
            raise EvaluationError(f"{self.path}: {key}: {error}") from None
        if self.has_results(rules):
            self.equity(rules)
        self.value(rules)

    def entries(self) -> dict[str, Entry]:
        """All that the file holds, by the key of the rules; raises EvaluationError."""
        return {key: self._entry(key) for key in self.rules}

    def _entry(self, key: str) -> Entry:
        try:
            facts = dict(self.rules[key])
            hidden = int(facts.pop("hidden"))
            shapes = [tuple(map(int, facts.pop(name))) for name in ("ends", "afterstates")]
            sizes = [_packed_size(inputs, hidden, outputs) for _, inputs, outputs in shapes]
            whole = sum(count * size for (count, *_), size in zip(shapes, sizes, strict=True))
            with zipfile.ZipFile(BytesIO(self._data)) as archive:
                size = archive.getinfo(self._places[key]).file_size
                if size != whole:
                    raise ValueError(f"{size} octets, not {whole}")
                packed = archive.read(self._places[key])
            kinds = []
            at = 0
            for (count, _, outputs), size in zip(shapes, sizes, strict=True):
                kinds.append([_unpacked(packed[at + k * size:at + (k + 1) * size], hidden, outputs)
                              for k in range(count)])
                at += count * size
            ends, afterstates = kinds
            return Entry(hidden, ends, afterstates, facts)
        except UNREADABLE as error:
            raise EvaluationError(
                f"{self.path or SHIPPED}: the networks of {key}: {error}") from None

    def _member(self, key: str, kind: str) -> bytes:
        """What the file has of this kind for these rules."""
        with zipfile.ZipFile(BytesIO(self._data)) as archive:
            member = archive.getinfo(f"{self._places[key]}.{kind}")
            if member.file_size > MOST_OCTETS:
                raise ValueError(f"{member.file_size} octets of {kind}")
            return archive.read(member)

    def _points(self, key: str) -> Any:
        """How often smazzate by these rules end how, as ``Equity`` takes it."""
        return json.loads(self._member(key, "points"))

    def has_results(self, rules: Rules) -> bool:
        """Whether there is a match equity table for these rules, which takes too long for
        matches much longer than usual."""
        return rules.family.has_values(rules) and rules.target <= MOST_TARGET and bool(
            self.rules.brief(evaluation_key(rules)).get("results"))

    def equity(self, rules: Rules) -> Equity:
        """The chances to win a match by these rules: by a table where the file has one.

        Raises EvaluationError where its results can't be.
        """
        sides, target, fewest = rules.sides, rules.target, rules.family.fewest
        if not self.has_results(rules):
            return Equity(sides, target, fewest, *rules.pace)
        key = evaluation_key(rules)
        try:
            results = self.rules.brief(key)["results"]
            outright = tuple(map(float, results["outright"]))
            spreads = [tuple(map(float, row)) for row in results["spreads"]]
            if not all(abs(number) < MOST_NUMBER for row in (outright, *spreads) for number in row):
                raise ValueError("a number that can't be")
            # Nobody asks for the pace where there is a table.
            if target == results.get("table"):
                return Equity(sides, target, fewest, 1.0, 1.0, None, None, spreads,
                              _native(self._member(key, "table")))
            return Equity(sides, target, fewest, 1.0, 1.0,
                          list(self.rules[key]["results"]["points"]), outright, spreads)
        except UNREADABLE as error:
            raise EvaluationError(
                f"{self.path or SHIPPED}: the results of {key}: {error}") from None


class _Facts(Mapping[str, Mapping[str, Any]]):
    """What ``about.json`` says of each rules, completed by their ``points`` when it is asked for:
    those of all rules would take longer to read than a short search."""

    def __init__(
        self, name: str, entries: dict[str, dict[str, Any]], points: Callable[[str], Any]
    ) -> None:
        self._name = name
        self._entries = entries
        self._points = points

    def brief(self, key: str) -> Mapping[str, Any]:
        """The same without points, unless they have been read; empty where there are none."""
        return self._entries.get(key, {})

    def __getitem__(self, key: str) -> Mapping[str, Any]:
        entry = self._entries[key]
        results = entry.get("results")
        if isinstance(results, dict) and "points" not in results:
            try:
                entry = {**entry, "results": {**results, "points": self._points(key)}}
            except UNREADABLE as error:
                raise EvaluationError(
                    f"{self._name}: the results of {key}: {error}") from None
            self._entries[key] = entry
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


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


def write_evaluation(path: Path, entries: Mapping[str, Entry]) -> None:
    """Write an evaluation file: for each key its networks and what is to be said of them.

    Weights of hidden units lose up to half a step of 1/127 of the unit's largest.  Raises
    ValueError for a network of a size that its rules can't have, OSError where the disk
    refuses; a file that was there stays then.
    """
    about = {}
    members = {}
    for place, (key, entry) in enumerate(entries.items()):
        sides = Rules.parse(key).sides
        facts = dict(entry.facts)
        if "results" in facts:
            facts["results"] = results = dict(facts["results"])
            points = results.pop("points")
            members[f"{place}.points"] = json.dumps(points, separators=(",", ":")).encode()
            results.pop("table", None)
            if sides == 3:
                target = results["table"] = Rules.parse(key).target
                members[f"{place}.table"] = _native(Equity(
                    sides, target, False, 1.0, 1.0, list(points), tuple(results["outright"]),
                    list(results["spreads"])).ready)
        about[key] = {
            "hidden": entry.hidden, "ends": _shape(entry.ends, entry.hidden, sides),
            "afterstates": _shape(entry.afterstates, entry.hidden, 1), **facts,
        }
        members[str(place)] = b"".join(chain(
            (_packed(net, entry.hidden, sides) for net in entry.ends),
            (_packed(net, entry.hidden, 1) for net in entry.afterstates)))
    with written_whole(path) as unfinished, zipfile.ZipFile(
            unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name: str, data: bytes) -> None:
            # A fixed date: the same contents are the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)

        add("about.json", json.dumps({"format": FORMAT, "rules": about}, indent=1).encode())
        for name, member in members.items():
            add(name, member)


def _shape(networks: Sequence[Sequence[float]], hidden: int, outputs: int) -> tuple[int, int, int]:
    """Their number, and the inputs and outputs of each."""
    if not networks:
        return 0, 0, outputs
    rows, odd = divmod(len(networks[0]) - outputs, hidden)
    if odd:
        raise ValueError(f"a network of {len(networks[0])} numbers, which {hidden} hidden units "
                         f"and {outputs} outputs can't have")
    return len(networks), rows - 1 - outputs, outputs


def _packed_size(inputs: int, hidden: int, outputs: int) -> int:
    return hidden * (2 + inputs + 1 + 2 * outputs) + 2 * outputs


def _packed(net: Sequence[float], hidden: int, outputs: int) -> bytes:
    """A network as it is in the file."""
    end = len(net) - outputs * (hidden + 1)
    steps = _halves(_as_halves(
        [max(map(abs, net[unit:end:hidden])) / MOST for unit in range(hidden)]))
    octets = array("b", (
        max(-MOST, min(MOST, round(weight / step))) if step else 0
        for weight, step in zip(net[:end], cycle(steps))))
    return _as_halves(steps) + octets.tobytes() + _as_halves(net[end:])


def _unpacked(packed: bytes, hidden: int, outputs: int) -> array[float]:
    """The numbers again; raises struct.error where octets are missing, ValueError for a number
    that is not finite."""
    last = len(packed) - 2 * outputs * (hidden + 1)
    steps = _halves(packed[:2 * hidden])
    octets = array("b", packed[2 * hidden:last])
    ends = _halves(packed[last:])
    # Of finite steps so many octets make nothing that is not.
    if not all(map(isfinite, (*steps, *ends))):
        raise ValueError("a number that is not finite")
    numbers = array("f", bytes(4 * len(octets)))
    unpack(octets, array("d", steps), numbers)
    numbers.extend(ends)
    return numbers


def _native(doubles: bytes) -> bytes:
    """Doubles of the file, whose octets are those of most machines, as those of this one, or the
    other way round."""
    numbers = array("d", doubles)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _as_halves(numbers: Sequence[float]) -> bytes:
    return struct.pack(f">{len(numbers)}e", *numbers)


def _halves(packed: bytes) -> tuple[float, ...]:
    return struct.unpack(f">{len(packed) // 2}e", packed)
