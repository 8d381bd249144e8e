// Cards that move: so that one sees what was taken, half a second at most, and never in the way.

const GO = 170, HOLD = 120, AWAY = 190;

export class Motion {
  constructor() {
    this.layer = document.createElement("div");
    this.layer.className = "layer";
    this.layer.setAttribute("aria-hidden", "true");
    this.ends = new Set();
    this.isHurried = false;
  }

  get isStill() {
    return this.isHurried || document.hidden ||
      matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Come to the end of all that moves. */
  hurry() {
    this.isHurried = true;
    for (const end of [...this.ends]) end();
  }

  _until(start) {
    return new Promise((resolve) => {
      const end = () => {
        this.ends.delete(end);
        stop();
        resolve();
      };
      const stop = start(end);
      this.ends.add(end);
    });
  }

  wait(ms) {
    if (this.isStill) return Promise.resolve();
    return this._until((end) => {
      const timer = setTimeout(end, ms);
      return () => clearTimeout(timer);
    });
  }

  /** Copies of pictures that lie above everything, each where its original is. */
  copies(pictures) {
    return pictures.filter(Boolean).map((picture) => {
      const box = picture.getBoundingClientRect();
      const copy = picture.cloneNode(true);
      copy.classList.add("flying");
      copy.style.left = `${box.left}px`;
      copy.style.top = `${box.top}px`;
      copy.style.width = `${box.width}px`;
      copy.style.height = `${box.height}px`;
      copy.from = box;
      this.layer.append(copy);
      return copy;
    });
  }

  /** Move copies to a place. */
  async move(copies, box, ms, { scale = null, shift = 0 } = {}) {
    if (this.isStill || !box) return;
    await Promise.all(copies.map((copy, place) => {
      const x = box.left + box.width / 2 - copy.from.left - copy.from.width / 2 + shift;
      const y = box.top + box.height / 2 - copy.from.top - copy.from.height / 2 + shift;
      const size = scale ?? box.width / copy.from.width;
      return this._until((end) => {
        const moving = copy.animate([{ transform: `translate(${x}px, ${y}px) scale(${size})` }],
          { duration: ms, easing: "cubic-bezier(.3,.7,.3,1)", fill: "forwards", delay: 12 * place });
        moving.onfinish = end;
        return () => { moving.onfinish = null; };
      });
    }));
  }

  /** A card goes from its place onto those that it takes, and all of them to a pile. */
  async take(source, taken, pile) {
    const [card] = this.copies([source]);
    const others = this.copies(taken);
    if (card) this.layer.append(card);
    if (card && taken[0]) {
      await this.move([card], taken[0].getBoundingClientRect(), GO, { scale: null, shift: 12 });
      await this.wait(HOLD);
      await this.move([...others, card], pile, AWAY);
    }
    this.clear();
  }

  /** A card goes from where it was to where it lies now, unseen there until it has come. */
  async lay(card, target) {
    if (card && target) {
      target.classList.add("coming");
      await this.move([card], target.getBoundingClientRect(), GO + HOLD);
      target.classList.remove("coming");
    }
    this.clear();
  }

  clear() {
    this.layer.replaceChildren();
  }
}
