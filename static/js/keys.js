// Single-letter shortcuts, and `?` for a list of them.
//
//   <button data-key="s">Seal it</button>      pressing s presses it; links likewise; a field gets the focus instead
//   <a data-key="ArrowRight">                  the arrow keys likewise
//   <… data-key="s" data-key-label="Seal">     what the list calls it, where its own words would not do
//   <button data-keys-open hidden>             opens the list; shown by this module
//   <dialog id="keys">                         the list, made by keys-list.js; in it a box to turn shortcuts off
//                                              (localStorage "signet-keys" = "off"), for people who dictate
//
// Loaded after the page itself. Ignored while typing, with Ctrl, Alt or Meta, and while a dialog is open. The first that
// can be seen wins.

import { recall } from "./memory.js";
import { onContent } from "./swaps.js";

const KEYS = "signet-keys";
const PRESSED = "[type=checkbox], [type=radio], [type=button], [type=submit]";
const TYPING = `textarea, select, [contenteditable], input:not(${PRESSED})`;

function usable() {
  const all = [...document.querySelectorAll("[data-key]")];
  const seen = new Map();
  for (const element of all) {
    const key = element.dataset.key.toLowerCase();
    const shown = element.checkVisibility?.({ visibilityProperty: true }) ?? true;
    if (shown && !element.disabled && !seen.has(key)) seen.set(key, element);
  }
  return seen;
}

function list() {
  import("./keys-list.js").then(({ list }) => list(usable()), () => {}); // offline there is no list
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
  if (recall(KEYS) === "off") return;
  if (event.key === "?") {
    event.preventDefault();
    return list();
  }
  const arrow = event.key.startsWith("Arrow") && !event.target.matches?.("input, summary");
  const element = event.key.length === 1 || arrow ? usable().get(event.key.toLowerCase()) : undefined;
  if (!element) return;
  event.preventDefault();
  if (element.matches(TYPING)) element.focus();
  else element.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-keys-open]")) list();
});

onContent((root) => {
  for (const button of root.querySelectorAll("[data-keys-open]")) button.hidden = false;
});
