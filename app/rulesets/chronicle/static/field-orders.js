// What a form that is open asks about units, given on the field: a unit is picked, and a hex that is offered to it is
// pressed, or it is dragged there. The form's fields are the truth; a plan is read from them for each picture and writes
// into them. There is one module for each kind of question, field-KIND.js, which exports plan(form):
//
//   keys            the units that the form is about; where(key), ordered(key)
//   offers(key)     the hexes that can be pressed for a unit, each with steps and stops where it moves
//   take(key, hex), clear(key), later(key, by)   change the form
//   draw(under, over), says(key, hex)
//   name(key), row(key), path(key, hex), sequence, wrong, holds(hex), preview(over, hex)   where they mean something

import { bar, board, button, describe, el, inside, moveCursor, now, paint, readAll, speak, under, view, WIDE } from "./field.js";
import { border, centre, line, outline } from "./hexes.js";

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
  const fields = [...form.elements].filter((field) => /^of\.|^order$|^line$/.test(field.name) && (field.type !== "radio" || field.checked));
  past.push([nameOf(form), fields.map((field) => [field.name, field.value])]);
  write(form, values);
}

function write(form, values) {
  for (const [name, value] of values) {
    const all = [...form.querySelectorAll(`[name="${name}"]`)];
    const field = all.find((one) => one.type !== "radio" || one.value === value);
    if (!field || field.type === "checkbox" || (field.value === value && field.type !== "radio")) continue;
    if (field.type === "radio") field.checked = true;
    else field.value = value;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
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
export const says = (hex) => picked && plan.says(picked, hex);
export const first = () => plan?.where(picked || plan.keys[0]);

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
    made.append(button(sign, `${titled(key)} moves ${words}`, "", () => (plan.later(key, by), paint())));
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

const handle = (hex) =>
  plan?.keys.find((key) => plan.where(key) === hex || plan.holds?.(hex)) ?? plan?.keys.find((key) => now.units.get(key)?.hex === hex);

// Whether a press meant something here.
export function pressed(hex) {
  readAll();
  const key = handle(hex);
  const had = picked;
  if (picked && picked !== key && plan.offers(picked).has(hex)) order(hex);
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

function pick(key) {
  picked = key;
  done.delete(key);
  if (WIDE.matches) plan.row(key)?.scrollIntoView({ block: "nearest" });
}

// A drag of a unit, or of where it is to go.
export function grip(event) {
  const key = handle(under(event));
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
