// Clusters, made on the field (field-orders.js): a unit is dragged to a fight next to it, where the rules allow what comes
// of that. The server checks it again by the same rule (mass/clusters.py).

import { el, now } from "./field.js";
import { border, named, set } from "./field-orders.js";
import { around, centre } from "./hexes.js";

const product = (numbers) => numbers.reduce((all, one) => all * one, 1);

export function plan(form) {
  const { map, units } = now;
  const duels = form.querySelector("[data-duels]");
  const { side, army, ways, most, largest, pairs } = JSON.parse(duels.dataset.duels);
  const against = named(form, "against");
  const keys = [...against.keys()].filter((key) => against.get(key).matches("select"));
  const sides = (group) => [true, false].map((own) => group.filter((key) => (units.get(key).side === side) === own));
  const isStar = ([own, others]) =>
    Math.min(own.length, others.length) === 1 && own.every((one) => others.every((other) => ways[`${one} ${other}`]));

  // Units that hang together by whom they name.
  const of = new Map();
  for (const [key, { value }] of against) {
    const both = [...new Set([...(of.get(key) ?? [key]), ...(of.get(value) ?? [value])])];
    for (const one of both) of.set(one, both);
  }
  const groups = [...new Set(of.values())];
  const legal = (groups) =>
    groups.every((group) => group.length <= largest && isStar(sides(group))) && groups.length >= most && groups.filter((group) => group.length === 2).length >= pairs;

  // The first legal way to have a unit fight an enemy: it goes over, or the enemy comes, or it changes places with a
  // friend there, or the enemy does.
  function joined(key, enemy) {
    const [from, to] = [of.get(key), of.get(enemy)];
    const friends = (group, one) => group.filter((other) => other !== one && other[0] === one[0]);
    const ways = [[key], [enemy], ...friends(to, key).map((other) => [key, other]), ...friends(from, enemy).map((other) => [enemy, other])];
    for (const moved of from === to ? [] : ways) {
      const swap = (group, other) => [...group.filter((one) => !moved.includes(one)), ...moved.filter((one) => other.includes(one))];
      const after = groups.map((group) => (group === from ? swap(from, to) : group === to ? swap(to, from) : group));
      if (legal(after)) return after;
    }
  }

  const offers = (key) => {
    const near = [...against.get(key).options].map((option) => [units.get(option.value).hex, joined(key, option.value)]);
    return new Map(near.filter(([, after]) => after));
  };
  return {
    keys, offers,
    ordered: () => true,
    where: (key) => units.get(key).hex,
    take(key, hex) {
      const values = offers(key).get(hex).flatMap((group) => {
        const [few, many] = sides(group).sort((one, other) => one.length - other.length);
        const named = many.includes(against.get(few[0]).value) ? against.get(few[0]).value : many[0];
        return [[few[0], named], ...many.map((one) => [one, few[0]])];
      });
      set(form, values.map(([one, other]) => [`of.${one}.against`, other]));
    },
    clear: () => {},
    draw(under, over) {
      const marks = new Set([...units.values()].map((unit) => unit.hex));
      const told = groups.map((group) => fight(group, marks, under, over));
      const list = duels.querySelector("ul");
      if (list.textContent !== told.join("")) list.replaceChildren(...told.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
    },
    says: (key, hex) => (offers(key).has(hex) ? `${units.get(key).name} can fight there.` : ""),
  };

  // Draws a cluster with the odds of the side that chooses; returns it in words.
  function fight(group, marks, under, over) {
    const [own, others] = sides(group);
    const right = isStar([own, others]);
    const flanked = (foes) => foes.some((one) => foes.some((other) => one < other && !map.adjacent(units.get(one).hex, units.get(other).hex)));
    const foes = (key, all) => (all.length === 1 ? [key] : all);
    const wins = own.flatMap((one) => others.map((other) => ways[`${one} ${other}`]?.[2 * flanked(foes(other, others)) + flanked(foes(one, own))] / 640));
    const words = right ? percent(own.length === 1 ? product(wins) : 1 - product(wins.map((one) => 1 - one))) : "?";
    const hexes = new Set(group.map((key) => units.get(key).hex));
    for (const more of [" under", right ? "" : " is-wrong"]) el(under, "path", { class: `fight${more}`, d: border(hexes) });
    const mark = el(over, "g", { class: `plan-odds${right ? "" : " is-wrong"}`, transform: `translate(${beside(hexes, map, marks)})` });
    el(mark, "rect", { x: -17, y: -8, width: 34, height: 16, rx: 3 });
    el(mark, "text", { y: 4 }, words);
    const names = (keys) => keys.map((key) => units.get(key).name).join(", ");
    return `${names(own)} (${army}) against ${names(others)}: ${words}`;
  }
}

// The middle of the free hex beside some hexes that is nearest to all of them; it is taken then.
function beside(hexes, map, taken) {
  const far = (hex) => [...hexes].reduce((sum, one) => sum + Math.hypot(centre(one)[0] - centre(hex)[0], centre(one)[1] - centre(hex)[1]), 0);
  const free = [...hexes].flatMap(around).filter((hex) => map.cells.has(hex) && !taken.has(hex));
  const best = free.sort((one, other) => far(one) - far(other))[0] ?? [...hexes][0];
  for (const hex of [best, ...around(best).slice(0, 2)]) taken.add(hex); // it is wider than a hex
  return centre(best);
}

// A chance as pages write it: app/engine/sentences.py, percent.
function percent(chance) {
  if (chance < 1e-9 || chance > 1 - 1e-9) return chance < 0.5 ? "0 %" : "100 %";
  const exact = 100 * chance + 1e-7;
  const tenths = Math.floor(10 * exact + 0.5);
  if (tenths < 50) return tenths ? `${(tenths / 10).toFixed(1)} %` : "under 0.1 %";
  return exact < 99.5 ? `${Math.floor(exact + 0.5)} %` : "over 99 %";
}
