// A choice half made: a card of the hand, then table cards, until one legal play is left.

export class Choice {
  constructor(legal) {
    this.legal = legal.filter(({ kind }) => kind === "play" || kind === "give");
    this.card = null;
    this.picked = new Set();
  }

  /** What could be done with a card. */
  ways(card = this.card) {
    return this.legal.filter((one) => one.card === card);
  }

  /** Those that what is picked could still become. */
  open() {
    return this.ways().filter(({ cards }) => [...this.picked].every((card) => cards.includes(card)));
  }

  /** The play that is picked, if it is one. */
  whole() {
    return this.open().find(({ cards }) => cards.length === this.picked.size) ?? null;
  }

  /** Table cards that may be picked, or put back. */
  pickable() {
    return this.card === null ? new Set() : new Set(this.open().flatMap(({ cards }) => cards));
  }

  /** Choose a card; returns the play where there is one way only. */
  choose(card) {
    const ways = this.ways(card);
    this.picked.clear();
    this.card = ways.length ? card : null;
    return ways.length === 1 ? ways[0] : null;
  }

  /** Pick a table card or put it back; returns the play where no other is left. */
  pick(card) {
    if (this.picked.has(card)) this.picked.delete(card);
    else if (this.pickable().has(card)) this.picked.add(card);
    else return null;
    const open = this.open();
    return this.picked.size && open.length === 1 && this.whole() ? open[0] : null;
  }

  clear() {
    const was = this.card !== null;
    this.card = null;
    this.picked.clear();
    return was;
  }
}
