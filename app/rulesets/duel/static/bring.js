// Brings a part of the page back into view when something new has come to it.
//
//   <figure id="board" data-bring="c3/clash c4/clash">
//       when a swap changes the value, and the top of this part is not in the upper half of the window, the page scrolls
//       there; never while somebody is typing or has a dialog open

import { onContent } from "../../js/swaps.js";

const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])";
const known = new Map(); // id -> the value it had

function isInView(part) {
  const { top } = part.getBoundingClientRect();
  return top >= 0 && top < innerHeight / 2;
}

onContent((root, first) => {
  for (const part of document.querySelectorAll("[data-bring]")) {
    const before = known.get(part.id);
    known.set(part.id, part.dataset.bring);
    if (first || before === undefined || before === part.dataset.bring || isInView(part)) continue;
    if (document.activeElement?.matches(TYPING) || document.querySelector("dialog[open]")) continue;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    part.scrollIntoView({ behavior: still ? "instant" : "smooth", block: "start" });
  }
});
