// The field of a mass battle: seen near or far, walked over with the keyboard, and ordered on. What is ordered stands in
// the form; what draws it and asks for it (field-orders.js) is loaded when something is asked. The form and the map stay
// whole without them. Before there is a field, army-cost.js counts what an army costs.
//
//   <svg class="field" data-field="TEXT" data-passes>   a battlefield as text; units pass through friends
//   <g data-piece="KEY" data-at="L6" data-go="2">       a unit; how far it may go, 0 if it is locked
//   <g data-own>, <div data-own>                         drawn here, and left alone by refreshes
//   <g class="odds" data-fight="KEY KEY">                a fight, with its chance
//   <div class="field-bar" hidden>                       a line for words, and buttons: see ACTS
//
// Press a unit, then a hex, or drag it there; press the unit again to take that back. Fingers and the wheel with Ctrl
// zoom, a drag on the ground moves what is seen. Keys: as the label of the button "m" says.

import { panZoom } from "../../js/pan-zoom.js";
import { hook, onContent } from "../../js/swaps.js";
import { around, centre, hexAt, outline, readField } from "./hexes.js";

const SVG = "http://www.w3.org/2000/svg";
const OURS = new Set("viewBox role tabindex class style aria-label aria-labelledby aria-describedby".split(" "));
const THUMB = 46; // px a hex is wide on a phone
const FAR = 1.25; // from which size on, in units a pixel, there is no room for words between counters
const PLANS = {
  "field-moves.js": '[name$=".by"]', "field-places.js": "[data-arranged]", "field-row.js": '[name="line"]',
  "field-clusters.js": "[data-duels]", "field-fights.js": "[data-fights]", "field-choices.js": "select",
};
export const WIDE = matchMedia("(min-width: 1000px)");

export const now = { map: null, units: new Map(), cursor: "", hover: "", form: null };
const wired = new WeakSet();
const plans = {}; // by kind, once it is asked for: a promise, then the module
let [text, overview, enemies, fitted, planned] = ["", null, null, "", 0];
export let orders = null; // field-orders.js

export const board = () => document.querySelector("svg.field[data-field]");
export const bar = () => board().closest("figure").querySelector(".field-bar");
export const frame = () => [-20, -16, 28 * now.map.columns + 24, 24 * now.map.rows + 28]; // as the page's own viewBox

export function el(parent, name, attributes, words) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

// ---- what is there ---------------------------------------------------------------------------------------------

export function readAll() {
  const svg = board();
  if (svg.dataset.field !== text) now.map = readField((text = svg.dataset.field));
  now.units = new Map();
  for (const node of svg.querySelectorAll("[data-piece][data-at]")) {
    const title = node.querySelector("title").textContent.replace(/\s+/g, " ").trim();
    const { piece: key, at: hex, go } = node.dataset;
    now.units.set(key, { key, hex, node, title, name: title.split(" (")[0], side: key[0], go: Number(go) });
  }
  const forms = [...document.querySelectorAll(".dock .ask:not(.is-sealed) form.declare")];
  now.form = forms.find((form) => form.querySelector('[name^="of."], [name="line"], [data-fights]'));
  const kind = now.form && Object.keys(PLANS).find((kind) => now.form.querySelector(PLANS[kind]));
  if (kind) plans[kind] ??= Promise.all([import("./field-orders.js"), import(`./${kind}`)]).then(([all, one]) => {
    [orders, plans[kind]] = [all, one];
    if (board()) update();
  });
  orders?.read(plans[kind]?.plan);
}

const there = (hex) => [...now.units.values()].find((unit) => unit.hex === hex);

export function describe(hex) {
  const { kind, level } = now.map.cells.get(hex);
  const said = [hex, kind !== "open" && kind, level && `height ${level}`];
  for (const { kind, one, other } of now.map.walls.values()) {
    if (one === hex || other === hex) said.push(`${kind} barrier to ${one === hex ? other : one}`);
  }
  said.push(there(hex)?.title.replace(`, ${hex}`, ""));
  return [said.filter(Boolean).join(", "), orders?.says(hex)].filter(Boolean).join("; ");
}

export function speak(words) {
  const says = bar().querySelector("p");
  if (says.textContent !== words) says.textContent = words;
}

// ---- drawing ---------------------------------------------------------------------------------------------------

export function paint() {
  planned ||= requestAnimationFrame(() => {
    planned = 0;
    if (board()) draw();
  });
}

function draw() {
  readAll();
  const [under, over] = ["under", "over"].map((name) => board().querySelector(`.plan-${name}`));
  under.replaceChildren();
  over.replaceChildren();
  enemies?.threat(under);
  orders?.draw(under, over);
  if (now.cursor && board().matches(":focus-visible")) el(over, "path", { class: "plan-cursor", d: outline(now.cursor) });
  overview?.show?.();
  const { n, u, e, f } = keys();
  n.hidden = u.hidden = !orders?.plan;
  e.hidden = !now.units.size;
  e.setAttribute("aria-pressed", Boolean(enemies));
  f.hidden = !fighting().length;
}

// ---- what is seen ----------------------------------------------------------------------------------------------

export const view = panZoom({
  frame,
  closest: 110 / 28,
  below: () => (WIDE.matches ? 0 : 56), // the buttons
  shown([x, y, wide]) {
    const { style } = board();
    style.setProperty("--px", `${view.look.u.toFixed(3)}px`);
    style.setProperty("--rim-x", `${Math.max(0, x + 20).toFixed(1)}px`);
    style.setProperty("--rim-y", `${Math.max(0, y + 16).toFixed(1)}px`);
    board().classList.toggle("is-far", view.look.u > FAR);
    if (wide < frame()[2] && !WIDE.matches) overview ??= import("./overview.js").then((made) => (overview = made).show());
    overview?.show?.();
  },
  grip: (event) => orders?.grip(event),
  press,
  resized: () => (WIDE.matches || !view.look.u || view.look.u > view.most() ? fit() : view.show()),
});

export const under = (event) => {
  const hex = hexAt(...view.at(event));
  return now.map.cells.has(hex) ? hex : "";
};

// Shows some hexes with what is next to them, at this size, or as much smaller as they need.
function near(hexes, size, most = size) {
  const room = view.room();
  const { look } = view;
  look.u = size;
  [look.x, look.y] = [0, 1].map((axis) => {
    const all = hexes.map((hex) => centre(hex)[axis]);
    const [from, to] = [Math.min(...all), Math.max(...all)];
    look.u = Math.min(most, Math.max(look.u, (to - from + 120) / room[axis]));
    return (from + to) / 2;
  });
  view.show();
}

const fighting = () =>
  [...board().querySelectorAll("[data-fight]")].flatMap((one) => one.dataset.fight.split(" ")).map((key) => now.units.get(key)?.hex).filter(Boolean);

function fit() {
  const { plan } = orders ?? {};
  const mine = plan?.keys.map(plan.where).filter(Boolean) ?? [];
  const hexes = mine.length ? mine : [...now.units.values()].map((unit) => unit.hex);
  if (!WIDE.matches && hexes.length) near(hexes, Math.min(view.most(), 28 / THUMB));
  else {
    view.look.u = view.most();
    view.show();
  }
}

export function moveCursor(hex) {
  if (!now.map.cells.has(hex)) return;
  now.cursor = hex;
  view.reveal(centre(hex));
  speak(describe(hex));
  paint();
}

// ---- presses and keys ------------------------------------------------------------------------------------------

// A press that means nothing here is left to whoever else listens.
function press(event) {
  if (!event.isTrusted) return; // Enter on a piece that others listen to
  const hex = under(event);
  if (hex) {
    now.cursor = hex;
    const meant = orders?.pressed(hex);
    if (!meant || orders.picked) speak(describe(hex));
    if (!meant) return;
  }
  event.stopPropagation();
}

const here = () => now.cursor || orders?.first() || [...now.units.values()][0]?.hex || "A1";

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const from = here();
  const step = ["ArrowRight", "ArrowLeft", "ArrowUp", "", "ArrowDown"].indexOf(event.key);
  if (step >= 0) {
    const near = around(from);
    const even = (from.charCodeAt(0) - 65) % 2; // up and down swing, so that two steps lead straight on
    moveCursor(step < 2 ? near[step] : [near[step + even], near[step + 1 - even]].find((hex) => now.map.cells.has(hex)));
  } else if (event.key === "Enter") {
    if (!orders?.pressed(from)) there(from)?.node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else speak(describe(from));
  } else if (!orders?.key(event.key)) return;
  paint();
  event.preventDefault();
  event.stopPropagation();
}

// ---- putting it on the page ------------------------------------------------------------------------------------

export function button(words, label, run) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "quiet", textContent: words, ariaLabel: label });
  made.addEventListener("click", run);
  return made;
}

const keys = () => Object.fromEntries([...bar().querySelectorAll("button")].map((one) => [one.dataset.key, one]));
const ACTS = {
  n: () => orders.next(1),
  u: () => orders.back(),
  async e() {
    const reach = await import("./field-orders.js");
    enemies = enemies ? null : reach;
    paint();
  },
  f: () => near(fighting(), 28 / 70, view.most()),
  "-": () => view.zoom(1 / 1.4),
  "+": () => view.zoom(1.4),
  0: () => view.zoom(0),
  l: () => (orders?.list() ?? document.querySelector(".armies"))?.focus(),
  m() {
    board().focus();
    moveCursor(here());
  },
};

function furnish() {
  const place = bar();
  if (!place.hidden) return;
  place.hidden = false;
  place.addEventListener("click", ({ target }) => ACTS[target.dataset.key]?.());
}

function attach() {
  const svg = board();
  if (document.querySelector("[data-points]")) import("./army-cost.js");
  if (!svg) return;
  readAll();
  furnish();
  if (!wired.has(svg)) {
    wired.add(svg);
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application");
    svg.setAttribute("aria-labelledby", "field-keys");
    svg.classList.add("is-live");
    view.attach(svg);
    svg.addEventListener("keydown", onKey);
    for (const kind of ["focus", "blur"]) svg.addEventListener(kind, paint);
    for (const kind of ["pointermove", "pointerleave"]) {
      svg.addEventListener(kind, (event) => {
        const hex = event.pointerType === "mouse" && kind === "pointermove" ? under(event) : "";
        if (!event.buttons && hex !== now.hover) [now.hover] = [hex, orders?.picked && paint()];
      });
    }
    view.look.u = 0;
  }
  update();
}

function update() {
  const svg = board();
  const side = svg.closest(".table-side");
  const above = side && svg.getBoundingClientRect().top - side.getBoundingClientRect().top + side.scrollTop;
  if (side) svg.style.setProperty("--above", `${above}px`);
  readAll();
  const form = document.querySelector(".dock .ask:not(.is-sealed) form.declare");
  const asked = form ? form.dataset.seal + Boolean(orders?.plan) : "";
  if (asked !== fitted) speak("");
  if (!view.look.u || (asked && asked !== fitted)) fit();
  else view.show();
  fitted = asked;
  paint();
}

for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => target.form && target.form === now.form && board() && paint());
hook("field", {
  htmx_before_morph_node: (element, { oldNode }) => !oldNode.matches?.("[data-own]"),
  htmx_before_morph_attr: (element, { attrName }) => !(OURS.has(attrName) && element.matches?.("svg.field")),
});
onContent(attach);
