"""The server as a process and as a fortress: who is let in, what is kept, how it ends."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.engines import REAL
from support.web import Asker, serving

from cirulla_ai.play import Seat
from cirulla_ai.web.guard import Guard
from cirulla_ai.web.server import Server
from cirulla_ai.web.sittings import MOST_IDLE, BusyError, Sittings
from cirulla_ai.web.tokens import Grants, Tokens


def run(folder: Path, work: Callable[[Server, Asker], Coroutine[Any, Any, None]],
        engines: tuple[Seat, ...] = ()) -> None:
    """Do something with a server."""
    async def main() -> None:
        async with serving(folder, engines) as (server, owner):
            await work(server, owner)

    asyncio.run(main())


# --- who is let in ----------------------------------------------------------------------

def test_hosts_origins_and_tokens(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        port = server.guard.port
        nobody = Asker(owner.session, owner.address, None)
        for path in ("/", "/api/presets", "/openapi.json", "/api/games"):
            for headers in (
                {"Host": f"evil.example:{port}"}, {"Host": "127.0.0.1"}, {"Host": ""},
                {"Host": f"127.0.0.1:{port + 1}"}, {"Host": f"192.0.2.7:{port}"},
                {"Origin": "http://evil.example"}, {"Origin": "null"},
                {"Origin": f"https://127.0.0.1:{port}"}, {"Origin": f"http://127.0.0.1:{port + 1}"},
                {"Origin": f"http://localhost:{port}"},
            ):
                assert (await owner.refused("GET", path, headers=headers))[0] == 403, headers
        for site in ("cross-site", "same-site"):
            assert (await owner.refused("GET", "/api/games", headers={
                "Sec-Fetch-Site": site}))[0] == 403
        for headers in ({"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"},
                        {"Host": f"[::1]:{port}"}, {"Sec-Fetch-Site": "same-origin"}, {}):
            async with owner.ask("GET", "/api/games", headers=headers) as answer:
                assert answer.status == 200
                # Not even a simple request's answer is for others.
                assert not [name for name in answer.headers if name.startswith("Access-Control")]
                assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
                assert answer.headers["Cache-Control"] == "no-store"
        async with owner.ask("OPTIONS", "/api/games", headers={
                "Origin": "http://evil.example",
                "Access-Control-Request-Method": "POST"}) as answer:
            assert answer.status == 403
        token = owner.token
        assert token is not None
        for wrong in ("", "x", token[:-1], token + "0", token.upper(), "ü"):
            someone = owner.holding(wrong)
            assert (await someone.refused("GET", "/api/games"))[0] == 401
        assert (await nobody.refused("GET", "/api/games"))[0] == 401
        for path in ("/", f"/?token={token[:-1]}"):
            async with nobody.ask("GET", path) as answer:
                assert answer.status == 401
                assert "has a token" in await answer.text()
                assert "Set-Cookie" not in answer.headers
        # It opens nothing but the first page.
        assert (await nobody.refused("GET", f"/api/games?token={token}"))[0] == 401

    run(tmp_path, work)


def test_a_socket_is_for_the_servers_own_page(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        path = f"/api/games/{(await owner.post('/api/games'))['game']}/socket"
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg=="}
        for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"},
                        {"Sec-Fetch-Site": "cross-site"}):
            assert (await owner.refused("GET", path, headers={**upgrade, **headers}))[0] == 403
        nobody = owner.holding("x")
        assert (await nobody.refused("GET", path, headers=upgrade))[0] == 401
        assert (await owner.refused("GET", f"{path}?seat=1", headers=upgrade))[0] == 400
        # No socket at all.
        assert (await owner.refused("GET", path))[0] == 400
        async with owner.session.ws_connect(owner.address + path, headers={
                "Authorization": f"Bearer {owner.token}"}) as socket:
            assert (await socket.receive()).json()["event"] == "view"
            # Whatever it says is of no use, and not too much of it.
            await socket.send_str("nonsense")
            await socket.send_bytes(b"x" * 5000)
            assert (await socket.receive()).type.name in ("CLOSE", "CLOSED", "ERROR")
        assert len(await owner.messages(path, 1)) == 1

    run(tmp_path, work)


def test_the_first_address_becomes_a_cookie(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        nobody = Asker(owner.session, owner.address, None)
        address = server.address.removeprefix(owner.address)
        async with nobody.ask("GET", address) as answer:
            assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
            page = await answer.text()
            assert '"0; url=/"' in page
            assert server.tokens.owner not in page
            cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        kept = {"Cookie": cookie.partition(";")[0]}
        async with nobody.ask("GET", "/", headers=kept) as answer:
            assert answer.status == 200
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        async with nobody.ask("GET", "/api/games", headers=kept) as answer:
            assert answer.status == 200
        made = await owner.post("/api/games", {"rules": "scopa", "seats": [
            {"who": "me"}, {"who": "guest"}]})
        link = made["links"]["1"].removeprefix(owner.address)
        async with nobody.ask("GET", link) as answer:
            assert f'"0; url=/?game={made["game"]}&amp;seat=1"' in await answer.text()
            guest = answer.headers["Set-Cookie"].partition(";")[0]
        async with nobody.ask("GET", f"/api/games/{made['game']}",
                              headers={"Cookie": guest}) as answer:
            assert (await answer.json())["yours"] == [1]
        # One browser may hold both.
        both = {"Cookie": f"{kept['Cookie']}; {guest}"}
        async with nobody.ask("GET", f"/api/games/{made['game']}?seat=1", headers=both) as answer:
            assert (await answer.json())["yours"] == [0, 1]

    run(tmp_path, work)


@pytest.mark.parametrize(("host", "names", "strangers"), [
    ("127.0.0.1", ["127.0.0.1:7", "localhost:7", "LOCALHOST:7", "[::1]:7"],
     ["192.0.2.7:7", "a.example:7", "127.0.0.1:8", "127.0.0.1", "", ":7", "7"]),
    ("0.0.0.0", ["192.0.2.7:7", "127.0.0.1:7", "[2001:db8::1]:7"], ["a.example:7", "192.0.2.7:8"]),
    ("192.0.2.7", ["192.0.2.7:7"], ["a.example:7"]),
])
def test_a_server_knows_its_names(host: str, names: list[str], strangers: list[str]) -> None:
    guard = Guard(Tokens(b"0" * 32), host)
    guard.port = 7
    assert [name for name in (*names, *strangers) if guard.is_own(name)] == names


def test_tokens_are_good_for_what_they_are_good_for() -> None:
    tokens, others = Tokens(b"0" * 32), Tokens(b"1" * 32)
    assert tokens.grants([tokens.owner]) == Grants(True)
    seat = tokens.seat("a", 1)
    assert tokens.grants([seat]).seats == {("a", 1)}
    for wrong in (others.owner, others.seat("a", 1), seat.replace("a.1", "a.2"),
                  seat.replace("a.1", "b.1"), "", ".", "a.1.", "a.9." + seat[4:]):
        assert not tokens.grants([wrong])


def test_what_is_too_large_or_malformed_is_refused(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        game = (await owner.post("/api/games", {"rules": "scopa", "seed": 3}))["game"]
        path = f"/api/games/{game}"
        text = json.dumps({"text": "x" * 300_000})
        assert (await owner.refused("POST", "/api/records", text))[0] == 413
        assert (await owner.refused("POST", "/api/games", b"\0" * 300_000))[0] == 413

        async def endless() -> Any:
            for _ in range(100):
                yield b" " * 10_000

        async with owner.session.post(f"{owner.address}/api/records", data=endless(), headers={
                "Authorization": f"Bearer {owner.token}"}) as answer:
            assert answer.status == 413
        for method, where, body, status in (
            ("GET", "/nothing", None, 404), ("GET", "/api/nothing", None, 404),
            ("PATCH", "/api/games", None, 405), ("GET", f"{path}?seat=x", None, 400),
            ("GET", f"{path}?seat=1", None, 400), ("GET", f"{path}?colour=blue", None, 400),
            ("GET", "/api/games/nonsense", None, 404), ("GET", "/api/games/..%2f..%2fsecret",
                                                       None, 404),
            ("POST", f"{path}/actions", "{", 400), ("POST", f"{path}/actions", "[]", 400),
            ("POST", f"{path}/actions", {}, 400), ("POST", f"{path}/actions", {"action": 5}, 400),
            ("POST", f"{path}/actions", {"action": "8H"}, 400),
            ("POST", f"{path}/actions", {"action": "7H", "version": 99}, 409),
            ("POST", f"{path}/next", None, 409), ("POST", f"{path}/next", "{}x", 400),
            ("GET", f"{path}/judgement?number=-1", None, 400),
            ("GET", f"{path}/judgement?number=0", None, 400),
            ("GET", f"{path}/judgement?why=maybe", None, 400),
            ("GET", f"{path}/analysis?nodes=0", None, 400),
            ("GET", f"{path}/analysis?nodes=99999999999", None, 400),
            ("GET", f"{path}/sheet", None, 404), ("GET", f"{path}/record?smazzata=2", None, 404),
            ("POST", f"{path}/hint", {"nodes": "many"}, 400),
            ("POST", "/api/records", {"text": "[Rules \"scopa\"]\n\n1. 0:8H"}, 400),
            ("PUT", "/api/settings", {"page": {"x": "y" * 20_000}}, 400),
            ("PUT", "/api/settings", {"language": "fr"}, 400),
            ("PUT", "/api/settings", {"tables": [{"name": "A", "rules": "nonsense"}]}, 400),
            ("GET", "/static/nothing", None, 404), ("GET", "/static/../guard.py", None, 404),
            ("GET", "/static/%2e%2e/guard.py", None, 404),
        ):
            assert (await owner.refused(method, where, body))[0] == status, (method, where, body)
        assert (await owner.get(path))["version"] == 0

    run(tmp_path, work)


def test_there_is_an_end_to_games_searches_and_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cirulla_ai.web import workshop

    monkeypatch.setattr(workshop, "MOST_STREAMS", 2)
    monkeypatch.setattr(workshop, "MOST_SEARCHES", 0)

    async def work(server: Server, owner: Asker) -> None:
        server.api.sittings._most = 2
        games = [(await owner.post("/api/games"))["game"] for _ in range(2)]
        status, said = await owner.refused("POST", "/api/games")
        assert (status, said["error"]) == (429, "there are 2 games; delete some first")
        path = f"/api/games/{games[0]}"
        assert (await owner.refused("POST", f"{path}/hint"))[0] == 429
        async with owner.ask("GET", f"{path}/events"), owner.ask("GET", f"{path}/events"):
            assert (await owner.refused("GET", f"{path}/events"))[0] == 429
        async with owner.ask("DELETE", path) as answer:
            assert answer.status == 204
        await owner.post("/api/games")

    run(tmp_path, work)
    assert issubclass(BusyError, Exception)


# --- the page's files -------------------------------------------------------------------

def test_files_may_be_kept_for_ever(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        page = (await owner.bytes("GET", "/")).decode()
        addresses = re.findall('"(/static/[^"]+)"', page)
        assert addresses
        for address in addresses:
            async with owner.ask("GET", address) as answer:
                assert answer.status == 200
                assert "immutable" in answer.headers["Cache-Control"]
                tag = answer.headers["ETag"]
                data = await answer.read()
            plain = re.sub("/static/[0-9a-f]{16}/", "/static/", address)
            async with owner.ask("GET", plain, headers={"If-None-Match": tag}) as answer:
                assert (answer.status, await answer.read()) == (304, b"")
                assert answer.headers["Cache-Control"] == "no-cache"
            async with owner.session.get(owner.address + address, auto_decompress=False, headers={
                    "Accept-Encoding": "gzip"}) as answer:
                zipped = await answer.read()
            if answer.headers.get("Content-Encoding") == "gzip":
                assert gzip.decompress(zipped) == data
                assert len(zipped) < len(data)
        assert b"<symbol" in await owner.bytes("GET", "/static/deck.svg")

    run(tmp_path, work)


# --- engines of others ------------------------------------------------------------------

def test_programs_sit_down_where_the_server_was_told_of_them(tmp_path: Path) -> None:
    good = Seat(bot=f"name=B,cmd='{' '.join(REAL)}',nodes=50")
    bad = Seat(bot="name=C,cmd=/no/such/engine")

    async def work(server: Server, owner: Asker) -> None:
        ids = [bot["id"] for bot in (await owner.get("/api/bots"))["bots"]]
        assert ids[-2:] == ["B", "C"]
        made = await owner.post("/api/games", {"rules": "scopa", "dealer": 0, "seed": 3, "seats": [
            {"who": "me"}, {"who": "B"}]})
        path = f"/api/games/{made['game']}"
        while (view := await owner.get(path))["position"]["turn"] != 0:
            assert view["problem"] is None
            await asyncio.sleep(0.05)
        assert view["log"][0]["seat"] == 1
        async with owner.ask("PUT", f"{path}/seats/1", {"who": "C"}) as answer:
            assert answer.status == 200
        await owner.post(f"{path}/actions", {"action": view["position"]["legal"][0]["action"]})
        while (view := await owner.get(path))["problem"] is None:
            await asyncio.sleep(0.05)
        assert view["problem"]["seat"] == 1
        assert "/no/such/engine" in view["problem"]["message"]
        # Nobody sees how it was started.
        assert not any("cmd" in str(value) and "/" in str(value)
                       for seat in view["seats"] for value in seat.values())
        async with owner.ask("PUT", f"{path}/seats/1", {"who": "level-0"}) as answer:
            assert answer.status == 200
        while (view := await owner.get(path))["position"]["turn"] != 0:
            assert view["problem"] is None
            await asyncio.sleep(0.02)

    run(tmp_path, work, (good, bad))


def test_an_engine_stops_thinking_when_the_game_goes_on_without_it(tmp_path: Path) -> None:
    # A minute for each decision, and as few threads as there are.
    slow = Seat(bot="name=slow,player=engine,movetime=60000")

    async def work(server: Server, owner: Asker) -> None:
        for _ in range(6):
            made = await owner.post("/api/games", {"rules": "cirulla", "seed": 3, "seats": [
                {"who": "me"}, {"who": "slow"}]})
            path = f"/api/games/{made['game']}"
            action = made["view"]["position"]["legal"][0]["action"]
            await owner.post(f"{path}/actions", {"action": action})
            await asyncio.sleep(0.1)
            back = await owner.post(f"{path}/back")
            assert back["position"] == made["view"]["position"]
            await owner.post(f"{path}/actions", {"action": action})
            await asyncio.sleep(0.1)
            async with owner.ask("PUT", f"{path}/seats/1", {"who": "level-0"}) as answer:
                assert (await answer.json())["position"]["turn"] == 1
            while (view := await owner.get(path))["position"]["turn"] != 0:
                assert view["problem"] is None
                await asyncio.sleep(0.02)
            await owner.post(f"{path}/back")
            async with owner.ask("PUT", f"{path}/seats/1", {"who": "slow"}) as answer:
                assert answer.status == 200
            await owner.post(f"{path}/actions", {"action": action})
            await asyncio.sleep(0.1)
            async with owner.ask("DELETE", path) as answer:
                assert answer.status == 204

    asyncio.run(asyncio.wait_for(_within(work, tmp_path, slow), 50))


async def _within(work: Callable[[Server, Asker], Coroutine[Any, Any, None]], folder: Path,
                  *engines: Seat) -> None:
    async with serving(folder, engines) as (server, owner):
        await work(server, owner)


# --- many, and for long -----------------------------------------------------------------

async def smazzata(owner: Asker, rules: str, seed: int) -> str:
    """Play one against the engine at its lowest level."""
    made = await owner.post("/api/games", {"rules": rules, "seed": seed, "seats": [
        {"who": "me"}, {"who": "level-0"}]})
    path = f"/api/games/{made['game']}"
    while (view := await owner.get(path))["stage"] == "playing":
        if view["position"]["turn"] == 0:
            await owner.post(f"{path}/actions", {
                "action": view["position"]["legal"][seed % len(view["position"]["legal"])][
                    "action"]})
        else:
            await asyncio.sleep(0.01)
    game: str = made["game"]
    return game


def test_twenty_at_once(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        games = await asyncio.gather(*(
            smazzata(owner, "cirulla", seed) for seed in range(20)))
        assert len(set(games)) == 20
        for game in games:
            text = (await owner.bytes("GET", f"/api/games/{game}/record")).decode()
            assert "Result" in text
            assert "unfinished" not in text

    run(tmp_path, work)


def test_memory_stays_as_it_is_over_many_games(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        async def several(seeds: range) -> int:
            for seed in seeds:
                made = await owner.post("/api/games", {"rules": "scopa", "seed": seed, "seats": [
                    {"who": "me"}, {"who": "guest"}]})
                path = f"/api/games/{made['game']}"
                legal = made["view"]["position"]["legal"]
                await owner.post(f"{path}/actions", {"action": legal[0]["action"]})
                assert await owner.events(f"{path}/events?seat=0", 1)
            gc.collect()
            return len(gc.get_objects())

        before = await several(range(100))
        after = await several(range(100, 400))
        assert len(server.api.sittings._open) <= MOST_IDLE + 2
        assert after < 1.02 * before + 500
        listed = await owner.get("/api/games?most=150")
        assert (len(listed["games"]), listed["count"]) == (150, 400)
        changed = [game["changed"] for game in listed["games"]]
        assert changed == sorted(changed, reverse=True)

    run(tmp_path, work)


# --- the process ------------------------------------------------------------------------

@contextmanager
def process(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """The command, its address and token."""
    started = subprocess.Popen(
        [sys.executable, "-m", "cirulla_ai", "web", "--no-open", *words], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env={**os.environ, "CIRULLA_DATA": str(folder / "data")})
    try:
        assert started.stdout is not None
        address, _, token = started.stdout.readline().strip().partition("/?token=")
        yield started, address, token
    finally:
        started.kill()
        started.wait()


def say(address: str, token: str, path: str, body: object = None) -> Any:
    """Ask a server that is a process."""
    request = urllib.request.Request(
        address + path, headers={"Authorization": f"Bearer {token}"},
        data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    game, view, tokens = "", {}, set()
    for number in range(4):
        with process(tmp_path) as (started, address, token):
            tokens.add(token)
            if not game:
                made = say(address, token, "/api/games", {
                    "rules": "cirulla", "seed": 5, "seats": [{"who": "me"}, {"who": "me"}]})
                game, view = made["game"], made["view"]
            for _ in range(3):
                path = f"/api/games/{game}"
                found = say(address, token, f"{path}?seat={view['seat']}")
                assert found == view
                mover = say(address, token, path)
                view = say(address, token, f"{path}/actions", {
                    "action": mover["position"]["legal"][-1]["action"]})
            started.send_signal(signal.SIGKILL)
            started.wait()
        assert started.returncode == -signal.SIGKILL
        assert view["version"] == 3 * (number + 1)
    assert len(tokens) == 1


def test_it_ends_with_ctrl_c_and_the_first_line_is_its_address(tmp_path: Path) -> None:
    with process(tmp_path) as (started, address, token):
        assert re.fullmatch("http://127.0.0.1:[0-9]+", address)
        assert len(token) >= 32
        # It is thinking, and somebody watches.
        made = say(address, token, "/api/games", {"rules": "cirulla"})
        request = urllib.request.Request(
            f"{address}/api/games/{made['game']}/events",
            headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=60):
            started.send_signal(signal.SIGINT)
            out, err = started.communicate(timeout=20)
    assert started.returncode in (0, 130)
    assert out == ""
    assert "Traceback" not in err


def test_bytes_that_are_no_request_harm_nothing(tmp_path: Path) -> None:
    with process(tmp_path) as (started, address, token):
        port = int(address.rpartition(":")[2])
        for data in (b"\xff" * 5000, b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"x" * 100_000,
                     b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", b"\r\n",
                     b"POST /api/games HTTP/1.1\r\nContent-Length: -5\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                answer = b""
                while more := line.recv(65536):
                    answer += more
            assert not answer or answer.split()[1].startswith(b"4")
        assert say(address, token, "/api/games")["games"] == []
        assert started.poll() is None


WITHOUT = """
import sys
for name in ("aiohttp", "platformdirs", "numpy", "rich", "scipy"):
    sys.modules[name] = None
from cirulla_ai.commands import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_the_extra_it_says_how_to_get_it_and_the_terminal_plays(tmp_path: Path) -> None:
    def without(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", WITHOUT, *words], text=True, input="1\n", cwd=tmp_path,
            env={**os.environ, "CIRULLA_DATA": str(tmp_path / "data")}, capture_output=True,
            check=False, timeout=60)

    done = without("web", "--no-open")
    assert (done.returncode, done.stdout) == (2, "")
    assert "aiohttp" in done.stderr
    done = without("play", "--seed", "3", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved: " in done.stdout


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with process(tmp_path):
        second = subprocess.run(
            [sys.executable, "-m", "cirulla_ai", "web", "--no-open"], text=True, cwd=tmp_path,
            env={**os.environ, "CIRULLA_DATA": str(tmp_path / "data")}, capture_output=True,
            check=False, timeout=60)
    assert second.returncode == 2
    assert "in use by another cirulla web" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(("words", "says"), [
    (["--port", "x"], "--port"), (["--port", "70000"], "65535"), (["--colour"], "--colour"),
    (["--engine", "player=nobody"], "nobody"), (["--host", "no.such.host.invalid"], "no.such"),
])
def test_a_wrong_use_is_said_in_a_line(tmp_path: Path, words: list[str], says: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", "web", "--no-open", *words], text=True, cwd=tmp_path,
        env={**os.environ, "CIRULLA_DATA": str(tmp_path / "data")}, capture_output=True,
        check=False, timeout=60)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_game_harms_no_other(tmp_path: Path) -> None:
    async def work(server: Server, owner: Asker) -> None:
        game = (await owner.post("/api/games"))["game"]
        folder = tmp_path / "games"
        (folder / ("0" * 16 + ".json")).write_text("{", "utf-8")
        (folder / ("1" * 16 + ".json")).write_bytes(b"\xff\xfe")
        assert [one["game"] for one in (await owner.get("/api/games"))["games"]] == [game]
        for name in ("0" * 16, "1" * 16):
            status, said = await owner.refused("GET", f"/api/games/{name}")
            assert status == 400
            assert name in said["error"]
        assert isinstance(server.api.sittings, Sittings)

    run(tmp_path, work)
