"""What mattered, told in sentences: the dearest errors, luck, and what was found well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from cirulla_ai.look.words import parts_of
from cirulla_ai.review.curve import events_of
from cirulla_ai.review.reading import Deal, Decision, Match
from cirulla_ai.review.texts import Names, ReviewWords

__all__ = ["Teller"]

# So many errors and finds are told, and turning points of each kind marked.
ERRORS, PRAISES, TURNS = 3, 2, 3
# A find: at least so many choices, and the next best one costs so many points.
CHOICES, NEXT_BEST = 3, 0.5
# Items of the score that are worth a word, in points.
WORTH_A_WORD = 0.15
# In prose a point has one decimal: less is nothing.
NOTHING = 0.05


@dataclass(frozen=True)
class Teller:
    """Tells of a match in one language, as HTML."""

    match: Match
    words: ReviewWords
    names: Names

    # --- who, where, how much ---------------------------------------------------------

    def at(self, event: Deal | Decision) -> str:
        """Where in the match it was."""
        if not self.words.tricks:
            where = self.words("where", round=event.round)
        elif isinstance(event, Decision):
            where = self.words("where_trick", number=event.number + 1)
        else:
            where = self.words("the_deal")
        of = self._smazzata(event)
        if len(self.match.smazzate) > 1:
            where = self.words("where_of", smazzata=of + 1, where=where[0].lower() + where[1:])
        return escape(where)

    def _smazzata(self, event: Deal | Decision) -> int:
        return next(place for place, one in enumerate(self.match.smazzate)
                    if event in one.deals or event in one.decisions)

    def who(self, decision: Decision) -> str:
        """Who decided."""
        return self.names.seat(self.match.first, decision.seat)

    def link(self, event: Deal | Decision, text: str) -> str:
        """A link to a decision or a deal."""
        return f'<a href="#{"d" if isinstance(event, Decision) else "g"}{event.number}">{text}</a>'

    def decisions(self) -> Iterator[Decision]:
        """All decisions of the match."""
        for one in self.match.smazzate:
            yield from one.decisions

    # --- errors and finds -------------------------------------------------------------

    def dearest(self) -> Sequence[Decision]:
        """The errors that cost most, dearest first."""
        errors = [one for one in self.decisions() if one.is_error]
        return sorted(errors, key=lambda one: -one.weight)[:ERRORS]

    def error(self, decision: Decision) -> str:
        """An error in words."""
        did = escape(self.words.did(decision.action, "\0")).replace("\0", self.who(decision))
        why = self.gains(decision.why or {})
        return self.words(
            "in_words_why" if why else "in_words", where=self.link(decision, self.at(decision)),
            did=did, best=self.words.playing(decision.best),
            points=self.words.points(decision.loss), why=why)

    def gains(self, why: Mapping[str, float]) -> str:
        """What the best play had more than the one played, item by item."""
        if len(why) < 2:
            # Where all points are of one kind, it says nothing.
            return ""
        gained = sorted(((-points, item) for item, points in why.items()
                         if -points >= WORTH_A_WORD), reverse=True)[:3]
        return self.words.listed([
            self.words("item_gain", points=self.words.amount(points), item=self.item(item))
            for points, item in gained])

    def item(self, name: str) -> str:
        """An item of the score."""
        if name == "scopa" and self.match.first.rules["claim"] == "no":
            name = "sweeps"
        return self.words(name) if name in self.words.texts else escape(name)

    def finds(self) -> Sequence[Decision]:
        """Best plays that were hard to find: not the one that takes most, the next best dear."""
        found = [one for one in self.decisions() if one.kind == "best" and _is_hard(one)]
        return sorted(found, key=lambda one: -(one.candidates[1].loss or 0.0))[:PRAISES]

    def find(self, decision: Decision) -> str:
        """A find in words."""
        return self.words(
            "praise", where=self.link(decision, self.at(decision)), who=self.who(decision),
            play=self.words.playing(decision.action),
            points=self.words.points(decision.candidates[1].loss or 0.0))

    # --- luck -------------------------------------------------------------------------

    def luck(self) -> Iterator[str]:
        """What the cards gave, and play took back, for whom they favoured; nothing where it is
        not known."""
        if not self.match.knows("luck"):
            return
        first = self.match.first
        sums = [(self._sum("luck", side), side) for side in range(first.rules.sides)]
        told = [max(sums)] if len(sums) == 2 else [max(sums), min(sums)]
        for luck, side in told:
            if abs(luck) >= NOTHING:
                yield self._luck(self.names.side(first, side), luck, side)
        if not self.match.knows("rest"):
            return
        adjusted = [sum(one.lead(side) for one in self.match.smazzate) - luck
                    for luck, side in sums]
        ahead = max(range(len(sums)), key=adjusted.__getitem__)
        if adjusted[ahead] < NOTHING:
            yield self.words("without_luck_even")
        else:
            yield self.words("without_luck", who=self.names.side(first, ahead),
                             points=self.words.points(adjusted[ahead]))

    def _sum(self, name: str, side: int) -> float:
        return sum(float(getattr(one.sides[side], name)) for one in self.match.smazzate)

    def _luck(self, who: str, luck: float, side: int) -> str:
        points = self.words.points(abs(luck))
        if not self.match.knows("skill"):
            return self.words("luck_gave" if luck > 0 else "luck_cost", who=who, luck=points)
        skill = self._sum("skill", side)
        key = {(True, True): "luck_gave_more", (True, False): "luck_gave_took",
               (False, True): "luck_cost_back", (False, False): "luck_cost_more"}
        return self.words(key[luck > 0, skill >= 0], who=who, luck=points,
                          skill=self.words.amount(abs(skill)))

    # --- turning points ---------------------------------------------------------------

    def turns(self, side: int, chances: bool) -> list[Deal | Decision]:
        """The errors and the deals that moved the curve most, in playing order."""
        def moved(deal: Deal) -> float:
            luck = deal.match if chances else deal.luck
            return 0.0 if luck is None else -abs(luck[side])

        errors: Iterable[Decision] = sorted(
            (one for one in self.decisions() if one.kind in ("mistake", "blunder")),
            key=lambda one: -((one.match_loss or 0.0) if chances else one.loss))[:TURNS]
        deals = sorted((deal for one in self.match.smazzate for deal in one.deals),
                       key=moved)[:TURNS - 1]
        order = {id(event): place for place, event in enumerate(
            event for one in self.match.smazzate for event in events_of(one))}
        return sorted((*errors, *deals), key=lambda event: order[id(event)])

    def turn(self, event: Deal | Decision) -> str:
        """A turning point in words."""
        if isinstance(event, Decision):
            return self.link(event, self.words(
                "turning_error", where=self.at(event), who=self.who(event),
                loss=self.words.number(-event.loss, signed=True)))
        side = max(range(len(event.luck)), key=event.luck.__getitem__)
        return self.link(event, self.words(
            "turning_cards" if self.words.tricks else "turning_deal", where=self.at(event),
            who=self.names.side(self.match.first, side),
            luck=self.words.number(event.luck[side], signed=True)))


def _is_hard(decision: Decision) -> bool:
    candidates = decision.candidates
    if len(candidates) < CHOICES or (candidates[1].loss or 0.0) < NEXT_BEST:
        return False
    taken = {one.action: len(parts_of(one.action)[2]) for one in candidates}
    return taken[decision.action] < max(taken.values()) if decision.action in taken else False
