// Whether this person is awaited, or a scene stopped: the tab's title and icon, and a bell if they asked for one.
//
//   <body data-awaits="ADDRESS">        answers {"awaited": true, "nudged": false, "line": "Declare for Alice", "stops": [{"where":
//                                       "The bridge"}]}; asked by tabs in the background, and by visible pages that have
//                                       no data-awaited element
//   <… data-awaited="nudged|yes|no">    in a live part: what a visible page believes, read again after every swap; the
//                                       most of them counts
//   <… data-stops="2">                  there too: how many scenes somebody has stopped
//   <… class="awaits"><p>Your turn: …   is said when "not awaited" turns into "awaited", or into another question
//                                       (.is-stop before what is mine before others), without its <… data-still>
//   <link rel="icon" data-calm="…" data-awaited="…">  the two icons of the tab
//   <button data-sound-toggle hidden>   shown by this module; aria-pressed says whether the bell is on
//                                       (localStorage "signet-sound" = "on"); an icon in it whose address ends in
//                                       #volume-x or #volume-2 follows
//
// While a film plays, what the page shows is held back (film.js), and so is this. The title gets "(!) " in front, or
// "(!) Stop · ". The bell rings only when "not awaited" turns into "awaited", either into "nudged", or one more scene is
// stopped, never on loading a page.

import { hook, isGone, onContent, own, say } from "./swaps.js";
import { recall, remember } from "./memory.js";

const SOUND = "signet-sound";
const STOP = 3; // one scene is stopped; each other one adds one
let awaited = null; // not known yet; then 0, 1 or 2: no, yes, nudged; from STOP on: stopped
let asking = false;
let line = ""; // what the page last said on top

const bell = () => import("./bell.js"); // for those who want it
const nothing = () => {}; // offline it is silent

export const setAwaited = (now, words) => turn(now, words, own);

// What an answer of data-awaits means for setAwaited.
export const levelOf = ({ awaited: now, nudged, stops = [] }) =>
  stops.length ? STOP - 1 + stops.length : now === true && 1 + (nudged === true);
export const stopped = ({ where, call }) => `Stop: ${where} is paused. ${call}.`;

function turn(now, words, answered) {
  const turned = awaited !== null && now > awaited;
  const top = words ?? onTop();
  const other = awaited && now && !words && top !== line;
  awaited = now;
  if (!words) line = top;
  show();
  if ((turned || other) && !answered) say(top || "It's your turn.", 1);
  if (turned && recall(SOUND) === "on") bell().then(({ ring }) => ring(), nothing);
}

// The line on top, in words.
export function onTop() {
  const bars = [".is-stop", "#awaits.is-mine", ".awaits.is-mine", "#awaits", ".awaits"];
  const words = bars.map((bar) => document.querySelector(bar)).find(Boolean)?.firstElementChild?.cloneNode(true);
  words?.querySelector("[data-still]")?.remove();
  return words?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

// What the server says; for pages that cannot read it off themselves. One that is not this person's any more is loaded
// again.
export async function ask() {
  const address = document.body.dataset.awaits;
  if (!address || asking) return;
  asking = true;
  try {
    const answer = await fetch(address, { cache: "no-store", headers: { Accept: "application/json" } });
    if (isGone(answer.status)) location.reload();
    if (!answer.ok) return;
    const says = await answer.json();
    setAwaited(levelOf(says), says.stops?.length ? stopped(says.stops[0]) : `Your turn: ${says.line}`);
  } catch {
    // Not reachable just now: the next question will tell.
  } finally {
    asking = false;
  }
}

// True if the page itself says whether its reader is awaited.
export function read() {
  const parts = [...document.body.querySelectorAll("[data-awaited]")];
  const level = ({ awaited: now, stops }) => (stops ? STOP - 1 + Number(stops) : ["no", "yes", "nudged"].indexOf(now));
  if (parts.length) setAwaited(Math.max(...parts.map((part) => level(part.dataset))));
  return parts.length > 0;
}

function show() {
  const title = document.title.replace(/^\(!\) (Stop · )?/, "");
  document.title = (awaited ? "(!) " : "") + (awaited >= STOP ? "Stop · " : "") + title;
  for (const link of document.querySelectorAll("link[rel~='icon'][data-calm][data-awaited]")) {
    const wanted = awaited ? link.dataset.awaited : link.dataset.calm;
    if (link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
  }
}

function showSound(root) {
  const on = recall(SOUND) === "on";
  for (const button of root.querySelectorAll("[data-sound-toggle]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(on));
    const icon = button.querySelector("use");
    icon?.setAttribute("href", icon.getAttribute("href").replace(/#.*$/, on ? "#volume-2" : "#volume-x"));
  }
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest?.("[data-sound-toggle]")) return;
  const on = recall(SOUND) !== "on";
  remember(SOUND, on ? "on" : "off");
  showSound(document.body);
  if (!on) return;
  const { ring, unlock } = await bell();
  await unlock();
  ring(); // so that the person knows what to listen for
});

for (const press of ["pointerdown", "keydown"]) {
  document.addEventListener(press, () => recall(SOUND) === "on" && bell().then(({ unlock }) => unlock(), nothing), { passive: true });
}

onContent((root) => {
  showSound(root);
  if (!document.hidden) read();
});
// A page that fetches itself anew brings its title, which comes in after all else.
hook("awaited", { htmx_finally_swap: () => awaited === null || show() });
