// The review of a game: it is worked out, then shown in a frame of its own.

import { gamePath, stream } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { language, t } from "./words.js";

const NODES = 4000;

export function openReview(game, smazzata = null) {
  const query = { nodes: NODES, ...(smazzata ? { smazzata } : {}) };
  const bar = h("progress", { "aria-label": t("reviewing") });
  const content = h("div", { class: "review" }, h("p", {}, t("reviewing")), bar);
  const page = gamePath(game.id, game.seat, "/review", { ...query, language });
  const end = stream("GET", gamePath(game.id, game.seat, "/annotations", query), undefined, (name, data) => {
    if (name === "progress") {
      bar.max = data.total;
      bar.value = data.done;
    }
    if (name === "end") content.replaceChildren(h("iframe", { src: page, title: t("review") }));
  }, (error) => content.replaceChildren(h("p", { class: "error", role: "alert" }, error.message)));
  const one = dialog(t("review"), content, (close) => [
    h("a", { class: "button", href: page, target: "_blank", rel: "noopener" }, t("own_tab")), button(t("close"), close)],
    { class: "review-dialog" });
  one.addEventListener("close", end);
}
