"""What ``GameEntry`` asks, refuses and shows, said in English and in Italian."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from cirulla_ai.look.words import TEXTS, Words
from cirulla_ai.records.entry import EntryError, GameEntry, Question
from cirulla_ai.rules import Rules

__all__ = ["EntryWords"]

# English, then Italian.
OWN: dict[str, tuple[str, str]] = {
    # --- what is asked
    "ask_rules": ("By which rules? A number, or a name and options, as: scopa players=3",
                  "Con quali regole? Un numero, oppure un nome con le opzioni, per esempio: "
                  "scopa players=3"),
    "ask_names": ("Who sits where? {n} names in playing order, with commas between.",
                  "Chi c'è al tavolo? {n} nomi nell'ordine di gioco, separati da virgole."),
    "ask_seat": ("Whose hand do you know: seat {seats}, or all?",
                 "Di chi conosci le carte: posto {seats}, o di tutti?"),
    "ask_dealer": ("Who deals: seat {seats}?", "Chi dà le carte: posto {seats}?"),
    "ask_scores": ("The score before this smazzata, as {example}?",
                   "Il punteggio prima di questa smazzata, per esempio {example}?"),
    "ask_table": ("The {n} cards on the table?", "Le {n} carte in tavola?"),
    "ask_hand": ("{who}: the {n} cards in hand?", "{who}: le {n} carte in mano?"),
    "ask_play": ("{who} to play.", "Tocca {to} {who}."),
    "ask_give": ("{who} hands on a card.", "{who} passa una carta."),
    "ask_discard": ("{who} discards a card.", "{who} scarta una carta."),
    "ask_claim": ("{who}: a claim, or none?", "{who}: bussa o no?"),
    "ask_which": ("Which of these?", "Quale di queste?"),
    "ask_next": ("On with the next smazzata, yes or no?", "Avanti con la prossima smazzata, "
                 "sì o no?"),
    "default_none": ("Enter: no names.", "Invio: senza nomi."),
    "default": ("Enter: {text}.", "Invio: {text}."),
    "type_card": ("The card, and what it takes or claims: 7H, 7H takes 3C 4D, knocks 2H 2D 3C.",
                  "La carta, e che cosa prende o bussa: 7H, 7H prende 3C 4D, bussa 2H 2D 3C."),
    "type_trick": ("The card that is played, as 7H or seven of hearts.",
                   "La carta giocata: 7H, o sette di cuori."),
    "type_number": ("A number, or in words.", "Un numero, oppure a parole."),
    # --- what is shown
    "discards": ("discards {card}", "scarta {card}"),
    "place": ("{round} of {rounds}.", "{round} di {rounds}."),
    "on_table": ("Table: {cards}.", "In tavola: {cards}."),
    "on_trick": ("Trick: {cards}.", "Sul tavolo: {cards}."),
    "has": ("{who}: {cards}.", "{who}: {cards}."),
    "seat_n": ("seat {n}", "posto {n}"),
    "seat_named": ("{name} (seat {n})", "{name} (posto {n})"),
    "all_word": ("all", "tutti"),
    "yes": ("yes", "sì"),
    "took_bonus": ("The dealer takes the first table, {cards}: {points}.",
                   "Il mazziere si prende la tavola, {cards}: {points}."),
    "over": ("The smazzata is over.", "La smazzata è finita."),
    "side_line": ("{who}: {points} ({items}).", "{who}: {points} ({items})."),
    "side_line_none": ("{who}: {points}.", "{who}: {points}."),
    "match_line": ("Match: {scores}, to {target}.", "Partita: {scores}, ai {target}."),
    "won_line": ("The match is won: {who}.", "Partita finita, vince: {who}."),
    "saved": ("Saved in {file}.", "Salvato in {file}."),
    "not_saved": ("Not saved: {why}.", "Non salvato: {why}."),
    "nothing_yet": ("There is nothing to save yet.", "Non c'è ancora niente da salvare."),
    "resumed": ("{file} breaks off after {n} actions; on from there.",
                "{file} si ferma dopo {n} mosse: si riprende da lì."),
    "broken": ("The last record of {file} can't be read ({why}); the new one follows it.",
               "L'ultima registrazione di {file} non si legge ({why}); la nuova va in coda."),
    "backed": ("Back.", "Un passo indietro."),
    "no_back": ("There is nothing to go back to.", "Più indietro di così non si va."),
    "bye": ("Goodbye.", "Ciao."),
    # --- what can't be taken
    "misdeal": ("A misdeal ({misdeals} in a row): shuffle and deal again.",
                "A monte ({misdeals} di fila): si rimescola e si ridà."),
    "rules_wrong": ("These rules can't be: {why}", "Regole che non vanno: {why}"),
    "names_count": ("{players} names are needed, or none; not {n}.",
                    "Servono {players} nomi, o nessuno; non {n}."),
    "name_long": ("{name}… is too long; at most {most} letters.",
                  "{name}… è troppo lungo: al massimo {most} lettere."),
    "seat_wrong": ("{text!r} is no seat; a number from 0 to {last}, a name, or all.",
                   "«{text}» non è un posto: un numero da 0 a {last}, un nome, o tutti."),
    "who_wrong": ("{text!r} is no seat; a number from 0 to {last}, or a name.",
                  "«{text}» non è un posto: un numero da 0 a {last}, o un nome."),
    "scores_wrong": ("{text!r} is no score; {sides} numbers, as {example}.",
                     "«{text}» non è un punteggio: {sides} numeri, per esempio {example}."),
    "scores_won": ("With {text} the match is over already; it goes to {target}.",
                   "Con {text} la partita è già finita: si arriva a {target}."),
    "card_wrong": ("{word!r} is no card; write 7H, 7♥ or seven of hearts.",
                   "«{word}» non è una carta: scrivi 7H, 7♥ o sette di cuori."),
    "card_suit": ("{word!r}: of which suit? 7H, 7♥ or seven of hearts.",
                  "«{word}»: di che seme? 7H, 7♥ o sette di cuori."),
    "card_twice": ("{card} stands there twice.", "{card} c'è due volte."),
    "card_seen": ("{card} has been seen already; it can't be here.",
                  "{card} è già uscita: non può essere qui."),
    "cards_count": ("{size} cards are needed, not {n}.", "Servono {size} carte, non {n}."),
    "choice_wrong": ("{text} is none of the numbers; they are 1 to {n}.",
                     "{text} non è fra i numeri: vanno da 1 a {n}."),
    "no_action": ("{text!r} says nothing that can be played; {hint}",
                  "«{text}» non dice niente che si possa giocare: {hint}"),
    "breaks_off": ("{text!r} breaks off: a card is missing, or a value.",
                   "«{text}» resta a metà: manca una carta, o un valore."),
    "not_possible": ("{text!r} is not possible here; {hint}", "«{text}» qui non si può: {hint}"),
    "yes_or_no": ("{text!r}: yes or no?", "«{text}»: sì o no?"),
    "end": ("There is nothing more to tell.", "Non c'è altro da raccontare."),
    "hint_choice": ("choose one of the numbers.", "scegli uno dei numeri."),
    "hint_trick": ("write the card: 7H or seven of hearts.",
                   "scrivi la carta: 7H, o sette di cuori."),
    "hint_typed": ("write the card, and what it takes: 7H takes 3C 4D.",
                   "scrivi la carta, e che cosa prende: 7H prende 3C 4D."),
}

HELP = {
    "en": """\
Answer what is asked; an empty line takes what stands behind Enter.
  cards      7H, 7♥, seven of hearts, 10C for the king of clubs; several: 7H 3C KS
  plays      the number, or words: 7H, 7H takes 3C 4D, the seven takes three and four,
             knocks 2H 2D 3C, knocks 3C 4D 7H = 2, pass
  back       takes the last answer back, as often as you like
  show       shows the table again
  save       writes the file; that is done after each answer as well
  quit       ends; the same command with the same file goes on later""",
    "it": """\
Rispondi a quello che si chiede; con una riga vuota vale quello che c'è dopo Invio.
  carte      7H, 7♥, sette di cuori, 10C per il re di fiori; più di una: 7H 3C KS
             (le lettere sono inglesi: H cuori, D quadri, C fiori, S picche)
  giocate    il numero, oppure a parole: 7H, 7H prende 3C 4D, il sette prende tre e quattro,
             bussa 2H 2D 3C, bussa 3C 4D 7H matta 2, passa
  indietro   annulla l'ultima risposta, quante volte vuoi
  mostra     fa vedere di nuovo la tavola
  salva      scrive il file; succede comunque dopo ogni risposta
  esci       finisce; lo stesso comando con lo stesso file riprende da lì""",
}


@dataclass(frozen=True)
class EntryWords(Words):
    """The words of an ``GameEntry``.  ``letters`` writes cards as in the notation, ``7H``, where
    signs for suits can't be shown.
    """

    texts: ClassVar[Mapping[str, tuple[str, str]]] = {**TEXTS, **OWN}

    letters: bool = False

    def sign(self, name: str) -> str:
        """A card, short."""
        return name if self.letters else super().sign(name)

    @classmethod
    def of(cls, entry: GameEntry, language: str, letters: bool) -> EntryWords:
        """Those that fit what is told."""
        rules = entry.sheet.rules
        if rules is None:
            return cls(language, letters=letters)
        matta = "7H" if rules.matta < 0 else str(rules["matta"])
        return cls(language, matta=matta, tricks=not rules.rounds, letters=letters)

    @property
    def help(self) -> str:
        """What can be typed."""
        return HELP[self.language]

    # --- who --------------------------------------------------------------------------

    def who(self, entry: GameEntry, seat: int) -> str:
        """A seat, by the name of who sits there as well."""
        name = (entry.sheet.names or ())[seat:seat + 1]
        return self("seat_named", name=name[0], n=seat) if name and name[0] else self(
            "seat_n", n=seat)

    def side(self, entry: GameEntry, side: int) -> str:
        """The seats of a side."""
        rules = entry.sheet.by
        return self.listed([self.who(entry, seat) for seat in range(rules.players)
                            if rules.side(seat) == side])

    def seats(self, rules: Rules) -> str:
        """The numbers of the seats, to choose from."""
        numbers = [str(seat) for seat in range(rules.players)]
        return f"{', '.join(numbers[:-1])} {'or' if self.language == 'en' else 'o'} {numbers[-1]}"

    # --- what is asked ----------------------------------------------------------------

    def question(self, entry: GameEntry) -> Iterator[str]:
        """The lines of what is asked next: where things stand, the question, the choices."""
        question = entry.question
        if question is None:
            return
        if question.kind == "play":
            yield from self.standing(entry)
        yield self._asked(entry, question)
        for number, option in enumerate(question.options, 1):
            text = option if question.kind == "rules" else self.option(entry, option)
            yield f"{number:3}  {text}"
        if question.kind == "play":
            yield self("type_number" if question.complete else
                       "type_trick" if self.tricks else "type_card")
        if question.kind == "names" and not question.default:
            yield self("default_none")
        elif question.default is not None:
            yield self("default", text=self._default(entry, question))

    def option(self, entry: GameEntry, action: str) -> str:
        """What may be done, in short."""
        state = entry.sheet.state
        if action.startswith(">") and state is not None and state.turn == state.dealer:
            card = action[1:]
            return self("discards", card=self("unseen") if card == "?" else self.sign(card))
        return self.short(action)

    def _default(self, entry: GameEntry, question: Question) -> str:
        text = question.default or ""
        if question.kind == "play":
            return self.option(entry, text)
        if question.kind == "next":
            return self("yes")
        if question.kind == "seat" and text == "all":
            return self("all_word")
        return text

    def _asked(self, entry: GameEntry, question: Question) -> str:
        sheet = entry.sheet
        kind, seat = question.kind, question.seat
        who = "" if seat is None else self.who(entry, seat)
        if kind == "play":
            assert sheet.state is not None
            phase = sheet.state.phase
            kind = {"pass": "discard" if seat == sheet.dealer else "give", "claim": "claim"}.get(
                phase, "play")
        rules = sheet.rules
        # Within a sentence in one language, at its beginning in the other.
        within = kind == "play" and self.language == "it"
        return self(f"ask_{kind}", who=who if within else self._upper(who),
                    to="ad" if who[:1] in "aA" else "a",
                    n=question.size or (rules.players if rules else 0),
                    seats=self.seats(rules) if rules else "", example=self._example(rules))

    @staticmethod
    def _example(rules: Rules | None) -> str:
        return "/".join(("12", "7", "9")[:rules.sides if rules else 2])

    # --- where things stand -----------------------------------------------------------

    def standing(self, entry: GameEntry) -> Iterator[str]:
        """The table, and the hand of the seat to move where it is known."""
        state = entry.sheet.state
        if state is None or state.turn is None:
            return
        if state.rules.rounds:
            yield (self("place", round=self("round", n=state.round),
                        rounds=len(state.rules.rounds))
                   + " " + self("on_table", cards=self.signs(state.table) or self("empty")))
        elif state.trick:
            yield self("on_trick", cards=self.signs(state.trick))
        hand = state.hands[state.turn]
        if hand:
            yield self("has", who=self._upper(self.who(entry, state.turn)),
                       cards=self.signs(hand))

    @staticmethod
    def _upper(text: str) -> str:
        return text[:1].upper() + text[1:]

    def news(self, entry: GameEntry) -> Iterator[str]:
        """What an answer has brought about by itself: a bonus, the end of the smazzata."""
        sheet = entry.sheet
        if sheet.state is not None and not sheet.plies and sheet.start is not None:
            bonus = getattr(sheet.start, "scopa", ())
            if any(bonus) and sheet.table:
                yield self("took_bonus", cards=self.signs(sheet.table),
                           points=self.points(max(bonus)))
        yield from self.result(entry)

    def result(self, entry: GameEntry) -> Iterator[str]:
        """The points of a smazzata that is over, and the match."""
        state = entry.sheet.state
        if state is None or not state.is_over:
            return
        yield self("over")
        for side, points in enumerate(state.points()):
            items = []
            for item in fields(points):
                amount = getattr(points, item.name)
                if item.name != "total" and amount:
                    items.append(f"{self(item.name)} {amount}")
            yield self("side_line" if items else "side_line_none",
                       who=self._upper(self.side(entry, side)),
                       points=self.points(points.total), items=", ".join(items))
        scores = "/".join(map(str, state.match_scores()))
        yield self("match_line", scores=scores, target=state.rules.target)
        if winners := state.match_winners():
            yield self("won_line", who=self.listed([self.side(entry, one) for one in winners]))

    # --- what can't be taken ----------------------------------------------------------

    def refusal(self, entry: GameEntry, error: EntryError) -> str:
        """Why an answer is not taken, and what would be right."""
        values = dict(error.values)
        for name in ("text", "word"):
            if name in values:
                values[name] = str(values[name])[:60]
        if "card" in values:
            values["card"] = self.sign(str(values["card"]))
        question = entry.question
        typed = question is None or not question.complete
        return self("end" if error.key == "over" else error.key, **{
            "hint": self("hint_choice" if not typed else
                         "hint_trick" if self.tricks else "hint_typed"),
            "example": self._example(entry.sheet.rules), **values})
