// A position as it stands, to be looked at: hands, table, piles.

import { picture } from "./cards.js";
import { h } from "./dom.js";
import { cardName, signs, someCards, t, theCards } from "./words.js";

export function board(position, names) {
  const row = (label, cards, unknown = 0) => h("div", { class: "board-row" }, h("b", {}, label),
    h("div", { class: "cards", role: "img", "aria-label": [cards.length ? theCards(cards) : "", unknown ? someCards(unknown) : ""].filter(Boolean).join(", ") || t("nothing") },
      cards.map((card) => picture(card, position.matta?.card === card ? position.matta.value : null)),
      Array.from({ length: unknown }, () => picture(null))));
  return h("div", { class: "still" },
    position.hands.map(({ cards, unknown }, seat) => row(names[seat] + (position.turn === seat ? ` · ${t("to_move")}` : ""), cards, unknown)),
    row(t(position.trick ? "trick" : "table"), position.trick ?? position.table),
    h("p", { class: "quiet" }, position.taken.map(({ cards }, side) => `${t("taken")} ${side + 1}: ${cards.length ? signs(cards) : t("nothing")}`).join(" · ")));
}
