"""A game in the terminal, line by line: no colours and no tricks with the cursor."""

from cirulla_ai.terminal.session import Session

__all__ = ["Session"]
