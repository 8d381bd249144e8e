"""Whole matches: smazzate until a side wins."""

from cirulla_ai.match.score import Match

__all__ = ["Match"]
