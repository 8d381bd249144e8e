"""Engines against each other: duplicate deals, statistics, records."""
