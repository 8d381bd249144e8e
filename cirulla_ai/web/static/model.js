// What lies on the table as it is shown: a view, or one on the way from a view to the next.

const put = (slots, card) => {
  const free = slots.indexOf(null);
  if (free < 0) slots.push(card);
  else slots[free] = card;
};

const lift = (slots, card) => {
  const at = slots.indexOf(card);
  if (at < 0) return;
  slots[at] = null;
  while (slots.length && slots.at(-1) === null) slots.pop();
};

/** Cards keep their places: those that are gone leave theirs free for what comes. */
function settled(slots, cards) {
  const found = slots.map((card) => (cards.includes(card) ? card : null));
  while (found.length && found.at(-1) === null) found.pop();
  for (const card of cards) if (!found.includes(card)) put(found, card);
  return found;
}

export class Model {
  constructor(view, before = null) {
    const { position } = view;
    const isSame = before?.smazzata === view.smazzata;
    this.view = view;
    this.smazzata = view.smazzata;
    this.seen = view.log.length;
    this.isTricks = position.trick !== null;
    this.turn = position.turn;
    this.matta = position.matta;
    this.hands = position.hands.map(({ cards, unknown, shown }) => ({ cards: [...cards], unknown,
      shown: [...shown] }));
    const open = this.isTricks ? position.trick : position.table;
    this.table = isSame ? settled(before.table, open) : [...open];
    this.own = isSame && before.round === position.round
      ? this._kept(before.own, position.hands[view.seat].cards) : [...position.hands[view.seat].cards];
    this.round = position.round;
    this.piles = position.taken.map(({ cards }) => ({ count: cards.length, swept: [] }));
    for (const step of view.log) {
      if (step.sweeps && step.points) this.piles[view.seats[step.seat].side].swept.push(step.card);
    }
  }

  // A small hand keeps its places, a large one closes up.
  _kept(slots, cards) {
    const known = slots.map((card) => (cards.includes(card) ? card : null));
    return cards.every((card) => slots.includes(card)) && slots.length <= 5 ? known : [...cards];
  }

  /** Do one step of the log; returns what is to be shown of it. */
  apply(step, winner) {
    if (step.deal) return { kind: "deal" };
    const hand = this.hands[step.seat];
    this.turn = null;
    if (step.kind === "claim") {
      for (const card of step.cards) if (!hand.shown.includes(card)) hand.shown.push(card);
      if (step.seat !== this.view.seat) {
        for (const card of step.cards) {
          if (hand.cards.includes(card)) continue;
          hand.cards.push(card);
          hand.unknown -= 1;
        }
      }
      return { kind: "claim" };
    }
    if (step.kind === "pass") return { kind: "pass" };
    if (step.card && hand.cards.includes(step.card)) {
      hand.cards = hand.cards.filter((card) => card !== step.card);
    } else hand.unknown = Math.max(0, hand.unknown - 1);
    if (step.seat === this.view.seat) this.own = this.own.map((card) => (card === step.card ? null : card));
    hand.shown = hand.shown.filter((card) => card !== step.card);
    if (step.kind === "give") {
      const next = this.hands[(step.seat + 1) % this.hands.length];
      if (next !== this.hands[this.view.seat]) next.unknown += 1;
      return { kind: "give" };
    }
    const side = this.view.seats[step.seat].side;
    if (this.isTricks) {
      this.table.push(step.card);
      if (this.table.length < this.hands.length) return { kind: "lay" };
      const cards = this.table;
      this.table = [];
      this.piles[winner].count += cards.length;
      return { kind: "take", cards, side: winner, seat: winner };
    }
    if (!step.cards.length) {
      put(this.table, step.card);
      return { kind: "lay" };
    }
    for (const card of step.cards) lift(this.table, card);
    this.piles[side].count += 1 + step.cards.length;
    if (step.sweeps && step.points) this.piles[side].swept.push(step.card);
    return { kind: "take", cards: step.cards, side, seat: step.seat };
  }
}
