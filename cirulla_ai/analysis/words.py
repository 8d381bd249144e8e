"""The difference of two plays in words: what one brings, by scoring item."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["in_words"]

# More of an item than the other play, and less of it.
WORDS: Mapping[str, tuple[str, str]] = {
    "scopa": ("makes more scopas", "makes fewer scopas"),
    "cards": ("wins the cards more often", "gives the cards away"),
    "diamonds": ("wins the diamonds more often", "gives the diamonds away"),
    "settebello": ("gets the sette bello more often", "gives the sette bello away"),
    "primiera": ("wins the primiera more often", "gives the primiera away"),
    "piccola": ("makes more of the piccola", "gives the piccola away"),
    "grande": ("makes more of the grande", "gives the grande away"),
    "cappotto": ("has more of a cappotto in it", "risks more of a cappotto"),
    "thirds": ("takes fewer thirds", "takes more thirds"),
}
# Of about a whole scopa.
SCOPA = ("makes a scopa more", "makes a scopa fewer")
ABOUT_ONE = (0.75, 1.5)
# What is not worth a word.
LEAST = 0.05


def in_words(items: Mapping[str, float], least: float = LEAST) -> str:
    """The signed points of each item, in words, the largest first.

    >>> in_words({"scopa": 0.9, "cards": 0.01, "diamonds": -0.4})
    'makes a scopa more, +0.9; gives the diamonds away, −0.4'
    """
    parts = []
    for name, points in sorted(items.items(), key=lambda item: -abs(item[1])):
        if abs(points) < least:
            continue
        words = WORDS.get(name, (f"more of {name}", f"less of {name}"))
        if name == "scopa" and ABOUT_ONE[0] <= abs(points) < ABOUT_ONE[1]:
            words = SCOPA
        size = f"{abs(points):.1f}" if abs(points) >= 0.1 else f"{abs(points):.2f}"
        parts.append(f"{words[points < 0]}, {'−' if points < 0 else '+'}{size}")
    return "; ".join(parts) or "nothing that counts"
