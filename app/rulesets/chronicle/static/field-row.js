// The straight row that divides the field, as a line that is pulled to another side of the army (field-orders.js).

import { el, now } from "./field.js";
import { border, set } from "./field-orders.js";
import { centre, parts } from "./hexes.js";

// As in mass/hexes.py: "z" grows southwards, "x" eastwards up a slope of hexes, "y" the other way.
function value(hex, axis) {
  const [row, column] = parts(hex);
  const x = column - (row - (row % 2)) / 2;
  return { x, z: row, y: -x - row }[axis];
}

export function plan(form) {
  const army = [...now.units.values()].map((unit) => unit.hex);
  const radios = [...form.querySelectorAll('[name="line"]')];
  const rows = radios.map((radio) => {
    const key = radio.value;
    const sign = key[1] === "+" ? 1 : -1;
    const from = Math.max(...army.map((hex) => sign * value(hex, key[0])));
    return { key, radio, words: radio.parentElement.textContent.trim(), beyond: (hex) => sign * value(hex, key[0]) - from };
  });
  const chosen = rows.find((row) => row.radio.checked) ?? rows[0]; // which is what the server takes
  const cells = [...now.map.cells.keys()];
  const nearest = (hex) => rows.reduce((best, row) => (row.beyond(hex) > best.beyond(hex) ? row : best));
  const on = (row) => cells.filter((hex) => row.beyond(hex) === 0);
  const drawn = (over, row, kind) => {
    const hexes = on(row).sort((one, other) => centre(one)[0] - centre(other)[0] || centre(one)[1] - centre(other)[1]);
    el(over, "path", { class: kind, d: `M${hexes.map(centre).join("L")}` });
  };
  return {
    keys: ["row"], ordered: () => false, row: () => null, name: () => "The row",
    offers: () => new Map(cells.map((hex) => [hex, {}])),
    where: () => on(chosen)[on(chosen).length >> 1],
    holds: (hex) => chosen.beyond(hex) === 0,
    take(key, hex) {
      chosen.radio.checked = true; // to be undone to
      set(form, [["line", nearest(hex).key]]);
    },
    draw(under, over) {
      el(under, "path", { class: "zone", d: border(new Set(cells.filter((hex) => chosen.beyond(hex) >= 0))) });
      drawn(over, chosen, "plan-row");
    },
    preview: (over, hex) => drawn(over, nearest(hex), "plan-row is-tried"),
    says: (key, hex) => nearest(hex).words,
  };
}
