"""Players that are not of this package: classes by their names."""

from __future__ import annotations

import importlib
import os
import sys

from cirulla_ai.players.base import Player, PlayerError

__all__ = ["load_player"]


def load_player(name: str, seed: int | None) -> Player:
    """A player of the class that ``module:Class`` names; the current folder's modules count.

    Raises PlayerError, which says what is wrong.
    """
    module_name, _, class_name = name.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        # Last, so that nothing there hides a module that is installed; and for good, as for
        # ``python -m``, since a player may import others later.
        sys.path.append(os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        # What stands in a stranger's file can raise anything.
        raise PlayerError(f"player {name!r}: {module_name!r} can't be imported: "
                          f"{type(error).__name__}: {error}") from error
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Player)):
        there = [key for key, value in vars(module).items()
                 if isinstance(value, type) and issubclass(value, Player)
                 and value.__module__ == module.__name__]
        raise PlayerError(f"player {name!r}: {class_name!r} is no subclass of Player in "
                          f"{module_name}; there are {', '.join(there) or 'none'}")
    try:
        return found(seed)
    except Exception as error:
        # It lacks a method, or takes no seed.
        raise PlayerError(f"player {name!r}: {class_name}({seed}) can't be made: "
                          f"{type(error).__name__}: {error}") from error
