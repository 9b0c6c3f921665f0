// The list of single-letter shortcuts, for keys.js, which loads it when it is asked for.
//
//   <dialog id="keys">   made here: every shortcut that can be pressed now, and a box to turn them off

import { recall, remember } from "./memory.js";

const KEYS = "signet-keys";

function name(element) {
  const label = element.dataset.keyLabel ?? element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
  return (label ?? element.textContent).trim().replace(/\s+/g, " ");
}

// Opens the list of what can be pressed now: a map from key to element.
export function list(usable) {
  document.getElementById("keys")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = document.createElement("h2");
  title.id = "keys-title";
  title.textContent = "Keys";
  const rows = document.createElement("ul");
  for (const [key, words] of [...[...usable].map(([key, element]) => [key, name(element)]), ["?", "This list"]]) {
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
