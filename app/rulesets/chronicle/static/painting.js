// Paints a battlefield: [data-paint] is drawn from the text of the map and writes it; where that cannot be read, it hides.
import {
  around, at, centre, column, corner, crop, hexes, name, pair, put, read, row, spell, WIDE, width,
} from "./painted-map.js";

const root = document.querySelector("[data-paint]"), form = root.closest("form"), text = form.elements["own.map"];
const svg = root.querySelector("svg"), told = root.querySelector("[data-said]");
const field = (of) => root.querySelector(`[name="${of}"]`);
const chosen = (of) => root.querySelector(`[name="${of}"]:checked`).value;
const walling = () => ["soft", "hard"].includes(chosen("tool"));
const KINDS = ["open", "closed", "impassable"];
const past = [], future = [];
let map, cells, walls, twinned, here, cursor = 0, before = null, written = "";

function load(from) {
  const found = read(from);
  root.hidden = !found;
  form.classList.toggle("is-painting", Boolean(found));
  if (!found) return;
  map = found;
  draw();
}

function draw() {
  const shape = (hex) => `M${corner(hex, 0)}l14 8v16l-14 8-14-8v-16z`;
  svg.setAttribute("viewBox", `-4 -4 ${28 * map.columns + 8} ${24 * map.rows + 16}`);
  svg.innerHTML = hexes(map).map((hex) => `<g><path class="base" d="${shape(hex)}"/><path class="sign" d="${shape(hex)}"/>`
    + `<text class="up" x="${centre(hex)[0]}" y="${centre(hex)[1] + 4}"></text></g>`).join("")
    + '<g></g><path class="twin"/><path class="cursor"/>';
  cells = new Map(hexes(map).map((hex, n) => [hex, svg.children[n]]));
  [walls, twinned, here] = [...svg.children].slice(-3);
  hexes(map).forEach(show);
  wall();
  if (!cells.has(cursor)) cursor = 0;
  for (const one of ["rows", "columns"]) field(one).value = map[one];
}

function show(hex) {
  const level = map.levels.get(hex), cell = cells.get(hex);
  cell.setAttribute("class", `is-${KINDS[map.kinds.get(hex) || 0]}${level ? " is-high" : ""}`);
  cell.lastChild.textContent = level ? `↑${level}` : "";
}

function side(one, other) {
  const k = around(map, one).indexOf(other);
  return k < 0 ? "" : `M${corner(one, k)}L${corner(one, k + 1)}`;
}

function wall() {
  walls.innerHTML = [...map.walls.values()].map((w) => {
    const [ax, ay] = centre(w.one), [bx, by] = centre(w.other), x = (ax + bx) / 2, y = (ay + by) / 2;
    const [dx, dy] = [(by - ay) / 6, (ax - bx) / 6], tooth = `M${x + dx} ${y + dy}L${x + dy * -2} ${y + dx * 2}L${x - dx} ${y - dy}z`;
    return `<path class="${w.kind === "soft" ? "soft-barrier" : "wall"}" d="${side(w.one, w.other)}"/>`
      + (w.way ? `<path class="teeth" d="${tooth}"/>` : "");
  }).join("");
}

function twin(hex) { // the hex that is painted with one
  const how = field("mirror").value, r = row(hex), c = column(hex), to = how === "ew" ? r : map.rows - 1 - r;
  if (hex < 0 || how === "off" || to % 2 !== r % 2) return hex;
  return to * WIDE + (how === "ns" ? c : width(map, r) - 1 - c);
}

function area(hex, of) {
  if (chosen("brush") === "7") return [hex, ...around(map, hex).filter((one) => one >= 0)];
  const found = new Set([hex]), fills = chosen("brush") === "fill";
  for (const one of found)
    for (const next of fills ? around(map, one) : []) if (next >= 0 && of.get(next) === of.get(hex)) found.add(next);
  return [...found];
}

function paint(hex, other, away, tool = chosen("tool"), level = field("level").value) {
  before ??= spell(map);
  const gone = away || field("away").checked;
  if (["soft", "hard"].includes(tool)) {
    for (const [one, beyond] of other < 0 ? [] : [[hex, other], [twin(hex), twin(other)]])
      put(map.walls, pair(one, beyond), !gone && { kind: tool, one, other: beyond, way: field("way").checked });
    return wall();
  }
  const of = tool === "level" ? map.levels : map.kinds, value = tool === "level" ? Math.min(9, Math.max(0, +level)) : KINDS.indexOf(tool);
  for (const one of area(hex, of)) for (const each of [one, twin(one)]) {
    put(of, each, gone ? 0 : value);
    show(each);
  }
}

function end() {
  if (before !== null && before !== spell(map)) {
    past.push(before);
    future.length = 0;
    write();
  }
  before = null;
}

function write() {
  text.value = written = spell(map);
  text.dispatchEvent(new Event("input", { bubbles: true }));
  form.querySelector("#map-check").dispatchEvent(new Event("painted"));
}

function back(from, to) {
  if (!from.length) return;
  to.push(spell(map));
  load(from.pop());
  write();
}

function point(event) { // the hex below the pointer, and the one beyond its nearest side
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const near = (all, middle) => all.map((one) => [Math.hypot(middle(one)[0] - x, middle(one)[1] - y), one]).sort((a, b) => a[0] - b[0])[0];
  const r = Math.round((y - 16) / 24), beside = [r - 1, r, r + 1].map((one) => at(map, one, Math.round((x - 14 - 14 * (one & 1)) / 28)));
  const [far, hex] = near(beside.filter((one) => one >= 0), centre) || [99, -1];
  if (far > 17) return [-1, -1];
  return [hex, around(map, hex)[near([0, 1, 2, 3, 4, 5], (k) => corner(hex, k).map((part, i) => (part + corner(hex, k + 1)[i]) / 2))[1]]];
}

function mark(hex, other = -1) {
  const line = (one, beyond) => (hex < 0 ? "" : walling() && other >= 0 ? side(one, beyond) : cells.get(one).firstChild.getAttribute("d"));
  here.setAttribute("d", line(hex, other));
  twinned.setAttribute("d", line(twin(hex), twin(other)));
}

function tell() {
  const level = map.levels.get(cursor), beyond = around(map, cursor).filter((one) => map.walls.has(pair(cursor, one))).map(name);
  told.textContent = `${name(cursor)}: ${cells.get(cursor).classList[0].slice(3)}${level ? `, height ${level}` : ""}`
    + (beyond.length ? `, barrier to ${beyond.join(", ")}` : "");
}

svg.addEventListener("pointerdown", (event) => {
  const [hex, other] = point(event);
  if (hex < 0 || event.button || chosen("tool") === "none") return;
  svg.setPointerCapture(event.pointerId);
  paint(cursor = hex, other, event.shiftKey);
});
svg.addEventListener("pointermove", (event) => {
  const [hex, other] = point(event);
  mark(hex, other);
  if (before !== null && hex >= 0 && chosen("brush") !== "fill") paint(hex, other, event.shiftKey);
});
svg.addEventListener("pointerup", end);
svg.addEventListener("pointercancel", end);
svg.addEventListener("pointerleave", () => mark(-1));
svg.addEventListener("focus", () => {
  mark(cursor);
  tell();
});
svg.addEventListener("keydown", (event) => {
  const { key } = event, low = key.toLowerCase(), kind = KINDS.find((one) => one[0] === low), edge = walling();
  const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  if (event.ctrlKey || event.metaKey) {
    if (low !== "z" && low !== "y") return;
    if (low === "z") back(past, future);
    else back(future, past);
  } else if (way) {
    const to = [row(cursor) + way[0], column(cursor) + way[1]];
    cursor = [at(map, ...to), at(map, to[0], to[1] - Math.abs(way[0])), cursor].find((hex) => hex >= 0);
  } else if (kind) paint(cursor, -1, false, kind);
  else if (edge && /^[1-6]$/.test(key)) {
    const other = around(map, cursor)[key - 1];
    paint(cursor, other, map.walls.has(pair(cursor, other)));
  } else if (!edge && /^\d$/.test(key)) paint(cursor, -1, false, "level", key);
  else if (key === "Delete") paint(cursor, -1, true, chosen("tool") === "level" ? "level" : "open");
  else if ((key === "Enter" || key === " ") && !edge && chosen("tool") !== "none") paint(cursor, -1, event.shiftKey);
  else return;
  event.preventDefault();
  end();
  mark(cursor);
  tell();
});
root.addEventListener("click", ({ target }) => {
  if (target.name === "undo") back(past, future);
  if (target.name === "redo") back(future, past);
  if (target.name !== "resize") return;
  const [rows, columns] = ["rows", "columns"].map((one) => Math.round(+field(one).value));
  if (!(rows > 2 && rows < 27 && columns > 2 && rows * columns - (rows >> 1) <= 1000)) {
    told.textContent = "A map has 3 to 26 rows, at least 3 columns and at most 1,000 hexes.";
    return;
  }
  before = spell(map);
  crop(Object.assign(map, { rows, columns }));
  draw();
  end();
});
text.addEventListener("input", () => text.value !== written && load(text.value));
load(text.value);
