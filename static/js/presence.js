// Says now and then that this page is open, and shows who is at the table. Loaded after the page itself.
//
//   <a id="here" data-presence="ADDRESS" hidden>   the badge on top, "3 here"; ADDRESS takes this page's signs and answers
//                                                  {"here": 3, "people": [{"name", "state", "since"}]}, or less of it:
//                                                  what is not in the answer is not shown
//   <… data-person="NAME">                         gets a dot behind the name: here, away, offline since 21:14
//   <… data-holders='{"SEAT": ["NAME"]}'> with <… data-seat="SEAT"> in it   the same for seats, at the name in <b>
//
// A page in front sends a sign every 30 s, one behind others every five minutes, one that is left a last one; and any page
// when somebody seals whose dot says that they are not here, at most every three seconds.

import { said as moment } from "./local-time.js";
import { onContent, settled } from "./swaps.js";

const EVERY = 30_000; // ms
const APART = 3000; // ms between a sign and one because of a seal
const SELDOM = 10; // of those: how often a page behind others sends its sign
const ORDER = ["here", "away", "offline"];

const badge = document.getElementById("here");
const page = crypto.getRandomValues(new Uint8Array(1))[0] % 64;
let people = new Map();
let beats = 0;
let timer = 0;
let sent = -Infinity;
let planned = 0;
let sealed = new Set(); // seats whose envelopes were shown sealed last

const sign = (state) => new URLSearchParams({ page, state });

async function send() {
  clearTimeout(planned);
  planned = 0;
  sent = performance.now();
  try {
    const body = sign(document.hidden ? "behind" : "front");
    const answer = await fetch(badge.dataset.presence, { method: "POST", body, keepalive: true });
    if ([401, 404].includes(answer.status)) clearInterval(timer);
    const found = answer.ok && (await answer.json());
    await settled();
    if (found) show(found);
  } catch {
    // Not reachable just now: the next sign will tell.
  }
}

function show(answer) {
  people = new Map((answer.people ?? []).map((one) => [one.name, one]));
  badge.hidden = answer.here === undefined;
  badge.textContent = `${answer.here} here`;
  badge.title = [...people.values()].map((one) => `${one.name}: ${said(one)}`).join(", ");
  put();
}

function said({ state, since }) {
  return since ? `offline since ${moment(new Date(since), "time")}` : state;
}

// On the whole page: a swap may bring a row of seats without what says who holds them.
function put() {
  for (const name of document.querySelectorAll("[data-person]")) dot(name, [name.dataset.person]);
  for (const row of document.querySelectorAll("[data-holders]")) {
    const holders = JSON.parse(row.dataset.holders);
    for (const seat of row.querySelectorAll("[data-seat]")) {
      dot(seat.querySelector("b") ?? seat, holders[seat.dataset.seat] ?? []);
    }
  }
}

function seen(root, first) {
  const now = [...document.querySelectorAll("[data-holders] [data-seat]:has(.envelope.is-sealed)")];
  const doubtful = (seat) => !sealed.has(seat.dataset.seat) && seat.querySelector(".presence:not(.is-here)");
  if (!first && now.some(doubtful)) planned ||= setTimeout(send, Math.max(0, sent + APART - performance.now()));
  sealed = new Set(now.map((seat) => seat.dataset.seat));
}

// Of several people on one seat the one who is nearest to it.
function dot(name, whose) {
  const known = whose.map((one) => people.get(one)).filter(Boolean);
  const [one] = known.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  let mark = name.querySelector(":scope > .presence");
  if (!one) return mark?.remove();
  if (!mark) {
    mark = document.createElement("span");
    name.append(mark);
  }
  const words = said(one);
  const css = `presence is-${one.state}`;
  if (mark.title === words && mark.className === css) return;
  const voice = document.createElement("span");
  voice.className = "said";
  voice.textContent = ` (${words})`;
  mark.className = css;
  mark.title = words;
  mark.replaceChildren(voice);
}

const styles = document.createElement("link");
styles.rel = "stylesheet";
styles.href = new URL("../css/presence.css", import.meta.url).href;
styles.onload = send; // no dot without its looks
document.head.append(styles);

timer = setInterval(() => {
  beats += 1;
  if (!document.hidden || beats % SELDOM === 0) send();
}, EVERY);
document.addEventListener("visibilitychange", send);
window.addEventListener("pagehide", () => navigator.sendBeacon(badge.dataset.presence, sign("closed")));
window.addEventListener("pageshow", (event) => event.persisted && send());
onContent(put);
onContent(seen);
