"""The version: the one place where it stands (pyproject.toml reads it from here)."""

__version__ = "0.1.0"
