// Fields of a moment, in the zone of whoever looks.
//
//   <… data-moment="2026-11-21T20:15:00+00:00">   fields "real_date", "real_time" and "zone" inside it say that moment in
//                                                  this browser's zone, as long as nobody typed in them
//   <… data-moment="">                             no moment yet: "zone" names this browser's zone

import { onContent } from "./swaps.js";

const two = (number) => String(number).padStart(2, "0");

onContent((root) => {
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
