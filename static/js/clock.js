// Clocks that count down by the server's time, however wrong the device's own clock is.
//
//   <time data-due="2026-11-21T20:15:00Z" data-now="2026-11-21T20:13:18Z" datetime="…">until 20:15 UTC</time>
//       data-due  when the time is up;  data-now  the server's time when it wrote this page or part
//
// Shows "1:42", "2 h 05 min" or "3 days 4 h"; class "soon" under 30 s, "over" and the words "time is up" at the end,
// when the page also asks what came of it. Says "5 minutes left.", "1 minute left.", "30 seconds left." and "Time is up."
// once each, in #announce. Each second the event signet:left tells what is left.

import { refresh } from "./live.js";
import { onContent, say } from "./swaps.js";

const CALLS = [[300, "5 minutes left."], [60, "1 minute left."], [30, "30 seconds left."], [0, "Time is up."]];
let ahead = -Infinity; // server's time minus this page's own count since loading, ms
let timer = 0;
const before = new Map(); // due -> seconds left at the last look, so that each call is made once
const seen = new WeakMap(); // element -> the data-now already reckoned with

// An answer that took long would set the clock late, hence the maximum of all that was heard; a difference of seconds
// means that a clock was put right or that the device slept, and then the latest answer counts.
function learn(element, first) {
  const now = element.dataset.now;
  if (!now || seen.get(element) === now) return;
  seen.set(element, now);
  const arrived = first ? performance.getEntriesByType("navigation")[0]?.responseStart || 0 : performance.now();
  const heard = Date.parse(now) - arrived;
  if (Number.isNaN(heard)) return;
  ahead = Math.abs(heard - ahead) > 5000 ? heard : Math.max(ahead, heard);
}

export function words(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  const [days, hours] = [Math.floor(left / 86400), Math.floor(left / 3600)];
  const [minutes, rest] = [Math.floor(left / 60) % 60, left % 60];
  if (left <= 0) return "time is up";
  if (days >= 2) return `${days} days ${hours % 24} h`;
  if (hours >= 1) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

function tick() {
  clearTimeout(timer);
  const clocks = document.querySelectorAll("time[data-due]");
  if (!clocks.length || ahead === -Infinity) return;
  let wait = 1000;
  for (const clock of clocks) {
    const left = Date.parse(clock.dataset.due) - (performance.now() + ahead);
    if (Number.isNaN(left)) continue;
    const text = words(left / 1000);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("soon", left > 0 && left <= 30000);
    clock.classList.toggle("over", left <= 0);
    call(clock.dataset.due, left / 1000);
    if (left > 0) wait = Math.min(wait, (left % 1000) + 5);
  }
  timer = setTimeout(tick, wait);
}

function call(due, left) {
  const last = before.get(due);
  before.set(due, left);
  document.dispatchEvent(new CustomEvent("signet:left", { detail: { due, seconds: left } }));
  if (last === undefined || last <= left) return;
  const passed = CALLS.filter(([mark]) => left <= mark && last > mark).pop();
  if (passed) say(passed[1]);
  if (last > 0 && left <= 0) setTimeout(refresh, 250);
}

onContent((root, first) => {
  const clocks = [...root.querySelectorAll("time[data-due]")];
  if (root.matches("time[data-due]")) clocks.push(root);
  for (const clock of clocks) learn(clock, first);
  tick();
});
document.addEventListener("visibilitychange", tick);
