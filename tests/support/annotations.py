"""Annotations that nobody measured: real smazzate with made-up values, to lay pages out with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cirulla_ai import Rules, State

__all__ = ["annotation", "match"]

ITEMS = ("scopa", "cards", "diamonds", "settebello", "primiera", "piccola", "grande", "cappotto")
# The most candidates that an annotation carries.
MOST = 8


def class_of(loss: float, choices: int) -> str:
    """The class of a play by its loss in points, as annotations have it."""
    if choices == 1:
        return "forced"
    bounds = ((1.0, "blunder"), (0.5, "mistake"), (0.25, "doubtful"), (1e-9, "fine"))
    return next((name for bound, name in bounds if loss >= bound), "best")


def annotation(
    rules: str = "cirulla", seed: int = 1, *, names: Sequence[str] = ("A", "B", "C", "D"),
    dealer: int | None = None, scores: Sequence[int] | None = None, record: int = 1,
    viewer: int | None = None, most: int = 1000,
) -> dict[str, Any]:
    """One record's annotation: the seed deals, chooses the plays, and makes up the values.

    ``viewer``: of that seat's record, in which other seats' decisions can't be judged; ``most``
    ends the record after so many actions.
    """
    random = Random(seed)
    state = State.deal(rules, seed=seed, dealer=dealer, scores=scores)
    start = state
    decisions: list[dict[str, Any]] = []
    deals = [deal(random, state, 1)]
    while not state.is_over and len(decisions) < most:
        before = state.round
        decision, state = decided(random, state, len(decisions), viewer)
        decisions.append(decision)
        if not state.is_over and state.round != before:
            deals.append(deal(random, state, state.round))
    return {
        "schema": 1, "kind": "annotation", "engine": "test 1", "evaluation": None, "seed": seed,
        "limit": {"nodes": 2000}, "perspective": "seat to move", "record": record,
        "rules": str(start.rules).removeprefix("rules="),
        "players": list(names[:start.rules.players]), "dealer": start.dealer,
        "scores": list(start.scores), "target": start.rules.target,
        "points": [points.total for points in state.points()],
        "result": "normal" if state.is_over else "unfinished",
        "decisions": decisions, "deals": deals, "sides": sides(state, decisions, deals),
    }


def deal(random: Random, state: State, number: int) -> dict[str, Any]:
    luck = [random.gauss(0, 1.2) for _ in range(state.rules.sides)]
    mean = sum(luck) / len(luck)
    luck = [round(one - mean, 4) for one in luck]
    return {"round": number, "luck": luck, "match": [round(one / 40, 4) for one in luck]}


def decided(
    random: Random, state: State, index: int, viewer: int | None,
) -> tuple[dict[str, Any], State]:
    """The decision of the seat to move, and what comes of it."""
    seat = state.turn
    assert seat is not None
    legal = [str(action) for action in state.legal_actions()]
    random.shuffle(legal)
    # What takes most is played most often, so that it looks like a game.
    action = max(legal[:3], key=len)
    if viewer not in (None, seat):
        return ({"index": index, "round": state.round, "seat": seat, "action": action},
                state.apply(action))
    others = [one for one in legal if one != action]
    chosen_loss = 0.0 if random.random() < 0.6 or not others else round(
        random.expovariate(2.2), 4)
    losses = sorted(round(random.expovariate(1.1), 4) for _ in others)
    if chosen_loss:
        losses[0] = 0.0
    best = round(random.gauss(0.5, 2), 4)
    ranked = sorted(zip((chosen_loss, *losses), (action, *others), strict=True))
    actions = [candidate(random, best, loss, one, state) for loss, one in ranked]
    kept = [one for place, one in enumerate(actions) if place < MOST or one["action"] == action]
    played = next(one for one in actions if one["action"] == action)
    decision = {
        "index": index, "round": state.round, "seat": seat, "state": str(state.view(seat)),
        "action": action, "best": actions[0]["action"], "points": played["points"],
        "loss": chosen_loss, "loss_error": played["loss_error"],
        "match_loss": round(chosen_loss / 40, 4), "class": class_of(chosen_loss, len(legal)),
        "exact": played["exact"], "punished": None, "actions": kept, "match": actions[0]["match"],
    }
    if decision["class"] in ("doubtful", "mistake", "blunder"):
        decision["punished"] = random.random() < 0.5
        decision["why"] = why(random, chosen_loss, state)
        decision["hands"] = hands(random, state, seat)
        if viewer is None:
            decision["hindsight"] = {"state": str(state), "points": best + 0.5,
                                     "best": random.choice(legal), "loss": 0.3}
    return decision, state.apply(action)


def candidate(
    random: Random, best: float, loss: float, action: str, state: State,
) -> dict[str, Any]:
    after = state.apply(action)
    pv = [action] if after.is_over else [action, str(after.legal_actions()[0])]
    exact = state.round == 6
    return {"action": action, "points": round(best - loss, 4), "error": round(
        0 if exact else random.uniform(0.02, 0.06), 4), "loss": loss,
        "loss_error": 0 if exact else 0.04, "match": round(0.5 + (best - loss) / 40, 4),
        "visits": 100, "exact": exact, "pv": pv}


def why(random: Random, loss: float, state: State) -> dict[str, float]:
    if state.rules.preset == "ciapano":
        return {"thirds": -loss}
    items = random.sample(ITEMS[:5], 3)
    parts = [round(random.gauss(-loss / 2, 0.3), 4) for _ in items[:2]]
    return {**dict(zip(items, parts, strict=False)), items[2]: round(-loss - sum(parts), 4)}


def hands(random: Random, state: State, seat: int) -> dict[str, dict[str, float]]:
    """Chances of the unseen cards for each other hand: alike, but for a little."""
    view = state.view(seat)
    unseen = [card for other, hand in enumerate(state.hands) if other != seat
              for card in hand if card not in view.hands[other]]
    unseen += list(state.stock or ()) if hasattr(state, "stock") else []
    return {str(other): {card: round(random.uniform(0.5, 1.5) * view.unknown[other]
                                     / len(unseen), 4) for card in unseen[:20]}
            for other in range(state.rules.players) if other != seat and view.unknown[other]}


def sides(
    state: State, decisions: Sequence[dict[str, Any]], deals: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:
    count = state.rules.sides
    points = [one.total for one in state.points()]
    sign = -1 if state.rules.family.fewest else 1
    out = []
    for side in range(count):
        lead = sign * (points[side] - (sum(points) - points[side]) / (count - 1))
        luck = sum(one["luck"][side] for one in deals)
        own = [one for one in decisions
               if state.rules.side(one["seat"]) == side and "class" in one]
        lost = sum(one["loss"] for one in own)
        skill = sum(one.get("loss", 0) for one in decisions) / (count - 1) - lost * (
            1 + 1 / (count - 1))
        choices = [one for one in own if one["class"] != "forced"]
        out.append({
            "points": points[side], "start": 0.2, "luck": round(luck, 4),
            "skill": round(skill, 4), "rest": round(lead - 0.2 - luck - skill, 4),
            "adjusted": round(lead - luck, 4), "loss": round(lost, 4), "decisions": len(choices),
            "forced": len(own) - len(choices),
            "by_class": {name: sum(one["class"] == name for one in own) for name in (
                "best", "fine", "doubtful", "mistake", "blunder")},
            "match": [0.5, min(1.0, max(0.0, round(0.5 + lead / 40, 4)))],
        })
    return out


def match(rules: str = "cirulla", seed: int = 1, **others: Any) -> Iterator[dict[str, Any]]:
    """The annotations of a whole match, smazzata by smazzata."""
    made = Rules.parse(rules)
    scores: list[int] = [0] * made.sides
    dealer = made.players - 1
    number = 0
    while not made.winners(scores):
        number += 1
        one = annotation(rules, 100 * seed + number, dealer=dealer, scores=scores,
                         record=number, **others)
        yield one
        if one["points"] == [0] * made.sides:
            return
        scores = [score + points for score, points in zip(scores, one["points"], strict=True)]
        dealer = (dealer + 1) % made.players
