// A new game: the rules of one's own table, who sits where, who deals.

import { get, post } from "./api.js";
import { button, field, h, select } from "./dom.js";
import { explained, t, upper } from "./words.js";

const GROUPS = [
  ["table_and_deal", ["players", "rounds", "table_size", "target"]],
  ["captures", ["capture_equal", "capture_sum", "capture_15", "capture_choice", "must_capture", "ace_sweep", "ace_choice", "last_scopa"]],
  ["claims_are", ["claim", "claim_low", "claim_three", "claim_royal", "claim_time", "claim_best", "claim_play"]],
  ["matta_is", ["matta", "matta_table", "matta_memory"]],
  ["first_table", ["bonus_15", "bonus_30", "bonus_9", "misdeal_aces", "misdeal_three", "misdeal_first", "misdeal_loss", "table_four"]],
  ["score_items", ["points_cards", "points_diamonds", "points_settebello", "points_primiera", "piccola_max", "grande", "grande_extend", "cappotto"]]];
const SEATS = { 2: ["you_seat", "other_seat"], 3: ["you_seat", "right_seat", "left_seat"],
  4: ["you_seat", "right_seat", "partner_seat", "left_seat"] };

const presetName = (name) => upper(name.replaceAll("-", " "));
const wordFor = (option, value) => ({ yes: t("yes"), no: t("no") })[value] ?? explained("choices", `${option}=${value}`, value);

export async function setupPage(app, [linked]) {
  const [{ families }, { bots }] = await Promise.all([get("/api/presets"), get("/api/bots")]);
  const all = families.flatMap((family) => family.presets.map((preset) => ({ ...preset, family })));
  let found, who = [], dealer = "", seed = "", isOpen = false;
  const body = h("div", { class: "setup" });
  const problem = h("p", { class: "error", role: "alert" });

  async function use(text) {
    problem.textContent = "";
    try {
      found = await post("/api/rules", { rules: text });
    } catch (error) {
      problem.textContent = error.message;
      if (!found) await use("cirulla");
      return;
    }
    who = Array.from({ length: found.players }, (_, seat) => who[seat] ?? (seat === 0 ? "me" : `level-${app.settings.level}`));
    if (dealer !== "" && Number(dealer) >= found.players) dealer = "";
    draw();
  }

  const change = (name, value) => {
    const preset = found.preset, options = { ...Object.fromEntries(found.changed.map((one) => [one, found.options[one]])), [name]: value };
    return use([preset, ...Object.entries(options).map(([one, is]) => `${one}=${is}`)].join(" "));
  };

  function option(one) {
    const value = found.options[one.name], id = `o-${one.name}`;
    const help = explained("options", one.name, one.help);
    const set = (is) => { const focus = id; change(one.name, is).then(() => document.getElementById(focus)?.focus()); };
    let input;
    if (one.kind === "flag" || one.kind === "choice") {
      const choices = one.kind === "flag" ? ["yes", "no"] : one.choices;
      input = select(choices.map((choice) => [choice, wordFor(one.name, choice)]), value, set, { id });
    } else {
      input = h("input", { id, value, size: "10", autocomplete: "off", spellcheck: "false", inputmode: one.kind === "number" ? "numeric" : null,
        onchange: (event) => set(event.target.value.trim().replaceAll(" ", "")) });
    }
    const more = one.kind === "text" || one.kind === "number" ? ` (${explained("amounts", one.name, one.takes)})` : "";
    const row = field(explained("names", one.name, one.name.replaceAll("_", " ")), input, `${upper(help)}${more}`);
    if (found.changed.includes(one.name)) row.classList.add("changed");
    return row;
  }

  function seats() {
    const able = bots.filter(({ presets }) => presets.includes(found.preset));
    const levels = [0, 3, 6, 9, 12, 15, 18, 20];
    const chosen = new Set(who);
    const label = (bot) => bot.kind !== "engine" ? explained("players", bot.id, bot.name)
      : bot.level === 20 ? t("level_full") : bot.level === 0 ? t("level_none") : t("level_n", { n: bot.level });
    const pairs = [...able.filter(({ kind, level, id }) => kind === "engine" && (levels.includes(level) || chosen.has(id))).reverse(),
      ...able.filter(({ kind }) => kind !== "engine")].map((bot) => [bot.id, label(bot)]);
    return who.map((is, seat) => field(t(SEATS[found.players][seat]),
      select([["me", t("me")], ...pairs, ["guest", t("guest")]], is, (value) => { who[seat] = value; draw(); }, { id: `seat-${seat}` }),
      is === "guest" ? t("guest_help") : null));
  }

  function tables() {
    const { settings } = app;
    const name = h("input", { id: "table-name", maxlength: "60", autocomplete: "off" });
    const link = `${location.origin}/#/new/${encodeURIComponent(found.rules)}`;
    const keep = async () => {
      if (!name.value.trim()) {
        name.focus();
        return;
      }
      const others = settings.tables.filter((table) => table.name !== name.value.trim());
      await app.choose({}, { tables: [...others, { name: name.value.trim(), rules: found.rules }] });
      draw();
    };
    const copy = button(t("copy_link"), async () => {
      await navigator.clipboard.writeText(link);
      copy.textContent = t("copied");
    });
    return h("section", { class: "card-box" }, h("h2", {}, t("own_tables")),
      app.settings.tables.length ? h("ul", { class: "tables" }, app.settings.tables.map((table) => h("li", {},
        button(table.name, () => use(table.rules), { class: "link", title: table.rules }),
        button("×", async () => { await app.choose({}, { tables: app.settings.tables.filter((one) => one !== table) }); draw(); },
          { class: "small", "aria-label": t("forget", { name: table.name }) })))) : "",
      h("div", { class: "row" }, field(t("table_name"), name), button(t("keep_table"), keep), copy),
      h("p", { class: "quiet" }, t("link_is"), " ", h("a", { href: link, class: "long" }, found.rules)));
  }

  async function start(event) {
    event.preventDefault();
    problem.textContent = "";
    const asked = { rules: found.rules, seats: who.map((one) => ({ who: one })) };
    if (dealer !== "") asked.dealer = Number(dealer);
    if (seed.trim()) {
      if (!/^\d{1,20}$/.test(seed.trim())) {
        problem.textContent = t("seed_wrong");
        return;
      }
      asked.seed = seed.trim();
    }
    try {
      const made = await post("/api/games", asked);
      const level = who.map((one) => /^level-(\d+)$/.exec(one)?.[1]).find(Boolean);
      if (level && Number(level) !== app.settings.level) app.choose({}, { level: Number(level) });
      if (Object.keys(made.links).length) showLinks(app, made);
      else app.go(`#/game/${made.game}`);
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function draw() {
    const focused = document.activeElement?.id;
    const family = all.find(({ name }) => name === found.preset).family;
    const preset = all.find(({ name }) => name === found.preset);
    const known = new Map(family.options.map((one) => [one.name, one]));
    const groups = GROUPS.map(([word, names]) => [word, names.filter((name) => known.has(name))]).filter(([, names]) => names.length);
    const details = h("details", { class: "options card-box", open: isOpen, ontoggle: (event) => { isOpen = event.target.open; } },
      h("summary", {}, t("all_options"), found.changed.length ? h("em", {}, ` · ${t("changed_n", { n: found.changed.length })}`) : ""),
      groups.map(([word, names]) => h("fieldset", {}, h("legend", {}, t(word)), names.map((name) => option(known.get(name))))));
    body.replaceChildren(h("form", { onsubmit: start },
      h("section", { class: "card-box" },
        field(t("which_game"), select(all.map(({ name }) => [name, presetName(name)]), found.preset, use, { id: "preset" }),
          `${upper(explained("presets", found.preset, preset.tradition))}. ${t("for_players", { n: found.players })}, ${t(found.fewest ? "until" : "to_target", { n: found.target })}.`),
        h("div", { class: "grid" }, seats(),
          field(t("who_deals_is"), select([["", t("dealer_last")], ...who.map((_, seat) => [seat, t(SEATS[found.players][seat])])], dealer,
            (value) => { dealer = value; }, { id: "dealer" })),
          field(t("seed_is"), h("input", { id: "seed", value: seed, inputmode: "numeric", autocomplete: "off", oninput: (event) => { seed = event.target.value; } }), t("seed_help"))),
        h("p", { class: "row" }, h("button", { type: "submit", class: "main big" }, t("sit_down")), problem))), details, tables());
    if (focused) document.getElementById(focused)?.focus();
  }

  await use(linked || "cirulla");
  return [h("h1", {}, t("new_game")), body];
}

function showLinks(app, made) {
  const place = h("div", { class: "card-box" }, h("p", {}, t("links_help")),
    h("ul", {}, Object.entries(made.links).map(([seat, url]) => h("li", {}, t("seat_n", { n: Number(seat) + 1 }), ": ", h("a", { href: url, class: "long" }, url)))),
    made.view ? button(t("to_table"), () => app.go(`#/game/${made.game}`), { class: "main" }) : "");
  app.place.replaceChildren(h("main", { class: "page" }, h("h1", {}, t("links_are")), place));
}
