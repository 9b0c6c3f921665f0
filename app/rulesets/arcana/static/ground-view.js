// The map itself: what part of it is seen, and the cursor that walks over its cells. See ground.js for the markup.
//
//   drag, one finger, Shift + arrows     move the map; wheel (once it has the focus, or with Ctrl), pinch, + and − zoom
//   arrows                               move the cursor, which says what is there; n and p go from person to person
//   Enter, Space, a press                choose; Escape gives up what a form has asked for
//
// What the map shows stays through refreshes. Other modules draw with onDraw, and ask for a choice with setMode.

import { hook, onContent } from "../../js/swaps.js";

const SVG = "http://www.w3.org/2000/svg";
const OURS = new Set("viewBox role tabindex class style aria-label aria-labelledby aria-describedby".split(" "));
const NEAR = 26; // px a cell is wide, from which its own lines are drawn
const CLOSEST = 110; // px a cell may be wide
const STEADY = 6; // px a pointer may shake before a press becomes a drag
const KEYS =
  "Arrow keys walk over the ground, with Shift they move it. N and P go from one person to the next, Enter chooses, " +
  "plus and minus zoom, 0 shows everything.";
const COVER = { half: "half cover", three_quarter: "three-quarter cover", full: "full cover" };

const look = { x: 0, y: 0, u: 0 }; // the middle in cells, and how many cells a pixel is; 0: not looked at yet
let meant = null; // {u, wide, high}: how near somebody wanted it, in a window of that many pixels
const painters = [];
const wired = new WeakSet();
const pointers = new Map();
let cursor = null;
let chosen = ""; // from whom distances are told
let mode = null;
let press = null;
let planned = 0;

export const moved = new Map(); // id -> cell, of those whom a form puts elsewhere
export const ground = () => document.querySelector("svg[data-ground]");
export const numbers = (text) => (text ?? "").split(/[ ,]+/).map(Number);

export function el(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

export function onDraw(paint) {
  painters.push(paint);
}

export function people() {
  const found = ground()?.querySelectorAll(":is(.objects, .people) > .token") ?? [];
  return [...found].map((node) => {
    const id = node.dataset.who;
    const at = moved.get(id) ?? [Number(node.dataset.x), Number(node.dataset.y)];
    return { id, at, node, mine: node.classList.contains("is-mine"), name: node.querySelector("title").textContent };
  });
}

export const person = (id) => people().find((one) => one.id === id);
export const metres = (one, other) => Math.ceil(Math.hypot(one[0] - other[0], one[1] - other[1]) * 5 - 1e-9) / 10;
export const reaches = (one, other, cm) => 2500 * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) <= cm * cm;
export const place = (cell) => `${cell[0] / 2} m across, ${cell[1] / 2} m down`;

export function speak(text) {
  const line = document.querySelector(".map-says");
  if (line && line.textContent !== text) line.textContent = text;
}

// ---- what is seen ----------------------------------------------------------------------------------------------

function room() {
  const box = ground().getBoundingClientRect();
  return [Math.max(1, box.width), Math.max(1, box.height)];
}

function frame() {
  const [left, top, wide, high] = numbers(ground().dataset.frame);
  return { left: left - 2, top: top - 2, right: left + wide + 2, bottom: top + high + 2 };
}

function fit({ left, top, right, bottom }) {
  const [wide, high] = room();
  look.x = (left + right) / 2;
  look.y = (top + bottom) / 2;
  near(Math.max((right - left) / wide, (bottom - top) / high));
  show();
}

function near(u) {
  const [wide, high] = room();
  look.u = u;
  meant = { u, wide, high };
}

// The map's window has another size: what could be seen in it still can.
function resized() {
  if (!look.u) return fitPeople();
  const [wide, high] = room();
  look.u = meant.u * Math.max(meant.wide / wide, meant.high / high);
  show();
}

export function fitAll() {
  fit(frame());
}

export function fitPeople() {
  const all = frame();
  const cells = people().map((one) => one.at);
  if (!cells.length) return fitAll();
  const [xs, ys] = [cells.map((cell) => cell[0]), cells.map((cell) => cell[1])];
  const box = { left: Math.min(...xs) - 3, right: Math.max(...xs) + 4, top: Math.min(...ys) - 3, bottom: Math.max(...ys) + 4 };
  const grow = Math.max(0, 18 - (box.right - box.left)) / 2;
  fit({
    left: Math.max(all.left, box.left - grow),
    right: Math.min(all.right, box.right + grow),
    top: Math.max(all.top, box.top),
    bottom: Math.min(all.bottom, box.bottom),
  });
}

function zoom(times, at = null) {
  const svg = ground();
  const [wide, high] = room();
  const all = frame();
  const most = 1.1 * Math.max((all.right - all.left) / wide, (all.bottom - all.top) / high);
  const u = Math.min(most, Math.max(1 / CLOSEST, look.u / times));
  if (at) {
    const box = svg.getBoundingClientRect();
    const [dx, dy] = [at[0] - box.left - wide / 2, at[1] - box.top - high / 2];
    look.x += dx * (look.u - u);
    look.y += dy * (look.u - u);
  }
  near(u);
  show();
}

function show() {
  const svg = ground();
  const [wide, high] = room();
  const all = frame();
  look.x = Math.min(all.right, Math.max(all.left, look.x));
  look.y = Math.min(all.bottom, Math.max(all.top, look.y));
  const { x, y, u } = look;
  svg.setAttribute("viewBox", [x - (u * wide) / 2, y - (u * high) / 2, u * wide, u * high].map((n) => n.toFixed(3)).join(" "));
  const target = svg.closest(".is-crowd") ? 13 : wide < 500 ? 30 : 36;
  svg.style.setProperty("--u", u.toFixed(5));
  svg.style.setProperty("--t", Math.max(target * u, Math.min(0.92, 76 * u)).toFixed(4));
  svg.classList.toggle("is-near", 1 / u >= NEAR);
  scaleBar(u);
  schedule();
}

function scaleBar(u) {
  const bar = document.querySelector(".map-scale");
  if (!bar) return;
  const length = [1, 2, 5, 10, 20, 50].findLast((one) => (2 * one) / u <= 150) ?? 1;
  bar.style.setProperty("width", `${Math.round((2 * length) / u)}px`);
  bar.textContent = `${length} m`;
}

function onScreen(at) {
  const [wide, high] = room();
  return [(at[0] + 0.5 - look.x) / look.u + wide / 2, (at[1] + 0.5 - look.y) / look.u + high / 2];
}

export function cellAt(event) {
  const box = ground().getBoundingClientRect();
  const x = look.x + (event.clientX - box.left - box.width / 2) * look.u;
  const y = look.y + (event.clientY - box.top - box.height / 2) * look.u;
  return [Math.floor(x), Math.floor(y)];
}

// ---- drawing ---------------------------------------------------------------------------------------------------

export function schedule() {
  planned ||= requestAnimationFrame(draw);
}

function draw() {
  planned = 0;
  const svg = ground();
  if (!svg || !look.u) return;
  const [under, over] = [svg.querySelector(".under"), svg.querySelector(".over")];
  under.replaceChildren();
  over.replaceChildren();
  const all = people();
  for (const one of all) {
    const [x, y] = one.at;
    one.node.setAttribute("transform", `translate(${x + 0.5} ${y + 0.5})`);
    one.node.classList.toggle("is-moved", moved.has(one.id));
    one.node.classList.toggle("is-chosen", one.id === chosen);
    one.node.classList.toggle("may-be-picked", mode?.who?.(one.id) ?? false);
  }
  for (const paint of painters) paint(under, over, all);
  drawCursor(over, all);
  if (!svg.closest(".is-crowd")) nameThem(all);
}

function drawCursor(over, all) {
  if (!cursor) return;
  const from = all.find((one) => one.id === (mode?.from || chosen));
  if (from && (from.at[0] !== cursor[0] || from.at[1] !== cursor[1])) {
    const far = mode?.reach && !reaches(from.at, cursor, mode.reach);
    const d = `M${from.at[0] + 0.5} ${from.at[1] + 0.5}L${cursor[0] + 0.5} ${cursor[1] + 0.5}`;
    over.append(el("path", { class: `measure${far ? " is-far" : ""}`, d }));
    const [x, y] = [(from.at[0] + cursor[0] + 1) / 2, (from.at[1] + cursor[1] + 1) / 2];
    over.append(el("text", { class: "measured", x, y }, `${metres(from.at, cursor)} m`));
  }
  over.append(el("rect", { class: "cursor", x: cursor[0], y: cursor[1], width: 1, height: 1 }));
}

// Names stand below their tokens, or above, at the right or at the left where that is free; where nothing is, they wait
// to be pointed at.
const SPOTS = ["is-below", "is-above", "is-right", "is-left"];

function nameThem(all) {
  const [wide, high] = room();
  const size = Number(ground().style.getPropertyValue("--t")) / look.u;
  const boxes = all.map((one) => {
    const [x, y] = onScreen(one.at);
    const half = (size / 2) * (one.node.matches(".is-large") ? 1.3 : 1);
    return [x - half, y - half, x + half, y + half];
  });
  const ghosts = [...ground().querySelectorAll(".over > .ghost")].map((node) => numbers(node.dataset.at));
  const taken = [...boxes, ...ghosts.map((at) => around(onScreen(at), size / 2))];
  const order = [...all.keys()].sort((a, b) => (all[b].id === chosen) - (all[a].id === chosen) || all[b].mine - all[a].mine);
  for (const number of order) {
    const [left, top, right, bottom] = boxes[number];
    const half = ((all[number].node.querySelector(".name")?.textContent.length ?? 0) * size * 0.21) / 2;
    const [x, y, beside] = [(left + right) / 2, (top + bottom) / 2, half + size * 0.22];
    const middles = [[x, bottom + size * 0.33], [x, top - size * 0.36], [right + beside, y], [left - beside, y]];
    const spots = middles.map(([x, y]) => [x - half, y - size * 0.16, x + half, y + size * 0.16]);
    const free = spots.findIndex((spot) => !taken.some((box) => box !== boxes[number] && crosses(box, spot)));
    SPOTS.forEach((where, place) => all[number].node.classList.toggle(where, place === free));
    all[number].node.classList.toggle("is-quiet", free < 0);
    if (free >= 0 && right > 0 && left < wide && bottom > 0 && top < high) taken.push(spots[free]);
  }
}

const around = ([x, y], half) => [x - half, y - half, x + half, y + half];
const crosses = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// ---- the cursor ------------------------------------------------------------------------------------------------

export function wallAt([x, y]) {
  for (const wall of ground().querySelectorAll(".walls > .wall, .drafted > .wall")) {
    const [left, top, wide, high] = ["x", "y", "width", "height"].map((name) => Number(wall.getAttribute(name)));
    if (x >= left && x < left + wide && y >= top && y < top + high) return wall.getAttribute("class").match(/is-(\w+)/)[1];
  }
  return "none";
}

function describe(cell) {
  const all = people();
  const there = all.filter((one) => one.at[0] === cell[0] && one.at[1] === cell[1]);
  const health = (one) => document.querySelector(`[data-of="${CSS.escape(one.id)}"] .health`)?.textContent.trim();
  const from = all.find((one) => one.id === (mode?.from || chosen));
  const said = [...there.map((one) => [one.name, health(one)].filter(Boolean).join(", ")), place(cell)];
  if (from && !there.includes(from)) said.push(`${metres(from.at, cell)} m from ${from.name}`);
  const cover = wallAt(cell);
  if (cover !== "none") said.push(COVER[cover]);
  return `${said.join("; ")}.${mode?.says ? ` ${mode.says(cell, there)}` : ""}`;
}

export function moveCursor(cell) {
  const all = frame();
  cursor = [
    Math.min(all.right - 3, Math.max(all.left + 2, cell[0])),
    Math.min(all.bottom - 3, Math.max(all.top + 2, cell[1])),
  ];
  const [wide, high] = room();
  const edge = [(wide / 2 - 40) * look.u, (high / 2 - 40) * look.u];
  look.x = Math.min(cursor[0] + 0.5 + edge[0], Math.max(cursor[0] + 0.5 - edge[0], look.x));
  look.y = Math.min(cursor[1] + 0.5 + edge[1], Math.max(cursor[1] + 0.5 - edge[1], look.y));
  show();
  speak(describe(cursor));
}

function choose(cell) {
  const who = people().findLast((one) => one.at[0] === cell[0] && one.at[1] === cell[1]);
  if (mode) return mode.choose(cell, who);
  if (who?.mine) chosen = who.id;
  schedule();
}

function nextPerson(step) {
  const all = people().filter((one) => !mode?.who || mode.who(one.id));
  if (!all.length) return;
  all.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  const here = all.findIndex((one) => cursor && one.at[0] === cursor[0] && one.at[1] === cursor[1]);
  moveCursor(all[here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length].at);
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = WAYS[event.key];
  if (way && event.shiftKey) {
    look.x += way[0] * 60 * look.u;
    look.y += way[1] * 60 * look.u;
    show();
  } else if (way) moveCursor(cursor ? [cursor[0] + way[0], cursor[1] + way[1]] : start());
  else if (event.key === "n" || event.key === "p") nextPerson(event.key === "n" ? 1 : -1);
  else if (event.key === "Enter" || event.key === " ") choose(cursor ?? start());
  else if (event.key === "+" || event.key === "=") zoom(1.4);
  else if (event.key === "-") zoom(1 / 1.4);
  else if (event.key === "0") fitAll();
  else if (event.key === "Escape" && (mode || cursor)) {
    if (mode) endMode(true);
    else cursor = null;
    schedule();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function start() {
  return person(mode?.from || chosen)?.at ?? people()[0]?.at ?? [Math.round(look.x), Math.round(look.y)];
}

// ---- what a form asks for --------------------------------------------------------------------------------------

// A mode: words; from, reach (cm); who(id); says(cell, there); choose(cell, who); drag(cell, phase); end(). A quiet one
// takes neither the focus nor room for its words.
export function setMode(next, at) {
  endMode();
  mode = next;
  const svg = ground();
  svg.classList.add("is-asking");
  if (next.quiet) return schedule();
  const bar = svg.closest("[data-map]").querySelector(".map-mode");
  bar.querySelector("p").textContent = next.words;
  bar.querySelector(".map-more").replaceChildren(...(next.tools ?? []));
  bar.hidden = false;
  svg.closest("[data-map]").scrollIntoView({ block: "nearest" });
  svg.focus({ preventScroll: true });
  moveCursor(at ?? start());
  speak(`${next.words} ${describe(cursor)}`);
}

export function endMode(back = false) {
  const was = mode;
  mode = null;
  cursor = was ? null : cursor;
  ground()?.classList.remove("is-asking");
  const bar = document.querySelector(".map-mode");
  if (bar) bar.hidden = true;
  was?.end?.(back);
  schedule();
}

export const asking = () => mode;

// ---- pointers --------------------------------------------------------------------------------------------------

function middle() {
  const all = [...pointers.values()];
  const [x, y] = [0, 1].map((n) => all.reduce((sum, one) => sum + one[n], 0) / all.length);
  return { x, y, spread: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
}

const grips = []; // (event, cell, token) -> what to do with a drag that begins there: {move(cell), drop(cell)} or null

export function onGrip(take) {
  grips.push(take);
}

function onDown(event) {
  if (event.button) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  const token = event.target.closest?.(".token");
  const grip = pointers.size === 1 ? grips.map((take) => take(cellAt(event), token?.dataset.who)).find(Boolean) : null;
  press = { ...middle(), from: [event.clientX, event.clientY], far: false, grip, token: token?.dataset.who, many: pointers.size > 1 };
  if (grip?.now) grip.move(cellAt(event));
}

function onMove(event) {
  if (!pointers.has(event.pointerId) || !press) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (!press.far && Math.hypot(event.clientX - press.from[0], event.clientY - press.from[1]) < STEADY && pointers.size < 2) return;
  if (!press.far) ground().setPointerCapture(event.pointerId);
  press.far = true;
  if (press.grip) return press.grip.move(cellAt(event));
  const now = middle();
  look.x -= (now.x - press.x) * look.u;
  look.y -= (now.y - press.y) * look.u;
  if (press.spread && now.spread) zoom(now.spread / press.spread, [now.x, now.y]);
  else show();
  Object.assign(press, now);
}

function onUp(event) {
  if (!pointers.delete(event.pointerId) || !press) return;
  const was = press;
  if (pointers.size) return Object.assign(press, middle());
  press = null;
  if (event.type === "pointercancel") return was.grip?.drop(null);
  if (was.grip && (was.far || was.grip.now)) return was.grip.drop(cellAt(event));
  if (was.far || was.many) return;
  const cell = person(was.token)?.at ?? cellAt(event);
  moveCursor(cell);
  choose(cursor);
}

function onWheel(event) {
  if (!event.ctrlKey && !ground().matches(":focus")) return;
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), [event.clientX, event.clientY]);
}

// ---- putting it on the page ------------------------------------------------------------------------------------

function button(words, label, run) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = words;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", run);
  return made;
}

function furnish(map) {
  const tools = map.querySelector(".map-tools");
  if (tools.childElementCount) return;
  const more = document.createElement("div");
  more.className = "map-more row";
  map.querySelector(".map-mode").replaceChildren(document.createElement("p"), more, button("Leave it", "", () => endMode(true)));
  const bar = document.createElement("span");
  bar.className = "map-scale";
  bar.setAttribute("aria-hidden", "true");
  tools.append(bar, button("−", "Zoom out", () => zoom(1 / 1.4)), button("+", "Zoom in", () => zoom(1.4)));
  tools.append(button("All", "All: show the whole ground", fitAll), button("Us", "Us: show everybody", fitPeople));
  tools.hidden = false;
}

function attach() {
  const svg = ground();
  if (!svg) return;
  document.documentElement.dataset.map = "yes";
  furnish(svg.closest("[data-map]"));
  if (!wired.has(svg)) {
    wired.add(svg);
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application");
    svg.removeAttribute("aria-labelledby");
    svg.setAttribute("aria-label", `The ground. ${KEYS}`);
    svg.classList.add("is-live");
    svg.addEventListener("keydown", onKey);
    svg.addEventListener("pointerdown", onDown);
    svg.addEventListener("pointermove", onMove);
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, onUp);
    svg.addEventListener("wheel", onWheel, { passive: false });
    new ResizeObserver(resized).observe(svg);
    mode = null;
  }
  if (!person(chosen)) chosen = people().find((one) => one.mine)?.id ?? "";
  if (!look.u) return fitPeople();
  show();
  requestAnimationFrame(show); // other modules may still change the room that the page leaves it
}

hook("ground", {
  htmx_before_morph_node: (element, { oldNode }) => !oldNode.matches?.("[data-map-own]"),
  htmx_before_morph_attr: (element, { attrName }) => !(OURS.has(attrName) && element.matches?.("svg[data-ground]")),
});
onContent(attach);
