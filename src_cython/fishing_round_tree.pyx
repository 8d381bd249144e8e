"""The tree of one round of two players before all is known, for its equilibrium.

It is the tree of what everybody sees, with a number for each hand that a seat may hold.
After the last round but one the rest is dealt and each player knows the other's hand, so what
that round came to has an exact value (fishing_endgame.pyx), the mean over the deals of the stock.
What any round came to can be told by the learned values (fishing_value.pyx) instead.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cirulla_ai._core.actions cimport (
    KIND_CLAIM, KIND_PLAY, action_t, code_card, code_cards, code_kind,
)
from cirulla_ai._core.cards cimport DECK, DIAMONDS, bits_count, card_bit, cardset
from cirulla_ai._core.clock cimport clock_ns
from cirulla_ai._core.fishing cimport (
    PHASE_DEAL, PHASE_DONE, FishingState, fishing_apply, fishing_legal, hand_count, next_round,
)
from cirulla_ai._core.fishing_endgame cimport solve_outcome
from cirulla_ai._core.fishing_scoring cimport fishing_outcome
from cirulla_ai._core.fishing_value cimport state_value
from cirulla_ai._core.game cimport Actions, Outcome, actions_add


# --- memory -------------------------------------------------------------------------

cdef bint grow(void **data, int64_t n, int64_t *room, size_t size) noexcept nogil:
    """Make room for ``n`` items; False, and the array as it was, where memory ran out."""
    cdef int64_t more = 2 * room[0] if 2 * room[0] > n else n
    cdef void *bigger
    if n <= room[0]:
        return True
    bigger = realloc(data[0], more * size)
    if bigger == NULL:
        return False
    data[0] = bigger
    room[0] = more
    return True


cdef bint make_room(
    Tree *t, int64_t nodes, int64_t edges, int64_t entries, int64_t others, int64_t matrix
) noexcept nogil:
    """Room for so many more of each; False where memory ran out, or it is more than may be."""
    # An entry has a number for its regret and one for its average as well.
    cdef int64_t bytes = (
        (t.n_nodes + nodes) * sizeof(Node) + (t.n_edges + edges) * sizeof(Edge)
        + (t.n_entries + entries) * (sizeof(uint16_t) + 2 * sizeof(float))
        + (t.n_others + others) * sizeof(uint16_t) + (t.n_matrix + matrix) * sizeof(float)
        + t.room_ends * sizeof(End))
    return (
        bytes <= t.most_bytes
        and grow(<void **>&t.nodes, t.n_nodes + nodes, &t.room_nodes, sizeof(Node))
        and grow(<void **>&t.edges, t.n_edges + edges, &t.room_edges, sizeof(Edge))
        and grow(<void **>&t.hand, t.n_entries + entries, &t.room_entries, sizeof(uint16_t))
        and grow(<void **>&t.others, t.n_others + others, &t.room_others, sizeof(uint16_t))
        and grow(<void **>&t.matrix, t.n_matrix + matrix, &t.room_matrix, sizeof(float)))


cdef void tree_free(Tree *t) noexcept nogil:
    free(t.nodes)
    free(t.edges)
    free(t.hand)
    free(t.others)
    free(t.regret)
    free(t.average)
    free(t.matrix)
    free(t.ends)


# --- what a round comes to ----------------------------------------------------------

cdef inline uint64_t hash_of(const EndKey *key) noexcept nogil:
    """Any mixing will do (the multiplier is that of splitmix64)."""
    cdef const uint64_t *words = <const uint64_t *>key
    cdef uint64_t h = 0
    cdef size_t i
    for i in range(sizeof(EndKey) // 8):
        h = (h ^ words[i]) * <uint64_t>0xBF58476D1CE4E5B9
        h ^= h >> 29
    return h


cdef End *place_of(End *ends, int64_t room, const EndKey *key) noexcept nogil:
    """Where an end is, or should be put; the table is never full."""
    cdef uint64_t at = hash_of(key) & <uint64_t>(room - 1)
    while ends[at].used and memcmp(&ends[at].key, key, sizeof(EndKey)) != 0:
        at = (at + 1) & <uint64_t>(room - 1)
    return ends + at


cdef bint more_ends(Tree *t) noexcept nogil:
    cdef int64_t room = 2 * t.room_ends if t.room_ends else 1 << 12, i
    cdef End *ends = <End *>calloc(room, sizeof(End))
    if ends == NULL:
        return False
    for i in range(t.room_ends):
        if t.ends[i].used:
            memcpy(place_of(ends, room, &t.ends[i].key), &t.ends[i], sizeof(End))
    free(t.ends)
    t.ends = ends
    t.room_ends = room
    return True


cdef float mean_of_deals(Builder *b, const FishingState *s) noexcept nogil:
    """Side 0's points minus side 1's from the last deal on, in the mean of all deals of it."""
    cdef FishingState world
    cdef Outcome out
    cdef uint8_t cards[MAX_STOCK]
    cdef cardset left = unseen_of(s)
    cdef int n = 0, i, first, second, size
    cdef int64_t deals = 0
    cdef uint64_t chosen
    cdef double total = 0
    while left:
        for i in range(40):
            if left >> i & 1:
                cards[n] = <uint8_t>i
                n += 1
                left &= left - 1
    size = n // 2
    for chosen in range(<uint64_t>1 << n):
        if bits_count(chosen) != size:
            continue
        memcpy(&world, s, sizeof(FishingState))
        world.viewer = -1
        world.at = 0
        world.end = <uint8_t>n
        first = 0
        second = 1
        for i in range(n):
            if chosen >> i & 1:
                world.stock[first] = cards[i]
                first += 2
            else:
                world.stock[second] = cards[i]
                second += 2
        next_round(b.rules, &world)
        if not solve_outcome(&b.solver, &world, &out):
            b.tree.failed = True
            return 0
        total += out.points[0] - out.points[1]
        deals += 1
    return <float>(total / deals)


cdef inline cardset unseen_of(const FishingState *s) noexcept nogil:
    return DECK & ~(s.table | s.taken[0] | s.taken[1] | s.hand[0] | s.hand[1])


cdef float end_value(Builder *b, const FishingState *s) noexcept nogil:
    """What a round that is over comes to, in points of side 0 minus side 1."""
    cdef Tree *t = b.tree
    cdef EndKey key
    cdef End *end
    cdef Outcome out
    cdef FishingState without
    cdef int ahead = 0
    if s.phase == PHASE_DONE:
        fishing_outcome(b.rules, s, &out)
        return <float>(out.points[0] - out.points[1])
    if b.nets != NULL:
        state_value(b.nets, b.rules, s, s.round, out.points)
        return <float>(out.points[0] - out.points[1])
    memcpy(&without, s, sizeof(FishingState))
    if s.taken[0] & DIAMONDS and s.taken[1] & DIAMONDS:
        # No side can win the match outright any more: scopas only add to the rest.
        ahead = s.scopa[0] - s.scopa[1]
        without.scopa[0] = 0
        without.scopa[1] = 0
    memset(&key, 0, sizeof(EndKey))
    key.taken[0] = s.taken[0]
    key.taken[1] = s.taken[1]
    key.table = s.table
    key.scopa[0] = <int16_t>without.scopa[0]
    key.scopa[1] = <int16_t>without.scopa[1]
    key.last = s.last
    key.declared = s.declared
    if 2 * t.n_ends >= t.room_ends and not more_ends(t):
        t.failed = True
        return 0
    end = place_of(t.ends, t.room_ends, &key)
    if not end.used:
        memcpy(&end.key, &key, sizeof(EndKey))
        end.value = mean_of_deals(b, &without)
        end.used = True
        t.n_ends += 1
    return end.value + ahead


# --- the tree -----------------------------------------------------------------------

cdef void with_hand(FishingState *s, int seat, cardset hand) noexcept nogil:
    """Say what a seat holds."""
    s.hand[seat] = hand
    s.unknown[seat] = 0


cdef float last_value(Builder *b, FishingState *s, cardset card) noexcept nogil:
    """What it comes to once the other seat has played its last card, if any, in the best way."""
    cdef FishingState child
    cdef int seat = s.turn
    cdef int64_t i
    cdef float value, best = 0
    if s.phase >= PHASE_DEAL:
        return end_value(b, s)
    with_hand(s, seat, card)
    fishing_legal(b.rules, s, &b.reply)
    if b.reply.failed:
        b.tree.failed = True
        return 0
    for i in range(b.reply.n):
        memcpy(&child, s, sizeof(FishingState))
        fishing_apply(b.rules, &child, b.reply.data[i])
        value = end_value(b, &child)
        if i == 0 or (value > best if seat == 0 else value < best):
            best = value
    return best


cdef int64_t build_over(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n
) noexcept nogil:
    """A node where the match is won: what it comes to for every pair of hands."""
    cdef Tree *t = b.tree
    cdef Node *node
    cdef int other = 1 - seat
    cdef int i, j
    cdef float value = end_value(b, s)
    if not make_room(t, 1, 0, n[seat], 0, <int64_t>n[seat] * n[other]):
        t.failed = True
        return 0
    node = t.nodes + t.n_nodes
    memset(node, 0, sizeof(Node))
    node.kind = NODE_OVER
    node.seat = <int8_t>seat
    node.is_forced = True
    node.hands[0] = n[0]
    node.hands[1] = n[1]
    node.entries = t.n_entries
    node.n_entries = n[seat]
    node.matrix = t.n_matrix
    for i in range(n[seat]):
        t.hand[t.n_entries + i] = <uint16_t>i
        for j in range(n[other]):
            t.matrix[t.n_matrix] = 0 if hands[seat][i] & hands[other][j] else value
            t.n_matrix += 1
    t.n_entries += n[seat]
    t.n_nodes += 1
    return t.n_nodes - 1


cdef bint list_choices(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n,
    Actions *codes, Actions *pairs
) noexcept nogil:
    """The actions of all hands that a seat may hold, once each, and all pairs of an action's
    place and a hand's, in that order; whether no hand has more than one action."""
    cdef FishingState own
    cdef bint is_forced = True
    cdef int64_t e, k
    cdef int h
    memcpy(&own, s, sizeof(FishingState))
    for h in range(n[seat]):
        with_hand(&own, seat, hands[seat][h])
        fishing_legal(b.rules, &own, &b.legal)
        if b.legal.n > 1:
            is_forced = False
        for k in range(b.legal.n):
            for e in range(codes.n):
                if codes.data[e] == b.legal.data[k]:
                    break
            else:
                actions_add(codes, b.legal.data[k])
    for e in range(codes.n):
        for h in range(n[seat]):
            # A quick no: most hands do not have the card.
            if code_kind(codes.data[e]) == KIND_PLAY and not (
                    hands[seat][h] >> code_card(codes.data[e]) & 1):
                continue
            with_hand(&own, seat, hands[seat][h])
            fishing_legal(b.rules, &own, &b.legal)
            for k in range(b.legal.n):
                if b.legal.data[k] == codes.data[e]:
                    actions_add(pairs, e << 32 | h)
    return is_forced


cdef Node *add_node(
    Tree *t, int seat, const int *n, const Actions *codes, const Actions *pairs
) noexcept nogil:
    """A node with an edge for each action and an entry for each pair; there is room for them."""
    cdef Node *node = t.nodes + t.n_nodes
    cdef int64_t e, k
    memset(node, 0, sizeof(Node))
    node.seat = <int8_t>seat
    node.hands[0] = n[0]
    node.hands[1] = n[1]
    node.edges = t.n_edges
    node.n_edges = <int32_t>codes.n
    node.entries = t.n_entries
    node.n_entries = <int32_t>pairs.n
    node.matrix = t.n_matrix
    t.n_nodes += 1
    t.n_edges += codes.n
    t.n_entries += pairs.n
    t.most_hands = max(t.most_hands, max(n[0], n[1]))
    t.most_entries = max(t.most_entries, <int>pairs.n)
    for e in range(codes.n):
        t.edges[node.edges + e].code = codes.data[e]
        t.edges[node.edges + e].n = 0
        t.edges[node.edges + e].child = -1
        t.edges[node.edges + e].others = 0
    for k in range(pairs.n):
        t.edges[node.edges + (pairs.data[k] >> 32)].n += 1
        t.hand[node.entries + k] = <uint16_t>(pairs.data[k] & 0xFFFF)
    return node


cdef void fill_matrix(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n,
    const Actions *codes, const Actions *pairs
) noexcept nogil:
    """What each entry of a last node comes to, by the hand of the other seat."""
    cdef Tree *t = b.tree
    cdef FishingState own, after
    cdef int other = 1 - seat, h, j
    cdef int64_t k
    for k in range(pairs.n):
        h = <int>(pairs.data[k] & 0xFFFF)
        memcpy(&own, s, sizeof(FishingState))
        with_hand(&own, seat, hands[seat][h])
        fishing_apply(b.rules, &own, codes.data[pairs.data[k] >> 32])
        for j in range(n[other]):
            memcpy(&after, &own, sizeof(FishingState))
            t.matrix[t.n_matrix] = 0
            if not hands[seat][h] & hands[other][j]:
                t.matrix[t.n_matrix] = last_value(b, &after, hands[other][j])
            t.n_matrix += 1


cdef void build_edges(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n,
    const Actions *codes, int64_t first_edge, int64_t first_entry
) noexcept nogil:
    """The trees below a node's actions."""
    cdef Tree *t = b.tree
    cdef cardset *mine = <cardset *>malloc(n[seat] * sizeof(cardset))
    cdef cardset *theirs = <cardset *>malloc(n[1 - seat] * sizeof(cardset))
    cdef int64_t e, child, entry = first_entry
    for e in range(codes.n):
        if mine == NULL or theirs == NULL or t.failed:
            t.failed = True
            break
        child = build_edge(b, s, seat, hands, n, codes.data[e], &entry,
                           t.edges[first_edge + e].n, mine, theirs, first_edge + e)
        t.edges[first_edge + e].child = child
    free(mine)
    free(theirs)


cdef int64_t build(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n
) noexcept nogil:
    """Build the tree below what everybody sees, ``s``; its first node.

    ``seat`` is to move; ``hands`` are ``n`` whole hands that each seat may hold.
    """
    cdef Tree *t = b.tree
    cdef Actions pairs, codes
    cdef int64_t at = t.n_nodes
    cdef int other = 1 - seat
    cdef bint is_last, is_forced
    cdef Node *node
    if t.failed or b.solver.stop[0] or clock_ns() >= b.solver.deadline:
        t.failed = True
        return 0
    if s.phase == PHASE_DONE:
        return build_over(b, s, seat, hands, n)
    memset(&pairs, 0, sizeof(Actions))
    memset(&codes, 0, sizeof(Actions))
    is_last = hand_count(s, seat) == 1 and hand_count(s, other) <= 1
    is_forced = list_choices(b, s, seat, hands, n, &codes, &pairs)
    if b.legal.failed or codes.failed or pairs.failed or not make_room(
            t, 1, codes.n, pairs.n, 0, pairs.n * n[other] if is_last else 0):
        t.failed = True
        at = 0
    else:
        node = add_node(t, seat, n, &codes, &pairs)
        node.kind = NODE_LAST if is_last else NODE_PLAY
        node.is_forced = is_forced
        if is_last:
            fill_matrix(b, s, seat, hands, n, &codes, &pairs)
        else:
            build_edges(b, s, seat, hands, n, &codes, node.edges, node.entries)
    free(codes.data)
    free(pairs.data)
    return at


cdef int64_t build_edge(
    Builder *b, const FishingState *s, int seat, const cardset *const *hands, const int *n,
    action_t code, int64_t *entry, int entries, cardset *mine, cardset *theirs, int64_t edge
) noexcept nogil:
    """The tree below an action; ``entry`` goes on to the next action's first."""
    cdef Tree *t = b.tree
    cdef FishingState after
    cdef const cardset *lists[2]
    cdef int counts[2]
    cdef int other = 1 - seat, i, j
    cdef cardset seen = 0, gone = 0
    if code_kind(code) == KIND_PLAY:
        gone = card_bit(code_card(code))
        seen = gone
    elif code_kind(code) == KIND_CLAIM:
        seen = code_cards(code)
    for i in range(entries):
        mine[i] = hands[seat][t.hand[entry[0] + i]] & ~gone
    entry[0] += entries
    counts[seat] = entries
    if not make_room(t, 0, 0, 0, n[other], 0):
        t.failed = True
        return 0
    # What was seen is not in the other hand.
    t.edges[edge].others = t.n_others
    counts[other] = 0
    for j in range(n[other]):
        if not hands[other][j] & seen:
            theirs[counts[other]] = hands[other][j]
            t.others[t.n_others + counts[other]] = <uint16_t>j
            counts[other] += 1
    t.n_others += counts[other]
    memcpy(&after, s, sizeof(FishingState))
    fishing_apply(b.rules, &after, code)
    lists[seat] = mine
    lists[other] = theirs
    # Where the match is over no seat moves; either will do.
    return build(b, &after, after.turn if after.turn >= 0 else seat, lists, counts)
