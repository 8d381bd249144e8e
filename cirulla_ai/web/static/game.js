// A game at the table: what the server says is shown, what the reader does is sent.

import { follow, gamePath, get, post } from "./api.js";
import { Choice } from "./choice.js";
import { button, dialog, h } from "./dom.js";
import { Model } from "./model.js";
import { Motion } from "./motion.js";
import { Panel } from "./panel.js";
import { openReview } from "./review.js";
import { outcome, sheetTable, sideName, sides } from "./sheet.js";
import { nameOf, Table } from "./table.js";
import { cardName, did, number, points, rulesOf, short, sign, signs, someCards, t, theCards, upper }
  from "./words.js";
import { knock } from "./sound.js";

const LIVE_LINES = 40;

export class Game {
  constructor(app, id, seat) {
    this.app = app;
    this.id = id;
    this.seat = seat;
    this.choice = null;
    this.pointed = null;
    this.hint = null;
    this.busy = false;
    this.queue = [];
    this.motion = new Motion();
    this.table = new Table({
      card: (card) => this.choose(card), open: (card) => this.pick(card),
      point: (card) => this.point(card), drop: (card, onto) => this.drop(card, onto) });
    this.scores = h("div", { class: "scores" });
    this.said = h("p", { class: "said" });
    this.actions = h("div", { class: "actions", role: "toolbar" });
    this.live = h("div", { class: "unseen", role: "log", "aria-live": "polite" });
    this.lost = h("p", { class: "lost", role: "status", hidden: true });
    this.panel = new Panel(this);
    this.root = h("div", { class: "game" },
      h("main", { class: "play", tabindex: "-1" }, h("h1", { class: "unseen" }, t("table")), this.scores, this.lost,
        this.table.root, this.said, this.actions, this.live),
      this.panel.root, this.motion.layer);
    this.actions.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], all = [...this.actions.querySelectorAll("button:enabled")];
      if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
    });
    // Focus that was in here is not lost when what had it goes.
    this.root.addEventListener("focusin", () => { this.wasInside = true; });
    this.root.addEventListener("pointerdown", () => this.motion.hurry(), true);
  }

  path(part = "", query = {}) { return gamePath(this.id, this.seat, part, query); }

  open() {
    this.close = follow(this.id, this.seat, (view) => this.seen(view), (is) => this.connection(is));
    return this.root;
  }

  leave() {
    this.close?.();
    this.panel.stop();
    this.motion.hurry();
  }

  connection(isLost) {
    if (!this.model && isLost) {
      get(this.path()).catch((error) => { if (error.status) this.app.failed(error); });
    }
    this.lost.hidden = !isLost;
    this.lost.textContent = isLost ? t("connection_lost") : "";
  }

  // --- what comes -----------------------------------------------------------------------

  seen(view) {
    if (this.latest && view.version <= this.latest.version && view.stage === this.latest.stage) return;
    this.latest = view;
    this.seat = view.seat;
    this.rules = rulesOf(view.rules + " " + view.position.state);
    this.queue.push(view);
    if (!this.isShowing) this.showing = this.show();
  }

  async show() {
    this.isShowing = true;
    this.root.classList.remove("mine");
    while (this.queue.length) {
      // Later views have all steps of those before.
      const view = this.queue.pop();
      this.queue.length = 0;
      await this.bring(view);
    }
    this.isShowing = false;
    this.motion.isHurried = false;
    this.offer();
  }

  async bring(view) {
    const before = this.model;
    const isNext = before && before.smazzata === view.smazzata && view.log.length >= before.seen;
    // A note for the record makes a new version as well.
    const isSame = isNext && view.log.length === before.seen && view.stage === before.view.stage;
    if (isNext) {
      before.view = { ...before.view, seats: view.seats };
      for (const [at, step] of view.log.entries()) {
        if (at < before.seen) continue;
        await this.step(view, step, view.log[at + 1]);
        before.seen = at + 1;
      }
    } else if (before) {
      this.sheetShown = view.stage === "playing" ? null : this.sheetShown;
      this.table.felt.classList.add("dealt");
      setTimeout(() => this.table.felt.classList.remove("dealt"), 400);
      if (before.smazzata === view.smazzata) this.say(t("taken_back"));
    }
    this.model = new Model(view, isNext ? before : null);
    if (!isSame) {
      this.hint = null;
      this.choice = null;
      this.note = null;
    }
    if (!before && view.log.length) this.sayStep(view, view.log.at(-1), true);
    else if (!view.log.length && view.stage === "playing") this.sayDeal(view);
    this.draw();
    this.panel.draw(view);
    this.drawScores(view);
  }

  async step(view, step, next) {
    const { model, table, motion } = this;
    if (step.deal) {
      model.own = [...step.deal];
      return;
    }
    this.sayStep(view, step);
    if (step.kind === "claim") {
      model.apply(step);
      if (step.value) model.matta = { card: this.rules.matta, value: step.value };
      this.draw();
      table.knock(step.seat);
      if (this.app.settings.page.sound) knock();
      await motion.wait(400);
      return;
    }
    if (step.kind === "pass" || step.kind === "give" && !step.card) {
      model.apply(step);
      this.draw();
      return;
    }
    const winner = next?.seat ?? view.position.lead;
    const source = table.source(step.seat, step.card, view);
    const [flying] = motion.isStill || !source ? [] : motion.copies([source]);
    if (source) source.classList.add("coming");
    if (step.kind === "give") {
      const to = table.seats[(step.seat + 1) % view.seats.length].root.getBoundingClientRect();
      if (flying) await motion.move([flying], to, 250, { scale: 0.6 });
      motion.clear();
      model.apply(step);
    } else if (step.cards.length && !model.isTricks) {
      const taken = step.cards.map((card) => table.openPicture(card)).filter(Boolean);
      const others = motion.isStill ? [] : motion.copies(taken);
      if (flying && taken[0]) {
        motion.layer.append(flying);
        const box = taken[0].getBoundingClientRect();
        await motion.move([flying], box, 170, { shift: 12 });
        for (const one of taken) one.classList.add("coming");
        await motion.wait(110);
        const side = view.seats[step.seat].side;
        await motion.move([...others, flying], table.pileBox(side, view), 180);
      }
      motion.clear();
      for (const one of taken) one.classList.remove("coming");
      model.apply(step);
    } else if (model.isTricks && model.table.length === view.seats.length - 1) {
      model.table.push(step.card);
      this.draw();
      await motion.lay(flying, table.openPicture(step.card));
      await motion.wait(180);
      const all = motion.isStill ? [] : motion.copies(model.table.map((card) => table.openPicture(card)));
      model.table.pop();
      model.apply(step, winner);
      this.draw();
      await motion.move(all, table.pileBox(winner, view), 170);
      motion.clear();
    } else {
      model.apply(step, winner);
      this.draw();
      await motion.lay(flying, table.openPicture(step.card));
    }
    if (source) source.classList.remove("coming");
    this.draw();
  }

  // --- what is said ---------------------------------------------------------------------

  /** Say something: shown in one form, spoken in another where need be. */
  say(text, className = "", spoken = text) {
    this.said.textContent = text;
    this.said.className = `said ${className}`;
    this.live.append(h("p", {}, spoken));
    while (this.live.children.length > LIVE_LINES) this.live.firstChild.remove();
  }

  sentence(view, step, isShort = true) {
    const isOwn = step.seat === view.seat;
    const what = did(step.action, isOwn ? null : upper(nameOf(view, step.seat)), this.rules, isShort);
    const more = step.sweeps && step.points ? `: ${t("sweep")}` : step.points ? `: ${points(step.points)}` : "";
    return `${what}${more}.`;
  }

  sayStep(view, step) {
    if (step.deal) this.sayDeal(view);
    else this.say(this.sentence(view, step), step.points ? "scored" : "", this.sentence(view, step, false));
  }

  sayDeal(view) {
    const { position } = view;
    this.say(t(position.dealer === view.seat ? "you_deal" : "who_deals", { who: upper(nameOf(view, position.dealer)) }));
  }

  // --- drawing --------------------------------------------------------------------------

  get isMine() {
    const { view } = this.model;
    return this.model.turn === view.seat && view.stage === "playing" && view.position.legal.length > 0;
  }

  draw() {
    const { model } = this;
    const isMine = this.isMine;
    const legal = isMine ? model.view.position.legal : [];
    if (isMine && !this.choice) this.choice = new Choice(legal);
    if (!isMine) this.choice = null;
    const card = this.choice?.card ?? null;
    const preview = card !== null ? [] : this.pointed && isMine ? legal.filter((one) => one.card === this.pointed) : [];
    const way = this.pointedWay;
    this.table.draw(model, { choice: this.choice, legal, isMine, hint: this.hint, way, preview: way?.kind === "play" ? [way] : preview });
  }

  drawScores(view) {
    const { position } = view;
    this.scores.replaceChildren(
      h("span", { class: "score-list" }, sides(view).map((side) => h("span", { class: "score" },
        h("span", {}, sideName(view, side)), h("b", {}, String(view.scores[side]))))),
      h("span", { class: "where" }, t("to_target", { n: view.target }), h("span", {}, position.rounds > 1
        ? t("round_of", { n: Math.max(1, position.round), all: position.rounds }) : view.seats.length > 2 ? "" : t("smazzata", { n: view.smazzata }))));
  }

  /** What can be done now, in the row of actions; then the sheet, where a smazzata is over. */
  offer() {
    const { view } = this.model, isMine = this.isMine, { position } = view;
    const wasAction = this.actions.contains(document.activeElement);
    const items = [];
    this.pointedWay = null;
    this.actions.classList.remove("ways");
    document.title = `${isMine ? "● " : ""}${view.rules} · cirulla-ai`;
    if (view.problem) {
      this.say(t("engine_failed", { message: view.problem.message }), "error");
      items.push(button(t("try_again_is"), () => this.sitAgain(view.problem.seat)));
    }
    const claims = isMine ? position.legal.filter(({ kind }) => kind === "claim" || kind === "pass") : [];
    if (this.choice?.card) this.offerWays(items);
    else if (claims.length) this.offerClaims(items, claims);
    else if (view.stage === "between") {
      items.push(button(t("next_smazzata"), () => this.next(), { class: "main" }), button(t("score_sheet"), () => this.showSheet()));
    } else if (view.stage === "over") {
      items.push(button(t("score_sheet"), () => this.showSheet()), button(t("review"), () => openReview(this), { class: "main" }),
        button(t("new_game"), () => this.app.go("#/new")));
    }
    if (view.stage === "playing" && !this.choice?.card) {
      if (isMine) items.push(button(t("hint"), () => this.askHint(), { "aria-keyshortcuts": "h", title: "h" }));
      items.push(button(t("take_back"), () => this.back(), { "aria-keyshortcuts": "z", title: "z", disabled: !view.can_take_back }));
    }
    items.push(button(t("more"), () => this.panel.toggle(), { class: "more", "aria-expanded": String(this.panel.isOpen) }));
    this.actions.setAttribute("aria-label", t("actions"));
    this.actions.replaceChildren(...items);
    this.root.classList.toggle("mine", isMine);
    if (isMine && !this.choice?.card && !this.note) this.yours();
    if (wasAction || (this.wasInside && document.activeElement === document.body)) {
      if (this.choice?.card || claims.length || view.stage !== "playing") this.actions.querySelector("button:enabled")?.focus();
      else this.table.focusHand();
    }
    if (view.stage !== "playing" && this.sheetShown !== view.smazzata && view.sheet) {
      this.sheetShown = view.smazzata;
      this.showSheet();
    }
  }

  yours() {
    if (this.said.querySelector(".yours")) return;
    const { phase, legal } = this.model.view.position;
    const claims = legal.filter(({ kind }) => kind === "claim").length;
    const text = phase === "pass" ? t("your_pass") : phase !== "claim" ? t("your_go")
      : t(claims ? "your_claim" : "nothing_to_claim");
    this.said.append(" ", h("span", { class: "yours" }, text));
    this.live.append(h("p", {}, text));
  }

  offerClaims(items, claims) {
    const groups = new Map();
    for (const one of claims) {
      const key = one.cards.join("");
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const hands = [...groups.keys()].filter(Boolean).length, matta = sign(this.rules.matta);
    for (const [key, group] of groups) {
      group.sort((one, other) => other.points - one.points);
      const most = points(group[0].points), isEven = group.every(({ points: worth }) => worth === group[0].points);
      // One hand with one value has a button; of several values each has one, after what they say.
      if (key && group.length > 1) {
        items.push(h("span", { class: "lead" }, t(isEven ? "knock_values" : "knock_values_uneven", { matta, points: most, cards: hands > 1 ? ` ${signs(group[0].cards)}` : "" })));
      }
      for (const one of group) {
        const label = !key ? t("no_claim") : group.length > 1 ? `${one.value}${isEven ? "" : `: ${points(one.points)}`}`
          : t(one.value === null ? "knock_for" : "knock_one", { matta, value: one.value, points: most, cards: hands > 1 ? ` ${signs(one.cards)}` : "" });
        const point = (is) => { this.pointedWay = is ? one : null; this.draw(); };
        items.push(button(label, () => this.act(one.action), key ? { class: "main claim",
          "aria-label": `${label}: ${short(one.action, this.rules)}: ${points(one.points)}`,
          onpointerenter: () => point(true), onpointerleave: () => point(false), onfocus: () => point(true), onblur: () => point(false) } : {}));
      }
    }
    if (claims.length > 1) this.actions.classList.add("ways");
  }

  offerWays(items) {
    const { choice } = this;
    this.actions.classList.add("ways");
    for (const one of choice.open()) {
      const label = one.cards.length ? signs(one.cards) : t("lay_it");
      const point = (is) => { this.pointedWay = is ? one : null; this.draw(); };
      items.push(button(label, () => this.act(one.action), {
        class: choice.whole() === one ? "main way" : "way", "aria-label": upper(short(one.action, this.rules)),
        onpointerenter: () => point(true), onpointerleave: () => point(false),
        onfocus: () => point(true), onblur: () => point(false) }));
    }
    items.push(button(t("cancel"), () => this.undo(), { "aria-keyshortcuts": "Escape", title: "Esc" }));
  }

  // --- what the reader does -------------------------------------------------------------

  point(card) {
    if (this.pointed === card || this.isShowing) return;
    this.pointed = card;
    this.draw();
  }

  choose(card) {
    if (this.busy || this.isShowing || !this.isMine || !this.choice) return;
    if (this.choice.card === card) {
      this.undo();
      return;
    }
    if (!this.choice.ways(card).length) {
      this.say(t(this.model.view.position.legal.some(({ kind }) => kind === "claim") ? "claim_first" : "not_now_card",
        { card: cardName(card) }), "error");
      return;
    }
    const play = this.choice.choose(card);
    if (play) this.act(play.action);
    else {
      this.say(t("choose_cards", { card: cardName(card) }));
      this.note = true;
      this.draw();
      this.offer();
      // By keyboard one is led to the ways; a pointer is on its way to the table.
      if (this.isByKey || this.table.has(card)?.matches(":focus-visible")) this.actions.querySelector(".way")?.focus();
    }
  }

  pick(card) {
    if (this.busy || !this.choice?.card) return;
    const play = this.choice.pick(card);
    if (play) this.act(play.action);
    else {
      this.draw();
      this.offer();
    }
  }

  drop(card, onto) {
    if (this.busy || !this.isMine) return;
    if (this.choice.card === card) this.choice.clear();
    this.choose(card);
    if (onto && this.choice?.card === card) this.pick(onto);
  }

  /** Undo a choice that is half made; returns whether there was one. */
  undo() {
    const card = this.choice?.card;
    if (!this.choice?.clear()) return false;
    this.note = null;
    const { view } = this.model, last = view.log.at(-1);
    this.said.textContent = last && !last.deal ? this.sentence(view, last) : "";
    this.draw();
    this.offer();
    this.table.has(card)?.focus();
    return true;
  }

  async sent(work) {
    if (this.busy) return null;
    this.busy = true;
    this.root.classList.add("busy");
    try {
      return await work();
    } catch (error) {
      if (error.status === 409) this.seenAgain();
      this.say(error.status ? t("cannot", { why: error.message }) : t("connection_lost"), "error");
      return null;
    } finally {
      this.busy = false;
      this.root.classList.remove("busy");
    }
  }

  async seenAgain() {
    this.latest = null;
    this.seen(await get(this.path()));
  }

  async act(action) {
    const { version } = this.model.view;
    const view = await this.sent(() => post(this.path("/actions"), { action, version }));
    if (!view) return;
    this.seen(view);
    if (this.app.settings.coach) this.coach(view);
  }

  async next() {
    const view = await this.sent(() => post(this.path("/next"), {}));
    if (view) this.seen(view);
  }

  async back() {
    if (!this.latest.can_take_back) return;
    const view = await this.sent(() => post(this.path("/back"), {}));
    if (view) this.seen(view);
  }

  async sitAgain(seat) {
    const view = await this.sent(() => this.app.put(`/api/games/${this.id}/seats/${seat}`, { who: this.latest.seats[seat].who }));
    if (view) this.seen(view);
  }

  async askHint() {
    if (!this.isMine) return;
    this.say(t("thinking"));
    const found = await this.sent(() => post(this.path("/hint"), {}));
    if (!found) return;
    const legal = this.model.view.position.legal.find(({ action }) => action === found.action);
    this.hint = legal ?? null;
    this.say(t("hint_is", { play: upper(short(found.action, this.rules)), points: `${number(found.points, 1, true)} ± ${number(found.error, 1)}` }), "hint");
    this.draw();
  }

  /** A word where a play lost much. */
  async coach(view) {
    const own = view.log.filter(({ seat, kind }) => seat === view.seat && kind !== "pass").at(-1);
    if (!own) return;
    let judged;
    try {
      judged = await get(this.path("/judgement", { number: own.number }));
      if (judged.class === "forced" || judged.loss * 100 < this.app.settings.threshold) return;
      judged = await get(this.path("/judgement", { number: own.number, why: 1 }));
    } catch {
      return;
    }
    if (this.latest.smazzata !== view.smazzata) return;
    const why = Object.entries(judged.why ?? {}).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1])).slice(0, 3)
      .map(([item, value]) => `${t(item)} ${number(value, 1, true)}`);
    this.say(t("coach_says", { text: [t("was_worse", { play: upper(short(judged.action, this.rules)), loss: points(judged.loss),
      best: short(judged.best, this.rules), grade: t(judged.class) }), why.length ? t("reasons", { items: why.join(", ") }) : ""]
      .filter(Boolean).join(" ") }), "coach");
  }

  showSheet() {
    if (document.querySelector("dialog.sheet-dialog")) return;
    const { view } = this.model;
    if (!view.sheet) return;
    const isOver = view.stage === "over";
    const title = isOver ? t("match_over") : upper(t("smazzata", { n: view.sheet.smazzata }));
    dialog(title, [isOver ? h("p", { class: "outcome" }, outcome(view)) : null, sheetTable(view, view.sheet)], (close) => [
      view.stage === "between" ? button(t("next_smazzata"), () => { close(); this.next(); }, { class: "main", autofocus: true }) : null,
      isOver ? button(t("new_game"), () => { close(); this.app.go("#/new"); }, { class: "main", autofocus: true }) : null,
      button(t("review"), () => { close(); openReview(this, isOver ? null : view.sheet.smazzata); }),
      button(t("close"), close)], { class: "sheet-dialog" });
  }

  /** All that is on the table, in words. */
  situation() {
    const { view } = this.model, { position } = view;
    const parts = [];
    if (this.isMine) parts.push(t("your_turn"));
    else if (position.turn !== null) parts.push(t("turn_of", { who: nameOf(view, position.turn) }));
    parts.push(`${t(this.model.isTricks ? "trick" : "table")}: ${theCards(this.model.table.filter(Boolean)) || t("empty")}`);
    parts.push(`${t("hand_is")}: ${theCards(this.model.own.filter(Boolean))}`);
    position.hands.forEach(({ unknown, cards }, seat) => {
      if (seat !== view.seat) parts.push(`${nameOf(view, seat)}: ${[unknown ? someCards(unknown) : "", theCards(cards)].filter((one) => one && one !== t("nothing")).join(", ")}`);
    });
    if (position.stock !== null) parts.push(t("stock_is", { cards: someCards(position.stock) }));
    for (const side of sides(view)) parts.push(`${sideName(view, side)}: ${t("taken_is", { cards: someCards(position.taken[side].cards.length) })}, ${t("match_now")} ${view.scores[side]}`);
    return parts.join(". ") + ".";
  }

  /** A key; returns whether it meant something. */
  key(event) {
    if (!this.model) return false;
    if (this.isShowing) {
      // It skips what moves, then means what it means.
      this.motion.hurry();
      this.showing.then(() => this.key(event));
      return true;
    }
    const { key } = event;
    if (key === "Escape") return this.undo();
    if (!this.app.settings.page.keys) return false;
    if (/^[0-9]$/.test(key)) {
      const card = this.table.numbered((Number(key) + 9) % 10);
      this.isByKey = true;
      if (card) this.choose(card);
      this.isByKey = false;
      return card !== null;
    }
    const does = { h: () => this.askHint(), z: () => this.back(), i: () => this.say(this.situation()),
      n: () => { if (this.model.view.stage === "between") this.next(); else return false; },
      l: () => this.panel.toggle() }[key.toLowerCase()];
    return does ? does() !== false : false;
  }
}
