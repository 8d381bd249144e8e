"""Matches: scores over smazzate, the winner, the dealer's rotation (rules, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.handmade import finished, pack

from cirulla_ai import Match, MisdealError, Rules, State, StateError
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.match import MOST_SMAZZATE


def over(match: Match, *scopas: int) -> State:
    """This match's next smazzata, finished, with these points by scopas alone.

    Every side has an equal share of the rest, so that nothing else scores: one card each,
    no diamond.
    """
    taken = ("2H", "2C", "2S")[:len(scopas)]
    return finished(
        *taken, rules=" ".join(match.rules.tokens()).removeprefix("rules="),
        dealer=match.dealer, scopa="/".join(map(str, scopas)),
        scores="/".join(map(str, match.scores)))


def played(rules: str, *smazzate: tuple[int, ...], scores: Sequence[int] | None = None) -> Match:
    """A match after these smazzate."""
    match = Match(rules, scores=scores)
    for scopas in smazzate:
        match.record(over(match, *scopas))
    return match


# --- the score ------------------------------------------------------------------------

def test_scores_add_up() -> None:
    match = played("cirulla", (3, 8), (10, 1))
    assert (match.scores, match.smazzate, match.winner) == ((13, 9), 2, None)


def test_the_target_wins() -> None:
    assert played("cirulla", (50, 8)).winner is None
    assert played("cirulla", (50, 8), (1, 0)).winner == 0
    assert played("cirulla", (3, 51)).winner == 1


def test_a_smazzata_is_played_to_its_end() -> None:
    """The first to come to the target in it has not won: the most points win."""
    match = played("cirulla", (45, 40), (8, 14))
    assert (match.scores, match.winner) == ((53, 54), 1)


def test_a_shared_most_plays_another_smazzata() -> None:
    match = played("cirulla", (50, 50), (5, 5))
    assert (match.scores, match.winner) == ((55, 55), None)
    match.record(over(match, 0, 1))
    assert (match.scores, match.winner) == ((55, 56), 1)


def test_a_tie_among_the_two_best_of_three() -> None:
    assert played("cirulla players=3", (51, 20, 51)).winner is None
    match = played("cirulla players=3", (51, 20, 51), (0, 60, 1))
    assert (match.scores, match.winner) == ((51, 80, 52), 1), "the third may overtake them"


def test_a_tie_below_the_best_is_none() -> None:
    assert played("cirulla players=3", (20, 51, 20)).winner == 1


@pytest.mark.parametrize(
    ("rules", "target"),
    [("cirulla target=26", 26), ("cirullone", 101), ("scopa", 11), ("scopone", 21),
     ("cirulla target=1", 1)],
)
def test_targets(rules: str, target: int) -> None:
    assert played(rules, (target - 1, 0)).winner is None
    assert played(rules, (target, 0)).winner == 0


def test_scores_before_the_match_count() -> None:
    match = played("cirulla", (5, 1), scores=(40, 50))
    assert (match.scores, match.winner) == ((45, 51), 1)


def test_a_match_that_is_won_already_is_refused() -> None:
    with pytest.raises(ValueError, match="60"):
        Match("cirulla", scores=(60, 0))
    with pytest.raises(ValueError, match="51"):
        Match("cirulla players=3", scores=(20, 51, 50))


def test_a_match_that_is_shared_above_the_target_goes_on() -> None:
    """As it does after a smazzata that leaves the most points shared."""
    match = played("cirulla", (0, 1), scores=(55, 55))
    assert (match.scores, match.winner) == ((55, 56), 1)


# --- decided otherwise ----------------------------------------------------------------

def test_a_cappotto_wins_whatever_the_scores() -> None:
    match = Match("cirulla", scores=(0, 50))
    diamonds = "".join(rank + "D" for rank in "A234567JQK")
    match.record(finished(diamonds, "2H", won=0, scores="0/50", scopa="0/9"))
    assert match.winner == 0
    assert match.scores[1] > match.scores[0]


def test_the_first_table_can_win_a_match() -> None:
    rules = "cirulla table_four=natural"
    match = Match(rules, scores=(50, 0))
    match.record(match.deal(pack=pack("5H5D5C5S", rules=rules)))
    assert (match.winner, match.smazzate) == (1, 1), "for the dealer's side"


# --- the deal -------------------------------------------------------------------------

@pytest.mark.parametrize(("rules", "players"), [("cirulla", 2), ("cirulla players=3", 3),
                                                ("cirulla-luzzati", 4)])
def test_the_deal_passes_to_the_next_seat(rules: str, players: int) -> None:
    match = Match(rules)
    sides = match.rules.sides
    dealers = []
    for _ in range(players + 1):
        dealers.append(match.dealer)
        match.record(over(match, *([1] * sides)))
    assert dealers == [players - 1, *range(players)]


def test_who_deals_first_can_be_said() -> None:
    match = Match("cirullone", dealer=1)
    assert (match.dealer, match.deal(seed=1).dealer, match.deal(seed=1).turn) == (1, 1, 2)


def test_the_deal_carries_the_scores() -> None:
    match = played("cirulla", (3, 8))
    state = match.deal(seed=1)
    assert (state.scores, state.dealer) == ((3, 8), 0)


def test_a_seed_makes_a_match_again() -> None:
    def games(match: Match) -> list[str]:
        out = []
        while match.winner is None:
            state = match.deal()
            out.append(str(state))
            while not state.is_over:
                state = state.apply(state.legal_actions()[-1])
            match.record(state)
        return [*out, str(match)]

    assert games(Match("scopa", seed=5)) == games(Match("scopa", seed=5))
    assert games(Match("scopa", seed=5)) != games(Match("scopa", seed=6))


def test_each_smazzata_is_another_deal() -> None:
    match = Match("cirulla", seed=5)
    assert match.deal() != match.deal()
    assert match.deal(seed=3) == match.deal(seed=3)


def test_a_pack_that_is_a_misdeal_is_for_the_same_dealer_to_shuffle() -> None:
    match = Match("cirulla")
    with pytest.raises(MisdealError):
        match.deal(pack=pack("AHAD5CKS"))
    assert (match.dealer, match.smazzate) == (1, 0)


# --- what is refused ------------------------------------------------------------------

def test_a_smazzata_in_play_is_not_recorded() -> None:
    match = Match("cirulla")
    with pytest.raises(ValueError, match="not over"):
        match.record(match.deal(seed=1))
    assert (match.scores, match.dealer, match.smazzate) == ((0, 0), 1, 0)


@pytest.mark.parametrize(
    "keys", [{"dealer": 0}, {"scores": "1/0"}, {"rules": "cirulla target=31"}])
def test_another_matchs_smazzata_is_not_recorded(keys: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="dealer=1 scores=0/0"):
        Match("cirulla").record(finished("AH", "AD", **keys))


def test_nothing_counts_after_the_end() -> None:
    match = played("cirulla", (51, 0))
    with pytest.raises(ValueError, match="side 0 has won"):
        match.deal()
    with pytest.raises(ValueError, match="side 0 has won"):
        match.record(over(match, 1, 0))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({"dealer": 2}, "dealer"), ({"scores": (1,)}, "scores"), ({"scores": (0, -1)}, "scores")],
)
def test_a_match_that_cannot_be_is_refused_at_once(
    arguments: dict[str, object], named: str
) -> None:
    with pytest.raises(StateError, match=named):
        Match("cirulla", **arguments)  # type: ignore[arg-type]


def test_within_a_smazzata_nothing_is_decided() -> None:
    with pytest.raises(ValueError, match="not over"):
        State.deal(seed=1, scores=(50, 60)).match_winner()


def test_as_text() -> None:
    match = Match(Rules("cirulla"))
    assert str(match) == "0-0 after 0 smazzate, to 51"
    match = played("cirulla", (3, 8), (50, 1))
    assert str(match) == "53-9 after 2 smazzate, won by side 0"


# --- matches without an end ---------------------------------------------------------------

# Nothing can be taken, so that nobody ever makes a point.
POINTLESS = "scopa capture_equal=no capture_sum=no"


def played_on(match: Match) -> Match:
    """The match, played to its end as a loop over ``is_over`` does."""
    while not match.is_over:
        state = match.deal()
        while not state.is_over:
            state = state.apply(state.legal_actions()[0])
        match.record(state)
    return match


def test_a_match_in_which_nobody_can_score_ends_and_is_shared() -> None:
    match = played_on(Match(POINTLESS, seed=1))
    assert (match.smazzate, match.scores, match.winners, match.winner) == (
        MOST_SMAZZATE, (0, 0), (0, 1), None)
    assert match.is_cut
    assert str(match) == "0-0 after 1000 smazzate, the most, won by sides 0 and 1"
    with pytest.raises(ValueError, match="no more is dealt"):
        match.deal()


@pytest.mark.parametrize(("rules", "points", "winners"), [
    ("cirulla", [(3, 1), (2, 2)], (0,)),
    ("cirulla", [(3, 1), (1, 3)], (0, 1)),
    ("cirulla players=3", [(1, 2, 2), (1, 2, 2)], (1, 2)),
])
def test_after_the_most_smazzate_it_goes_to_who_leads(
    rules: str, points: list[tuple[int, ...]], winners: tuple[int, ...]
) -> None:
    match = Match(rules, most_smazzate=2)
    for smazzata in points:
        assert not match.is_over
        match.record(over(match, *smazzata))
    assert (match.winners, match.is_cut, match.is_over) == (winners, True, True)


def test_where_few_points_are_good_the_fewest_lead() -> None:
    match = played_on(Match("ciapano target=1000", seed=1, most_smazzate=3))
    assert match.is_cut
    assert match.winners == tuple(
        seat for seat, score in enumerate(match.scores) if score == min(match.scores))


def test_who_wins_with_the_last_smazzata_has_won() -> None:
    match = Match("cirulla", scores=(50, 48), most_smazzate=1)
    match.record(over(match, 1, 1))
    assert (match.winners, match.is_cut) == ((0,), False)


@pytest.mark.parametrize("most", [0, -1])
def test_a_match_has_a_smazzata(most: int) -> None:
    with pytest.raises(ValueError, match=f"most_smazzate {most}"):
        Match("cirulla", most_smazzate=most)


@pytest.mark.parametrize(("rules", "can"), [
    *((preset, True) for preset in PRESETS),
    (POINTLESS, False),
    (f"{POINTLESS} points_cards=3 grande=5 cappotto=win", False),
    (f"{POINTLESS} bonus_15=1", True),
    (f"{POINTLESS} bonus_9=1", True),
    (f"{POINTLESS} claim=optional", True),
    (f"{POINTLESS} claim=optional claim_three=0 claim_low=0", False),
    (f"{POINTLESS} table_four=win", True),
    (f"{POINTLESS} misdeal_loss=2", False),
    (f"{POINTLESS} misdeal_loss=2 misdeal_aces=2", True),
    (f"{POINTLESS} capture_15=yes", True),
    (f"{POINTLESS} ace_sweep=always", True),
    # Without a first table there is no bonus for it.
    ("scopone-scientifico capture_equal=no capture_sum=no bonus_15=9", False),
    # Whoever takes can make a scopa, whatever else is worth nothing.
    ("scopa points_cards=0 points_diamonds=0 points_settebello=0 points_primiera=0", True),
])
def test_whether_a_point_can_be_made(rules: str, can: bool) -> None:
    assert Rules.parse(rules).can_score is can
