"""Where games are kept: the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["VARIABLE", "data_folder"]

# In the environment: a folder of one's own choice.
VARIABLE = "CIRULLA_DATA"
NAME = "cirulla-ai"


def data_folder() -> Path:
    """The folder for what the user keeps, made where it is not there yet; raises OSError."""
    folder = _named()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _named() -> Path:
    if given := os.environ.get(VARIABLE):
        return Path(given)
    try:
        from platformdirs import user_data_path
    except ImportError:
        # What it says on most systems; the terminal does without any extra.
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / NAME
    return user_data_path(NAME, appauthor=False)
