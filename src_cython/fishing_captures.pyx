"""Enumeration of captures; see fishing_captures.pxd for the idea."""

from cirulla_ai._core.cards cimport (
    ACES, DECK, bits_count, bits_low, card_bit, card_value, cardset,
)

cdef enum:
    # How many cards a set may have: exactly so many if positive, or one of these.
    ANY = 0
    TWO_OR_MORE = -1

cdef struct Search:
    # The depth-first search for sets of given sum.  The cards are in order of value but
    # for a declared matta, which is kept apart.
    cardset cards
    cardset matta           # its bit, or 0
    int matta_value
    # The sets found, of which those numbered skip … skip + room - 1 are written to out.
    int64_t found
    int64_t skip
    int64_t room
    cardset *out


cdef inline cardset cards_of(int value) noexcept nogil:
    """All four cards of a value of 1 … 16, none above 10."""
    return <cardset>15 << (4 * (value - 1)) & DECK


cdef inline cardset cards_up_to(int value) noexcept nogil:
    """All cards of a value of 0 … 15 or less."""
    return (<cardset>1 << (4 * value)) - 1


cdef inline int total_of(cardset cards) noexcept nogil:
    cdef int total = 0
    while cards:
        total += card_value(bits_low(cards))
        cards &= cards - 1
    return total


cdef inline void _emit(Search *s, cardset chosen, cardset last) noexcept nogil:
    """The sets of ``chosen`` and any one of ``last``."""
    cdef int64_t place
    if s.found >= s.skip + s.room or s.found + bits_count(last) <= s.skip:
        s.found += bits_count(last)
        return
    while last:
        place = s.found - s.skip
        if 0 <= place < s.room:
            s.out[place] = chosen | (last & -last)
        last &= last - 1
        s.found += 1


cdef void _extend(Search *s, cardset cards, int left, cardset chosen, int size) noexcept nogil:
    """The sets of ``chosen`` and some of ``cards`` that add up to ``left``, 1 … 14."""
    cdef cardset next
    cdef int card
    if size == ANY or size == 1:
        _emit(s, chosen, cards & cards_of(left))
    if size == 1:
        return
    # Any card but the last is followed by one at least as high.
    next = cards & cards_up_to(left >> 1)
    while next:
        card = bits_low(next)
        next &= next - 1
        _extend(s, cards & -(<cardset>2 << card), left - card_value(card),
                chosen | card_bit(card), size - 1 if size > 0 else ANY)


cdef void _reach(Search *s, int total, int size) noexcept nogil:
    """The sets of the whole table that add up to ``total``, 1 … 14."""
    _extend(s, s.cards, total, 0, size)
    if s.matta == 0:
        return
    if total == s.matta_value and (size == ANY or size == 1):
        _emit(s, 0, s.matta)
    if total > s.matta_value and size != 1:
        _extend(s, s.cards, total - s.matta_value, s.matta, size - 1 if size > 0 else ANY)


cdef int64_t capture_sets(
    const CaptureRules *rules, cardset table, int matta, int matta_value,
    int value, int64_t skip, cardset *out, int64_t room,
) noexcept nogil:
    """Count the sets that a card of effective value ``value`` can take from ``table``.

    ``matta_value`` is the declared value that the card ``matta`` holds, 0 for none.  The
    sets numbered ``skip … skip + room - 1`` are written to ``out``; all are distinct.
    """
    cdef Search s
    cdef int size, total
    cdef int64_t equals
    cdef bint sweeps
    if table == 0:
        return 0
    s.matta = table & card_bit(matta) if matta_value else 0
    s.matta_value = matta_value
    s.cards = table & ~s.matta
    s.found = 0
    s.skip = skip
    s.room = room
    s.out = out
    sweeps = value == 1 and (
        rules.ace_sweep == SWEEP_ALWAYS or (
            rules.ace_sweep == SWEEP_NO_ACE and not s.cards & ACES
            and not (s.matta and matta_value == 1))
    )
    if sweeps and rules.ace_only_sweeps:
        if skip == 0 and room > 0:
            out[0] = table
        return 1
    if rules.equal:
        _reach(&s, value, 1)
    equals = s.found
    if rules.sum and not (equals and rules.choice != CHOICE_FREE):
        if rules.choice == CHOICE_FEWEST:
            size = 2
            while s.found == equals and size <= value:
                _reach(&s, value, size)
                size += 1
        else:
            _reach(&s, value, TWO_OR_MORE)
    if rules.fifteen:
        _reach(&s, 15 - value, ANY)
    if sweeps:
        # The sweep may be among the sets already: as a lone ace, or as fifteen.
        total = total_of(s.cards) + (matta_value if s.matta else 0)
        if not (rules.equal and total == 1 or rules.fifteen and total == 14):
            if 0 <= s.found - skip < room:
                out[s.found - skip] = table
            s.found += 1
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
                        place += ROW_PART[i][4 * ranks[i]]
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
                    t.subsets[place + ROW_WORDS - 1] = 0


cdef int _subset(cardset cards, cardset *positions, int n) noexcept nogil:
    cdef int i, out = 0
    for i in range(n):
        if cards & positions[i]:
            out |= 1 << i
    return out
