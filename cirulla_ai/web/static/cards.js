// Cards as they are drawn, of the sprite that stands once in the page.

import { svg } from "./dom.js";

/** Put the deck into the page. */
export async function unpack() {
  const answer = await fetch(new URL("deck.svg", import.meta.url), { credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.body.prepend(document.adoptNode(page.querySelector("svg")));
}

/** A card's picture; null is a back; `value`: what the matta was declared to be. */
export function picture(card, value = null) {
  const parts = [svg("use", { href: card ? `#c${card}` : "#c0" })];
  if (value) parts.push(svg("use", { href: `#b${value}` }));
  return svg("svg", { class: "card", "aria-hidden": "true" }, ...parts);
}
