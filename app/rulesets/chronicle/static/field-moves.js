// Orders to move, given on the field (field-orders.js): each unit's way in the order in which they are carried out.

import { board, el, now } from "./field.js";
import { arrow, ghost, named, others, reach, set, way } from "./field-orders.js";
import { DIRECTIONS, around, centre, read } from "./hexes.js";

// The words of `order` that are known, then the other units.
function inOrder(text, keys) {
  const known = new Map(keys.flatMap((key) => [[key.slice(1), key], [key, key]]));
  return [...new Set([...text.toLowerCase().split(/[\s,]+/).map((word) => known.get(word)).filter(Boolean), ...keys])];
}

export function plan(form) {
  const { map, units } = now;
  const [to, by] = [named(form, "to"), named(form, "by")];
  const keys = [...to.keys()].filter((key) => units.has(key));
  const ordered = (key) => Boolean(to.get(key).value.trim() || by.get(key).value.trim());
  const all = inOrder(form.elements.order?.value ?? "", keys);
  const sequence = all.filter(ordered);
  const at = new Map([...units].map(([key, { hex }]) => [key, hex]));
  const orders = new Map();
  for (const key of new Set([...sequence, ...all])) {
    const { hex, go } = units.get(key);
    const can = reach(map, hex, go, ...others(units.get(key), at), "passes" in board().dataset);
    const end = read(to.get(key).value);
    const steps = by.get(key).value.trim().toUpperCase().split(/[\s,]+/);
    let went = [hex];
    if (steps[0]) for (const step of steps) went.push(around(went.at(-1))[DIRECTIONS.indexOf(step)] ?? "");
    else if (can.has(end) && !can.get(end).taken) went = way(can, end);
    else if (ordered(key)) went = [];
    if (!went.every(map.passable) || went.length > go + 1) went = [];
    orders.set(key, { can, went });
    if (went.length) at.set(key, went.at(-1));
  }
  const offers = (key) => {
    const taken = new Set([...at].filter(([one]) => one !== key).map(([, hex]) => hex));
    return new Map([...orders.get(key).can].filter(([hex, { steps, taken: held }]) => steps && !held && !taken.has(hex)));
  };
  const write = (sequence, values) => {
    const usual = keys.filter((key) => sequence.includes(key));
    const same = usual.every((key, number) => key === sequence[number]);
    const short = keys.every((key) => key[0] === keys[0][0]);
    set(form, [["order", same ? "" : sequence.map((key) => (short ? key.slice(1) : key)).join(" ")], ...values]);
  };
  const put = (key, hex) => [[`of.${key}.by`, ""], [`of.${key}.to`, hex]];
  return {
    keys, ordered, offers, sequence,
    where: (key) => at.get(key),
    path: (key, hex) => way(orders.get(key).can, hex),
    take: (key, hex) => write(ordered(key) ? sequence : [...sequence, key], put(key, hex)),
    clear: (key) => write(sequence.filter((one) => one !== key), put(key, "")),
    later(key, by) {
      const next = sequence.filter((one) => one !== key);
      next.splice(Math.max(0, sequence.indexOf(key) + by), 0, key);
      write(next, []);
    },
    draw(under, over) {
      sequence.forEach((key, number) => {
        const { went } = orders.get(key);
        const { side, node, hex } = units.get(key);
        if (went.length > 1) {
          arrow(over, went, side);
          ghost(over, node.querySelector(".unit"), went.at(-1));
          node.classList.add("has-left");
        }
        const [x, y] = centre(went.at(-1) ?? hex);
        const mark = el(over, "g", { class: `plan-number side-${side}${went.length ? "" : " is-wrong"}`, transform: `translate(${x + 10} ${y + 9})` });
        el(mark, "circle", { r: 6.5 });
        el(mark, "text", { y: 3.5 }, went.length ? number + 1 : "!");
      });
    },
    says(key, hex) {
      const found = offers(key).get(hex);
      const name = units.get(key).name;
      if (found) return `${name} can go there in ${found.steps}${found.stops ? " and meets an enemy" : ""}.`;
      const other = keys.find((one) => one !== key && ordered(one) && at.get(one) === hex);
      return other ? `${units.get(other).name} is ordered there.` : hex === at.get(key) ? "" : `${name} cannot go there.`;
    },
    wrong: sequence.filter((key) => !orders.get(key).went.length),
  };
}
