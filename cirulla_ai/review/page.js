// What a reader can do beyond reading: walk from error to error, be asked first, hide and show.
// All that is said stands in the page already; this opens, closes and points.
"use strict";
(() => {
  const root = document.documentElement;
  const one = (query, within = document) => within.querySelector(query);
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const words = JSON.parse(document.body.dataset.words);
  const aliases = JSON.parse(document.body.dataset.aliases);
  const say = (key, values) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const box = (name) => document.getElementById(name);
  root.classList.add("on");

  // --- errors: which count, in which order -------------------------------------------------
  const events = all(".d, .g");
  const decisions = all(".d");
  const panels = all("details.d");
  const loss = (panel) => Number(panel.dataset.l);
  const graded = (panel) => /doubtful|mistake|blunder/.test(panel.className);
  let now = null;

  const isError = (panel) => {
    const least = Number(box("least").value);
    // Below the bound of what is doubtful, fine plays that lose a little count as well.
    return loss(panel) > 0 && loss(panel) >= least - 1e-9 && (graded(panel) || least < 0.25);
  };
  const errors = () => {
    const found = panels.filter(isError);
    return box("biggest").checked ? found.sort((a, b) => loss(b) - loss(a)) : found;
  };
  const count = () => {
    const found = errors();
    const place = found.indexOf(now);
    box("count").textContent = found.length
      ? say("count", { n: place < 0 ? "–" : place + 1, all: found.length }) : words.count_none;
  };

  // --- cards: drawn where letters stand for them ------------------------------------------
  const svg = (card, label, classes, badge = "") =>
    `<svg class="card ${classes}" role="img" aria-label="${label}"><use href="#c${card}"/>${badge}</svg>`;
  const draw = (panel) => all(".felt i, .held i", panel).forEach((letters) => {
    const text = letters.textContent;
    const [suit, ...marks] = letters.classList;
    if (suit === "b") {
      const label = text === "1" ? words.hidden_card : say("hidden_cards", { n: text });
      letters.outerHTML = svg("0", label, "b")
        + '<svg class="card b" aria-hidden="true"><use href="#c0"/></svg>'.repeat(text - 1)
        + (text > 4 ? `<small>×${text}</small>` : "");
      return;
    }
    const [sign, value] = text.split("=");
    const name = words.cards[sign];
    const label = value ? say("matta_as", { card: name, value }) : name;
    letters.outerHTML = svg(sign[0] + suit, label, marks.join(" "),
      value ? `<use href="#b${value}"/>` : "");
  });

  // --- going somewhere -------------------------------------------------------------------
  const point = (event) => {
    const match = event.closest(".match");
    const inside = all(".d, .g", match);
    // The curve has one place more at the end of each smazzata.
    const parts = all(".smazzata", match);
    const before = parts.indexOf(event.closest(".smazzata"));
    const last = inside.length + parts.length - 1;
    const x = `${(100 * (inside.indexOf(event) + before)) / Math.max(1, last)}%`;
    all(".cursor").forEach((line) => line.classList.remove("set"));
    all(".cursor", match).forEach((line) => {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.classList.add("set");
    });
    all(".pad", match).forEach((pad) => {
      pad.setAttribute("aria-valuenow", inside.indexOf(event) + 1);
      pad.setAttribute("aria-valuetext", (one("summary", event) || event).textContent.trim());
    });
  };
  const mark = (event) => {
    all(".now").forEach((other) => other.classList.remove("now"));
    event.classList.add("now");
    now = event;
    point(event);
    count();
  };
  const go = (event, focus = true) => {
    if (!event) return;
    if (event.matches("details")) {
      event.open = true;
      draw(event);
      ask(event);
    }
    mark(event);
    event.scrollIntoView({ block: "start" });
    const target = one("summary", event) || event;
    if (target === event) event.tabIndex = -1;
    if (focus) target.focus({ preventScroll: true });
    history.replaceState(null, "", `#${event.id}`);
  };
  const walk = (list, by) => {
    if (!list.length) return;
    const place = list.indexOf(now);
    if (place >= 0) return go(list[(place + by + list.length) % list.length]);
    // From somewhere between: in order, the nearest; by size, the biggest.
    const here = now ? events.indexOf(now) : -1;
    const ordered = list.every((item, i) => !i || events.indexOf(list[i - 1]) < events.indexOf(item));
    if (!ordered || !now) return go(by > 0 ? list[0] : list[list.length - 1]);
    const after = list.findIndex((item) => events.indexOf(item) > here);
    return go(by > 0 ? list[after < 0 ? 0 : after]
      : list[(after < 0 ? list.length : after || list.length) - 1]);
  };
  const toHash = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.matches(".d, .g")) go(target);
  };

  // --- the curve ---------------------------------------------------------------------------
  all(".curves").forEach((section) => {
    const figures = all("figure", section);
    const tabs = all(".tabs button", section);
    const show = (place) => figures.forEach((figure, i) => {
      figure.hidden = i !== place;
      tabs[i].setAttribute("aria-pressed", String(i === place));
    });
    tabs.forEach((tab, i) => tab.addEventListener("click", () => show(i)));
    show(0);
    const match = section.closest(".match");
    const inside = all(".d, .g", match);
    const owners = inside.map((event) => event.closest(".smazzata"));
    const parts = all(".smazzata", match);
    all(".pad", section).forEach((pad) => {
      pad.tabIndex = 0;
      pad.setAttribute("role", "slider");
      pad.setAttribute("aria-label", one("svg", pad).getAttribute("aria-label"));
      pad.setAttribute("aria-valuemin", 1);
      pad.setAttribute("aria-valuemax", Math.max(1, inside.length));
      pad.setAttribute("aria-valuenow", 1);
      pad.addEventListener("click", (click) => {
        const go_to = click.target.closest("[data-go]");
        if (go_to) return go(document.getElementById(go_to.dataset.go));
        const frame = pad.getBoundingClientRect();
        const wanted = ((click.clientX - frame.left) / frame.width)
          * (inside.length + parts.length - 1);
        const places = inside.map((_, i) => Math.abs(i + parts.indexOf(owners[i]) - wanted));
        return go(inside[places.indexOf(Math.min(...places))]);
      });
      pad.addEventListener("keydown", (key) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key.key];
        const at = inside.indexOf(now);
        if (by) {
          const next = inside[Math.min(inside.length - 1, Math.max(0, at + by))];
          mark(next);
        } else if (key.key === "Home") mark(inside[0]);
        else if (key.key === "End") mark(inside[inside.length - 1]);
        else if (key.key === "Enter" && now) go(now);
        else return;
        key.preventDefault();
      });
    });
  });

  // --- the quiz -------------------------------------------------------------------------------
  const rows = (panel) => all(".moves tbody tr", panel);
  const named = (row) => {
    const cell = row.cells[0].cloneNode(true);
    all("em", cell).forEach((tag) => tag.remove());
    return cell.innerHTML.trim();
  };
  const ask = (panel) => {
    if (!root.classList.contains("quiz") || one(".ask", panel)) return;
    const asked = document.createElement("div");
    asked.className = "ask";
    asked.setAttribute("aria-live", "polite");
    const question = document.createElement("p");
    question.textContent = say("ask", { who: one("summary [class^=n]", panel).textContent });
    const list = document.createElement("ol");
    // Not best first, but by what they are called.
    const choices = rows(panel).sort((a, b) => (named(a) < named(b) ? -1 : 1));
    choices.forEach((row, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.innerHTML = `<kbd>${i + 1}</kbd>${named(row)}`;
      button.addEventListener("click", () => tell(panel, row));
      list.appendChild(document.createElement("li")).appendChild(button);
    });
    asked.append(question, list);
    one(".tell", panel).prepend(asked);
  };
  const tell = (panel, row) => {
    const best = one(".moves .best", panel) || rows(panel)[0];
    const lost = row.cells[3].textContent.trim();
    one(".ask p", panel).innerHTML = row === best || !lost
      ? say("quiz_best", { play: named(row) })
      : say("quiz_loss", { play: named(row), loss: lost.replace(/^\u2212/, ""), best: named(best) });
    panel.classList.add("told");
    one("summary", panel).focus({ preventScroll: true });
  };
  const quiz = () => {
    const on = box("quiz").checked;
    root.classList.toggle("quiz", on);
    all(".ask").forEach((asked) => asked.remove());
    all(".told").forEach((panel) => panel.classList.remove("told"));
    if (on) panels.filter((panel) => panel.open).forEach(ask);
  };

  // --- what can be switched ---------------------------------------------------------------------
  const format = new Intl.NumberFormat(root.lang, { minimumFractionDigits: 2 });
  const bound = () => {
    const { value, dataset } = box("least");
    one("output[for=least]").textContent = dataset.percent
      ? `${format.format(value * dataset.percent)} %` : format.format(value);
  };
  const least = () => {
    bound();
    panels.forEach((panel) => { panel.open = isError(panel); });
    count();
  };
  const names = all("[class^=n]").filter((name) => name.className in aliases)
    .map((name) => [name, name.textContent]);
  const title = document.title;
  const anonymous = () => {
    const on = box("names").checked;
    names.forEach(([name, text]) => { name.textContent = on ? aliases[name.className] : text; });
    document.title = on ? one("h1").innerText.replace(/\s+/g, " ") : title;
  };
  const dark = () => { root.dataset.theme = box("dark").checked ? "dark" : "light"; };
  const four = () => { root.dataset.deck = box("four").checked ? "four" : "two"; };
  const hindsight = () => all(".hind").forEach((hind) => { hind.open = box("hinds").checked; });
  const switches = { quiz, names: anonymous, dark, four, hinds: hindsight };
  Object.entries(switches).forEach(([name, change]) => box(name).addEventListener("change", change));
  const flip = (name) => {
    box(name).checked = !box(name).checked;
    box(name).dispatchEvent(new Event("change"));
  };
  box("dark").checked = matchMedia("(prefers-color-scheme: dark)").matches;
  box("least").addEventListener("input", least);
  box("biggest").addEventListener("change", count);
  box("next").addEventListener("click", () => walk(errors(), 1));
  box("prev").addEventListener("click", () => walk(errors(), -1));
  box("print").addEventListener("click", () => print());
  box("help").addEventListener("click", () => box("keys").showModal());
  box("close").addEventListener("click", () => box("keys").close());
  panels.forEach((panel) => {
    if (panel.open) draw(panel);
    panel.addEventListener("toggle", () => {
      if (!panel.open) return;
      draw(panel);
      ask(panel);
    });
  });

  const slide = (by) => {
    box("least").value = Number(box("least").value) + by;
    least();
  };
  const keys = {
    n: () => walk(errors(), 1), p: () => walk(errors(), -1),
    j: () => walk(decisions, 1), k: () => walk(decisions, -1),
    o: () => flip("biggest"), q: () => flip("quiz"), h: () => flip("hinds"),
    a: () => flip("names"), d: () => flip("dark"), c: () => flip("four"),
    "+": () => slide(0.05), "-": () => slide(-0.05), "?": () => box("keys").showModal(),
  };
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || one("dialog[open]")) return;
    if (key.key === "Escape") return hide();
    if (/^[1-9]$/.test(key.key) && now && root.classList.contains("quiz")) {
      const button = all(".ask button", now)[key.key - 1];
      if (button && !now.classList.contains("told")) button.click();
    } else if (keys[key.key]) {
      key.preventDefault();
      keys[key.key]();
    }
  });

  // --- terms: a line about each, where it is pointed at or focused ------------------------------
  const tip = box("tip");
  const hide = () => { tip.hidden = true; };
  const explain = (term) => {
    tip.textContent = box(`t-${term.dataset.t}`).textContent;
    tip.hidden = false;
    const frame = term.getBoundingClientRect();
    const left = Math.min(frame.left, innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, left) + scrollX}px`;
    tip.style.top = `${frame.bottom + scrollY + 6}px`;
  };
  all("dfn").forEach((term) => {
    term.tabIndex = 0;
    term.setAttribute("aria-describedby", `t-${term.dataset.t}`);
    term.addEventListener("focus", () => explain(term));
    term.addEventListener("mouseenter", () => explain(term));
    term.addEventListener("blur", hide);
    term.addEventListener("mouseleave", hide);
  });

  addEventListener("hashchange", toHash);
  bound();
  count();
  toHash();
})();
