"""Positions put together by hand, around the few cards that an example is about."""

from __future__ import annotations

from collections.abc import Iterable

from cirulla_ai import Rules, State

DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]


def cards_of(*texts: str) -> list[str]:
    """The cards that stand in these texts."""
    text = "".join(c for c in "".join(texts) if c not in "-/")
    return [text[i:i + 2] for i in range(0, len(text), 2)]


def others(*texts: str) -> list[str]:
    """The cards that stand in none of them."""
    used = cards_of(*texts)
    return [card for card in DECK if card not in used]


def spread(cards: Iterable[str], sides: int) -> list[str]:
    """Cards as taken ones, by rank, so that every side lacks some diamonds."""
    out = [""] * sides
    for card in cards:
        out[DECK.index(card) // 4 % sides] += card
    return out


def position(
    hands: str, table: str = "-", *, rules: str = "cirulla", stock: str = "", **keys: object
) -> State:
    """A whole truth with these hands, table and stock; the sides have taken the rest.

    The stock says which round it is; the last seat deals; hand sizes must fit the turn,
    which is the first seat's unless given.
    """
    made = Rules.parse(f"rules={rules}")
    left = len(stock) // 2 // made.players
    number = next(k for k in range(len(made.rounds)) if sum(made.rounds[k + 1:]) == left) + 1
    taken = spread(others(hands, table, stock), made.sides)
    values = {
        "dealer": made.players - 1, "round": number, "hands": hands, "table": table,
        "taken": "/".join(cards or "-" for cards in taken), "stock": stock or "-", **keys,
    }
    return State.parse(" ".join([f"rules={rules}", *(f"{k}={v}" for k, v in values.items())]))


def finished(*taken: str, rules: str = "cirulla", **keys: object) -> State:
    """A finished smazzata with these taken cards, a side; the others lie on the table.

    So nobody ever captured, but what scores is the taken cards alone.
    """
    made = Rules.parse(f"rules={rules}")
    values = {
        "dealer": made.players - 1, "round": len(made.rounds),
        "hands": "/".join("-" * made.players), "table": "".join(others(*taken)) or "-",
        "taken": "/".join(cards or "-" for cards in taken), "phase": "done", **keys,
    }
    return State.parse(" ".join([f"rules={rules}", *(f"{k}={v}" for k, v in values.items())]))


def moves(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in state.legal_actions()]


def key(state: State, name: str) -> str:
    """What stands under a key of the state string."""
    return dict(token.split("=") for token in str(state).split())[name]


def pack(table: str = "", hands: str = "", *, rules: str = "cirulla", dealer: int = -1) -> str:
    """A pack that deals this first table and these hands, a seat, as far as they are given.

    The rest is what is left in an order without claims to speak of: none of it matters.
    """
    made = Rules.parse(f"rules={rules}")
    size, players = made.rounds[0], made.players
    left = others(table, hands)[::-1]
    given = [cards_of(hand) for hand in hands.split("/")] if hands else [[]] * players
    dealt = [hand + [left.pop() for _ in range(size - len(hand))] for hand in map(list, given)]
    order = [(dealer % players + 1 + k) % players for k in range(players)]
    out = [dealt[seat][k] for k in range(size) for seat in order]
    lying = cards_of(table)
    lying += [left.pop() for _ in range(made.table_size - len(lying))]
    return "".join([*out, *lying, *left[::-1]])
