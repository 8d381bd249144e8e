"""The version: the one place where it stands (pyproject.toml reads it from here)."""

from cirulla_ai._core import VARIANT

__version__ = "0.2.0"

# With what the compiled core that runs was built for.
FULL_NAME = f"cirulla-ai {__version__} ({VARIANT})"
