// The side panel: the match, what the engine thinks, what was played.

import { stream } from "./api.js";
import { button, h } from "./dom.js";
import { openReview } from "./review.js";
import { sheetTable, sideName, sides } from "./sheet.js";
import { nameOf } from "./table.js";
import { number, percent, rulesOf, short, signs, t, upper } from "./words.js";

const TOP = 5;

/** A table of what the engine thinks of plays. */
export function thoughts(found, rules) {
  const worst = Math.max(0.5, ...found.actions.map(({ loss }) => loss));
  return h("table", { class: "thoughts" },
    h("thead", {}, h("tr", {}, [t("play_is"), t("points_are"), t("match_is")].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, found.actions.map((one) => {
      const bar = h("meter", { min: 0, max: worst, value: worst - one.loss, "aria-hidden": "true" });
      return h("tr", {}, h("th", { scope: "row" }, upper(short(one.action, rules)), bar),
        h("td", {}, number(one.points, 2, true), h("small", {}, one.exact ? t("exact_is") : `± ${number(one.error, 2)}`)),
        h("td", {}, percent(one.match)));
    })));
}

export class Panel {
  constructor(game) {
    this.game = game;
    this.isOpen = false;
    this.match = h("section", {});
    this.thinks = h("section", { class: "thinking" });
    this.log = h("section", { class: "log" });
    this.links = h("section", { class: "links" });
    this.root = h("aside", { class: "panel", "aria-label": t("panel") },
      h("div", { class: "panel-head" }, button(t("close"), () => this.toggle(), { class: "shut" })),
      this.match, this.thinks, this.log, this.links);
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) {
        this.toggle();
        event.stopPropagation();
      }
    });
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.root.classList.toggle("open", this.isOpen);
    const more = this.game.actions.querySelector(".more");
    more?.setAttribute("aria-expanded", String(this.isOpen));
    if (this.isOpen) this.root.querySelector(".shut").focus();
    else more?.focus();
  }

  get isThinking() { return this.game.app.settings.page.thoughts === true; }

  draw(view) {
    this.view = view;
    const { position } = view, { app } = this.game;
    this.match.replaceChildren(h("h2", {}, t("score_is")), h("table", { class: "small" },
      h("thead", {}, h("tr", {}, h("td", {}), [t("match_is"), t("now_is"), t("cards_are")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, sides(view).map((side) => h("tr", {}, h("th", { scope: "row" }, sideName(view, side)),
        h("td", {}, `${view.scores[side]} / ${view.target}`), h("td", {}, String(position.points[side].total)),
        h("td", {}, String(position.taken[side].cards.length)))))),
      position.stock === null ? "" : h("p", { class: "quiet" }, t("stock_n", { n: position.stock })),
      view.sheet && view.stage === "playing" ? h("details", {}, h("summary", {}, t("last_sheet")), sheetTable(view, view.sheet)) : "");
    this._links(view);
    this._log(view);
    this._think(view, app);
  }

  _links(view) {
    const { game } = this;
    const record = h("a", { href: game.path("/record"), download: `${view.rules.split(" ")[0]}-${view.game}.txt` }, t("save_record"));
    this.links.replaceChildren(h("h2", {}, t("more_is")), h("ul", {},
      h("li", {}, record),
      view.position.turn === view.seat && game.app.isOwner ? h("li", {}, h("a", { href: `#/position/${encodeURIComponent(view.position.state)}` }, t("analyse_this"))) : "",
      view.smazzata > 1 || view.stage !== "playing" ? h("li", {}, button(t("review"), () => openReview(game), { class: "link" })) : "",
      h("li", {}, t("rules_are", { rules: view.rules })),
      view.taken_back ? h("li", {}, t("taken_back_n", { n: view.taken_back })) : ""));
  }

  _log(view) {
    const { rules } = this.game;
    let round = 0;
    const items = [];
    for (const step of view.log) {
      if (step.deal) continue;
      if (step.round !== round && view.position.rounds > 1) {
        round = step.round;
        items.push(h("li", { class: "round" }, t("round", { n: round })));
      }
      items.push(h("li", { class: step.seat === view.seat ? "own" : null }, h("b", {}, upper(nameOf(view, step.seat))), " ",
        short(step.action, rules), step.points ? h("em", {}, ` +${step.points}`) : ""));
    }
    this.log.replaceChildren(h("h2", {}, t("log_is")), items.length ? h("ol", { tabindex: "0", "aria-label": t("log_is") }, items)
      : h("p", { class: "quiet" }, t("nothing_done")));
    const list = this.log.querySelector("ol");
    if (list) list.scrollTop = list.scrollHeight;
  }

  _think(view, app) {
    this.stop();
    const box = h("input", { type: "checkbox", id: "thoughts", checked: this.isThinking,
      onchange: (event) => { app.choose({ thoughts: event.target.checked }); this._think(this.view, app); } });
    this.found = h("div", {}, h("p", { class: "quiet" }, t(this.isThinking ? "thinks_on_turn" : "thoughts_off")));
    const old = this.thinks.querySelector("#thoughts");
    const focused = old && old === document.activeElement;
    this.thinks.replaceChildren(h("h2", {}, t("thoughts")), h("label", { class: "switch", for: "thoughts" }, box, t("thoughts_live")), this.found);
    if (focused) box.focus();
    if (!this.isThinking || view.position.turn !== view.seat || view.stage !== "playing") return;
    this.end = stream("GET", this.game.path("/analysis", { top: TOP }), undefined, (name, data) => {
      if (name === "analysis") this.found.replaceChildren(thoughts(data, this.game.rules));
    });
  }

  stop() {
    this.end?.();
    this.end = null;
  }
}
