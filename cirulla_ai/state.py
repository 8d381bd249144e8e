"""States of a smazzata: the whole truth, or what one seat knows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from secrets import randbits
from typing import TYPE_CHECKING, Any, TypeVar

from cirulla_ai._core.actions import UNSEEN, encode_give
from cirulla_ai._core.cards import card_name, indices, parse_sequence, set_of, text_of
from cirulla_ai._core.contract import Position
from cirulla_ai.action import Action, ActionError, Deal, Step, several, step_of
from cirulla_ai.basics.numbers import MAX_SEED, given, whole
from cirulla_ai.games.reader import MAX_POINTS, StateError
from cirulla_ai.games.registry import game_of, split_tokens
from cirulla_ai.rules import Rules, read_rules

if TYPE_CHECKING:
    from cirulla_ai._core.contract import Fields
    from cirulla_ai.games.contract import SidePoints

__all__ = ["MisdealError", "State", "parse_state", "parse_tokens"]

OVER = "the smazzata is over: there is nothing to decide"
# Actions of a smazzata without claims; perft counts no longer sequences.
MAX_DEPTH = 36

T = TypeVar("T")


class MisdealError(ValueError):
    """A pack whose first table is a misdeal: it has to be shuffled and dealt again."""


class State:
    """A state of a smazzata.  Immutable: what changes a state gives a new one.

    Made by ``State.deal`` or ``State.parse``, and from those by ``apply`` and ``view``.
    What a game does not have (``table`` in Ciapa No, ``trick`` in Cirulla) raises
    AttributeError.

    >>> state = State.deal("cirulla", dealer=1, seed=7)
    >>> state.turn, state.phase, state.is_over
    (0, 'play', False)
    >>> state = state.apply(state.legal_actions()[0])
    >>> state.turn
    1
    >>> State.parse(str(state)) == state
    True
    """

    __slots__ = ("_fields", "_position", "_rules", "_text")

    def __init__(self, rules: Rules, position: Position) -> None:
        self._rules = rules
        self._position = position
        self._text: str | None = None
        self._fields: Fields | None = None

    # --- making one -------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> State:
        """Read a state string; raises StateError or RulesError with the reason, TypeError for
        what is no text.

        >>> State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0").viewer
        0
        """
        return cls(*parse_state(text))

    @classmethod
    def deal(
        cls,
        rules: Rules | str = "cirulla",
        *,
        dealer: int | None = None,
        seed: int | None = None,
        pack: Sequence[str] | str | None = None,
        scores: Iterable[int] | None = None,
        misdeals: int = 0,
    ) -> State:
        """Deal a smazzata: the whole truth after the first deal.

        ``rules`` is Rules or tokens as ``Rules.parse`` takes them;
        ``dealer`` a seat (the last one); ``seed`` 0 … 2**64 - 1 shuffles, dealing again
        after misdeals (a random seed where neither it nor ``pack`` is given); ``pack`` is
        forty cards in deal order; ``scores`` the match scores before, a side.

        Raises ValueError for what is out of range, MisdealError where the pack is a
        misdeal that decides nothing.
        """
        rules = Rules.parse(rules)
        last = rules.players - 1
        dealer = last if dealer is None else _keyed("dealer", whole, dealer, 0, last)
        before = [0] * rules.sides
        if scores is not None:
            before = list(_keyed("scores", rules.check_scores, scores))
        misdeals = _keyed("misdeals", whole, misdeals, 0, MAX_POINTS)
        core = game_of(rules).position
        if pack is not None:
            if seed is not None:
                raise StateError("seed", "both a seed and a pack; one of them deals")
            cards = read_pack(pack)
            outcome, position = core.deal(rules.table, dealer, before, misdeals, cards)
            if outcome == "misdeal":
                raise MisdealError(
                    f"pack: its first table is a misdeal under {rules}: shuffle and deal again")
            return cls(rules, position)
        seed = randbits(64) if seed is None else check_seed(seed)
        state = cls(rules, core.deal_random(rules.table, dealer, before, misdeals, seed))
        if state.misdeals > MAX_POINTS:
            raise StateError("misdeals", f"{state.misdeals} after those of this seed; at most "
                             f"{MAX_POINTS} can be written")
        return state

    # --- what is there ----------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._rules

    @property
    def position(self) -> Any:
        """The state in the core's form, of which each game has its own."""
        return self._position

    @property
    def _parts(self) -> Fields:
        """The parts that all games have; and those of this one, which ``_get`` looks for."""
        if self._fields is None:
            self._fields = self._position.fields()
        return self._fields

    def _get(self, key: str, default: Any = None) -> Any:
        value = self._parts.get(key, default)
        if value is None:
            raise AttributeError(f"there is no {key} in {self._rules.preset}")
        return value

    @property
    def turn(self) -> int | None:
        """The seat to decide, None when the smazzata is over."""
        turn = self._position.turn
        return None if turn < 0 else turn

    @property
    def phase(self) -> str:
        """``claim``, ``play``, ``deal`` (cards must be dealt to the viewer) or ``done``; in
        Ciapa No ``pass``, ``play`` or ``done``."""
        return self._position.phase

    @property
    def is_over(self) -> bool:
        """Whether the smazzata is over."""
        return self.phase == "done"

    @property
    def viewer(self) -> int | None:
        """The seat whose knowledge this is, None for the whole truth."""
        viewer = self._position.viewer
        return None if viewer < 0 else viewer

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._parts["dealer"]

    @property
    def round(self) -> int:
        """The round, from 1; where all cards are dealt at once there is just one."""
        return int(self._get("round", 1))

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Per seat, the known cards in hand."""
        return tuple(_names(cards) for cards, _ in self._parts["hands"])

    @property
    def unknown(self) -> tuple[int, ...]:
        """Per seat, the number of cards in hand that the viewer does not know."""
        return tuple(n for _, n in self._parts["hands"])

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """Per seat, the cards in hand that a claim has shown."""
        return tuple(_names(cards) for cards in self._get("shown"))

    @property
    def table(self) -> tuple[str, ...]:
        """The cards on the table."""
        return _names(self._get("table"))

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """Per side, the cards taken."""
        return tuple(_names(cards) for cards in self._parts["taken"])

    @property
    def claimed(self) -> tuple[int, ...]:
        """Per seat, the number of claims made this round."""
        return tuple(self._get("claimed"))

    @property
    def declared(self) -> int | None:
        """The value declared for the matta while it holds, or None."""
        return self._get("declared") or None

    @property
    def scopa(self) -> tuple[int, ...]:
        """Per side, scopas, claims and bonuses so far in this smazzata."""
        return tuple(self._get("scopa"))

    @property
    def last(self) -> int | None:
        """The side that captured last, None where none has."""
        last = self._get("last")
        return None if last < 0 else int(last)

    @property
    def stock(self) -> tuple[str, ...] | None:
        """The undealt cards in deal order, None in a view, where nobody knows them."""
        return None if self.viewer is not None else tuple(map(card_name, self._get("stock")))

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards of the open trick, in the order of play."""
        return tuple(map(card_name, self._get("trick")))

    @property
    def lead(self) -> int | None:
        """The seat that led the trick or is about to lead; at the end the winner of the
        last trick, None while passing."""
        lead = self._get("lead")
        return None if lead < 0 else int(lead)

    @property
    def discard(self) -> str | None:
        """The dealer's discard, ``?`` where the viewer does not know it, or None."""
        return _one_card(self._get("discard"))

    @property
    def passed(self) -> tuple[str | None, ...]:
        """Per seat, the card it handed on, ``?`` where the viewer does not know it."""
        return tuple(map(_one_card, self._get("passed")))

    @property
    def plays_left(self) -> int:
        """The number of cards that the seat to move has still to play, those to come too."""
        hand = self._parts["hands"][self.turn or 0]
        to_come = self.rules.rounds[self.round:] if self.rules.rounds else ()
        return len(indices(hand[0])) + hand[1] + sum(to_come)

    @property
    def stock_count(self) -> int:
        """The number of undealt cards."""
        return int(self._get("stock_count", 0))

    @property
    def scores(self) -> tuple[int, ...]:
        """Per side, the match score before this smazzata."""
        return tuple(self._parts["scores"])

    @property
    def misdeals(self) -> int:
        """Misdeals in a row before this deal."""
        return int(self._get("misdeals", 0))

    @property
    def progress(self) -> str:
        """How far the smazzata is, in a few words: ``round 3 of 6``, ``trick 4 of 13``."""
        return game_of(self._rules).progress(self)

    @property
    def won(self) -> int | None:
        """The side that has won the match by a cappotto or by the first table, or None."""
        won = self._position.won
        return None if won < 0 else won

    def points(self) -> tuple[SidePoints, ...]:
        """Per side, the points of the taken cards as they stand, by item: ``Points``, in
        Ciapa No ``TrickPoints``.

        Final when the smazzata is over.

        >>> State.deal(seed=7).points()[0].total
        0
        """
        return game_of(self._rules).points(self._position)

    def match_scores(self) -> tuple[int, ...]:
        """Per side, the match score with the points of this smazzata as they stand."""
        return tuple(b + p.total for b, p in zip(self.scores, self.points(), strict=True))

    def match_winners(self) -> tuple[int, ...]:
        """The sides that have won the match with this smazzata; none where it goes on.

        Several share it, which only happens where few points are good.  Raises ValueError
        while the smazzata is not over.
        """
        if not self.is_over:
            raise ValueError("the smazzata is not over: no match is decided within one")
        return (self.won,) if self.won is not None else self.rules.winners(self.match_scores())

    def match_winner(self) -> int | None:
        """The side that alone has won the match with this smazzata, None where there is none.

        Raises ValueError while the smazzata is not over.
        """
        winners = self.match_winners()
        return winners[0] if len(winners) == 1 else None

    # --- moving on --------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """The legal actions of the seat to move, in the ASCII order of their texts.

        Empty when the smazzata is over or cards must be dealt.  Raises ValueError in a view
        where another seat moves: its hand is not known.

        >>> [str(a) for a in State.parse(
        ...     "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0").legal_actions()]
        ['!3C4D7H=1', '!3C4D7H=2', '3CxAS5D6C', '4Dx5D6C', '4DxASKD', '7HxAS6C']
        """
        decides = self.phase not in ("deal", "done")
        if decides and self.viewer not in (None, self.turn):
            raise ValueError(f"seat {self.turn} is to move; seat {self.viewer}, whose view this "
                             "is, does not know its legal actions")
        return sorted(Action.from_code(code) for code in self._position.legal())

    def possible_actions(self, holding: Iterable[str] | str = ()) -> list[Action]:
        """What the seat to move may be seen to do, if it has the cards ``holding`` (of those
        not known to be elsewhere), in the ASCII order of the texts.

        Where its hand is known that is what is legal.  In a view where another seat moves:
        what it can do with the cards that it is known to have, and with these.

        >>> view = State.parse("rules=cirulla dealer=0 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
        >>> [str(action) for action in view.possible_actions("5H")]
        ['5Hx5D', '5HxKD']
        """
        if self.phase in ("deal", "done") or self.viewer in (None, self.turn):
            return self.legal_actions()
        position, turn = self._position, self._position.turn
        fields = position.fields()
        known, unknown = fields["hands"][turn]
        cards = set_of(joined("holding", holding))
        new = cards & ~known
        fields["hands"][turn] = known | new, unknown - new.bit_count()
        codes = {encode_give(UNSEEN)}
        if new.bit_count() <= unknown:
            codes.update(game_of(self._rules).position(self._rules.table, fields).legal())
        return sorted(Action.from_code(code) for code in codes if position.accepts(code))

    def apply(self, action: Action | str) -> State:
        """The state after an action of the seat to move; raises ActionError with the reason.

        In a view another seat's action is taken as seen, and refused only where it can't
        have been played by what the viewer knows.
        """
        action = Action(action)
        self.check(action)
        return State(self._rules, self._position.after(action.code))

    def seen(self, action: Action | str, seat: int) -> Action:
        """An action of the seat to move as ``seat`` sees it: ``>?`` where it is hidden.

        Raises ValueError where there is no such seat.

        >>> state = State.deal("ciapano", dealer=2, seed=7)
        >>> action = state.legal_actions()[0]
        >>> [str(state.seen(action, seat)) for seat in range(3)]
        ['>3H', '>3H', '>?']
        """
        seat = whole(seat, 0, self._rules.players - 1, "seat")
        return Action.from_code(self._position.seen(Action(action).code, seat))

    def deal_round(self, hand: Deal | Iterable[str] | str) -> State:
        """The view after the viewer was dealt ``hand`` for the next round.

        Raises ActionError where no round is to be dealt, or these cards can't be.
        """
        deal = hand if isinstance(hand, Deal) else Deal(joined("hand", hand))
        self._check_deal(deal)
        return State(self._rules, self._position.after_deal(deal.cards))

    def play(self, *words: str | Step) -> State:
        """The state after several words: actions, and ``@CARDS`` for the viewer's new hand.

        In the whole truth ``@CARDS`` is not needed; where given it must be a hand just dealt.
        """
        return self.through(*words)[-1]

    def through(self, *words: str | Step) -> tuple[State, ...]:
        """This state and those after each of several words, as ``play`` takes them."""
        states = [self]
        for place, word in enumerate(words, 1):
            try:
                states.append(states[-1]._step(step_of(word)))
            except ActionError as error:
                if len(words) == 1:
                    raise
                raise ActionError(f"word {place} of {len(words)}: {error}") from None
        return tuple(states)

    def check(self, step: Step) -> None:
        """Raise ActionError, with the reason, where ``play`` does not take this step."""
        if isinstance(step, Action):
            if not self._position.accepts(step.code):
                raise ActionError(
                    game_of(self._rules).explain_refusal(self._position, step.code))
        elif self.viewer is not None:
            self._check_deal(step)
        elif not self._just_dealt or step.cards not in [hand for hand, _ in self._parts["hands"]]:
            raise ActionError(f"{step.given}: this whole truth has not just dealt these cards to a "
                              "seat; @ is not needed in it")

    def _check_deal(self, deal: Deal) -> None:
        """Raise ActionError where the viewer can't be dealt this hand here."""
        if self.phase != "deal":
            raise ActionError(f"{deal.given}: no cards are to be dealt to a viewer here "
                              f"(phase={self.phase})")
        size = self.rules.rounds[self.round]
        if deal.cards.bit_count() != size:
            raise ActionError(f"{deal.given}: round {self.round + 1} deals {size} cards")
        seen = deal.cards & ~self._position.unseen()
        if seen:
            raise ActionError(f"{deal.given}: {text_of(seen)} has been seen elsewhere")

    def _step(self, step: Step) -> State:
        if isinstance(step, Action):
            return self.apply(step)
        if self.viewer is not None:
            return self.deal_round(step)
        # A whole truth has dealt by itself.
        self.check(step)
        return self

    @property
    def _just_dealt(self) -> bool:
        """Whether a later round has been dealt and nothing been done in it."""
        if not self.rules.rounds:
            return False
        size = self.rules.rounds[self.round - 1]
        first = (self.dealer + 1) % self.rules.players
        return (self.round > 1 and self.turn == first and not any(self.claimed)
                and all(len(hand) == size for hand in self.hands))

    def view(self, seat: int) -> State:
        """What ``seat`` knows: its hand, and all that lies or was shown face up.

        Raises ValueError where there is no such seat, or this is another seat's view.

        >>> State.deal(seed=7, dealer=1).view(0).unknown
        (0, 3)
        """
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        if self.viewer == seat:
            return self
        if self.viewer is not None:
            raise ValueError(f"this is the view of seat {self.viewer}; what seat {seat} knows "
                             "can't be told from it")
        return State(self._rules, self._position.view(seat))

    def perft(self, depth: int) -> dict[Action, int]:
        """For each legal action the number of sequences of ``depth`` actions that begin so.

        Raises ValueError where a hidden card would have to be known, or ``depth`` < 1.
        """
        depth = whole(depth, 1, MAX_DEPTH, "perft: the depth")
        counts = {}
        for action in self.legal_actions():
            n = 1 if depth == 1 else self._position.after(action.code).perft(depth - 1)
            if n < 0:
                raise ValueError("a hidden card would have to be known; perft needs the whole "
                                 "truth, or fewer actions")
            counts[action] = n
        return counts

    # --- as a value -------------------------------------------------------------------

    def copy(self) -> State:
        """Another State with the same contents."""
        return State(self._rules, self._position.copy())

    def __str__(self) -> str:
        if self._text is None:
            self._text = game_of(self._rules).write(self._rules, self._position)
        return self._text

    def __repr__(self) -> str:
        return f"State.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return (State.parse, (str(self),))

    def pretty(self) -> str:
        """A picture for people, of several lines.

        >>> print(State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD "
        ...                   "scores=12/7 viewer=0").pretty())
        cirulla, round 1 of 6, match 12-7 to 51, seat 0's view
        table   AS 5D 6C KD
        seat 0  3C 4D 7H  to play
        seat 1  ?  ?  ?   dealer
        side 0  0 points  no cards taken
        side 1  0 points  no cards taken
        stock   30 cards
        """
        return "\n".join(game_of(self._rules).picture(self))


def parse_state(text: str) -> tuple[Rules, Position]:
    """Read a state string; raises StateError or RulesError with the reason."""
    if not isinstance(text, str):
        raise TypeError(f"state {given(text)}: the text of a state is needed, as 'rules=cirulla …'")
    return parse_tokens(text.removeprefix("\ufeff").split())


def parse_tokens(tokens: Iterable[str]) -> tuple[Rules, Position]:
    """As ``parse_state``, from the words of the string."""
    state, options = split_tokens(tokens)
    rules = read_rules(state, options)
    game = game_of(rules)
    return rules, game.position(rules.table, game.read(rules, state))


def check_decidable(view: State) -> None:
    """Raise ValueError where a seat's view is no decision of that seat."""
    if view.is_over:
        raise ValueError(OVER)
    if view.phase == "deal":
        raise ValueError(f"cards must be dealt first: @ and the new hand of seat {view.viewer}")
    if view.viewer != view.turn:
        raise ValueError(f"seat {view.turn} is to move, not seat {view.viewer}, whose view this is")


def legal_among(legal: Sequence[Action], actions: Iterable[Action | str]) -> list[Action]:
    """Those actions, written or not; raises ValueError for one that is not legal."""
    chosen = list(map(Action, several("actions", actions)))
    for action in chosen:
        if action not in legal:
            raise ValueError(f"{action} is not legal here; legal are "
                             f"{' '.join(map(str, legal))}")
    return chosen


def check_seed(seed: int) -> int:
    """A seed as it is; raises StateError where it is no whole number of 64 bits."""
    return _keyed("seed", whole, seed, 0, MAX_SEED)


def read_pack(pack: Sequence[str] | str) -> list[int]:
    """Forty card indices in deal order; raises StateError where it is not all forty."""
    try:
        cards = parse_sequence(joined("pack", pack))
    except ValueError as error:
        raise StateError("pack", str(error)) from None
    if sorted(cards) != list(range(40)):
        missing = [card_name(card) for card in range(40) if card not in cards]
        raise StateError("pack", f"{len(cards)} cards, without {''.join(missing) or 'none'}; it "
                         "takes each of the forty once")
    return cards


def joined(name: str, cards: Iterable[str] | str) -> str:
    """Cards as one text; raises TypeError for what is neither text nor texts."""
    if isinstance(cards, str):
        return cards
    try:
        return "".join(cards)
    except TypeError:
        raise TypeError(f"{name} {given(cards)}: cards are needed as text, as '7H3S', or as a "
                        "list of texts") from None


def _keyed(key: str, check: Callable[..., T], *arguments: object) -> T:
    """What a check gives; its error is the key's."""
    try:
        return check(*arguments)
    except ValueError as error:
        raise StateError(key, str(error)) from None


def _one_card(card: int) -> str | None:
    return None if card < 0 else "?" if card == UNSEEN else card_name(card)


def _names(cards: int) -> tuple[str, ...]:
    return tuple(map(card_name, indices(cards)))
