// The hexes of an army that is placed on the field (field-orders.js); what is not said follows the arrangement.

import { el } from "./field.js";
import { ghost, named, set } from "./field-orders.js";
import { read } from "./hexes.js";

export function plan(form) {
  const to = named(form, "to");
  const keys = [...to.keys()];
  const { arranged, zone } = JSON.parse(form.querySelector("[data-arranged]").dataset.arranged);
  const row = (key) => to.get(key).closest("li");
  const name = (key) => row(key).querySelector("b").textContent;
  const free = new Set(zone.split(" "));
  const said = new Map(keys.map((key) => [key, read(to.get(key).value)]).filter(([, hex]) => hex));
  const how = form.querySelector('[name="arrange"]:checked')?.value ?? "";
  const rest = arranged[how].split(" ").filter((hex) => ![...said.values()].includes(hex));
  const at = new Map(keys.map((key) => [key, said.get(key) ?? rest.shift()]));
  const on = (hex) => keys.find((key) => at.get(key) === hex);
  return {
    keys, name, offers: () => new Map([...free].map((hex) => [hex, {}])),
    ordered: (key) => said.has(key),
    where: (key) => at.get(key),
    take(key, hex) {
      const other = on(hex);
      set(form, [[`of.${key}.to`, hex], ...(other && other !== key ? [[`of.${other}.to`, at.get(key)]] : [])]);
    },
    clear: (key) => set(form, [[`of.${key}.to`, ""]]),
    draw(under, over) {
      for (const [key, hex] of at) {
        if (!hex) continue;
        const made = ghost(over, row(key).querySelector(".counter > g"), hex, free.has(hex) ? "is-placed" : "is-placed is-wrong");
        el(made, "text", { x: -12, y: -6 }, key.slice(1));
      }
    },
    says: (key, hex) => (on(hex) ? `${name(on(hex))} is to stand there.` : free.has(hex) ? `${name(key)} can stand there.` : "Nobody can stand there."),
  };
}
