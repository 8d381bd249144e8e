"""The score of a match: smazzate, the dealer's rotation, the winner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from random import Random

from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.games.reader import MAX_POINTS
from cirulla_ai.rules import Rules
from cirulla_ai.state import State, check_seed

__all__ = ["MOST_SMAZZATE", "Match"]

# Far beyond what any sensible rules need to their target: 1000 points, at two a smazzata, are
# five hundred.
MOST_SMAZZATE = 1000


class Match:
    """A match to the rules' target (rules, section 3.5), of at most so many smazzate.

    ``winners`` are empty until it is won; ``winner`` is None also where several share it.
    ``dealer`` is the seat that deals first (the last one); ``seed`` makes every deal of the
    ``dealer`` is the seat that deals first (the last one); ``seed`` makes every deal of the
    match reproducible, 0 … 2**64 - 1; ``scores`` are points to start from.  There are rules
    under which hardly a point can be made: after ``most_smazzate`` the match goes to whoever
    leads, and is shared where several do (``is_cut``).  Play while it is not ``is_over``.
    Raises ValueError for what is out of range.

    >>> match = Match("cirulla", seed=1)
    >>> while not match.is_over:
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
        scores: Iterable[int] | None = None,
        most_smazzate: int = MOST_SMAZZATE,
    ) -> None:
        self.most_smazzate = whole(most_smazzate, 1, MAX_POINTS, "most_smazzate")
        self.rules = Rules.parse(rules)
        # Checks the dealer and the scores at once, not at the first deal.
        state = State.deal(self.rules, dealer=dealer, seed=0, scores=scores)
        self.dealer = state.dealer
        self.scores = state.scores
        self.smazzate = 0
        self.most_smazzate = most_smazzate
        self.is_cut = False
        self.winners: tuple[int, ...] = ()
        self._random = Random(None if seed is None else check_seed(seed))
        if winners := self.rules.winners(self.scores):
            raise ValueError(f"scores {'-'.join(map(str, self.scores))}: {_won(winners)} "
                             f"already; the target is {self.rules.target}")

    @property
    def is_over(self) -> bool:
        """Whether the match is won, or shared."""
        return bool(self.winners)

    @property
    def winner(self) -> int | None:
        """The side that has won, None where none has, or several share it."""
        return self.winners[0] if len(self.winners) == 1 else None

    def deal(self, *, seed: int | None = None, pack: Sequence[str] | str | None = None) -> State:
        """Deal the next smazzata, by its own seed or pack where one is given.

        Raises ValueError once the match is won, MisdealError for a pack that is a misdeal.
        """
        if self.winners:
            raise ValueError(f"{_won(self.winners)} the match; no more is dealt")
        if seed is None and pack is None:
            seed = self._random.getrandbits(64)
        return State.deal(self.rules, dealer=self.dealer, seed=seed, pack=pack, scores=self.scores)

    def record(self, state: State) -> None:
        """Take in a finished smazzata: its points, the winners, the next dealer.

        After a tie at or above the target nobody has won, and another smazzata is played;
        where few points are good, those who tie share the match, as they do after the last
        smazzata that it may have.
        Raises ValueError where ``state`` is not over or is not this match's next smazzata.
        """
        if self.winners:
            raise ValueError(f"{_won(self.winners)} the match; nothing more counts")
        if not isinstance(state, State):
            raise TypeError(f"{given(state)} is no State; a match records how a smazzata ended")
        if (state.rules, state.dealer, state.scores) != (self.rules, self.dealer, self.scores):
            raise ValueError(
                f"not this match's next smazzata: rules, dealer and scores must be "
                f"{self.rules} dealer={self.dealer} scores={'/'.join(map(str, self.scores))}")
        self.winners = state.match_winners()
        self.scores = state.match_scores()
        self.dealer = (self.dealer + 1) % self.rules.players
        self.smazzate += 1
        if not self.winners and self.smazzate >= self.most_smazzate:
            self.is_cut = True
            self.winners = self._leaders()

    def _leaders(self) -> tuple[int, ...]:
        best = min(self.scores) if self.rules.family.fewest else max(self.scores)
        return tuple(side for side, score in enumerate(self.scores) if score == best)

    def __copy__(self) -> Match:
        """The same match, that goes its own way from here."""
        return deepcopy(self)

    def __repr__(self) -> str:
        return f"<Match {self.rules}: {self}>"

    def __str__(self) -> str:
        score = "-".join(map(str, self.scores))
        if self.winners:
            sides = " and ".join(map(str, self.winners))
            return (f"{score} after {self.smazzate} smazzate{', the most' * self.is_cut}, won by "
                    f"side{'s' * (len(self.winners) > 1)} {sides}")
        return f"{score} after {self.smazzate} smazzate, to {self.rules.target}"


def _won(winners: tuple[int, ...]) -> str:
    if len(winners) == 1:
        return f"side {winners[0]} has won"
    return f"sides {' and '.join(map(str, winners))} have won"
