"""Enumeration of captures; see captures.pxd for the idea."""

from cirulla_ai._core.cards cimport bits_count, bits_low, cardset

cdef struct Sums:
    # The depth-first search for subsets with a given sum of values.
    int n
    int value[40]
    cardset bit[40]
    int size            # exact number of cards wanted, 0 for any
    int64_t found
    int64_t skip
    cardset *out
    int64_t room


cdef void _emit(Sums *s, cardset cards) noexcept nogil:
    cdef int64_t place = s.found - s.skip
    if 0 <= place < s.room:
        s.out[place] = cards
    s.found += 1


cdef void _extend(Sums *s, int start, int left, cardset cards, int size) noexcept nogil:
    """Every way to reach the sum with cards from ``start`` on, which are in value order."""
    cdef int i
    if left == 0:
        if s.size == 0 or size == s.size:
            _emit(s, cards)
        return
    if s.size and size >= s.size:
        return
    for i in range(start, s.n):
        if s.value[i] > left:
            return
        _extend(s, i + 1, left - s.value[i], cards | s.bit[i], size + 1)


cdef void _sort_table(Sums *s, cardset table, int matta, int matta_value) noexcept nogil:
    """Cards in order of effective value: they are, but for a declared matta."""
    cdef int card, value, i
    s.n = 0
    while table:
        card = bits_low(table)
        table &= table - 1
        value = matta_value if card == matta and matta_value else (card >> 2) + 1
        i = s.n
        while i > 0 and s.value[i - 1] > value:
            s.value[i] = s.value[i - 1]
            s.bit[i] = s.bit[i - 1]
            i -= 1
        s.value[i] = value
        s.bit[i] = <cardset>1 << card
        s.n += 1


cdef int64_t capture_sets(
    const CaptureRules *rules, cardset table, int matta, int matta_value,
    int value, int64_t skip, cardset *out, int64_t room,
) noexcept nogil:
    """Count the sets that a card of effective value ``value`` can take from ``table``.

    ``matta_value`` is the declared value that the card ``matta`` holds, 0 for none.  The
    sets numbered ``skip … skip + room - 1`` are written to ``out``; all are distinct.
    """
    cdef Sums s
    cdef int i, total = 0, size
    cdef bint has_equal = False, has_ace = False, swept = False
    if table == 0:
        return 0
    _sort_table(&s, table, matta, matta_value)
    s.found = 0
    s.skip = skip
    s.out = out
    s.room = room
    s.size = 0
    for i in range(s.n):
        total += s.value[i]
        if s.value[i] == value:
            has_equal = True
        if s.value[i] == 1:
            has_ace = True
    cdef bint sweeps = value == 1 and (
        rules.ace_sweep == SWEEP_ALWAYS or (rules.ace_sweep == SWEEP_NO_ACE and not has_ace)
    )
    if sweeps and rules.ace_only_sweeps:
        _emit(&s, table)
        return s.found
    if rules.equal and has_equal:
        for i in range(s.n):
            if s.value[i] == value:
                _emit(&s, s.bit[i])
                swept = swept or s.bit[i] == table
    if rules.sum and not (rules.equal and has_equal and rules.choice != CHOICE_FREE):
        for size in range(2, s.n + 1):
            # Two or more cards, in order of size, so that "fewest" can stop at the first.
            if size > value:
                break
            s.size = size
            i = <int>s.found
            _extend(&s, 0, value, 0, 0)
            if s.found > i:
                swept = swept or (size == s.n and total == value)
                if rules.choice == CHOICE_FEWEST:
                    break
        s.size = 0
    if rules.fifteen:
        _extend(&s, 0, 15 - value, 0, 0)
        swept = swept or total == 15 - value
    if sweeps and not swept:
        _emit(&s, table)
    return s.found


cdef void capture_table_build(CaptureTable *t) noexcept nogil:
    """Fill the look-up for tables of up to four cards from ``t.rules``."""
    cdef int a, b, c, d, n, value, i, place
    cdef int64_t found
    cdef cardset table, left
    cdef cardset sets[16]
    cdef int ranks[4]
    cdef uint16_t word
    cdef cardset positions[4]
    for a in range(11):
        for b in range(a, 11):
            for c in range(b, 11):
                for d in range(c, 11):
                    # Rank 10 is "no card" and sorts last.
                    ranks[0] = a
                    ranks[1] = b
                    ranks[2] = c
                    ranks[3] = d
                    n = 0
                    table = 0
                    place = 0
                    for i in range(4):
                        place += ROW_PART[i][ranks[i]]
                        if ranks[i] < 10:
                            # Equal ranks take the suits one after the other.
                            left = <cardset>1 << (4 * ranks[i])
                            while table & left:
                                left <<= 1
                            table |= left
                            positions[n] = left
                            n += 1
                    for value in range(1, 11):
                        found = capture_sets(&t.rules, table, -1, 0, value, 0, sets, 16)
                        word = found == 0 or not t.rules.must_capture
                        for i in range(<int>found):
                            word |= <uint16_t>(1 << _subset(sets[i], positions, n))
                        t.subsets[place + value - 1] = word


cdef int _subset(cardset cards, cardset *positions, int n) noexcept nogil:
    cdef int i, out = 0
    for i in range(n):
        if cards & positions[i]:
            out |= 1 << i
    return out
