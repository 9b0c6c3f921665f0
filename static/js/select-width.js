// Selects in a sentence are as wide as the choice they show, where the engine cannot do so by itself (WebKit knows no
// field-sizing). Loaded after the page, there only.

import { onContent } from "./swaps.js";

const pen = document.createElement("canvas").getContext("2d");

function fit(select) {
  const style = getComputedStyle(select);
  pen.font = style.font;
  pen.letterSpacing = style.letterSpacing;
  const words = pen.measureText(select.selectedOptions[0]?.text ?? "").width;
  select.style.width = `${Math.ceil(words + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)) + 4}px`;
}

const all = (root) => [...root.querySelectorAll(".sentence select")];

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => event.target.matches?.(".sentence select") && fit(event.target));
}
document.addEventListener("reset", (event) => setTimeout(() => all(event.target).forEach(fit)));
onContent((root) => all(root).forEach(fit));
document.fonts.ready.then(() => all(document).forEach(fit));
