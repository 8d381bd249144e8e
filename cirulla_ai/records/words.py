"""Words that people write for cards and for what is done with them, in English and Italian.

The notation of the rules is one of many ways to write a card: ``7H``, ``7♥``, ``sette di
cuori``, ``seven of hearts``, ``10C`` for a king.  All that is read leniently (records, a game
that is typed in) reads its words here; the notation itself stays strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from cirulla_ai._core.cards import RANKS, SUITS
from cirulla_ai.basics.errors import PortableError

__all__ = ["FORMS", "VERBS", "Lexeme", "Lexer", "Naming", "WordError", "read_card", "read_cards"]

# What would be right, for messages.
FORMS = "as 7H, 7♥, sette di cuori or seven of hearts"


def _words(table: Mapping[str, str]) -> Mapping[str, str]:
    """Each word of the lists to what it stands for."""
    return MappingProxyType({word: meaning for meaning, words in table.items()
                             for word in words.split()})


RANK_WORDS = _words({
    "A": "asso assi ace aces one uno",
    "2": "due two deuce", "3": "tre three", "4": "quattro four", "5": "cinque five",
    "6": "sei six", "7": "sette seven",
    "J": "fante fanti jack jacks knave otto eight",
    "Q": "donna donne dama regina cavallo cavalli queen queens knight horse nove nine",
    "K": "re king kings dieci ten",
})
SUIT_WORDS = _words({
    "H": "cuori cuore coppe coppa heart hearts cups ♥ ♡",
    "D": "quadri quadro denari denaro danari ori diamond diamonds coins ♦ ♢",
    "C": "fiori fiore bastoni bastone club clubs batons ♣ ♧",
    "S": "picche picca spade spada spades swords ♠ ♤",
})
# Letters in a card of two characters.  The rank stands first, so D is the donna there and
# diamonds (or denari) behind; C is clubs and Q quadri behind.
RANK_LETTERS = MappingProxyType({
    **{rank.lower(): rank for rank in RANKS},
    "1": "A", "8": "J", "9": "Q", "10": "K", "f": "J", "d": "Q", "r": "K",
})
SUIT_LETTERS = MappingProxyType({
    **{suit.lower(): suit for suit in SUITS}, "q": "D", "f": "C", "p": "S", "b": "C",
    **{word: suit for word, suit in SUIT_WORDS.items() if not word.isalpha()},
})
# What is done, and what joins words.  Verbs say:
#   take     a card captures others      lay      it captures nothing
#   play     either of the two           discard  it is laid, or discarded in Ciapa No
#   give     a card is handed on         pass     no claim is made, or a card is handed on
#   claim    three cards are shown       deal     a new hand is dealt
VERBS = _words({
    "take": "takes take took taking captures capture captured prende prendo prendi preso presa "
            "piglia piglio pigliato cattura catturo x × -> →",
    "lay": "lays lay laid puts put drops dropped cala calo calato posa poso mette metto butta "
           "butto lascia",
    "play": "plays play played gioca gioco giocato tira tiro",
    "discard": "discards discard discarded scarta scarto scartato",
    "give": "gives give gave hands handed",
    "pass": "pass passes passed passa passo passato",
    "claim": "claims claim claimed knocks knock knocked bussa busso bussato bussare accusa "
             "accuso accusato",
    "deal": "dealt deals gets receives riceve ricevo pesca pesco",
    "and": "and e ed + , & poi then",
    "with": "with con col coi",
    "all": "all everything tutto tutte tutti",
    "equals": "= worth vale come per for conta counts wild matta",
    "scopa": "scopa sweep",
    "unseen": "?",
    # Articles and the like, which say nothing.
    "": "the il lo la i gli l le l un una fa makes on down giù card carta ' ’ .",
})

SPACE = re.compile(r"\s*")
# Of a symbol some keyboards make a picture by one more character.
PICTURE = "\ufe0f"
SYMBOLS = "♥♡♦♢♣♧♠♤"
RUN = re.compile(rf"[\w{SYMBOLS}{PICTURE}×]+")
SIGN = re.compile(r"->|[→+,&=?'’.]")
# A rank and the name of a suit: sette di cuori, 7 cuori, K ♠.
NAMED = re.compile(
    rf"(10|[1-9]|[ajqk]|{'|'.join(RANK_WORDS)})(?:\s+(?:di|of)\s+|\s+d['’]|\s*)"
    rf"({'|'.join(SUIT_WORDS)}){PICTURE}?(?![\w{SYMBOLS}])", re.IGNORECASE)
BELLO = re.compile(r"(?:sette|7)\s*bello\b", re.IGNORECASE)
# A card of two or three characters: rank and suit; or the suit first, where it can't be
# taken for a rank.
SHORT = (re.compile(rf"(10|[a1-9jqkfrd])([hdcsqfpb{SYMBOLS}])"),
         re.compile(rf"([{SYMBOLS}])(10|[a1-9jqkfdr])"), re.compile(r"([hdcs])(10|[1-9])"))
ALONE = re.compile(r"10|[1-9]|[ajqk]")


@dataclass(frozen=True)
class Naming:
    """A card as it was named: its rank, and its suit where that was said.

    >>> Naming("Q").cards
    ('QH', 'QD', 'QC', 'QS')
    """

    rank: str
    suit: str | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that may be meant."""
        return tuple(self.rank + suit for suit in (self.suit or SUITS))

    @property
    def value(self) -> int:
        """What the rank counts, 1 … 10."""
        return RANKS.index(self.rank) + 1

    def __str__(self) -> str:
        return self.rank + (self.suit or "")


@dataclass(frozen=True)
class Lexeme:
    """One word of what was written: ``card``, with its naming, or a kind of ``VERBS``.

    ``begin`` and ``end`` are its place in the text; ``fresh`` says that a line begins with it.
    """

    kind: str
    begin: int
    end: int
    card: Naming | None = None
    fresh: bool = False


@lru_cache(maxsize=4096)
def short_cards(run: str) -> tuple[Naming, ...] | None:
    """Cards of two or three characters, one after another; None where it is no such run, or
    could be read in two ways."""
    ways = set(_ways(run, 0))
    return ways.pop() if len(ways) == 1 else None


def _ways(run: str, at: int) -> Iterator[tuple[Naming, ...]]:
    if at == len(run):
        yield ()
    if at > 160:
        # More than a pack.
        return
    for number, form in enumerate(SHORT):
        if match := form.match(run, at):
            rank, suit = match.groups() if not number else match.groups()[::-1]
            card = Naming(RANK_LETTERS[rank], SUIT_LETTERS[suit])
            for rest in _ways(run, match.end()):
                yield (card, *rest)
            # Its other readings come to nothing: no two forms begin alike.
            return


class Lexer:
    """Goes through a text word by word; ``stops`` are characters that end it.

    >>> [lexeme.kind for lexeme in Lexer("il 7 di cuori prende 3C e 4♦")]
    ['card', 'take', 'card', 'and', 'card']
    """

    def __init__(self, text: str, at: int = 0, stops: re.Pattern[str] | None = None) -> None:
        self.text = text
        self.at = at
        self.stops = stops
        self.waiting: list[Lexeme] = []

    def __iter__(self) -> Iterator[Lexeme]:
        while lexeme := self.next():
            yield lexeme

    def peek(self, ahead: int = 0) -> Lexeme | None:
        """The next word but ``ahead``, which stays; None at the end, or before what is no
        word."""
        while len(self.waiting) <= ahead:
            found = self._read()
            if not found:
                return None
            self.waiting += found
        return self.waiting[ahead]

    def next(self) -> Lexeme | None:
        """The next word, None at the end, or before what is no word."""
        lexeme = self.peek()
        if lexeme:
            self.waiting.pop(0)
        return lexeme

    def _read(self) -> list[Lexeme]:
        """The lexemes of the next word, one or more; none at the end, or before what is none."""
        began, fresh = self.at, False
        while True:
            space = SPACE.match(self.text, self.at)
            assert space
            fresh |= "\n" in space[0]
            self.at = space.end()
            if self.at >= len(self.text) or (self.stops and self.stops.match(self.text, self.at)):
                break
            lexemes = self._word(fresh)
            if lexemes is None:
                break
            if lexemes:
                return lexemes
        self.at = began
        return []

    def _word(self, fresh: bool) -> list[Lexeme] | None:
        """The lexemes of the word here, [] where it says nothing, None where it is none."""
        begin = self.at
        if match := NAMED.match(self.text, begin):
            rank, suit = match[1].casefold(), match[2].casefold()
            self.at = match.end()
            return [Lexeme("card", begin, self.at, Naming(
                RANK_WORDS.get(rank) or RANK_LETTERS[rank], SUIT_WORDS[suit]), fresh)]
        if match := BELLO.match(self.text, begin):
            self.at = match.end()
            return [Lexeme("card", begin, self.at, Naming("7", "D"), fresh)]
        match = RUN.match(self.text, begin) or SIGN.match(self.text, begin)
        if not match:
            return None
        lexemes = _meaning(match[0].casefold().replace(PICTURE, ""), begin, match.end(), fresh)
        if lexemes is not None:
            self.at = match.end()
        return lexemes


def _meaning(word: str, begin: int, end: int, fresh: bool) -> list[Lexeme] | None:
    """What a word says, [] for nothing, None where it is none of those that are known."""
    if word in VERBS:
        return [Lexeme(VERBS[word], begin, end, None, fresh)] if VERBS[word] else []
    if word in RANK_WORDS or ALONE.fullmatch(word):
        rank = RANK_WORDS.get(word) or RANK_LETTERS[word]
        return [Lexeme("card", begin, end, Naming(rank), fresh)]
    # Cards in one word, perhaps with what they take.
    lexemes: list[Lexeme] = []
    for piece in re.split("([x×])", word):
        if piece in ("x", "×"):
            lexemes.append(Lexeme("take", begin, end))
        elif piece:
            cards = short_cards(piece)
            if not cards:
                return None
            lexemes += [Lexeme("card", begin, end, card) for card in cards]
    if lexemes:
        lexemes[0] = replace(lexemes[0], fresh=fresh)
    return lexemes


class WordError(PortableError, ValueError):
    """A word that is no card; ``is_other``: it is none at all, rather than one without suit."""

    def __init__(self, word: str, is_other: bool) -> None:
        what = f"is no card; one is written {FORMS}" if is_other else (
            f"has no suit; a card is written {FORMS}")
        super().__init__(f"{word[:40]!r} {what}")
        self.word = word[:40]
        self.is_other = is_other


def read_cards(text: str) -> tuple[str, ...]:
    """Cards written in any of the ways that people write them, in their order.

    Raises WordError where a word is no card, or only its rank is said.

    >>> read_cards("7h, 3♣ e il fante di picche")
    ('7H', '3C', 'JS')
    """
    lexer = Lexer(text)
    cards = []
    while lexeme := lexer.next():
        if lexeme.kind == "and":
            continue
        if lexeme.card is None or lexeme.card.suit is None:
            raise WordError(text[lexeme.begin:lexeme.end], lexeme.card is None)
        cards.append(str(lexeme.card))
    rest = text[lexer.at:].split()
    if rest:
        raise WordError(rest[0], True)
    return tuple(cards)


def read_card(text: str) -> str:
    """One card written in any way; raises ValueError."""
    cards = read_cards(text)
    if len(cards) != 1:
        raise ValueError(f"{text[:40]!r}: one card is needed, {FORMS}")
    return cards[0]
