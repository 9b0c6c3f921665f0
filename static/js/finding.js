// Finds things in a long list by what their words say. Without it the whole list is there.
//
//   <label hidden> <input type="search" data-find="#ID">   shown here; hides each <li> in #ID that lacks a typed word
//   <p data-found="#ID" hidden>                            says that there is none

import { onContent } from "./swaps.js";

function find(field) {
  const list = document.querySelector(field.dataset.find);
  if (!list) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const item of list.querySelectorAll("li")) {
    const text = item.textContent.toLowerCase();
    const fits = words.every((word) => text.includes(word)) || item.querySelector(":checked") !== null;
    item.classList.toggle("is-unfound", !fits);
    if (fits) found += 1;
  }
  const none = document.querySelector(`[data-found="${field.dataset.find}"]`);
  if (none) none.hidden = found > 0;
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-find]")) find(event.target);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches?.("[data-find]")) event.preventDefault();
});
onContent((root) => {
  for (const field of root.querySelectorAll("[data-find]")) {
    field.closest("label").hidden = false;
    if (field.value) find(field);
  }
});
