// Paints a battlefield: [data-paint] is drawn from the text of the map and writes it; where that cannot be read, it hides.
import { around, beyond, centre, corner, hexAt, outline, pair, parts, place, readField } from "./hexes.js";

const root = document.querySelector("[data-paint]"), form = root.closest("form"), text = form.elements["own.map"];
const svg = root.querySelector("svg"), told = root.querySelector("[data-said]");
const field = (of) => root.querySelector(`[name="${of}"]`);
const chosen = (of) => root.querySelector(`[name="${of}"]:checked`).value;
const walling = () => ["soft", "hard"].includes(chosen("tool"));
const SIGNS = { open: ".", closed: "#", impassable: "~" };
const SIDES = [0, 1, 2, 3, 4, 5];
const STEP = 3; // of the drawing's units: a fast drag is followed by steps of this length
const past = [], future = [];
let map, cells, walls, twinned, here, cursor = "A1", before = null, written = "", stroke = null;

const width = (row, columns = map.columns) => columns - (row % 2);
const rows = (each) => Array.from({ length: map.rows }, (_, row) => Array.from({ length: width(row) }, (_, column) => each(place(row, column))));
const put = (key, wall) => (wall ? map.walls.set(key, wall) : map.walls.delete(key));

// The map of a text, or nothing; the server says what is wrong with it.
function read(text) {
  const found = readField(text), { lines: [ground, levels], cells } = found;
  const even = (lines, signs) => lines.every((one, row) => one.length === width(row, found.columns) && signs.test(one));
  if (found.rows < 3 || found.rows > 26 || !(found.columns > 2) || cells.size > 1000) return null;
  if (!even(ground, /^[.#~]+$/) || !even(levels, /^[.0-9]+$/) || ![0, found.rows].includes(levels.length)) return null;
  return [...found.walls.values()].every(({ one, other }) => cells.has(one) && cells.has(other) && around(one).includes(other)) ? found : null;
}

function spell() {
  const block = (sign) => rows((hex) => sign(map.cells.get(hex))).map((one, row) => `${place(row, 0)[0]} ${row % 2 ? " " : ""}${one.join(" ")}`);
  return [...block(({ kind }) => SIGNS[kind]),
    ...([...map.cells.values()].some(({ level }) => level) ? ["heights", ...block(({ level }) => level || ".")] : []),
    ...[...map.walls.values()].map(({ kind, one, way, other }) => `${kind} ${one} ${way ? "> " : ""}${other}`)].join("\n");
}

function load(from) {
  const found = read(from);
  root.hidden = !found;
  form.classList.toggle("is-painting", Boolean(found));
  if (!found) return;
  map = found;
  draw();
}

function draw() {
  svg.setAttribute("viewBox", `-4 -4 ${28 * map.columns + 8} ${24 * map.rows + 16}`);
  const all = [...map.cells.keys()];
  svg.innerHTML = all.map((hex) => `<g><path class="base" d="${outline(hex)}"/><path class="sign" d="${outline(hex)}"/>`
    + `<text class="up" x="${centre(hex)[0]}" y="${centre(hex)[1] + 4}"></text></g>`).join("")
    + '<g></g><path class="twin"/><path class="cursor"/>';
  cells = new Map(all.map((hex, n) => [hex, svg.children[n]]));
  [walls, twinned, here] = [...svg.children].slice(-3);
  all.forEach(show);
  wall();
  if (!cells.has(cursor)) cursor = "A1";
  for (const one of ["rows", "columns"]) field(one).value = map[one];
}

function show(hex) {
  const { kind, level } = map.cells.get(hex), cell = cells.get(hex);
  cell.setAttribute("class", `is-${kind}${level ? " is-high" : ""}`);
  cell.lastChild.textContent = level ? `↑${level}` : "";
}

function side(one, other) {
  const k = SIDES.find((number) => beyond(one, number) === other);
  return k === undefined ? "" : `M${corner(one, k)}L${corner(one, k + 1)}`;
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
  const how = field("mirror").value, [row, column] = parts(hex), to = how === "ew" ? row : map.rows - 1 - row;
  if (how === "off" || to % 2 !== row % 2) return hex;
  return place(to, how === "ns" ? column : width(row) - 1 - column);
}

function area(hex, what) {
  const near = (one) => around(one).filter((next) => map.cells.has(next));
  if (chosen("brush") === "7") return [hex, ...near(hex)];
  const found = new Set([hex]), of = (one) => map.cells.get(one)[what];
  if (chosen("brush") === "fill") for (const one of found) for (const next of near(one)) if (of(next) === of(hex)) found.add(next);
  return [...found];
}

function paint(hex, away, tool = chosen("tool"), level = field("level").value) {
  before ??= spell();
  const gone = away || field("away").checked, what = tool === "level" ? "level" : "kind";
  const value = what === "kind" ? tool : Math.min(9, Math.max(0, +level)), nothing = what === "kind" ? "open" : 0;
  for (const one of area(hex, what)) for (const each of [one, twin(one)]) {
    map.cells.get(each)[what] = gone ? nothing : value;
    show(each);
  }
}

function build(hex, other, away) { // a barrier on the side between two hexes
  before ??= spell();
  if (!map.cells.has(hex) || !map.cells.has(other)) return;
  const gone = away || field("away").checked;
  for (const [one, beyond] of [[hex, other], [twin(hex), twin(other)]])
    put(pair(one, beyond), !gone && { kind: chosen("tool"), one, other: beyond, way: field("way").checked });
  wall();
}

function end(event) {
  if (stroke && walling() && !stroke.built && event.type === "pointerup") build(...stroke.side, stroke.away);
  stroke = null;
  if (before !== null && before !== spell()) {
    past.push(before);
    future.length = 0;
    write();
  }
  before = null;
}

function resize(across, columns) {
  const { cells: was } = map;
  Object.assign(map, { rows: across, columns });
  map.cells = new Map(rows((hex) => [hex, was.get(hex) ?? { kind: "open", level: 0 }]).flat());
  for (const [key, { one, other }] of map.walls) if (!map.cells.has(one) || !map.cells.has(other)) map.walls.delete(key);
}

function write() {
  text.value = written = spell();
  text.dispatchEvent(new Event("input", { bubbles: true }));
  form.querySelector("#map-check").dispatchEvent(new Event("painted"));
}

function back(from, to) {
  if (!from.length) return;
  to.push(spell());
  load(from.pop());
  write();
}

const middle = (hex, k) => corner(hex, k).map((part, axis) => (part + corner(hex, k + 1)[axis]) / 2);
const nearest = (hex, [x, y], spot) => SIDES.map((k) => [Math.hypot(spot(hex, k)[0] - x, spot(hex, k)[1] - y), k]).sort(([one], [other]) => one - other)[0];

function spot(event) { // of a pointer, in the drawing's units
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

function mark(hex, other) {
  const line = (one, beyond) => (!map.cells.has(hex) ? "" : walling() && beyond ? side(one, beyond) : outline(one));
  here.setAttribute("d", line(hex, other));
  twinned.setAttribute("d", map.cells.has(hex) ? line(twin(hex), other && twin(other)) : "");
}

function tell() {
  const { kind, level } = map.cells.get(cursor), near = around(cursor).filter((one) => map.walls.has(pair(cursor, one)));
  told.textContent = `${cursor}: ${kind}${level ? `, height ${level}` : ""}` + (near.length ? `, barrier to ${near.join(", ")}` : "");
}

// A stroke of barriers goes from corner to corner, along the sides that the pointer passes nearest. Of a one-way barrier
// all sides look the way the first one does.
function wallStep(hex, point) {
  const k = nearest(hex, point, corner)[1];
  let from = SIDES.find((number) => `${corner(hex, number)}` === stroke.corner);
  const clockwise = (k - from + 6) % 6 <= 3;
  for (; from !== undefined && from !== k; from = (from + (clockwise ? 1 : 5)) % 6) {
    const outer = beyond(hex, clockwise ? from : from + 5);
    stroke.right ??= clockwise === (hex === stroke.first);
    if (clockwise === stroke.right) build(hex, outer, stroke.away);
    else build(outer, hex, stroke.away);
    stroke.built = true;
  }
  stroke.corner = `${corner(hex, k)}`;
}

function pressOn(hex, point) { // a press on a side, away from its ends, begins with that
  const [far, k] = nearest(hex, point, middle);
  stroke.side = [hex, beyond(hex, k)];
  if (far < 5) [stroke.built] = [true, build(...stroke.side, stroke.away)];
}

function follow(event) {
  const to = spot(event), [x, y] = stroke.at, steps = Math.ceil(Math.hypot(to[0] - x, to[1] - y) / STEP);
  for (let n = 1; n <= steps; n++) {
    const point = [x + ((to[0] - x) * n) / steps, y + ((to[1] - y) * n) / steps], hex = hexAt(...point);
    if (!map.cells.has(hex)) stroke.corner = "";
    else if (walling()) wallStep(hex, point);
    else if (hex !== stroke.hex) paint((stroke.hex = hex), stroke.away);
  }
  stroke.at = to;
}

svg.addEventListener("pointerdown", (event) => {
  const at = spot(event), hex = hexAt(...at);
  if (!map.cells.has(hex) || event.button || chosen("tool") === "none") return;
  svg.setPointerCapture(event.pointerId);
  cursor = hex;
  stroke = { at, hex, first: hex, away: event.shiftKey };
  if (!walling()) return paint(hex, stroke.away);
  stroke.corner = `${corner(hex, nearest(hex, at, corner)[1])}`;
  pressOn(hex, at);
});
svg.addEventListener("pointermove", (event) => {
  const at = spot(event), hex = hexAt(...at);
  mark(hex, map.cells.has(hex) && beyond(hex, nearest(hex, at, middle)[1]));
  if (stroke && (walling() || chosen("brush") !== "fill")) follow(event);
});
svg.addEventListener("pointerup", end);
svg.addEventListener("pointercancel", end);
svg.addEventListener("pointerleave", () => mark(""));
svg.addEventListener("focus", () => {
  mark(cursor);
  tell();
});
svg.addEventListener("keydown", (event) => {
  const { key } = event, low = key.toLowerCase(), kind = Object.keys(SIGNS).find((one) => one[0] === low), edge = walling();
  const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  if (event.ctrlKey || event.metaKey) {
    if (low !== "z" && low !== "y") return;
    if (low === "z") back(past, future);
    else back(future, past);
  } else if (way) {
    const [row, column] = parts(cursor), to = [row + way[0], column + way[1]];
    cursor = [place(...to), place(to[0], to[1] - Math.abs(way[0]))].find((hex) => map.cells.has(hex)) ?? cursor;
  } else if (kind) paint(cursor, false, kind);
  else if (edge && /^[1-6]$/.test(key)) {
    const other = beyond(cursor, key - 1);
    build(cursor, other, map.walls.has(pair(cursor, other)));
  } else if (!edge && /^\d$/.test(key)) paint(cursor, false, "level", key);
  else if (key === "Delete") paint(cursor, true, chosen("tool") === "level" ? "level" : "open");
  else if ((key === "Enter" || key === " ") && !edge && chosen("tool") !== "none") paint(cursor, event.shiftKey);
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
  before = spell();
  resize(rows, columns);
  draw();
  end();
});
text.addEventListener("input", () => text.value !== written && load(text.value));
load(text.value);
