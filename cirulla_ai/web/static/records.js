// Records: read a text or a file, walk through it, have it judged.

import { post, text as askText } from "./api.js";
import { board } from "./board.js";
import { button, field, h, select } from "./dom.js";
import { did, language, rulesOf, t, upper } from "./words.js";

const NODES = 4000;

export async function recordsPage(app) {
  const area = h("textarea", { id: "record", rows: "8", spellcheck: "false" });
  const file = h("input", { id: "record-file", type: "file", accept: ".txt,text/plain",
    onchange: async () => { if (file.files[0]) { area.value = await file.files[0].text(); await read(); } } });
  const problem = h("p", { class: "error", role: "alert" });
  const place = h("div", {});

  async function read() {
    problem.textContent = "";
    place.replaceChildren();
    try {
      const { records } = await post("/api/records", { text: area.value });
      if (records.length) show(records);
      else problem.textContent = t("no_record");
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function show(records) {
    let at = 0, move = 0, request = 0;
    const stage = h("div", { "aria-live": "polite" });
    const judged = h("p", { role: "status" });
    async function draw() {
      const record = records[at], rules = rulesOf(record.positions[move]);
      const turn = (request += 1);
      const position = await post("/api/positions", { state: record.positions[move] });
      if (turn !== request) return;
      const names = position.hands.map((_, seat) => record.names[seat] || t("player", { n: seat + 1 }));
      const last = record.moves[move - 1];
      const before = /\bturn=(\d)/.exec(record.positions[Math.max(0, move - 1)])?.[1];
      stage.replaceChildren(h("p", { class: "said" }, `${move} / ${record.moves.length}. `,
        !last ? t("at_start") : last.startsWith("@") ? t("new_cards") : did(last, names[Number(before)], rules)), board(position, names));
    }
    const go = (to) => { move = Math.max(0, Math.min(records[at].moves.length, to)); draw(); };
    async function judge() {
      judged.textContent = t("reviewing");
      try {
        const page = await askText("POST", "/api/reviews", { text: area.value, nodes: NODES, language });
        const link = h("a", { href: URL.createObjectURL(new Blob([page], { type: "text/html" })), download: "review.html" }, t("save_review"));
        judged.replaceChildren(link);
        link.focus();
      } catch (error) {
        judged.textContent = error.message;
      }
    }
    place.replaceChildren(h("section", { class: "card-box", onkeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && event.target.tagName !== "SELECT") { go(move + step); event.preventDefault(); }
    } },
    records.length > 1 ? field(t("which_smazzata"), select(records.map((one, k) => [k, `${k + 1}. ${one.points.join("–")}`]), 0, (k) => { at = Number(k); go(0); })) : "",
    h("p", { class: "row" }, button("«", () => go(0), { "aria-label": t("at_start") }), button("‹", () => go(move - 1), { "aria-label": t("step_back") }),
      button("›", () => go(move + 1), { "aria-label": t("step_on"), class: "main" }), button("»", () => go(Infinity), { "aria-label": t("at_end") }),
      button(t("analyse"), () => app.go(`#/position/${encodeURIComponent(records[at].positions[move])}`)), button(t("make_review"), judge)),
    judged, stage));
    draw();
  }

  return [h("h1", {}, t("records_are")), h("p", {}, t("records_help")),
    h("section", { class: "card-box" }, field(t("record_file"), file), field(t("record_text"), area), h("p", { class: "row" }, button(t("read_it"), read, { class: "main" }), problem)), place];
}
