"""The review of annotated records as one HTML page that needs nothing else.

It is made from objects of kind ``annotation`` alone: who reads those elsewhere can make such a page
as well.
"""

from __future__ import annotations

from cirulla_ai.review.page import review
from cirulla_ai.review.reading import ReviewError

__all__ = ["ReviewError", "review"]
