// Single-letter shortcuts, and `?` for a list of them.
//
//   <button data-key="s">Seal it</button>      pressing s presses it; links likewise; a field gets the focus instead
//   <a data-key="ArrowRight">                  the arrow keys likewise
//   <… data-key="s" data-key-label="Seal">     what the list calls it, where its own words would not do
//   <button data-keys-open hidden>             opens the list; shown by this module
//   <dialog id="keys">                         made here: every shortcut that can be pressed now, and a box to turn
//                                              them off (localStorage "signet-keys" = "off"), for people who dictate
//
// Ignored while typing, with Ctrl, Alt or Meta, and while a dialog is open. The first that can be seen wins.

import { recall, remember } from "./memory.js";
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

function name(element) {
  const label = element.dataset.keyLabel ?? element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
  return (label ?? element.textContent).trim().replace(/\s+/g, " ");
}

function list() {
  document.getElementById("keys")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = document.createElement("h2");
  title.id = "keys-title";
  title.textContent = "Keys";
  const rows = document.createElement("ul");
  for (const [key, words] of [...[...usable()].map(([key, element]) => [key, name(element)]), ["?", "This list"]]) {
    const row = document.createElement("li");
    const cap = document.createElement("kbd");
    cap.textContent = { arrowleft: "←", arrowright: "→" }[key] ?? key;
    row.append(cap, ` ${words}`);
    rows.append(row);
  }
  const check = document.createElement("label");
  check.className = "check";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = recall(KEYS) !== "off";
  box.addEventListener("change", () => remember(KEYS, box.checked ? "on" : "off"));
  check.append(box, " Use keyboard shortcuts");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, rows, check, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
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
