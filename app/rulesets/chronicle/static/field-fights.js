// The order in which fights take place, chosen on the field (field-orders.js): fights are pressed one after the other,
// and pressed again to be taken back. The numbers are the form's field; what is not in it follows as the rules say.

import { board, el, now } from "./field.js";
import { set } from "./field-orders.js";

export function plan(form) {
  const { units } = now;
  const rows = new Map([...form.querySelectorAll("li[data-number]")].map((row) => [row.dataset.number, row]));
  const said = form.elements.order.value.split(/[\s,]+/).filter((key) => rows.has(key));
  const chosen = [...new Set(said)];
  const sequence = [...new Set([...chosen, ...form.querySelector("[data-fights]").dataset.fights.split(" ")])];
  const hexes = (key) => rows.get(key).dataset.units.split(" ").map((unit) => units.get(unit)?.hex);
  const write = (keys) => set(form, [["order", keys.join(" ")]]);
  const ordered = (key) => chosen.includes(key);
  return {
    keys: [...rows.keys()], sequence, ordered, goes: "is fought",
    row: (key) => rows.get(key),
    name: (key) => rows.get(key).querySelector("p").textContent.replace(/\s+/g, " ").trim(),
    offers: () => new Map(),
    where: (key) => hexes(key)[0],
    holds: (hex, key) => hexes(key).includes(hex),
    toggle: (key) => write(ordered(key) ? chosen.filter((one) => one !== key) : [...chosen, key]),
    later(key, by) {
      const next = sequence.filter((one) => one !== key);
      next.splice(Math.max(0, sequence.indexOf(key) + by), 0, key);
      write(next);
    },
    draw(under, over) {
      for (const key of rows.keys()) {
        const label = board().querySelector(`[data-fight="${rows.get(key).dataset.units}"] text`);
        if (!label) continue;
        const [x, y] = [label.getAttribute("x") - 32, label.getAttribute("y") - 4];
        const mark = el(over, "g", { class: `plan-number is-fight${ordered(key) ? "" : " is-usual"}`, transform: `translate(${x} ${y})` });
        el(mark, "circle", { r: 9 });
        el(mark, "text", { y: 4 }, sequence.indexOf(key) + 1);
      }
    },
    says(_, hex) {
      const key = sequence.find((one) => hexes(one).includes(hex));
      return key && `Fight ${sequence.indexOf(key) + 1} of ${sequence.length}${ordered(key) ? "" : ", as is usual"}.`;
    },
  };
}
