"""Options as an engine announces them, and what they take."""

from __future__ import annotations

import pytest

from cirulla_ai.options import OPTIONS, EngineOption, OptionError
from cirulla_ai.protocol.announced import AnnouncedOptions, parse_option
from cirulla_ai.protocol.errors import EngineError, EngineOptionError


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_our_own_options_are_read_back(option: EngineOption) -> None:
    read = parse_option(option.uci)
    assert (read.name, read.kind, read.choices) == (option.name, option.kind, option.choices)
    if option.kind != "button":
        assert read.default == option.default
    if option.kind == "spin":
        assert (read.low, read.high) == (option.low, option.high)


def test_names_and_choices_of_several_words() -> None:
    option = parse_option(
        "option name Skill of Play type combo default Solid var Solid var Very Risky var")
    assert (option.name, option.default) == ("Skill of Play", "Solid")
    assert option.choices == ("Solid", "Very Risky", "")


def test_odd_lines_are_read_as_well_as_it_goes() -> None:
    option = parse_option("option name Plain type spin default x min y max z")
    assert (option.kind, option.low < -10**15, option.high > 10**15) == ("spin", True, True)
    assert parse_option("option name Colour type rainbow default red").kind == "string"
    assert parse_option("option name Book type string default <empty>").default == ""


@pytest.mark.parametrize("line", [
    "option", "option name", "option name X", "option type spin", "option name type spin",
    "option x"])
def test_what_is_no_option(line: str) -> None:
    with pytest.raises(ValueError, match="no option"):
        parse_option(line)


OPTIONS_SEEN = AnnouncedOptions(map(parse_option, (
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Fair type check default true",
    "option name Style type combo default Solid var Solid var Very Risky",
    "option name Book File type string default <empty>",
    "option name Clear Hash type button")))


def test_it_is_a_mapping() -> None:
    assert list(OPTIONS_SEEN) == ["Hash", "Fair", "Style", "Book File", "Clear Hash"]
    assert len(OPTIONS_SEEN) == 5
    assert OPTIONS_SEEN["book  FILE"].kind == "string"
    assert "hash" in OPTIONS_SEEN and "hush" not in OPTIONS_SEEN


@pytest.mark.parametrize(("name", "value", "text"), [
    ("hash", 64, "64"), ("Hash", "64", "64"), ("Fair", False, "false"), ("Fair", "TRUE", "TRUE"),
    ("Style", "very risky", "very risky"), ("Book File", "", "<empty>"),
    ("Book File", "a b", "a b"), ("Clear Hash", None, None), ("Clear Hash", True, None),
])
def test_values_that_are_taken(name: str, value: int | str | None, text: str | None) -> None:
    assert OPTIONS_SEEN.text(name, value) == text


@pytest.mark.parametrize(("name", "value", "message"), [
    ("Hush", 1, "there is no option 'Hush'; there are Hash, Fair"),
    ("Hash", 0, "1 … 1024"), ("Hash", 1025, "1 … 1024"), ("Hash", "many", "1 … 1024"),
    ("Hash", None, "1 … 1024"), ("Hash", True, "1 … 1024"), ("Fair", 1, "true, false"),
    ("Style", "Wild", "Solid, Very Risky"), ("Book File", "a\nquit", "one line"),
])
def test_values_that_are_not(name: str, value: int | str | None, message: str) -> None:
    with pytest.raises(EngineOptionError, match=message) as caught:
        OPTIONS_SEEN.text(name, value)
    assert isinstance(caught.value, EngineError) and isinstance(caught.value, OptionError)
