"""A flag by which one thread ends what another is at."""


cdef class Stop:
    """A flag that one thread raises and a running count or search in another obeys."""

    def set(self):
        """Raise the flag."""
        self.raised = True

    def clear(self):
        """Lower the flag."""
        self.raised = False

    def is_set(self):
        """Whether the flag is raised."""
        return self.raised != 0
