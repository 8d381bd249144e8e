"""What the terminal says of a game: the table, what was played, the score sheet, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cirulla_ai.action import Action
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.look import Words
from cirulla_ai.play import SeatView
from cirulla_ai.play.advice import Judgement
from cirulla_ai.play.views import position_dict, sheet_dict, step_dicts
from cirulla_ai.state import State

__all__ = ["Speech", "words_for"]

# Where a stream can't show them.
PLAIN = str.maketrans({
    "♥": "H", "♦": "D", "♣": "C", "♠": "S", "−": "-", "±": "+/-", "\N{NO-BREAK SPACE}": " ",
    "à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'",
})
SIGNS = "♥♦♣♠−±àèéìòù"


def words_for(language: str, state: State) -> Words:
    """The words for a game's rules."""
    matta = position_dict(state)["matta"]
    rules = state.rules
    return Words(language, tricks=not hasattr(state, "table"),
                 matta=str(rules["matta"]) if hasattr(state, "table") and rules["matta"] != "no"
                 else (matta or {}).get("card", "7H"))


class Speech:
    """Sentences about what one seat sees of a game.

    ``encoding`` is that of the stream: what it can't show is written without accents and signs.
    """

    def __init__(self, language: str, view: SeatView, encoding: str | None = "utf-8") -> None:
        self.words = words_for(language, view.state)
        self._seat = view.seat
        self._names = [place.name or self.words("player", n=seat + 1)
                       for seat, place in enumerate(view.places)]
        self._sides = [place.side for place in view.places]
        try:
            SIGNS.encode(encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            self._plain = True
        else:
            self._plain = False

    def shown(self, text: str) -> str:
        """A text as the stream can show it."""
        return text.translate(PLAIN) if self._plain else text

    # --- who ----------------------------------------------------------------------------

    def side(self, side: int, you: str = "you") -> str:
        """Who plays for a side, oneself first: by the word ``you``."""
        seats = [seat for seat, of in enumerate(self._sides) if of == side]
        names = [self._names[seat] for seat in seats if seat != self._seat]
        return self.words.listed([*[self.words(you)] * (self._seat in seats), *names])

    def scores(self, scores: Sequence[int]) -> str:
        """A number for each side."""
        return ", ".join(f"{self.side(side)} {score}" for side, score in enumerate(scores))

    # --- the table ----------------------------------------------------------------------

    def dealt(self, view: SeatView) -> Iterator[str]:
        """A new smazzata, or one that goes on."""
        words, state = self.words, view.history.start
        smazzata = words("smazzata", n=view.smazzata)
        scores = self.scores(view.state.scores)
        yield (words("dealt_you", smazzata=smazzata, scores=scores)
               if state.dealer == self._seat else
               words("dealt", smazzata=smazzata, who=self._names[state.dealer], scores=scores))
        for item in game_of(state.rules).sheet(History(state)):
            if item.item == "bonus":
                yield words("bonus_n", points=words.points(max(item.points)))

    def table(self, view: SeatView) -> Iterator[str]:
        """What lies there, what one holds, what the others hold as far as one knows."""
        words, state = self.words, view.state
        position = position_dict(state)
        if position["table"] is None:
            yield f"{words('trick')}: {words.signs(position['trick']) or words('empty')}"
        else:
            cards = [self._matta(card, position) for card in position["table"]]
            yield f"{words('table')}: {' '.join(cards) or words('empty')}"
        yield f"{words('hand')}: " + (" ".join(
            self._matta(card, position) for card in state.hands[self._seat]) or words("empty"))
        others = []
        for seat, hand in enumerate(position["hands"]):
            if seat != self._seat:
                known = [self._matta(card, position) for card in hand["cards"]]
                hidden = [words("hidden_card" if hand["unknown"] == 1 else "hidden_cards",
                                n=hand["unknown"])] if hand["unknown"] else []
                others.append(words("has_n", who=self._names[seat], n=", ".join(
                    [*known, *hidden]) or words("nothing")))
        yield words("others_n", hands="; ".join(others))
        if position["stock"]:
            yield words("stock_n", n=words("cards_n", n=position["stock"]))

    def _matta(self, card: str, position: dict[str, Any]) -> str:
        """A card with its sign, and the value that it stands for."""
        matta = position["matta"]
        sign = self.words.sign(card)
        if matta and card == matta["card"]:
            return f"({self.words('matta_as', card=sign, value=matta['value'])})"
        return sign

    def choices(self, view: SeatView) -> Iterator[str]:
        """The legal actions with their numbers, and what each brings at once."""
        for number, legal in enumerate(position_dict(view.state)["legal"], 1):
            yield f"{number:4}  {self.words.short(legal['action'])}{self._brings(legal)}"

    def _brings(self, step: dict[str, Any]) -> str:
        """A sweep, and points scored at once."""
        said = []
        if step["kind"] == "play" and step["points"]:
            said.append(self.words("sweep"))
        elif step["points"]:
            said.append(self.words.points(step["points"]))
        return f": {', '.join(said)}" if said else ""

    def _trick(self, after: State) -> str:
        """Who has just taken a trick, where there are tricks."""
        played = any(after.taken) and not getattr(after, "trick", True)
        if not played or after.lead is None:
            return ""
        return ": " + (self.words("you_take_trick") if after.lead == self._seat else
                       self.words("takes_trick", who=self._names[after.lead]))

    def steps(self, view: SeatView, told: int) -> Iterator[str]:
        """What was done since the first so many steps."""
        fishing = hasattr(view.state, "table")
        for step in step_dicts(view.history)[told:]:
            if "deal" in step:
                if fishing:
                    yield self.words("round", n=step["round"]) + "."
                continue
            who = None if step["seat"] == self._seat else self._names[step["seat"]]
            after = view.history.states[step["number"] + 1]
            yield f"{self.words.did(step['action'], who)}{self._brings(step)}{self._trick(after)}."

    # --- the score ----------------------------------------------------------------------

    def so_far(self, view: SeatView) -> str:
        """The points of the smazzata so far."""
        return self.words("so_far", scores=self.scores(
            [points.total for points in view.state.points()]))

    def sheet(self, view: SeatView) -> Iterator[str]:
        """The score sheet of the last smazzata: a line an item, why it went to nobody."""
        words = self.words
        assert view.last is not None
        sheet = sheet_dict(view.last, view.smazzata - (view.stage == "playing"))
        yield words("smazzata", n=sheet["smazzata"]) + ":"
        names = [words(item["item"]) for item in sheet["items"]]
        width = max(map(len, [*names, words("total"), words("match_now")]))
        for name, item in zip(names, sheet["items"], strict=True):
            gained = [words("to_whom", points=words.points(points), who=self.side(side, "to_you"))
                      for side, points in enumerate(item["points"]) if points]
            why = words(f"nobody_{item['reason']}") if item["reason"] else ", ".join(gained)
            cards = [words.signs(cards) for cards in item["cards"]]
            shown = (f" ({' / '.join(cards)})" if any(cards) and item["item"] == "primiera" else "")
            counts = " / ".join(map(str, item["counts"]))
            yield f"  {name:{width}}  {counts}{shown}{'  ' + why if why else ''}"
        yield f"  {words('total'):{width}}  {self.scores(sheet['points'])}"
        yield f"  {words('match_now'):{width}}  {self.scores(sheet['after'])}"

    def result(self, view: SeatView) -> str:
        """Who has won the match."""
        scores = self.scores(view.scores)
        if len(view.winners) > 1:
            who = [self.side(side, "to_you") for side in view.winners]
            return self.words("shared_by", who=self.words.listed(who), scores=scores)
        side, = view.winners
        if side != self._sides[self._seat]:
            return self.words("won_by", who=self.side(side), scores=scores)
        partners = [name for seat, name in enumerate(self._names)
                    if self._sides[seat] == side and seat != self._seat]
        return self.words("won_by_us" if partners else "won_by_you", scores=scores,
                          who=self.words.listed(partners))

    # --- advice -------------------------------------------------------------------------

    def play(self, action: Action) -> str:
        """A play as a thing that may be done."""
        return self.words.short(str(action))

    def judgement(self, judged: Judgement) -> str:
        """What a play was worth."""
        words, play = self.words, self.play(judged.played.action)
        if judged.grade == "forced":
            return words("only_one", play=play)
        if judged.grade == "best":
            return words("was_best", play=play, points=self.amount(
                judged.played.points, judged.played.error))
        return words("was_worse", play=play, best=self.play(judged.best.action),
                     grade=words(judged.grade), loss=words.points(round(judged.played.loss, 1)))

    def reasons(self, items: dict[str, float]) -> str | None:
        """What makes the difference, the largest parts first; None where nothing does."""
        parts = [f"{self.words(item)} {self.words.number(points, 1, signed=True)}"
                 for item, points in sorted(items.items(), key=lambda one: -abs(one[1]))
                 if abs(points) >= 0.05]
        return self.words("reasons", items=", ".join(parts)) if parts else None

    def amount(self, points: float, error: float = 0.0) -> str:
        """Points ahead or behind, and how sure that is where it is not."""
        text = self.words.number(points, 1, signed=True)
        return text if error < 0.05 else f"{text} ± {self.words.number(error)}"
