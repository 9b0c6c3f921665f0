// What a scene's page says to those who do not see it, in the words that are on it. Loaded after the page itself.
//
//   <p id="awaits" data-steps="KEYS">          the steps that are open; while they are the same, what is new is said:
//     <… data-still>                           …whom the table waits for, or how many have sealed
//     .table-side svg.seal[aria-label]         …"Bob has sealed", of seats that are not .is-mine
//   <section class="chapter" data-opened="All open."><ol class="events"><li id="e7">
//                                              new lines of the log are said once, when their film is over: a few of
//                                              them, those with a "Why?" first; then whom the table waits for
//   <… id="ending"><h2>, <… class="lines"><li> what came of the scene; what others say
//
// If each beat is said (beats.js), film.js says all lines, each with its beat, and
// without a film they are said here.
// <html data-looking> from when something was put into the page until it was looked at.

import { eachBeat } from "./beats.js";
import { said as filmed } from "./film.js";
import { lately, onContent, own, say } from "./swaps.js";

const MOST = 10; // lines of one reveal
const WHOLE = 30; // ms; an answer of several blocks is put in one by one
const page = document.documentElement;

let before = null; // what the page said last
const known = new Set(); // lines of the log and of the talk that were on the page once
let planned = 0;
let answered = false; // what was put in since the last look answers this page's own form

const all = (what, root = document) => [...root.querySelectorAll(what)];

function words(part, without = ".why, .line-link") {
  const copy = part.cloneNode(true);
  for (const one of all(without, copy)) one.remove();
  return copy.textContent.replace(/\s+/g, " ").replace(/ (?=[.,:;])/g, "").trim();
}

function read() {
  const line = document.getElementById("awaits");
  const still = line?.querySelector("[data-still]");
  const seals = all(".table-side svg.seal[aria-label]").filter((seal) => !seal.closest(".is-mine"));
  return {
    steps: line?.dataset.steps,
    still: still ? words(still) : "",
    isMine: line?.matches(".is-mine"),
    seals: seals.map((seal) => seal.getAttribute("aria-label")),
    ending: document.getElementById("ending"),
  };
}

// Those that were never on the page; a round that is fetched when it is opened is an old one.
function fresh(what) {
  const found = all(what).filter((line) => !line.closest("[hx-morph-skip]"));
  const key = (line) => // without the hour's words, which change at midnight
    line.id || `${line.closest("section").id} ${words(line, "time")} ${line.querySelector("time")?.dateTime}`;
  const made = found.filter((line) => !known.has(key(line)));
  for (const line of made) known.add(key(line));
  return made;
}

function told(lines) {
  const weight = (line) => (!line.id || line.querySelector(".why") ? 0 : 1); // one without an id: who did not answer
  const chosen = new Set([...lines].sort((one, other) => weight(one) - weight(other)).slice(0, MOST));
  const rest = lines.length - chosen.size;
  const said = lines.filter((line) => chosen.has(line)).map((line) => words(line, ".why, .line-link, .sum"));
  return [...said, ...(rest ? [`And ${rest} more in the log.`] : [])];
}

// The clock may have said "Time is up.".
function opened(lines) {
  const how = new Set(lines.map((line) => line.closest(".chapter").dataset.opened ?? ""));
  for (const one of how) {
    if (!/^Time/.test(one)) continue;
    how.delete(one);
    if (!lately.has(one)) say(one);
  }
  return [...how].filter(Boolean);
}

function reveal(lines) {
  const first = opened(lines);
  const left = lines.filter((line) => !filmed.has(line.closest(".chapter").dataset.film));
  const rest = !eachBeat() ? told(lines) : left.map((line) => words(line));
  if (first.length || rest.length) say([...first, ...rest].join(" "));
}

function look() {
  const mine = answered;
  planned = 0;
  answered = false;
  delete page.dataset.looking;
  const now = read();
  const lines = fresh("#log .events > li");
  const spoken = fresh("#talk .lines > li");
  const last = before;
  before = now;
  if (!last) return;
  if (!mine) for (const line of spoken) say(words(line, ".soft"));
  if (lines.length) reveal(lines);
  const isOther = now.still !== last.still;
  if (now.steps === last.steps) {
    const seals = now.seals.filter((label) => !last.seals.includes(label)).map((label) => `${label}.`);
    const news = [...seals, ...(isOther && !mine ? [now.still] : [])];
    if (news.join("")) say(news.join(" ").trim());
  } else if (now.still && !now.isMine && (lines.length || (isOther && !mine))) {
    say(now.still, 1);
  }
  if (now.ending && !last.ending) say(words(now.ending.querySelector("h2")), 1);
  lately.clear();
}

look();
onContent((root, first) => {
  answered ||= own;
  if (first || "filming" in page.dataset) return;
  planned ||= setTimeout(look, WHOLE);
  page.dataset.looking = "";
});
