// Targets, and hexes to fall back to: one of several for each unit, chosen on the field (field-orders.js).

import { now } from "./field.js";
import { arrow, ghost, set } from "./field-orders.js";

export function plan(form) {
  const { units } = now;
  const selects = new Map([...form.querySelectorAll('select[name^="of."]')].map((select) => [select.name.split(".")[1], select]));
  const keys = [...selects.keys()].filter((key) => units.has(key) && selects.get(key).querySelector("[data-piece]"));
  const hexOf = (option) => option.dataset.piece && (units.get(option.dataset.piece)?.hex ?? option.dataset.piece);
  const offers = (key) => new Map([...selects.get(key).options].filter(hexOf).map((one) => [hexOf(one), one]));
  const choose = (key, value) => set(form, [[selects.get(key).name, value]]);
  return {
    keys, offers,
    ordered: (key) => Boolean(selects.get(key).value),
    where: (key) => units.get(key).hex,
    take: (key, hex) => choose(key, offers(key).get(hex).value),
    clear: (key) => selects.get(key).querySelector('[value=""]') && choose(key, ""),
    draw(under, over) {
      for (const key of keys) {
        const target = units.get(selects.get(key).value);
        const { side, node, hex } = units.get(key);
        const to = hexOf(selects.get(key).selectedOptions[0]);
        if (to) arrow(over, [hex, to], side, target ? "is-shot" : "");
        if (!to || target) continue;
        ghost(over, node.querySelector(".unit"), to);
        node.classList.add("has-left");
      }
    },
    says: (key, hex) => (offers(key).has(hex) ? `${units.get(key).name}: ${offers(key).get(hex).textContent}.` : ""),
  };
}
