"""``cirulla`` as from the shell, but in this process: a start costs more than most commands."""

from __future__ import annotations

import os
import signal
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess

from cirulla_ai.commands import main

__all__ = ["cirulla"]


def cirulla(folder: Path, *words: str) -> CompletedProcess[str]:
    """The command with these words, run in a folder: its exit code and what it wrote."""
    out, err = StringIO(), StringIO()
    before, handler = Path.cwd(), signal.getsignal(signal.SIGINT)
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
    except SystemExit as end:
        # As the interpreter takes it.
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        os.chdir(before)
        signal.signal(signal.SIGINT, handler)
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
