"""Players that are classes of somebody's own module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import cirulla

from cirulla_ai.players import PlayerError, make_player

MODULE = '''
from cirulla_ai.players import Player
from cirulla_ai.players.greedy import GreedyPlayer

class Mine(GreedyPlayer):
    name = "mine"

class Unfinished(Player):
    name = "unfinished"

class Seedless(GreedyPlayer):
    def __init__(self):
        super().__init__()

class Stranger:
    pass
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a module that is imported anew."""
    (tmp_path / "own_players.py").write_text(MODULE)
    (tmp_path / "broken_players.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    yield tmp_path
    sys.modules.pop("own_players", None)


def test_a_class_of_the_current_folder(folder: Path) -> None:
    player = make_player("own_players:Mine", 1)
    assert player.name == "mine"
    assert type(player).__module__ == "own_players"


@pytest.mark.parametrize(("name", "wrong"), [
    ("no_such_players:Mine", "No module named 'no_such_players'"),
    ("broken_players:Mine", "ZeroDivisionError: division by zero"),
    (":Mine", "'' can't be imported"),
    ("own_players:Yours", "'Yours' is no subclass of Player in own_players; there are Mine, Unf"),
    ("own_players:Stranger", "'Stranger' is no subclass of Player"),
    ("own_players:", "'' is no subclass of Player"),
    ("own_players:Unfinished", "Unfinished(None) can't be made: TypeError: "),
    ("own_players:Seedless", "Seedless(None) can't be made: TypeError: "),
])
def test_what_is_wrong_is_said(folder: Path, name: str, wrong: str) -> None:
    with pytest.raises(PlayerError) as caught:
        make_player(name)
    assert wrong in str(caught.value)
    assert repr(name) in str(caught.value)
    done = cirulla(folder, "match", "--engine", f"player={name}", "--engine", "player=random")
    assert done.returncode == 2
    assert wrong in done.stderr


def test_it_takes_part_in_a_match(folder: Path) -> None:
    """By workers, which import it too: it plays as what it inherits from."""
    def result(player: str) -> list[str]:
        done = cirulla(folder, "match", "--engine", f"name=A,player={player}", "--engine",
                       "name=B,player=random", "--deals", "6", "--concurrency", "2")
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[:-1]

    assert result("own_players:Mine") == result("greedy")


def test_what_it_does_not_play_is_refused(folder: Path) -> None:
    done = cirulla(folder, "match", "--rules", "ciapano", "--engine", "player=own_players:Mine",
                   "--engine", "player=random")
    assert done.returncode == 2
    assert "the player mine does not play ciapano" in done.stderr
