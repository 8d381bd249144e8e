"""The API over real HTTP: what it answers, what it refuses, what it gives away."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.tables import RULES, alike, play_out
from support.web import Asker, serving

from cirulla_ai import Rules, State
from cirulla_ai.history import History
from cirulla_ai.play import Game
from cirulla_ai.records import read_records
from cirulla_ai.web.endpoints import ENDPOINTS, openapi
from cirulla_ai.web.server import Server

DOCUMENT = openapi()


def run(folder: Path, work: Callable[[Server, Asker], Coroutine[Any, Any, None]]) -> None:
    """Do something with a server."""
    async def main() -> None:
        async with serving(folder) as (server, owner):
            await work(server, owner)

    asyncio.run(main())


def valid(name: str, answer: object) -> Any:
    """An answer that is as the document says."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    Draft202012Validator(schema).validate(answer)
    return answer


async def turn_of(asker: Asker, game: str, seat: int = 0) -> dict[str, Any]:
    """A seat's view when it is its turn, or nobody's."""
    while True:
        view = valid("View", await asker.get(f"/api/games/{game}?seat={seat}"))
        assert view["problem"] is None
        if view["position"]["turn"] in (None, seat):
            return view  # type: ignore[no-any-return]
        await asyncio.sleep(0.01)


# --- what it is -------------------------------------------------------------------------

def test_the_document_is_whole() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    names = re.findall('"#/components/schemas/([A-Za-z]+)"', json.dumps(DOCUMENT))
    assert set(names) == set(DOCUMENT["components"]["schemas"])
    operations = [op for path in DOCUMENT["paths"].values() for op in path.values()]
    assert len({op["operationId"] for op in operations}) == len(operations) == len(ENDPOINTS)
    for endpoint in ENDPOINTS:
        if endpoint.body is not None:
            Draft202012Validator.check_schema(endpoint.body.schema())


def test_the_table_of_the_docs_has_every_endpoint() -> None:
    page = Path(__file__).parents[2] / "docs" / "api.md"
    if not page.is_file():
        pytest.skip("the documents are not here")
    text = page.read_text("utf-8")
    for endpoint in ENDPOINTS:
        path = endpoint.path.replace("{game}", "ID").replace("{place}", "S")
        assert f"`{endpoint.method} {path}`" in text, path


def test_the_document_stands_in_the_docs() -> None:
    page = Path(__file__).parents[2] / "docs" / "openapi.json"
    if not page.is_file():
        pytest.skip("the documents are not here")
    assert json.loads(page.read_text("utf-8")) == DOCUMENT, WRITE


# How to bring it up to date.
WRITE = ("python -c 'import json; from cirulla_ai.web.endpoints import openapi; "
         "print(json.dumps(openapi(), indent=1, ensure_ascii=False))' > docs/openapi.json")


def test_presets_bots_rules_and_settings(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        assert await owner.get("/openapi.json") == DOCUMENT
        families = valid("Presets", await owner.get("/api/presets"))["families"]
        presets = [preset["name"] for family in families for preset in family["presets"]]
        assert set(presets) == {Rules.parse(rules).preset for rules in RULES}
        bots = valid("Bots", await owner.get("/api/bots"))["bots"]
        assert {"level-0", "level-20", "greedy", "random"} <= {bot["id"] for bot in bots}
        assert "cheat" not in {bot["id"] for bot in bots}
        rules = valid("Rules", await owner.post("/api/rules", {"rules": "scopa players=3"}))
        assert (rules["players"], rules["changed"]) == (3, ["players", "rounds"])
        settings = await owner.get("/api/settings")
        assert settings["tables"] == []
        chosen = {"language": "it",
                  "tables": [{"name": "Mine", "rules": "rules=cirulla TARGET=31"}],
                  "page": {"deck": "four"}}
        async with owner.ask("PUT", "/api/settings", chosen) as answer:
            assert answer.status == 200
        assert (await owner.get("/api/settings")) == {
            **settings, **chosen, "tables": [{"name": "Mine", "rules": "cirulla target=31"}]}

    run(tmp_path, work)


@pytest.mark.parametrize("rules", RULES)
def test_a_match_against_engines(tmp_path: Path, rules: str) -> None:
    """Every answer is as the document says, in every preset."""
    random = Random(rules)

    async def work(server: Server, owner: Asker) -> None:
        parsed = Rules.parse(rules)
        made = valid("Made", await owner.post("/api/games", {
            "rules": f"{rules} target=6" if "target" not in rules else rules, "seed": 3,
            "seats": [{"who": "me", "name": "A"}, *[{"who": "level-0"}] * (parsed.players - 1)]}))
        game = made["game"]
        path = f"/api/games/{game}"
        asked = 0
        while (view := await turn_of(owner, game))["stage"] != "over":
            if view["stage"] == "between":
                sheet = valid("Sheet", await owner.get(f"{path}/sheet"))
                assert sheet == view["sheet"]
                valid("View", await owner.post(f"{path}/next"))
                continue
            legal = valid("LegalActions", await owner.get(f"{path}/legal"))["legal"]
            assert legal == view["position"]["legal"]
            assert legal
            if asked < 3:
                hint = valid("Candidate", await owner.post(f"{path}/hint", {"nodes": 50}))
                assert hint["action"] in [one["action"] for one in legal]
                stream = await owner.events(f"{path}/analysis?nodes=50&top=2", 5)
                assert [name for name, _ in stream] == ["analysis", "end"]
            action = random.choice(legal)["action"]
            after = valid("View", await owner.post(
                f"{path}/actions", {"action": action, "version": view["version"]}))
            assert after["version"] > view["version"]
            if asked < 3:
                judged = valid("Judgement", await owner.get(
                    f"{path}/judgement?nodes=50&number={len(view['log'])}"))
                assert judged["action"] == action
                asked += 1
        records = list(read_records((await owner.bytes("GET", f"{path}/record")).decode()))
        assert [record.final.is_over for record in records] == [True] * view["smazzata"]
        assert records[-1].final.match_winners() == tuple(view["winners"])
        read = valid("Records", await owner.post("/api/records", {
            "text": (await owner.bytes("GET", f"{path}/record")).decode()}))["records"]
        assert [one["points"] for one in read] == [list(r.result.points) for r in records]
        summary, = valid("Summaries", await owner.get("/api/games"))["games"]
        assert (summary["game"], summary["stage"]) == (game, "over")

    run(tmp_path, work)


def test_a_smazzata_is_judged_and_reviewed_when_it_is_over(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        made = await owner.post("/api/games", {
            "rules": "cirulla", "seed": 3, "seats": [{"who": "me", "name": "A"}, {"who": "me"}]})
        path = f"/api/games/{made['game']}"
        assert (await owner.refused("GET", f"{path}/annotations"))[0] == 404
        assert (await owner.refused("GET", f"{path}/review"))[0] == 404
        while (view := await owner.get(path))["stage"] == "playing":
            await owner.post(f"{path}/actions", {
                "action": view["position"]["legal"][0]["action"]})
        text = (await owner.bytes("GET", f"{path}/record")).decode()
        found = await owner.events(f"{path}/annotations?nodes=50", 99)
        progress = [data for name, data in found if name == "progress"]
        total = progress[0]["total"]
        assert [data["done"] for data in progress] == list(range(1, total + 1))
        assert [name for name, _ in found[-2:]] == ["annotation", "end"]
        annotation = found[-2][1]
        assert (annotation["kind"], annotation["players"][0]) == ("annotation", "A")
        record, = read_records(text)
        assert [one["action"] for one in annotation["decisions"]] == [
            ply.word for ply in record.plies]
        # The same of the text; at once, since it is known.
        again = await owner.events("/api/annotations", 99, {"text": text, "nodes": 50})
        assert [name for name, _ in again] == ["progress", "annotation", "end"]
        assert again[1][1] == annotation
        for method, where, body in (
            ("GET", f"{path}/review?nodes=50&language=it", None),
            ("POST", "/api/reviews", {"text": text, "nodes": 50, "language": "it"}),
        ):
            async with owner.ask(method, where, body) as answer:
                page = await answer.text()
                assert answer.headers["Content-Type"].startswith("text/html")
                assert answer.headers["Content-Security-Policy"].startswith("sandbox")
            assert page.startswith("<!")
            assert '<html lang="it"' in page
        for wrong in ("", "nonsense", "x" * 10):
            assert (await owner.refused("POST", "/api/annotations", {"text": wrong}))[0] == 400

    run(tmp_path, work)


# --- what a seat is told ----------------------------------------------------------------

@pytest.mark.parametrize("rules", RULES)
def test_no_byte_sent_to_a_seat_depends_on_a_card_hidden_from_it(
    tmp_path: Path, rules: str
) -> None:
    """Two truths that a seat can't tell apart, played alike: all that it is sent is the same."""
    random = Random(rules)
    whole = Game(rules, seed=11)
    play_out(whole, random)
    record = whole.records[0]
    history = History(record.start, *(ply.word for ply in record.plies))
    players = whole.rules.players

    async def everything(asker: Asker, game: str, view: dict[str, Any], seat: int) -> list[bytes]:
        path = f"/api/games/{game}"
        found = [await asker.bytes("GET", path), await asker.bytes("GET", f"{path}/legal"),
                 await asker.bytes("GET", f"{path}/record")]
        for name, event in await asker.events(f"{path}/events", 1):
            assert name == "view"
            found.append(json.dumps(event).encode())
        found.append((await asker.messages(f"{path}/socket", 1))[0].encode())
        if view["position"]["turn"] == seat:
            found.append(await asker.bytes("POST", f"{path}/hint", {"nodes": 30}))
            _, analysis = (await asker.events(f"{path}/analysis?nodes=30", 1))[0]
            found.append(json.dumps({**analysis, "seconds": 0}).encode())
        if any(step.get("seat") == seat for step in view["log"]):
            found.append(await asker.bytes("GET", f"{path}/judgement?nodes=30"))
        return [data.replace(game.encode(), b"GAME") for data in found]

    async def work(server: Server, owner: Asker) -> None:
        compared = 0
        for seat in range(players):
            steps = random.randrange(len(history.steps) // 2, len(history.steps))
            other = alike(history, seat, steps, random) or alike(
                history, seat, steps // 2, random)
            if other is None:
                continue
            steps = len(other.steps)
            looks = {0, 1, 2, steps, *random.sample(range(steps + 1), min(5, steps + 1))}
            truths, games = (history, other), []
            for truth in truths:
                made = await owner.post("/api/games", {
                    "start": str(truth.start), "seed": 1, "seats": [{"who": "guest"}] * players})
                tokens = {int(k): link.partition("token=")[2] for k, link in made["links"].items()}
                assert made["view"] is None
                games.append((made["game"], {k: owner.holding(tokens[k]) for k in tokens}))
            for number in range(steps + 1):
                if number in looks:
                    sent = []
                    for game, askers in games:
                        view = await askers[seat].get(f"/api/games/{game}")
                        sent.append(await everything(askers[seat], game, view, seat))
                    assert sent[0] == sent[1]
                if number < steps:
                    for (game, askers), truth in zip(games, truths, strict=True):
                        turn = truth.states[number].turn
                        assert turn is not None
                        await askers[turn].post(f"/api/games/{game}/actions",
                                                {"action": str(truth.steps[number])})
            # They were different all the time.
            kept = [server.api.sittings.get(game).game.history for game, _ in games]
            assert kept[0].start != kept[1].start
            assert [one.start for one in kept] == [truth.start for truth in truths]
            compared += 1
        assert compared

    run(tmp_path, work)


def test_a_guest_plays_its_seat_and_sees_no_other(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        made = await owner.post("/api/games", {
            "rules": "scopa", "seed": 3, "seats": [{"who": "me"}, {"who": "guest"}]})
        game, link = made["game"], made["links"]["1"]
        assert list(made["links"]) == ["1"]
        guest = owner.holding(link.partition("token=")[2])
        path = f"/api/games/{game}"
        mine, its = await owner.get(path), await guest.get(path)
        assert (mine["seat"], mine["yours"], its["seat"], its["yours"]) == (0, [0], 1, [1])
        assert len(its["position"]["hands"][1]["cards"]) == 3
        assert its["position"]["hands"][0] == {
            "cards": [], "unknown": 3, "shown": [], "claimed": 0}
        for asker, seat in ((owner, 1), (guest, 0)):
            status, said = await asker.refused("GET", f"{path}?seat={seat}")
            assert (status, said["field"]) == (400, "seat")
        assert (await guest.refused("POST", f"{path}/actions", {"action": "7H"}))[0] == 409
        for method, where in (("GET", "/api/games"), ("POST", "/api/games"), ("DELETE", path),
                              ("GET", f"{path}/links"), ("PUT", f"{path}/seats/0"),
                              ("GET", "/api/settings"), ("POST", "/api/records")):
            assert (await guest.refused(method, where))[0] == 403
        other = await owner.post("/api/games", {"rules": "scopa"})
        status, said = await guest.refused("GET", f"/api/games/{other['game']}")
        assert status == 404
        # The same is said of one that there is not.
        assert said["error"].replace(other["game"], "0" * 16) == (
            await guest.refused("GET", f"/api/games/{'0' * 16}"))[1]["error"]
        action = mine["position"]["legal"][0]["action"]
        await owner.post(f"{path}/actions", {"action": action})
        assert (await guest.get(path))["position"]["turn"] == 1

    run(tmp_path, work)


def test_changes_come_to_all_that_watch(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        made = await owner.post("/api/games", {"rules": "scopa", "seed": 3,
                                               "seats": [{"who": "me"}, {"who": "level-0"}]})
        path = f"/api/games/{made['game']}"
        tabs = [asyncio.create_task(owner.events(f"{path}/events", 60)) for _ in range(3)]
        sockets = [asyncio.create_task(owner.messages(f"{path}/socket", 60)) for _ in range(20)]
        await asyncio.sleep(0.2)
        view = await turn_of(owner, made["game"])
        for _ in range(3):
            await owner.post(f"{path}/actions",
                             {"action": view["position"]["legal"][0]["action"]})
            view = await turn_of(owner, made["game"])
        async with owner.ask("DELETE", path) as answer:
            assert answer.status == 204
        for tab in tabs:
            *views, (last, _) = await tab
            assert last == "end"
            assert views[-1][1]["version"] == view["version"]
            versions = [data["version"] for _, data in views]
            assert versions == sorted(set(versions))
        for socket in sockets:
            *said, last = map(json.loads, await socket)
            assert last == {"event": "end", "data": {}}
            assert {one["event"] for one in said} == {"view"}
            assert said[-1]["data"] == views[-1][1]
        assert (await owner.refused("GET", path))[0] == 404

    run(tmp_path, work)


# --- whatever is asked --------------------------------------------------------------------

def test_nothing_that_is_asked_makes_it_fail(tmp_path: Path) -> None:
    """Random requests: each is answered, none by an error of the server's own."""
    random = Random(17)
    states = [str(State.deal(rules, seed=1).view(0)) for rules in ("cirulla", "scopone", "ciapano")]

    def value(depth: int = 0) -> Any:
        kinds: list[Callable[[], Any]] = [
            lambda: None, lambda: random.choice((True, False)), lambda: random.randrange(-2, 9),
            lambda: random.choice((2**64, 1e300, 0.5, -1)),
            lambda: random.choice(("", "7H", "7Hx3S", "!3C4D7H=2", "pass", ">?", "@3C", "me",
                                   "guest", "level-0", "greedy", "cirulla", "scopa target=3", "é\0",
                                   "en", *states)),
            lambda: [value(depth + 1) for _ in range(random.randrange(4))],
            lambda: {random.choice(("who", "name", "rules", "x")): value(depth + 1)},
        ]
        return random.choice(kinds[:5] if depth > 2 else kinds)()

    async def work(server: Server, owner: Asker) -> None:
        game = (await owner.post("/api/games", {"rules": "scopa", "seats": [
            {"who": "me"}, {"who": "me"}]}))["game"]
        seen = set()
        for _ in range(600):
            endpoint = random.choice(ENDPOINTS)
            path = endpoint.path.replace("{game}", random.choice((game, game, game, "x"))).replace(
                "{place}", random.choice("01x9"))
            words = [f"{name}={random.choice(('0', '1', '2', 'x', ''))}" for name in endpoint.query
                     if random.random() < 0.4]
            body: object = None
            if endpoint.body is not None:
                body = {name: value() for name in endpoint.body.fields
                        if name in endpoint.body.needed or random.random() < 0.2}
                if "nodes" in endpoint.body.fields:
                    body["nodes"] = 5
                body = random.choice((body, body, body, value(), "{", b"\xff"))
            if "nodes" in endpoint.query:
                words = [word for word in words if not word.startswith("nodes")] + ["nodes=5"]
            if endpoint.name == "delete":
                path = path.replace(game, "0" * 16)
            async with owner.ask(endpoint.method, f"{path}?{'&'.join(words)}", body) as answer:
                seen.add(answer.status)
                assert answer.status < 500, (endpoint.name, words, body, await answer.text())
                if endpoint.answer not in ("views", "socket"):
                    await answer.read()
        assert {200, 201, 400, 404, 409} <= seen
        assert (await owner.get("/api/games"))["count"] > 1

    run(tmp_path, work)


# --- taking back, sitting down, positions -------------------------------------------------

def test_a_play_is_taken_back_and_a_seat_taken_by_another(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        made = await owner.post("/api/games", {"rules": "cirulla", "seed": 3})
        game = made["game"]
        path = f"/api/games/{game}"
        view = await turn_of(owner, game)
        assert view["seats"][1]["who"] == "level-20"
        assert (await owner.refused("POST", f"{path}/back"))[0] == 409
        start = view["position"]["state"]
        await owner.post(f"{path}/actions", {"action": view["position"]["legal"][0]["action"]})
        view = await turn_of(owner, game)
        assert view["can_take_back"]
        back = await owner.post(f"{path}/back")
        assert (back["position"]["state"], back["taken_back"]) == (start, 1)
        async with owner.ask("PUT", f"{path}/seats/1", {"who": "greedy"}) as answer:
            assert valid("View", await answer.json())["seats"][1]["name"] == "greedy"
        for body, field in (({"who": "nobody"}, "who"), ({}, "who"), ({"who": 5}, "who")):
            assert (await owner.refused("PUT", f"{path}/seats/1", body)) [1]["field"] == field
        assert (await owner.refused("PUT", f"{path}/seats/7", {"who": "me"}))[0] == 404
        assert (await owner.refused("PUT", f"{path}/seats/0", {"who": "level-1"}))[0] == 400
        await owner.post(f"{path}/actions", {"action": back["position"]["legal"][0]["action"]})
        await turn_of(owner, game)
        text = (await owner.bytes("GET", f"{path}/record")).decode()
        assert '[TakenBack "1"]' in text
        assert "took back 0:" in text

    run(tmp_path, work)


def test_positions_are_set_up_and_analysed(tmp_path: Path) -> None:
    state = "rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0"

    async def work(server: Server, owner: Asker) -> None:
        position = valid("Position", await owner.post("/api/positions", {"state": state}))
        assert position["state"] == str(State.parse(state))
        assert [one["action"] for one in position["legal"]] == [
            "!3C4D7H=1", "!3C4D7H=2", "3CxAS5D6C", "4Dx5D6C", "4DxASKD", "7HxAS6C"]
        after = await owner.post("/api/positions", {"state": state, "moves": ["4DxASKD", "2S"]})
        assert after["turn"] == 0
        # What another seat may be seen to do, whose hand is not known.
        other = {"state": state, "moves": ["4DxASKD"]}
        assert valid("Position", await owner.post("/api/positions", other))["legal"] == []
        seen = valid("Position", await owner.post("/api/positions", {**other, "holding": "AH"}))
        assert [one["action"] for one in seen["legal"]] == ["AHx5D6C"]
        assert seen["legal"][0]["sweeps"]
        assert (await owner.refused("POST", "/api/positions", {**other, "holding": "8H"}))[1][
            "field"] == "holding"
        wrong: tuple[tuple[dict[str, Any], str], ...] = (
            ({"state": "nonsense"}, "state"), ({"state": state, "moves": ["8H"]}, "moves"),
            ({"state": state.replace("KD", "7H")}, "state"), ({}, "state"),
            ({"state": state, "moves": [7]}, "moves[0]"), ({"state": "x" * 3000}, "state"),
            ({"state": state, "colour": "blue"}, "colour"),
        )
        for body, field in wrong:
            status, said = await owner.refused("POST", "/api/positions", body)
            assert (status, said["field"]) == (400, field)
        found = await owner.events("/api/analysis", 9, {"state": state, "nodes": 4000, "top": 3})
        assert [name for name, _ in found] == ["analysis"] * 3 + ["end"]
        assert [data["limit"] for name, data in found[:-1]] == [
            {"nodes": 1000}, {"nodes": 2000}, {"nodes": 4000}]
        assert all(len(data["actions"]) == 3 for _, data in found[:-1])
        assert found[2][1]["actions"][0]["action"] == "!3C4D7H=1"
        useless: tuple[dict[str, Any], ...] = (
            {"state": state, "moves": ["4DxASKD"]}, {"state": state, "nodes": 0},
            {"state": "rules=scopa"})
        for body in useless:
            assert (await owner.refused("POST", "/api/analysis", body))[0] == 400

    run(tmp_path, work)


@pytest.mark.parametrize(("body", "field"), [
    ({"rules": "nonsense"}, "rules"), ({"rules": "cirulla players=5"}, "rules"),
    ({"rules": 5}, "rules"), ({"seats": []}, "seats"),
    ({"seats": [{"who": "level-20"}] * 2}, "seats"),
    ({"seats": [{"who": "me"}]}, None), ({"seats": [{"who": "cheat"}, {"who": "me"}]},
                                         "seats[0].who"),
    ({"seats": [{}]}, "seats[0].who"), ({"seats": [{"who": "me"}] * 5}, "seats"),
    ({"seed": -1}, "seed"), ({"seed": "x"}, "seed"), ({"seed": True}, "seed"),
    ({"seed": 1.5}, "seed"),
    ({"seed": 2**64}, "seed"), ({"dealer": 2}, None), ({"scores": [1]}, None),
    ({"scores": [60, 0]}, None), ({"start": "nonsense"}, "start"),
    ({"start": str(State.deal("scopa", seed=1)), "rules": "scopa"}, "rules"),
    ({"colour": 1}, "colour"), ([], None), ("nonsense", None), ("[" * 10_000, None),
    ({"seats": [{"who": "me", "name": "A" * 61}, {"who": "me"}]}, "seats[0].name"),
    (b"\xff\xfe{}", None), ("NaN", None), ({"start": "x" * 2001}, "start"),
])
def test_a_game_that_can_not_be_is_refused(
    tmp_path: Path, body: object, field: str | None
) -> None:
    async def work(server: Server, owner: Asker) -> None:
        status, said = await owner.refused("POST", "/api/games", body)
        assert (status, said["field"]) == (400, field), said
        assert (await owner.get("/api/games"))["games"] == []

    run(tmp_path, work)
