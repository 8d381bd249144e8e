// The table as it is drawn: seats, cards, piles.  It knows no rules and asks nobody.

import { h } from "./dom.js";
import { picture } from "./cards.js";
import { cardName, someCards, t, theCards, upper } from "./words.js";

// Where the seats after one's own sit, anticlockwise from the right.
const PLACES = { 2: ["own", "top"], 3: ["own", "right", "left"], 4: ["own", "right", "top", "left"] };
// From so many on a hand lies in two rows.
const TWO_ROWS = 8;

/** Put children in order without moving those that are in their place: focus stays. */
function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.children]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
}

/** Who sits there: you, an engine by its level, or whoever has a name. */
export function nameOf(view, seat) {
  const { name, level } = view.seats[seat];
  if (seat === view.seat) return t("you");
  return level !== null ? t("level_n", { n: level }) : name || t("player", { n: seat + 1 });
}

export class Table {
  /** `on`: what is called: card(card), open(card), point(card or null), drop(card, onto). */
  constructor(on) {
    this.on = on;
    this.cards = new Map();
    this.seats = [];
    this.felt = h("div", { class: "felt", role: "group" });
    this.own = h("div", { class: "own-cards", role: "group" });
    this.root = h("div", { class: "board" });
    this.felt.addEventListener("keydown", (event) => this._walk(event, this.felt));
    this.own.addEventListener("keydown", (event) => this._walk(event, this.own));
  }

  seatAt(place) { return this.seats.find((seat) => seat.place === place); }

  _build(view) {
    this.count = view.seats.length;
    this.cards.clear();
    this.root.dataset.seats = this.count;
    this.root.dataset.tricks = String(view.position.trick !== null);
    this.seats = view.seats.map((_, seat) => {
      const place = PLACES[this.count][(seat - view.seat + this.count) % this.count];
      const one = { place, seat,
        name: h("span", { class: "name" }), marks: h("span", { class: "marks" }),
        hand: h("div", { class: "backs", "aria-hidden": "true" }), pile: h("div", { class: "pile", role: "img" }) };
      one.said = h("span", { class: "unseen" });
      one.root = place === "own"
        ? h("section", { class: "seat own" }, h("div", { class: "who" }, one.name, one.marks, one.pile), this.own)
        : h("section", { class: `seat ${place}` }, h("div", { class: "who" }, one.name, one.marks), one.said,
          h("div", { class: "holds" }, one.hand, one.pile));
      return one;
    });
    const at = (place) => this.seatAt(place)?.root;
    this.root.replaceChildren(...[at("left"), at("top"), at("right"), this.felt, at("own")].filter(Boolean));
  }

  /** Draw a model.  `state`: choice, legal (of the reader, now), preview, hint. */
  draw(model, state) {
    const { view } = model;
    if (this.drawn?.game !== view.game || this.count !== view.seats.length || this.seat !== view.seat) {
      this._build(view);
      this.seat = view.seat;
    }
    this.drawn = { game: view.game };
    for (const one of this.seats) this._seat(one, model);
    this._felt(model, state);
    this._own(model, state);
  }

  _seat(one, model) {
    const { view } = model, { seat } = one, hand = model.hands[seat];
    const isTurn = model.turn === seat && view.stage === "playing";
    const isDealer = view.position.dealer === seat;
    const partner = seat !== view.seat && view.seats[seat].side === view.seats[view.seat].side;
    one.root.classList.toggle("turn", isTurn);
    one.root.setAttribute("aria-label", nameOf(view, seat));
    one.name.textContent = upper(nameOf(view, seat));
    one.marks.replaceChildren(...[
      isDealer ? h("span", { class: "dealer", title: t("dealer") }, h("span", { "aria-hidden": "true" }, t("dealer_letter")),
        h("span", { class: "unseen" }, t("dealer"))) : null,
      partner ? h("span", { class: "partner" }, t("partner_is")) : null,
      isTurn && seat !== view.seat ? h("span", { class: "thinks" }, t("thinks")) : null].filter(Boolean));
    if (one.place !== "own") {
      const shown = hand.cards, n = hand.unknown;
      one.said.textContent = [n === 1 ? t("hidden_card") : t("hidden_cards", { n }),
        shown.length ? t("shows", { cards: theCards(shown) }) : ""].filter(Boolean).join(", ");
      one.hand.style.setProperty("--n", Math.max(2, n + shown.length));
      one.hand.replaceChildren(...shown.map((card) => picture(card, this._value(model, card))),
        ...Array.from({ length: n }, () => picture(null)));
    }
    this._pile(one, model);
  }

  _value(model, card) {
    return model.matta && model.matta.card === card ? model.matta.value : null;
  }

  // A side's pile lies by the first of its seats, one's own side's by oneself.
  _pile(one, model) {
    const { view } = model, { side } = view.seats[one.seat];
    const mine = view.seats[view.seat].side;
    const keeper = side === mine ? view.seat : view.seats.findIndex((place) => place.side === side);
    one.pile.hidden = keeper !== one.seat;
    const { count, swept } = model.piles[side];
    one.pile.setAttribute("aria-label", [t("pile_of", { who: nameOf(view, one.seat), cards: someCards(count) }),
      swept.length ? t("sweeps_n", { n: swept.length }) : ""].filter(Boolean).join(", "));
    one.pile.replaceChildren(
      ...swept.slice(-4).map((card, at) => {
        const across = h("span", { class: `across across-${at}` }, picture(card));
        return across;
      }),
      count ? picture(null) : h("span", { class: "no-pile" }),
      h("span", { class: "count" }, String(count)),
      swept.length ? h("span", { class: "swept" }, `+${swept.length}`) : "");
  }

  // --- cards that one may point at ------------------------------------------------------

  _card(zone, card) {
    const key = zone + card;
    if (!this.cards.has(key)) {
      const one = h("button", { type: "button", class: "place", "data-card": card, tabindex: "-1" });
      one.addEventListener("click", () => { if (!one.dragged) this.on[zone](card); });
      if (zone === "card") {
        one.addEventListener("pointerenter", () => this.on.point(card));
        one.addEventListener("focus", () => { if (one.matches(":focus-visible")) this.on.point(card); });
        for (const name of ["pointerleave", "blur"]) one.addEventListener(name, () => this.on.point(null));
        this._drags(one, card);
      }
      this.cards.set(key, one);
    }
    return this.cards.get(key);
  }

  _face(button, card, value) {
    const key = `${card}${value ?? ""}`;
    if (button.dataset.face === key) return;
    button.dataset.face = key;
    button.replaceChildren(picture(card, value));
  }

  _felt(model, { choice, preview, hint }) {
    const pickable = choice?.pickable() ?? new Set();
    const raised = new Set(preview.length === 1 ? preview[0].cards : []);
    const maybe = new Set(preview.length > 1 ? preview.flatMap(({ cards }) => cards) : []);
    this.felt.setAttribute("aria-label", t(model.isTricks ? "trick" : "table"));
    arrange(this.felt, model.table.map((card) => {
      if (card === null) return h("span", { class: "place" });
      const one = this._card("open", card), value = this._value(model, card);
      this._face(one, card, value);
      one.setAttribute("aria-label", value ? t("matta_as", { card: cardName(card), value }) : cardName(card));
      if (pickable.has(card)) one.setAttribute("aria-pressed", String(choice.picked.has(card)));
      else one.removeAttribute("aria-pressed");
      one.classList.toggle("pickable", pickable.has(card));
      one.classList.toggle("picked", choice?.picked.has(card) ?? false);
      one.classList.toggle("raised", raised.has(card));
      one.classList.toggle("maybe", maybe.has(card) && !pickable.size);
      one.classList.toggle("faded", pickable.size > 0 && !pickable.has(card));
      one.classList.toggle("hinted", hint?.cards.includes(card) ?? false);
      return one;
    }));
    this.felt.dataset.empty = model.table.some(Boolean) ? "" : t("empty_table");
    this._rove(this.felt);
  }

  _own(model, { choice, legal, hint, isMine, way }) {
    this.own.setAttribute("aria-label", t("hand_is"));
    const shown = model.hands[model.view.seat].shown;
    const many = model.own.length >= TWO_ROWS;
    this.own.classList.toggle("two-rows", many);
    this.own.dataset.n = String(many ? Math.ceil(model.own.length / 2) : model.own.length);
    this.own.style.setProperty("--n", this.own.dataset.n);
    let at = 0;
    arrange(this.own, model.own.map((card) => {
      if (card === null) return h("span", { class: "place" });
      at += 1;
      const one = this._card("card", card), value = this._value(model, card);
      this._face(one, card, value);
      const ways = legal.filter((way) => way.card === card);
      one.setAttribute("aria-label", this._said(card, ways, value, shown.includes(card)));
      if (at < 11) one.setAttribute("aria-keyshortcuts", String(at % 10));
      one.setAttribute("aria-pressed", String(choice?.card === card));
      one.classList.toggle("chosen", choice?.card === card);
      one.classList.toggle("shown", shown.includes(card) || way?.kind === "claim" && way.cards.includes(card));
      one.classList.toggle("hinted", hint ? hint.card === card || hint.kind === "claim" && hint.cards.includes(card) : false);
      if (isMine && !ways.length) one.setAttribute("aria-disabled", "true");
      else one.removeAttribute("aria-disabled");
      one.classList.toggle("idle", isMine && !ways.length && legal.some(({ kind }) => kind === "play"));
      return one;
    }));
    this._rove(this.own);
  }

  _said(card, ways, value, isShown) {
    const name = value ? t("matta_as", { card: cardName(card), value }) : cardName(card);
    const more = ways.map((way) => way.cards.length
      ? t(way.sweeps ? "takes_all" : "takes", { cards: theCards(way.cards) })
      : t(way.kind === "give" ? "hands_on" : "takes_none"));
    return [name, isShown ? t("is_shown") : "", more.length > 1 ? t("ways_n", { n: more.length }) : "",
      more.join(", " + t("or") + " ")].filter(Boolean).join(", ");
  }

  // --- keyboard -------------------------------------------------------------------------

  _rove(zone) {
    const all = [...zone.querySelectorAll("button")];
    const current = all.find((one) => one === document.activeElement) ?? all.find((one) => one.tabIndex === 0) ?? all[0];
    for (const one of all) one.tabIndex = one === current ? 0 : -1;
  }

  _walk(event, zone) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = [...zone.querySelectorAll("button")], at = all.indexOf(document.activeElement);
    let next = null;
    if (at < 0) return;
    if (step) next = all[(at + step + all.length) % all.length];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all.at(-1);
    else if (event.key === "ArrowUp" && zone === this.own) next = this.felt.querySelector("button[tabindex='0']");
    else if (event.key === "ArrowDown" && zone === this.felt) next = this.own.querySelector("button[tabindex='0']");
    if (!next) return;
    event.preventDefault();
    for (const one of all) if (next.parentElement === zone) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  }

  /** The cards of the hand in order, as 1–9 and 0 choose them. */
  numbered(n) { return this.own.querySelectorAll("button")[n]?.dataset.card ?? null; }

  /** The button of a card of the hand. */
  has(card) { return this.own.querySelector(`[data-card="${card}"]`); }

  focusHand() { (this.own.querySelector("button[tabindex='0']") ?? this.felt.querySelector("button"))?.focus(); }

  // --- pointer --------------------------------------------------------------------------

  _drags(one, card) {
    let start = null;
    one.addEventListener("pointerdown", (event) => {
      one.dragged = false;
      if (event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY };
      one.setPointerCapture(event.pointerId);
    });
    one.addEventListener("pointermove", (event) => {
      if (!start) return;
      const x = event.clientX - start.x, y = event.clientY - start.y;
      if (!one.dragged && Math.hypot(x, y) < 8) return;
      one.dragged = true;
      one.classList.add("dragged");
      one.style.transform = `translate(${x}px, ${y}px)`;
    });
    const drop = (event, isDone) => {
      if (!start) return;
      start = null;
      one.style.transform = "";
      one.classList.remove("dragged");
      if (!one.dragged || !isDone) return;
      const under = document.elementsFromPoint(event.clientX, event.clientY);
      if (under.includes(this.felt)) {
        const onto = under.find((element) => element.parentElement === this.felt && element.dataset.card);
        this.on.drop(card, onto?.dataset.card ?? null);
      }
      // The click that ends a drag chooses nothing.
      setTimeout(() => { one.dragged = false; });
    };
    one.addEventListener("pointerup", (event) => drop(event, true));
    one.addEventListener("pointercancel", (event) => drop(event, false));
  }

  // --- where things are -----------------------------------------------------------------

  openPicture(card) { return this.felt.querySelector(`[data-card="${card}"] svg`); }

  /** The picture of a card that a seat is about to play. */
  source(seat, card, view) {
    if (seat === view.seat) return this.own.querySelector(`[data-card="${card}"] svg`);
    const { hand } = this.seats[seat];
    const last = hand.lastElementChild;
    if (!last) return null;
    // It turns up as it leaves.
    const face = picture(card);
    last.replaceWith(face);
    return face;
  }

  pileBox(side, view) {
    const mine = view.seats[view.seat].side;
    const keeper = side === mine ? view.seat : view.seats.findIndex((place) => place.side === side);
    return this.seats[keeper].pile.getBoundingClientRect();
  }

  knock(seat) {
    const { root } = this.seats[seat];
    root.classList.remove("knocks");
    void root.offsetWidth;
    root.classList.add("knocks");
  }
}
