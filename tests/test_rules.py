"""Options, their values, and the presets (rules, section 3.6)."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from support.handmade import key, pack, position
from support.strategies import FREE_OPTIONS, rule_sets

from cirulla_ai import PRESETS, Rules, RulesError, State
from cirulla_ai.games.fishing.rules import OPTIONS

# The table of the rules: every option with its value in ``cirulla``, in order.
CIRULLA = {
    "players": "2", "rounds": "3,3,3,3,3,3", "table_size": "4", "capture_equal": "yes",
    "capture_sum": "yes", "capture_15": "yes", "ace_sweep": "no_ace", "ace_choice": "free",
    "capture_choice": "free", "must_capture": "yes", "last_scopa": "no", "matta": "7H",
    "matta_table": "yes", "matta_memory": "captured", "bonus_15": "1", "bonus_30": "2",
    "bonus_9": "0", "misdeal_aces": "2", "misdeal_three": "no", "misdeal_first": "yes",
    "misdeal_loss": "0", "table_four": "no", "claim": "optional", "claim_three": "10",
    "claim_low": "3", "claim_royal": "0", "claim_time": "turn", "claim_best": "no",
    "claim_play": "first", "points_cards": "1", "points_diamonds": "1", "points_settebello": "1",
    "points_primiera": "1", "piccola_max": "6", "grande": "5", "grande_extend": "no",
    "cappotto": "win", "target": "51",
}

FOUR = "players=4 rounds=3,3,3"
SCOPA = (
    "capture_15=no ace_sweep=no capture_choice=single matta=no bonus_15=0 bonus_30=0 "
    "misdeal_aces=0 claim=no piccola_max=0 grande=0 cappotto=no target=11"
)

# The table of presets; the rounds that follow from four players written out.
CHANGES = {
    "cirulla": "",
    "cirulla-wikipedia": "capture_choice=single ace_choice=sweep claim=mandatory "
                         "claim_three=30,10,10,10,10,10,10,10,10,10 matta_table=no "
                         "matta_memory=round",
    "cirulla-coppie": f"{FOUR} claim=mandatory claim_time=round claim_best=yes",
    "cirulla-luzzati": f"{FOUR} table_four=win misdeal_three=yes misdeal_loss=3",
    "cirulla-torneo": f"{FOUR} cappotto=no",
    "cirulla-spezia": "bonus_15=0 bonus_9=1 claim_low=1 claim_three=3,3,3,2,2,2,2,2,2,2 "
                      "piccola_max=5 grande_extend=yes",
    "cirulla-pigliatutto": "ace_sweep=always",
    "cirullone": "players=4 rounds=6,3 target=101",
    "cirullone-36": "players=4 rounds=3,6 claim_play=free target=101",
    "cirullone-9": "players=4 rounds=9 target=101",
    "scopa": SCOPA,
    "scopone": f"{SCOPA} players=4 rounds=9 target=21",
    "scopone-scientifico": f"{SCOPA} players=4 rounds=10 table_size=0 target=21",
    "asso-piglia-tutto": f"{SCOPA} ace_sweep=no_ace ace_choice=sweep",
    "scopa-15": f"{SCOPA} capture_equal=no capture_sum=no capture_15=yes capture_choice=free",
}


def texts(rules: Rules) -> dict[str, str]:
    """Every option's value as text."""
    return {name: option.format(rules[name]) for name, option in OPTIONS.items()}


def changes(text: str) -> dict[str, str]:
    """Tokens as a mapping; a later one stands for an earlier of the same name."""
    return dict(token.split("=") for token in text.split())


# --- the tables -----------------------------------------------------------------------

def test_all_options_in_their_order() -> None:
    assert list(OPTIONS) == list(CIRULLA)


def test_all_presets_in_their_order() -> None:
    assert list(PRESETS) == [*CHANGES, "ciapano"]


def test_the_document_lists_every_option_with_its_value() -> None:
    text = (Path(__file__).resolve().parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
    table = text.partition("| option | in `cirulla` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \| `?([^ `]+)`? \|", table, re.M) == list(CIRULLA.items())


@pytest.mark.parametrize("preset", CHANGES)
def test_what_a_preset_is(preset: str) -> None:
    assert texts(Rules(preset)) == CIRULLA | changes(CHANGES[preset])


@pytest.mark.parametrize("preset", CHANGES)
def test_a_preset_is_cirulla_with_its_changes(preset: str) -> None:
    """The same game by other tokens, and told apart by its name alone."""
    made = Rules.from_options("cirulla", changes(CHANGES[preset]))
    assert texts(made) == texts(Rules(preset))
    assert str(Rules(preset)) == f"rules={preset}"
    assert (made == Rules(preset)) == (preset == "cirulla")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_tradition_and_lines_for_people(preset: str) -> None:
    assert Rules.tradition(preset)
    rules = Rules(preset)
    lines = list(rules.lines())
    assert [line.partition("=")[0] for line in lines] == list(rules.family.options)
    for line, option in zip(lines, rules.family.options.values(), strict=True):
        assert option.help in line
        assert option.takes in line


# --- values ---------------------------------------------------------------------------

VALUES = {
    **dict.fromkeys(("capture_equal", "capture_sum", "capture_15", "must_capture", "last_scopa",
                     "matta_table", "misdeal_three", "misdeal_first", "grande_extend"),
                    (["yes", "no"], ["1", "0", "true", "Yes", "", "-"])),
    "players": (["2"], ["1", "5", "two", "+2", "2.0", "", "٣"]),
    "table_size": (["4"], ["11", "-1", "four"]),
    "rounds": (["18", "9,9", "1,17", "3,3,3,3,3,3"], ["0,18", "3,,3", "3,", "a", "-", "19", "3,3"]),
    "ace_sweep": (["no", "no_ace", "always"], ["yes", "never", "No"]),
    "ace_choice": (["free", "sweep"], ["no", "always"]),
    "capture_choice": (["free", "single", "fewest"], ["most", "no"]),
    "matta": (["7H", "QH", "AD", "no"], ["8H", "yes", "7H3C", "-", ""]),
    "matta_memory": (["captured", "round", "no"], ["yes", "turn"]),
    **dict.fromkeys(("bonus_15", "bonus_30", "bonus_9", "claim_low", "claim_royal", "grande"),
                    (["0", "1", "30"], ["31", "-1", "no", "1.5", " 1", "1_0"])),
    "misdeal_aces": (["0", "1", "4"], ["5", "-1"]),
    "misdeal_loss": (["0", "1", "9"], ["10", "-1", "no"]),
    "table_four": (["no", "natural", "win"], ["yes", "four"]),
    "claim": (["no", "optional", "mandatory"], ["yes", "must"]),
    "claim_three": (["0", "30", "1,2,3,4,5,6,7,8,9,10", "0,0,0,0,0,0,0,0,0,30"],
                    ["31", "1,2", "1,2,3,4,5,6,7,8,9", "1,2,3,4,5,6,7,8,9,10,11", "-1",
                     "1,2,3,4,5,6,7,8,9,31", "1,2,3,4,5,6,7,8,9,", ""]),
    "claim_time": (["turn", "round"], ["no", "phase"]),
    "claim_best": (["no"], ["best", "1"]),
    "claim_play": (["first", "free"], ["any", "no"]),
    **dict.fromkeys(("points_cards", "points_diamonds", "points_settebello", "points_primiera"),
                    (["0", "1", "10"], ["11", "-1", "x"])),
    "piccola_max": (["0", "3", "4", "10"], ["1", "2", "11", "-1", "no"]),
    "cappotto": (["win", "no", "1", "50"], ["0", "51", "yes", "-1"]),
    "target": (["1", "51", "1000"], ["0", "1001", "-1", "win"]),
}


def test_every_options_values_are_tested() -> None:
    assert set(VALUES) == set(CIRULLA)
    assert set(FREE_OPTIONS) < set(CIRULLA)


@pytest.mark.parametrize("name", CIRULLA)
def test_values_that_an_option_takes(name: str) -> None:
    for text in VALUES[name][0]:
        rules = Rules.parse(f"rules=cirulla {name}={text}")
        assert texts(rules)[name] == text
        assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize("name", CIRULLA)
def test_values_that_it_refuses(name: str) -> None:
    """The message names the option and what was given; an impossible value also what is taken."""
    for text in VALUES[name][1]:
        with pytest.raises(RulesError) as refused:
            Rules("cirulla", **{name: text})
        assert name in refused.value.names
        assert f"{name}={text}" in str(refused.value)
        if name != "rounds":
            assert OPTIONS[name].takes in str(refused.value)


def test_values_given_as_python_values() -> None:
    rules = Rules("cirulla", players=4, rounds=(6, 3), must_capture=False, matta="no",
                  claim_three=[13] * 3 + [10] * 7, cappotto=5)
    assert str(rules) == ("rules=cirulla players=4 rounds=6,3 must_capture=no matta=no "
                          "claim_three=13,13,13,10,10,10,10,10,10,10 cappotto=5")


def test_options_are_read_back() -> None:
    rules = Rules("cirulla-spezia")
    assert rules["claim_three"] == (3, 3, 3, 2, 2, 2, 2, 2, 2, 2)
    assert rules["grande_extend"] is True
    assert (rules["matta"], rules["cappotto"], rules["target"]) == ("7H", "win", 51)
    with pytest.raises(KeyError):
        rules["no_such_option"]


@pytest.mark.parametrize(
    ("rules", "players", "sides"), [("cirulla", 2, 2), ("cirulla players=3", 3, 3),
                                    ("cirullone", 4, 2)])
def test_sides(rules: str, players: int, sides: int) -> None:
    made = Rules.parse(f"rules={rules}")
    assert (made.players, made.sides) == (players, sides)
    assert {made.side(seat) for seat in range(players)} == set(range(sides))
    if players == 4:
        assert [made.side(seat) for seat in range(4)] == [0, 1, 0, 1]


# --- rounds follow players and table --------------------------------------------------

@pytest.mark.parametrize(
    ("tokens", "rounds"),
    [
        ("cirulla", (3,) * 6), ("cirulla players=3", (3,) * 4), ("cirulla players=4", (3,) * 3),
        ("cirulla table_size=10", (3,) * 5), ("scopa players=4", (3,) * 3),
        ("cirulla-coppie players=2", (3,) * 6), ("cirulla-luzzati players=3 misdeal_loss=0",
                                                 (3,) * 4),
        ("cirulla rounds=18", (18,)), ("cirulla rounds=4,6,10 table_size=0", (4, 6, 10)),
        ("cirullone", (6, 3)), ("cirullone rounds=9", (9,)),
    ],
)
def test_rounds(tokens: str, rounds: tuple[int, ...]) -> None:
    """Threes until the pack is out, unless they are given."""
    assert Rules.parse(f"rules={tokens}").rounds == rounds


def test_rounds_that_follow_are_not_written() -> None:
    assert str(Rules("cirulla", players=3)) == "rules=cirulla players=3"
    assert str(Rules("cirulla", players=4, rounds="3,3,3")) == "rules=cirulla players=4"
    assert str(Rules("cirulla", rounds=18)) == "rules=cirulla rounds=18"
    assert str(Rules("cirullone", rounds="6,3")) == "rules=cirullone"


@pytest.mark.parametrize(
    ("tokens", "names"),
    [
        ("cirulla players=2 rounds=3,3", {"rounds"}),
        ("cirulla table_size=5", {"rounds", "table_size"}),
        ("cirullone players=2", {"rounds", "players"}),
        ("cirulla table_size=0", {"table_size"}),
    ],
)
def test_cards_that_do_not_add_up_to_forty(tokens: str, names: set[str]) -> None:
    with pytest.raises(RulesError, match="40") as refused:
        Rules.parse(f"rules={tokens}")
    assert names <= set(refused.value.names)


@pytest.mark.parametrize(
    ("tokens", "names"),
    [
        ("cirulla claim_best=yes", {"claim_best", "claim_time"}),
        ("cirullone claim_time=round", {"claim_time", "rounds"}),
        ("cirulla rounds=9,9 claim_time=round claim_best=yes", {"claim_time", "rounds"}),
        ("cirulla-coppie rounds=6,3", {"claim_time", "rounds"}),
        ("cirulla-coppie claim_time=turn", {"claim_best", "claim_time"}),
        ("cirulla players=3 misdeal_loss=1", {"misdeal_loss", "players"}),
        ("cirulla-luzzati players=3", {"misdeal_loss", "players"}),
        ("scopone-scientifico table_four=natural", {"table_four", "table_size"}),
        ("cirulla players=3 rounds=13 table_size=1 table_four=win", {"table_four"}),
    ],
)
def test_what_cannot_be_played_together(tokens: str, names: set[str]) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.parse(f"rules={tokens}")
    assert names <= set(refused.value.names)
    for name in names:
        assert name in str(refused.value)


# --- tokens ---------------------------------------------------------------------------

@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("rules=cirulla target=51", "rules=cirulla"),
        ("rules=cirulla target=31 players=4", "rules=cirulla players=4 target=31"),
        ("rules=cirulla claim_three=10,10,10,10,10,10,10,10,10,10", "rules=cirulla"),
        ("rules=cirulla claim_three=12,12,12,12,12,12,12,12,12,12",
         "rules=cirulla claim_three=12"),
        ("rules=cirulla-spezia claim_three=10", "rules=cirulla-spezia claim_three=10"),
        ("rules=cirulla matta=qh", "rules=cirulla matta=QH"),
        ("rules=cirulla target=0051", "rules=cirulla"),
        ("  rules=cirulla   target=26 ", "rules=cirulla target=26"),
        ("cirulla target=26", "rules=cirulla target=26"),
        ("Scopa Matta=7h CLAIM=Optional", "rules=scopa matta=7H claim=optional"),
    ],
)
def test_output_is_canonical(text: str, written: str) -> None:
    """What differs from the preset, in the order of the options, ten equal numbers as one."""
    assert str(Rules.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rules=bridge", "bridge"), ("rules=", "rules"), ("", "rules"), ("bridge", "bridge"),
        ("target=31", "rules"), ("rules=cirulla colour=red", "colour"),
        ("rules=cirulla target", "target"), ("rules=cirulla target=31 target=31", "target"),
        ("rules=cirulla target=", "target"), ("rules=cirulla rules=scopa", "rules"),
    ],
)
def test_tokens_that_are_no_rules(text: str, name: str) -> None:
    with pytest.raises(RulesError, match=name):
        Rules.parse(text)


def test_an_unknown_preset_is_told_which_there_are() -> None:
    with pytest.raises(RulesError) as refused:
        Rules("bridge")
    for preset in PRESETS:
        assert preset in str(refused.value)


def test_equality() -> None:
    assert Rules("cirulla") == Rules("cirulla", target=51) == Rules.parse("rules=cirulla")
    assert hash(Rules("cirulla")) == hash(Rules("cirulla", target=51))
    assert Rules("cirulla") != Rules("cirulla", target=31)
    assert Rules("cirulla") != "cirulla"
    assert repr(Rules("scopa", target=31)) == "Rules.parse('rules=scopa target=31')"


def test_rules_cannot_be_changed() -> None:
    rules = Rules("cirulla")
    with pytest.raises(AttributeError):
        rules.preset = "scopa"
    with pytest.raises(AttributeError):
        rules.target = 31  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del rules.preset


@given(rule_sets())
def test_any_rules_round_trip(rules: Rules) -> None:
    again = Rules.parse(str(rules))
    assert (again, hash(again), str(again)) == (rules, hash(rules), str(rules))
    assert texts(again) == texts(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    state = State.deal(rules, seed=1)
    assert state.rules == rules
    assert str(state).startswith(f"{rules} dealer=")


@pytest.mark.parametrize("preset", ["cirulla", "ciapano"])
def test_equal_rules_have_one_table_whatever_was_read_meanwhile(preset: str) -> None:
    table = Rules(preset, target=31).table
    others = [Rules(preset, target=target).table for target in range(32, 200)]
    assert Rules(preset, target=31).table is table
    assert pickle.loads(pickle.dumps(table)) is table
    assert table not in others


# --- house rules that are played by these means ---------------------------------------

@pytest.mark.parametrize(
    ("rules", "hand", "claim", "points"),
    [
        ("claim_three=13,13,13,10,10,10,10,10,10,10", "3H3D3C", "!3H3D3C", 13),
        ("claim_three=13,16,19,10,10,10,10,10,10,10", "3H3D3C", "!3H3D3C", 19),
        ("claim_three=21,10,10,10,10,10,10,10,10,10", "AHADAC", "!AHADAC", 21),
        ("claim_royal=25", "JDQDKD", "!JDQDKD", 25),
        ("matta=QH", "2D3CQH", "!2D3CQH=4", 3),
    ],
)
def test_claims_of_the_house(rules: str, hand: str, claim: str, points: int) -> None:
    state = position(f"{hand}/6S5S4S", rules=f"cirulla {rules}")
    assert key(state.apply(claim), "scopa") == f"{points}/0"


def test_bonuses_of_the_house() -> None:
    rules = "cirulla bonus_15=2 bonus_30=4"
    assert key(State.deal(rules, pack=pack("AH2D5C7S")), "scopa") == "0/2"
    assert key(State.deal(rules, pack=pack("KHKC7D3S")), "scopa") == "0/4"
