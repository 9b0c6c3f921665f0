// Shows what belongs to the choices made in a form, and hides what does not.
//
//   <… data-when="intent=attack&attack=goblin|engage=goblin">    shown while the fields of its form have these values:
//                                               all joined by & of at least one part between |
//   <… data-unless="…">                         the other way round
//
//   <form><fieldset disabled data-looked-at>    what is chosen there counts, too
//
// Without this module everything is shown.

import { onContent } from "./swaps.js";

function holds(condition, values) {
  return condition.split("|").some((part) =>
    part.split("&").every((pair) => {
      const cut = pair.indexOf("=");
      return values.getAll(pair.slice(0, cut)).includes(pair.slice(cut + 1));
    }),
  );
}

// What is chosen in a form, also in one that a GM only looks at, whose fields are disabled.
export function chosenIn(form) {
  const looked = form.querySelector("[data-looked-at]");
  if (looked) looked.disabled = false;
  const values = new FormData(form);
  if (looked) looked.disabled = true;
  return values;
}

function show(form) {
  const values = chosenIn(form);
  for (const piece of form.querySelectorAll("[data-when]")) piece.hidden = !holds(piece.dataset.when, values);
  for (const piece of form.querySelectorAll("[data-unless]")) piece.hidden = holds(piece.dataset.unless, values);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form");
  if (form) show(form);
});
document.addEventListener("reset", (event) => setTimeout(show, 0, event.target));
onContent((root) => {
  for (const form of root.querySelectorAll("form:has([data-when], [data-unless])")) show(form);
});
