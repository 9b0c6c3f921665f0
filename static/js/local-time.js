// Moments in the viewer's own zone and manner.
//
//   <time datetime="2026-11-21T20:15:00+00:00" data-local="time|date|both">20:15 UTC</time>
//
// The title tells the full date, time and zone. A clock (data-due) keeps its own text and gets only the title.

import { onContent } from "./swaps.js";

const FORMS = {
  time: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
  date: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" }),
  both: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }),
};
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

onContent((root) => {
  for (const time of root.querySelectorAll("time[datetime][data-local], time[datetime][data-due]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const full = FULL.format(moment);
    if (time.title !== full) time.title = full;
    if (time.hasAttribute("data-due")) continue;
    const text = (FORMS[time.dataset.local] ?? FORMS.both).format(moment);
    if (time.textContent !== text) time.textContent = text;
  }
});
