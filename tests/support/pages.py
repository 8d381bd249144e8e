"""What pages are looked at with: a strict reader of HTML, and a browser where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["Tree", "axe", "browser"]

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
# End tags that may be left out, and the elements that their next one ends (HTML, 13.1.2.4).
ENDS = {"td": {"td", "th"}, "th": {"td", "th"}, "tr": {"td", "th", "tr"},
        "tbody": {"td", "th", "tr", "thead"}}
OPTIONAL = {"td", "th", "tr", "tbody", "thead"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


class Tree(HTMLParser):
    """Reads a page and raises AssertionError where an element is not closed, or closed twice.

    ``ids`` are all ids in order, ``attributes`` all attributes, ``texts`` the text of each
    element that has an id.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self.open and self.open[-1][0] in ENDS.get(tag, ()):
            self.open.pop()
        named = self._note(tag, attrs)
        if tag not in VOID:
            self.open.append((tag, named))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = {name for name, _ in self.open}
        assert "svg" in inside or tag == "svg", f"<{tag}/> is no empty element of HTML"
        self._note(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            while self.open and self.open[-1][0] in OPTIONAL:
                self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        last, _ = self.open.pop()
        assert last == tag, f"</{tag}> closes <{last}>"

    def handle_data(self, data: str) -> None:
        for _, named in self.open:
            if named is not None:
                self.texts[named] = self.texts.get(named, "") + data

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> str | None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        named = dict(attrs).get("id")
        if named is not None:
            self.ids.append(named)
        return named


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser that shows nothing; skips the test where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium here; the variable CHROMIUM names one")
    with api.sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield one
        finally:
            one.close()


def axe() -> str:
    """The script that looks for what shuts people out; skips the test where it is not here."""
    path = os.environ.get("AXE_CORE")
    if not path:
        pytest.skip("the variable AXE_CORE names no axe.min.js (npm pack axe-core)")
    return Path(path).read_text(encoding="utf-8")
