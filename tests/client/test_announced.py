"""Options as an engine announces them, and what they take."""

from __future__ import annotations

import pytest

from cirulla_ai.client.announced import AnnouncedOptions, parse_option
from cirulla_ai.client.connection import LineBuffer
from cirulla_ai.client.errors import EngineError, EngineOptionError
from cirulla_ai.client.settings import Settings
from cirulla_ai.engine.options import OPTIONS, EngineOption, OptionError


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


@pytest.mark.parametrize(("text", "sent"), [
    ("/perché/x.eval", "/perché/x.eval"), ("/a  b", "/a  b"), (" a ", " a "),
    ("the value x", "the value x"), ("/perch\udce9", "/perch\udce9"), ("a\tb", "a\tb"),
    ("\u00a0", "\u00a0"),
])
def test_texts_are_sent_as_they_are_given(text: str, sent: str) -> None:
    assert OPTIONS_SEEN.text("Book File", text) == sent


@pytest.mark.parametrize("text", ["a\rquit", "a\0b", "\ud800"])
def test_what_no_line_can_hold(text: str) -> None:
    with pytest.raises(EngineOptionError, match="does not fit in one line of text"):
        OPTIONS_SEEN.text("Book File", text)


def test_blanks_around_what_is_no_text_are_left_out() -> None:
    assert OPTIONS_SEEN.text("Hash", " 64 ") == "64"
    assert OPTIONS_SEEN.text("Fair", "true ") == "true"


def test_blanks_in_names_and_defaults_are_those_announced() -> None:
    option = parse_option("option name Book  File type string default /a  b/type x ")
    assert (option.name, option.default) == ("Book  File", "/a  b/type x ")
    option = parse_option("option  name  Style  type  combo  default  A  B  var  A  B  var C ")
    assert (option.name, option.default, option.choices) == ("Style", "A  B", ("A  B", "C"))
    assert AnnouncedOptions([option]).text("style", "a b") == "a b"


@pytest.mark.parametrize(("line", "values"), [
    ("type spin default 150 min 100 max 200", range(100, 201)),
    ("type spin default 0 min 0 max 3", range(1, 4)),
    ("type spin default 0 min -3 max 3", range(1, 4)),
    ("type spin default -5 min -7 max -4", range(-7, -3)),
    ("type spin default 0 min 0 max 0", range(1)),
    ("type spin default 7 min 7 max 7", range(7, 8)),
    ("type spin default 1 min 3 max 2", ()),
    ("type spin default 0", ()),
    ("type spin default 0 min 0", ()),
    ("type spin default 0 min 0 max many", ()),
    ("type string default 0", ()),
    ("type check default false", ()),
    ("type combo default 1 var 1 var 2", ()),
    ("type button", ()),
])
def test_a_spin_that_is_ours_to_set_is_set_within_its_bounds(
    line: str, values: range | tuple[int, ...]
) -> None:
    options = AnnouncedOptions([parse_option(f"option name Seed {line}")])
    got = {options.spin("seed", number) for number in [*range(400), (1 << 62) + 5]}
    assert got == set(values or (None,))
    assert options.spin("Other", 1) is None


def multipv(line: str) -> Settings:
    return Settings(AnnouncedOptions([parse_option(f"option name MultiPV {line}")]))


def back_and_forth(settings: Settings, lines: int) -> list[str]:
    """What is sent for a search of so many lines and for the usual one after it."""
    sent = []
    for wanted in (None, lines, None):
        texts = settings.for_lines(wanted)
        sent += settings.lines(texts)
        settings.took(texts, usual=False)
    return [line.removeprefix("setoption name MultiPV value ") for line in sent]


@pytest.mark.parametrize(("line", "sent"), [
    ("type spin default 1 min 1 max 5", ["3", "1"]),
    ("type spin default 2 min 2 max 5", ["3", "2"]),
    ("type spin default 1 min 2 max 5", ["3", "2"]),
    ("type spin min 1 max 5", ["3", "1"]),
    ("type spin", ["3", "1"]),
])
def test_multipv_goes_back_to_what_it_takes(line: str, sent: list[str]) -> None:
    assert back_and_forth(multipv(line), 3) == sent


@pytest.mark.parametrize("line", [
    "type button", "type check default true", "type string default 1", "type combo var 3"])
def test_a_multipv_that_is_no_spin_is_left_alone(line: str) -> None:
    settings = multipv(line)
    assert settings.for_lines(None) == settings.for_lines(1) == {}
    with pytest.raises(EngineOptionError, match="MultiPV"):
        settings.for_lines(3)


def test_lines_are_utf_8_after_a_byte_order_mark_or_none() -> None:
    buffer = LineBuffer()
    assert list(buffer.feed("\ufeffid name perché\r\nid author è\n".encode())) == [
        "id name perché", "id author è"]
    assert list(buffer.feed(b"caff\xe8\n")) == ["caff\ufffd"]
