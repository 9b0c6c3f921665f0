// Numbers with a button for one less and one for one more. Typing a number does the same, and needs no script.
//
//   <span class="stepper"><input data-low="0" data-high="60"><button data-step="-1" hidden><button data-step="1" hidden>
//       shown here; a press changes the number by one, within its bounds, as if it had been typed

import { onContent } from "./swaps.js";

function step(button) {
  const field = button.parentElement.querySelector("input");
  const { low = -Infinity, high = Infinity } = field.dataset;
  const now = Number.parseInt(field.value || field.placeholder, 10) || 0;
  const next = Math.min(Number(high), Math.max(Number(low), now + Number(button.dataset.step)));
  if (String(next) === field.value) return;
  field.value = String(next);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-step]");
  if (button) step(button);
});

onContent((root) => {
  for (const button of root.querySelectorAll("[data-step]")) button.hidden = false;
});
