// A choice that nobody has sealed or saved yet outlives a reload: it is a draft in this tab, and nowhere else.
//
//   <form data-keep data-typed="PAGE STEP SEAT REVISION">
//       While its fields differ from what the server sent, they are kept in sessionStorage under this key, and put back
//       when the page is loaded anew, with the fields' own events. PAGE is the path of the page.
//
// What was typed is forgotten as soon as the page has no form of that key any more (it was sealed, saved or taken back,
// or its step has opened), and when the tab shows another seat, or the pages before any.

import { isDirty } from "./keep.js";
import { TAB, forget, recallList, remember, remembered } from "./memory.js";
import { onContent } from "./swaps.js";

const PREFIX = "signet-typed ";
const ASIDE = /^\/(rulebook|static)(\/|$)/; // pages that somebody at a table looks things up on

function fieldsOf(form) {
  const ours = (field) => field.name && (!field.name.startsWith("_") || field.name === "_use_draft");
  return [...form.elements].filter((field) => ours(field) && field.matches("input:not([type=hidden]), textarea, select"));
}

function isTick(field) {
  return field.type === "checkbox" || field.type === "radio";
}

function stateOf(field) {
  if (isTick(field)) return [field.name, field.value, field.checked];
  if (field.multiple) return [field.name, "", [...field.selectedOptions].map((option) => option.value)];
  return [field.name, "", field.value];
}

function keep(form) {
  const key = PREFIX + form.dataset.typed;
  if (isDirty(form)) remember(key, JSON.stringify(fieldsOf(form).map(stateOf)), TAB);
  else forget(key, TAB);
}

function put(field, state) {
  if (isTick(field)) field.checked = state;
  else if (field.multiple) for (const option of field.options) option.selected = state.includes(option.value);
  else if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === state)) field.value = state;
}

function give(form) {
  const left = recallList(PREFIX + form.dataset.typed, TAB);
  const changed = [];
  for (const field of fieldsOf(form)) {
    const [name, value] = stateOf(field);
    const at = left.findIndex((one) => one[0] === name && one[1] === value);
    if (at < 0) continue;
    const before = JSON.stringify(stateOf(field));
    put(field, left.splice(at, 1)[0][2]);
    if (JSON.stringify(stateOf(field)) !== before) changed.push(field);
  }
  for (const field of changed) {
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
  for (let fold = changed[0]?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

function forms() {
  return [...document.querySelectorAll("form[data-typed]")];
}

function forgetGone() {
  const here = location.pathname;
  const seat = here.match(/^\/c\/[^/]+\/[^/]+\//)?.[0];
  const there = new Set(forms().map((form) => PREFIX + form.dataset.typed));
  for (const key of remembered(PREFIX, TAB)) {
    const page = key.slice(PREFIX.length).split(" ", 1)[0];
    const over = page === here && document.getElementById("live") && !there.has(key);
    const left = !(seat ? page.startsWith(seat) : page === here || ASIDE.test(here));
    if (over || left) forget(key, TAB);
  }
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => event.target.form?.matches("[data-typed]") && keep(event.target.form));
}
document.addEventListener("reset", (event) => event.target.matches("[data-typed]") && setTimeout(keep, 0, event.target));
// When every module of the page hears what is put back, also those that came after this one.
document.addEventListener("DOMContentLoaded", () => forms().forEach(give), { once: true });
onContent(forgetGone);
