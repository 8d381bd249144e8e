"""Claims (bussate, 3.3): what they score, which there are, whose is the best."""

from cirulla_ai._core.actions cimport claim_code
from cirulla_ai._core.cards cimport ROYAL, bits_count, bits_low, card_bit, card_value, cardset
from cirulla_ai._core.fishing cimport (
    CLAIM_MANDATORY, FishingRules, FishingState, next_seat, value_in,
)
from cirulla_ai._core.game cimport Actions, actions_add


cdef int claim_points(
    const FishingRules *r, cardset cards, int declared
) noexcept nogil:
    """Points of showing these three cards with the matta, if among them, at ``declared``."""
    cdef int v[3]
    cdef int i, card, points = 0
    cdef cardset left = cards
    for i in range(3):
        card = bits_low(left)
        left &= left - 1
        v[i] = declared if card == r.matta and declared else card_value(card)
    if v[0] == v[1] == v[2]:
        points = r.claim_three[v[0]]
    if v[0] + v[1] + v[2] <= 9 and r.claim_low > points:
        points = r.claim_low
    if cards == ROYAL and r.claim_royal > points:
        points = r.claim_royal
    return points


cdef inline int offer_claim(
    const FishingRules *r, cardset cards, int declared, int least, Actions *out
) noexcept nogil:
    cdef int points = claim_points(r, cards, declared)
    if out != NULL and points >= least:
        actions_add(out, claim_code(cards, declared))
    return points


cdef int scan_claims(
    const FishingRules *r, cardset cards, int least, Actions *out
) noexcept nogil:
    """The most points of a claim from these cards, 0 where there is none.

    All claims of at least ``least`` points are added to ``out``, if not NULL.
    """
    cdef int place[40]
    cdef int value[40]
    cdef int n = 0, i, j, k, v, points, best = 0
    cdef cardset left = cards & ~r.matta_bit, two
    cdef bint wild = left != cards
    if not claim_possible(r, cards):
        return 0
    while left:
        place[n] = bits_low(left)
        value[n] = card_value(place[n])
        left &= left - 1
        n += 1
    # Cards are in order of value: once three are neither low nor equal, no later third is.
    for i in range(n):
        for j in range(i + 1, n):
            if value[i] != value[j] and value[i] + value[j] > 8:
                break
            two = card_bit(place[i]) | card_bit(place[j])
            for k in range(j + 1, n):
                if value[i] != value[k] and value[i] + value[j] + value[k] > 9:
                    break
                points = offer_claim(r, two | card_bit(place[k]), 0, least, out)
                best = points if points > best else best
            if wild:
                for v in range(1, 10 - value[i] - value[j]):
                    points = offer_claim(r, two | r.matta_bit, v, least, out)
                    best = points if points > best else best
                if value[i] == value[j] and value[i] > 3:
                    points = offer_claim(r, two | r.matta_bit, value[i], least, out)
                    best = points if points > best else best
    if (cards & ROYAL) == ROYAL:
        # Where the matta is one of the three, at any value.
        v = 1 if ROYAL & r.matta_bit else 0
        while v <= (10 if ROYAL & r.matta_bit else 0):
            points = offer_claim(r, ROYAL, v, least, out)
            best = points if points > best else best
            v += 1
    return best


cdef int best_claim(const FishingRules *r, cardset cards) noexcept nogil:
    """The most points that one claim from these cards scores; 0: there is none."""
    return scan_claims(r, cards, 0, NULL)


cdef inline cardset claim_candidates(
    const FishingRules *r, const FishingState *s
) noexcept nogil:
    return s.hand[s.turn] & ~s.shown


cdef bint list_claims(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil:
    cdef cardset candidates = claim_candidates(r, s)
    cdef int best
    if r.claim != CLAIM_MANDATORY:
        scan_claims(r, candidates, 1, out)
        return False
    best = best_claim(r, candidates)
    if best == 0:
        return False
    scan_claims(r, candidates, best, out)
    return True


cdef int contested_claim(const FishingRules *r, const FishingState *s) noexcept nogil:
    """The seat whose claim is the best of the round (``claim_best``), or -1."""
    cdef int _turn, j, seat, card, total, best = -1
    cdef int rank, best_rank = 0
    cdef int v[3]
    cdef cardset cards, left
    seat = s.dealer
    for _turn in range(r.players):
        seat = next_seat(r, seat)
        cards = s.hand[seat] & s.shown
        if bits_count(cards) != 3:
            continue
        left = cards
        for j in range(3):
            card = bits_low(left)
            left &= left - 1
            v[j] = value_in(r, s, card)
        total = v[0] + v[1] + v[2]
        # Three equal (and the royal, which counts so) before low, then the lower sum.
        rank = total if v[0] == v[1] == v[2] or cards == ROYAL else 100 + total
        if best < 0 or rank < best_rank:
            best = seat
            best_rank = rank
    return best
