// What the reader likes: language, colours, cards, the coach.

import { field, h, select } from "./dom.js";
import { t } from "./words.js";

export async function settingsPage(app) {
  const { settings } = app;
  const pick = (word, name, pairs) => field(t(word), select(pairs.map(([value, key]) => [value, t(key)]), settings.page[name],
    (value) => app.choose({ [name]: value }).then(() => app.redraw()).then(() => document.getElementById(`set-${name}`)?.focus()), { id: `set-${name}` }));
  const tick = (word, is, set, help) => {
    const box = h("input", { type: "checkbox", checked: is, id: `set-${word}`, onchange: (event) => set(event.target.checked) });
    return h("div", { class: "field tick" }, h("label", { for: `set-${word}` }, box, t(word)), help ? h("small", {}, t(help)) : "");
  };
  return [h("h1", {}, t("settings_are")), h("section", { class: "card-box grid" },
    field(t("language_is"), select([["en", "English"], ["it", "Italiano"]], settings.language,
      (value) => app.choose({}, { language: value }).then(() => app.redraw()).then(() => document.getElementById("set-language")?.focus()), { id: "set-language" })),
    pick("theme_is", "theme", [["", "theme_auto"], ["light", "theme_light"], ["dark", "theme_dark"]]),
    pick("deck_is", "deck", [["", "deck_two"], ["four", "deck_four"]]),
    pick("suits_are", "suits", [["", "suits_french"], ["latin", "suits_latin"]])),
  h("section", { class: "card-box" },
    tick("coach_is", settings.coach, (is) => app.choose({}, { coach: is }), "coach_help"),
    field(t("threshold_is"), h("input", { id: "set-threshold", type: "number", min: "0", max: "10", step: "0.05", value: settings.threshold / 100,
      onchange: (event) => app.choose({}, { threshold: Math.round(Math.max(0, Math.min(10, Number(event.target.value) || 0)) * 100) }) })),
    tick("thoughts_live", settings.page.thoughts, (is) => app.choose({ thoughts: is })),
    tick("sound_is", settings.page.sound, (is) => app.choose({ sound: is })),
    tick("keys_are", settings.page.keys, (is) => app.choose({ keys: is }), "keys_help"))];
}
