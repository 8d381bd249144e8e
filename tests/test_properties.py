"""What must hold in every game of every preset and under any options.

The reference next to this file plays the same games from the rules' text; the rest is
what must be true of a state by itself.
"""

from __future__ import annotations

import pickle
from dataclasses import asdict
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from support import reference
from support.strategies import (
    PRESETS,
    SEEDS,
    Game,
    claiming_games,
    dealing_rules,
    games,
    options_of,
    packs_with_tables,
    play_on,
    positions,
    rule_sets,
    rules,
    rules_of,
    scoring_rules,
    states,
)

from cirulla_ai import (
    Action,
    ActionError,
    MisdealError,
    Points,
    Rules,
    RulesError,
    State,
    StateError,
)

# Parametrised by preset, a test runs fifteen times: a share of the examples for each.
FEW = max(settings().max_examples // 10, 1)

# The largest table for which trying all sets of its cards takes no time.
SMALL = 12


def fields(state: State) -> reference.Fields:
    """The state as the reference holds it."""
    return reference.read(str(state))


def texts(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in state.legal_actions()]


# --- games against the reference ------------------------------------------------------

def check_game(game: Game) -> None:
    """Legal actions, what they do, and the points after each, by the reference."""
    note(repr(game))
    options = options_of(game.rules)
    for i, state in enumerate(game.states):
        f = fields(state)
        if len(f.table) <= SMALL:
            assert texts(state) == reference.legal(options, f)
        assert state.position.count_legal() == len(state.legal_actions())
        assert [asdict(p) for p in state.points()] == [
            asdict(items) for items in reference.items(options, f)]
        if i < len(game.actions):
            after = reference.apply(options, f, str(game.actions[i]))
            assert fields(game.states[i + 1]) == after
    assert game.states[-1].is_over


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=FEW)
@given(data=st.data())
def test_games_of_a_preset(preset: str, data: st.DataObject) -> None:
    check_game(data.draw(games(st.just(rules_of(f"rules={preset}")))))


@given(games(rule_sets()))
def test_games_under_any_options(game: Game) -> None:
    check_game(game)


@settings(max_examples=FEW * 15)
@given(claiming_games())
def test_games_with_many_claims(game: Game) -> None:
    check_game(game)


@settings(max_examples=FEW * 20)
@given(positions(st.one_of(rules(), scoring_rules())), SEEDS)
def test_games_from_any_position(state: State, seed: int) -> None:
    """Also from where play would seldom come to: large tables, nearly all the diamonds."""
    check_game(play_on(state, Random(seed)))


@given(st.one_of(rules(), dealing_rules()), st.data())
def test_deals(rules: Rules, data: st.DataObject) -> None:
    dealer = data.draw(st.integers(0, rules.players - 1))
    scores = data.draw(st.lists(st.integers(0, 60), min_size=rules.sides, max_size=rules.sides))
    misdeals = data.draw(st.integers(0, 9))
    random = Random(data.draw(SEEDS))
    for _ in range(20):
        pack = packs_with_tables(rules, dealer, random)
        outcome, f = reference.deal(options_of(rules), dealer, scores, misdeals, pack)
        note(f"{rules} dealer={dealer} misdeals={misdeals} pack={''.join(pack)}: {outcome}")
        try:
            state = State.deal(rules, dealer=dealer, scores=scores, misdeals=misdeals, pack=pack)
        except MisdealError:
            assert outcome == "misdeal"
        else:
            assert fields(state) == f
            assert state.is_over == (outcome in ("win", "loss"))


@given(rules(), SEEDS)
def test_a_seed_deals_what_some_pack_deals(rules: Rules, seed: int) -> None:
    """A seed never gives a misdeal; it counts those before."""
    state = State.deal(rules, seed=seed)
    assert State.deal(rules, seed=seed) == state
    f = fields(state)
    if f.last is None:
        pack = _deal_order(rules, f)
        outcome, g = reference.deal(options_of(rules), f.dealer, f.scores, f.misdeals, pack)
        assert outcome in ("play", "win", "loss")
        assert g == f


def _deal_order(rules: Rules, f: reference.Fields) -> list[str]:
    """The pack that gives this state: hands hold no order, so theirs is made up."""
    order = [(f.dealer + 1 + k) % rules.players for k in range(rules.players)]
    dealt = [f.hands[seat][k] for k in range(rules.rounds[0]) for seat in order]
    return [*dealt, *f.table, *f.stock]


# --- a state by itself ----------------------------------------------------------------

@given(games())
def test_forty_cards(game: Game) -> None:
    """No action loses or doubles a card."""
    for state in game.states:
        f = fields(state)
        cards = [*chain(*f.hands), *f.table, *chain(*f.taken), *f.stock]
        assert sorted(cards) == sorted(reference.DECK)


@given(games())
def test_scores_within_bounds(game: Game) -> None:
    """No more points than there are, one winner of each contest at the most."""
    rules = game.rules
    options = options_of(rules)
    for state in game.states:
        points = state.points()
        for name in ("cards", "diamonds", "settebello", "primiera"):
            scored = [getattr(p, name) for p in points]
            worth = options[f"points_{name}"]
            assert sorted(scored)[:-1] == [0] * (rules.sides - 1)
            assert max(scored) in (0, worth)
        for p in points:
            assert isinstance(p, Points)
            assert 0 <= p.piccola <= 10
            assert 0 <= p.grande <= 32
            assert 0 <= p.cappotto <= 50
            assert p.total == sum(asdict(p).values())
        assert list(state.match_scores()) == [
            before + p.total for before, p in zip(state.scores, points, strict=True)]
    scopas = [sum(p.scopa for p in Points.of(state.position)) for state in game.states]
    assert scopas == sorted(scopas), "a scopa or claim once scored stays"


@given(games())
def test_actions_leave_the_state_before_as_it_was(game: Game) -> None:
    before = [str(state) for state in game.states]
    for state, text in zip(game.states, before, strict=True):
        for action in state.legal_actions():
            state.apply(action)
        for seat in range(game.rules.players):
            state.view(seat)
        # The text is kept once it is made; a copy has to make it anew.
        assert str(state.copy()) == text


@given(states(), st.integers(0, 3))
def test_text_round_trip(state: State, seat: int) -> None:
    for s in (state, state.view(seat % state.rules.players)):
        again = State.parse(str(s))
        assert again == s
        assert hash(again) == hash(s)
        assert str(again) == str(s)
        assert again.rules == s.rules
        assert pickle.loads(pickle.dumps(s)) == s


@given(positions(), st.integers(0, 3))
def test_text_round_trip_of_any_position(state: State, seat: int) -> None:
    view = state.view(seat % state.rules.players)
    assert State.parse(str(view)) == view


@given(positions(), SEEDS)
def test_text_round_trip_of_an_end(state: State, seed: int) -> None:
    """Also where a cappotto left cards in hands, which the views don't know."""
    end = play_on(state, Random(seed)).states[-1]
    assert State.parse(str(end)) == end
    for seat in range(end.rules.players):
        assert State.parse(str(end.view(seat))) == end.view(seat)


@given(states(), st.randoms(use_true_random=False))
def test_a_state_is_read_in_any_spelling(state: State, random: Random) -> None:
    """Tokens in any order, cards in any order and letter case."""
    def loose(token: str) -> str:
        key, _, value = token.partition("=")
        if key not in ("hands", "shown", "table", "taken", "stock"):
            return token
        groups = []
        for group in value.split("/"):
            known, mark, unknown = group.partition("?")
            cards = reference.cards_of(known)
            if key != "stock":
                random.shuffle(cards)
            groups.append("".join(map(str.lower, cards)) + mark + unknown or "-")
        return f"{key}={'/'.join(groups)}"

    for s in (state, state.view(0)):
        tokens = [loose(token) for token in str(s).split()]
        random.shuffle(tokens)
        note("  ".join(tokens))
        assert State.parse("  ".join(tokens)) == s


@given(games())
def test_equality(game: Game) -> None:
    """Equal contents are equal states; an action always makes a difference."""
    seen: set[State] = set()
    for state in game.states:
        assert state not in seen
        seen.add(state)
        assert state == state.copy()
        assert state != str(state)
        assert hash(state) == hash(state.copy())
    assert len(seen) == len(game.states)


# --- actions --------------------------------------------------------------------------

def loose_action(text: str, random: Random) -> str:
    """Another spelling of the same action."""
    head, mark, cards = text.partition("x")
    if text.startswith("!"):
        head, mark, cards = "", "!", text[1:]
    cards, equals, declared = cards.partition("=")
    shuffled = reference.cards_of(cards)
    random.shuffle(shuffled)
    out = head + mark + "".join(shuffled) + equals + declared
    return "".join(random.choice((c.lower(), c.upper())) for c in out)


@given(states(), st.randoms(use_true_random=False))
def test_actions_round_trip_in_any_spelling(state: State, random: Random) -> None:
    for action in state.legal_actions():
        assert Action(str(action)) == action
        assert pickle.loads(pickle.dumps(action)) == action
        loose = Action(loose_action(str(action), random))
        assert (loose, hash(loose), str(loose)) == (action, hash(action), str(action))
        assert state.apply(str(loose)) == state.apply(action)


def other_actions(state: State, random: Random) -> set[str]:
    """Readable actions of all kinds, most of them illegal here."""
    deck, table = reference.DECK, list(state.table)
    hand = list(state.hands[state.turn or 0])
    out = {"pass"}
    for _ in range(20):
        card = random.choice(hand or deck) if random.random() < 0.8 else random.choice(deck)
        pool = table if table and random.random() < 0.8 else deck
        cards = set(random.sample(pool, random.randint(0, min(4, len(pool))))) - {card}
        out.add(f"{card}x{reference.joined(cards)}" if cards else card)
        three = random.sample(hand if len(hand) >= 3 else deck, 3)
        out.add(f"!{reference.joined(three)}" + random.choice(("", "=1", "=5", "=10")))
    return out


@given(states(), st.randoms(use_true_random=False))
def test_just_the_legal_actions_are_accepted(state: State, random: Random) -> None:
    legal = set(texts(state))
    for text in legal:
        state.apply(text)
    for text in other_actions(state, random) - legal:
        with pytest.raises(ActionError) as refused:
            state.apply(text)
        assert text in str(refused.value)


@given(states())
def test_perft_counts_what_apply_gives(state: State) -> None:
    legal = state.legal_actions()
    assert state.perft(1) == dict.fromkeys(legal, 1)
    assert state.perft(2) == {a: len(state.apply(a).legal_actions()) for a in legal}


# --- views ----------------------------------------------------------------------------

@given(games())
def test_views_hide_what_they_should(game: Game) -> None:
    """Own hand, shown cards, table and taken cards are known, all else is counted."""
    for state in game.states:
        f = fields(state)
        for seat in range(game.rules.players):
            view = state.view(seat)
            assert fields(view) == reference.view(f, seat)
            assert view.viewer == seat
            assert view.view(seat) is view
            hidden = [len(hand) for hand in state.hands]
            known = [len(cards) for cards in view.hands]
            assert [h - k for h, k in zip(hidden, known, strict=True)] == list(view.unknown)


@given(games(), st.integers(0, 3))
def test_views_follow_the_game(game: Game, seat: int) -> None:
    """A view that is told what the seat sees stays the view of the truth."""
    seat %= game.rules.players
    note(repr(game))
    view = game.states[0].view(seat)
    for action, after in zip(game.actions, game.states[1:], strict=True):
        view = view.apply(action)
        if view.phase == "deal":
            assert view.turn == (view.dealer + 1) % game.rules.players
            assert view.legal_actions() == []
            view = view.deal_round(after.hands[seat])
        assert view == after.view(seat)
        if view.turn in (seat, None):
            assert view.legal_actions() == after.legal_actions()
        else:
            with pytest.raises(ValueError, match=f"seat {after.turn} is to move"):
                view.legal_actions()


@given(games(), st.integers(0, 3), st.data())
def test_views_refuse_what_cannot_have_been(game: Game, seat: int, data: st.DataObject) -> None:
    """Another seat can't play a card that the viewer holds or sees elsewhere."""
    seat %= game.rules.players
    state = data.draw(st.sampled_from(game.states))
    if state.phase != "play" or state.turn == seat:
        return
    f = fields(state)
    assert f.turn is not None
    view = state.view(seat)
    seen = {*f.hands[seat], *f.table, *chain(*f.taken)}
    if f.shown[f.turn] and state.rules["claim_play"] == "first":
        seen |= set(f.hands[f.turn]) - set(f.shown[f.turn])
    for card in seen:
        with pytest.raises(ActionError, match=card):
            view.apply(card)


# --- large tables ---------------------------------------------------------------------

@given(positions(
    rule_sets().map(lambda rules: rules_of(f"{rules} must_capture=no")
                    if "must_capture" not in str(rules) else rules),
    min_table=10, max_table=13))
@settings(max_examples=max(FEW * 3, 1))
def test_large_tables(state: State) -> None:
    """Ten cards and more, where cards that could capture may be left lying."""
    note(str(state))
    options = options_of(state.rules)
    assert texts(state) == reference.legal(options, fields(state))
    assert state.position.count_legal() == len(state.legal_actions())
    assert state.perft(1) == dict.fromkeys(state.legal_actions(), 1)


@given(SEEDS)
@settings(max_examples=FEW)
def test_tables_that_only_grow(seed: int) -> None:
    """If nobody captures, all forty cards come to lie on the table, and stay there."""
    random = Random(seed)
    state = State.deal(rules_of("rules=cirulla must_capture=no bonus_15=0 bonus_30=0"), seed=seed)
    while not state.is_over:
        state = state.apply(random.choice([a for a in state.legal_actions() if a.kind == "play"
                                           and not a.cards]))
        # The count alone: near the end there are tens of thousands of captures.
        if len(state.table) <= 20:
            assert state.position.count_legal() == len(state.legal_actions())
    assert len(state.table) == 40
    assert all(points.total == 0 for points in state.points())


@given(SEEDS)
@settings(max_examples=FEW)
def test_random_play_ends(seed: int) -> None:
    """Games of one preset from one seed are the same twice."""
    rules = rules_of("rules=cirulla")
    first = play_on(State.deal(rules, seed=seed), Random(seed))
    second = play_on(State.deal(rules, seed=seed), Random(seed))
    assert first.states == second.states


# --- damaged input --------------------------------------------------------------------

def damaged(text: str, random: Random) -> str:
    """A state string with one or two things changed; it may still be good."""
    tokens = text.split()
    for _ in range(random.randint(1, 2)):
        i, j = random.randrange(len(tokens)), random.randrange(len(tokens))
        key, _, word = tokens[i].partition("=")
        place = random.randrange(len(tokens[i]))
        tokens[i] = random.choice((
            f"{key}={tokens[j].partition('=')[2]}",
            f"{key}={random.randint(-2, 12)}", f"{key}=-", f"{key}=?{random.randint(0, 9)}",
            f"{key}={random.choice(reference.DECK)}{word}", f"{key}={word[2:]}",
            f"{key}={word}/{word}", f"{tokens[i]} {tokens[j]}",
            tokens[i][:place] + random.choice("?/-=HA7 ٣") + tokens[i][place + 1:],
            tokens[i][:place] + tokens[i][place + 1:], "phase=done", "phase=claim", "turn=-",
        ))
    return " ".join(tokens)


@settings(max_examples=FEW * 25)
@given(st.one_of(states(), positions()), st.booleans(), SEEDS)
def test_damaged_states_are_refused_or_sound(state: State, hide: bool, seed: int) -> None:
    """Refused with a ValueError; or else read, written, and played to the end like any."""
    random = Random(seed)
    text = damaged(str(state.view(0) if hide else state), random)
    note(text)
    try:
        again = State.parse(text)
    except (StateError, RulesError):
        return
    assert State.parse(str(again)) == again
    f = fields(again)
    cards = [*chain(*f.hands), *f.table, *chain(*f.taken), *f.stock]
    unknown = sum(f.unknown) + (f.stock_count if f.viewer is not None else 0)
    assert len(set(cards)) == len(cards) == 40 - unknown
    if again.viewer is None:
        assert play_on(again, random).states[-1].is_over


@given(st.text(st.sampled_from("A2347JQKHDCSxX!=pas10?-/@> "), max_size=12))
def test_any_text_is_an_action_or_is_refused(text: str) -> None:
    try:
        action = Action(text)
    except ActionError:
        return
    assert Action(str(action)) == action
    assert len(str(action)) == len(text)


@given(st.text(max_size=40), st.booleans())
def test_any_text_is_rules_or_is_refused(text: str, prefixed: bool) -> None:
    try:
        made = Rules.parse(f"rules=cirulla {text}" if prefixed else text)
    except RulesError:
        return
    assert Rules.parse(str(made)) == made


@given(games(), st.data())
def test_possible_actions_are_those_that_can_be_seen(game: Game, data: st.DataObject) -> None:
    """By trying every play of a card with every set on the table, and every claim with it."""
    if not game.actions:
        return
    number = data.draw(st.integers(0, len(game.actions) - 1))
    truth, action = game.states[number], game.actions[number]
    for seat in range(game.rules.players):
        view = truth.view(seat)
        held = [card for card in (action.card,) if card] or list(action.cards)
        possible = view.possible_actions(held)
        assert action in possible
        assert possible == sorted(set(possible))
        if seat == truth.turn:
            assert possible == view.legal_actions()
            continue
        for other in possible:
            view.check(other)
        if action.card and len(truth.table) <= 8:
            sets = chain.from_iterable(combinations(truth.table, n)
                                       for n in range(len(truth.table) + 1))
            tried = [Action(action.card + ("x" + "".join(cards)) * bool(cards)) for cards in sets]
            assert [one for one in possible if one.card == action.card] == sorted(
                one for one in tried if is_taken(view, one))


def is_taken(view: State, action: Action) -> bool:
    try:
        view.check(action)
    except ActionError:
        return False
    return True
