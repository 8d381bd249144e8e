"""One decision as HTML: what was seen, what was played, what else there was, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from cirulla_ai.review.prose import Teller
from cirulla_ai.review.reading import Candidate, Decision, Smazzata
from cirulla_ai.review.scene import scene
from cirulla_ai.review.texts import ReviewWords

__all__ = ["panel"]

# How errors are marked in a line, after chess and backgammon.
MARKS = {"doubtful": "?!", "mistake": "?", "blunder": "??"}
# Of an unseen hand's cards: so many are shown, and none that is unlikelier.
MOST_HELD, LEAST_HELD = 8, 0.03


def panel(decision: Decision, smazzata: Smazzata, teller: Teller) -> str:
    """A decision, open where it was an error; in one line where there was nothing to choose."""
    words = teller.words
    line = (f"<s>{decision.number + 1}</s>{teller.names.seat(smazzata, decision.seat)}"
            f"<span>{words.play(decision.action)}</span>")
    if decision.state is None or decision.kind == "forced":
        note = words("forced") if decision.kind == "forced" else words("not_judged")
        return f"<p class=d id=d{decision.number}>{line}<em>{escape(note)}</em></p>"
    grade = words(decision.kind)
    if decision.loss and decision.kind != "best":
        grade = (f"{MARKS.get(decision.kind, '')} {grade} "
                 f"{words.number(-decision.loss, 2, signed=True)}").strip()
    return (f'<details class="d {decision.kind}" id=d{decision.number} '
            f"data-l={decision.weight:.4g}{' open' if decision.is_error else ''}>"
            f"<summary>{line}<em>{escape(grade)}</em></summary><div class=body>"
            f"{scene(decision.state, decision, smazzata, words, teller.names)}"
            f"<div class=tell>{''.join(_told(decision, smazzata, teller))}</div></div></details>")


def _told(decision: Decision, smazzata: Smazzata, teller: Teller) -> Iterator[str]:
    if decision.is_error:
        yield f"<p class=cost>{_cost(decision, teller)}</p>"
    yield _table(decision, smazzata, teller)
    if decision.is_error:
        if decision.why and len(decision.why) > 1:
            yield _why(decision, teller, decision.why)
        yield _follows(decision, teller)
    for seat, chances in (decision.hands or {}).items():
        yield _held(teller, teller.names.seat(smazzata, seat), chances)
    if decision.hindsight:
        yield _hindsight(decision, smazzata, teller)


def _cost(decision: Decision, teller: Teller) -> str:
    words = teller.words
    error = ("" if decision.exact or decision.loss_error is None
             else f" ± {words.number(decision.loss_error, 2)}")
    match = decision.match_loss
    said = [words("cost" if match is None or round(100 * match) < 1 else "cost_match",
                  points=words.points(decision.loss, 2), error=error,
                  match=words.percent(match or 0))]
    if decision.exact:
        said.append(words("was_exact"))
    if decision.punished is not None:
        said.append(words("was_punished" if decision.punished else "was_lucky"))
    return " ".join(map(escape, said))


def _term(key: str, words: ReviewWords, name: str = "") -> str:
    """A term that is explained where it is pointed at."""
    return f"<dfn data-t={key}>{name or escape(words.term(key)[0])}</dfn>"


def _table(decision: Decision, smazzata: Smazzata, teller: Teller) -> str:
    """All candidates, best first."""
    words = teller.words
    points = "few_points" if smazzata.rules.family.fewest else "points"
    chances = any(one.match is not None for one in decision.candidates)
    terms = (points, "error", "loss", *(("match",) if chances else ()))
    heads = "".join(
        f"<th>{_term(term, words) if decision.is_error else escape(words.term(term)[0])}"
        for term in terms)
    losses = [one.loss or 0.0 for one in decision.candidates]
    worst = max((1.0, *losses)) if decision.is_error else 0.0
    rows = "".join(_row(one, decision, words, worst, chances) for one in decision.candidates)
    play = escape(words("col_play"))
    # Of cells and rows HTML needs no end tags; in hundreds of tables they would be long.
    return f"<table class=moves><thead><tr><th>{play}{heads}<tbody>{rows}</table>"


def _row(one: Candidate, decision: Decision, words: ReviewWords, worst: float,
         chances: bool) -> str:
    """A candidate; with a bar for its loss, up to the ``worst``, unless that is 0."""
    tags = [name for name, action in (("best", decision.best), ("played", decision.action))
            if one.action == action]
    tagged = "".join(f" <em>{escape(words(f'tag_{name}'))}</em>" for name in tags)
    classes = f' class="{" ".join(tags)}"' if tags else ""
    error = "=" if one.exact else "" if one.error is None else words.number(one.error, 2)
    points = "" if one.points is None else words.number(one.points, 2, signed=True)
    loss = bar = ""
    if one.loss:
        loss = words.number(-one.loss, 2)
        if worst:
            bar = (f"<svg class=bar><rect width={max(1, round(100 * one.loss / worst))}% "
                   "height=100% /></svg>")
    match = ""
    if chances:
        match = f"<td>{'' if one.match is None else words.percent(one.match)}"
    return (f"<tr{classes}><td>{words.play(one.action)}{tagged}"
            f"<td>{points}<td>{error}<td>{loss}{bar}{match}")


def _why(decision: Decision, teller: Teller, why: Mapping[str, float]) -> str:
    """The items by which the play differs from the best, the largest first."""
    words = teller.words
    items = sorted(((name, points) for name, points in why.items() if round(points, 2)),
                   key=lambda item: (-abs(item[1]), item[0]))
    listed = "".join(
        f"<li class={'less' if points < 0 else 'more'}>{teller.item(name)} "
        f"<b>{words.number(points, 2, signed=True)}</b></li>" for name, points in items)
    against = words("why_less", best=words.playing(decision.best))
    return f"<h5>{_term('why', words)} <small>{against}</small></h5><ul class=why>{listed}</ul>"


def _follows(decision: Decision, teller: Teller) -> str:
    words = teller.words
    lines = "".join(
        f"<li>{' · '.join(words.play(action) for action in one.pv)}</li>"
        for one in decision.candidates
        if one.action in (decision.best, decision.action) and len(one.pv) > 1)
    return f"<h5>{_term('pv', words)}</h5><ul class=pv>{lines}</ul>" if lines else ""


def _held(teller: Teller, who: str, chances: Mapping[str, float]) -> str:
    """The likeliest cards of an unseen hand."""
    words = teller.words
    likely = sorted(((-chance, name) for name, chance in chances.items()
                     if chance >= LEAST_HELD))[:MOST_HELD]
    if not likely:
        return ""
    cards = "".join(f"<li>{words.colour(name)}{words.percent(-chance)}</li>"
                    for chance, name in likely)
    return f"<h5>{_term('held', words, words('holds', who=who))}</h5><ul class=held>{cards}</ul>"


def _hindsight(decision: Decision, smazzata: Smazzata, teller: Teller) -> str:
    """What all cards would have shown, behind a label of its own."""
    words, after = teller.words, decision.hindsight
    assert after is not None
    hands = "".join(
        f"<li>{teller.names.seat(smazzata, seat)} "
        f"{' '.join(map(words.colour, after.state.hands[seat]))}</li>"
        for seat in range(smazzata.rules.players) if seat != decision.seat)
    said = (words("hindsight_say", best=words.playing(after.best),
                  points=words.points(after.loss, 2)) if after.loss
            else words("hindsight_all"))
    return (f"<details class=hind><summary>{escape(words('hindsight_title'))}</summary>"
            f"<ul class=pv>{hands}</ul><p>{said[0].upper()}{said[1:]}</p></details>")
