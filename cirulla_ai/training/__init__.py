"""Learning the values of public states from the engine's own play.

Needs the extra ``train`` (numpy, and rich for the progress).
"""
