"""What must hold in every game of Ciapa No, against the reference and by itself."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from support import ciapano_reference as reference
from support.ciapano_games import (
    SEATS,
    SEEDS,
    Game,
    game_of,
    games,
    position_of,
    rule_sets,
    short,
)

from cirulla_ai import Rules, State
from cirulla_ai._core.actions import UNSEEN, action_text, decode, encode_give, encode_play
from cirulla_ai._core.cards import card_name, parse_sequence
from cirulla_ai._core.ciapano_position import CiapanoPosition, trick_taker
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import parse_action
from cirulla_ai.games.ciapano.text import format_state

RULES = Rules("ciapano")


# --- games against the reference ------------------------------------------------------

@given(games())
def test_games(game: Game) -> None:
    """Legal actions, what they do, what each seat sees of it, and the thirds."""
    note(game.text(0))
    note(" ".join(game.words))
    truth = reference.Truth(game.dealer, game.hands)
    for moment, position in enumerate(game.positions):
        assert short(game.text(moment)) == truth.tokens()
        assert sorted(map(action_text, position.legal())) == truth.legal()
        assert position.count_legal() == len(truth.legal())
        assert position.items() == [[n] for n in truth.thirds()]
        for seat in range(3):
            view = format_state(game.rules, position.view(seat))
            assert short(view) == truth.tokens(seat)
        if moment < len(game.words):
            truth.apply(game.words[moment])
    assert game.positions[-1].phase == "done"
    assert len(game.words) == 42


@given(games(), SEATS, st.integers(0, 41))
def test_views_follow_the_truth(game: Game, seat: int, start: int) -> None:
    """A view that takes in what its seat sees is the view of the truth all along."""
    view = game.positions[start].view(seat)
    for moment in range(start, len(game.words)):
        truth = game.positions[moment]
        code = truth.seen(parse_action(game.words[moment]), seat)
        assert action_text(code) == game.truth(moment).seen(game.words[moment], seat)
        assert view.accepts(code)
        view = view.after(code)
        assert view.fields() == game.positions[moment + 1].view(seat).fields()


@given(games(), SEATS)
def test_views_accept_only_what_can_be(game: Game, seat: int) -> None:
    """Another seat's action is refused where the viewer knows that it can't have been."""
    for position in game.positions[:-1]:
        view = position.view(seat)
        mover = view.turn
        if mover == seat:
            assert [c for c in every_code() if view.accepts(c)] == sorted(view.legal())
            continue
        unseen = view.unseen()
        if view.phase == "play":
            wanted = [encode_play(card) for card in range(40) if unseen >> card & 1]
        elif seat == (mover + 1) % 3 and mover != game.dealer:
            wanted = [encode_give(card) for card in range(40) if unseen >> card & 1]
        else:
            wanted = [encode_give(UNSEEN)]
        assert [c for c in every_code() if view.accepts(c)] == wanted


def every_code() -> list[int]:
    """The codes of all the actions that there are in the game."""
    return [*map(encode_play, range(40)), *map(encode_give, range(40)), encode_give(UNSEEN)]


@pytest.mark.parametrize("text", [
    "dealer=2 hands=?14/?13/AH2H3H4H5H6H7HJHQHKHAD2D3D viewer=2",
    "dealer=0 turn=0 hands=?14/2H3H4H5H6H7HJHQHKHAD2D3D4D/?13 passed=-/AH/?1 viewer=1 phase=pass",
])
def test_a_view_refuses_a_card_that_it_cannot_see(text: str) -> None:
    view = position_of(text)
    assert not view.accepts(encode_give(39))
    assert not view.accepts(encode_play(39))
    assert view.accepts(encode_give(UNSEEN))


def test_codes_of_other_games_are_refused() -> None:
    position = CiapanoPosition.deal_random(RULES.table, 0, [0, 0, 0], 0, 1)
    card = decode(position.legal()[0])[1]
    assert card is not None
    for code in (encode_play(card) | 1, 1 << 50, 2 << 50, encode_play(40), encode_give(40),
                 encode_give(UNSEEN), encode_give(card) | 1 << 46, 1 << 63):
        assert not position.accepts(code)


# --- a state by itself ----------------------------------------------------------------

@given(games())
def test_forty_cards(game: Game) -> None:
    for position in game.positions:
        f = position.fields()
        cards = [f["hands"][seat][0] for seat in range(3)] + f["taken"]
        cards += [1 << card for card in f["trick"]]
        cards += [1 << f["discard"]] if f["discard"] >= 0 else []
        assert sum(cards) == (1 << 40) - 1
        together = 0
        for some in cards:
            together |= some
        assert together == (1 << 40) - 1


@given(games())
def test_thirty_five_thirds(game: Game) -> None:
    thirds = [sum(chain(*position.items())) for position in game.positions]
    assert thirds == sorted(thirds), "a third once taken stays"
    assert thirds[-1] == 35
    last = game.positions[-1]
    total = [n for n, in last.items()]
    if game.rules["cappotto"] and 35 in total:
        assert sorted(last.points()) == [0, 11, 11]
    else:
        assert last.points() == [n // 3 for n in total]


@pytest.mark.parametrize(("cappotto", "points"), [(False, [0, 11, 0]), (True, [11, 0, 11])])
def test_cappotto(cappotto: bool, points: list[int]) -> None:
    # The others have taken nothing that counts; the discard and the last trick go to seat 1.
    taken = "4C5D6C/AHADACAS2H2D2C2S3H3D3C3S4H4D4S5H5S6H6D6S7H7D7CJHJDJCJSQHQDQCQSKHKDKCKS/5C7S"
    position: CiapanoPosition = State.parse(
        f"rules=ciapano cappotto={'yes' if cappotto else 'no'} dealer=2 turn=- hands=-/-/- "
        f"lead=1 taken={taken} passed=4C/5D/- phase=done").position
    assert position.items() == [[0], [35], [0]]
    assert position.points() == points


@given(games())
def test_actions_leave_the_position_before_as_it_was(game: Game) -> None:
    before = [game.text(moment) for moment in range(len(game.positions))]
    for position in game.positions:
        for code in position.legal():
            position.after(code)
        for seat in range(3):
            position.view(seat)
    assert before == [game.text(moment) for moment in range(len(game.positions))]
    assert [p.copy().fields() for p in game.positions] == [p.fields() for p in game.positions]


@given(rule_sets(), SEATS, SEEDS)
def test_deals(rules: Rules, dealer: int, seed: int) -> None:
    """A pack is dealt one by one, the first and the fortieth to the seat after the dealer."""
    pack = list(reference.DECK)
    Random(seed).shuffle(pack)
    hands: list[list[str]] = [[], [], []]
    for k, card in enumerate(pack):
        hands[(dealer + 1 + k) % 3].append(card)
    outcome, position = CiapanoPosition.deal(
        rules.table, dealer, [1, 2, 3], 0, parse_sequence("".join(pack)))
    assert outcome == "play"
    assert short(format_state(rules, position)) == reference.Truth(dealer, hands).tokens()
    assert position.fields()["scores"] == [1, 2, 3]


def test_a_seed_deals_every_card_anywhere() -> None:
    """The same deal for a seed, and over seeds each card as often in each hand."""
    counts = [[0] * 3 for _ in range(40)]
    n = 3000
    for seed in range(n):
        position = CiapanoPosition.deal_random(RULES.table, 2, [0, 0, 0], 0, seed)
        hands = [cards for cards, _ in position.fields()["hands"]]
        assert [bin(cards).count("1") for cards in hands] == [14, 13, 13]
        for card in range(40):
            for seat in range(3):
                counts[card][seat] += hands[seat] >> card & 1
    again = CiapanoPosition.deal_random(RULES.table, 2, [0, 0, 0], 0, n - 1)
    assert again.fields() == position.fields()
    for card in range(40):
        for seat, share in enumerate((0.35, 0.325, 0.325)):
            assert abs(counts[card][seat] - n * share) < 5 * (n * share * (1 - share)) ** 0.5


@given(st.permutations(reference.DECK).map(lambda deck: deck[:3]))
def test_the_highest_of_the_suit_led_takes(cards: list[str]) -> None:
    followers = [card for card in cards if card[1] == cards[0][1]]
    best = max(followers, key=lambda card: reference.ORDER.index(card[0]))
    assert cards[trick_taker(parse_sequence("".join(cards)))] == best


# --- text -----------------------------------------------------------------------------

@given(games(), SEATS, st.integers(0, 42))
def test_text_round_trip(game: Game, seat: int, moment: int) -> None:
    position = game.positions[moment]
    for p in (position, position.view(seat)):
        text = format_state(game.rules, p)
        again = State.parse(text)
        assert again.rules == game.rules
        assert again.position.fields() == p.fields()
        assert format_state(again.rules, again.position) == text


@given(games(), SEATS, st.integers(0, 42), st.randoms(use_true_random=False))
def test_a_state_is_read_in_any_spelling(
    game: Game, seat: int, moment: int, random: Random
) -> None:
    """Tokens in any order, cards in any order and letter case, unchanged keys left out."""
    text = format_state(game.rules, game.positions[moment].view(seat))
    tokens = text.split()
    if moment == 0:
        tokens = [t for t in tokens if t.split("=")[0] not in (
            "turn", "trick", "lead", "taken", "discard", "passed", "phase")]
    loose = []
    for token in tokens:
        key, _, value = token.partition("=")
        if key in ("hands", "taken"):
            groups = []
            for group in value.split("/"):
                known, mark, unknown = group.partition("?")
                cards = reference.cards_of(known or "-")
                random.shuffle(cards)
                groups.append("".join(map(str.lower, cards)) + mark + unknown or "-")
            value = "/".join(groups)
        loose.append(f"{key}={value}")
    random.shuffle(loose)
    state = State.parse(" ".join(loose))
    assert format_state(state.rules, state.position) == text


# --- counting and random play ---------------------------------------------------------

def count(truth: reference.Truth, depth: int) -> int:
    """Sequences of ``depth`` actions, one by one."""
    if depth == 0:
        return 1
    total = 0
    for word in truth.legal():
        after = reference.Truth(truth.dealer, [list(hand) for hand in truth.hands])
        after.turn, after.lead = truth.turn, truth.lead
        after.trick, after.discard = list(truth.trick), truth.discard
        after.taken = [list(cards) for cards in truth.taken]
        after.apply(word)
        total += count(after, depth - 1)
    return total


@given(games(), st.integers(0, 42), st.integers(1, 9))
def test_perft(game: Game, moment: int, depth: int) -> None:
    depth = min(depth, 2 if moment < 20 else 3 if moment < 28 else 9)
    assert game.positions[moment].perft(depth) == count(game.truth(moment), depth)


def test_perft_needs_known_cards() -> None:
    position = CiapanoPosition.deal_random(RULES.table, 2, [0, 0, 0], 0, 1)
    assert position.view(0).perft(1) == 14
    assert position.view(0).perft(2) == -1
    assert position.view(1).perft(1) == -1
    stop = Stop()
    stop.set()
    assert position.perft(9, stop) == -3
    for depth in (0, 64):
        with pytest.raises(ValueError, match="depth"):
            position.perft(depth)


def random_play_value(position: CiapanoPosition) -> list[float]:
    """Each seat's expected points if all play each legal card with the same chance."""
    if position.phase == "done":
        return [float(p) for p in position.points()]
    values = [random_play_value(position.after(code)) for code in position.legal()]
    return [sum(column) / len(values) for column in zip(*values, strict=True)]


@pytest.mark.parametrize("seed", range(12))
def test_playouts_are_uniform(seed: int) -> None:
    """From near the end, their mean is that of play by equal chances, worked out exactly."""
    game = game_of(seed)
    position = game.positions[42 - 9 - seed % 3]
    n = 40_000
    played, sums = position.playouts(n, seed)
    assert played == n * (9 + seed % 3)
    for total, expected in zip(sums, random_play_value(position), strict=True):
        assert abs(total / n - expected) < 5 * 11 / n ** 0.5


def test_playouts_from_the_deal_and_at_the_end() -> None:
    game = game_of(3)
    played, sums = game.positions[0].playouts(2000, 1)
    assert played == 2000 * 42
    # What the seats score is 35 thirds less what is lost in rounding down.
    assert 2000 * 9 < sum(sums) < 2000 * 35 / 3
    assert game.positions[-1].playouts(7, 1) == (0, [7 * p for p in game.positions[-1].points()])
    with pytest.raises(ValueError, match="view"):
        game.positions[0].view(0).playouts(1, 1)


def test_random_games() -> None:
    n = 30_000
    played, points, squares, difference = RULES.table.random_games(n, 1)
    assert played == 42 * n
    # Each seat has each place as often, so the first takes a third of all.
    assert 3.3 < points / n < 3.8
    assert abs(difference) < 5 * squares ** 0.5
    assert RULES.table.random_games(n, 1) == (played, points, squares, difference)


@given(games(), st.integers(0, 41))
def test_names_of_cards(game: Game, moment: int) -> None:
    """Codes, texts and decoded parts say the same."""
    for code in game.positions[moment].legal():
        kind, card, cards, value = decode(code)
        assert card is not None
        assert (cards, value) == (0, 0)
        assert action_text(code) == (">" if kind == "give" else "") + card_name(card)
        assert parse_action(action_text(code).lower()) == code
