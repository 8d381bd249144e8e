// Elements, made of plain values: whatever is data becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: attributes by name, `on…` functions listen, null and false leave out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((one) => one !== null && one !== undefined));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const button = (label, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, label);

/** A choice out of [value, label] pairs. */
export function select(pairs, chosen, onchange, attributes = {}) {
  return h("select", { onchange: (event) => onchange(event.target.value), ...attributes },
    pairs.map(([value, label]) => h("option", { value, selected: String(value) === String(chosen) },
      label)));
}

/** A field with its label. */
export function field(label, input, help = null) {
  const id = input.id || `f${++field.count}`;
  input.id = id;
  const note = help ? h("small", { id: `${id}-help` }, help) : null;
  if (note) input.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), input, note);
}
field.count = 0;

/** A dialog that opens at once, and leaves the page when it is closed. */
export function dialog(title, content, buttons, attributes = {}) {
  const before = document.activeElement;
  const name = `d${++field.count}`;
  const one = h("dialog", { "aria-labelledby": name, ...attributes },
    h("h2", { id: name }, title), content, h("div", { class: "buttons" }, buttons(() => one.close())));
  one.addEventListener("close", () => {
    one.remove();
    if (before?.isConnected && document.activeElement === document.body) before.focus();
  });
  document.body.append(one);
  one.showModal();
  return one;
}
