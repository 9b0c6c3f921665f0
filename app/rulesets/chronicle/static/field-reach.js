// How far units can go, as areas on the field; loaded for orders, or once the reach of enemies is asked for.

import { board, el, now } from "./field.js";
import { border, reach } from "./hexes.js";

// A line that stays within its area, so that barriers on the same sides stay visible.
export function inside(parent, d, kind) {
  const id = `inside-${kind.replaceAll(" ", "-")}`;
  el(el(parent, "clipPath", { id }), "path", { d });
  el(parent, "path", { class: kind, d, "clip-path": `url(#${id})` });
}

// The hexes of the units of a side, and of its enemies, but for one unit.
export function others(unit, at) {
  const both = [new Set(), new Set()];
  for (const [key, hex] of at) if (key !== unit.key) both[Number(key[0] !== unit.side)].add(hex);
  return both;
}

// Where enemies can go: in a round the quick ones alone, as long as there are some.
export function draw(under) {
  const mine = board().querySelector(".is-mine")?.closest("[data-piece]").dataset.piece[0];
  const all = [...now.units.values()].filter((unit) => unit.side !== mine && unit.go);
  const quick = all.filter((unit) => unit.node.querySelector(".quick"));
  const at = new Map([...now.units].map(([key, { hex }]) => [key, hex]));
  const area = new Set();
  for (const unit of quick.length ? quick : all) {
    for (const hex of reach(now.map, unit.hex, unit.go, ...others(unit, at), "passes" in board().dataset).keys()) area.add(hex);
  }
  if (area.size) inside(under, border(area), `plan-threat side-${all[0].side}`);
}
