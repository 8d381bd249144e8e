"""Long work: shared among processes, shown as it goes, kept as it comes, ended in order.

Whatever takes minutes or hours stands on this: matches, rollouts, annotations.
"""
