"""A command that is given as one text: which program it starts, with which arguments."""

from __future__ import annotations

import os
import shlex
import shutil

__all__ = ["command_words"]


def command_words(text: str) -> list[str]:
    """The words of a command: the whole text where that names a program, blanks and all, or
    else split as a shell does, quotes kept together.

    Nothing goes through a shell.  Raises ValueError for a quote that is never closed.

    >>> command_words("'/opt/my engine' --level 3")
    ['/opt/my engine', '--level', '3']
    """
    # A path is looked for as it is, whether or not it can be run: if not, its start says so.
    if (os.sep in text and os.path.isfile(text)) or shutil.which(text):
        return [text]
    return shlex.split(text)
