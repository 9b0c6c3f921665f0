// Tells a board that is drawn how large its own units are, so that its words stay legible at every size.
//
//   <figure class="board"><svg viewBox="…">
//       gets the custom property --px, a pixel of the screen in units of the drawing, --units, the same number without
//       a unit, and the class is-small where the usual words have no room
//
// An ending that comes in while the page is open is shown from its top.

import { onContent } from "./swaps.js";

const seen = new WeakSet();
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) measure(target);
});

function measure(svg) {
  const { width, height } = svg.getBoundingClientRect();
  const { width: wide, height: high } = svg.viewBox.baseVal;
  if (!width || !height || !wide || !high) return;
  const units = Math.max(wide / width, high / height);
  svg.style.setProperty("--px", `${units.toFixed(3)}px`);
  svg.style.setProperty("--units", units.toFixed(3));
  svg.classList.toggle("is-small", units > 1.25);
}

onContent(() => {
  for (const svg of document.querySelectorAll(".board > svg[viewBox], .board > details > svg[viewBox]")) {
    measure(svg);
    if (seen.has(svg)) continue;
    seen.add(svg);
    resized.observe(svg);
  }
});

let ended = Boolean(document.getElementById("ending"));
onContent(() => {
  const ending = document.getElementById("ending");
  if (ending && !ended) ending.scrollIntoView({ block: "start" });
  ended = Boolean(ending);
});
