// The field of a mass battle: seen near or far, walked over with the keyboard, and ordered on. What is ordered stands in
// the form (field-plans.js); this module draws it and asks for it. The form and the map stay whole without it.
//
//   <svg class="field" data-field="TEXT" data-passes>   a battlefield as text; units pass through friends
//   <g data-piece="KEY" data-at="L6" data-go="2">       a unit; how far it may go, 0 if it is locked
//   <g data-own>, <div data-own>                         drawn here, and left alone by refreshes
//
// Press a unit, then a hex, or drag it there; press the unit again to take that back. Fingers and the wheel with Ctrl
// zoom, a drag on the ground moves what is seen. Keys: see KEYS.

import { hook, onContent } from "../../js/swaps.js";
import { around, border, centre, hexAt, outline, reach, readField } from "./hexes.js";
import { el, line, planOf, undo } from "./field-plans.js";

const OURS = new Set("viewBox role tabindex class style aria-label aria-labelledby aria-describedby".split(" "));
const STEADY = 6; // px a pointer may shake before a press becomes a drag
const THUMB = 46; // px a hex is wide on a phone
const KEYS =
  "The battlefield. Arrow keys go from hex to hex, Enter presses, N and Shift N go to the next and previous unit " +
  "without an order, Space leaves a unit as it is, Escape lets go, plus and minus zoom, 0 shows everything.";
const WIDE = matchMedia("(min-width: 1000px)");

const look = { x: 0, y: 0, u: 0 }; // the middle, and how many units of the drawing a pixel is; 0: not looked at yet
const wired = new WeakSet();
const pointers = new Map();
let [map, text, plan, units] = [null, "", null, new Map()];
let [picked, cursor, hover, enemies, question] = ["", "", "", false, ""];
let done = new Set();
let press = null;
let planned = 0;

const board = () => document.querySelector("svg.field[data-field]");
const part = (name) => board().querySelector(`.plan-${name}`);
const bar = () => board().closest("figure").querySelector(".field-bar");
const nameOf = (key) => plan?.name?.(key) ?? units.get(key)?.name ?? key;

// ---- what is there ---------------------------------------------------------------------------------------------

function readAll() {
  const svg = board();
  if (svg.dataset.field !== text) map = readField((text = svg.dataset.field));
  units = new Map();
  for (const node of svg.querySelectorAll("[data-piece][data-at]")) {
    const title = node.querySelector("title").textContent.replace(/\s+/g, " ").trim();
    const { piece: key, at: hex, go } = node.dataset;
    const quick = Boolean(node.querySelector(".quick"));
    units.set(key, { key, hex, node, title, quick, name: title.split(" (")[0], side: key[0], go: Number(go) });
  }
  const form = [...document.querySelectorAll(".dock .ask:not(.is-sealed) form.declare")].find((form) => form.querySelector('[name^="of."]'));
  plan = planOf(form, units, map, "passes" in svg.dataset);
  const now = plan ? plan.form.dataset.seal + plan.form.dataset.version : "";
  if (now !== question) [question, picked, done] = [now, "", new Set()];
  if (!plan?.keys.includes(picked)) picked = "";
}

const there = (hex) => [...units.values()].find((unit) => unit.hex === hex);
const handle = (hex) => plan?.keys.find((key) => plan.where(key) === hex) ?? plan?.keys.find((key) => units.get(key)?.hex === hex);

function describe(hex) {
  const cell = map.cells.get(hex);
  const near = around(hex).filter((other) => map.sides.has(hex + other)).map((other) => `${map.sides.get(hex + other).kind} barrier to ${other}`);
  const said = [hex, cell.kind !== "open" && cell.kind, cell.level && `height ${cell.level}`, ...near, there(hex)?.title.replace(`, ${hex}`, "")];
  return [said.filter(Boolean).join(", "), picked && plan.says(picked, hex)].filter(Boolean).join("; ");
}

function speak(words) {
  const says = bar().querySelector("p");
  if (says.textContent !== words) says.textContent = words;
}

// ---- drawing ---------------------------------------------------------------------------------------------------

function paint() {
  planned ||= requestAnimationFrame(() => {
    planned = 0;
    if (board()) draw();
  });
}

function draw() {
  readAll();
  const [under, over] = [part("under"), part("over")];
  under.replaceChildren();
  over.replaceChildren();
  if (enemies) drawEnemies(under);
  for (const [key, { node }] of units) {
    node.classList.remove("has-left");
    node.classList.toggle("may-order", Boolean(plan?.keys.includes(key)));
    node.classList.toggle("is-open", Boolean(plan?.keys.includes(key) && !plan.ordered(key) && !done.has(key)));
  }
  plan?.draw(under, over);
  if (picked) drawPicked(under, over);
  if (cursor && board().matches(":focus-visible")) el(over, "path", { class: "plan-cursor", d: outline(cursor) });
  drawRows();
  tools();
}

function drawPicked(under, over) {
  const offers = plan.offers(picked);
  const all = new Set([...offers.keys(), plan.where(picked)]);
  const side = units.get(picked)?.side ?? picked[0];
  if (plan.path) inside(under, border(all), `plan-reach side-${side}`);
  let [dots, stops] = ["", ""];
  for (const [hex, { stops: meets }] of offers) {
    const [x, y] = centre(hex);
    if (meets) stops += `M${x} ${y - 5}l5 5-5 5-5-5z`;
    else if (plan.path) dots += `M${x} ${y}h0`;
    else if (!plan.name) el(under, "path", { class: "plan-offer", d: outline(hex) });
  }
  el(under, "path", { class: `plan-dots side-${side}`, d: dots });
  el(under, "path", { class: `plan-stops side-${side === "a" ? "b" : "a"}`, d: stops });
  const start = plan.where(picked);
  if (start) el(over, "path", { class: "plan-picked", d: outline(start) });
  const to = press?.far ? hover : hover || cursor;
  if (!to || !offers.has(to)) return;
  const from = units.get(picked)?.hex ?? start;
  el(over, "path", { class: `plan-try side-${side}`, d: line(plan.path?.(picked, to) ?? [from, to]) });
  el(over, "path", { class: `plan-try side-${side}`, d: outline(to) });
}

// A line that stays within its area, so that barriers on the same sides stay visible.
function inside(parent, d, kind) {
  const id = `inside-${kind.replaceAll(" ", "-")}`;
  el(el(parent, "clipPath", { id }), "path", { d });
  el(parent, "path", { class: kind, d, "clip-path": `url(#${id})` });
}

function drawEnemies(under) {
  const mine = plan?.keys[0]?.[0] ?? board().querySelector(".is-mine")?.closest("[data-piece]").dataset.piece[0];
  const others = [...units.values()].filter((unit) => unit.side !== mine && unit.go);
  const area = new Set();
  for (const unit of others.some((one) => one.quick) ? others.filter((one) => one.quick) : others) {
    const [friends, foes] = [new Set(), new Set()];
    for (const one of units.values()) if (one !== unit) (one.side === unit.side ? friends : foes).add(one.hex);
    for (const hex of reach(map, unit.hex, unit.go, friends, foes, "passes" in board().dataset).keys()) area.add(hex);
  }
  if (area.size) inside(under, border(area), `plan-threat side-${others[0].side}`);
}

// The rows of the form: the number of an order, and what changes its place.
function drawRows() {
  if (!plan) return;
  for (const key of plan.keys) {
    const row = plan.row(key);
    if (!row?.matches(".unit-row")) continue;
    row.classList.toggle("is-picked", key === picked);
    row.classList.toggle("is-done", done.has(key) && !plan.ordered(key));
    const number = (plan.sequence?.indexOf(key) ?? -1) + 1;
    let turn = row.querySelector(".plan-turn");
    if (!number) turn?.remove();
    if (!number) continue;
    if (!turn) row.append((turn = turner(key)));
    turn.querySelector("b").textContent = number;
    const [earlier, later] = turn.querySelectorAll("button");
    earlier.hidden = number === 1;
    later.hidden = number === plan.sequence.length;
    turn.classList.toggle("is-alone", plan.sequence.length === 1);
  }
}

function turner(key) {
  const made = document.createElement("span");
  made.className = "plan-turn";
  const number = made.appendChild(document.createElement("b"));
  for (const [sign, words, by] of [["↑", "earlier", -1], ["↓", "later", 1]]) {
    made.append(button(sign, `${nameOf(key)} moves ${words}`, "", () => (plan.later(key, by), paint())));
  }
  number.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    number.setPointerCapture(event.pointerId);
  });
  number.addEventListener("pointerup", (event) => {
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest("li.unit-row");
    const other = plan.sequence.find((one) => plan.row(one) === row);
    if (other && other !== key) plan.later(key, plan.sequence.indexOf(other) - plan.sequence.indexOf(key));
    paint();
  });
  return made;
}

// ---- orders ----------------------------------------------------------------------------------------------------

// Whether a press meant something here; else it is left to whoever else listens.
function pressed(hex) {
  readAll();
  const key = handle(hex);
  if (picked && picked !== key && plan.offers(picked).has(hex)) order(picked, hex);
  else if (picked && key === picked) {
    if (plan.ordered(key)) plan.clear(key);
    else picked = "";
  } else if (key) pick(key);
  else {
    const had = picked;
    picked = "";
    if (!had) return false;
  }
  paint();
  return true;
}

function order(key, hex) {
  plan.take(key, hex);
  readAll();
  const wrong = plan.wrong?.map(nameOf).join(", ");
  speak(`${nameOf(key)}: ${hex}.${wrong ? ` No way any more: ${wrong}.` : ""}`);
}

function pick(key) {
  picked = key;
  done.delete(key);
  const row = plan.row(key);
  if (WIDE.matches) row?.scrollIntoView({ block: "nearest" });
}

function next(step) {
  readAll();
  const open = plan?.keys.filter((key) => key === picked || !(plan.ordered(key) || done.has(key))) ?? [];
  const all = open.some((key) => key !== picked) ? open : (plan?.keys ?? []);
  if (!all.length) return;
  const here = all.indexOf(picked);
  pick(all[here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length]);
  board().focus({ preventScroll: true });
  const at = plan.where(picked);
  if (at) [look.x, look.y] = centre(at); // as near as it is seen, with what it can reach around it
  if (at) moveCursor(at);
}

function finish() {
  if (!picked) return;
  done.add(picked);
  next(1);
}

function back() {
  if (plan && undo(plan.form)) speak("Undone.");
  paint();
}

function list() {
  const row = plan?.row(picked || plan.keys[0]);
  if (row?.closest("details")) row.closest("details").open = true;
  (row?.querySelector("input:not([type=hidden]), select") ?? document.querySelector(".armies"))?.focus();
}

// ---- what is seen ----------------------------------------------------------------------------------------------

const room = () => [board().clientWidth || 1, board().clientHeight || 1];
const frame = () => [-20, -16, 28 * map.columns + 24, 24 * map.rows + 28]; // as the page's own viewBox
const most = () => Math.max(frame()[2] / room()[0], frame()[3] / room()[1]);

function zoom(times, at) {
  const u = Math.min(most(), Math.max(28 / 110, look.u / times));
  if (at) {
    const box = board().getBoundingClientRect();
    look.x += (at[0] - box.left - box.width / 2) * (look.u - u);
    look.y += (at[1] - box.top - box.height / 2) * (look.u - u);
  }
  look.u = u;
  show();
}

function whole() {
  look.u = most();
  show();
}

function show() {
  const svg = board();
  const [left, top, wide, high] = frame();
  const size = room().map((pixels) => pixels * look.u);
  const within = (at, from, length, seen) => (seen >= length ? from + length / 2 : Math.min(from + length - seen / 2, Math.max(from + seen / 2, at)));
  look.x = within(look.x, left, wide, size[0]);
  look.y = within(look.y, top, high, size[1]);
  const [x, y] = [look.x - size[0] / 2, look.y - size[1] / 2];
  svg.setAttribute("viewBox", [x, y, ...size].map((one) => one.toFixed(2)).join(" "));
  svg.style.setProperty("--px", `${look.u.toFixed(3)}px`);
  svg.style.setProperty("--rim-x", `${Math.max(0, x - left).toFixed(1)}px`);
  svg.style.setProperty("--rim-y", `${Math.max(0, y - top).toFixed(1)}px`);
}

function fit() {
  look.u = most();
  if (!WIDE.matches) {
    look.u = Math.min(look.u, 28 / THUMB);
    const mine = plan?.keys.map((key) => plan.where(key)).filter(Boolean) ?? [];
    const spots = (mine.length ? mine : [...units.values()].map((unit) => unit.hex)).map(centre);
    if (spots.length) [look.x, look.y] = [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length);
  }
  show();
}

function moveCursor(hex) {
  if (!map.cells.has(hex)) return;
  cursor = hex;
  const [x, y] = centre(hex);
  const [wide, high] = room().map((pixels) => Math.max(0, (pixels * look.u) / 2 - 30));
  look.x = Math.min(x + wide, Math.max(x - wide, look.x));
  look.y = Math.min(y + high, Math.max(y - high, look.y));
  show();
  speak(describe(hex));
  paint();
}

// ---- pointers and keys -----------------------------------------------------------------------------------------

function under(event) {
  const box = board().getBoundingClientRect();
  const hex = hexAt(look.x + (event.clientX - box.left - box.width / 2) * look.u, look.y + (event.clientY - box.top - box.height / 2) * look.u);
  return map.cells.has(hex) ? hex : "";
}

function middle() {
  const all = [...pointers.values()];
  const [x, y] = [0, 1].map((axis) => all.reduce((sum, one) => sum + one[axis], 0) / all.length);
  return { x, y, spread: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
}

function onDown(event) {
  if (event.button) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  press = { ...middle(), from: [event.clientX, event.clientY], far: pointers.size > 1, grip: pointers.size === 1 && handle(under(event)) };
}

function onMove(event) {
  if (!press || !pointers.has(event.pointerId)) {
    const hex = event.pointerType === "mouse" ? under(event) : "";
    if (hex !== hover) [hover] = [hex, picked && paint()];
    return;
  }
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (!press.far && Math.hypot(event.clientX - press.from[0], event.clientY - press.from[1]) < STEADY) return;
  if (!press.far) board().setPointerCapture(event.pointerId);
  if (!press.far && press.grip) pick(press.grip);
  press.far = true;
  if (press.grip && pointers.size === 1) {
    hover = under(event);
    return paint();
  }
  const now = middle();
  look.x -= (now.x - press.x) * look.u;
  look.y -= (now.y - press.y) * look.u;
  if (press.spread && now.spread) zoom(now.spread / press.spread, [now.x, now.y]);
  else show();
  Object.assign(press, now);
}

function onUp(event) {
  if (!pointers.delete(event.pointerId) || !press) return;
  if (pointers.size) return Object.assign(press, middle(), { grip: "" });
  const was = press;
  press = null;
  if (was.far) setTimeout(() => (swallow = false), (swallow = true) && 0);
  if (was.far && was.grip && event.type === "pointerup") {
    const hex = under(event);
    if (plan.offers(picked).has(hex)) order(picked, hex);
    hover = "";
    paint();
  }
}

let swallow = false; // the click after a drag

function onClick(event) {
  const hex = under(event);
  if (!swallow && hex) {
    cursor = hex;
    if (!pressed(hex)) return speak(describe(hex));
    if (picked) speak(describe(hex));
  }
  event.stopPropagation();
}

const STEPS = { ArrowRight: 0, ArrowLeft: 1, ArrowUp: 2, ArrowDown: 4 };

const here = () => cursor || plan?.where(picked || plan.keys[0]) || [...units.values()][0]?.hex || "A1";

function start() {
  board().focus();
  moveCursor(here());
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  const from = here();
  if (step !== undefined) {
    const near = around(from);
    const even = (from.charCodeAt(0) - 65) % 2; // up and down swing, so that two steps lead straight on
    moveCursor(step < 2 ? near[step] : [near[step + even], near[step + 1 - even]].find((hex) => map.cells.has(hex)));
  } else if (event.key === "Enter") {
    if (!pressed(from)) there(from)?.node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else speak(describe(from));
  } else if (event.key === " ") finish();
  else if (event.key === "N") next(-1);
  else if (event.key === "Escape" && picked) picked = "";
  else return;
  paint();
  event.preventDefault();
  event.stopPropagation();
}

function onWheel(event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), [event.clientX, event.clientY]);
}

// ---- putting it on the page ------------------------------------------------------------------------------------

function button(words, label, key, run) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "quiet", textContent: words });
  made.setAttribute("aria-label", label);
  if (key) made.dataset.key = key;
  made.addEventListener("click", run);
  return made;
}

function tools() {
  const [forward, undoing, threat] = bar().querySelectorAll("button");
  forward.hidden = undoing.hidden = !plan;
  threat.hidden = !units.size;
  threat.setAttribute("aria-pressed", enemies);
}

function furnish() {
  const place = bar();
  if (place.childElementCount) return;
  const row = document.createElement("div");
  const says = Object.assign(document.createElement("p"), { ariaLive: "polite" });
  row.append(
    button("Next", "Next unit without an order, with Shift the one before", "n", () => next(1)),
    button("Undo", "Undo the last order", "u", back),
    button("Enemy", "Enemy reach", "e", () => ((enemies = !enemies), paint())),
    button("−", "Zoom out", "-", () => zoom(1 / 1.4)),
    button("+", "Zoom in", "+", () => zoom(1.4)),
    button("All", "All of the field", "0", whole),
  );
  const all = button("List", "List of units", "l", list);
  const walk = button("Field", "The field: arrow keys walk, Enter presses, Space leaves a unit as it is, Escape lets go", "m", start);
  for (const hidden of [all, walk]) Object.assign(hidden, { className: "said", tabIndex: -1 });
  row.append(all, walk);
  place.append(says, row);
  place.hidden = false;
}

function attach() {
  const svg = board();
  if (!svg) return;
  const before = question;
  readAll();
  if (!wired.has(svg)) {
    wired.add(svg);
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application");
    svg.removeAttribute("aria-labelledby");
    svg.setAttribute("aria-label", KEYS);
    svg.classList.add("is-live");
    const on = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp, keydown: onKey, focus: paint, blur: paint };
    for (const kind in on) svg.addEventListener(kind, on[kind]);
    svg.addEventListener("click", onClick, true);
    svg.addEventListener("wheel", onWheel, { passive: false });
    svg.addEventListener("pointerleave", () => ([hover] = ["", picked && paint()]));
    new ResizeObserver(() => (look.u > most() || !look.u || WIDE.matches ? fit() : show())).observe(svg);
    look.u = 0;
  }
  furnish();
  if (!look.u || (question && question !== before)) fit();
  else show();
  paint();
}

for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => target.form === plan?.form && board() && paint());
document.addEventListener("focusin", ({ target }) => {
  const key = plan && target.form === plan.form && target.name?.match(/^of\.(\w+)\./)?.[1];
  if (!key || key === picked || !plan.keys.includes(key)) return;
  picked = key;
  paint();
});
hook("field", {
  htmx_before_morph_node: (element, { oldNode }) => !oldNode.matches?.("[data-own]"),
  htmx_before_morph_attr: (element, { attrName }) => !(OURS.has(attrName) && element.matches?.("svg.field")),
});
onContent(attach);
