"""What the review says, in English and Italian, and who it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import ClassVar

from cirulla_ai._core.cards import card_name
from cirulla_ai.look import Words
from cirulla_ai.look.words import TEXTS, parts_of
from cirulla_ai.review.reading import Match, Smazzata
from cirulla_ai.rules import Rules

__all__ = ["REVIEW_TEXTS", "Names", "ReviewWords"]

REVIEW_TEXTS: dict[str, tuple[str, str]] = {
    "title": ("Review", "Analisi"),
    "unfinished": ("unfinished", "non finita"),
    "subtitle": ("{rules} · {smazzate} · {decisions}", "{rules} · {smazzate} · {decisions}"),
    "smazzata_1": ("one smazzata", "una smazzata"),
    "smazzate_n": ("{n} smazzate", "{n} smazzate"),
    "decisions_n": ("{n} decisions", "{n} scelte"),
    "decision_1": ("one decision", "una scelta"),
    "judged": ("Judged by {engine}{nodes}, each play by what its seat could know.",
               "Giudica {engine}{nodes}; ogni giocata secondo quello che chi giocava poteva "
               "sapere."),
    "nodes": (" with {n} nodes a decision", " con {n} nodi a scelta"),
    "match_n": ("Match {n}", "Partita {n}"),
    "skip": ("To the decisions", "Alle scelte"),
    # --- the story
    "story": ("What mattered", "Che cosa ha contato"),
    "dearest": ("The dearest errors", "Gli errori più cari"),
    "no_errors": ("No error worth a word: well played.", "Nessun errore degno di nota: bravi."),
    "in_words": ("{where}: {did}. Better: {best}, worth {points} more.",
                 "{where}: {did}. Meglio: {best}, che valeva {points} in più."),
    "in_words_why": ("{where}: {did}. Better: {best}, worth {points} more: {why}.",
                     "{where}: {did}. Meglio: {best}, che valeva {points} in più: {why}."),
    "where": ("Round {round}", "Giro {round}"),
    "where_trick": ("Decision {number}", "Scelta {number}"),
    "where_of": ("Smazzata {smazzata}, {where}", "Smazzata {smazzata}, {where}"),
    "item_gain": ("{points} in {item}", "{points} di {item}"),
    "luck_title": ("Luck", "Fortuna"),
    "luck_gave": ("The cards gave {who} {luck}.", "Le carte hanno dato a {who} {luck}."),
    "luck_cost": ("The cards cost {who} {luck}.", "Le carte hanno tolto a {who} {luck}."),
    "luck_gave_took": ("The cards gave {who} {luck}; play gave {skill} of that back.",
                       "Le carte hanno dato a {who} {luck}; il gioco ne ha restituiti {skill}."),
    "luck_gave_more": ("The cards gave {who} {luck}, better play {skill} more.",
                       "Le carte hanno dato a {who} {luck}, e il gioco migliore altri {skill}."),
    "luck_cost_back": ("The cards cost {who} {luck}; better play won {skill} back.",
                       "Le carte hanno tolto a {who} {luck}; giocando meglio ne ha ripresi "
                       "{skill}."),
    "luck_cost_more": ("The cards cost {who} {luck}, and play {skill} more.",
                       "Le carte hanno tolto a {who} {luck}, e il gioco altri {skill}."),
    "without_luck": ("Without the luck of the cards {who} would have been {points} ahead.",
                     "Senza la fortuna delle carte {who} sarebbe avanti di {points}."),
    "without_luck_even": ("Without the luck of the cards it would have been even.",
                          "Senza la fortuna delle carte sarebbe pari."),
    "praise_title": ("Well found", "Ben trovate"),
    "praise": ("{where}: {who} found {play}; the next best would have cost {points}.",
               "{where}: {who} ha visto che conveniva {play}; la seconda scelta costava "
               "{points}."),
    # --- the curve
    "curve": ("The course of it", "L'andamento"),
    "curve_points": ("Points ahead", "Punti di vantaggio"),
    "curve_match": ("Chance to win the match", "Probabilità di vincere la partita"),
    "tab_match": ("Chance: {who}", "Probabilità: {who}"),
    "tab_points": ("Points: {who}", "Punti: {who}"),
    "curve_of": ("{what}, seen by {who}", "{what}, per {who}"),
    "curve_said": ("A curve with a step for each deal and each error.  The decisions below say "
                   "the same in words.",
                   "Una curva con un gradino per ogni distribuzione e per ogni errore.  Le scelte "
                   "qui sotto dicono lo stesso a parole."),
    "legend_luck": ("deals (luck)", "carte (fortuna)"),
    "legend_skill": ("decisions (errors)", "scelte (errori)"),
    "legend_rest": ("rest", "resto"),
    "turning": ("Turning points", "Momenti decisivi"),
    "turning_error": ("{where}, {who}: {loss}", "{where}, {who}: {loss}"),
    "turning_cards": ("{where}: {luck} for {who}", "{where}: {luck} per {who}"),
    "turning_deal": ("{where}, the deal: {luck} for {who}", "{where}, le carte: {luck} per {who}"),
    # --- the sums
    "sums": ("Luck and play, added up", "Fortuna e gioco, i conti"),
    "side": ("Side", "Parte"),
    "sums_note": ("Result = start + luck + play + rest, in points less those of the others.",
                  "Risultato = partenza + fortuna + gioco + resto, in punti meno quelli degli "
                  "altri."),
    "sums_note_fewest": ("Result = start + luck + play + rest, in points of the others less one's "
                         "own: few are good.",
                         "Risultato = partenza + fortuna + gioco + resto, in punti degli altri "
                         "meno i propri: qui meno se ne fanno, meglio è."),
    # --- the decisions
    "all": ("Every decision", "Tutte le scelte"),
    "the_deal": ("The deal", "Le carte"),
    "luck_for": ("luck: {luck}", "fortuna: {luck}"),
    "scores": ("{scores} before it, {after} after it", "{scores} prima, {after} dopo"),
    "cost": ("Costs {points}{error}.", "Costa {points}{error}."),
    "cost_match": ("Costs {points}{error} and {match} of the match.",
                   "Costa {points}{error} e {match} della partita."),
    "was_best": ("The best play.", "La giocata migliore."),
    "was_exact": ("Exact.", "Esatto."),
    "was_punished": ("It was punished.", "È stato punito."),
    "was_lucky": ("It went unpunished.", "È passato senza danni."),
    "col_play": ("play", "giocata"),
    "tag_best": ("best", "migliore"),
    "tag_played": ("played", "giocata"),
    "why_less": ("Against {best}:", "Rispetto a {best}:"),
    "holds": ("{who} probably held", "In mano a {who}, forse"),
    "hindsight_title": ("Hindsight: all cards face up; it counts for nothing",
                        "Col senno di poi, a carte scoperte; non conta niente"),
    "hindsight_say": ("{best} would have been best, and this play would have cost {points}.",
                      "Conveniva {best}; questa giocata costava {points}."),
    "hindsight_all": ("This play was the best even so.",
                      "Anche così questa giocata era la migliore."),
    "not_judged": ("not judged: the hand was not seen", "non giudicata: la mano non si è vista"),
    "took": ("{cards}, {diamonds} ♦, {points}", "{cards}, {diamonds} ♦, {points}"),
    # --- tools
    "tools": ("Tools", "Strumenti"),
    "previous": ("Previous error", "Errore precedente"),
    "next": ("Next error", "Errore successivo"),
    "order": ("Biggest first", "Prima i più gravi"),
    "threshold": ("Errors from", "Errori da"),
    "quiz": ("Quiz: choose before you are told", "Quiz: scegli prima di sapere"),
    "hindsights": ("Show hindsight", "Mostra il senno di poi"),
    "anonymous": ("Hide names", "Nascondi i nomi"),
    "four": ("Four colours", "Quattro colori"),
    "dark": ("Dark", "Scuro"),
    "print": ("Print", "Stampa"),
    "keys": ("Keys", "Tasti"),
    "close": ("Close", "Chiudi"),
    "count": ("{n} of {all}", "{n} di {all}"),
    "count_none": ("no errors", "nessun errore"),
    "ask": ("{who} is to play. What would you do?", "Tocca a {who}. Tu che faresti?"),
    "quiz_best": ("Right! {play}: nothing is better.", "Giusto! {play}: meglio non c'è."),
    "quiz_loss": ("{play}: costs {loss}. Best: {best}.",
                  "{play}: costa {loss}. Migliore: {best}."),
    "key_errors": ("next, previous error", "errore successivo, precedente"),
    "key_decisions": ("next, previous decision", "scelta successiva, precedente"),
    "key_order": ("errors by size or in order", "errori per gravità o in ordine"),
    "key_threshold": ("fewer, more errors", "meno errori, più errori"),
    "key_quiz": ("quiz", "quiz"),
    "key_choose": ("choose in the quiz", "scegli nel quiz"),
    "key_hindsight": ("hindsight", "senno di poi"),
    "key_names": ("hide names", "nascondi i nomi"),
    "key_theme": ("light or dark", "chiaro o scuro"),
    "key_four": ("four colours", "quattro colori"),
    "key_help": ("this help", "questo aiuto"),
    "key_close": ("close", "chiudi"),
    "glossary": ("What the words mean", "Che cosa vogliono dire le parole"),
}


class ReviewWords(Words):
    """The words of the review in one language, for one game.

    >>> ReviewWords("it").play("7Hx3S4D")
    '<i class=H>7♥</i> prende <i class=S>3♠</i> <i class=D>4♦</i>'
    """

    texts: ClassVar[Mapping[str, tuple[str, str]]] = {**TEXTS, **REVIEW_TEXTS}

    @classmethod
    def of(cls, language: str, rules: Rules) -> ReviewWords:
        """The words of a game."""
        # Where all is dealt at once and nothing lies on a table, cards are played to tricks.
        matta = card_name(rules.matta) if rules.rounds and rules.matta >= 0 else "7H"
        return cls(language, matta=matta, tricks=not rules.rounds)

    def colour(self, card: str, more: str = "", value: int | None = None) -> str:
        """A card with its sign, as HTML in the suit's colour.

        ``more`` are further classes, ``value`` is what the matta was declared to be.
        """
        classes = f'"{card[1]} {more}"' if more else card[1]
        declared = "" if value is None else f"={value}"
        return f"<i class={classes}>{self.sign(card)}{declared}</i>"

    def play(self, action: str) -> str:
        """What may be done, as HTML with coloured signs."""
        return self._coloured(self.short(action), action)

    def playing(self, action: str) -> str:
        """The same as something that one might do."""
        return self._coloured(self.doing(action), action)

    def _coloured(self, text: str, action: str) -> str:
        _, card, cards, value = parts_of(action)
        text = escape(text)
        for one in sorted({*cards, *([card] if card else []), *([self.matta] if value else [])}):
            text = text.replace(self.sign(one), self.colour(one))
        return text


class Names:
    """Who sits where: by name or, for whoever is to stay unknown, by number.

    Every name stands in an element of its class, so that the page can exchange them.
    """

    def __init__(self, matches: Iterable[Match], words: Words, anonymous: bool) -> None:
        self._numbers: dict[str | int, int] = {}
        self._words = words
        self._anonymous = anonymous
        for match in matches:
            for seat, name in enumerate(match.first.names):
                self._numbers.setdefault(name or seat, len(self._numbers))

    @property
    def aliases(self) -> dict[int, str]:
        """By number, what a player is called whose name is hidden."""
        return {number: self._words("player", n=number + 1) for number in self._numbers.values()}

    def _number(self, one: Smazzata, seat: int) -> int:
        return self._numbers[one.names[seat] or seat]

    def text(self, one: Smazzata, seat: int) -> str:
        """A player as plain text."""
        name = one.names[seat]
        return name if name and not self._anonymous else self.aliases[self._number(one, seat)]

    def seat(self, one: Smazzata, seat: int) -> str:
        """A player as HTML."""
        return f"<b class=n{self._number(one, seat)}>{escape(self.text(one, seat))}</b>"

    def side(self, one: Smazzata, side: int) -> str:
        """Who makes up a side, as HTML."""
        return self._words.listed([self.seat(one, seat) for seat in self._partners(one, side)])

    def side_text(self, one: Smazzata, side: int) -> str:
        """Who makes up a side, as plain text."""
        return self._words.listed([self.text(one, seat) for seat in self._partners(one, side)])

    def _partners(self, one: Smazzata, side: int) -> list[int]:
        """The seats of a side, one for each name: a program may play both."""
        seats = {one.names[seat] or seat: seat for seat in reversed(range(one.rules.players))
                 if one.rules.side(seat) == side}
        return sorted(seats.values())
