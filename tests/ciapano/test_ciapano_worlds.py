"""Whole truths drawn to agree with what one seat has seen of a game of Ciapa No."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from math import comb, sqrt

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from support import ciapano_reference as reference
from support.ciapano_games import SEATS, Game, game_of, games, position_of, short

from cirulla_ai import Rules
from cirulla_ai._core.actions import encode_play
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai._core.contract import CheatInformationSet
from cirulla_ai.action import parse_action
from cirulla_ai.games.ciapano.text import format_state

RULES = Rules("ciapano")
MOMENTS = st.integers(0, 42)


def text_of(position: CiapanoPosition) -> str:
    """The state string as the reference writes it."""
    return short(format_state(RULES, position))


def surprise(counts: Counter[str], expected: dict[str, float]) -> float:
    """How far counts are from what is expected, in standard deviations of chi square."""
    total = sum(counts.values())
    weight = sum(expected.values())
    chi = sum((counts[key] - total * w / weight) ** 2 / (total * w / weight)
              for key, w in expected.items())
    free = len(expected) - 1
    return (chi - free) / sqrt(2 * free) if free else 0.0


# --- exactness ------------------------------------------------------------------------

def check_exact(game: Game, viewer: int, moment: int, draws: int) -> None:
    """Just the truths that agree are drawn, each as often as any other."""
    truths = set(reference.agreeing_truths(
        game.dealer, game.hands, game.words[:moment], viewer))
    assert short(game.text(moment)) in truths
    info = game.knowledge(viewer, moment)
    counts: Counter[str] = Counter()
    for seed in range(draws * len(truths)):
        world, agrees = info.draw(seed)
        assert agrees
        counts[text_of(world)] += 1
    assert set(counts) <= truths
    assert surprise(counts, dict.fromkeys(truths, 1.0)) < 4.5


@pytest.mark.parametrize("seed", range(60))
def test_worlds_are_uniform(seed: int) -> None:
    """With few cards left, against all truths that replay to what the seat has seen."""
    check_exact(game_of(1000 + seed), seed % 3, 42 - seed % 8, 60)


def gift_games() -> list[tuple[int, int, int]]:
    """Games in which a card that the viewer gave is out for long: (seed, viewer, moment)."""
    out = []
    for seed in range(2000):
        game = game_of(seed)
        moment = 35
        giver = (game.dealer + 1 + seed % 2) % 3
        given = game.positions[moment].fields()["passed"][giver]
        info = game.knowledge(giver, moment)
        if info.position().unseen() >> given & 1:
            out.append((seed, giver, moment))
    return out


def test_worlds_are_uniform_while_a_gift_is_out() -> None:
    """Where the gift is tells what was handed on, voids or not; those cases are seldom."""
    cases = gift_games()[:40]
    assert len(cases) == 40
    for seed, giver, moment in cases:
        check_exact(game_of(seed), giver, moment, 30)


@pytest.mark.parametrize("seed", range(40))
def test_what_can_be_played_is_what_some_truth_allows(seed: int) -> None:
    """Of each card, whether another seat is believed to have played it."""
    game = game_of(3000 + seed)
    viewer, moment = seed % 3, 34 + seed % 8
    truths = [position_of(text) for text in reference.agreeing_truths(
        game.dealer, game.hands, game.words[:moment], viewer)]
    allowed = {code for truth in truths for code in truth.legal()}
    info = game.knowledge(viewer, moment)
    assert allowed == {code for code in map(encode_play, range(40)) if info.accepts(code)}


@pytest.mark.parametrize("seed", range(12))
def test_worlds_of_a_view_alone(seed: int) -> None:
    """Where no play was seen, by hands and discard: all alike, but that a gift that is out
    was kept by the next seat fourteen times as likely as not."""
    game = game_of(4000 + seed)
    viewer, moment = seed % 3, 33
    info = game.knowledge(viewer, moment, moment)
    f = info.position().fields()
    gift = f["passed"][viewer]
    out = [card for card in range(40) if info.position().unseen() >> card & 1]
    one, two = (viewer + 1) % 3, (viewer + 2) % 3
    expected: dict[str, float] = {}
    for held in combinations(out, f["hands"][one][1]):
        for other in combinations([c for c in out if c not in held], f["hands"][two][1]):
            weight = 1.0
            if gift in out and two == game.dealer:
                weight = 14.0 if gift in held else 1.0
            elif gift in other:
                weight = 0.0
            if weight:
                expected[f"{held} {other}"] = weight
    counts: Counter[str] = Counter()
    for number in range(20 * len(expected)):
        hands = info.draw(number)[0].fields()["hands"]
        held, other = (tuple(c for c in range(40) if hands[seat][0] >> c & 1)
                       for seat in (one, two))
        counts[f"{held} {other}"] += 1
    assert set(counts) <= set(expected)
    assert surprise(counts, expected) < 4.5


# --- what a void tells of the passing -------------------------------------------------

SPADES = "AS3S4S5S6S7SJSQS"
TWO_OF_SPADES = 7


def known_after(text: str, words: str) -> CiapanoInformationSet:
    """What the viewer of a state string knows after it has seen these actions."""
    position = position_of(text)
    info = CiapanoInformationSet(position, position.viewer)
    for word in words.split():
        code = parse_action(word)
        assert info.accepts(code), word
        info.observe(code)
    return info


def places(info: CiapanoInformationSet, n: int) -> Counter[str]:
    """Where the two of spades is in so many worlds, seat 2 being the dealer."""
    counts: Counter[str] = Counter()
    for seed in range(n):
        world, agrees = info.draw(seed)
        assert agrees
        f = world.fields()
        hands = zip(("first", "middle", "dealer"), f["hands"], strict=True)
        counts["discard" if f["discard"] == TWO_OF_SPADES else next(
            name for name, (hand, _) in hands if hand >> TWO_OF_SPADES & 1)] += 1
    return counts


def assert_shares(counts: Counter[str], shares: dict[str, float]) -> None:
    n = sum(counts.values())
    assert set(counts) <= set(shares)
    for place, share in shares.items():
        assert abs(counts[place] - n * share) < 5 * sqrt(n * share * (1 - share) + 1)


def test_a_gift_was_kept_in_thirteen_cases_of_fourteen() -> None:
    info = known_after(f"dealer=2 hands={SPADES}2S4H5H6H7HJH/?13/?13 viewer=0", ">2S >? >?")
    assert_shares(places(info, 20_000), {
        "middle": 13 / 14, "dealer": 13 / 14 ** 2, "discard": 1 / 14 ** 2})


def test_a_void_tells_that_the_gift_was_handed_on() -> None:
    """The middle seat has no spades: it gave the two away, and it is the dealer's."""
    info = known_after("dealer=2 hands=2S4S6S4H5H6H7HJHQH4D5D6D7DJD/?13/?13 viewer=0",
                       ">2S >? >? 4S 4C 5S")
    for seed in range(100):
        assert info.draw(seed)[0].fields()["passed"][1] == TWO_OF_SPADES
    assert_shares(places(info, 20_000), {"dealer": 12 / 13, "discard": 1 / 13})


def test_voids_of_both_tell_that_the_gift_was_discarded() -> None:
    info = known_after(f"dealer=2 hands={SPADES}2SKS4H5H6H7H/?13/?13 viewer=0",
                       ">2S >? >? 4S 4C 5D")
    assert_shares(places(info, 200), {"discard": 1.0})
    assert all(info.draw(seed)[0].fields()["passed"][1] == TWO_OF_SPADES for seed in range(50))
    # The 25 cards left to be placed are free.
    assert info.count() == comb(24, 12)


def test_a_void_tells_that_the_dealer_discarded_its_gift() -> None:
    """The middle seat gave the two of spades; the dealer does not follow to spades."""
    seen = f"dealer=2 hands=?14/{SPADES}2S4H5H6HQH/?13 viewer=1"
    before = known_after(seen, ">7H >2S >? KS 3S")
    assert set(places(before, 2000)) == {"dealer", "discard"}
    info = known_after(seen, ">7H >2S >? KS 3S 4C")
    assert_shares(places(info, 200), {"discard": 1.0})
    # Nobody can play it any more, nor the dealer any spade.
    info.observe(parse_action("4S"))
    assert not info.accepts(parse_action("2S"))
    assert info.accepts(parse_action("AD"))
    # Two seats without spades leave none but the viewer's.
    assert info.accepts(parse_action("5C"))
    info.observe(parse_action("5C"))
    assert not info.accepts(parse_action("2S"))


# --- at any moment --------------------------------------------------------------------

@given(games(), SEATS, MOMENTS, st.integers(0, 2**32))
def test_a_world_replays_to_what_was_seen(
    game: Game, viewer: int, moment: int, seed: int
) -> None:
    """From its deal, by the same plays and its own gifts, each legal when it was made."""
    note(f"{game.text(0)}\n{' '.join(game.words[:moment])}")
    info = game.knowledge(viewer, moment)
    assert info.position().fields() == game.positions[moment].view(viewer).fields()
    world, agrees = info.draw(seed)
    assert agrees
    words = game.words[:moment]
    start, gifts = deal_of(world, game, moment)
    replayed = [*gifts, *(word for word in words if not word.startswith(">"))]
    truth = reference.replay(game.dealer, start, replayed)
    assert truth is not None
    assert truth.tokens() == text_of(world)
    assert reference.sightings(game.dealer, start, replayed, viewer) == reference.sightings(
        game.dealer, game.hands, words, viewer)


def deal_of(world: CiapanoPosition, game: Game, moment: int) -> tuple[list[list[str]], list[str]]:
    """A world's hands as they were dealt, and its gifts in order."""
    f = world.fields()
    names = dict(token.split("=") for token in text_of(world).split())
    played = reference.plays_of(game.dealer, game.hands, game.words[:moment])
    hands = [reference.cards_of(hand) + played[seat]
             for seat, hand in enumerate(names["hands"].split("/"))]
    passed = names["passed"].split("/")
    discard = names["discard"]
    if world.phase == "done":
        discard = next(card for card in reference.DECK if card not in chain(*played))
    gifts: list[str] = []
    for k in reversed(range(min(moment, 3))):
        giver = (f["dealer"] + 1 + k) % 3
        card = discard if k == 2 else passed[giver]
        if k < 2:
            hands[(giver + 1) % 3].remove(card)
        hands[giver].append(card)
        gifts.insert(0, f">{card}")
    return hands, gifts


@given(games(), SEATS, MOMENTS, MOMENTS, st.integers(0, 2**32))
def test_knowledge_that_begins_later(
    game: Game, viewer: int, start: int, moment: int, seed: int
) -> None:
    """What was not seen does not matter; what was, is kept to."""
    start, moment = min(start, moment), max(start, moment)
    info = game.knowledge(viewer, moment, start)
    world, agrees = info.draw(seed)
    assert agrees
    assert world.view(viewer).fields() == game.positions[moment].view(viewer).fields()
    # The truth with these hands is a state that can be read.
    assert text_of(position_of(text_of(world))) == text_of(world)


@given(games(), SEATS, MOMENTS)
def test_the_truth_is_among_the_worlds(game: Game, viewer: int, moment: int) -> None:
    """Every action of the game can have been, by all that was seen before it."""
    info = game.knowledge(viewer, 0)
    for word in game.words[:moment]:
        assert info.accepts(parse_action(word))
        info.observe(parse_action(word))
    assert info.count() > 0
    other = info.copy()
    assert other.position().fields() == info.position().fields()
    assert [other.draw(s)[0].fields() for s in range(3)] == [
        info.draw(s)[0].fields() for s in range(3)]


def test_counts_before_the_play() -> None:
    game = game_of(5)
    first, middle, dealer = ((game.dealer + k) % 3 for k in (1, 2, 3))
    assert game.knowledge(first, 0).count() == comb(26, 13)
    assert game.knowledge(dealer, 0).count() == comb(27, 13)
    # It knows the card that it was given, and one of thirteen that the dealer gave away.
    assert game.knowledge(middle, 1).count() == comb(26, 13)
    assert game.knowledge(dealer, 2).count() == comb(26, 13)
    assert game.knowledge(middle, 2).count() == comb(26, 13)
    # The dealer's hand has the gift, or the discard is it.
    assert game.knowledge(middle, 3).count() == 26 * comb(25, 12) + comb(26, 13)
    # The first seat's gift kept: fourteen cards that can have been handed on.
    assert game.knowledge(first, 2).count() == 14 * comb(26, 12) + comb(26, 13)


@given(games(), SEATS, st.integers(3, 42))
def test_a_seat_that_did_not_follow_suit_has_none(
    game: Game, viewer: int, moment: int
) -> None:
    """No world gives it one, and such a card is not accepted from it."""
    info = game.knowledge(viewer, moment)
    void: list[set[str]] = [set(), set(), set()]
    truth = reference.Truth(game.dealer, game.hands)
    for word in game.words[:moment]:
        if truth.trick and word[1] != truth.trick[0][1]:
            void[truth.turn].add(truth.trick[0][1])
        truth.apply(word)
    for seed in range(5):
        names = dict(t.split("=") for t in text_of(info.draw(seed)[0]).split())
        for seat, hand in enumerate(names["hands"].split("/")):
            assert not {card[1] for card in reference.cards_of(hand)} & void[seat]
    position = info.position()
    if position.turn not in (-1, viewer):
        for card in range(40):
            if "HDCS"[card % 4] in void[position.turn]:
                assert not info.accepts(encode_play(card))


# --- states that play can't come to ---------------------------------------------------

def test_states_that_nothing_agrees_with() -> None:
    """Worlds say that they do not agree, and still hold forty cards in hands of the right
    size."""
    # Seat 1 did not follow to spades, but only spades are out.
    out = ["4H", "4S", "6H", "5S", "6S", "7S", "JS"]
    taken = reference.joined([card for card in reference.DECK if card not in out])
    info = CiapanoInformationSet(position_of(
        f"dealer=2 turn=2 hands=4H/?1/?2 trick=4S6H lead=0 taken={taken}/-/- discard=?1 "
        "passed=KC/?1/- viewer=0 phase=play"), 0)
    for seed in range(50):
        world, agrees = info.draw(seed)
        assert not agrees
        assert position_of(text_of(world)).fields() == world.fields()
    assert info.accepts(parse_action("5S"))


def test_a_whole_truth_is_hidden_from_the_viewer() -> None:
    game = game_of(8)
    info = CiapanoInformationSet(game.positions[20], 1)
    assert info.viewer == 1
    assert info.position().fields() == game.positions[20].view(1).fields()
    CheatInformationSet(game.positions[20], 1)
    with pytest.raises(ValueError, match="whole truth"):
        CheatInformationSet(game.positions[20].view(1), 1)


def test_drawing_many_is_for_measuring() -> None:
    info = game_of(8).knowledge(1, 20)
    before = info.position().fields()
    info.draw_many(100, 1)
    assert info.position().fields() == before
