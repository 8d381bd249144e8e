"""Actions as text and as values (rules, section 2)."""

from __future__ import annotations

import copy
import pickle

import pytest

from cirulla_ai import Action, ActionError

# Text, kind, card played, cards captured or shown, value declared.
KINDS = [
    ("7H", "play", "7H", (), None),
    ("7Hx3S5C", "play", "7H", ("3S", "5C"), None),
    ("!3C4D5H", "claim", None, ("3C", "4D", "5H"), None),
    ("!3C4D7H=2", "claim", None, ("3C", "4D", "7H"), 2),
    ("!3C4D7H=10", "claim", None, ("3C", "4D", "7H"), 10),
    ("pass", "pass", None, (), None),
]


@pytest.mark.parametrize(("text", "kind", "card", "cards", "value"), KINDS)
def test_parts(
    text: str, kind: str, card: str | None, cards: tuple[str, ...], value: int | None
) -> None:
    action = Action(text)
    assert (str(action), action.kind) == (text, kind)
    assert (action.card, action.cards, action.value) == (card, cards, value)
    assert repr(action) == f"Action({text!r})"


@pytest.mark.parametrize(
    ("loose", "text"),
    [
        ("7hx5c3s", "7Hx3S5C"), ("7HX5C3S", "7Hx3S5C"), ("7h", "7H"), ("!7h4d3c=2", "!3C4D7H=2"),
        ("PASS", "pass"), ("acxKDqdjd", "ACxJDQDKD"),
    ],
)
def test_output_is_canonical(loose: str, text: str) -> None:
    assert str(Action(loose)) == text
    assert Action(loose) == Action(text)
    assert hash(Action(loose)) == hash(Action(text))


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "8H", "10D", "7", "7H3S", "7Hx", "x3S", "7Hx3", "7Hx8S", "7Hx3S3S", "7Hx3Sx5C",
        "7Hx7H", "7Hx3S7H", "!", "!3C4D", "!3C4D5H6S", "!3C3C4D", "!3C4D7H=", "!3C4D7H=0",
        "!3C4D7H=11", "!3C4D7H=A", "!3C4D7H=-1", "!3C4D7H==2", "7H=2", "passs", "pass=1", ">",
        "7H ", " 7H", "7H\n", "7Hx-", "!3C4D7H=2=2", "7H=", ">?1", ">8H",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ActionError) as refused:
        Action(text)
    assert repr(text) in str(refused.value)


def test_actions_sort_as_their_texts() -> None:
    """ASCII order, in which ! comes before digits and letters, and pass comes last."""
    texts = ["!3C4D7H=1", "!3C4D7H=10", "!3C4D7H=2", "3CxAS5D6C", "4D", "4DxASKD", "AH", "pass"]
    assert [str(a) for a in sorted(map(Action, reversed(texts)))] == texts
    assert Action("4D") < Action("4DxASKD") <= Action("4DxASKD")
    assert Action("AH") > Action("4D")


def test_equality() -> None:
    """A laid card, a capture with it and claims of the same cards are all different."""
    texts = ["7H", "7Hx3S", "7Hx3S5C", "7Dx3S5C", "!3S5C7H=2", "!3S5C7H=3", "!3S5C7H", "pass"]
    assert len(set(map(Action, texts))) == len(texts)
    assert Action("7H") != "7H"


def test_an_action_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Action("7H").code = 0
    with pytest.raises(AttributeError):
        del Action("7H").code


@pytest.mark.parametrize("text", [row[0] for row in KINDS])
def test_copies(text: str) -> None:
    action = Action(text)
    assert pickle.loads(pickle.dumps(action)) == action
    assert copy.copy(action) == action
    assert copy.deepcopy(action) == action
    assert Action.from_code(action.code) == action


@pytest.mark.parametrize("kind", [5, 7])
def test_a_code_of_no_kind(kind: int) -> None:
    with pytest.raises(ValueError, match=f"no kind {kind}"):
        _ = Action.from_code(kind << 50).kind
