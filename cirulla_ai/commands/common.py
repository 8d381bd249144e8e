"""What the sub-commands share."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterable
from typing import TypeAlias

__all__ = ["Subparsers", "leave_interrupts", "print_lines"]

# What add_subparsers gives, for which argparse has no public name.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def print_lines(lines: Iterable[str]) -> None:
    """Print each line as it comes."""
    for line in lines:
        print(line, flush=True)


def leave_interrupts() -> None:
    """Let Ctrl-C end the process at once: the core does not look for signals while it counts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
