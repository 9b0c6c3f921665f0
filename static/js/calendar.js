// The calendar's own: turning pages with a finger, and dates in the zone of whoever looks (moments.js has their fields).
//
//   <… data-turns> with links rel="prev" and rel="next" inside    swiping turns the page
//   <time datetime="…" data-short>                   weekday, day, month and hour, in this browser's zone
//   <button data-ask-again>    in a form: pressed by itself a moment after one of the form's fields changed

import "./moments.js";
import { onContent } from "./swaps.js";

const FAR = 70; // px
let from = null;

document.addEventListener(
  "touchstart",
  (event) => {
    const [touch] = event.touches;
    const scrolls = event.target.closest?.("input, select, textarea, summary, [data-no-swipe]");
    from = event.touches.length === 1 && !scrolls && event.target.closest?.("[data-turns]") ? touch : null;
  },
  { passive: true },
);
document.addEventListener(
  "touchend",
  (event) => {
    if (!from || event.touches.length) return;
    const [touch] = event.changedTouches;
    const [x, y] = [touch.clientX - from.clientX, touch.clientY - from.clientY];
    from = null;
    if (Math.abs(x) < FAR || Math.abs(x) < 2 * Math.abs(y) || !getSelection()?.isCollapsed) return;
    document.querySelector(`[data-turns] a[rel="${x < 0 ? "next" : "prev"}"]`)?.click();
  },
  { passive: true },
);

let asking = 0;
document.addEventListener("change", (event) => {
  const button = event.target.form?.querySelector("[data-ask-again]");
  if (!button || event.target.matches("textarea")) return;
  clearTimeout(asking);
  asking = setTimeout(() => button.isConnected && button.click(), 250);
});

const SHORT = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

onContent((root) => {
  for (const time of root.querySelectorAll("time[data-short]")) time.textContent = SHORT.format(new Date(time.dateTime));
});
