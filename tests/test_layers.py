"""Who may cimport whom in the core, as the names of its modules say, and what its stubs tell.

These look at the sources, and are skipped where those are not at hand.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from cirulla_ai import State
from cirulla_ai.games import registry

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src_cython"
# The headers that are a game's own are marked as its modules are.
TAKES = re.compile(
    r'^\s*(?:from\s+cirulla_ai\._core(?:\.(\w+))?\s+c?import\s+(.+)'
    r'|c?import\s+cirulla_ai\._core\.(\w+)'
    r'|cdef\s+extern\s+from\s+"(\w+)\.h")', re.M)

GAMES = ("fishing", "ciapano")
GROUND = {"cards", "actions", "rng", "numeric", "blocks", "stop", "cpu", "clock", "game"}
ABOVE_THE_CONTRACT = {"search", "quick", "equity", "equity_three"}
# Tools to learn and to measure with: no part of a decision.
OFFLINE = {"fishing_selfplay", "fishing_round_tree", "fishing_equilibrium"}

pytestmark = pytest.mark.skipif(not SOURCES.is_dir(), reason="the core's sources are not here")


def taken(text: str) -> set[str]:
    """The modules of the core, and headers, that a source takes names from."""
    found = set()
    for module, names, plain, header in TAKES.findall(text):
        found |= {module or plain or header} - {""}
        if names and not module:
            found |= set(re.findall(r"\w+", names))
    return found


def modules() -> dict[str, set[str]]:
    """By module, what its .pyx and .pxd take."""
    out: dict[str, set[str]] = {}
    for source in sorted((*SOURCES.glob("*.pyx"), *SOURCES.glob("*.pxd"))):
        out.setdefault(source.stem, set()).update(taken(source.read_text()) - {source.stem})
    return out


def game_of(module: str) -> str | None:
    """Whose a module or header is; None: everybody's."""
    return next((game for game in GAMES if module.split("_")[0] == game), None)


def breaches(module: str, takes: set[str]) -> set[str]:
    """What a module takes and must not."""
    own = game_of(module)
    bad = {name for name in takes if game_of(name) not in (None, own)}
    if own:
        # A game is searched; it does not search.
        bad |= takes & ABOVE_THE_CONTRACT
    elif module in GROUND:
        bad |= takes & (ABOVE_THE_CONTRACT | {"contract"})
    elif module == "contract":
        bad |= takes & ABOVE_THE_CONTRACT
    if module not in OFFLINE:
        bad |= takes & OFFLINE
    return bad


@pytest.mark.parametrize("module", sorted(modules()) if SOURCES.is_dir() else ())
def test_a_module_takes_from_those_below_it(module: str) -> None:
    assert breaches(module, modules()[module]) == set()


def test_every_module_is_somebodys() -> None:
    """One that is no game's is named here, so that a new one is thought of."""
    shared = {module for module in modules() if game_of(module) is None}
    assert shared == GROUND | ABOVE_THE_CONTRACT | {"contract"}
    assert set(modules()) >= OFFLINE


@pytest.mark.parametrize(("module", "line", "bad"), [
    ("search", "from cirulla_ai._core.fishing cimport (", {"fishing"}),
    ("equity", "from cirulla_ai._core cimport ciapano, rng", {"ciapano"}),
    ("ciapano_worlds", "from cirulla_ai._core.fishing_worlds cimport Fact", {"fishing_worlds"}),
    ("ciapano_model", 'cdef extern from "fishing_rows.h" nogil:', {"fishing_rows"}),
    ("fishing_policy", "import cirulla_ai._core.search", {"search"}),
    ("fishing_worlds", "from cirulla_ai._core.fishing_selfplay import x", {"fishing_selfplay"}),
    ("fishing_equilibrium", "from cirulla_ai._core.fishing_round_tree cimport Tree", set()),
    ("cards", "from cirulla_ai._core.contract cimport Table", {"contract"}),
    ("fishing_value", "from cirulla_ai._core.contract cimport margin", set()),
])
def test_breaches_are_seen(module: str, line: str, bad: set[str]) -> None:
    assert breaches(module, taken(f'"""A module."""\n\n{line}\n    Something,\n')) == bad


def test_every_module_has_a_stub() -> None:
    sources = {source.stem for source in SOURCES.glob("*.pyx")}
    stubs = {stub.stem for stub in (ROOT / "cirulla_ai" / "_core").glob("*.pyi")}
    assert stubs - {"__init__"} == sources


def parts_of(stub: str, name: str) -> set[str]:
    """The keys of a TypedDict of a stub."""
    tree = ast.parse((ROOT / "cirulla_ai" / "_core" / f"{stub}.pyi").read_text())
    found = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name)
    return {line.target.id for line in found.body
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)}


@pytest.mark.parametrize(("rules", "game"), [("cirulla", "fishing"), ("ciapano", "ciapano")])
def test_positions_have_the_parts_that_their_stub_tells(rules: str, game: str) -> None:
    state = State.deal(rules, seed=1)
    told = parts_of("contract", "Fields") | parts_of(
        f"{game}_position", f"{game.capitalize()}Fields")
    assert set(state.position.fields()) == told
    texts = dict(token.split("=") for token in str(state).split()[1:])
    assert set(registry.game_of(state.rules).read(state.rules, texts)) == told
