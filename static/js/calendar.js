// The calendar's own: turning pages with a finger, and a session's moment in the zone of whoever looks.
//
//   <… data-turns> with links rel="prev" and rel="next" inside    swiping turns the page
//   <… data-moment="2026-11-21T20:15:00+00:00">      fields "real_date", "real_time" and "zone" inside it say that moment
//                                                     in this browser's zone, as long as nobody typed in them
//   <time datetime="…" data-short>                   weekday, day, month and hour, in this browser's zone
//   <button data-ask-again>    in a form: pressed by itself a moment after one of the form's fields changed

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
const two = (number) => String(number).padStart(2, "0");

onContent((root) => {
  for (const time of root.querySelectorAll("time[data-short]")) time.textContent = SHORT.format(new Date(time.dateTime));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const box of root.querySelectorAll("[data-moment]")) {
    const [date, time, where] = ["real_date", "real_time", "zone"].map((name) => box.querySelector(`[name=${name}]`));
    if ([date, time, where].some((field) => !field || field.value !== field.defaultValue)) continue;
    const moment = new Date(box.dataset.moment);
    if (zone && box.dataset.moment && !Number.isNaN(moment.getTime())) {
      date.value = date.defaultValue = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
      time.value = time.defaultValue = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
      where.value = where.defaultValue = zone;
    } else if (zone && (!where.value || where.value === "UTC") && !date.value) {
      where.value = where.defaultValue = zone;
    }
  }
});
