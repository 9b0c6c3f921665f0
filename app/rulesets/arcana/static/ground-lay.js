// The GM's hand on the map: tokens dragged to their places, cover painted. See ground.js for the markup.
//
//   <input name="at.ID">                              in any form: that token can be dragged, the field gets its place
//   <select name="what"> with "place", <select name="who">, <input name="at">      the same, at the desk, while it is open
//   <textarea name="walls"> and <button data-pick="walls" data-what="walls">     lines like "10,4 to 10,9 full", "8,3 half from north"
//   <input name="wide">, <input name="high">           metres; the ground is drawn as large as they say

import { asking, el, endMode, ground, moved, numbers, onDraw, onGrip, people, place, schedule, setMode, speak } from "./ground-view.js";
import { onContent } from "../../js/swaps.js";

const CELL = "(\\d{1,3}) ?, ?(\\d{1,3})";
const SIDES = ["north", "east", "south", "west"];
const LINE = new RegExp(`^(?:wall )?${CELL}(?: ?(?:to|-|–) ?${CELL})? (none|half|three|full)(?:[-_ ]quarters?)?(?: cover)?(?: from ([a-z, ]+))?$`);
const KINDS = [["full", "Full"], ["three_quarter", "Three-quarter"], ["half", "Half"], ["none", "None: rub out"]];
const brush = { kind: "full", how: "cells", corner: null, to: null };

let held = ""; // whose token is being dragged
export const open = (field) => field && (!field.closest("details:not([open])") || field.closest("[data-laying]"));
const spotted = (text) => (/^\s*\d{1,3}\s*,\s*\d{1,3}\s*$/.test(text) ? numbers(text.replace(/\s/g, "")) : null);

export function tell(field, value) {
  field.value = value;
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}

// ---- tokens ----------------------------------------------------------------------------------------------------

// The field that says where somebody is to stand, and what else has to be chosen for it.
function fieldOf(id) {
  const own = document.querySelector(`input[name="at.${CSS.escape(id)}"]`);
  if (own) return { field: own };
  const what = [...document.querySelectorAll('select[name="what"]')].find((one) => one.value === "place" && open(one));
  const [who, field] = ["who", "at"].map((name) => what?.form.elements.namedItem(name));
  return who && field && [...who.options].some((one) => one.value === id) ? { field, who } : null;
}

function drafts() {
  for (const id of [...moved.keys()]) if (id !== held) moved.delete(id);
  for (const field of document.querySelectorAll('input[name^="at."]')) {
    const at = spotted(field.value);
    if (at && field.name.slice(3) !== held) moved.set(field.name.slice(3), at);
  }
  for (const what of document.querySelectorAll('select[name="what"]')) {
    const at = what.value === "place" && open(what) && spotted(what.form.elements.namedItem("at")?.value ?? "");
    const who = what.form.elements.namedItem("who")?.value;
    if (at && who && who !== held) moved.set(who, at);
  }
  for (const one of people()) {
    const at = moved.get(one.id);
    if (at && at[0] === Number(one.node.dataset.x) && at[1] === Number(one.node.dataset.y)) moved.delete(one.id);
  }
}

export function inGround([x, y]) {
  const [left, top, wide, high] = numbers(ground().dataset.frame);
  return [Math.min(left + wide - 1, Math.max(left, x)), Math.min(top + high - 1, Math.max(top, y))];
}

onGrip((cell, id) => {
  const to = !asking() && id ? fieldOf(id) : null;
  if (!to) return null;
  return {
    move(at) {
      held = id;
      moved.set(id, inGround(at));
      schedule();
    },
    drop(at) {
      held = "";
      if (!at) return follow();
      if (to.who) tell(to.who, id);
      tell(to.field, inGround(at).join(","));
      const one = people().find((other) => other.id === id);
      speak(`${one.name}: ${place(one.at)}.`);
    },
  };
});

// ---- cover -----------------------------------------------------------------------------------------------------

function read(text) {
  const cells = new Map();
  for (const line of text.toLowerCase().split("\n")) {
    const found = line.trim().replace(/\s+/g, " ").match(LINE);
    if (!found) continue;
    const [x1, y1, x2, y2] = found.slice(1, 5).map((n, i) => Number(n ?? found[i - 1]));
    const from = SIDES.filter((side) => found[6]?.includes(side)); // kept through painting: "half from north and east"
    const kind = [found[5] === "three" ? "three_quarter" : found[5], from.join(" and ")].filter(Boolean).join(" from ");
    for (let x = Math.min(x1, x2); x <= Math.max(x1, x2); x++) {
      for (let y = Math.min(y1, y2); y <= Math.max(y1, y2); y++) cells.set(`${x},${y}`, kind);
    }
  }
  for (const [key, kind] of cells) if (kind === "none") cells.delete(key);
  return cells;
}

// As few rectangles: runs along a row, equal runs below one another.
function pieces(cells) {
  const left = new Map(cells);
  const found = [];
  const sorted = [...left.keys()].map(numbers).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  for (const [x, y] of sorted) {
    const kind = left.get(`${x},${y}`);
    if (!kind) continue;
    let [wide, high] = [1, 1];
    while (left.get(`${x + wide},${y}`) === kind) wide++;
    const row = (down) => [...Array(wide).keys()].map((n) => `${x + n},${y + down}`);
    while (row(high).every((key) => left.get(key) === kind)) high++;
    for (let down = 0; down < high; down++) for (const key of row(down)) left.delete(key);
    found.push({ kind, x, y, wide, high });
  }
  return found;
}

function written(cells) {
  return pieces(cells).map(({ kind, x, y, wide, high }) => {
    const to = wide > 1 || high > 1 ? ` to ${x + wide - 1},${y + high - 1}` : "";
    return `${x},${y}${to} ${kind.replace("_", "-")}`;
  }).join("\n");
}

const bars = (from, x, y, wide, high) =>
  from.split(" and ").map((side) => ({
    north: `M${x} ${y}h${wide}`, east: `M${x + wide} ${y}v${high}`, south: `M${x} ${y + high}h${wide}`, west: `M${x} ${y}v${high}`,
  })[side]).join("");

function wallsField() {
  return [...document.querySelectorAll('textarea[name="walls"]')].find((field) => {
    const what = field.form.elements.namedItem("what");
    return open(field) && (!what || what.value === "walls");
  });
}

export const between = (a, b) => {
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return { left, top, right, bottom };
};

function paint(field, from, to) {
  const cells = read(field.value);
  const { left, top, right, bottom } = between(from, to);
  for (let x = left; x <= right; x++) {
    for (let y = top; y <= bottom; y++) {
      if (brush.kind === "none") cells.delete(`${x},${y}`);
      else cells.set(`${x},${y}`, brush.kind);
    }
  }
  tell(field, written(cells));
}

function choosers() {
  const group = (name, label, choices) => {
    const made = document.createElement("label");
    const select = document.createElement("select");
    select.setAttribute("aria-label", label);
    for (const [value, words] of choices) select.append(new Option(words, value, false, brush[name] === value));
    select.addEventListener("change", () => {
      brush[name] = select.value;
      brush.corner = brush.to = null;
      schedule();
    });
    made.append(`${label} `, select);
    return made;
  };
  const how = [["cells", "cell by cell"], ["rectangle", "from corner to corner"]];
  return [group("kind", "Cover", KINDS), group("how", "Paint", how)];
}

// Fills what lies between two cells that a quick hand has jumped over.
function stroke(field, from, to) {
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1);
  for (let n = 0; n <= steps; n++) {
    const at = [0, 1].map((axis) => Math.round(from[axis] + ((to[axis] - from[axis]) * n) / steps));
    paint(field, at, at);
  }
}

function beginPainting(button) {
  const field = button.form.elements.namedItem(button.dataset.pick);
  brush.corner = brush.to = null;
  setMode({
    words: "Paint cover: drag over the ground, or walk with the arrow keys and press Enter.",
    tools: choosers(),
    paints: field,
    says: () => (brush.how === "cells" ? "Enter paints." : brush.corner ? "Enter sets the other corner." : "Enter sets a corner."),
    choose(cell) {
      const at = inGround(cell);
      if (brush.how === "cells") paint(field, at, at);
      else if (brush.corner) {
        paint(field, brush.corner, at);
        brush.corner = null;
      } else brush.corner = at;
      schedule();
    },
    end: (back) => back && button.isConnected && button.focus(),
  });
}

onGrip((cell) => {
  const field = asking()?.paints;
  if (!field) return null;
  let last = inGround(cell);
  const first = last;
  const rectangle = brush.how === "rectangle";
  return {
    move(at) {
      const to = inGround(at);
      if (rectangle) [brush.corner, brush.to] = [first, to];
      else stroke(field, last, to);
      last = to;
      schedule();
    },
    drop(at) {
      if (at && rectangle) paint(field, first, inGround(at));
      brush.corner = brush.to = null;
      schedule();
    },
  };
});

function draw(under, over) {
  const field = wallsField();
  ground().classList.toggle("is-drafting", Boolean(field));
  if (field) {
    const drafted = el("g", { class: "drafted" });
    for (const { kind, x, y, wide, high } of pieces(read(field.value))) {
      const [cover, from] = kind.split(" from ");
      drafted.append(el("rect", { class: `wall is-${cover}`, fill: `url(#hatch-${cover})`, x, y, width: wide, height: high }));
      if (from) drafted.append(el("path", { class: "bar", d: bars(from, x, y, wide, high) }));
    }
    under.append(drafted);
  }
  if (asking()?.paints && brush.corner) {
    const { left, top, right, bottom } = between(brush.corner, brush.to ?? brush.corner);
    over.append(el("rect", { class: "brush", x: left, y: top, width: right - left + 1, height: bottom - top + 1 }));
  }
}

// ---- the ground's size -----------------------------------------------------------------------------------------

function size() {
  const svg = ground();
  const [wide, high] = ["wide", "high"].map((name) => document.querySelector(`input[name="${name}"]`));
  if (!svg || !wide || !high) return;
  const lengths = [wide, high].map((field) => Math.round(Number(field.value)) * 2);
  if (lengths.some((cells) => !(cells >= 10 && cells <= 400))) return;
  svg.dataset.frame = `0 0 ${lengths.join(" ")}`;
  for (const rect of svg.querySelectorAll(":scope > rect")) {
    rect.setAttribute("x", 0);
    rect.setAttribute("y", 0);
    rect.setAttribute("width", lengths[0]);
    rect.setAttribute("height", lengths[1]);
  }
  svg.querySelector(".edge").setAttribute("d", `M0 0h${lengths[0]}v${lengths[1]}h-${lengths[0]}z`);
  svg.querySelector(".ruler").setAttribute("d", `M0-.3h${lengths[0]}M-.3 0v${lengths[1]}`);
}

function follow() {
  if (!ground()) return;
  size();
  drafts();
  schedule();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('button[data-what="walls"]');
  if (!button || !ground()) return;
  if (asking()?.paints) endMode(true);
  else beginPainting(button);
});
document.addEventListener("input", (event) => event.target.form && follow());
document.addEventListener("toggle", follow, true);
onDraw(draw);
onContent(follow);
