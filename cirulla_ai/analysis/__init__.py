"""Analysis: what was the best play, what did a mistake cost, why, and how much was luck.

A decision is judged by what its seat could know, never by cards that it could not see.
"""

from cirulla_ai.analysis.analyse import Analysis, Candidate, analyse

__all__ = ["Analysis", "Candidate", "analyse"]
