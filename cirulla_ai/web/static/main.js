// The page: what its address says is shown, and what was chosen is kept.

import { get, put } from "./api.js";
import { unpack } from "./cards.js";
import { button, dialog, h } from "./dom.js";
import { Game } from "./game.js";
import { gamesPage } from "./games.js";
import { positionPage } from "./position.js";
import { recordsPage } from "./records.js";
import { settingsPage } from "./settings.js";
import { setupPage } from "./setup.js";
import { language, speak, t, useLatin } from "./words.js";

const KEPT = "cirulla-settings";
const PAGE = { theme: "", deck: "", suits: "", sound: false, keys: true, thoughts: false };
const FIRST = { level: 20, coach: false, threshold: 25, tables: [] };
const PAGES = { new: setupPage, games: gamesPage, records: recordsPage, position: positionPage, settings: settingsPage };

class App {
  constructor() {
    this.put = put;
    this.isOwner = true;
    this.nav = h("header", { class: "top-bar" });
    this.place = h("div", { class: "page-place" });
    this.current = null;
  }

  // --- what was chosen ------------------------------------------------------------------

  async begin() {
    let found = null;
    try {
      found = await get("/api/settings");
    } catch (error) {
      // A guest has no settings on the server.
      if (![401, 403].includes(error.status)) throw error;
      this.isOwner = false;
      found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    }
    const said = Object.keys(found.page ?? {}).length > 0;
    const system = navigator.language.startsWith("it") ? "it" : "en";
    this.settings = { ...FIRST, ...found, language: said ? found.language ?? system : system, page: { ...PAGE, ...found.page } };
    await this.wear();
    document.body.append(this.nav, this.place);
    window.addEventListener("hashchange", () => this.show());
    document.addEventListener("keydown", (event) => this.key(event));
    this.show();
  }

  async wear() {
    const root = document.documentElement, { page } = this.settings;
    for (const [name, value] of [["theme", page.theme], ["deck", page.deck], ["suits", page.suits]]) {
      if (value) root.dataset[name] = value;
      else delete root.dataset[name];
    }
    useLatin(page.suits === "latin");
    if (language !== this.settings.language || !document.documentElement.dataset.ready) await speak(this.settings.language);
    root.dataset.ready = "yes";
  }

  /** Choose something: part of the page's own, or `more` of the settings. */
  async choose(page, more = {}) {
    this.settings = { ...this.settings, ...more, page: { ...this.settings.page, ...page } };
    if (this.isOwner) await put("/api/settings", this.settings).catch(() => {});
    else localStorage.setItem(KEPT, JSON.stringify(this.settings));
  }

  async redraw() {
    await this.wear();
    await this.show();
  }

  // --- pages ----------------------------------------------------------------------------

  go(hash) {
    if (location.hash === hash) this.show();
    else location.hash = hash;
  }

  async show() {
    const link = new URLSearchParams(location.search);
    if (link.has("game") && !location.hash) {
      history.replaceState(null, "", `/#/game/${link.get("game")}/${link.get("seat") ?? ""}`);
    }
    const [, name = "", ...rest] = location.hash.split("/");
    document.querySelectorAll("dialog").forEach((one) => one.close());
    this.current?.leave?.();
    this.current = null;
    document.title = "cirulla-ai";
    this.drawNav(name);
    document.documentElement.dataset.page = name || "new";
    if (name === "game" && rest[0]) {
      this.current = new Game(this, rest[0], rest[1] ? Number(rest[1]) : null);
      this.place.replaceChildren(this.current.open());
      return;
    }
    if (!name && this.isOwner) {
      const { games } = await get("/api/games?most=1").catch(() => ({ games: [] }));
      if (games.length && games[0].stage !== "over") {
        history.replaceState(null, "", `#/game/${games[0].game}`);
        this.show();
        return;
      }
    }
    try {
      const page = await (PAGES[name] ?? setupPage)(this, rest.length ? [decodeURIComponent(rest.join("/"))] : []);
      this.place.replaceChildren(h("main", { class: "page", tabindex: "-1" }, page));
      const title = this.place.querySelector("h1");
      if (title) {
        title.tabIndex = -1;
        title.focus({ preventScroll: true });
        document.title = `${title.textContent} · cirulla-ai`;
      }
      window.scrollTo(0, 0);
    } catch (error) {
      this.failed(error);
    }
  }

  drawNav(name) {
    const link = (to, label) => h("a", { href: `#/${to}`, "aria-current": to === name ? "page" : null }, label);
    const links = this.isOwner ? [link("new", t("new_game")), link("games", t("games_are")), link("records", t("records_are")),
      link("position", t("position_is")), link("settings", t("settings_are"))] : [link("settings", t("settings_are"))];
    const list = h("nav", { id: "nav", "aria-label": t("menu") }, links);
    const menu = button("", () => {
      const is = list.classList.toggle("open");
      menu.setAttribute("aria-expanded", String(is));
    }, { class: "menu", "aria-expanded": "false", "aria-controls": "nav", "aria-label": t("menu") });
    list.addEventListener("click", () => list.classList.remove("open"));
    this.nav.replaceChildren(h("a", { class: "brand", href: "#/" }, "Cirulla"), menu, list,
      button("?", () => this.help(), { class: "help", "aria-label": t("help_is"), "aria-keyshortcuts": "?" }));
  }

  failed(error) {
    this.place.replaceChildren(h("main", { class: "page" }, h("h1", {}, t("went_wrong")),
      h("p", { role: "alert" }, error.message || t("connection_lost")),
      h("p", {}, button(t("again"), () => this.show(), { class: "main" }))));
  }

  help() {
    if (document.querySelector("dialog")) return;
    const keys = [["1–9, 0", "key_numbers"], ["← → ↑ ↓", "key_arrows"], ["Tab", "key_tab"], ["Esc", "key_escape"], ["h", "key_hint"],
      ["z", "key_back"], ["i", "key_info"], ["l", "key_log"], ["n", "key_next"], ["?", "key_help"]];
    dialog(t("help_is"), [h("p", {}, t("help_pointer")), h("p", {}, t("help_several")), h("p", {}, t("help_claim")),
      h("dl", { class: "keys" }, keys.map(([key, word]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(word))]))],
    (close) => [button(t("close"), close, { autofocus: true })]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog")) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === "?") this.help();
    else if (!this.current?.key?.(event)) return;
    event.preventDefault();
  }
}

await unpack();
await new App().begin();
