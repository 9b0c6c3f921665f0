// What a form that is open asks about units, given on the field: a unit is picked, and a hex that is offered to it is
// pressed, or it is dragged there. The form's fields are the truth; a plan is read from them for each picture and writes
// into them. How far units can go is as in the rules (CHR-MOV), so that the field shows what the form may say; this module
// is loaded, too, once the reach of enemies is asked for. There is one more for each kind of question, field-KIND.js, which
// exports plan(form):
//
//   keys            the units that the form is about; where(key), ordered(key)
//   offers(key)     the hexes that can be pressed for a unit, each with steps and stops where it moves
//   take(key, hex), clear(key), later(key, by)   change the form
//   draw(under, over), says(key, hex)
//   name(key), row(key), path(key, hex), sequence, wrong, holds(hex, key), preview(over, hex)   where they mean something
//   toggle(key)     where a unit is only pressed: says that it is meant, or no more; goes: the verb of later(key, by)

import { board, button, el, moveCursor, now, paint, readAll, speak, under, view, WIDE } from "./field.js";
import { around, beyond, centre, corner, line, outline } from "./hexes.js";

export let [plan, picked, question] = [null, "", ""];
let done = new Set();
let dragged = false;
const past = []; // [form's name, values] before each change

// ---- the form --------------------------------------------------------------------------------------------------

// The fields "of.UNIT.what" of a form, by unit.
export function named(form, what) {
  const found = [...form.querySelectorAll(`[name^="of."][name$=".${what}"]`)];
  return new Map(found.map((field) => [field.name.split(".")[1], field]));
}

const nameOf = (form) => form.dataset.seal + form.dataset.version;

export function set(form, values) {
  const names = new Set([...form.elements].map((field) => field.name).filter((name) => /^of\.|^order$|^line$/.test(name)));
  past.push([nameOf(form), [...names].map((name) => [name, form.elements[name].value])]);
  write(form, values);
}

function write(form, values) {
  for (const [name, value] of values) {
    const field = form.elements[name];
    if (!field || field.type === "checkbox" || field.value === value) continue;
    field.value = value;
    const told = field instanceof RadioNodeList ? form.querySelector(`[name="${name}"]:checked`) : field;
    for (const kind of ["input", "change"]) told.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

export function back() {
  const [name, values] = past.pop() ?? [];
  if (name && name === nameOf(plan.form)) write(plan.form, values);
  else past.length = 0;
  if (name) speak("Undone.");
  paint();
}

export function read(make) {
  const { form } = now;
  const made = make?.(form);
  plan = made?.keys.length ? { form, row: (key) => form.querySelector(`[name^="of.${key}."]`).closest("li"), ...made } : null;
  const asked = plan ? nameOf(form) : "";
  if (asked !== question) [question, picked, done] = [asked, plan?.keys.length === 1 ? plan.keys[0] : "", new Set()];
  if (!plan?.keys.includes(picked)) picked = "";
}

const titled = (key) => plan.name?.(key) ?? now.units.get(key).name;
const open = (key) => !plan.ordered(key) && !done.has(key);
export const says = (hex) => (picked || plan?.toggle) && plan.says(picked, hex);
export const first = () => plan?.where(picked || plan.keys[0]);

// ---- how far units go -----------------------------------------------------------------------------------------------

// The line around an area, its holes included.
export function border(hexes) {
  const follow = new Map();
  for (const hex of hexes) {
    for (const number of [0, 1, 2, 3, 4, 5]) hexes.has(beyond(hex, number)) || follow.set(`${corner(hex, number)}`, `${corner(hex, number + 1)}`);
  }
  let path = "";
  for (const [start] of follow) {
    if (!follow.has(start)) continue;
    const line = [];
    for (let at = start, next; (next = follow.get(at)); at = next) follow.delete(at), line.push(at);
    path += `M${line.join("L")}z`;
  }
  return path;
}

// Where a unit can go: each hex with the one before it and the steps, nearest first, the start included. Next to an
// enemy it stops. Through hexes of friends it goes if `passes`, and stands on none of them.
export function reach(field, start, most, friends, enemies, passes) {
  const found = new Map([[start, { before: "", steps: 0 }]]);
  const contact = new Set([...enemies].flatMap(field.touching));
  for (const [here, { steps }] of found) {
    if (steps === most || (contact.has(here) && here !== start)) continue;
    for (const hex of around(here)) {
      if (found.has(hex) || enemies.has(hex) || (friends.has(hex) && !passes) || !field.mayStep(here, hex)) continue;
      found.set(hex, { before: here, steps: steps + 1, stops: contact.has(hex), taken: friends.has(hex) });
    }
  }
  return found;
}

export function way(found, end) {
  const line = [];
  for (let hex = end; hex; hex = found.get(hex).before) line.unshift(hex);
  return line;
}

// A line that stays within its area, so that barriers on the same sides stay visible.
function inside(parent, d, kind) {
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
export function threat(under) {
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

// ---- drawing ---------------------------------------------------------------------------------------------------

export function ghost(over, node, hex, more = "") {
  const made = node.cloneNode(true);
  made.setAttribute("class", `${made.getAttribute("class")} is-ghost ${more}`);
  made.setAttribute("transform", `translate(${centre(hex)})`);
  over.append(made);
  return made;
}

export function arrow(over, hexes, side, more = "") {
  el(over, "path", { class: "plan-way under", d: line(hexes) });
  el(over, "path", { class: `plan-way side-${side} ${more}`, d: line(hexes), "marker-end": `url(#arrow-${side})` });
}

export function draw(under, over) {
  for (const [key, { node }] of now.units) {
    const mine = Boolean(plan?.keys.includes(key));
    node.classList.remove("has-left");
    node.classList.toggle("may-order", mine);
    node.classList.toggle("is-open", mine && open(key));
  }
  plan?.draw(under, over);
  if (picked) drawPicked(under, over);
  if (plan) drawRows();
}

function drawPicked(under, over) {
  const offers = plan.offers(picked);
  const at = plan.where(picked);
  const to = now.hover || (!dragged && now.cursor);
  if (plan.preview) return offers.has(to) && plan.preview(over, to);
  const side = now.units.get(picked)?.side ?? picked[0];
  if (plan.path) inside(under, border(new Set([...offers.keys(), at])), `plan-reach side-${side}`);
  let [dots, stops] = ["", ""];
  for (const [hex, { stops: meets }] of offers) {
    const [x, y] = centre(hex);
    if (meets) stops += `M${x} ${y - 5}l5 5-5 5-5-5z`;
    else if (plan.path) dots += `M${x} ${y}h0`;
    else if (!plan.name) el(under, "path", { class: "plan-offer", d: outline(hex) });
  }
  el(under, "path", { class: `plan-dots side-${side}`, d: dots });
  el(under, "path", { class: `plan-stops side-${side === "a" ? "b" : "a"}`, d: stops });
  if (at) el(over, "path", { class: "plan-picked", d: outline(at) });
  if (!offers.has(to)) return;
  const from = now.units.get(picked)?.hex ?? at;
  for (const d of [line(plan.path?.(picked, to) ?? [from, to]), outline(to)]) el(over, "path", { class: `plan-try side-${side}`, d });
}

// The rows of the form: the number of an order, and what changes its place.
function drawRows() {
  for (const key of plan.keys) {
    const row = plan.row(key);
    if (!row?.matches(".unit-row, .fight-row")) continue;
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
    made.append(button(sign, `${titled(key)} ${plan.goes ?? "moves"} ${words}`, () => (plan.later(key, by), paint())));
  }
  number.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    number.setPointerCapture(event.pointerId);
  });
  number.addEventListener("pointerup", (event) => {
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest("li");
    const other = plan.sequence.find((one) => plan.row(one) === row);
    if (other && other !== key) plan.later(key, plan.sequence.indexOf(other) - plan.sequence.indexOf(key));
    paint();
  });
  return made;
}

// ---- orders ----------------------------------------------------------------------------------------------------

const handle = (hex) =>
  plan?.keys.find((key) => plan.where(key) === hex || plan.holds?.(hex, key)) ?? plan?.keys.find((key) => now.units.get(key)?.hex === hex);

// Whether a press meant something here.
export function pressed(hex) {
  readAll();
  const key = handle(hex);
  const had = picked;
  if (picked && picked !== key && plan.offers(picked).has(hex)) order(hex);
  else if (key && plan.toggle) toggle(key, hex);
  else if (picked && key === picked && plan.ordered(key)) plan.clear(key);
  else if (key && key !== picked) pick(key);
  else picked = key && plan.keys.length < 2 ? key : "";
  paint();
  return Boolean(had || key);
}

function order(hex) {
  plan.take(picked, hex);
  readAll();
  const wrong = plan.wrong?.map(titled).join(", ");
  speak(`${titled(picked)}: ${hex}.${wrong ? ` No way any more: ${wrong}.` : ""}`);
}

function toggle(key, hex) {
  plan.toggle(key);
  readAll();
  picked = "";
  speak(says(hex));
}

function pick(key) {
  picked = key;
  done.delete(key);
  if (WIDE.matches) plan.row(key)?.scrollIntoView({ block: "nearest" });
}

// A drag of a unit, or of where it is to go.
export function grip(event) {
  const key = !plan?.toggle && handle(under(event));
  return key && {
    move(event) {
      if (!dragged) pick(key);
      dragged = true;
      now.hover = under(event);
      paint();
    },
    drop(event) {
      const hex = event && under(event);
      if (dragged && plan?.offers(picked).has(hex)) order(hex);
      [dragged, now.hover] = [false, ""];
      paint();
    },
  };
}

export function next(step) {
  readAll();
  const left = plan?.keys.filter((key) => key === picked || open(key)) ?? [];
  const all = left.some((key) => key !== picked) ? left : (plan?.keys ?? []);
  if (!all.length) return;
  const here = all.indexOf(picked);
  pick(all[here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length]);
  board().focus({ preventScroll: true });
  const at = plan.where(picked);
  if (at) [view.look.x, view.look.y] = centre(at); // as near as it is seen, with what it can reach around it
  if (at) moveCursor(at);
}

// Whether a key meant something.
export function key(name) {
  if (name === "N") next(-1);
  else if (name === "Escape" && picked) picked = "";
  else if (name !== " ") return false;
  else if (picked) next((done.add(picked), 1));
  return true;
}

// What has the focus in the list: the field of a unit.
export function list() {
  const row = plan?.row(picked || plan.keys[0]);
  if (row?.closest("details")) row.closest("details").open = true;
  return row?.querySelector("input:not([type=hidden]), select");
}

document.addEventListener("focusin", ({ target }) => {
  const key = plan && target.form === plan.form && target.name?.match(/^of\.(\w+)\./)?.[1];
  if (!key || key === picked || !plan.keys.includes(key)) return;
  picked = key;
  paint();
});
