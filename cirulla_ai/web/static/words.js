// Words in the language chosen: those of all front ends (look-….json) and those of this page.

const RANKS = "A234567JQK", SUITS = "HDCS", SIGNS = "♥♦♣♠";
const FEMININE = ["donna"];
let own = {}, shared = { texts: {}, terms: {}, ranks: [], suits: [] };
export let language = "en";
let isLatin = false;

export async function speak(which) {
  const [one, two] = await Promise.all([
    import(`./${which}.js`),
    fetch(new URL(`look-${which}.json`, import.meta.url)).then((answer) => answer.json())]);
  own = one.default;
  shared = two;
  language = which;
  document.documentElement.lang = which;
}

export const useLatin = (is) => { isLatin = is; };

/** What stands at a key, with values put in. */
export function t(key, values = {}) {
  const found = own[key] ?? shared.texts[key];
  if (found === undefined) throw new Error(`no word for ${key}`);
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in own || key in shared.texts;
export const term = (key) => shared.terms[key];
/** What the page has to say of a preset or an option; what the server says, where nothing. */
export const explained = (table, name, otherwise) => own[table]?.[name] ?? otherwise;
export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const rank = (card) => isLatin && card[0] === "Q" ? shared.latin_queen
  : shared.ranks[RANKS.indexOf(card[0])];

export function cardName(card) {
  const suits = isLatin ? shared.latin_suits : shared.suits;
  return `${rank(card)} ${language === "en" ? "of" : "di"} ${suits[SUITS.indexOf(card[1])]}`;
}

export function theCard(card) {
  if (language === "en") return `the ${cardName(card)}`;
  const word = rank(card);
  const article = "aeiou".includes(word[0]) ? "l'" : FEMININE.includes(word) ? "la " : "il ";
  return article + cardName(card);
}

export const sign = (card) => isLatin ? cardName(card) : card[0] + SIGNS[SUITS.indexOf(card[1])];
export const signs = (cards) => cards.map(sign).join(isLatin ? ", " : " ");
export const listed = (items) => items.length < 2 ? items.join("") || t("nothing")
  : t("and", { first: items.slice(0, -1).join(", "), last: items.at(-1) });
export const theCards = (cards) => listed(cards.map(theCard));

export function number(value, digits = 1, isSigned = false) {
  let text = Math.abs(value).toFixed(digits);
  if (Number(text)) text = (value < 0 ? "−" : isSigned ? "+" : "") + text;
  return language === "en" ? text : text.replace(".", ",");
}

export function points(value) {
  const n = number(value, Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1);
  return t(["1", "−1"].includes(n) ? "point" : "points", { n });
}

export const percent = (chance) => `${number(100 * chance, 0)}${language === "en" ? "" : " "}%`;
export const someCards = (n) => t(n === 1 ? "card_n" : "cards_n", { n });

/** An action of the notation taken apart. */
export function parts(action) {
  const cards = (text) => text.match(/../g) ?? [];
  if (action === "pass") return { kind: "pass", cards: [] };
  if (action[0] === ">") return { kind: "give", card: action === ">?" ? null : action.slice(1), cards: [] };
  if (action[0] === "!") {
    const [shown, value] = action.slice(1).split("=");
    return { kind: "claim", cards: cards(shown), value: value ?? null };
  }
  const [card, taken] = action.split("x");
  return { kind: taken ? "take" : "lay", card, cards: cards(taken ?? "") };
}

/** What may be done, with signs for suits: `6♠ takes 2♠ 4♣`. */
export function short(action, rules) {
  const { kind, card, cards, value } = parts(action);
  const key = kind === "lay" && rules.isTricks ? "play" : kind === "claim" && value ? "claim_as" : kind;
  return t(key, { card: card ? sign(card) : t("unseen"), cards: signs(cards), value,
    matta: sign(rules.matta) });
}

/** What was done, as a sentence without its stop; `who` null: by the reader; `isShort`: with signs. */
export function did(action, who, rules, isShort = false) {
  const { kind, card, cards, value } = parts(action);
  const verb = { lay: rules.isTricks ? "played" : "laid", take: "took", give: "gave",
    claim: value ? "claimed_as" : "claimed", pass: "passed" }[kind];
  const [one, all] = isShort ? [sign, signs] : [theCard, theCards];
  return t(`${who === null ? "you" : "who"}_${verb}`, { who, value, cards: all(cards),
    card: card ? one(card) : t("unseen"), matta: one(rules.matta) });
}

/** Rules as the words above need them. */
export function rulesOf(text) {
  const matta = /\bmatta=([A2-7JQK][HDCS])/.exec(text);
  return { isTricks: text.startsWith("ciapano"), matta: matta ? matta[1] : "7H" };
}
