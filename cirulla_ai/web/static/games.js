// The games that were begun: to go on with, or to throw away.

import { get, remove } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { language, listed, t } from "./words.js";

export async function gamesPage(app) {
  const place = h("div", {});
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  async function draw() {
    const { games, count } = await get("/api/games");
    const names = (one) => listed(one.names.map((name) => name || t("you")));
    const forget = (one) => dialog(t("throw_away"), h("p", {}, `${one.rules}: ${names(one)}`), (close) => [
      button(t("throw_away"), async () => { close(); await remove(`/api/games/${one.game}`); await draw(); }, { class: "main" }),
      button(t("cancel"), close, { autofocus: true })]);
    place.replaceChildren(games.length ? h("ul", { class: "games" }, games.map((one) => h("li", { class: "card-box" },
      h("a", { href: `#/game/${one.game}`, class: "game-link" }, h("b", {}, one.rules), h("span", {}, names(one))),
      h("span", { class: "stage" }, t(`stage_${one.stage}`), " · ", one.scores.join("–"), ` / ${one.target}`),
      h("small", {}, when.format(new Date(one.changed * 1000))),
      h("a", { href: `/api/games/${one.game}/record`, download: `${one.game}.txt` }, t("save_record")),
      button(t("throw_away_is"), () => forget(one), { class: "small" }))))
      : h("p", {}, t("no_games")), count > games.length ? h("p", {}, t("of_games", { n: games.length, count })) : "");
  }
  await draw();
  return [h("h1", {}, t("games_are")), h("p", {}, h("a", { href: "#/new", class: "button main" }, t("new_game"))), place];
}
