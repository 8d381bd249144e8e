// Set up a position by hand, or by its text, and ask the engine what it thinks of it.

import { post, stream } from "./api.js";
import { board } from "./board.js";
import { picture } from "./cards.js";
import { button, field, h, select } from "./dom.js";
import { thoughts } from "./panel.js";
import { cardName, rulesOf, t } from "./words.js";

const CARDS = [..."HDCS"].flatMap((suit) => [..."A234567JQK"].map((rank) => rank + suit));
const ORDER = [..."A234567JQK"].flatMap((rank) => [..."HDCS"].map((suit) => rank + suit));
const sorted = (cards) => ORDER.filter((card) => cards.includes(card)).join("") || "-";

export async function positionPage(app, [given]) {
  const text = h("textarea", { id: "state", rows: "4", spellcheck: "false" });
  const problem = h("p", { class: "error", role: "alert" });
  const place = h("div", {});
  let end = null;
  app.current = { leave: () => end?.() };

  async function analyse() {
    end?.();
    problem.textContent = "";
    place.replaceChildren();
    try {
      const position = await post("/api/positions", { state: text.value.trim() });
      const rules = rulesOf(position.state);
      const names = position.hands.map((_, seat) => t("player", { n: seat + 1 }));
      const found = h("div", { "aria-live": "off" }, h("p", { class: "quiet" }, t(position.legal.length ? "thinking" : "nothing_to_play")));
      const play = button(t("play_from_here"), async () => {
        try {
          const seats = position.hands.map((_, seat) => ({ who: seat === position.turn ? "me" : `level-${app.settings.level}` }));
          const made = await post("/api/games", { start: position.state, seats });
          app.go(`#/game/${made.game}`);
        } catch (error) {
          problem.textContent = error.message;
        }
      });
      place.replaceChildren(h("section", { class: "card-box" }, board(position, names), h("h2", {}, t("thoughts")), found,
        position.legal.length ? h("p", {}, play) : ""));
      if (position.legal.length) {
        end = stream("POST", "/api/analysis", { state: position.state, top: 12 }, (name, data) => {
          if (name === "analysis") found.replaceChildren(thoughts(data, rules));
        }, (error) => { problem.textContent = error.message; });
      }
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  const setup = h("details", { class: "card-box", open: !given }, h("summary", {}, t("by_hand")));
  const set = { preset: "cirulla", dealer: "1", others: "3", stock: "", round: "1", scopa: "0/0", scores: "0/0" };
  const where = new Map();
  const places = ["hand", "table", "mine", "theirs"];
  let brush = "hand";

  function compose() {
    const at = (one) => sorted(CARDS.filter((card) => where.get(card) === one));
    const count = (one) => CARDS.filter((card) => where.get(card) === one).length;
    const others = Number(set.others) || 0;
    const stock = 40 - count("hand") - count("table") - count("mine") - count("theirs") - others;
    text.value = `rules=${set.preset} dealer=${set.dealer} turn=0 round=${set.round} hands=${at("hand")}/${others ? `?${others}` : "-"} table=${at("table")} ` +
      `taken=${at("mine")}/${at("theirs")} scopa=${set.scopa} last=${count("mine") ? 0 : count("theirs") ? 1 : "-"} stock=${stock ? `?${stock}` : "-"} scores=${set.scores} viewer=0`;
  }

  function drawSetup() {
    const value = (word, name, attributes = {}) => field(t(word), h("input", { value: set[name], size: "6", autocomplete: "off", ...attributes,
      onchange: (event) => { set[name] = event.target.value.trim(); compose(); } }));
    const chips = places.map((one) => {
      const radio = h("input", { type: "radio", name: "brush", id: `brush-${one}`, checked: brush === one, onchange: () => { brush = one; } });
      return h("label", { for: `brush-${one}`, class: `chip at-${one}` }, radio, t(`place_${one}`));
    });
    const cards = CARDS.map((card) => {
      const name = () => `${cardName(card)}${where.has(card) ? `: ${t(`place_${where.get(card)}`)}` : ""}`;
      const one = h("button", { type: "button", "aria-label": name(), class: `small-card ${where.has(card) ? `at-${where.get(card)}` : ""}`, onclick: () => {
        if (where.get(card) === brush) where.delete(card);
        else where.set(card, brush);
        one.className = `small-card ${where.has(card) ? `at-${where.get(card)}` : ""}`;
        one.setAttribute("aria-label", name());
        compose();
      } }, picture(card));
      return one;
    });
    setup.replaceChildren(setup.firstElementChild, h("p", {}, t("by_hand_help")),
      h("div", { class: "grid" }, field(t("which_game"), select(["cirulla", "cirulla-wikipedia", "cirulla-spezia", "cirulla-pigliatutto", "scopa", "asso-piglia-tutto", "scopa-15"].map((name) => [name, name]),
        set.preset, (is) => { set.preset = is; compose(); })),
      field(t("who_deals_is"), select([["0", t("you_seat")], ["1", t("other_seat")]], set.dealer, (is) => { set.dealer = is; compose(); })),
      value("round_is", "round", { inputmode: "numeric" }), value("others_cards", "others", { inputmode: "numeric" }), value("scopa_is", "scopa"), value("scores_are", "scores")),
      h("fieldset", { class: "brushes" }, h("legend", {}, t("put_where")), chips), h("div", { class: "all-cards", role: "group", "aria-label": t("cards_are") }, cards));
  }

  drawSetup();
  if (given) {
    text.value = given;
    analyse();
  } else compose();
  return [h("h1", {}, t("position_is")), setup,
    h("section", { class: "card-box" }, field(t("state_is"), text, t("state_help")), h("p", { class: "row" }, button(t("analyse"), analyse, { class: "main" }), problem)), place];
}
