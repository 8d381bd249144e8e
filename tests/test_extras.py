"""How to get what an extra brings."""

from __future__ import annotations

import importlib.abc
import shlex
import sys
from collections.abc import Sequence
from importlib import metadata

import pytest

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.commands import main

REQUIRES = [
    'numpy>=1.24; extra == "match"', 'rich>=13 ; extra == "match"',
    "cirulla-ai[match]; extra == 'plot'", 'matplotlib>=3.8; extra == "plot"',
    'cirulla-ai[plot,match]; extra == "dev"', "other",
]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda name: REQUIRES)


@pytest.mark.parametrize(("extra", "libraries"), [
    ("match", ["numpy>=1.24", "rich>=13"]),
    ("plot", ["numpy>=1.24", "rich>=13", "matplotlib>=3.8"]),
    ("no-such", ["rich"]),
])
@pytest.mark.usefixtures("installed")
def test_the_libraries_are_named_for_the_python_that_runs(
    extra: str, libraries: list[str]
) -> None:
    command = shlex.join([sys.executable, "-m", "pip", "install", *libraries])
    assert how_to_get(extra, "rich") == (
        f"the extra cirulla-ai[{extra}] is missing, {command} brings it")


def test_where_the_package_was_never_installed_it_is_the_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", unknown)
    for error, missing in (
        (None, "rich"), (ImportError(), "rich"), (ImportError(name="cirulla_ai.match"), "rich"),
        (ImportError(name="numpy.linalg"), "numpy"),
    ):
        assert f" -m pip install {missing} brings it" in how_to_get("match", "rich", error)


class Missing(importlib.abc.MetaPathFinder):
    """Some modules are not there."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize(("words", "missing"), [
    (["match"], "rich"), (["train"], "numpy"),
    (["match", "--engine", "name=A,player=random", "--engine", "name=B,player=random",
      "--deals", "1", "--scheduler", "localhost:9"], "distributed"),
    (["match", "--engine", "name=A,player=random", "--engine", "name=B,player=random",
      "--deals", "1", "--scheduler", "mpi"], "mpi4py"),
])
@pytest.mark.usefixtures("installed")
def test_commands_say_a_command_that_can_be_followed(
    words: Sequence[str], missing: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == missing or name in (
            "cirulla_ai.tournament.tournament", "cirulla_ai.tournament.progress",
            "cirulla_ai.training.run", "cirulla_ai.training.pipeline",
            "cirulla_ai.training.network",
        ):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(missing), *sys.meta_path])
    assert main(list(words)) == 2
    said = capsys.readouterr().err
    assert f"No module named '{missing}" in said
    assert f"{shlex.quote(sys.executable)} -m pip install " in said
    assert "install 'cirulla-ai" not in said
