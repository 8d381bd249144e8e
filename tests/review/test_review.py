"""The page of a review: whole, small, alone, and the same again."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from html import unescape
from random import Random
from typing import Any

import pytest
from support.annotations import annotation, match
from support.pages import Tree

from cirulla_ai.look import LANGUAGES, TERMS, Words
from cirulla_ai.review import ReviewError, review
from cirulla_ai.review.curve import curve_of
from cirulla_ai.review.page import KEYS
from cirulla_ai.review.reading import read_matches
from cirulla_ai.review.texts import REVIEW_TEXTS, ReviewWords

RULES = ("cirulla", "cirulla players=3", "cirulla-coppie", "cirullone", "scopone", "ciapano")
# The whole match to 51 that a page must stay small for.
LONG = 250
BOUND = 400_000


def long_match() -> list[dict[str, Any]]:
    """A match to 51 of about 250 actions, with errors in a fifth of them."""
    return next(found for seed in range(1, 50)
                if (found := list(match(seed=seed)))
                and sum(len(one["decisions"]) for one in found) >= LONG)


# --- what a page is ---------------------------------------------------------------------

@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", RULES)
def test_every_game_makes_a_page_that_is_whole(rules: str, language: str) -> None:
    tree = Tree(review([annotation(rules, 3)], language))
    assert len(tree.ids) == len(set(tree.ids))
    targets = [value[1:] for _, name, value in tree.attributes
               if name == "href" and value.startswith("#")]
    assert set(targets) <= set(tree.ids)
    described = {f"t-{value}" for _, name, value in tree.attributes if name == "data-t"}
    assert described <= set(tree.ids)


def test_a_match_to_51_is_small() -> None:
    page = review(long_match())
    Tree(page)
    assert len(page.encode()) <= BOUND


def test_the_page_asks_nobody_for_anything() -> None:
    page = review(match(seed=2))
    for tag, name, value in Tree(page).attributes:
        assert name not in ("src", "srcset", "action", "formaction", "background", "poster"), tag
        assert not name.startswith("on") and name != "style", (tag, name)
        if name == "href":
            assert value.startswith("#") or (tag, value) == ("link", "data:,")
    assert not re.search(r"https?:|url\(|@import|\bfetch\(|XMLHttpRequest|import\(", page)


def test_nothing_but_its_own_script_and_style_may_run() -> None:
    page = review([annotation(seed=2)])
    policy = next(value for tag, name, value in Tree(page).attributes
                  if name == "content" and value.startswith("default-src"))
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for tag in ("script", "style"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_it_is_the_same_again() -> None:
    made = [review(match(seed=3), "it") for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize("rules", RULES)
def test_without_the_script_everything_is_there(rules: str) -> None:
    found = [annotation(rules, 5)]
    texts = Tree(review(found, "en")).texts
    words = ReviewWords.of("en", read_matches(found)[0].first.rules)
    for number, decision in enumerate(found[0]["decisions"]):
        text = texts[f"d{number}"]
        assert words.short(decision["action"]) in text
        if decision["class"] == "forced":
            assert "forced" in text
            continue
        for one in decision["actions"]:
            assert words.short(one["action"]) in text
            assert words.number(one["points"], 2, signed=True) in text
        if decision["class"] in ("doubtful", "mistake", "blunder"):
            assert "Costs" in text and "Hindsight" in text and "probably held" in text
            if len(decision["why"]) > 1:
                for name, points in decision["why"].items():
                    if round(points, 2):
                        # Where nobody claims, these are sweeps alone.
                        name = "sweeps" if (name, rules) == ("scopa", "scopone") else name
                        assert f"{words(name)} {words.number(points, 2, signed=True)}" in text
    for number in range(len(found[0]["deals"])):
        assert "luck" in texts[f"g{number}"]


def test_only_errors_are_open() -> None:
    found = annotation(seed=4)
    opened = {int(number) for number in re.findall(
        r'<details class="d \w+" id=d(\d+) data-l=[\d.e-]+ open>', review([found]))}
    assert opened == {one["index"] for one in found["decisions"]
                      if one["class"] in ("doubtful", "mistake", "blunder")} != set()


# --- what is in it ----------------------------------------------------------------------

def test_the_dearest_errors_are_told_first_and_in_words() -> None:
    found = annotation(seed=4, names=("A", "B"))
    errors = sorted((one for one in found["decisions"]
                     if one["class"] in ("doubtful", "mistake", "blunder")),
                    key=lambda one: -one["loss"])[:3]
    page = review([found])
    story = page[page.index('class="story"'):page.index('class="curves"')]
    links = re.findall(r'href="#d(\d+)"', story)
    assert links[:3] == [str(one["index"]) for one in errors]
    told = unescape(re.sub("<[^>]+>", "", story))
    first = errors[0]
    assert Words("en").did(first["action"], "AB"[first["seat"]]) in told
    assert Words("en").doing(first["best"]) in told
    assert f"worth {Words('en').points(first['loss'])} more" in told


def test_the_seat_sees_its_own_hand_and_not_the_others() -> None:
    found = annotation(seed=4)
    page = review([found])
    for decision in found["decisions"]:
        if decision["class"] == "forced":
            continue
        hands = re.search(r"hands=(\S+)", decision["state"])
        assert hands
        start = page.index(f"id=d{decision['index']} ")
        scene = page[start:page.index("</table>", start)]
        mine = scene[scene.index("<div class=mine>"):scene.index("<p class=took>")]
        cards = re.findall(r"<i class=[^>]+>(.)(.)", mine)
        own = hands[1].split("/")[decision["seat"]]
        signs = dict(zip("♥♦♣♠", "HDCS", strict=True))
        assert "".join(rank + signs[suit] for rank, suit in cards) == own
        others = scene[scene.index("<div class=seats>"):scene.index("<p class=middle")]
        hidden = hands[1].split("/")[1 - decision["seat"]].partition("?")[2]
        assert re.findall(r"<i class=b>(\d+)</i>", others) == ([hidden] if hidden else [])


def test_smazzate_that_follow_one_another_are_one_match() -> None:
    one = list(match(seed=2))
    assert [len(found.smazzate) for found in read_matches(one)] == [len(one)]
    other = [annotation(seed=8), annotation(seed=9)]
    assert [len(found.smazzate) for found in read_matches([*one, *other])] == [len(one), 1, 1]
    page = review([*one, *other])
    assert page.count('<article class="match">') == 3
    Tree(page)


@pytest.mark.parametrize("rules", ["cirulla", "cirulla players=3", "ciapano", "scopone"])
def test_the_curve_goes_from_the_start_to_the_result(rules: str) -> None:
    found = list(match(rules, 1))
    (made,) = read_matches(found)
    fewest = rules == "ciapano"
    for side in range(made.first.rules.sides):
        curve = curve_of(made, side, False)
        totals = [sum(one["points"][other] for one in found) for other in range(len(made.scores))]
        lead = totals[side] - (sum(totals) - totals[side]) / (len(totals) - 1)
        assert curve.steps[-1].after == pytest.approx(-lead if fewest else lead)
        assert curve.steps[0].before == pytest.approx(found[0]["sides"][side]["start"])
        moved = sum(step.after - step.before for step in curve.steps)
        expected = sum(one["sides"][side]["luck"] + one["sides"][side]["skill"] for one in found)
        assert moved == pytest.approx(expected, abs=0.01)


def test_luck_and_errors_are_steps_of_their_size() -> None:
    found = annotation(seed=4)
    (made,) = read_matches([found])
    steps = curve_of(made, 0, False).steps
    deals = iter(found["deals"])
    decisions = iter(found["decisions"])
    seen_round = 0
    for step in steps[:-1]:
        moved = step.after - step.before
        if type(step.of).__name__ == "Deal":
            deal = next(deals)
            seen_round = deal["round"]
            assert moved == pytest.approx(deal["luck"][0])
        else:
            decision = next(decisions)
            assert decision["round"] == seen_round
            sign = -1 if decision["seat"] == 0 else 1
            assert moved == pytest.approx(sign * decision["loss"])
    assert next(deals, None) is next(decisions, None) is None


# --- records as they are ----------------------------------------------------------------

def blank(found: dict[str, Any], *names: str) -> dict[str, Any]:
    """What is not known of the sides is null."""
    for side in found["sides"]:
        side.update(dict.fromkeys(names))
    return found


def test_one_seats_record_leaves_out_what_is_not_known() -> None:
    found = blank(annotation(seed=3, viewer=1), "start", "luck", "skill", "rest", "match")
    found["deals"] = []
    page = review([found])
    texts = Tree(page).texts
    assert 'class="curves"' not in page and "Hindsight:" not in page
    for number, decision in enumerate(found["decisions"]):
        assert ("not judged" in texts[f"d{number}"]) == ("class" not in decision)


def test_an_unfinished_record_has_a_curve_as_far_as_it_goes() -> None:
    found = blank(annotation(seed=3, most=11), "rest", "adjusted", "match")
    page = review([found])
    Tree(page)
    assert "unfinished" in page and 'class="curves"' in page
    assert "Chance: " not in page
    (made,) = read_matches([found])
    side = made.first.sides[0]
    assert side.start is not None and side.luck is not None and side.skill is not None
    assert curve_of(made, 0, False).steps[-1].after == pytest.approx(
        side.start + side.luck + side.skill)


def test_a_seat_without_a_name_has_a_number() -> None:
    texts = Tree(review([annotation(seed=3, names=("", "B"))])).texts
    assert "Player 1" in texts["d0"] + texts["d1"]


WICKED = ("</script><img src=x onerror=alert(1)>", "\"><b id=d0>'&amp;\0")


@pytest.mark.parametrize("anonymous", [False, True])
def test_names_do_no_harm(anonymous: bool) -> None:
    page = review([annotation(seed=4, names=WICKED)], anonymous=anonymous)
    tree = Tree(page)
    assert len(tree.ids) == len(set(tree.ids))
    assert not any(tag == "img" or name == "onerror" for tag, name, _ in tree.attributes)
    assert page.count("</script>") == 1


def test_names_that_are_to_stay_unknown_are_nowhere() -> None:
    page = review(match(seed=2, names=("Xanthippe", "Yorick")), "it", anonymous=True)
    assert "Xanthippe" not in page and "Yorick" not in page
    assert "Giocatore 1" in page and "Giocatore 2" in page


def test_keys_that_nobody_knows_are_passed_over() -> None:
    found = annotation(seed=4)
    page = review([found])
    found["new"] = {"key": 1}
    found["decisions"][0]["new"] = [1]
    assert review([found]) == page


@pytest.mark.parametrize(("path", "value", "said"), [
    (("kind",), "analysis", "record 1: kind: annotation is needed"),
    (("rules",), "whist", "record 1: rules: "),
    (("points",), [1], "record 1: points: a list of 2 is needed"),
    (("points",), None, "record 1: points: a list of 2 is needed"),
    (("decisions", 0, "seat"), 7, "record 1: decisions[0]: seat: a whole number from 0 to 1"),
    (("decisions", 0, "loss"), "much", "record 1: decisions[0]: loss: a number is needed"),
    (("decisions", 0, "loss"), float("nan"), "record 1: decisions[0]: loss: a number is needed"),
    (("decisions", 0, "class"), "good", "record 1: decisions[0]: class: one of best, "),
    (("decisions", 0, "state"), "rules=cirulla", "record 1: decisions[0]: state: dealer: "),
    (("decisions", 0, "action"), "8H", "record 1: decisions[0]: action: "),
    (("deals", 0, "luck"), [1, "x"], "record 1: deals[0]: luck: 1: a number is needed"),
    (("sides",), [], "record 1: sides: a list of 2 is needed"),
    (("sides", 0), 5, "record 1: sides[0]: an object is needed"),
])
def test_what_is_no_annotation_is_refused_by_its_key(
    path: tuple[Any, ...], value: Any, said: str,
) -> None:
    found: Any = annotation(seed=4)
    assert found["decisions"][0]["class"] != "forced"
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ReviewError) as info:
        review([found])
    assert str(info.value).startswith(said)


def places(found: Any) -> Iterator[tuple[Any, Any]]:
    """Every object or list within one, with each of its keys or indices."""
    for key, inner in list(found.items() if isinstance(found, dict) else enumerate(found)):
        yield found, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


SPOILT: tuple[Any, ...] = (
    None, True, -1, 0, 10**40, 1e300, float("inf"), "", "x", "7H", ">?", "@3C", [], [1], {},
    {"8H": 1}, "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0", "</script>")


@pytest.mark.parametrize("rules", ["cirulla", "ciapano", "cirulla-coppie"])
def test_what_was_spoilt_makes_a_page_or_is_refused(rules: str) -> None:
    whole = annotation(rules, 6, most=8)
    random = Random(5)
    refused = []
    for _ in range(200):
        found = deepcopy(whole)
        for _ in range(random.choice((1, 1, 2, 3))):
            inside, key = random.choice(list(places(found)))
            if isinstance(inside, dict) and random.random() < 0.2:
                inside.pop(key)
            else:
                inside[key] = random.choice(SPOILT)
        try:
            Tree(review([found]))
        except ReviewError as error:
            refused.append(str(error))
    assert 0 < len(refused) < 200
    assert all(said.startswith("record 1: ") for said in refused)


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(ReviewError, match="at least one record is needed"):
        review([])


# --- words ------------------------------------------------------------------------------

def test_the_reviews_words_are_there_in_both_languages() -> None:
    for key, texts in REVIEW_TEXTS.items():
        assert len(texts) == len(LANGUAGES) and all(texts), key
        fields = [set(re.findall(r"\{(\w+)\}", text)) for text in texts]
        assert fields[0] == fields[1], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_that_are_explained_are_explained_where_they_stand(language: str) -> None:
    texts = Tree(review([annotation(seed=4)], language)).texts
    for key in TERMS:
        if key != "few_points":
            assert texts[f"t-{key}"] == Words(language).term(key)[1]


def test_the_help_names_the_keys_that_the_script_knows() -> None:
    page = review([annotation(seed=4)])
    (block,) = re.findall(r"const keys = \{(.*?)\};", page, re.S)
    known = set(re.findall(r'(?:^|[,{\s])"?([a-z+?-])"?: \(\) =>', block))
    told = {key for keys, _ in KEYS for key in keys.replace("−", "-").split()}
    assert told - {"1", "…", "9", "Esc"} == known


def test_what_the_script_says_is_given_to_it() -> None:
    page = review([annotation(seed=4)], "it")
    words = next(value for tag, name, value in Tree(page).attributes if name == "data-words")
    given = json.loads(words)
    used = set(re.findall(r'\bsay\("(\w+)"|\bwords\.(\w+)', page))
    assert {one or other for one, other in used} == set(given)
    assert given["cards"]["7♥"] == "sette di cuori"
