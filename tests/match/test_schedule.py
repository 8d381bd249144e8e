"""Schedules: every deal in every seating, and the same again for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest

from cirulla_ai.rules import Rules
from cirulla_ai.tournament.contender import ContenderError, parse_contender
from cirulla_ai.tournament.schedule import Schedule, ScheduleError


def schedule(rules: str, contenders: int, deals: int = 3, form: str = "round-robin") -> Schedule:
    return Schedule(Rules.parse(rules), contenders, deals, 1, form)


def test_two_sides_play_each_deal_both_ways() -> None:
    assert [deal.seatings for deal in schedule("cirulla", 2)] == [((0, 1), (1, 0))] * 3


def test_a_pair_is_one_engine() -> None:
    deal = next(iter(schedule("scopone", 2)))
    assert deal.seatings == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_three_engines_at_three_seats_rotate() -> None:
    deal = next(iter(schedule("cirulla players=3", 3)))
    assert sorted(deal.seatings) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_two_engines_at_three_seats_sit_everywhere_equally_often() -> None:
    deal = next(iter(schedule("cirulla players=3", 2)))
    seats = Counter((seat, who) for row in deal.seatings for seat, who in enumerate(row))
    assert set(seats.values()) == {3}
    assert len(deal.seatings) == len(set(deal.seatings)) == 6


def test_round_robin_and_gauntlet() -> None:
    everyone = schedule("cirulla", 4)
    assert sorted(everyone.lineups) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert schedule("cirulla", 4, form="gauntlet").lineups == [(0, 1), (0, 2), (0, 3)]
    assert [deal.index for deal in everyone] == list(range(len(everyone)))


def test_all_lineups_play_the_same_deals_and_more_deals_only_add() -> None:
    few, many = list(schedule("cirulla", 3, 2)), list(schedule("cirulla", 3, 5))
    assert many[:len(few)] == few
    assert len({deal.seed for deal in few}) == 2
    assert len({deal.seed for deal in many}) == 5


@pytest.mark.parametrize(("contenders", "deals", "form"), [(1, 3, "round-robin"),
                                                           (2, 0, "round-robin"), (2, 1, "swiss")])
def test_what_can_not_be_played_is_refused(contenders: int, deals: int, form: str) -> None:
    with pytest.raises(ScheduleError):
        schedule("cirulla", contenders, deals, form)


def test_a_contender_is_read() -> None:
    c = parse_contender(
        "name=A,cmd='./engine --log \"a b,c\"',option.Hash=16,option.Skill Level=3,movetime=50",
        {"movetime": 20, "margin": 7})
    assert c.name == "A"
    assert c.cmd == ("./engine", "--log", "a b,c")
    assert dict(c.options) == {"Hash": "16", "Skill Level": "3"}
    assert (c.clock.movetime, c.clock.margin) == (50, 7)


@pytest.mark.parametrize(
    ("text", "names"),
    [("name=A", "cmd=COMMAND"), ("player=grady", "grady"), ("name=A,player=greedy,x=1", "x"),
     ("player=greedy,option.Hash=1", "no options"), ("player=engine,option.Hahs=1", "Hahs"),
     ("player=engine,option.Threads=0", "Threads"), ("player=greedy,movetime=0", "movetime"),
     ("greedy", "greedy"), ("player=greedy,player=random", "twice"),
     ("player=greedy,cmd=x", "either"), ("cmd=' '", "cmd is empty"),
     ("cmd='a \"b',nodes=5", "No closing quotation"), ("cmd=x", "never end"),
     ("cmd=x,nodes=0.5", "nodes=0.5 is not a whole number"),
     ("cmd=x,inc=10", "never end")])
def test_a_bad_contender_is_refused_by_name(text: str, names: str) -> None:
    with pytest.raises(ContenderError, match=names) as info:
        parse_contender(text, {})
    assert f"--engine {text}: " in str(info.value)
