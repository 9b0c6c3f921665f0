// Moments in the viewer's own zone and manner, with the date unless it is today.
//
//   <time datetime="2026-11-21T20:15:00+00:00" data-local="time|date|both|short">20:15 UTC</time>
//
// The title tells the full date, time and zone. A clock (data-due) keeps its own text and gets only the title.

import { onContent } from "./swaps.js";

const hour = { hour: "2-digit", minute: "2-digit" };
const time = { day: "numeric", month: "short", ...hour };
const FORMS = {
  hour,
  time,
  date: { day: "numeric", month: "long", year: "numeric" },
  both: { dateStyle: "medium", timeStyle: "short" },
  short: { weekday: "short", ...time },
  full: { dateStyle: "full", timeStyle: "long" },
};

export function said(moment, form) {
  const today = form === "time" && moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(undefined, FORMS[today ? "hour" : form]);
}

onContent((root) => {
  for (const time of root.querySelectorAll("time[datetime][data-local], time[datetime][data-due]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const full = said(moment, "full");
    if (time.title !== full) time.title = full;
    if (time.hasAttribute("data-due")) continue;
    const text = said(moment, time.dataset.local);
    if (time.textContent !== text) time.textContent = text;
  }
});
