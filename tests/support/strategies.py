"""Hypothesis strategies: rules, games by random play, and positions put together.

Hypothesis draws a few numbers and seeds; the games themselves are played by a generator
with that seed.  A failure is reported with the state string and the actions, which
reproduce it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from cirulla_ai import Action, MisdealError, Rules, State
from cirulla_ai.games.fishing.rules import OPTIONS
from cirulla_ai.games.registry import FISHING
from support import reference

SEEDS = st.integers(0, 2**32 - 1)
# Of the fishing family: Ciapa No has a directory of its own.
PRESETS = tuple(FISHING.presets)


# --- rules ----------------------------------------------------------------------------

@lru_cache(maxsize=256)
def rules_of(text: str) -> Rules:
    """Rules from their tokens; kept, since their capture table takes time to build."""
    return Rules.parse(text)


def presets() -> st.SearchStrategy[Rules]:
    """The rules of the presets."""
    return st.sampled_from(PRESETS).map(lambda preset: rules_of(f"rules={preset}"))


def _numbers(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


YES_NO = st.sampled_from(("yes", "no"))

# Every option that does not depend on another, with all the values that it takes.
FREE_OPTIONS: dict[str, st.SearchStrategy[str]] = {
    "capture_equal": YES_NO,
    "capture_sum": YES_NO,
    "capture_15": YES_NO,
    "ace_sweep": st.sampled_from(("no", "no_ace", "always")),
    "ace_choice": st.sampled_from(("free", "sweep")),
    "capture_choice": st.sampled_from(("free", "single", "fewest")),
    "must_capture": YES_NO,
    "last_scopa": YES_NO,
    "matta": st.sampled_from(("no", *reference.DECK)),
    "matta_table": YES_NO,
    "matta_memory": st.sampled_from(("captured", "round", "no")),
    "bonus_15": _numbers(0, 30),
    "bonus_30": _numbers(0, 30),
    "bonus_9": _numbers(0, 30),
    "misdeal_aces": _numbers(0, 4),
    "misdeal_three": YES_NO,
    "misdeal_first": YES_NO,
    "claim": st.sampled_from(("no", "optional", "mandatory")),
    "claim_three": st.one_of(
        _numbers(0, 30), st.lists(_numbers(0, 30), min_size=10, max_size=10).map(",".join)),
    "claim_low": _numbers(0, 30),
    "claim_royal": _numbers(0, 30),
    "claim_play": st.sampled_from(("first", "free")),
    "points_cards": _numbers(0, 10),
    "points_diamonds": _numbers(0, 10),
    "points_settebello": _numbers(0, 10),
    "points_primiera": _numbers(0, 10),
    "piccola_max": st.sampled_from(("0", *map(str, range(3, 11)))),
    "grande": _numbers(0, 30),
    "grande_extend": YES_NO,
    "cappotto": st.one_of(st.sampled_from(("win", "no")), _numbers(1, 50)),
    "target": _numbers(1, 1000),
}


@st.composite
def _shapes(draw: st.DrawFn) -> tuple[int, int, tuple[int, ...]]:
    """Players, table size and hand sizes that use up the forty cards."""
    players = draw(st.integers(2, 4))
    # Threes are a special case for claims: as many as all else together.
    hand = draw(st.sampled_from((3, 1)))
    table = draw(st.sampled_from([n for n in range(11) if (40 - n) % (hand * players) == 0]))
    left = (40 - table) // players
    if hand == 3:
        return players, table, (3,) * (left // 3)
    rounds: list[int] = []
    while left:
        rounds.append(draw(st.integers(1, left)))
        left -= rounds[-1]
    return players, table, tuple(rounds)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any preset with any options changed, such that it can be played."""
    players, table, rounds = draw(_shapes())
    texts = {
        "players": str(players), "table_size": str(table), "rounds": ",".join(map(str, rounds)),
        **draw(st.fixed_dictionaries({}, optional=FREE_OPTIONS)),
    }
    # These four depend on the shape; a preset's own value might not fit.
    threes = set(rounds) == {3}
    texts["claim_time"] = draw(st.sampled_from(("turn", "round"))) if threes else "turn"
    texts["claim_best"] = draw(YES_NO) if texts["claim_time"] == "round" else "no"
    texts["misdeal_loss"] = draw(_numbers(0, 9)) if players != 3 else "0"
    texts["table_four"] = (
        draw(st.sampled_from(("no", "natural", "win"))) if table >= 4 else "no")
    return Rules.from_options(draw(st.sampled_from(PRESETS)), texts)


def _cirulla_with(**options: st.SearchStrategy[str]) -> st.SearchStrategy[Rules]:
    """Cirulla with all of these options drawn."""
    return st.fixed_dictionaries(options).map(lambda texts: Rules.from_options("cirulla", texts))


def dealing_rules() -> st.SearchStrategy[Rules]:
    """Rules under which the first table decides much."""
    names = ("matta_table", "misdeal_aces", "misdeal_three", "misdeal_first")
    return _cirulla_with(
        bonus_9=st.sampled_from(("0", "1", "5")), bonus_30=st.sampled_from(("0", "2")),
        table_four=st.sampled_from(("no", "natural", "win")),
        misdeal_loss=st.sampled_from(("0", "3")), table_size=st.sampled_from(("4", "10")),
        **{name: FREE_OPTIONS[name] for name in names})


def scoring_rules() -> st.SearchStrategy[Rules]:
    """Rules under which points are given for other things than usual."""
    names = ("piccola_max", "grande_extend", "cappotto", "last_scopa", "points_cards",
             "points_primiera")
    return _cirulla_with(
        grande=st.sampled_from(("0", "3", "5")), players=_numbers(2, 4),
        **{name: FREE_OPTIONS[name] for name in names})


@st.composite
def claiming_rules(draw: st.DrawFn) -> Rules:
    """Rules under which much is claimed, and a matta that was declared often stays."""
    texts = draw(st.fixed_dictionaries({
        "players": _numbers(2, 4), "table_size": st.just("4"),
        "claim": st.sampled_from(("optional", "mandatory")),
        "claim_time": st.sampled_from(("turn", "round")),
        "claim_royal": st.sampled_from(("0", "10", "25")),
        "claim_low": st.sampled_from(("3", "12")),
        "matta": st.sampled_from(("7H", "QD", "2S")),
        "matta_memory": FREE_OPTIONS["matta_memory"], "claim_play": FREE_OPTIONS["claim_play"],
    }, optional={
        name: FREE_OPTIONS[name]
        for name in ("claim_three", "ace_sweep", "capture_equal", "capture_sum", "capture_15")
    }))
    if texts["claim_time"] == "round":
        texts["claim_best"] = draw(YES_NO)
    else:
        texts["rounds"] = draw(st.sampled_from({
            "2": ("3,3,3,3,3,3", "6,3,9"), "3": ("3,3,3,3", "6,6"), "4": ("3,3,3", "6,3"),
        }[texts["players"]]))
    return Rules.from_options("cirulla", texts)


def rules() -> st.SearchStrategy[Rules]:
    """Rules of any kind."""
    return st.one_of(presets(), rule_sets())


def options_of(rules: Rules) -> dict[str, object]:
    """The options as plain values, for the reference."""
    return {name: rules[name] for name in OPTIONS}


# --- packs ----------------------------------------------------------------------------

def packs(rules: Rules, dealer: int, random: Random, claims: float | None = None) -> list[str]:
    """A shuffled pack, sometimes arranged so that hands hold something to claim.

    ``claims`` is the chance of a hand for that, by default 0.5 in every other pack.
    """
    pack = list(reference.DECK)
    random.shuffle(pack)
    if claims is None:
        claims = random.choice((0, 0.5))
    players = rules.players
    start = 0
    free = set(pack)
    for number, size in enumerate(rules.rounds):
        for seat in range(players):
            if size >= 3 and random.random() < claims:
                places = [start + k * players + (seat - dealer - 1) % players
                          for k in random.sample(range(size), 3)]
                for place, card in zip(places, _claimable(rules, free, random), strict=False):
                    other = pack.index(card)
                    pack[place], pack[other] = pack[other], pack[place]
                    free.remove(card)
        start += players * size + (rules.table_size if number == 0 else 0)
    return pack


def packs_with_tables(rules: Rules, dealer: int, random: Random) -> list[str]:
    """A pack whose first table is more often one that decides something."""
    pack = packs(rules, dealer, random)
    start = rules.players * rules.rounds[0]
    places = list(range(start, start + rules.table_size))
    random.shuffle(places)
    rank = random.choice((*reference.RANKS, "A", "A", "A", "7", "7"))
    suits = random.sample(reference.SUITS, random.choice((0, 0, 2, 3, 3, 4)))
    wanted = [rank + suit for suit in suits]
    if rules["matta"] != "no" and random.random() < 0.5:
        wanted = [card for card in wanted if card != rules["matta"]]
        wanted.insert(0, str(rules["matta"]))
    for place, card in zip(places, wanted, strict=False):
        other = pack.index(card)
        pack[place], pack[other] = pack[other], pack[place]
    return pack


def _claimable(rules: Rules, free: set[str], random: Random) -> list[str]:
    """Three of the free cards to claim with; fewer where there are none such."""
    cards = [card for card in reference.DECK if card in free]
    low = [card for card in cards if reference.value(card) <= 4]
    rank = random.choice(reference.RANKS)
    kinds = (low[:12], low[:12], [card for card in cards if card[0] == rank],
             [card for card in cards if card in reference.ROYAL])
    kind = random.choice([k for k in kinds if len(k) >= 3] or [low])
    three = random.sample(kind, min(3, len(kind)))
    matta = rules["matta"]
    if matta in free and matta not in three and random.random() < 0.5:
        three[:1] = [str(matta)]
    return three


# --- games ----------------------------------------------------------------------------

@dataclass(frozen=True)
class Game:
    """A game by random play: the states, and the actions between them."""

    states: tuple[State, ...]
    actions: tuple[Action, ...]

    def __repr__(self) -> str:
        return (f"State.parse({str(self.states[0])!r})"
                f".play({', '.join(repr(str(action)) for action in self.actions)})")

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self.states[0].rules


def _deal(
    rules: Rules, dealer: int, scores: Sequence[int], random: Random, claims: float | None
) -> State:
    misdeals = random.choice((0, 0, 0, 1, 2))
    while True:
        pack = packs(rules, dealer, random, claims)
        try:
            return State.deal(rules, dealer=dealer, scores=scores, misdeals=misdeals, pack=pack)
        except MisdealError:
            misdeals += 1


def _choose(state: State, actions: Sequence[Action], style: str, random: Random) -> Action:
    """Uniform play seldom builds big tables or takes all the diamonds: some styles do."""
    claims = [a for a in actions if a.kind == "claim"]
    lays = [a for a in actions if a.kind == "play" and not a.cards]
    if style == "lay":
        liked = lays
    elif style == "claim":
        liked = claims
    elif style == "give":
        # One side takes all the diamonds that it can, the others leave them.
        assert state.turn is not None
        if state.rules.side(state.turn) == 0:
            return max(actions, key=lambda a: "".join((*a.cards, a.card or "")).count("D"))
        liked = claims or lays
    else:
        liked = list(actions)
    return random.choice(liked if liked and random.random() < 0.9 else actions)


STYLES = ("any", "any", "lay", "claim", "give")


def play_on(state: State, random: Random, styles: Sequence[str] = STYLES) -> Game:
    """Random play to the end of the smazzata."""
    style = random.choice(styles)
    states = [state]
    actions: list[Action] = []
    while legal := states[-1].legal_actions():
        actions.append(_choose(states[-1], legal, style, random))
        states.append(states[-1].apply(actions[-1]))
    return Game(tuple(states), tuple(actions))


@st.composite
def games(draw: st.DrawFn, by: st.SearchStrategy[Rules] | None = None) -> Game:
    """A whole game by random play, by rules of any kind or those of ``by``."""
    chosen = draw(rules() if by is None else by)
    dealer = draw(st.integers(0, chosen.players - 1))
    random = Random(draw(SEEDS))
    scores = [random.randrange(chosen.target) for _ in range(chosen.sides)]
    return play_on(_deal(chosen, dealer, scores, random, None), random)


@st.composite
def claiming_games(draw: st.DrawFn) -> Game:
    """A game in which most hands can claim and do."""
    chosen = draw(claiming_rules())
    dealer = draw(st.integers(0, chosen.players - 1))
    random = Random(draw(SEEDS))
    start = _deal(chosen, dealer, [0] * chosen.sides, random, claims=0.9)
    return play_on(start, random, ("claim", "claim", "lay"))


@st.composite
def states(draw: st.DrawFn, by: st.SearchStrategy[Rules] | None = None) -> State:
    """A state that random play has come to."""
    game = draw(games(by))
    return draw(st.sampled_from(game.states))


# --- positions that play need not have come to ----------------------------------------

@st.composite
def positions(
    draw: st.DrawFn, by: st.SearchStrategy[Rules] | None = None, min_table: int = 0,
    max_table: int = 12,
) -> State:
    """A whole truth in phase ``play`` with the cards anywhere; the table may be large."""
    chosen = draw(rules() if by is None else by)
    random = Random(draw(SEEDS))
    players, size_of = chosen.players, chosen.rounds
    # The first round that leaves cards enough for the table, or any after it.
    possible = [k for k in range(len(size_of))
                if 40 - players * sum(size_of[k:]) + players * (size_of[k] - 1) >= min_table]
    k = random.choice(possible or [len(size_of) - 1])
    dealer = draw(st.integers(0, players - 1))
    moved = random.randrange(players)
    room = 40 - players * sum(size_of[k + 1:]) - min_table + moved
    here = random.randint(1, max(1, min(size_of[k], room // players)))

    deck = list(reference.DECK)
    random.shuffle(deck)
    gather = random.random() < 0.4
    if gather:
        # All diamonds but one or two come last, and so among the taken cards.
        few = random.sample([card for card in deck if card[1] == "D"], random.randint(1, 2))
        deck.sort(key=lambda card: card[1] != "D" or card in few)

    def pop(n: int) -> list[str]:
        return [deck.pop() for _ in range(n)]

    hands: list[list[str]] = [[] for _ in range(players)]
    for i in range(players):
        hands[(dealer + 1 + i) % players] = pop(here - (i < moved))
    stock = pop(players * sum(size_of[k + 1:]))
    table = pop(min(len(deck), random.randint(min_table, max_table)))
    taken: list[list[str]] = [[] for _ in range(chosen.sides)]
    for card in deck:
        random.choice(taken).append(card)
    if gather:
        _gather_diamonds(taken, random.randrange(chosen.sides))
    _spread_diamonds(taken)

    shown: list[list[str]] = [[] for _ in range(players)]
    claimed = [0] * players
    if chosen["claim"] != "no":
        for seat, hand in enumerate(hands):
            if size_of[k] >= 3 and random.random() < 0.3:
                claimed[seat] = 1
                left = min(len(hand), random.randint(0, 3))
                # A hand of three has all its cards shown or none.
                shown[seat] = hand if size_of[k] == 3 else random.sample(hand, left)
    declared = "-"
    matta = chosen["matta"]
    if matta in [*table, *(card for cards in shown for card in cards)] and (
        chosen["matta_memory"] != "no"
    ):
        declared = str(random.randint(1, 10))

    def listed(groups: Sequence[Sequence[str]]) -> str:
        return "/".join(reference.joined(group) or "-" for group in groups)

    return State.parse(
        f"{chosen} dealer={dealer} turn={(dealer + 1 + moved) % players} round={k + 1} "
        f"hands={listed(hands)} shown={listed(shown)} claimed={'/'.join(map(str, claimed))} "
        f"declared={declared} table={reference.joined(table) or '-'} taken={listed(taken)} "
        f"scopa={'/'.join(str(random.randrange(9)) for _ in taken)} "
        f"last={random.choice(('-', *range(chosen.sides)))} stock={''.join(stock) or '-'} "
        f"scores={'/'.join(str(random.randrange(50)) for _ in taken)} phase=play"
    )


def _gather_diamonds(taken: list[list[str]], side: int) -> None:
    """One side has all the diamonds that are taken: it may be near a cappotto."""
    for other, cards in enumerate(taken):
        if other != side:
            taken[side] += [card for card in cards if card[1] == "D"]
            taken[other] = [card for card in cards if card[1] != "D"]


def _spread_diamonds(taken: list[list[str]]) -> None:
    """No side may have all ten diamonds: a cappotto would have ended the smazzata."""
    for side, cards in enumerate(taken):
        if len(reference.diamonds(cards)) == 10:
            cards.remove("AD")
            taken[(side + 1) % len(taken)].append("AD")
