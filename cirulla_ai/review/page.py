"""The whole page: one HTML file that holds all that it needs and asks nobody for anything."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from cirulla_ai.look import CARDS, LANGUAGES, sprite, style
from cirulla_ai.look.words import TERMS
from cirulla_ai.review.chart import chart
from cirulla_ai.review.curve import curve_of, events_of
from cirulla_ai.review.panel import panel
from cirulla_ai.review.prose import Teller
from cirulla_ai.review.reading import KINDS, MATCH_IN_POINTS, Deal, Match, Smazzata, read_matches
from cirulla_ai.review.texts import Names, ReviewWords

__all__ = ["review"]

# Keys of the keyboard, and what they do.
KEYS = (("n p", "key_errors"), ("j k", "key_decisions"), ("o", "key_order"),
        ("+ −", "key_threshold"), ("q", "key_quiz"), ("1 … 9", "key_choose"),
        ("h", "key_hindsight"), ("a", "key_names"), ("d", "key_theme"), ("c", "key_four"),
        ("?", "key_help"), ("Esc", "key_close"))
# What the script says.
SPOKEN = ("ask", "quiz_best", "quiz_loss", "count", "count_none", "matta_as", "hidden_card",
          "hidden_cards")


def review(annotations: Iterable[Mapping[str, Any]], language: str = "en", *,
           anonymous: bool = False) -> str:
    """A page of HTML about annotations, in the order of their records.

    ``annotations`` are objects of kind ``annotation``; ``anonymous`` leaves all names out of the
    page.  The same annotations give the same page.  Raises ReviewError for what is no annotation,
    ValueError for a language that there is not.
    """
    matches = read_matches(annotations)
    words = ReviewWords.of(language, matches[0].first.rules)
    names = Names(matches, words, anonymous)
    tellers = [Teller(match, ReviewWords.of(language, match.first.rules), names)
               for match in matches]
    title = " · ".join(_title_text(teller) for teller in tellers[:1])
    css = _short(style() + _file("page.css"))
    script = _short(_file("page.js"))
    articles = "".join(_match(teller, number, len(tellers))
                       for number, teller in enumerate(tellers, 1))
    body = "".join((
        f'<a class="skip" href="#all">{escape(words("skip"))}</a>', sprite(),
        f"<main>{articles}{_glossary(words, matches)}</main>", _walk(words), _help(words),
        '<div id="tip" role="tooltip" hidden></div>'))
    spoken: dict[str, object] = {
        **{key: words.texts[key][LANGUAGES.index(language)] for key in SPOKEN},
        # How the script names the cards that it draws.
        "cards": {words.sign(name): words.card(name) for name in CARDS}}
    aliases = {f"n{number}": alias for number, alias in names.aliases.items()}
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(css, script)}">'
        f'<meta name="generator" content="cirulla review"><meta name="color-scheme" '
        f'content="light dark"><link rel="icon" href="data:,"><title>{escape(title)}</title>'
        f"<style>{css}</style></head>"
        f'<body data-words="{escape(json.dumps(spoken, ensure_ascii=False))}" '
        f'data-aliases="{escape(json.dumps(aliases, ensure_ascii=False))}">'
        f"{body}<script>{script}</script></body></html>\n")


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _short(text: str) -> str:
    """A style sheet or a script without its comments, which stand in lines of their own, and
    without indents."""
    text = re.sub(r"^\s*/\*.*?\*/\s*$", "", text, flags=re.M | re.S)
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _policy(css: str, script: str) -> str:
    """Nothing is fetched, and nothing runs but this style sheet and this script."""
    def named(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    return (f"default-src 'none'; style-src {named(css)}; script-src {named(script)}; "
            "img-src data:; base-uri 'none'; form-action 'none'")


# --- a match ----------------------------------------------------------------------------

def _title_text(teller: Teller) -> str:
    first, scores = teller.match.first, teller.match.scores
    sides = [teller.names.side_text(first, side) for side in range(first.rules.sides)]
    return (f"{teller.words('title')}: "
            + " – ".join(f"{who} {score}" for who, score in zip(sides, scores, strict=True)))


def _match(teller: Teller, number: int, of: int) -> str:
    return (f'<article class="match">{_head(teller, number, of)}{_story(teller)}'
            f"{_curves(teller)}{_sums(teller)}{_decisions(teller, number)}</article>")


def _head(teller: Teller, number: int, of: int) -> str:
    words, match = teller.words, teller.match
    first = match.first
    sides = "".join(
        f"<span>{teller.names.side(first, side)} <em>{score}</em></span>"
        for side, score in enumerate(match.scores))
    count = len(match.smazzate)
    decisions = sum(one.kind not in ("", "forced") for one in teller.decisions())
    parts = [str(first.rules).removeprefix("rules="),
             words("smazzata_1") if count == 1 else words("smazzate_n", n=count),
             words("decision_1") if decisions == 1 else words("decisions_n", n=decisions)]
    if match.smazzate[-1].result.startswith("unfinished"):
        parts.append(words("unfinished"))
    judged = ""
    if number == 1:
        nodes = "" if first.nodes is None else words("nodes", n=f"{first.nodes:_}".replace(
            "_", "\N{NARROW NO-BREAK SPACE}"))
        judged = f'<p class="small">{escape(words("judged", engine=first.judge, nodes=nodes))}</p>'
    label = words("match_n", n=number) if of > 1 else ""
    return (f'<header><h1><small>{escape(label)}</small>{sides}</h1>'
            f'<p>{escape(" · ".join(parts))}</p>{judged}</header>')


def _story(teller: Teller) -> str:
    words = teller.words
    dearest = teller.dearest()
    errors = "".join(f'<li class="{one.kind}">{teller.error(one)}</li>' for one in dearest)
    told = f"<ol>{errors}</ol>" if errors else f"<p>{escape(words('no_errors'))}</p>"
    lines = "".join(f"<p>{line}</p>" for line in teller.luck())
    luck = (f'<div class="lucky"><h3>{escape(words("luck_title"))}</h3>{lines}</div>'
            if lines else "")
    finds = "".join(f"<li>{teller.find(one)}</li>" for one in teller.finds())
    praise = f'<div class="good"><h3>{escape(words("praise_title"))}</h3><ul>{finds}</ul></div>'
    return (f'<section class="story"><h2>{escape(words("story"))}</h2><div class="cols">'
            f'<div class="bad"><h3>{escape(words("dearest"))}</h3>{told}</div>'
            f'<div class="side">{luck}'
            f'{praise if finds else ""}</div></div></section>')


def _curves(teller: Teller) -> str:
    words, match = teller.words, teller.match
    kinds = (True, False) if match.has_chances else (False,)
    if not match.has_curve:
        return ""
    figures: list[str] = []
    tabs: list[str] = []
    for chances in kinds:
        for side in range(match.first.rules.sides):
            what = escape(words("curve_match" if chances else "curve_points"))
            caption = words("curve_of", what=what, who=teller.names.side(match.first, side))
            turns = teller.turns(side, chances)
            listed = "".join(f"<li>{teller.turn(event)}</li>" for event in turns)
            drawing = chart(curve_of(match, side, chances), match, words, chances,
                            words("curve_said"), turns)
            turning = (f'<h4>{escape(words("turning"))}</h4><ol class="turns">{listed}</ol>'
                       if turns else "")
            tab = words("tab_match" if chances else "tab_points",
                        who=teller.names.side(match.first, side))
            tabs.append(f'<button type="button" aria-pressed="{"false" if figures else "true"}">'
                        f"{tab}</button>")
            figures.append(f"<figure><figcaption>{caption}</figcaption>{drawing}{turning}</figure>")
    legend = "".join(
        f'<span class="{kind}"><dfn data-t="{kind}">{escape(words(f"legend_{kind}"))}</dfn></span>'
        for kind in ("luck", "skill", "rest"))
    return (f'<section class="curves"><h2>{escape(words("curve"))}</h2>'
            f'<div class="tabs js" role="group">{"".join(tabs)}</div>{"".join(figures)}'
            f'<p class="legend">{legend}</p></section>')


def _sums(teller: Teller) -> str:
    """Two tables: what the result consists of, and how many plays of each class there were."""
    words, first = teller.words, teller.match.first
    sides = range(first.rules.sides)
    terms = [(term, f'<dfn data-t="{term}">{escape(words.term(term)[0])}</dfn>', values)
             for term, values in _sum_rows(teller)]
    kinds = [(f"count {kind}", escape(words(f"{kind}_n")),
              [str(sum(one.kind == kind and one.side == side for one in teller.decisions()))
               for side in sides]) for kind in KINDS]
    note = words("sums_note_fewest" if first.rules.family.fewest else "sums_note")
    noted = f'<p class="small">{escape(note)}</p>'
    # The last two terms are about decisions.
    tables = [[*terms[:-2]], [*terms[-2:], *kinds]]
    if not teller.match.knows("luck"):
        tables = [[row for table in tables for row in table]]
    made = "".join(_sum_table(table, teller) for table in tables)
    return (f'<section class="sums"><h2>{escape(words("sums"))}</h2><div class="cols">{made}</div>'
            f'{noted if teller.match.knows("rest") else ""}</section>')


def _sum_table(rows: Iterable[tuple[str, str, list[str]]], teller: Teller) -> str:
    first = teller.match.first
    head = "".join(f'<th scope="col">{teller.names.side(first, side)}</th>'
                   for side in range(first.rules.sides))
    body = "".join(
        f'<tr class="{kind}"><th scope="row">{name}</th>'
        f'{"".join(f"<td>{value}</td>" for value in values)}</tr>' for kind, name, values in rows)
    return f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def _sum_rows(teller: Teller) -> Iterator[tuple[str, list[str]]]:
    """What the result consists of, a row a term and a value a side."""
    words, smazzate = teller.words, teller.match.smazzate
    sides = range(teller.match.first.rules.sides)

    def signed(values: Iterable[float]) -> list[str]:
        return [words.number(value, 2, signed=True) for value in values]

    match = teller.match
    yield "score", [str(sum(one.points[side] for one in smazzate)) for side in sides]
    result = [sum(one.lead(side) for one in smazzate) for side in sides]
    if match.knows("rest") or match.knows("luck"):
        yield "result", signed(result)
    sums = {name: [sum(getattr(one.sides[side], name) for one in smazzate) for side in sides]
            for name in ("start", "luck", "skill", "rest") if match.knows(name)}
    for name, values in sums.items():
        yield name, signed(values)
    if "luck" in sums:
        yield "adjusted", signed(a - b for a, b in zip(result, sums["luck"], strict=True))
    judged = [[one for one in teller.decisions()
               if one.side == side and one.kind not in ("", "forced")] for side in sides]
    yield "decisions", [str(len(ones)) for ones in judged]
    yield "losses", [words.number(sum(one.loss for one in ones) / len(ones), 2) if ones else "–"
                     for ones in judged]


# --- the decisions ----------------------------------------------------------------------

def _decisions(teller: Teller, number: int) -> str:
    words = teller.words
    many = len(teller.match.smazzate) > 1
    parts = "".join(_smazzata(one, place, many, teller)
                    for place, one in enumerate(teller.match.smazzate, 1))
    anchor = ' id="all"' if number == 1 else ""
    tools = _tools(words, teller.match.first.by_match) if number == 1 else ""
    return (f'<section class="all"{anchor}><h2>{escape(words("all"))}</h2>{tools}{parts}</section>')


def _smazzata(one: Smazzata, place: int, many: bool, teller: Teller) -> str:
    words = teller.words
    head = ""
    if many:
        before, after = ("–".join(map(str, scores)) for scores in (one.scores, one.after))
        head = (f'<h3>{escape(words("smazzata", n=place))} <small>'
                f'{escape(words("scores", scores=before, after=after))}</small></h3>')
    out = []
    for event in events_of(one):
        if isinstance(event, Deal):
            title = words("round", n=event.round) if len(one.deals) > 1 else words("the_deal")
            luck = words("luck_for", luck=_lucky(one, event, teller))
            out.append(f"<h4 class=g id=g{event.number}>{escape(title)} "
                       f"<small class=luck>{luck}</small></h4>")
        else:
            out.append(panel(event, one, teller))
    return f'<div class="smazzata">{head}{"".join(out)}</div>'


def _lucky(one: Smazzata, deal: Deal, teller: Teller) -> str:
    """Who had luck with a deal: of two sides the luckier one, of more all."""
    sides: Sequence[int] = range(len(deal.luck))
    if len(deal.luck) == 2:
        sides = [max(sides, key=deal.luck.__getitem__)]
    return ", ".join(f"{teller.names.side(one, side)} "
                     f"{teller.words.number(deal.luck[side], 2, signed=True)}" for side in sides)


def _tools(words: ReviewWords, by_match: bool) -> str:
    """What can be switched.  The bound of errors is in points, or said in per cent of the match."""
    per_cent = f' data-percent="{100 / MATCH_IN_POINTS:g}"' if by_match else ""
    boxes = "".join(
        f'<label><input type="checkbox" id="{name}"> {escape(words(text))}</label>'
        for name, text in (("quiz", "quiz"), ("hinds", "hindsights"), ("names", "anonymous"),
                           ("four", "four"), ("dark", "dark")))
    return (f'<div class="tools js" role="group" aria-label="{escape(words("tools"))}">'
            f'<label>{escape(words("threshold"))} <input type="range" id="least" min="0" max="2" '
            f'step="0.05" value="0.25"{per_cent}> <output for="least"></output></label>{boxes}'
            f'<button type="button" id="print">{escape(words("print"))}</button></div>')


def _walk(words: ReviewWords) -> str:
    """The bar that leads from error to error."""
    return (f'<nav class="walk js" aria-label="{escape(words("dearest"))}">'
            f'<button type="button" id="prev" aria-keyshortcuts="p">‹ <span>'
            f'{escape(words("previous"))}</span></button>'
            '<output id="count" aria-live="polite"></output>'
            f'<button type="button" id="next" aria-keyshortcuts="n"><span>{escape(words("next"))}'
            "</span> ›</button>"
            f'<label><input type="checkbox" id="biggest" checked> {escape(words("order"))}</label>'
            f'<button type="button" id="help" aria-keyshortcuts="?" title="{escape(words("keys"))}"'
            f' aria-label="{escape(words("keys"))}">?</button></nav>')


def _help(words: ReviewWords) -> str:
    rows = "".join(f"<dt>{' '.join(f'<kbd>{escape(key)}</kbd>' for key in keys.split())}</dt>"
                   f"<dd>{escape(words(text))}</dd>" for keys, text in KEYS)
    return (f'<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">'
            f'{escape(words("keys"))}</h2><dl>{rows}</dl><button type="button" id="close">'
            f'{escape(words("close"))}</button></dialog>')


def _glossary(words: ReviewWords, matches: Iterable[Match]) -> str:
    """One line about each term; of those for points, the ones that the games call for."""
    fewest = {match.first.rules.family.fewest for match in matches}
    unused = {key for key, few in (("points", False), ("few_points", True)) if few not in fewest}
    entries = "".join(
        f'<dt>{escape(words.term(key)[0])}</dt><dd id="t-{key}">{escape(words.term(key)[1])}</dd>'
        for key in TERMS if key not in unused)
    return (f'<section class="glossary"><h2>{escape(words("glossary"))}</h2><dl>{entries}</dl>'
            "</section>")
