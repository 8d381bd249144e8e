"""The page of a review in a real browser: walked by keyboard, switched, asked, measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.annotations import match
from support.pages import axe, browser

from cirulla_ai.review import review

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SEED = 2


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def found() -> list[dict[str, Any]]:
    return list(match(seed=SEED, names=("A", "B")))[:2]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, found: list[dict[str, Any]]) -> Path:
    path = tmp_path_factory.mktemp("review") / "report.html"
    path.write_text(review(found), encoding="utf-8")
    return path


@pytest.fixture
def page(opened: Browser, file: Path) -> Iterator[Page]:
    """The page, which must neither complain nor ask anybody for anything."""
    yield from looked_at(opened, file)


def looked_at(opened: Browser, file: Path, **how: Any) -> Iterator[Page]:
    context = opened.new_context(viewport={"width": 1100, "height": 800}, **how)
    page = context.new_page()
    heard: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    yield page
    assert heard == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    context.close()


def errors(found: list[dict[str, Any]]) -> list[tuple[int, float]]:
    """Number and loss of each error, in playing order."""
    decisions = [one for smazzata in found for one in smazzata["decisions"]]
    return [(number, one["loss"]) for number, one in enumerate(decisions)
            if one["class"] in ("doubtful", "mistake", "blunder")]


def now(page: Page) -> str:
    return str(page.evaluate("document.querySelector('.now')?.id ?? ''"))


# --- walking ----------------------------------------------------------------------------

def test_keys_walk_from_error_to_error_biggest_first(
    page: Page, found: list[dict[str, Any]],
) -> None:
    biggest = [f"d{number}" for number, _ in sorted(errors(found), key=lambda one: -one[1])]
    for name in biggest[:4]:
        page.keyboard.press("n")
        assert now(page) == name
        assert page.evaluate("location.hash") == f"#{name}"
        # The focus is where the reader is.
        assert page.evaluate("document.activeElement.parentElement.id") == name
    page.keyboard.press("p")
    assert now(page) == biggest[2]
    assert page.inner_text("#count") == f"3 of {len(biggest)}"


def test_keys_walk_in_order(page: Page, found: list[dict[str, Any]]) -> None:
    page.keyboard.press("o")
    ordered = [f"d{number}" for number, _ in errors(found)]
    for name in ordered[:3]:
        page.keyboard.press("n")
        assert now(page) == name
    page.keyboard.press("j")
    assert now(page) == f"d{int(ordered[2][1:]) + 1}"
    page.keyboard.press("k")
    assert now(page) == ordered[2]


def test_a_link_opens_its_decision(page: Page, file: Path, found: list[dict[str, Any]]) -> None:
    quiet = next(number for number, one in enumerate(found[0]["decisions"])
                 if one["class"] == "best")
    page.goto(f"{file.as_uri()}#d{quiet}")
    page.reload()
    assert page.evaluate(f"document.getElementById('d{quiet}').open")
    assert now(page) == f"d{quiet}"
    # One within the page as well.
    page.click(".story ol a >> nth=0")
    assert now(page) == f"d{max(errors(found), key=lambda one: one[1])[0]}"


def test_the_cursor_walks_the_curve(page: Page) -> None:
    page.focus("figure:not([hidden]) .pad")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert now(page) == "d0"
    cursor = "figure:not([hidden]) .cursor"
    first = float(page.get_attribute(cursor, "x1", strict=True).rstrip("%"))  # type: ignore[union-attr]
    page.keyboard.press("End")
    assert first < float((page.get_attribute(cursor, "x1") or "").rstrip("%")) <= 100
    assert page.get_attribute("figure:not([hidden]) .pad", "aria-valuetext")
    page.click("figure:not([hidden]) .mark >> nth=0", force=True)
    assert now(page)


def test_the_curve_can_be_anothers(page: Page) -> None:
    page.click(".tabs button >> nth=1")
    assert page.locator("figure:visible").count() == 1
    assert page.get_attribute(".tabs button >> nth=1", "aria-pressed") == "true"


# --- switches ---------------------------------------------------------------------------

def test_the_threshold_says_what_is_an_error(page: Page, found: list[dict[str, Any]]) -> None:
    page.fill("#least", "1")
    large = {f"d{number}" for number, loss in errors(found) if loss >= 1}
    shown = page.evaluate("[...document.querySelectorAll('details.d[open]')].map(d => d.id)")
    assert set(shown) == large != set()
    assert page.inner_text("#count").endswith(f"of {len(large)}")
    page.fill("#least", "0")
    losing = {f"d{number}" for number, one in enumerate(
        one for smazzata in found for one in smazzata["decisions"]) if one["loss"] > 0}
    shown = page.evaluate("[...document.querySelectorAll('details.d[open]')].map(d => d.id)")
    assert set(shown) == losing > large


def test_names_can_be_hidden_and_shown(page: Page) -> None:
    before = page.inner_text("main")
    page.keyboard.press("a")
    assert page.inner_text("h1").split()[:2] == ["Player", "1"]
    assert page.evaluate("[...document.querySelectorAll('.n0')].every(n => n.textContent"
                         " === 'Player 1')")
    assert "A" not in page.title().split()
    page.keyboard.press("a")
    assert page.inner_text("main") == before


def test_hindsight_is_shown_where_it_is_asked_for(page: Page) -> None:
    assert page.locator(".hind[open]").count() == 0
    page.keyboard.press("h")
    assert page.locator(".hind[open]").count() == page.locator(".hind").count() > 0


def test_light_and_dark(opened: Browser, file: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    for page in looked_at(opened, file, color_scheme="dark"):
        dark = page.evaluate(ground)
        page.keyboard.press("d")
        light = page.evaluate(ground)
    for page in looked_at(opened, file, color_scheme="light"):
        assert page.evaluate(ground) == light != dark
        page.keyboard.press("d")
        assert page.evaluate(ground) == dark


def test_four_colours(page: Page) -> None:
    colours = ("['H', 'D', 'C', 'S'].map(s => getComputedStyle("
               "document.querySelector(`.tell .${s}`)).color)")
    assert len(set(page.evaluate(colours))) == 2
    page.keyboard.press("c")
    assert len(set(page.evaluate(colours))) == 4


def test_terms_are_explained_on_focus(page: Page) -> None:
    term = page.locator(".sums dfn").first
    term.focus()
    line = page.inner_text(f"#{term.get_attribute('aria-describedby')}")
    assert page.inner_text("#tip") == line
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


def test_the_help_is_opened_and_closed_by_key(page: Page) -> None:
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("n")
    assert now(page) == ""
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()


# --- the quiz ---------------------------------------------------------------------------

def test_the_quiz_asks_before_it_tells(page: Page, found: list[dict[str, Any]]) -> None:
    page.keyboard.press("q")
    page.keyboard.press("n")
    panel = page.locator(f"#{now(page)}")
    assert panel.locator(".moves").is_hidden()
    assert panel.locator("summary em").is_hidden()
    assert not page.locator(".story").is_visible()
    choices = panel.locator(".ask button")
    decisions = [one for smazzata in found for one in smazzata["decisions"]]
    decision = decisions[int(now(page)[1:])]
    assert choices.count() == len(decision["actions"])
    # Nothing of what was played, or was best, is marked.
    assert panel.evaluate("p => [...p.querySelectorAll('.felt .card')].every(c =>"
                          " getComputedStyle(c).outlineStyle === 'none'"
                          " && getComputedStyle(c).transform === 'none')")
    page.keyboard.press("1")
    assert panel.locator(".moves").is_visible()
    assert panel.locator(".ask p").inner_text()
    page.keyboard.press("q")
    assert page.locator(".ask").count() == 0
    assert page.locator(".story").is_visible()


def test_the_quiz_knows_the_best_play(page: Page) -> None:
    page.keyboard.press("q")
    page.keyboard.press("n")
    panel = page.locator(f"#{now(page)}")
    best = panel.evaluate("p => { const c = p.querySelector('.moves .best td').cloneNode(true);"
                          " c.querySelectorAll('em').forEach(e => e.remove());"
                          " return c.textContent.trim(); }")
    panel.locator(".ask button", has_text=best).first.click()
    assert panel.locator(".ask p").inner_text() == f"Right! {best}: nothing is better."


# --- cards, room, everybody -------------------------------------------------------------

def test_cards_are_drawn_when_a_decision_is_opened(
    page: Page, found: list[dict[str, Any]],
) -> None:
    number = next(number for number, one in enumerate(found[0]["decisions"])
                  if one["class"] == "best")
    panel = page.locator(f"#d{number}")
    assert panel.locator(".felt svg").count() == 0
    panel.locator("summary").first.click()
    panel.locator(".felt svg").first.wait_for()
    assert panel.locator(".felt i").count() == 0
    labels = panel.locator(".mine svg").evaluate_all("all => all.map(s => s.ariaLabel)")
    assert labels and all(" of " in label for label in labels)
    box = panel.locator(".mine svg").first.bounding_box()
    assert box and box["width"] >= 64
    assert box["height"] == pytest.approx(1.4 * box["width"], abs=0.1)


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
@pytest.mark.parametrize("scripted", [True, False])
def test_a_narrow_page_does_not_scroll_sideways(
    opened: Browser, tmp_path: Path, rules: str, scripted: bool,
) -> None:
    path = tmp_path / "narrow.html"
    made = list(match(rules, SEED, names=("Bartholomew the Younger", "B", "C", "D")))
    path.write_text(review(made[:2], "it"), encoding="utf-8")
    context = opened.new_context(viewport={"width": 360, "height": 640},
                                 java_script_enabled=scripted)
    page = context.new_page()
    page.goto(path.as_uri())
    if scripted:
        page.fill("#least", "0")
        page.keyboard.press("h")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    else:
        # Without a script nothing can be measured but by looking how far the page goes.
        assert page.locator("body").evaluate("b => b.scrollWidth") == 360
    context.close()


def test_without_the_script_cards_are_letters(opened: Browser, file: Path) -> None:
    for page in looked_at(opened, file, java_script_enabled=False):
        assert page.locator("details.d[open] .felt i").first.is_visible()
        assert page.locator(".walk").is_hidden() and page.locator(".tools").is_hidden()
        assert page.locator("figure:visible").count() == page.locator("figure").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(opened: Browser, file: Path, scheme: str) -> None:
    script = axe()
    for page in looked_at(opened, file, color_scheme=scheme, bypass_csp=True):
        page.keyboard.press("n")
        page.add_script_tag(content=script)
        result = page.evaluate("axe.run()")
        serious = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]])
                   for one in result["violations"] if one["impact"] in ("serious", "critical")]
        assert serious == []
