// Where the keyboard is after a swap.
//
//   After "Seal it" or the GM's "Open now", the focus goes to what comes next: the first field of the next open question
//   (its card, where fingers would bring up a keyboard), else <p id="awaits" tabindex="-1">. The line on top is said once.
//   Where a film holds the answer back (film.js), that happens at its end.
//   After any other swap it stays; where its place is gone, it goes to that line too, and nothing scrolls.

import { onTop } from "./awaited.js";
import { hook, own, say } from "./swaps.js";

const FIELD = ":is(input:not([type=hidden]), select, textarea, button):enabled";
let main = false; // the last form sent is one of the two that the table waits for
let inside = false; // the focus was in what was swapped

function isShown(element) {
  return element !== document.body && (element.checkVisibility?.() ?? true);
}

function next() {
  const cards = [...document.querySelectorAll("#asks .ask:not(.is-sealed)")];
  const fields = cards.flatMap((card) => [...card.querySelectorAll(FIELD)]);
  const wrong = fields.find((field) => field.matches("[aria-invalid]"));
  const field = wrong ?? fields.find(isShown);
  return field && !wrong && matchMedia("(pointer: coarse)").matches ? field.closest(".ask") : field;
}

function move() {
  const line = document.getElementById("awaits");
  const lost = inside && !isShown(document.activeElement);
  if (!line || !(lost || (own && main))) return;
  line.focus({ preventScroll: true });
  if (own) goOn();
}

function goOn() {
  const found = document.activeElement?.id === "awaits" && next();
  if (!found) return;
  found.focus();
  say(onTop(), 1);
}

document.addEventListener(
  "submit",
  ({ target, submitter }) => {
    main = submitter?.value === "seal" || /\/act\/open$/.test(target.getAttribute("action"));
  },
  true,
);

hook("focus", {
  htmx_before_swap: (element, { ctx }) => {
    inside = document.getElementById("live")?.contains(document.activeElement) ?? false;
  },
  htmx_finally_swap: (element, { ctx }) => ctx.held || move(),
});
