"""The games that the package plays, each as one entry: all that differs between them.

Everything above the core (states, knowledge, the protocol, matches) asks ``game_of`` for
the entry of the rules that it has, and never which game it is.  docs/adding-a-game.md says
what an entry takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cirulla_ai import ciapano, notation, pictures
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_rollout import CiapanoRollout
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai._core.contract import Rollout
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_rollout import FishingRollout
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.fishing_worlds import FishingInformationSet
from cirulla_ai._core.stop import Stop
from cirulla_ai.exact import Solved, ciapano_exact, fishing_exact
from cirulla_ai.notation import Fields, StateError
from cirulla_ai.numbers import given
from cirulla_ai.points import Points, TrickPoints
from cirulla_ai.rules import CIAPANO, FISHING, PRESETS, RuleFamily, Rules

if TYPE_CHECKING:
    from cirulla_ai.state import State

__all__ = ["GAMES", "Game", "game_of", "parse_state", "parse_tokens", "read_rules",
           "split_tokens"]


@dataclass(frozen=True)
class Game:
    """One game, or a family of games that share a core.

    ``keys`` are those of a state string, in order, ``deal_keys`` those that make sense
    before a deal; ``position`` is the core's state, ``read`` makes its fields from the
    texts of a state string and ``write`` the string; ``explain_refusal`` says why an action
    can't be played; ``information_set`` is what the search is given of what a seat knows;
    ``exact`` solves
    what can be proved (see ``fishing_exact``); ``rollout`` is what helps the search to tell
    outcomes, ``posterior`` a seat's knowledge whose worlds come as likely as what was seen
    makes them, ``has_value`` whether there are learned values of its states,
    ``exploration`` its constant of UCT in per cent where lines end with learned values, and
    ``far_exploration`` where they are played out; ``points`` are a side's, ``progress`` is
    how far a smazzata is in a few words, ``picture`` the whole in lines.
    """

    family: RuleFamily
    keys: tuple[str, ...]
    deal_keys: tuple[str, ...]
    position: Any
    read: Callable[[Rules, Mapping[str, str]], Fields]
    write: Callable[[Rules, Any], str]
    explain_refusal: Callable[[Any, int], str]
    information_set: Callable[[Any, int], Any]
    exact: Callable[[Any, Sequence[int], int, Stop], list[Solved] | None] | None
    has_value: bool
    exploration: int
    far_exploration: int
    rollout: Callable[[Rules, Value | None, bool], Rollout | None]
    posterior: Callable[[Any, Value | None], Any]
    points: Callable[[Any], tuple[Any, ...]]
    progress: Callable[[State], str]
    picture: Callable[[State], Iterable[str]]


GAMES: tuple[Game, ...] = (
    Game(
        family=FISHING,
        keys=notation.KEYS,
        deal_keys=notation.DEAL_KEYS,
        position=FishingPosition,
        read=notation.read_fields,
        write=notation.format_state,
        explain_refusal=notation.explain_refusal,
        information_set=FishingInformationSet,
        exact=fishing_exact,
        has_value=True,
        exploration=200,
        far_exploration=100,
        rollout=lambda rules, value, exact: FishingRollout(rules.table, value, exact),
        # By the rule of thumb alone it takes a softer choice.
        posterior=lambda core, value: (
            core.posterior(None, heuristic_temperature=0.3) if value is None
            else core.posterior(value)),
        points=Points.of,
        progress=pictures.fishing_progress,
        picture=pictures.fishing_picture,
    ),
    Game(
        family=CIAPANO,
        keys=ciapano.KEYS,
        deal_keys=ciapano.DEAL_KEYS,
        position=CiapanoPosition,
        read=ciapano.read_fields,
        write=ciapano.format_state,
        explain_refusal=ciapano.explain_refusal,
        information_set=CiapanoInformationSet,
        exact=ciapano_exact,
        has_value=False,
        exploration=100,
        far_exploration=100,
        rollout=lambda rules, value, exact: CiapanoRollout(),
        posterior=lambda core, value: core.posterior(),
        points=TrickPoints.of,
        progress=pictures.trick_progress,
        picture=pictures.trick_picture,
    ),
)

NEEDED = "is needed, as rules=cirulla"

_BY_FAMILY = {game.family: game for game in GAMES}


def game_of(rules: Rules) -> Game:
    """The game that is played by these rules."""
    return _BY_FAMILY[rules.family]


def _game_named(tokens: Iterable[str]) -> Game | None:
    """The game of a ``rules=`` token, None where there is none."""
    named: Game | None = None
    for token in tokens:
        if token.lower().startswith("rules="):
            preset = token[6:].lower()
            if preset not in PRESETS:
                raise StateError("rules", f"{token[6:] or 'nothing'}: no such preset; there are "
                                 f"{', '.join(PRESETS)}")
            if named:
                raise StateError("rules", "stands twice")
            named = next(game for game in GAMES if preset in game.family.presets)
    return named


def split_tokens(
    tokens: Iterable[str], *, dealing: bool = False
) -> tuple[dict[str, str], dict[str, str]]:
    """``key=value`` tokens as (state keys, rule options); keys in either letter case.

    ``dealing``: only the keys that make sense before a deal.  Raises StateError.
    """
    tokens = list(tokens)
    # The rules first: what other keys there are depends on them.
    game = _game_named(tokens)
    if game is None:
        if not dealing:
            raise StateError("rules", NEEDED)
        game = GAMES[0]
    keys = game.deal_keys if dealing else game.keys
    state: dict[str, str] = {}
    options: dict[str, str] = {}
    for token in tokens:
        key, equals, value = token.partition("=")
        if not equals or not key:
            raise StateError(token, "not a token of the form key=value")
        key = key.lower()
        if dealing and key in game.keys and key not in keys:
            raise StateError(key, f"the deal makes it; startpos takes {', '.join(keys)}, "
                             "seed N, and options of the rules")
        into = state if key in keys else options if key in game.family.options else None
        if into is None:
            raise StateError(key, f"there is no such key or option ({token})")
        if key in into:
            raise StateError(key, "stands twice")
        if not value:
            raise StateError(key, "has no value; an empty one is written -")
        into[key] = value
    return state, options


def read_rules(state: Mapping[str, str], options: Mapping[str, str]) -> Rules:
    """The rules named among a state's tokens."""
    if "rules" not in state:
        raise StateError("rules", NEEDED)
    return Rules.from_options(state["rules"].lower(),
                              {name: value.lower() for name, value in options.items()})


def parse_state(text: str) -> tuple[Rules, Any]:
    """Read a state string; raises StateError or RulesError with the reason."""
    if not isinstance(text, str):
        raise TypeError(f"state {given(text)}: the text of a state is needed, as 'rules=cirulla …'")
    return parse_tokens(text.removeprefix("\ufeff").split())


def parse_tokens(tokens: Iterable[str]) -> tuple[Rules, Any]:
    """As ``parse_state``, from the words of the string."""
    state, options = split_tokens(tokens)
    rules = read_rules(state, options)
    game = game_of(rules)
    return rules, game.position(rules.table, game.read(rules, state))
