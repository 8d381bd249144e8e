"""The games that the package plays, a folder each, and what they have in common."""
