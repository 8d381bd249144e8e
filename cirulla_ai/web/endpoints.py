"""The endpoints of the API, once: the server answers by this table, and OpenAPI is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cirulla_ai.basics.numbers import MAX_SEED
from cirulla_ai.engine.levels import FULL
from cirulla_ai.games.reader import MAX_POINTS
from cirulla_ai.look.words import LANGUAGES
from cirulla_ai.version import __version__
from cirulla_ai.web.answers import ANSWERS
from cirulla_ai.web.fields import Anything, Field, Fields, Flag, ListOf, OneOf, Text, Whole

__all__ = ["ENDPOINTS", "MOST_BYTES", "Endpoint", "openapi"]

# Of a request's body.
MOST_BYTES = 256 * 1024
MOST_STEPS = 400
MOST_NODES = 2_000_000
MOST_SMAZZATE = 10_000

ACTION = Text(40, "an action, as 7Hx3S5C")
STATE = Text(2000, "a state string")
RULES = Text(2000, "a preset and options, as cirulla target=31")
SEAT = Whole(0, 3, "a seat of yours; needed where several are")
NODES = Whole(1, MOST_NODES, "search iterations")
TOP = Whole(1, 500, "how many actions, the best first")
WHO = Text(60, "me, guest, or the id of one of /api/bots")
MOVES = ListOf(Text(60), MOST_STEPS, "actions since, and @CARDS for the viewer's new hands")


@dataclass(frozen=True)
class Endpoint:
    """One thing that can be asked for.

    ``name`` is that of the method that answers; ``access``: ``anyone``, ``owner``, or ``seat``,
    who plays in the game that the path names; ``answer`` is one of ``ANSWERS``, of
    ``STREAMS``, of ``TEXTS``, or nothing.
    """

    method: str
    path: str
    name: str
    help: str
    access: str
    answer: str = ""
    status: int = 200
    query: Mapping[str, Field] = field(default_factory=dict)
    body: Fields | None = None


SETTINGS = Fields({
    "language": OneOf(LANGUAGES),
    "level": Whole(0, FULL, "of the engines at a new table"),
    "coach": Flag("whether a play that loses much is remarked on"),
    "threshold": Whole(0, 1000, "from how many hundredths of a point on"),
    "tables": ListOf(Fields({"name": Text(60), "rules": RULES}, ("name", "rules")), 100,
                     "rules of one's own tables"),
    "page": Anything(16_384, "whatever the page keeps"),
})
NEW_GAME = Fields({
    "rules": RULES,
    "seats": ListOf(Fields({"who": WHO, "name": Text(60)}, ("who",)), 4,
                    "who sits where; left out: you, and the engine at its full level"),
    "dealer": Whole(0, 3, "the seat that deals first; left out: the last"),
    "seed": Whole(0, MAX_SEED, "makes all deals; left out: a secret one"),
    "scores": ListOf(Whole(0, MAX_POINTS), 3, "match points before, a side"),
    "start": STATE,
})
POSITION = {"state": STATE, "moves": MOVES}

FINISHED = {"seat": SEAT, "nodes": NODES,
            "smazzata": Whole(1, MOST_SMAZZATE, "only this one")}

# Those with the game in their path are below GAME.
GAME = "/api/games/{game}"
SEATED = {"seat": SEAT}
ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/presets", "presets", "families, presets and options, explained",
             "anyone", "Presets"),
    Endpoint("GET", "/api/bots", "bots", "who can sit at a table", "owner", "Bots"),
    Endpoint("POST", "/api/rules", "rules", "whether rules can be played, and what they are",
             "owner", "Rules", body=Fields({"rules": RULES}, ("rules",))),
    Endpoint("GET", "/api/settings", "settings", "what the owner has chosen", "owner", "Settings"),
    Endpoint("PUT", "/api/settings", "set_settings", "choose; what is left out is as at first",
             "owner", "Settings", body=SETTINGS),
    Endpoint("GET", "/api/games", "games", "the games, the last changed first", "owner",
             "Summaries", query={"most": Whole(1, 1000, "how many; left out: a hundred")}),
    Endpoint("POST", "/api/games", "new_game", "begin a game", "owner", "Made", 201,
             body=NEW_GAME),
    Endpoint("GET", GAME, "view", "what your seat sees", "seat", "View", query=SEATED),
    Endpoint("DELETE", GAME, "delete", "throw a game away", "owner", "", 204),
    Endpoint("GET", f"{GAME}/links", "links", "a link for each guest's seat", "owner", "Links"),
    Endpoint("PUT", f"{GAME}/seats/{{place}}", "sit", "another takes a seat, or the same anew",
             "owner", "View", query=SEATED,
             body=Fields({"who": WHO, "name": Text(60)}, ("who",))),
    Endpoint("GET", f"{GAME}/legal", "legal", "your legal actions, none where it is not your turn",
             "seat", "LegalActions", query=SEATED),
    Endpoint("POST", f"{GAME}/actions", "act", "play", "seat", "View", query=SEATED, body=Fields(
        {"action": ACTION, "version": Whole(0, MAX_SEED, "refused where the game has changed "
                                            "since this version")}, ("action",))),
    Endpoint("POST", f"{GAME}/next", "deal", "deal the next smazzata", "seat", "View",
             query=SEATED),
    Endpoint("POST", f"{GAME}/back", "take_back",
             "take back your last action and what the engines did since", "seat", "View",
             query=SEATED),
    Endpoint("POST", f"{GAME}/hint", "hint", "what the engine would play; it is noted in the "
             "record", "seat", "Candidate", query=SEATED, body=Fields({"nodes": NODES})),
    Endpoint("GET", f"{GAME}/judgement", "judgement", "what a play of yours was worth", "seat",
             "Judgement", query={**SEATED, "nodes": NODES, "number": Whole(
                 0, MOST_STEPS, "the play's number in the log; left out: your last"),
                 "why": Flag("whether to work out what makes the difference")}),
    Endpoint("GET", f"{GAME}/analysis", "watch", "what the engine thinks of your decision, better "
             "and better", "seat", "analyses", query={**SEATED, "nodes": NODES, "top": TOP}),
    Endpoint("GET", f"{GAME}/events", "events", "your view, at once and after every change", "seat",
             "views", query=SEATED),
    Endpoint("GET", f"{GAME}/socket", "socket", "the same over a WebSocket, of which a browser "
             "opens more", "seat", "socket", 101, query=SEATED),
    Endpoint("GET", f"{GAME}/sheet", "sheet", "the score sheet of a finished smazzata", "seat",
             "Sheet", query={**SEATED, "smazzata": Whole(1, MOST_SMAZZATE, "left out: the last")}),
    Endpoint("GET", f"{GAME}/record", "record", "finished smazzate whole, the one that runs as you "
             "saw it", "seat", "text",
             query={**SEATED, "smazzata": Whole(1, MOST_SMAZZATE, "only this one")}),
    Endpoint("GET", f"{GAME}/annotations", "annotations", "finished smazzate judged, decision by "
             "decision", "seat", "annotations", query=FINISHED),
    Endpoint("GET", f"{GAME}/review", "review", "the same as a page", "seat", "page",
             query={**FINISHED, "language": OneOf(LANGUAGES)}),
    Endpoint("POST", "/api/annotations", "annotate", "records judged, decision by decision",
             "owner", "annotations", body=Fields(
                 {"text": Text(MOST_BYTES), "nodes": NODES}, ("text",))),
    Endpoint("POST", "/api/reviews", "review_records", "the same as a page", "owner", "page",
             body=Fields({"text": Text(MOST_BYTES), "nodes": NODES,
                          "language": OneOf(LANGUAGES)}, ("text",))),
    Endpoint("POST", "/api/records", "read", "records read, checked and played through", "owner",
             "Records", body=Fields({"text": Text(MOST_BYTES)}, ("text",))),
    Endpoint("POST", "/api/positions", "position", "a position set up: is it one, and what is "
             "legal", "owner", "Position", body=Fields({**POSITION, "holding": Text(
                 80, "cards that the seat to move is taken to have, where its hand is not known: "
                 "legal is what it may do with them")}, ("state",))),
    Endpoint("POST", "/api/analysis", "analyse", "what the engine thinks of a position", "owner",
             "analyses", body=Fields({**POSITION, "nodes": NODES, "top": TOP}, ("state",))),
)

STREAMS = {
    "views": "server-sent events: `view`, each with a View, its id the version",
    "socket": "a WebSocket: messages `{\"event\": \"view\", \"data\": View}`, and one `end`",
    "analyses": "server-sent events: `analysis`, each with an object of kind analysis of the JSON "
    "dialect; then `end`",
    "annotations": "server-sent events: `progress` with `done` of `total` parts, `annotation` with "
    "an object of kind annotation for each record; then `end`",
}
TEXTS = {"text": ("records as text", "text/plain"), "page": ("a page by itself", "text/html")}


def openapi() -> dict[str, Any]:
    """The OpenAPI document (3.1)."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "cirulla-ai", "version": __version__, "license": {
            "name": "MIT", "identifier": "MIT"},
            "description": "Games of cards with the engine at the table: a client is sent what its "
            "seat may see, and nothing else."},
        "paths": paths,
        "components": {"schemas": ANSWERS, "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer",
                      "description": "the token of the server's first address, or of a seat's "
                      "link"}}},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": part[1:-1], "in": "path", "required": True, "schema": {
            "type": "integer" if part == "{place}" else "string"}}
        for part in endpoint.path.split("/") if part.startswith("{")]
    for name, kind in endpoint.query.items():
        schema = {"enum": [0, 1]} if isinstance(kind, Flag) else kind.schema()
        parameters.append({"name": name, "in": "query", "description": kind.help,
                           "schema": schema})
    refusal = {"description": "refused: what was given, what is wrong, what would be right",
               "content": _json("Error")}
    operation: dict[str, Any] = {
        "operationId": endpoint.name, "summary": endpoint.help,
        "responses": {str(endpoint.status): _answer(endpoint), "4XX": refusal},
        "security": [] if endpoint.access == "anyone" else [{"token": []}],
    }
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": bool(endpoint.body.needed),
            "content": {"application/json": {"schema": endpoint.body.schema()}}}
    return operation


def _answer(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.answer == "socket":
        return {"description": STREAMS["socket"]}
    if endpoint.answer in STREAMS:
        return {"description": STREAMS[endpoint.answer],
                "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    if endpoint.answer in TEXTS:
        what, kind = TEXTS[endpoint.answer]
        return {"description": what, "content": {kind: {"schema": {"type": "string"}}}}
    if not endpoint.answer:
        return {"description": "done"}
    return {"description": endpoint.help, "content": _json(endpoint.answer)}


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
