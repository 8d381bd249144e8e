"""Every example in the docstrings and the documents runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import cirulla_ai

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(cirulla_ai.__path__, "cirulla_ai.")
    if module.name not in ("cirulla_ai.__main__",) and ".v3." not in module.name
)
DOCUMENTS = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("docs/*.md"), ROOT / "README.md"]
)


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    failures, _ = doctest.testmod(importlib.import_module(name))
    assert failures == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document(name: str) -> None:
    failures, _ = doctest.testfile(str(ROOT / name), module_relative=False,
                                   encoding="utf-8")
    assert failures == 0


def test_the_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    found = sum(
        bool(test.examples)
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
    )
    assert found > 10
