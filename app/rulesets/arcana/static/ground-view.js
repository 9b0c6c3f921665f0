// The map itself: what part of it is seen, and the cursor that walks over its cells. See ground.js for the markup.
//
//   drag, one finger, Shift + arrows     move the map; wheel (once it has the focus, or with Ctrl), pinch, + and − zoom
//   arrows                               move the cursor, which says what is there; n and p go from person to person
//   Enter, Space, a press                choose; Escape gives up what a form has asked for
//
// What the map shows stays through refreshes. Other modules draw with onDraw, and ask for a choice with setMode.

import { panZoom } from "../../js/pan-zoom.js";
import { hook, onContent } from "../../js/swaps.js";

const SVG = "http://www.w3.org/2000/svg";
const OURS = new Set("viewBox role tabindex class style aria-label aria-labelledby aria-describedby".split(" "));
const NEAR = 26; // px a cell is wide, from which its own lines are drawn
const CLOSEST = 110; // px a cell may be wide
const KEYS =
  "Arrow keys walk over the ground, with Shift they move it. N and P go from one person to the next, Enter chooses, " +
  "plus and minus zoom, 0 shows everything.";
const COVER = { half: "half cover", three_quarter: "three-quarter cover", full: "full cover" };

const view = panZoom({ frame, closest: CLOSEST, loose: 1.1, keep: 0, shown, grip, press, wheels, resized });
const { look, room, show, zoom } = view;
let meant = null; // {u, wide, high}: how near somebody wanted it, in a window of that many pixels; and u as it is
const painters = [];
const wired = new WeakSet();
let cursor = null;
let chosen = ""; // from whom distances are told
let mode = null;
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

function frame() {
  const [left, top, wide, high] = numbers(ground().dataset.frame);
  return [left - 2, top - 2, wide + 4, high + 4];
}

function fit([left, top, wide, high]) {
  const [across, down] = room();
  [look.x, look.y, look.u] = [left + wide / 2, top + high / 2, Math.max(wide / across, high / down)];
  show();
}

// The map's window has another size: what could be seen in it still can.
function resized() {
  if (!look.u) return fitPeople();
  const [wide, high] = room();
  look.u = meant.now = meant.u * Math.max(meant.wide / wide, meant.high / high);
  show();
}

export function fitAll() {
  fit(frame());
}

export function fitPeople() {
  const [left, top, wide, high] = frame();
  const cells = people().map((one) => one.at);
  if (!cells.length) return fitAll();
  const [xs, ys] = [cells.map((cell) => cell[0]), cells.map((cell) => cell[1])];
  const grow = Math.max(0, 18 - (Math.max(...xs) - Math.min(...xs) + 7)) / 2;
  const [from, above] = [Math.max(left, Math.min(...xs) - 3 - grow), Math.max(top, Math.min(...ys) - 3)];
  const [to, below] = [Math.min(left + wide, Math.max(...xs) + 4 + grow), Math.min(top + high, Math.max(...ys) + 4)];
  fit([from, above, to - from, below - above]);
}

function shown() {
  const svg = ground();
  const [wide, high] = room();
  const { u } = look;
  if (meant?.now !== u) meant = { u, wide, high, now: u };
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

export const cellAt = (event) => view.at(event).map(Math.floor);

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
  const [left, top, wide, high] = frame();
  cursor = [
    Math.min(left + wide - 3, Math.max(left + 2, cell[0])),
    Math.min(top + high - 3, Math.max(top + 2, cell[1])),
  ];
  view.reveal([cursor[0] + 0.5, cursor[1] + 0.5]);
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

const grips = []; // (event, cell, token) -> what to do with a drag that begins there: {move(cell), drop(cell)} or null

export function onGrip(take) {
  grips.push(take);
}

function grip(event) {
  const who = event.target.closest?.(".token")?.dataset.who;
  const taken = grips.map((take) => take(cellAt(event), who)).find(Boolean);
  return taken && {
    now: taken.now,
    move: (event) => taken.move(cellAt(event)),
    drop: (event) => taken.drop(event && cellAt(event)),
  };
}

function press(event) {
  moveCursor(person(event.target.closest(".token")?.dataset.who)?.at ?? cellAt(event));
  choose(cursor);
}

function wheels() {
  return ground().matches(":focus");
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
    view.attach(svg);
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
