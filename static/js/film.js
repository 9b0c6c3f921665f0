// The film: what came of a closed step, beat by beat on the board, in the book's order. Loaded after the page itself.
//
//   <… id="log" data-films="ADDRESS">        ADDRESS?step=KEY answers with the frames of a film (app/web/scene/film.py)
//   <section class="chapter" data-film="KEY">   a closed step in the log. When an answer for #live brings one that was not
//                                            on the page before, the answer is held back, and the film plays on the table
//                                            as it was. So nothing on the page tells an end before its beat.
//   <button data-film-play="KEY" hidden>     plays that step again; shown by this module
//   <… data-film-now="KEY">                  a replay's page: its film plays when the page has loaded
//   <… class="table-side">                   the part of the page that a frame replaces
//   signet:frame                             an event for what a game draws over its board: {frames, at, time: ms, or 0}
//   <… data-piece="ID">, <… data-stage="…" data-beat="7">
//                                            what moves from its place in the frame before; what appears with its frame,
//                                            once for the line of the log it comes with
//
// <html data-filming> while a film plays, and data-held while an answer is held back. The strip with the words and the
// keys stands in .dock, or in .log-side. A key or a press beside it ends the film. The film ends at the latest when a
// quarter of the time for the next step is gone. A question that cannot wait (data-pace="react") is shown at once, with
// the line on top that names it; a refusal and a stop end the film. With reduced motion nothing plays by itself, and a step is gone through by hand.

import { beatsBox, eachBeat, filmButton } from "./beats.js";
import { recall, remember } from "./memory.js";
import { arrived, hook, onContent, say } from "./swaps.js";

const STEPS = 4; // of a film; of more that closed together the newest
const SHORTEST = 500; // ms; with less time left the end is shown at once
const OPENING = 450; // ms of a frame before anything is told
const BEAT = [700, 3200]; // ms of a beat, at least and at most
const CARD = 2400; // ms of a beat with a card, at least
const READ = 24; // ms for each letter of a beat's lines
const MOVE = 420; // ms that a piece takes to its place
const PATIENCE = 4000; // ms that a film may take to arrive
const SPEED = "signet-film-speed";
const page = document.documentElement;

const known = new Set(); // the steps that have been on the page
export const said = new Set(); // the steps whose beats were all said
let film = null; // {keys, frames, at, timer, running, scale, shown: looks, held: an answer, stash: nodes}
let speed = Number(recall(SPEED)) === 2 ? 2 : 1;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const side = () => document.querySelector(".table-side");
const part = (name) => document.querySelector(`.film [data-part="${name}"]`);
const keysIn = (root) => [...root.querySelectorAll("section.chapter[data-film]")].map(({ dataset }) => dataset.film);

function parsed(text) {
  const made = document.createElement("template");
  made.innerHTML = text;
  return made.content;
}

// ---- holding an answer back ---------------------------------------------------------------------------------------

// Whether this answer is to wait for a film. Refusals and stops never wait.
function hold(ctx) {
  if (ctx.target?.id !== "live" || document.hidden || still() || !window.htmx?.swap) return false;
  const coming = parsed(ctx.text);
  const whole = coming.querySelector("#live");
  if (!whole && film?.held) return false; // blocks for their own places
  if (!whole || coming.querySelector("#notice") || stops(coming) > stops(document)) return end(false);
  const fresh = keysIn(coming).filter((key) => !known.has(key)).slice(-STEPS);
  if (film && !film.held) end(false);
  if (!film && !fresh.length) return false;
  const own = ctx.request.method !== "GET" && film && !ctx.sourceElement?.closest?.(".talk");
  if (own) return end(false);
  ctx.held = true;
  noteReceipts(coming);
  if (film) film.held = ctx;
  else begin(fresh, ctx);
  letThrough(ctx, coming);
  return true;
}

const stops = (root) => Number(root.querySelector("[data-stops]")?.dataset.stops ?? 0);

// What may not wait: the talk, and a question that has to be answered at once.
function letThrough(ctx, coming) {
  const put = (id) => {
    const fresh = coming.getElementById(id);
    if (fresh && document.getElementById(id)) window.htmx.swap({ ...ctx, text: fresh.outerHTML, target: `#${id}`, swap: "outerMorph" });
  };
  put("talk");
  const urgent = coming.querySelector('#asks .ask[data-pace="react"]:not(.is-sealed)');
  page.toggleAttribute("data-held", !urgent);
  if (urgent) for (const id of ["awaits", "asks"]) put(id);
}

// The receipt of the last seal is noted now: the page may be left before the film is over.
function noteReceipts(coming) {
  for (const one of coming.querySelectorAll("[data-receipt]")) {
    if (document.querySelector(`[data-receipt='${CSS.escape(one.dataset.receipt)}']`)) continue;
    const copy = document.createElement("div");
    copy.hidden = true;
    Object.assign(copy.dataset, one.dataset);
    document.getElementById("main").append(copy);
    arrived(copy);
    copy.remove();
  }
}

async function fetched(keys) {
  const address = document.querySelector("[data-films]").dataset.films;
  const asked = keys.map((key) => `step=${encodeURIComponent(key)}`).join("&");
  const answer = await fetch(`${address}?${asked}`, { signal: AbortSignal.timeout(PATIENCE), headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`no film: ${answer.status}`);
  const { frames, most, longest } = await answer.json();
  let lines = [];
  for (const frame of frames) {
    lines = [...lines];
    for (const [from, to, text] of frame.edits) lines.splice(from, to - from, ...(text === "" ? [] : text.split("\n")));
    frame.table = lines.join("\n");
  }
  return { frames, most, longest: longest ?? Infinity };
}

async function begin(keys, held = null) {
  end(false);
  const mine = { keys, held, frames: [], at: -1, running: !still(), timer: 0, stash: null };
  film = mine;
  for (const key of keys) known.add(key);
  page.dataset.filming = "";
  try {
    const { frames, most, longest } = await fetched(keys);
    if (film !== mine) return;
    if (!frames.length || (held && longest < SHORTEST)) return end();
    mine.frames = frames;
    if (held && longest < Infinity) setTimeout(() => film === mine && end(), longest);
    const whole = frames.reduce((sum, frame) => sum + length(frame), 0);
    mine.scale = Math.min(1, Math.min(most, held ? longest : most) / whole);
    if (!held) mine.stash = [...side().childNodes];
    furnish();
    go(0);
  } catch {
    if (film === mine) end();
  }
}

// Ends the film, and shows what was held back, unless something newer is about to be put in.
function end(release = true) {
  if (!film) return false;
  const over = film;
  film = null;
  clearTimeout(over.timer);
  delete page.dataset.filming;
  page.removeAttribute("data-held");
  document.querySelector(".film")?.remove();
  document.querySelector(".film-over")?.remove();
  if (over.stash) {
    side().replaceChildren(...over.stash);
    arrived(side());
  }
  keepCards(over);
  if (release && over.held) window.htmx.swap(Object.assign(over.held, { held: false }));
  return false;
}

// ---- one frame ----------------------------------------------------------------------------------------------------

function words(frame) {
  return [...parsed(frame.lines).children].map((line) => {
    for (const why of line.querySelectorAll(".why")) why.remove();
    return line.textContent.replace(/\s+/g, " ").trim();
  });
}

function length(frame) {
  if (!frame.title) return OPENING;
  const letters = words(frame).reduce((sum, line) => sum + line.length, 0);
  const least = frame.cards.length ? CARD : BEAT[0];
  return Math.max(least, Math.min(BEAT[1], BEAT[0] + READ * letters));
}

function go(number) {
  const back = number < film.at;
  film.at = number;
  const frame = film.frames[number];
  try {
    draw(frame, back);
    tell(frame);
  } catch (wrong) {
    end(); // what is held back is shown, whatever happens
    throw wrong;
  }
  clearTimeout(film.timer);
  const time = (length(frame) * film.scale) / speed;
  if (film.running) film.timer = setTimeout(next, time);
  const told = { frames: film.frames, at: number, time: film.running && !still() ? time : 0 };
  document.dispatchEvent(new CustomEvent("signet:frame", { detail: told }));
}

function next() {
  if (!film) return;
  if (film.at + 1 < film.frames.length) return go(film.at + 1);
  if (eachBeat()) for (const key of film.keys) said.add(key);
  end();
}

function places() {
  const found = new Map();
  for (const piece of document.querySelectorAll(".stage [data-piece]")) {
    if (piece.dataset.piece && !found.has(piece.dataset.piece)) found.set(piece.dataset.piece, piece.getBoundingClientRect());
  }
  return found;
}

const staged = () => [...document.querySelectorAll(".table-side [data-stage]")];
// What tells a staged piece from others: the line of the log that it comes with, else what it is.
const lookOf = ({ dataset, outerHTML }) => (dataset.beat ? `${dataset.stage} ${dataset.beat}` : outerHTML.replace(/ data-order="[^"]*"/g, ""));

// The table of that moment: pieces go from where they were, and what is new appears.
function draw(frame, back) {
  const before = places();
  const shown = film.shown ?? new Set(staged().map(lookOf));
  const open = [...document.querySelectorAll(".table-side details")].map((one) => one.open);
  side().replaceChildren(parsed(frame.table));
  [...document.querySelectorAll(".table-side details")].forEach((one, place) => (one.open = open[place] ?? one.open));
  arrived(side());
  const over = document.createElement("div");
  over.className = "film-over";
  document.querySelector(".stage")?.append(over);
  const now = staged().map((piece) => [piece, lookOf(piece)]);
  film.shown = new Set(now.map(([, look]) => look));
  if (back) return;
  for (const [key, place] of places()) move(key, before.get(key), place);
  let wait = 0;
  for (const [piece, look] of now) {
    if (shown.has(look)) continue;
    piece.style.animationDelay = `${Math.min(wait, 500)}ms`;
    piece.classList.add("is-shown");
    wait += 60;
  }
  rise(over, frame.marks);
  lay(over, frame);
}

function move(key, from, to) {
  if (still() || !from || (Math.abs(from.x - to.x) < 2 && Math.abs(from.y - to.y) < 2)) return;
  const piece = document.querySelector(`.stage [data-piece="${CSS.escape(key)}"]`);
  const unit = piece.ownerSVGElement?.getScreenCTM()?.a || 1;
  const by = [from.x - to.x, from.y - to.y].map((n) => `${(n / unit).toFixed(1)}px`);
  piece.animate([{ translate: by.join(" ") }, { translate: "0 0" }], { duration: (MOVE * film.scale) / speed, easing: "ease-in-out" });
}

function rise(over, marks) {
  const stage = over.parentElement.getBoundingClientRect();
  const heights = new Map();
  for (const { piece, text, tone } of marks) {
    const found = document.querySelector(`.stage [data-piece="${CSS.escape(piece)}"]`);
    if (!found) continue;
    const { x, y, width } = (found.querySelector(".token") ?? found).getBoundingClientRect();
    const row = heights.get(piece) ?? 0;
    heights.set(piece, row + 1);
    const mark = document.createElement("b");
    mark.className = `film-mark is-${tone}`;
    mark.textContent = text;
    mark.style.left = `${x - stage.x + width / 2}px`;
    mark.style.top = `${Math.max(26, y - stage.y + 4) - 26 * row}px`;
    over.append(mark);
  }
}

function lay(over, frame) {
  for (const one of frame.cards) over.append(cardOf(one));
}

function cardOf({ what, title, then, mine }) {
  const card = document.createElement("div");
  card.className = `film-card is-${what}${mine ? " is-mine" : ""}`;
  const head = document.createElement("p");
  head.className = "film-card-title";
  head.textContent = title;
  card.append(head);
  if (then) {
    const more = document.createElement("p");
    more.textContent = then;
    card.append(more);
  }
  return card;
}

// What befell this page's own characters stays until it is put away, with its reason.
function keepCards({ frames, held }) {
  if (!held) return;
  for (const frame of frames) {
    for (const one of frame.cards.filter(({ mine }) => mine)) {
      const card = cardOf(one);
      card.classList.add("is-kept");
      card.setAttribute("role", "status");
      const row = document.createElement("p");
      row.className = "row";
      const why = parsed(frame.lines).querySelector(`.why[href$="/${one.event}"]`);
      if (why) row.append(why);
      row.append(filmButton("close", "Close"));
      row.lastChild.addEventListener("click", () => card.remove());
      card.append(row);
      document.getElementById("main").append(card);
      window.htmx?.process?.(card);
    }
  }
}

// ---- the strip ----------------------------------------------------------------------------------------------------

function piece(tag, css, name) {
  const made = document.createElement(tag);
  made.className = css;
  if (name) made.dataset.part = name;
  return made;
}

function furnish() {
  const strip = document.createElement("section");
  strip.className = "film card";
  strip.setAttribute("aria-label", "What happens");
  const [head, lines, bar, keys] = ["head", "lines", "bar", "keys"].map((name) => piece("div", `film-${name}`));
  head.append(piece("b", "", "title"), piece("span", "soft small", "count"));
  Object.assign(lines, { tabIndex: 0, role: "group", ariaLabel: "What this beat tells" });
  lines.dataset.part = "lines";
  bar.ariaHidden = "true";
  bar.append(piece("span", "", "bar"));
  strip.append(head, lines, bar, keys);
  keys.append(filmButton("back", "Back"), filmButton("play", "Pause"), filmButton("next", "Next"), filmButton("speed", "1×"), filmButton("skip", "Skip"), beatsBox());
  keys.addEventListener("click", ({ target }) => press(target.closest("button")?.dataset.part));
  (document.querySelector(".dock") ?? document.querySelector(".log-side")).prepend(strip);
}

function tell(frame) {
  part("title").textContent = frame.title || "The envelopes open";
  part("count").textContent = `${film.at + 1} of ${film.frames.length}`;
  part("bar").style.setProperty("transform", `scaleX(${(film.at + 1) / film.frames.length})`);
  part("lines").replaceChildren(parsed(frame.lines));
  part("lines").scrollTop = 0;
  window.htmx?.process?.(part("lines"));
  part("back").disabled = film.at === 0;
  part("play").textContent = film.running ? "Pause" : "Play";
  part("speed").textContent = `${speed}×`;
  part("speed").setAttribute("aria-label", `Speed ${speed}×, change it`);
  const lines = words(frame);
  if (frame.title && (!film.running || eachBeat())) say([frame.title + ".", ...lines].join(" "));
}

function press(name) {
  if (!film || !name) return;
  if (name === "skip") return end();
  if (name === "speed") {
    speed = speed === 1 ? 2 : 1;
    remember(SPEED, speed);
    part("speed").textContent = `${speed}×`;
  } else if (name === "play") {
    film.running = !film.running;
    go(film.at);
  } else step(name === "back" ? -1 : 1);
}

function step(by) {
  film.running = false;
  if (film.at + by >= film.frames.length) return end();
  go(Math.max(0, film.at + by));
}

const OWN = ".film, .talk, a, button, summary, select, input, textarea, label, dialog, .film-card.is-kept";
const KEYS = ["Escape", "Enter", "ArrowLeft", "ArrowRight"]; // and letters and digits; others scroll, or move the focus

document.addEventListener(
  "keydown",
  (event) => {
    const counts = (event.key.length === 1 || KEYS.includes(event.key)) && !(event.ctrlKey || event.metaKey || event.altKey);
    if (!film?.frames.length || !counts || document.querySelector("dialog[open]")) return;
    const on = document.activeElement;
    if (on?.matches("textarea, select, input:not([type=checkbox])") || (on?.matches(OWN) && [" ", "Enter"].includes(event.key))) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    event.stopPropagation();
    event.preventDefault();
    if (by) step(by);
    else end();
  },
  true,
);
document.addEventListener("click", (event) => {
  const again = event.target.closest?.("[data-film-play]");
  if (again) return void begin([again.dataset.filmPlay]);
  if (film?.frames.length && event.isTrusted && !event.target.closest?.(OWN)) end();
});

hook("hold", { htmx_before_swap: (element, { ctx }) => !hold(ctx) });
onContent((root) => {
  for (const key of keysIn(document)) known.add(key);
  for (const one of root.querySelectorAll("[data-film-play]")) one.hidden = false;
});
const replayed = document.querySelector("[data-film-now]");
if (replayed && !still()) begin([replayed.dataset.filmNow]);
