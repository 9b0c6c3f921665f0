// Counts along while a character's sheet is filled in. Without it the numbers come when the sheet is kept.
//
//   <… data-tally="5"> … <span data-tally-said hidden>   how many boxes are ticked inside, counted anew at each tick
//   <output data-sum="INT" hidden>                        what the fields …places.INT and …points.INT come to, with what the
//   <input type="radio" data-adds="ATH +1, INT -2">       chosen one of these adds to it; of the written …attributes.INT
//                                                         where the field …how says "written"

import { onContent } from "./swaps.js";

const number = (text) => Number.parseInt(text, 10) || 0;

function count(form) {
  for (const part of form.querySelectorAll("[data-tally]")) {
    const said = part.querySelector(":scope > p [data-tally-said], :scope > [data-tally-said]");
    if (!said) continue;
    const boxes = part.querySelectorAll('input[type="checkbox"]:checked');
    const own = [...boxes].filter((box) => box.closest("[data-tally]") === part);
    said.textContent = `${own.length} chosen.`;
    said.hidden = false;
  }
}

function value(form, end) {
  const field = form.querySelector(`[name$=".${end}"]`);
  if (field instanceof HTMLSelectElement) return number(field.selectedOptions[0]?.textContent);
  return number(field?.value);
}

function sum(form) {
  const adds = form.querySelector("[data-adds]:checked")?.dataset.adds ?? "";
  const written = form.querySelector('[name$=".how"]:checked')?.value === "written";
  for (const said of form.querySelectorAll("[data-sum]")) {
    const key = said.dataset.sum;
    const more = number(adds.match(new RegExp(`${key} ([+-]\\d+)`))?.[1]);
    const made = Math.max(0, value(form, `places.${key}`) + value(form, `points.${key}`) + more);
    const total = written ? value(form, `attributes.${key}`) : made;
    const modifier = Math.floor((total - 10) / 2);
    said.textContent = `= ${total} (${modifier < 0 ? "−" : "+"}${Math.abs(modifier)})`;
    said.hidden = false;
  }
}

function tally(form) {
  count(form);
  sum(form);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form:has([data-tally], [data-sum])");
  if (form) tally(form);
});
onContent((root) => {
  for (const form of root.querySelectorAll("form:has([data-tally], [data-sum])")) tally(form);
});
