// Buttons whose work takes seconds: while it goes on, they say so, on the button and in #announce.
//
//   <button data-working="Importing 200 entries…">    its words until the answer is there

import { say } from "./swaps.js";

let pressed = null; // the button and its own words

function restore() {
  if (pressed) pressed.button.textContent = pressed.words;
  pressed = null;
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.defaultPrevented || !button?.dataset.working) return;
  restore();
  pressed = { button, words: button.textContent };
  button.textContent = button.dataset.working;
  say(button.dataset.working);
});
window.addEventListener("pageshow", restore); // back from the next page
