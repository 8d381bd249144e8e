"""The page in a real browser: played by mouse and by keyboard alone, and what it is like."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest
from support.pages import axe, browser

pytest.importorskip("aiohttp")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
READY = "dialog.sheet-dialog, .mine:not(.busy)"
# A table of which 7C takes 7D, 3D 4S, 2D 5D, and 3D 5D, which make fifteen with it.
SEVERAL = ("rules=cirulla dealer=1 turn=0 round=2 hands=7C5S2H/?3 table=7D3D4S2D5D "
           "taken=2S2C/JSJD6C scopa=2/1 last=1 stock=?24 viewer=0 scores=23/31")
# 3 + 4 + 1 or 2: nine or less where the wild seven is an ace or a two.
CLAIM = "rules=cirulla dealer=1 turn=0 round=1 hands=3C4D7H/?3 table=2C3S6D6S stock=?30 viewer=0"
PAGES = ("new", "games", "records", "position", "settings")


class Host:
    """A server of its own, and its owner's address."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cirulla_ai", "web", "--no-open"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "CIRULLA_DATA": str(folder)})
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline().strip()
        self.address, _, self.token = self.first.partition("/?token=")

    def ask(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def game(self, **how: Any) -> str:
        """A new game; the others are quick."""
        return str(self.ask("/api/games", {
            "seats": [{"who": "me"}, {"who": "level-1"}], "seed": 11, **how})["game"])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    one = Host(tmp_path_factory.mktemp("web"))
    yield one
    one.close()


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as one:
        yield one


def sitting(opened: Browser, host: Host, **how: Any) -> Iterator[Page]:
    """The owner's page, which must not complain."""
    context = opened.new_context(reduced_motion="reduce", **{"viewport": DESK, **how})
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.goto(host.first)
    page.wait_for_selector(".board, .page")
    yield page
    assert heard == []
    context.close()


@pytest.fixture
def page(opened: Browser, host: Host) -> Iterator[Page]:
    yield from sitting(opened, host)


@pytest.fixture
def phone(opened: Browser, host: Host) -> Iterator[Page]:
    yield from sitting(opened, host, viewport=PHONE)


def go(page: Page, host: Host, game: str) -> None:
    page.goto(f"{host.address}/#/game/{game}")
    page.wait_for_selector(f"{READY}, .actions button")


def play_by_mouse(page: Page) -> None:
    """To the end of a smazzata."""
    for _ in range(60):
        page.wait_for_selector(READY)
        if page.query_selector("dialog.sheet-dialog"):
            return
        for choice in (".actions .claim", ".actions .way", ".own-cards button:not(.idle)"):
            if page.query_selector(choice):
                page.click(choice)
                break
    raise AssertionError("the smazzata does not end")


def play_by_keys(page: Page) -> None:
    for _ in range(60):
        page.wait_for_selector(READY)
        if page.query_selector("dialog.sheet-dialog"):
            return
        # The focus is never lost.
        assert page.evaluate("document.activeElement !== document.body")
        if page.query_selector(".actions .claim") or page.query_selector(".actions .way"):
            for _ in range(30):
                if page.evaluate("document.activeElement.matches('.claim, .way')"):
                    break
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("1")
    raise AssertionError("the smazzata does not end")


def log(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".panel .log li").all_inner_texts()]


def state(host: Host, game: str) -> Any:
    return host.ask(f"/api/games/{game}")


# --- playing ----------------------------------------------------------------------------

def test_a_smazzata_by_mouse(page: Page, host: Host) -> None:
    game = host.game()
    go(page, host, game)
    play_by_mouse(page)
    view = state(host, game)
    assert view["stage"] == "between"
    # A row an item, a column a side, the match below.
    rows = page.locator("dialog .sheet tr").all_inner_texts()
    points = view["sheet"]["points"]
    assert re.split(r"\s+", rows[-2].strip())[-2:] == [str(one) for one in points]
    page.click("dialog .main")
    page.wait_for_selector(READY)
    assert state(host, game)["smazzata"] == 2


@pytest.mark.long
def test_a_match_by_mouse(page: Page, host: Host) -> None:
    game = host.game(rules="cirulla target=21")
    go(page, host, game)
    while True:
        play_by_mouse(page)
        if state(host, game)["stage"] == "over":
            break
        page.click("dialog .main")
        page.wait_for_selector("dialog", state="detached")
    winners = state(host, game)["winners"]
    assert page.inner_text("dialog .outcome").startswith(
        "The match is over: you won" if winners == [0] else "The match is over, won by")


def test_a_smazzata_by_keyboard_alone(page: Page, host: Host) -> None:
    # From the first page on: the game is chosen, and begun, by keys.
    page.goto(f"{host.address}/#/new")
    page.wait_for_selector("#preset")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "seed":
            break
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    page.wait_for_selector(".mine")
    game = page.url.rpartition("/game/")[2].strip("/")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.closest('.own-cards, .actions') !== null"):
        page.keyboard.press("Tab")
    play_by_keys(page)
    assert state(host, game)["stage"] == "between"
    # The sheet has the focus on what comes next.
    page.keyboard.press("Enter")
    page.wait_for_selector(".mine")
    assert state(host, game)["smazzata"] == 2


def test_a_card_shows_what_it_takes(page: Page, host: Host) -> None:
    game = host.game(start=SEVERAL, seed=3)
    go(page, host, game)
    page.hover(".own-cards [data-card='5S']")
    # It takes 5D, and 2D 3D, and what makes fifteen with it.
    legal = [one["cards"] for one in state(host, game)["position"]["legal"] if one["card"] == "5S"]
    marked = page.locator(".felt .maybe, .felt .raised").evaluate_all(
        "all => all.map(one => one.dataset.card)")
    assert set(marked) == {card for cards in legal for card in cards}
    label = page.get_attribute(".own-cards [data-card='5S']", "aria-label")
    assert label is not None and "takes the five of diamonds" in label


def test_a_capture_is_chosen_among_several(page: Page, host: Host) -> None:
    game = host.game(start=SEVERAL, seed=3)
    go(page, host, game)
    page.click(".own-cards [data-card='7C']")
    ways = page.locator(".actions .way").all_inner_texts()
    assert ways == ["2♦ 5♦", "3♦ 4♠", "3♦ 5♦", "7♦"]
    page.click(".felt [data-card='3D']")
    # Only what still completes to a capture can be picked.
    assert page.locator(".felt .pickable").evaluate_all(
        "all => all.map(one => one.dataset.card)") == ["3D", "4S", "5D"]
    page.click(".felt [data-card='7D']")
    assert state(host, game)["log"] == []
    page.keyboard.press("Escape")
    assert page.locator(".felt .pickable").count() == 0
    page.click(".own-cards [data-card='7C']")
    page.click(".felt [data-card='3D']")
    page.click(".felt [data-card='4S']")
    page.wait_for_selector(".panel .log li.own")
    assert state(host, game)["log"][0]["action"] == "7Cx3D4S"
    assert "7♣ takes 3♦ 4♠" in log(page)[1]


def test_a_card_is_dragged(page: Page, host: Host) -> None:
    game = host.game(start=SEVERAL, seed=3)
    go(page, host, game)
    box = page.locator(".own-cards [data-card='7C']").bounding_box()
    onto = page.locator(".felt [data-card='7D']").bounding_box()
    assert box is not None and onto is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(onto["x"] + 20, onto["y"] + 30, steps=4)
    page.mouse.up()
    page.wait_for_selector(".panel .log li.own")
    assert state(host, game)["log"][0]["action"] == "7Cx7D"


def test_a_claim(page: Page, host: Host) -> None:
    game = host.game(start=CLAIM, seed=3)
    go(page, host, game)
    assert page.locator(".actions .claim").all_inner_texts() == ["1", "2"]
    page.click(".actions .claim >> nth=1")
    page.wait_for_selector(".own-cards .shown")
    view = state(host, game)
    assert view["log"][0]["action"] == "!3C4D7H=2"
    assert view["position"]["points"][0]["total"] == 3
    # Shown, with its value on the matta; all of it in words.
    assert page.locator(".own-cards .shown").count() == 3
    assert page.locator(".own-cards [data-card='7H'] use[href='#b2']").count() == 1
    label = page.get_attribute(".own-cards [data-card='7H']", "aria-label")
    assert label is not None and label.startswith("seven of hearts, standing for 2, shown")
    page.click("text=Take back")
    page.wait_for_selector(".actions .claim")
    assert state(host, game)["taken_back"] == 1


def test_a_card_is_handed_on(page: Page, host: Host) -> None:
    game = host.game(rules="ciapano", dealer=2,
                     seats=[{"who": "me"}, {"who": "level-1"}, {"who": "level-1"}])
    go(page, host, game)
    page.wait_for_selector(".mine")
    page.click(".own-cards button >> nth=3")
    page.wait_for_selector(".panel .log li.own")
    assert state(host, game)["log"][0]["kind"] == "give"


def test_a_hint_is_given_and_noted(page: Page, host: Host) -> None:
    game = host.game(start=SEVERAL, seed=3)
    go(page, host, game)
    page.wait_for_selector(".mine")
    page.keyboard.press("h")
    page.wait_for_selector(".own-cards .hinted")
    assert page.inner_text(".said").startswith("Hint: ")


def test_it_goes_on_after_a_reload(page: Page, host: Host) -> None:
    game = host.game()
    go(page, host, game)
    for _ in range(3):
        page.wait_for_selector(READY)
        page.click(".actions .claim, .actions .way, .own-cards button:not(.idle)")
    page.wait_for_selector(READY)
    before = log(page)
    page.reload()
    page.wait_for_selector(READY)
    assert log(page) == before
    # The last one that goes on is what the server's address opens.
    page.goto(f"{host.address}/")
    page.wait_for_selector(READY)
    assert game in page.url


# --- what it is like ---------------------------------------------------------------------

def test_nothing_is_wider_than_a_phone(phone: Page, host: Host) -> None:
    for name in PAGES:
        phone.goto(f"{host.address}/#/{name}")
        phone.wait_for_selector(".page h1")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, name
    for rules, players in (("cirulla", 2), ("ciapano", 3), ("cirulla-coppie", 4),
                           ("scopone-scientifico", 4)):
        game = host.game(rules=rules, dealer=players - 1,
                         seats=[{"who": "me"}, *[{"who": "level-1"}] * (players - 1)])
        go(phone, host, game)
        phone.wait_for_selector(".mine")
        # A trick of thought without scrolling, whichever way.
        assert phone.evaluate("[document.documentElement.scrollWidth, "
                              "document.documentElement.scrollHeight]") == [360, 640], rules
        widths = phone.locator(".own-cards button svg").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().width)")
        assert min(widths) >= 64


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(opened: Browser, host: Host, scheme: str) -> None:
    script = axe()
    game = host.game(start=SEVERAL, seed=3)
    over = host.game(start=CLAIM, seed=3)
    for page in sitting(opened, host, color_scheme=scheme, bypass_csp=True):
        for place in (*PAGES, f"game/{game}", f"game/{over}"):
            page.goto(f"{host.address}/#/{place}")
            page.wait_for_selector(".page h1, .mine")
            page.evaluate(script)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            assert [(one["id"], [node["html"][:120] for node in one["nodes"]])
                    for one in found["violations"]
                    if one["impact"] in ("serious", "critical", "moderate")] == [], place


def test_the_first_load_is_small(page: Page, host: Host) -> None:
    page.goto(f"{host.address}/#/new")
    page.reload()
    page.wait_for_selector("#preset")
    size = page.evaluate("performance.getEntriesByType('resource').concat("
                         "performance.getEntriesByType('navigation'))"
                         ".reduce((sum, one) => sum + one.decodedBodySize, 0)")
    assert 0 < size < 300_000


def test_both_languages_say_everything(page: Page) -> None:
    keys = page.evaluate("""async () => {
        const at = document.querySelector('script[src$="main.js"]').src;
        const all = [];
        for (const name of ['en', 'it']) {
            const table = (await import(at.replace('main.js', name + '.js'))).default;
            all.push(Object.entries(table).filter(([, value]) => typeof value === 'string')
                .map(([key, value]) => [key, (value.match(/{[a-z]+}/g) ?? []).sort().join()])
                .sort());
        }
        return all;
    }""")
    assert keys[0] == keys[1]
    assert len(keys[0]) > 100


def test_it_speaks_italian(page: Page, host: Host) -> None:
    page.goto(f"{host.address}/#/settings")
    page.select_option("#set-language", "it")
    page.wait_for_selector("h1:has-text('Preferenze')")
    assert page.get_attribute("html", "lang") == "it"
    game = host.game(start=CLAIM, seed=3)
    go(page, host, game)
    page.wait_for_selector(".mine")
    assert page.inner_text(".yours") == "Tocca a te."
    page.click(".actions .claim >> nth=0")
    page.wait_for_selector(".own-cards .shown")
    assert page.inner_text(".said").startswith("Hai bussato con 3♣ 4♦ 7♥")
    page.goto(f"{host.address}/#/settings")
    page.select_option("#set-language", "en")
    page.wait_for_selector("h1:has-text('Settings')")


def test_a_table_of_one_s_own(page: Page, host: Host) -> None:
    page.goto(f"{host.address}/#/new")
    page.wait_for_selector("#preset")
    page.click("summary")
    page.fill("#o-target", "31")
    page.press("#o-target", "Enter")
    page.wait_for_selector(".long:has-text('cirulla target=31')")
    page.fill("#table-name", "Ours")
    page.click("text=Keep these rules")
    page.wait_for_selector(".tables li")
    assert host.ask("/api/settings")["tables"] == [{"name": "Ours", "rules": "cirulla target=31"}]
    # As a link.
    page.goto(f"{host.address}/#/games")
    page.wait_for_selector(".page h1:has-text('Games')")
    page.goto(f"{host.address}/#/new/cirulla%20target%3D31")
    page.wait_for_selector(".changed #o-target", state="attached")
    assert page.input_value("#o-target") == "31"


def test_a_position_is_analysed(page: Page, host: Host) -> None:
    page.goto(f"{host.address}/#/position")
    page.fill("#state", SEVERAL)
    page.click("text=Analyse >> nth=-1")
    page.wait_for_selector(".thoughts tbody tr")
    assert page.locator(".thoughts tbody tr").count() == len(
        host.ask("/api/positions", {"state": SEVERAL})["legal"])
