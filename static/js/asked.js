// On a phone a new question comes to the front: where the board, the log or the talk is shown, the sheet with the question
// comes up. Loaded after the page itself.
//
//   <… id="asks"><… class="ask" id="ask-…">   a question; a sealed one has the class is-sealed
//
// Never while somebody types.

import { onContent } from "./swaps.js";

const phone = matchMedia("(max-width: 959.98px)");
let known = null;
let fresh = false;

function typing() {
  const field = document.activeElement;
  return field?.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

function come() {
  if (!fresh) return;
  const hidden = phone.matches && document.querySelector("#board:target, .log-side :target");
  if (hidden && typing()) return;
  fresh = false;
  if (hidden) location.replace("#live");
}

onContent(() => {
  const asks = [...document.querySelectorAll("#asks .ask:not(.is-sealed)")].map((ask) => ask.id);
  fresh = asks.length > 0 && (fresh || (known !== null && asks.some((ask) => !known.has(ask))));
  known = new Set(asks);
  come();
});
document.addEventListener("focusout", () => setTimeout(come));
window.addEventListener("hashchange", () => (fresh = false)); // this person has chosen what to look at
