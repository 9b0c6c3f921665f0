// What the form that is open says about units on the field: orders to move, places, partners, targets. The form's fields
// are the truth; a plan is read from them for each picture and writes into them.
//
//   planOf(form, units, field, passes)   null, or what field.js draws and asks:
//     keys            the units that the form is about; where(key), row(key), ordered(key)
//     offers(key)     the hexes that can be pressed for a unit, each with steps and stops where it moves
//     take(key, hex), clear(key), later(key, by)   change the form; undo() takes the last change back
//     draw(under, over), says(key, hex)

import { DIRECTIONS, around, border, centre, outline, reach, read, way } from "./hexes.js";

const SVG = "http://www.w3.org/2000/svg";
const past = []; // [form's name, values] before each change

export function el(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

export const line = (hexes) => `M${hexes.map((hex) => centre(hex)).join("L")}`;

// The fields "of.UNIT.what" of a form, by unit.
function named(form, what) {
  const found = [...form.querySelectorAll(`[name^="of."][name$=".${what}"]`)];
  return new Map(found.map((field) => [field.name.split(".")[1], field]));
}

const nameOf = (form) => `${form.dataset.seal}${form.dataset.version}`;
const fieldsOf = (form) => [...form.elements].filter((field) => /^of\.|^order$/.test(field.name));

function set(form, values) {
  past.push([nameOf(form), fieldsOf(form).map((field) => [field.name, field.value])]);
  write(form, values);
}

function write(form, values) {
  for (const [name, value] of values) {
    const field = form.elements.namedItem(name);
    if (!field || field.type === "checkbox" || field.value === value) continue;
    field.value = value;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

export function undo(form) {
  const [name, values] = past.pop() ?? [];
  if (name && name === nameOf(form)) write(form, values);
  else past.length = 0;
  return Boolean(name);
}

function ghost(over, node, hex, more = "") {
  const made = node.cloneNode(true);
  made.classList.add("is-ghost");
  made.setAttribute("class", `${made.getAttribute("class")} ${more}`);
  made.setAttribute("transform", `translate(${centre(hex)})`);
  over.append(made);
  return made;
}

function arrow(over, hexes, side, more = "") {
  el(over, "path", { class: "plan-way under", d: line(hexes) });
  el(over, "path", { class: `plan-way side-${side} ${more}`, d: line(hexes), "marker-end": `url(#arrow-${side})` });
}

export function planOf(form, units, field, passes) {
  const make = form?.querySelector('[name$=".by"]') ? moves : form?.querySelector("[data-arranged]") ? places : pairs;
  const plan = form && make(form, units, field, passes);
  return plan?.keys.length ? { form, row: (key) => form.querySelector(`[name^="of.${key}."]`).closest("li"), ...plan } : null;
}

// ---- moves -----------------------------------------------------------------------------------------------------

// The words of `order` that are known, then the other units.
function inOrder(text, keys) {
  const known = new Map(keys.flatMap((key) => [[key.slice(1), key], [key, key]]));
  return [...new Set([...text.toLowerCase().split(/[\s,]+/).map((word) => known.get(word)).filter(Boolean), ...keys])];
}

function moves(form, units, field, passes) {
  const to = named(form, "to");
  const by = named(form, "by");
  const keys = [...to.keys()].filter((key) => units.has(key));
  const order = form.elements.namedItem("order");
  const ordered = (key) => Boolean(to.get(key).value.trim() || by.get(key).value.trim());
  const all = inOrder(order?.value ?? "", keys);
  const sequence = all.filter(ordered);
  const at = new Map([...units].map(([key, { hex }]) => [key, hex]));
  const orders = new Map();
  for (const key of [...sequence, ...all.filter((key) => !ordered(key))]) {
    const { hex, go, side } = units.get(key);
    const [friends, enemies] = [new Set(), new Set()];
    for (const [one, there] of at) if (one !== key) (units.get(one).side === side ? friends : enemies).add(there);
    const can = reach(field, hex, go, friends, enemies, passes);
    const end = read(to.get(key).value);
    const steps = by.get(key).value.trim().toUpperCase().split(/[\s,]+/);
    let went = [hex];
    if (steps[0]) went = steps.reduce((hexes, step) => [...hexes, around(hexes.at(-1))[DIRECTIONS.indexOf(step)] ?? ""], went);
    else if (end && can.has(end) && !can.get(end).taken) went = way(can, end);
    else if (ordered(key)) went = [];
    const wrong = went.some((one) => !field.passable(one)) || went.length > go + 1;
    orders.set(key, { can, went: wrong ? [] : went });
    if (went.length && !wrong) at.set(key, went.at(-1));
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
  return {
    keys, ordered, offers, sequence,
    where: (key) => at.get(key),
    path: (key, hex) => way(orders.get(key).can, hex),
    take(key, hex) {
      write(ordered(key) ? sequence : [...sequence, key], [[`of.${key}.by`, ""], [`of.${key}.to`, hex]]);
    },
    clear: (key) => write(sequence.filter((one) => one !== key), [[`of.${key}.to`, ""], [`of.${key}.by`, ""]]),
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

// ---- places ----------------------------------------------------------------------------------------------------

function places(form, units) {
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
    keys, offers: () => new Map([...free].map((hex) => [hex, {}])),
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
    name,
  };
}

// ---- partners, targets, hexes to choose from -------------------------------------------------------------------

function pairs(form, units, field) {
  const selects = new Map([...form.querySelectorAll('select[name^="of."]')].map((select) => [select.name.split(".")[1], select]));
  const keys = [...selects.keys()].filter((key) => units.has(key) && selects.get(key).querySelector("[data-piece]"));
  const hexOf = (option) => option.dataset.piece && (units.get(option.dataset.piece)?.hex ?? option.dataset.piece);
  const duels = form.querySelector("[data-duels]");
  const offers = (key) => new Map([...selects.get(key).options].filter((one) => hexOf(one)).map((one) => [hexOf(one), one]));
  const choose = (key, value) => set(form, [[selects.get(key).name, value], ...released(key, value)]);
  // Enemies that have named a unit which goes elsewhere look for another one next to them.
  function released(key, value) {
    if (!duels) return [];
    const left = [...selects].filter(([one, select]) => one !== value && select.value === key);
    const others = left.map(([, select]) => [select.name, [...select.options].find((option) => option.value !== key)?.value]);
    return others.filter(([, other]) => other);
  }
  return {
    keys, offers,
    ordered: (key) => Boolean(selects.get(key).value),
    where: (key) => units.get(key).hex,
    take: (key, hex) => choose(key, offers(key).get(hex).value),
    clear: (key) => selects.get(key).querySelector('[value=""]') && choose(key, ""),
    draw(under, over) {
      if (duels) return clusters(form, duels, units, field, under, over);
      for (const key of keys) {
        const hex = hexOf(selects.get(key).selectedOptions[0]);
        const { side, node } = units.get(key);
        if (hex) arrow(over, [units.get(key).hex, hex], side, units.get(selects.get(key).value) ? "is-shot" : "");
        if (!hex || units.get(selects.get(key).value)) continue;
        ghost(over, node.querySelector(".unit"), hex);
        node.classList.add("has-left");
      }
    },
    says: (key, hex) => (offers(key).has(hex) ? `${units.get(key).name}: ${offers(key).get(hex).textContent}.` : ""),
  };
}

// The middle of the free hex beside some hexes that is nearest to all of them; it is taken then.
function beside(hexes, field, taken) {
  const far = (hex) => [...hexes].reduce((sum, one) => sum + Math.hypot(centre(one)[0] - centre(hex)[0], centre(one)[1] - centre(hex)[1]), 0);
  const free = [...hexes].flatMap(around).filter((hex) => field.cells.has(hex) && !taken.has(hex));
  const best = free.sort((one, other) => far(one) - far(other))[0];
  taken.add(best);
  return centre(best ?? [...hexes][0]);
}

// Whoever hangs together is a cluster; each gets its line and the odds of the side that chooses.
function clusters(form, duels, units, field, under, over) {
  const { side, ways } = JSON.parse(duels.dataset.duels);
  const groups = new Map();
  for (const [key, { value }] of named(form, "against")) {
    const both = new Set([...(groups.get(key) ?? [key]), ...(groups.get(value) ?? [value])]);
    for (const one of both) groups.set(one, both);
  }
  const [told, marks] = [[], new Set([...units.values()].map((unit) => unit.hex))];
  for (const group of new Set(groups.values())) {
    const all = [...group].filter((key) => units.has(key));
    const [own, others] = [all.filter((key) => units.get(key).side === side), all.filter((key) => units.get(key).side !== side)];
    const legal = own.length === 1 || others.length === 1;
    const flanked = (foes) => foes.some((one) => foes.some((other) => one < other && !field.adjacent(units.get(one).hex, units.get(other).hex)));
    const foes = (key) => (own.length === 1 ? (key === own[0] ? others : own) : key === others[0] ? own : others);
    const wins = own.flatMap((one) => others.map((other) => ways[`${one} ${other}`]?.[2 * flanked(foes(one)) + flanked(foes(other))] / 640));
    const product = (numbers) => numbers.reduce((sum, one) => sum * one, 1);
    const chance = own.length === 1 ? product(wins) : 1 - product(wins.map((one) => 1 - one));
    const hexes = new Set(all.map((key) => units.get(key).hex));
    for (const more of [" under", legal ? "" : " is-wrong"]) el(under, "path", { class: `fight${more}`, d: border(hexes) });
    const words = legal && chance >= 0 ? `${Math.round(100 * chance)} %` : "?";
    const [x, y] = beside(hexes, field, marks);
    const mark = el(over, "g", { class: `plan-odds${legal ? "" : " is-wrong"}`, transform: `translate(${x} ${y})` });
    el(mark, "rect", { x: -17, y: -8, width: 34, height: 16, rx: 3 });
    el(mark, "text", { y: 4 }, words);
    told.push(`${own.map((key) => units.get(key).name).join(", ")} against ${others.map((key) => units.get(key).name).join(", ")}: ${words}`);
  }
  const list = duels.querySelector("ul");
  if (list.textContent !== told.join("")) list.replaceChildren(...told.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}
