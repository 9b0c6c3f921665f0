// Chooses in the form what is pressed on the board, as if its option had been taken there.
//
//   <g data-piece="KEY">                  a fighter or a place on the board; gets the class is-choice where the form can
//                                         take it, and is-chosen where it has
//   <option data-piece="KEY">, <input type="radio" data-piece="KEY">
//       takes a piece, if its form shows the field
//   <select data-opens="NAME=VALUE">      a field that is shown only while the select NAME has this VALUE: where no
//       field that is shown takes the piece, this one is opened first

import { onContent } from "./swaps.js";

const choicesOf = (key) => [
  ...document.querySelectorAll(`.dock form.declare :is(option, input)[data-piece="${CSS.escape(key)}"]`),
];

function shown(choice) {
  return (choice.closest("select") ?? choice.closest("label") ?? choice).checkVisibility();
}

// The choice for a piece: of a field that is shown, else of one that can be opened in a group that is shown.
function choiceFor(key) {
  const all = choicesOf(key);
  const opens = (choice) => choice.closest("select[data-opens]") && opener(choice.closest("select")).checkVisibility();
  return all.find(shown) ?? all.find(opens);
}

function opener(field) {
  const [name] = field.dataset.opens.split("=");
  return field.form.elements.namedItem(name);
}

function change(field, value) {
  field.value = value;
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}

function take(choice) {
  const field = choice.closest("select");
  if (!field) {
    choice.click();
    return;
  }
  if (!field.checkVisibility() && field.dataset.opens) change(opener(field), field.dataset.opens.split("=")[1]);
  change(field, choice.value);
}

function paint() {
  for (const piece of document.querySelectorAll(".stage [data-piece]")) {
    const key = piece.dataset.piece;
    const chosen = choicesOf(key).some((choice) => (choice.selected || choice.checked) && shown(choice));
    piece.classList.toggle("is-choice", Boolean(choiceFor(key)));
    piece.classList.toggle("is-chosen", chosen);
  }
}

document.addEventListener("click", (event) => {
  const piece = event.target.closest?.(".stage [data-piece]");
  const choice = piece && choiceFor(piece.dataset.piece);
  if (!choice) return;
  take(choice);
  paint();
});
document.addEventListener("input", (event) => event.target.closest?.("form.declare") && paint());
document.addEventListener("toggle", (event) => event.target.closest?.("form.declare") && paint(), { capture: true });
onContent(paint);
