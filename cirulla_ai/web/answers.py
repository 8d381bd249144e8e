"""What answers look like, as JSON Schema: the named parts of the OpenAPI document."""

from __future__ import annotations

from typing import Any

__all__ = ["ANSWERS"]

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
CARD: Schema = {"type": "string", "pattern": "^([A2-7JQK][HDCS]|[?])$"}


def listed(item: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": item}


def maybe(schema: Schema) -> Schema:
    """It, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def named(name: str) -> Schema:
    """A part by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def mapped(value: Schema) -> Schema:
    """An object from names to these."""
    return {"type": "object", "additionalProperties": value}


def record(**properties: Schema) -> Schema:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "additionalProperties": False,
            "required": list(properties)}


CARDS = listed(CARD)
WHOLES = listed(WHOLE)
ACTION = {"action": TEXT, "kind": {"enum": ["play", "claim", "pass", "give"]},
          "card": maybe(CARD), "cards": CARDS, "value": maybe(WHOLE), "sweeps": FLAG,
          "points": WHOLE}

ANSWERS: dict[str, Schema] = {
    "Error": record(error=TEXT, field=maybe(TEXT)),
    "Legal": record(**ACTION),
    "Step": {"oneOf": [
        record(number=WHOLE, round=WHOLE, seat=WHOLE, **ACTION),
        record(number=WHOLE, round=WHOLE, deal=CARDS)]},
    "Position": record(
        state=TEXT, turn=maybe(WHOLE), phase={"enum": ["claim", "play", "pass", "deal", "done"]},
        dealer=WHOLE, round=WHOLE, rounds=WHOLE,
        hands=listed(record(cards=CARDS, unknown=WHOLE, shown=CARDS, claimed=WHOLE)),
        taken=listed(record(cards=CARDS, scopa=WHOLE)), points=listed(mapped(WHOLE)),
        table=maybe(CARDS), stock=maybe(WHOLE), last=maybe(WHOLE),
        matta=maybe(record(card=CARD, value=WHOLE)), trick=maybe(CARDS), lead=maybe(WHOLE),
        discard=maybe(CARD), passed=maybe(listed(maybe(CARD))), legal=listed(named("Legal"))),
    "Sheet": record(
        smazzata=WHOLE, points=WHOLES, before=WHOLES, after=WHOLES, won=maybe(WHOLE),
        items=listed(record(item=TEXT, points=WHOLES, counts=WHOLES, cards=listed(CARDS),
                            reason={"enum": ["", "tie", "nobody", "none", "short"]}))),
    "View": record(
        game=TEXT, version=WHOLE, seat=WHOLE, yours=WHOLES, rules=TEXT, target=WHOLE, fewest=FLAG,
        seats=listed(record(name=TEXT, side=WHOLE, who=TEXT, level=maybe(WHOLE),
                            kind={"enum": ["person", "engine", "player", "cmd"]})),
        stage={"enum": ["playing", "between", "over"]}, smazzata=WHOLE, scores=WHOLES,
        winners=WHOLES, cut=FLAG, position=named("Position"), log=listed(named("Step")),
        sheet=maybe(named("Sheet")), can_take_back=FLAG, taken_back=WHOLE,
        problem=maybe(record(seat=WHOLE, message=TEXT))),
    "Summary": record(
        game=TEXT, rules=TEXT, names=listed(TEXT), stage=TEXT, smazzata=WHOLE, scores=WHOLES,
        target=WHOLE, changed=NUMBER),
    "Summaries": record(games=listed(named("Summary")), count=WHOLE),
    "Made": record(game=TEXT, links=mapped(TEXT), view=maybe(named("View"))),
    "Links": record(links=mapped(TEXT)),
    "LegalActions": record(legal=listed(named("Legal"))),
    "Rules": record(
        rules=TEXT, preset=TEXT, tradition=TEXT, players=WHOLE, sides=WHOLE, target=WHOLE,
        fewest=FLAG, options=mapped(TEXT), changed=listed(TEXT)),
    "Presets": record(families=listed(record(
        fewest=FLAG,
        presets=listed(record(name=TEXT, tradition=TEXT, changes=TEXT, players=WHOLE)),
        options=listed(record(
            name=TEXT, help=TEXT, takes=TEXT, default=TEXT, choices=listed(TEXT),
            kind={"enum": ["flag", "choice", "number", "text"]}))))),
    "Bots": record(bots=listed(record(
        id=TEXT, name=TEXT, kind={"enum": ["engine", "player", "cmd"]}, level=maybe(WHOLE),
        presets=listed(TEXT)))),
    "Settings": {"type": "object"},
    "Candidate": record(
        action=TEXT, points=NUMBER, error=NUMBER, loss=NUMBER, loss_error=NUMBER, match=NUMBER,
        visits=WHOLE, exact=FLAG, pv=listed(TEXT)),
    "Judgement": record(
        **{"number": WHOLE, "action": TEXT, "best": TEXT, "points": NUMBER, "loss": NUMBER,
           "loss_error": NUMBER, "match_loss": NUMBER, "why": maybe(mapped(NUMBER)),
           "class": {"enum": ["best", "fine", "doubtful", "mistake", "blunder", "forced"]}}),
    "Records": record(records=listed(record(
        text=TEXT, rules=TEXT, names=listed(maybe(TEXT)), points=WHOLES, ending=TEXT,
        viewer=maybe(WHOLE), start=TEXT, moves=listed(TEXT), positions=listed(TEXT)))),
}
