// Light, dark, or as the system has it.
//
//   <button data-theme-toggle hidden>   shown by this module; each press goes on: system, light, dark. Its icon's
//                                       address ends in #sun-moon, #sun or #moon; its title and its .said text tell
//                                       what is on
//
// Kept in localStorage "signet-theme" ("light", "dark" or nothing) and set as <html data-theme>; js/theme-early.js,
// loaded in the head without `defer`, sets it before the first paint.

import { recall, remember } from "./memory.js";
import { onContent } from "./swaps.js";

const KEY = "signet-theme";
const ROUND = ["auto", "light", "dark"];
const NAMES = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };
const ICONS = { auto: "#sun-moon", light: "#sun", dark: "#moon" };
let chosen = ROUND.includes(recall(KEY)) ? recall(KEY) : "auto";

function show(root) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  for (const button of root.querySelectorAll("[data-theme-toggle]")) {
    button.hidden = false;
    button.title = NAMES[chosen];
    const said = button.querySelector(".said");
    if (said) said.textContent = NAMES[chosen];
    const icon = button.querySelector("use");
    icon?.setAttribute("href", icon.getAttribute("href").replace(/#.*$/, ICONS[chosen]));
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-theme-toggle]")) return;
  chosen = ROUND[(ROUND.indexOf(chosen) + 1) % ROUND.length];
  remember(KEY, chosen);
  show(document.body);
});
window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  chosen = ROUND.includes(event.newValue) ? event.newValue : "auto";
  show(document.body);
});
onContent(show);
