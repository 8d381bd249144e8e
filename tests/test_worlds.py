"""Whole truths drawn to agree with what one seat has seen.

Everything here is told apart by texts: what a seat knows is the state string of its view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st
from support import reference
from support.strategies import SEEDS, Game, games, options_of, rules_of

from cirulla_ai import Action, State
from cirulla_ai._core.cards import set_of
from cirulla_ai._core.fishing_worlds import FishingInformationSet

# Where a seat that can claim must, what it does tells of its hand.
MANDATORY = [
    rules_of(f"rules={text}")
    for text in (
        "cirulla claim=mandatory", "cirulla-wikipedia", "cirulla-coppie",
        "cirulla-coppie players=2 claim_best=no claim_royal=25",
        "cirulla-spezia players=3 claim=mandatory", "cirullone claim=mandatory",
        "cirullone players=2 rounds=6,6,6 claim=mandatory",
        "cirullone-36 claim=mandatory", "cirullone-9 claim=mandatory",
        "cirullone claim=mandatory claim_low=12 claim_three=1,2,3,4,5,6,7,8,9,10",
    )
]


def informed(game: Game, seat: int, moment: int, start: State | None = None) -> (
        FishingInformationSet):
    """What a seat knows after so many actions, having seen them all from ``start`` on."""
    info = FishingInformationSet((start or game.states[0]).position, seat)
    for action, after in zip(game.actions[:moment], game.states[1:], strict=False):
        info.observe(action.code)
        if info.position().phase == "deal":
            info.deal(set_of("".join(after.hands[seat])))
    return info


def world_of(info: FishingInformationSet, game: Game, seed: int) -> State:
    """One drawn world, which must say that it agrees with all that was seen."""
    position, agrees = info.draw(seed)
    assert agrees
    return State(game.rules, position)


def with_keys(state: State, **keys: str) -> State:
    """The same state but for these keys, read and checked anew."""
    tokens = dict(token.split("=") for token in str(state).split())
    return State.parse(" ".join(f"{key}={value}" for key, value in (tokens | keys).items()))


def round_start(game: Game, moment: int) -> int:
    """The number of the state in which the round of that moment began."""
    return next(i for i, s in enumerate(game.states) if s.round == game.states[moment].round)


def replayed(game: Game, moment: int, world: State) -> State:
    """The world as the round began: each hand with the cards that it has played since."""
    first = round_start(game, moment)
    start = game.states[first]
    hands = [list(hand) for hand in world.hands]
    for state, action in zip(game.states[first:], game.actions[first:moment], strict=False):
        if action.kind == "play":
            assert state.turn is not None
            assert action.card is not None
            hands[state.turn].append(action.card)
    stock = dict(token.split("=") for token in str(world).split())["stock"]
    return with_keys(start, hands="/".join(map(reference.joined, hands)), stock=stock)


@st.composite
def moments(draw: st.DrawFn, game: Game) -> int:
    """A place in a game."""
    return draw(st.integers(0, len(game.actions)))


def any_games() -> st.SearchStrategy[Game]:
    """Games of all kinds, every other one with mandatory claims."""
    return st.one_of(games(), games(st.sampled_from(MANDATORY)))


@given(any_games(), st.data(), SEEDS)
def test_worlds_agree_with_the_view(game: Game, data: st.DataObject, seed: int) -> None:
    note(repr(game))
    moment = data.draw(moments(game))
    for seat in range(game.rules.players):
        info = informed(game, seat, moment)
        view = game.states[moment].view(seat)
        assert State(game.rules, info.position()) == view
        world = world_of(info, game, seed)
        assert world.viewer is None
        assert world.view(seat) == view
        assert State.parse(str(world)) == world


@given(any_games(), st.data(), SEEDS)
def test_worlds_agree_with_the_actions_of_the_round(
    game: Game, data: st.DataObject, seed: int
) -> None:
    """From the world as the round began, all that was played since could be played.

    Where claims are mandatory this means that nobody in it kept silent about a claim.
    """
    note(repr(game))
    moment = data.draw(moments(game))
    for seat in range(game.rules.players):
        world = world_of(informed(game, seat, moment), game, seed)
        state = replayed(game, moment, world)
        for action in game.actions[round_start(game, moment):moment]:
            assert action in state.legal_actions()
            state = state.apply(action)
        assert state == world


@given(any_games(), st.data(), SEEDS)
def test_what_was_seen_rules_no_world_out(game: Game, data: st.DataObject, seed: int) -> None:
    """Under any rules, whatever was played: a world's likelihood is a chance above 0."""
    note(repr(game))
    moment = data.draw(moments(game))
    for seat in range(game.rules.players):
        weighed = informed(game, seat, moment).posterior(None)
        for world in (world_of(weighed, game, seed), game.states[moment]):
            assert 0 < weighed.likelihood(world.position) < 1 + 1e-9


@given(any_games(), st.data())
def test_worlds_differ_where_anything_is_hidden(game: Game, data: st.DataObject) -> None:
    moment = data.draw(moments(game))
    for seat in range(game.rules.players):
        info = informed(game, seat, moment)
        view = game.states[moment].view(seat)
        places = [n for n in (*view.unknown, view.stock_count) if n]
        worlds = {str(world_of(info, game, seed)) for seed in range(6)}
        if sum(places) == 0 or (len(places) == 1 and not view.stock_count):
            assert worlds == {str(game.states[moment])}, "all is known to the seat"
        elif sum(places) >= 10:
            assert len(worlds) > 1
        assert world_of(info, game, 5) == world_of(info, game, 5)


@given(any_games(), st.data(), SEEDS)
def test_worlds_do_not_depend_on_hidden_cards(
    game: Game, data: st.DataObject, seed: int
) -> None:
    """Another truth that looks the same to the seat gives the same draws."""
    moment = data.draw(moments(game))
    first = round_start(game, moment)
    seat = data.draw(st.integers(0, game.rules.players - 1))
    other = replayed(game, moment, world_of(informed(game, seat, moment), game, seed))
    assert other.view(seat) == game.states[first].view(seat)
    in_round = Game(game.states[first:], game.actions[first:])
    draws = [
        [str(world_of(informed(in_round, seat, moment - first, start), game, s))
         for s in range(3)]
        for start in (game.states[first], other, other.view(seat))
    ]
    assert draws[0] == draws[1] == draws[2]


@given(any_games(), st.data(), SEEDS)
def test_a_copy_knows_the_same_and_learns_alone(
    game: Game, data: st.DataObject, seed: int
) -> None:
    moment = data.draw(moments(game))
    seat = data.draw(st.integers(0, game.rules.players - 1))
    info = informed(game, seat, moment)
    before = str(world_of(info, game, seed))
    copy = info.copy()
    assert (copy.viewer, str(world_of(copy, game, seed))) == (seat, before)
    if moment < len(game.actions):
        copy.observe(game.actions[moment].code)
    assert str(world_of(info, game, seed)) == before


# --- uniform draws --------------------------------------------------------------------

def assert_uniform(drawn: Iterable[str], possible: Iterable[str]) -> None:
    """All that is possible is drawn about as often, and nothing else is.

    Five standard deviations and a margin for few cells; the seeds are fixed, so that the
    outcome is the same every time.
    """
    cells = set(possible)
    counts = Counter(drawn)
    assert set(counts) <= cells, "drawn, but impossible"
    expected = sum(counts.values()) / len(cells)
    assert expected >= 20, "too few draws to tell"
    chi_square = sum((counts[cell] - expected) ** 2 / expected for cell in cells)
    free = len(cells) - 1
    assert chi_square < free + 5 * sqrt(2 * free) + 8


def draws(info: FishingInformationSet, key: str, n: int) -> list[str]:
    """One key's value in many worlds."""
    out = []
    for seed in range(n):
        position, agrees = info.draw(seed)
        assert agrees
        f = position.fields()
        if key == "stock":
            out.append("".join(reference.DECK[card] for card in f["stock"]))
        else:
            hand, unknown = f["hands"][int(key)]
            assert unknown == 0
            out.append("".join(c for i, c in enumerate(reference.DECK) if hand >> i & 1))
    return out


def taken_rest(*known: str) -> str:
    """All other cards, divided between the sides by rank so that neither has a suit."""
    rest = [card for card in reference.DECK if card not in reference.cards_of("".join(known))]
    return "/".join(
        reference.joined(c for c in rest if reference.value(c) % 2 == side) for side in (0, 1))


def test_hands_are_drawn_uniformly() -> None:
    """Two unknown cards of eight: each of the 28 hands alike."""
    unseen = "AS2C4D5H6S7CJDKH"
    view = State.parse(
        "rules=cirulla dealer=1 turn=0 round=5 hands=QHKC/?2 table=3H "
        f"taken={taken_rest('QHKC3H', unseen)} stock=?6 viewer=0")
    possible = [reference.joined(two) for two in combinations(reference.cards_of(unseen), 2)]
    assert_uniform(draws(FishingInformationSet(view.position, 0), "1", 4000), possible)


def test_the_stock_is_drawn_uniformly_in_order() -> None:
    """One unknown card and a stock of two: each of the six orders alike."""
    view = State.parse(
        "rules=cirulla rounds=16,1,1 dealer=1 turn=0 round=2 hands=QH/?1 table=3H "
        f"taken={taken_rest('QH3H', 'AS2C4D')} stock=?2 viewer=0")
    possible = ["".join(order[1:]) for order in permutations(("AS", "2C", "4D"))]
    assert_uniform(draws(FishingInformationSet(view.position, 0), "stock", 1200), possible)


@pytest.mark.parametrize(
    ("rules", "hand", "unseen", "seen"),
    [
        # A hand of three that laid a two without a claim: no other two cards of seven or less.
        ("cirulla claim=mandatory", 3, "2C2DAS3D4H5H6S7CJD", ["2C"]),
        # Nor the matta with any two that make a claim with it.
        ("cirulla claim=mandatory", 3, "3C7HAS5D6H6D7CJDKS", ["3C"]),
        # A pass says the same before the first card.
        ("cirulla-coppie players=2", 3, "2C7HAS5D6H6D7CJDKS", ["pass"]),
        # A low claim of three points says that there were no three equal for ten.
        ("cirulla claim=mandatory rounds=3,3,4,4,4", 4, "2C2H4S2DAS5H6S7CJDQDQS7D",
         ["!2H2C4S"]),
    ],
    ids=("laid", "matta", "pass", "claim"),
)
def test_hands_are_uniform_among_those_that_tell_the_truth(
    rules: str, hand: int, unseen: str, seen: list[str]
) -> None:
    """The viewer deals, the other seat acts first; by brute force over all its hands."""
    own = "KHKCQHQCKD"[:2 * hand]
    cards = reference.cards_of(unseen)
    table = "3H"
    view = State.parse(
        f"rules={rules} dealer=0 turn=1 round={len(rules_of('rules=' + rules).rounds) - 1} "
        f"hands={own}/?{hand} table={table} taken={taken_rest(own, table, unseen)} "
        f"stock=?{len(cards) - hand} viewer=0")
    info = FishingInformationSet(view.position, 0)
    played: list[str] = []
    shown: list[str] = []
    for text in seen:
        action = Action(text)
        info.observe(action.code)
        played += [action.card] if action.card else []
        shown += [] if action.card else action.cards
    options = options_of(view.rules)
    possible = []
    for held in combinations(cards, hand):
        best = max(reference.claims(options, held).values(), default=0)
        mine = reference.claim_points(options, shown, None) if shown else 0
        if set(played) | set(shown) <= set(held) and best == mine:
            possible.append(reference.joined(set(held) - set(played)))
    assert 1 < len(possible) < len(list(combinations(cards, hand)))
    assert_uniform(draws(info, "1", 60 * len(possible)), possible)


@settings(max_examples=max(settings().max_examples // 2, 1))
@given(games(st.sampled_from(MANDATORY)), st.data())
def test_silence_is_forgotten_with_the_round(game: Game, data: st.DataObject) -> None:
    """What a hand did not claim tells nothing once it has been played out."""
    starts = [i for i in range(1, len(game.states) - 1)
              if game.states[i].round != game.states[i - 1].round]
    assume(starts)
    moment = data.draw(st.sampled_from(starts))
    seat = data.draw(st.integers(0, game.rules.players - 1))
    fresh = FishingInformationSet(game.states[moment].position, seat)
    for seed in range(3):
        assert world_of(informed(game, seat, moment), game, seed) == world_of(fresh, game, seed)


def test_worlds_of_random_truths_are_no_copies_of_them() -> None:
    """The draw must not give away the cards that it was made from."""
    random = Random(1)
    same = 0
    for _ in range(200):
        state = State.deal(rules_of("rules=cirulla"), seed=random.getrandbits(64))
        position, _agrees = FishingInformationSet(state.position, 0).draw(random.getrandbits(64))
        same += State(state.rules, position).hands[1] == state.hands[1]
    # Three of 33 cards: one in 5456 is the same by chance.
    assert same <= 2
