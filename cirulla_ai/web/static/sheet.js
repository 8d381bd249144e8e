// The score sheet: a row an item, a column a side, and why an item is nobody's.

import { h } from "./dom.js";
import { listed, signs, t, upper } from "./words.js";
import { nameOf } from "./table.js";

/** Who plays for a side; pairs are we and they. */
export function sideName(view, side) {
  if (view.seats.length > sides(view).length) return t(view.seats[view.seat].side === side ? "we" : "they");
  return upper(nameOf(view, view.seats.findIndex((one) => one.side === side)));
}

export const sides = (view) => [...new Set(view.seats.map(({ side }) => side))].sort();

const COUNTED = ["cards", "diamonds", "primiera"];

function detail(item, side) {
  const cards = item.cards[side] ?? [];
  if (item.item === "primiera") return item.counts[side] ? `${item.counts[side]} · ${signs(cards)}` : t("suit_missing");
  if (["piccola", "grande"].includes(item.item)) return signs(cards);
  if (COUNTED.includes(item.item)) return String(item.counts[side]);
  if (item.item === "thirds") return t("thirds_n", { n: item.counts[side] });
  return "";
}

export function sheetTable(view, sheet) {
  const all = sides(view);
  const rows = sheet.items.filter(({ item, points }) =>
    points.some(Boolean) || !["scope", "claims", "bonus", "cappotto", "before"].includes(item));
  const line = (name, values, attributes = {}) => h("tr", attributes,
    h("th", { scope: "row" }, name), values.map((value) => h("td", {}, value)));
  return h("table", { class: "sheet" },
    h("thead", {}, h("tr", {}, h("td", {}), all.map((side) => h("th", { scope: "col" }, sideName(view, side))))),
    h("tbody", {}, rows.map((item) => h("tr", {},
      h("th", { scope: "row" }, upper(t(item.item)),
        item.reason ? h("small", {}, t(`nobody_${item.reason}`)) : null),
      all.map((side) => h("td", { class: item.points[side] ? "scored" : null },
        h("b", {}, item.points[side] ? String(item.points[side]) : "–"),
        h("small", {}, detail(item, side))))))),
    h("tfoot", {},
      line(upper(t("total")), all.map((side) => String(sheet.points[side])), { class: "sum" }),
      line(upper(t("match_now")), all.map((side) => `${sheet.before[side]} → ${sheet.after[side]}`), { class: "match" })));
}

/** One sentence about who has won. */
export function outcome(view) {
  const mine = view.seats[view.seat].side, { winners } = view;
  const scores = sides(view).map((side) => `${sideName(view, side)} ${view.scores[side]}`).join(", ");
  if (!winners.length) return scores;
  if (winners.length > 1) return t("shared_by", { who: listed(winners.map((side) => sideName(view, side))), scores });
  return winners[0] === mine ? t("won_by_you", { scores }) : t("won_by", { who: sideName(view, winners[0]), scores });
}
