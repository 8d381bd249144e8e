"""The score of a match: smazzate, the dealer's rotation, the winner."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Match"]


class Match:
    """A match to the rules' target (rules, section 3.5).

    ``dealer`` is the seat that deals first (the last one); ``seed`` makes every deal of the
    match reproducible; ``scores`` are points to start from.

    >>> match = Match("cirulla", seed=1)
    >>> while match.winner is None:
    ...     state = match.deal()
    ...     while not state.is_over:
    ...         state = state.apply(state.legal_actions()[0])
    ...     match.record(state)
    >>> max(match.scores) >= 51
    True
    """

    def __init__(
        self,
        rules: Rules | str = "cirulla",
        *,
        dealer: int | None = None,
        seed: int | None = None,
        scores: Sequence[int] | None = None,
    ) -> None:
        self.rules = Rules.parse(rules) if isinstance(rules, str) else rules
        self.dealer = self.rules.players - 1 if dealer is None else dealer
        self.scores = tuple(scores) if scores is not None else (0,) * self.rules.sides
        self.smazzate = 0
        self.winner: int | None = None
        self._random = Random(seed)
        # Checks the dealer and the scores at once, not at the first deal.
        state = State.deal(self.rules, dealer=self.dealer, seed=0, scores=self.scores)
        self.scores = state.scores
        best = max(self.scores)
        if best >= self.rules.target and self.scores.count(best) == 1:
            raise ValueError(f"scores {'-'.join(map(str, self.scores))}: side "
                             f"{self.scores.index(best)} has won already; the target is "
                             f"{self.rules.target}")

    def deal(self, *, seed: int | None = None, pack: Sequence[str] | str | None = None) -> State:
        """Deal the next smazzata, by its own seed or pack where one is given.

        Raises ValueError once the match is won, MisdealError for a pack that is a misdeal.
        """
        if self.winner is not None:
            raise ValueError(f"side {self.winner} has won the match; no more is dealt")
        if seed is None and pack is None:
            seed = self._random.getrandbits(64)
        return State.deal(self.rules, dealer=self.dealer, seed=seed, pack=pack, scores=self.scores)

    def record(self, state: State) -> None:
        """Take in a finished smazzata: its points, the winner, the next dealer.

        After a tie at or above the target nobody has won, and another smazzata is played.
        Raises ValueError where ``state`` is not over or is not this match's next smazzata.
        """
        if self.winner is not None:
            raise ValueError(f"side {self.winner} has won the match; nothing more counts")
        if (state.rules, state.dealer, state.scores) != (self.rules, self.dealer, self.scores):
            raise ValueError(
                f"not this match's next smazzata: rules, dealer and scores must be "
                f"{self.rules} dealer={self.dealer} scores={'/'.join(map(str, self.scores))}")
        self.winner = state.match_winner()
        self.scores = state.match_scores()
        self.dealer = (self.dealer + 1) % self.rules.players
        self.smazzate += 1

    def __repr__(self) -> str:
        return f"<Match {self.rules}: {self}>"

    def __str__(self) -> str:
        score = "-".join(map(str, self.scores))
        if self.winner is not None:
            return f"{score} after {self.smazzate} smazzate, won by side {self.winner}"
        return f"{score} after {self.smazzate} smazzate, to {self.rules.target}"
