"""What there is to choose from: rules, who can sit down, and what the owner has chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cirulla_ai.basics.encoding import read_text
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.engine.levels import FULL
from cirulla_ai.games.options import Choice, Flag, Number
from cirulla_ai.games.registry import FAMILIES
from cirulla_ai.play import Seat, level_seat
from cirulla_ai.players import PLAYERS, make_player
from cirulla_ai.rules import Rules
from cirulla_ai.web.asks import Ask
from cirulla_ai.web.endpoints import SETTINGS
from cirulla_ai.web.fields import FieldError

__all__ = ["Catalogue", "rules_of"]


class Catalogue:
    """Presets, options, bots; the owner's settings, which are kept in a file.

    ``engines`` are those that the server was told of.
    """

    def __init__(self, settings: Path, engines: Sequence[Seat] = ()) -> None:
        self._settings = settings
        self._seats = {**{f"level-{k}": level_seat(k) for k in range(FULL + 1)},
                       **{name: Seat(name, f"player={name}") for name in PLAYERS
                          if not make_player(name).sees_all},
                       **{seat.name: seat for seat in engines}}

    async def presets(self, ask: Ask) -> dict[str, Any]:
        return {"families": [{
            "fewest": family.fewest,
            "presets": [{"name": name, "tradition": tradition, "changes": changes,
                         "players": Rules(name).players}
                        for name, (tradition, changes) in family.presets.items()],
            "options": [{
                "name": option.name, "help": option.help, "takes": option.takes,
                "default": option.format(Rules(next(iter(family.presets)))[option.name]),
                "kind": "flag" if isinstance(option, Flag) else
                "choice" if isinstance(option, Choice) else
                "number" if type(option) is Number else "text",
                "choices": list(option.choices) if isinstance(option, Choice) else [],
            } for option in family.options.values()]} for family in FAMILIES]}

    async def bots(self, ask: Ask) -> dict[str, Any]:
        def presets(seat: Seat) -> list[str]:
            families = FAMILIES
            if seat.kind == "player":
                families = make_player(seat.contender.player).families
            return [preset for family in families for preset in family.presets]

        return {"bots": [{"id": name, "name": seat.name, "kind": seat.kind, "level": seat.level,
                          "presets": presets(seat)} for name, seat in self._seats.items()]}

    async def rules(self, ask: Ask) -> dict[str, Any]:
        rules = rules_of(ask.body["rules"])
        base = Rules(rules.preset)
        options = rules.family.options.items()
        return {
            "rules": str(rules).removeprefix("rules="), "preset": rules.preset,
            "tradition": Rules.tradition(rules.preset), "players": rules.players,
            "sides": rules.sides, "target": rules.target, "fewest": rules.family.fewest,
            "options": {name: option.format(rules[name]) for name, option in options},
            "changed": [name for name, _ in options if rules[name] != base[name]]}

    async def settings(self, ask: Ask) -> dict[str, Any]:
        try:
            found = SETTINGS.check(json.loads(read_text(self._settings)), "")
        except (OSError, ValueError):
            found = {}
        return {"language": "en", "level": FULL, "coach": False, "threshold": 25, "tables": [],
                "page": {}, **found}

    async def set_settings(self, ask: Ask) -> dict[str, Any]:
        tables = [{"name": table["name"], "rules":
                   str(rules_of(table["rules"])).removeprefix("rules=")}
                  for table in ask.body.get("tables", ())]
        chosen = {**ask.body, **({"tables": tables} if tables else {})}
        with written_whole(self._settings) as unfinished:
            unfinished.write_text(json.dumps(chosen, ensure_ascii=False, indent=1), "utf-8")
        return await self.settings(ask)

    def seat(self, place: Mapping[str, str], name: str) -> Seat:
        """Who is to sit at a place; raises FieldError, of the field ``name``, for nobody."""
        who = place["who"]
        if who in ("me", "guest"):
            return Seat(place.get("name", ""))
        if who not in self._seats:
            raise FieldError(name, f"{name} {who!r}: it takes me, guest, level-0 … level-{FULL}, "
                             f"{', '.join(n for n in self._seats if not n.startswith('level-'))}")
        seat = self._seats[who]
        return Seat(place.get("name") or seat.name, seat.bot)


def rules_of(text: str) -> Rules:
    """Rules from their text; raises FieldError."""
    try:
        return Rules.parse(text)
    except ValueError as error:
        raise FieldError("rules", str(error)) from None
