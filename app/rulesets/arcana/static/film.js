// The cycle as a film over the map, after its reveal: steps and ways, what flies, what hits, what comes of it, if-thens.
//
//   <section data-film="KEY" data-beats='{"beats": […], "from": 3, "more": 0}' [data-fresh="yes"] hidden>
//       the newest film; played once for each key and tab, from its newest part, if it came with a swap or is fresh
//     <div class="film-strip" data-film-own>      filled in here, and left alone by refreshes: keys, phase, captions
//   <li id="e12">                                  lines of the log: captions, and marked while they are told
//   <… data-card="ID">                             a card of an if-then, turned over when the film comes to it
//   <button data-film-play hidden>                 plays it all again
//
// Captions are said where they are stepped by hand, and where each beat is (beats.js). Escape skips to the end; in the
// strip the arrow keys step. With reduced motion nothing moves, and it is stepped by hand.
// Without this module the log tells everything.

import { drawer } from "./film-draw.js";
import { beatsBox, eachBeat, filmButton } from "../../js/beats.js";
import { TAB, recallList, remember } from "../../js/memory.js";
import { hook, onContent, say } from "../../js/swaps.js";

const PLAYED = "signet-films";
const LONGEST = 45_000; // ms; longer ones run faster, never more than three times as fast
const SPEEDS = [1, 2, 0.5];
const TIMES = { open: 1100, go: 1300, fly: 1500, hit: 1900, miss: 1700, check: 1500, falls: 2000, card: 1900, slam: 1800 };
const READ = 26; // ms for each letter of a caption
const LANDS = new Set(["hit", "miss", "hurt", "heal", "check", "state", "falls"]);
const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])";

const played = new Set(recallList(PLAYED, TAB));
let film = null; // {key, beats, from, more, places, lands, fallen, pace}
let at = -1; // the beat that is shown; −1: the film is not on
let since = 0; // ms of it that have passed
let last = 0; // when that was counted
let running = false;
let byHand = false; // the beat was stepped to
let speed = 1;
let painter = null;
let loop = 0;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const box = () => document.querySelector("[data-film]");
const part = (name) => document.querySelector(`.film-strip [data-part="${name}"]`);

// ---- what there is ---------------------------------------------------------------------------------------------

function load(section) {
  const { beats, from, more } = JSON.parse(section.dataset.beats);
  const told = beats.filter((beat) => beat.do.length || beat.events.some((number) => document.getElementById(`e${number}`)));
  const skipped = beats.slice(0, from).filter((beat) => !told.includes(beat)).length;
  const places = [new Map()];
  for (const beat of told) for (const op of beat.do) if (op.op === "go" && !places[0].has(op.who)) places[0].set(op.who, op.from);
  for (const beat of told) {
    const next = new Map(places.at(-1));
    for (const op of beat.do) if (op.op === "go") next.set(op.who, op.to);
    places.push(next);
  }
  const made = { key: section.dataset.film, beats: told, from: Math.max(0, from - skipped), more, places, pace: 1 };
  made.flights = flights(told);
  made.falls = told.flatMap((beat, number) => beat.do.filter((op) => op.op === "falls").map((op) => [op.who, number]));
  const whole = told.reduce((sum, beat) => sum + length(beat), 0);
  made.pace = Math.min(3, Math.max(1, whole / LONGEST));
  return made;
}

// Each thing launched with the beat in which it lands: what is told of its target, or of its own blow, next.
function flights(beats) {
  const found = [];
  beats.forEach((beat, number) => {
    for (const op of beat.do.filter((one) => one.op === "fly")) {
      const lands = beats.findIndex(
        (later, n) => n > number && later.do.some((one) => (one.by ?? "") === op.who || (!one.by && one.who === op.to && LANDS.has(one.op))),
      );
      found.push({ op, from: number, to: lands < 0 ? number : lands });
    }
  });
  return found;
}

function length(beat) {
  const drawn = Math.max(900, ...beat.do.map((op) => TIMES[op.op] ?? 1300));
  return Math.max(drawn, Math.min(5200, 700 + READ * captions(beat).reduce((sum, line) => sum + line.length, 0)));
}

function lines(beat) {
  return beat.events.map((number) => document.getElementById(`e${number}`)).filter(Boolean);
}

function captions(beat) {
  return lines(beat).slice(0, 4).map((line) => line.textContent.replace(/Why\?\s*$/, "").trim());
}

// ---- what is shown ---------------------------------------------------------------------------------------------

function show() {
  const svg = document.querySelector("svg[data-ground], .board svg.ground");
  if (!svg || at < 0) return;
  painter = drawer(svg);
  const beat = film.beats[at];
  const air = film.flights
    .filter(({ from, to }) => from < at && at <= to)
    .map(({ op, to }) => [op, to === at ? "lands" : "waiting"]);
  const fallen = new Set(film.falls.filter(([, number]) => number > at).map(([who]) => who));
  painter.paint({ beat, air, places: still() ? film.places[at + 1] : film.places[at], fallen, still: still() });
  painter.pause(!running && !still());
  mark(beat);
  cards();
  glide();
}

function mark(beat) {
  for (const line of document.querySelectorAll("li.is-now")) line.classList.remove("is-now");
  for (const line of lines(beat)) line.classList.add("is-now");
}

// Cards that the film has not come to lie face down.
function cards() {
  const turned = new Map();
  film.beats.forEach((beat, number) => {
    for (const op of beat.do) if (op.op === "card") turned.set(op.who, number);
  });
  for (const card of document.querySelectorAll("[data-card]")) {
    const number = at < 0 ? -1 : (turned.get(card.dataset.card) ?? -1);
    card.classList.toggle("is-facing-down", number > at);
    card.classList.toggle("is-turning", at >= 0 && number === at && !still());
  }
}

function glide() {
  if (at < 0 || still()) return;
  const beat = film.beats[at];
  const share = Math.min(1, since / (length(beat) / film.pace));
  const way = Math.min(1, share / 0.7);
  const eased = way < 0.5 ? 2 * way * way : 1 - (2 - 2 * way) ** 2 / 2;
  for (const op of beat.do) {
    if (op.op === "go") painter.place(op.who, [0, 1].map((n) => op.from[n] + (op.to[n] - op.from[n]) * eased));
  }
  painter.follow(share);
}

// The words, only where they change: they are said once.
function tell() {
  const screen = part("screen");
  if (!screen) return;
  screen.hidden = at < 0;
  part("bar").style.setProperty("transform", `scaleX(${at < 0 ? 0 : (at + 1) / film.beats.length})`);
  part("count").textContent = at < 0 ? "" : `${at + 1} of ${film.beats.length}`;
  for (const name of ["back", "on", "skip"]) part(name).hidden = at < 0;
  part("speed").hidden = at < 0 || still();
  part("speed").textContent = `${speed === 0.5 ? "½" : speed}×`;
  part("speed").setAttribute("aria-label", `Speed ${speed === 0.5 ? "½" : speed}×, change it`);
  const words = running ? "Pause" : at < 0 ? (still() ? "Step through the cycle" : "Play the cycle") : "Play";
  if (part("play").textContent !== words) part("play").textContent = words;
  part("play").hidden = at >= 0 && still();
  if (at < 0) return;
  const beat = film.beats[at];
  part("phase").textContent = beat.phase;
  const told = lines(beat).slice(0, 4).map((line) => {
    const copy = document.createElement("p");
    copy.append(...[...line.childNodes].map((node) => node.cloneNode(true)));
    return copy;
  });
  const more = lines(beat).length - told.length;
  if (!told.length || more > 0) {
    const extra = document.createElement("p");
    extra.className = "soft";
    extra.textContent = told.length ? `And ${more} more.` : beat.phase;
    told.push(extra);
  }
  if (at === film.beats.length - 1 && film.more) {
    const rest = document.createElement("p");
    rest.className = "soft";
    rest.textContent = `The log tells ${film.more} more.`;
    told.push(rest);
  }
  const caption = part("caption");
  if (caption.textContent !== told.map((one) => one.textContent).join("")) {
    caption.replaceChildren(...told);
    if (byHand || eachBeat()) say(told.map((one) => one.textContent.replace(/Why\?\s*$/, "").trim()).join(" "));
    window.htmx?.process?.(caption);
  }
}

// ---- playing ---------------------------------------------------------------------------------------------------

function tick(now) {
  loop = 0;
  if (!running || at < 0) return;
  since += (now - last) * speed;
  last = now;
  if (since >= length(film.beats[at]) / film.pace) {
    if (at + 1 >= film.beats.length) return end();
    go(at + 1);
  } else glide();
  loop ||= requestAnimationFrame(tick);
}

function go(number) {
  at = Math.max(0, Math.min(film.beats.length - 1, number));
  since = 0;
  show();
  tell();
}

function run(on) {
  running = on && !still();
  last = performance.now();
  painter?.pause(!running && !still());
  if (running) loop ||= requestAnimationFrame(tick);
  tell();
}

function play(from) {
  if (!film?.beats.length) return;
  document.documentElement.dataset.mapFilm = film.key;
  byHand = false;
  go(from);
  run(true);
  bring();
}

function end() {
  if (at < 0) return;
  const focused = document.activeElement?.closest?.(".film-strip");
  at = -1;
  running = false;
  painter?.clear();
  delete document.documentElement.dataset.mapFilm;
  for (const line of document.querySelectorAll("li.is-now")) line.classList.remove("is-now");
  cards();
  tell();
  if (focused) part("play").focus();
}

function step(by) {
  byHand = true;
  run(false);
  if (at + by >= film.beats.length) end();
  else go(at + by);
}

function press(name) {
  if (name === "play" && at < 0) play(0);
  else if (name === "play") run(!running);
  else if (name === "back") step(-1);
  else if (name === "on") step(1);
  else if (name === "skip") end();
  else if (name === "speed") {
    speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    tell();
  }
}

// ---- putting it on the page ------------------------------------------------------------------------------------

function furnish(strip) {
  const piece = (tag, name, css = "") => {
    const made = document.createElement(tag);
    made.dataset.part = name;
    made.className = css;
    return made;
  };
  const screen = piece("div", "screen", "film-screen");
  const caption = piece("div", "caption", "film-caption");
  screen.tabIndex = 0; // on a phone long words are scrolled
  screen.setAttribute("role", "group");
  screen.setAttribute("aria-label", "What happens");
  screen.append(piece("p", "phase", "film-phase"), piece("span", "count", "film-count"), caption);
  const bar = document.createElement("div");
  bar.className = "film-bar";
  bar.setAttribute("aria-hidden", "true");
  bar.append(piece("span", "bar"));
  const keys = document.createElement("div");
  keys.className = "film-keys";
  keys.append(filmButton("play", "Play the cycle"), filmButton("back", "Back", "Back by one step"), filmButton("on", "On", "On by one step"));
  keys.append(filmButton("speed", "1×"), filmButton("skip", "Skip"), beatsBox());
  strip.replaceChildren(screen, bar, keys);
  strip.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.part;
    if (name) press(name);
  });
  strip.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || at < 0) return;
    event.preventDefault();
    step(by);
  });
}

// The strip under the map comes into view, and with it as much of the map as there is room for.
function bring() {
  if (document.activeElement?.matches(TYPING) || document.querySelector("dialog[open]")) return;
  const behavior = still() ? "instant" : "smooth";
  box().querySelector(".film-strip").scrollIntoView({ block: "nearest", behavior });
}

function look(first) {
  const section = box();
  if (!section) {
    end();
    film = null;
    return;
  }
  section.hidden = false;
  const strip = section.querySelector(".film-strip");
  if (!strip.childElementCount) furnish(strip);
  const isOther = film?.key !== section.dataset.film;
  if (isOther) {
    end();
    film = load(section);
  }
  for (const one of document.querySelectorAll("[data-film-play]")) one.hidden = false;
  if (at >= 0) show();
  tell();
  if (played.has(film.key) || (document.hidden && !first)) return;
  played.add(film.key);
  remember(PLAYED, JSON.stringify([...played].slice(-200)), TAB);
  if (first && section.dataset.fresh !== "yes") return;
  play(film.from);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || at < 0 || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  end();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-film-play]") || !film) return;
  play(0);
});
document.addEventListener("visibilitychange", () => !document.hidden && look(false));

hook("film", { htmx_before_morph_node: (element, { oldNode }) => !oldNode.matches?.("[data-film-own]") });
onContent((root, first) => look(first));
