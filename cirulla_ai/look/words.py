"""The words of the pages, in English and in Italian: cards, plays, numbers, terms.

Everything that is said stands in a table here once, with both languages beside each other, so that
one who knows both can see whether they say the same.

>>> words = Words("it")
>>> words.card("7H"), words.the("AS")
('sette di cuori', "l'asso di picche")
>>> words.did("6Sx2S4C")
'Hai preso il due di picche e il quattro di fiori con il sei di picche'
>>> Words("en").short("!3C4D7H=2")
'knocks with 3♣ 4♦ 7♥ (7♥ as 2)'
>>> Words("en").doing("6Sx2S4C")
'taking 2♠ 4♣ with 6♠'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cirulla_ai.look.deck import RANKS, SUITS

__all__ = ["LANGUAGES", "SIGNS", "TERMS", "TEXTS", "Words", "cards_of", "parts_of", "word_table"]

LANGUAGES = ("en", "it")

SIGNS = dict(zip(SUITS, "♥♦♣♠", strict=True))
MINUS = "\N{MINUS SIGN}"

# In the order of the notation.
RANK_WORDS = {
    "en": ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king"),
    "it": ("asso", "due", "tre", "quattro", "cinque", "sei", "sette", "fante", "donna", "re"),
}
SUIT_WORDS = {
    "en": ("hearts", "diamonds", "clubs", "spades"),
    "it": ("cuori", "quadri", "fiori", "picche"),
}
# What a pack with Latin suits has instead.
LATIN_SUIT_WORDS = {
    "en": ("cups", "coins", "batons", "swords"),
    "it": ("coppe", "denari", "bastoni", "spade"),
}
LATIN_QUEEN = {"en": "knight", "it": "cavallo"}
FEMININE = {"donna"}

# Whatever is said, English then Italian.  A name in braces is put in.
TEXTS: dict[str, tuple[str, str]] = {
    # --- lists and amounts
    "and": ("{first} and {last}", "{first} e {last}"),
    "point": ("{n} point", "{n} punto"),
    "points": ("{n} points", "{n} punti"),
    "cards_n": ("{n} cards", "{n} carte"),
    "card_n": ("{n} card", "{n} carta"),
    "hidden_cards": ("{n} hidden cards", "{n} carte coperte"),
    "hidden_card": ("a hidden card", "una carta coperta"),
    "nothing": ("nothing", "niente"),
    # --- what was done: you, then somebody
    "you_laid": ("You laid {card}", "Hai calato {card}"),
    "you_played": ("You played {card}", "Hai giocato {card}"),
    "you_took": ("You took {cards} with {card}", "Hai preso {cards} con {card}"),
    "you_claimed": ("You knocked with {cards}", "Hai bussato con {cards}"),
    "you_claimed_as": ("You knocked with {cards}, {matta} standing for {value}",
                       "Hai bussato con {cards}, {matta} vale {value}"),
    "you_passed": ("You didn't knock", "Non hai bussato"),
    "you_gave": ("You handed on {card}", "Hai passato {card}"),
    "who_laid": ("{who} laid {card}", "{who} ha calato {card}"),
    "who_played": ("{who} played {card}", "{who} ha giocato {card}"),
    "who_took": ("{who} took {cards} with {card}", "{who} ha preso {cards} con {card}"),
    "who_claimed": ("{who} knocked with {cards}", "{who} ha bussato con {cards}"),
    "who_claimed_as": ("{who} knocked with {cards}, {matta} standing for {value}",
                       "{who} ha bussato con {cards}, {matta} vale {value}"),
    "who_passed": ("{who} didn't knock", "{who} non ha bussato"),
    "who_gave": ("{who} handed on {card}", "{who} ha passato {card}"),
    # --- the same as a choice, with signs for suits
    "lay": ("lays {card}", "cala {card}"),
    "play": ("plays {card}", "gioca {card}"),
    "take": ("{card} takes {cards}", "{card} prende {cards}"),
    "claim": ("knocks with {cards}", "bussa con {cards}"),
    "claim_as": ("knocks with {cards} ({matta} as {value})",
                 "bussa con {cards} ({matta} vale {value})"),
    "pass": ("doesn't knock", "non bussa"),
    "give": ("hands on {card}", "passa {card}"),
    "unseen": ("a card that was not seen", "una carta non vista"),
    # --- the same as what one might do
    "laying": ("laying {card}", "calare {card}"),
    "playing": ("playing {card}", "giocare {card}"),
    "taking": ("taking {cards} with {card}", "prendere {cards} con {card}"),
    "claiming": ("knocking with {cards}", "bussare con {cards}"),
    "claiming_as": ("knocking with {cards} ({matta} as {value})",
                    "bussare con {cards} ({matta} vale {value})"),
    "passing": ("not knocking", "non bussare"),
    "giving": ("handing on {card}", "passare {card}"),
    # --- the table
    "player": ("Player {n}", "Giocatore {n}"),
    "side_players": ("{first} and {last}", "{first} e {last}"),
    "dealer": ("dealer", "mazziere"),
    "table": ("Table", "Tavola"),
    "trick": ("Trick", "Presa"),
    "hand": ("Hand", "Mano"),
    "empty": ("empty", "vuota"),
    "taken": ("Taken", "Prese"),
    "smazzata": ("Smazzata {n}", "Smazzata {n}"),
    "round": ("Round {n}", "Giro {n}"),
    "trick_n": ("Trick {n}", "Presa {n}"),
    "matta_as": ("{card}, standing for {value}", "{card}, vale {value}"),
    "your_turn": ("You are to play", "Tocca a te"),
    "hint": ("Hint", "Suggerimento"),
    # --- kinds of claims
    "claim_low": ("nine or less", "buona da tre"),
    "claim_three": ("three alike", "decino"),
    "misdeal": ("misdeal", "a monte"),
    # --- items of the score
    "scopa": ("sweeps and claims", "scope e accusi"),
    "sweeps": ("sweeps", "scope"),
    "cards": ("cards", "carte"),
    "diamonds": ("diamonds", "quadri"),
    "settebello": ("sette bello", "settebello"),
    "primiera": ("primiera", "primiera"),
    "piccola": ("small run", "piccola"),
    "grande": ("big run", "grande"),
    "cappotto": ("all ten diamonds", "cappotto"),
    "thirds": ("thirds", "terzi"),
    "noise": ("what is left", "il resto"),
    # --- classes of plays
    "best": ("best", "ottima"),
    "fine": ("fine", "buona"),
    "doubtful": ("doubtful", "dubbia"),
    "mistake": ("mistake", "errore"),
    "blunder": ("blunder", "errore grave"),
    "forced": ("forced", "obbligata"),
    "best_n": ("best", "ottime"),
    "fine_n": ("fine", "buone"),
    "doubtful_n": ("doubtful", "dubbie"),
    "mistake_n": ("mistakes", "errori"),
    "blunder_n": ("blunders", "errori gravi"),
    "forced_n": ("forced", "obbligate"),
    # --- a game in the terminal: who, where
    "you": ("you", "tu"),
    "to_you": ("you", "te"),
    "level_n": ("Level {n}", "Livello {n}"),
    "right": ("Right", "Destra"),
    "partner": ("Partner", "Compagno"),
    "left": ("Left", "Sinistra"),
    "playing_to": ("{rules}, to {target} points.  {help}", "{rules}, ai {target} punti.  {help}"),
    "type_help": ("Type ? for help.", "Scrivi ? per l'aiuto."),
    "dealt": ("{smazzata}.  {who} deals.  Match: {scores}.",
              "{smazzata}.  Mazziere: {who}.  Partita: {scores}."),
    "dealt_you": ("{smazzata}.  You deal.  Match: {scores}.",
                  "{smazzata}.  Fai le carte tu.  Partita: {scores}."),
    "bonus_n": ("The first table is good: {points} to the dealer's side.",
                "Tavola buona: {points} al mazziere."),
    "sweep": ("a sweep", "scopa"),
    "takes_trick": ("{who} takes the trick", "la presa è di {who}"),
    "you_take_trick": ("the trick is yours", "la presa è tua"),
    "has_n": ("{who}: {n}", "{who}: {n}"),
    "others_n": ("In the others' hands: {hands}.", "In mano agli altri: {hands}."),
    "stock_n": ("Still to be dealt: {n}.", "Da dare: {n}."),
    "choose": ("Which number?", "Che numero?"),
    "press_enter": ("Press Enter for the next smazzata.", "Premi Invio per la prossima smazzata."),
    # --- the score
    "scope": ("sweeps", "scope"),
    "claims": ("claims", "accusi"),
    "bonus": ("dealer's bonus", "tavola buona"),
    "before": ("scored before", "segnati prima"),
    "last_trick": ("last trick", "ultima presa"),
    "total": ("smazzata", "smazzata"),
    "match_now": ("match", "partita"),
    "to_whom": ("{points} to {who}", "{points} a {who}"),
    "nobody_tie": ("nobody's: as many each", "a nessuno: pari"),
    "nobody_nobody": ("nobody's: nobody took any", "a nessuno: non l'ha preso nessuno"),
    "nobody_none": ("nobody's: a suit is missing everywhere", "a nessuno: manca un seme a tutti"),
    "nobody_short": ("nobody's: too few in a row", "a nessuno: nessuno l'ha fatta"),
    "won_by": ("The match is over, won by {who}: {scores}.",
               "Partita finita, vinta da {who}: {scores}."),
    "won_by_you": ("The match is over: you won, {scores}.", "Partita finita: hai vinto, {scores}."),
    "won_by_us": ("The match is over: you won with {who}, {scores}.",
                  "Partita finita: hai vinto con {who}, {scores}."),
    "shared_by": ("The match is over, shared by {who}: {scores}.",
                  "Partita finita, pari fra {who}: {scores}."),
    # --- advice
    "hint_is": ("Hint: {play}, {points}.", "Suggerimento: {play}, {points}."),
    "was_best": ("{play}: as good as any, {points}.", "{play}: meglio non si poteva, {points}."),
    "was_worse": ("{play}: {loss} less than {best} ({grade}).",
                  "{play}: {loss} in meno di {best} ({grade})."),
    "only_one": ("{play}: there was nothing else to play.", "{play}: era obbligata."),
    "reasons": ("Why: {items}.", "Perché: {items}."),
    "coach_on": ("The coach speaks up from {loss} on.", "Il maestro parla da {loss} in su."),
    "coach_off": ("The coach is silent.", "Il maestro tace."),
    "coach_says": ("Coach: {text}", "Maestro: {text}"),
    "you_may_undo": ("undo takes it back.", "indietro la annulla."),
    "no_play_yet": ("You have not played yet.", "Non hai ancora giocato."),
    # --- what goes wrong, and the end
    "taken_back": ("Taken back; the record says so.", "Annullata; resta scritto."),
    "cannot": ("That can't be done: {why}", "Non si può: {why}"),
    "not_legal": ("{text} is none of the plays.  Type a number from 1 to {n}, or ? for help.",
                  "{text} non è una giocata.  Scrivi un numero da 1 a {n}, o ? per l'aiuto."),
    "not_now": ("{text}: not now.  Press Enter for the next smazzata, or type ? for help.",
                "{text}: non adesso.  Premi Invio per la prossima smazzata, o scrivi ? per "
                "l'aiuto."),
    "nothing_done": ("Nothing has been played yet.", "Non si è ancora giocato."),
    "no_sheet": ("No smazzata is over yet.", "Nessuna smazzata è ancora finita."),
    "so_far": ("So far in this smazzata: {scores}.", "Finora in questa smazzata: {scores}."),
    "bot_failed": ("{message}", "{message}"),
    "try_again": ("Press Enter to try again, or type quit.", "Premi Invio per riprovare, o scrivi "
                  "esci."),
    "saved": ("Saved: {file}", "Salvata: {file}"),
    "go_on_with": ("To go on: cirulla play --file {file}", "Per continuare: cirulla play --file "
                   "{file}"),
    "went_on": ("On with the game in {file}.", "Riprendiamo la partita in {file}."),
    "unfinished": ("There is an unfinished game ({game}).  Go on with it? [y/n]",
                   "C'è una partita a metà ({game}).  Continuiamo? [s/n]"),
    "help": ("""\
A number plays what stands there, and so does the play as it is written (7Hx3S5C).
  Enter   show the table again; after a smazzata, deal the next
  hint    what would the engine play?
  why     what was my last play worth against the best?  why 2: what would play 2 be worth?
  undo    take my last play back
  coach on, coach off    a word where a play loses much (coach on 0.5: from half a point on)
  score   the match, the last score sheet, the points so far
  log     what was played in this smazzata
  save    save; save FILE: a copy there
  quit    save and leave""", """\
Un numero gioca quello che c'è scritto accanto; va bene anche la giocata scritta (7Hx3S5C).
  Invio          fa rivedere la tavola; a fine smazzata, dà le carte
  suggerimento   che cosa giocherebbe il motore?
  perché         quanto valeva la mia ultima giocata?  perché 2: quanto vale la giocata 2?
  indietro       annulla la mia ultima giocata
  maestro sì, maestro no   due parole quando una giocata costa (maestro sì 0.5: da mezzo punto)
  punti          la partita, l'ultima conta, i punti finora
  giocate        che cosa si è giocato in questa smazzata
  salva          salva; salva FILE: una copia lì
  esci           salva ed esce"""),
}

# Words that a reader may want explained: what they are called, and one line about it.
TERMS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "points": (
        ("points", "Points by which the side to play expects to be ahead at the end of the "
         "smazzata, after this play."),
        ("punti", "Di quanti punti chi gioca conta di essere avanti a fine smazzata, dopo questa "
         "giocata.")),
    "few_points": (
        ("points", "Points that the seat to play expects to have less than the others at the end "
         "of the smazzata, after this play: few points are good."),
        ("punti", "Quanti punti in meno degli altri chi gioca conta di fare nella smazzata, dopo "
         "questa giocata: qui meno si fa, meglio è.")),
    "error": (
        ("±", "Standard error: two times in three the true value is no farther away than this."),
        ("±", "Errore standard: due volte su tre il valore vero non è più lontano di così.")),
    "loss": (
        ("loss", "Points that this play is expected to cost, compared with the best one."),
        ("perdita", "Quanti punti costa in media questa giocata rispetto alla migliore.")),
    "match": (
        ("match", "Chance to win the whole match after this play."),
        ("partita", "Probabilità di vincere la partita dopo questa giocata.")),
    "match_loss": (
        ("of the match", "What this play costs of the chance to win the whole match."),
        ("di partita", "Quanto toglie questa giocata alla probabilità di vincere la partita.")),
    "start": (
        ("start", "What the side could expect before any card was dealt: who deals has the bonus, "
         "who plays first the first choice."),
        ("partenza", "Che cosa ci si poteva aspettare prima di dare le carte: il mazziere ha "
         "l'ultima parola, chi è di mano la prima.")),
    "luck": (
        ("luck", "What the deals gave or took: the value of the cards that came less the mean of "
         "all that could have come."),
        ("fortuna", "Quello che le carte hanno dato o tolto: il valore di quelle arrivate meno la "
         "media di tutte quelle che potevano arrivare.")),
    "skill": (
        ("play", "What the decisions gave: errors of the others less errors of one's own."),
        ("gioco", "Quello che hanno dato le scelte: gli errori degli altri meno i propri.")),
    "rest": (
        ("rest", "What neither deals nor errors explain: how good plays happened to meet the "
         "hidden cards.  In the curve it is spread evenly."),
        ("resto", "Quello che né le carte né gli errori spiegano: com'è andata contro le carte "
         "coperte.  Nella curva è distribuito in modo uniforme.")),
    "adjusted": (
        ("without luck", "The result less the luck of the deals."),
        ("senza fortuna", "Il risultato meno la fortuna delle carte.")),
    "result": (
        ("result", "Points of the side less those of the others."),
        ("risultato", "I punti della parte meno quelli degli altri.")),
    "score": (
        ("points", "Points scored."),
        ("punti", "Punti fatti.")),
    "losses": (
        ("loss a decision", "Points lost by errors, for each play where there was a choice."),
        ("perdita per scelta", "Punti persi per errori, per ogni giocata in cui c'era da "
         "scegliere.")),
    "decisions": (
        ("decisions", "Plays where there was a choice; forced ones don't count."),
        ("scelte", "Giocate in cui c'era da scegliere; quelle obbligate non contano.")),
    "held": (
        ("probably held", "How likely each card was in that hand, given all that had been seen."),
        ("aveva forse in mano", "Quanto era probabile ogni carta in quella mano, visto tutto "
         "quello che si era visto.")),
    "why": (
        ("why", "The difference between the two plays, item by item of the score.  It adds up to "
         "the loss in a rollout of its own."),
        ("perché", "La differenza fra le due giocate, voce per voce del punteggio.  La somma è la "
         "perdita, misurata con una simulazione a parte.")),
    "hindsight": (
        ("hindsight", "With all cards face up.  Nobody at the table could know, and it counts for "
         "nothing here."),
        ("col senno di poi", "A carte scoperte.  Al tavolo non lo poteva sapere nessuno, e qui "
         "non conta niente.")),
    "exact": (
        ("exact", "Worked out to the end, not estimated."),
        ("esatto", "Calcolato fino in fondo, non stimato.")),
    "close": (
        ("too close to call", "The best plays are nearer to each other than the error of the "
         "difference."),
        ("troppo vicine", "Fra le giocate migliori c'è meno differenza dell'errore con cui la si "
         "misura.")),
    "punished": (
        ("punished", "Whether what followed made the error cost anything."),
        ("punito", "Se quello che è venuto dopo ha fatto pagare l'errore.")),
    "pv": (
        ("likely to follow", "How play would probably go on."),
        ("seguito probabile", "Come andrebbe avanti, probabilmente.")),
}


def cards_of(text: str) -> list[str]:
    """The cards of a set as the notation writes it; ``?n`` is none.

    >>> cards_of("AD3H"), cards_of("7H?2"), cards_of("-")
    (['AD', '3H'], ['7H'], [])
    """
    known = text.partition("?")[0].strip("-")
    return [known[place:place + 2] for place in range(0, len(known), 2)]


def parts_of(action: str) -> tuple[str, str | None, list[str], int | None]:
    """An action of the notation as its kind, card, cards, and the value declared for the matta.

    >>> parts_of("7Hx3S5C"), parts_of("!3C4D7H=2")
    (('take', '7H', ['3S', '5C'], None), ('claim', None, ['3C', '4D', '7H'], 2))
    >>> parts_of("7H"), parts_of(">?"), parts_of("pass")
    (('lay', '7H', [], None), ('give', None, [], None), ('pass', None, [], None))
    """
    if action == "pass":
        return "pass", None, [], None
    if action.startswith(">"):
        return "give", None if action == ">?" else action[1:], [], None
    if action.startswith("!"):
        shown, _, value = action[1:].partition("=")
        return "claim", None, cards_of(shown), int(value) if value else None
    card, x, taken = action.partition("x")
    return ("take" if x else "lay"), card, cards_of(taken), None


def word_table(language: str) -> dict[str, Any]:
    """The words of one language as plain values, for a page that puts them together itself.

    >>> word_table("it")["texts"]["your_turn"], word_table("it")["ranks"][0]
    ('Tocca a te', 'asso')
    """
    which = LANGUAGES.index(language)
    return {
        "texts": {key: texts[which] for key, texts in TEXTS.items()},
        "terms": {key: list(terms[which]) for key, terms in TERMS.items()},
        "ranks": list(RANK_WORDS[language]), "suits": list(SUIT_WORDS[language]),
        "latin_suits": list(LATIN_SUIT_WORDS[language]), "latin_queen": LATIN_QUEEN[language],
    }


@dataclass(frozen=True)
class Words:
    """The words of one language.  ``latin`` names cups, coins, batons, swords and knights.

    ``matta`` is the wild card, which a claim's words name where a value is declared for it;
    ``tricks`` is for a game where a card that takes nothing is played, not laid.  Raises ValueError
    for a language that there is not.
    """

    texts: ClassVar[Mapping[str, tuple[str, str]]] = TEXTS

    language: str = "en"
    latin: bool = False
    matta: str = "7H"
    tricks: bool = False

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise ValueError(f"language {self.language!r}: {' or '.join(LANGUAGES)} is needed")

    @property
    def _which(self) -> int:
        return LANGUAGES.index(self.language)

    def __call__(self, key: str, **values: object) -> str:
        """What stands at a key of ``texts``, with the values put in."""
        return self.texts[key][self._which].format(**values)

    def term(self, key: str) -> tuple[str, str]:
        """What a term is called, and one line that explains it."""
        return TERMS[key][self._which]

    # --- cards ------------------------------------------------------------------------

    def card(self, name: str) -> str:
        """A card in words: ``seven of hearts``."""
        of = "of" if self.language == "en" else "di"
        suits = (LATIN_SUIT_WORDS if self.latin else SUIT_WORDS)[self.language]
        return f"{self._rank(name)} {of} {suits[SUITS.index(name[1])]}"

    def _rank(self, name: str) -> str:
        if self.latin and name[0] == "Q":
            return LATIN_QUEEN[self.language]
        return RANK_WORDS[self.language][RANKS.index(name[0])]

    def the(self, name: str) -> str:
        """A card in words with its article: ``the seven of hearts``."""
        if self.language == "en":
            return f"the {self.card(name)}"
        rank = self._rank(name)
        article = "l'" if rank[0] in "aeiou" else "la " if rank in FEMININE else "il "
        return article + self.card(name)

    def cards(self, names: Sequence[str]) -> str:
        """Several cards in words with their articles."""
        return self.listed([self.the(name) for name in names])

    def sign(self, name: str) -> str:
        """A card with a sign for its suit: ``7♥``."""
        return name[0] + SIGNS[name[1]]

    def signs(self, names: Iterable[str]) -> str:
        """Several cards with signs for their suits: ``3♠ 5♣``."""
        return " ".join(map(self.sign, names))

    def listed(self, items: Sequence[str]) -> str:
        """Some texts as a list: ``a, b and c``."""
        if len(items) < 2:
            return "".join(items) or self("nothing")
        return self("and", first=", ".join(items[:-1]), last=items[-1])

    # --- what is done -----------------------------------------------------------------

    def did(self, action: str, who: str | None = None) -> str:
        """What was done, as the beginning of a sentence; ``who`` None: by the reader."""
        kind, card, cards, value = parts_of(action)
        verb = {"lay": "played" if self.tricks else "laid", "take": "took", "give": "gave",
                "claim": "claimed" if value is None else "claimed_as", "pass": "passed"}[kind]
        return self(f"{'you' if who is None else 'who'}_{verb}", who=who, value=value,
                    card=self.the(card) if card else self("unseen"), cards=self.cards(cards),
                    matta=self.the(self.matta))

    def short(self, action: str) -> str:
        """What may be done, with signs for suits: ``6♠ takes 2♠ 4♣``."""
        return self._signed(action, {
            "lay": "play" if self.tricks else "lay", "take": "take", "give": "give",
            "claim": "claim", "pass": "pass"})

    def doing(self, action: str) -> str:
        """The same as something that one might do: ``taking 2♠ 4♣ with 6♠``."""
        return self._signed(action, {
            "lay": "playing" if self.tricks else "laying", "take": "taking", "give": "giving",
            "claim": "claiming", "pass": "passing"})

    def _signed(self, action: str, keys: Mapping[str, str]) -> str:
        kind, card, cards, value = parts_of(action)
        key = keys[kind] if value is None else f"{keys[kind]}_as"
        return self(key, card=self.sign(card) if card else self("unseen"), cards=self.signs(cards),
                    value=value, matta=self.sign(self.matta))

    # --- numbers ----------------------------------------------------------------------

    def number(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """A number as it is written in the language, with a true minus.

        >>> Words("it").number(-1.25, 2), Words("en").number(0.04, signed=True)
        ('−1,25', '0.0')
        """
        text = f"{abs(value):.{digits}f}"
        if float(text):
            text = (MINUS if value < 0 else "+" if signed else "") + text
        return text if self.language == "en" else text.replace(".", ",")

    def amount(self, value: float) -> str:
        """A number for prose: with one decimal, unless it is whole.

        >>> Words("en").amount(5.0), Words("en").amount(1.26)
        ('5', '1.3')
        """
        rounded = round(value, 1)
        return self.number(rounded, 0 if rounded == int(rounded) else 1)

    def points(self, value: float, digits: int | None = None) -> str:
        """An amount of points: ``1.3 points``, ``1 point``; with so many digits if need be."""
        text = self.amount(value) if digits is None else self.number(value, digits)
        return self("point" if text in ("1", MINUS + "1") else "points", n=text)

    def percent(self, chance: float, *, signed: bool = False) -> str:
        """A chance, 0 … 1, as whole per cent."""
        space = "" if self.language == "en" else "\N{NO-BREAK SPACE}"
        return f"{self.number(100 * chance, 0, signed=signed)}{space}%"
