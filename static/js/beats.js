// Whether each beat of a film is said, for those who do not see it: off at first, and this browser's choice.
//
//   <label class="check said beats" hidden><input type="checkbox" data-say-beats>   the choice; shown by this module, and
//                                  seen when it has the focus (localStorage "signet-beats" = "on")
//   eachBeat()   whether
//   beatsBox()   such a label, for a film's keys
//   filmButton(name, words, label)   one of these keys

import { recall, remember } from "./memory.js";
import { onContent } from "./swaps.js";

const BEATS = "signet-beats";

export const eachBeat = () => recall(BEATS) === "on";

export function beatsBox() {
  const label = document.createElement("label");
  const box = document.createElement("input");
  label.className = "check said beats";
  box.type = "checkbox";
  box.checked = eachBeat();
  box.dataset.sayBeats = "";
  label.append(box, " Say each beat");
  return label;
}

export function filmButton(name, words, label) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.dataset.part = name;
  made.textContent = words;
  if (label) made.setAttribute("aria-label", label);
  return made;
}

function show() {
  for (const box of document.querySelectorAll("[data-say-beats]")) {
    box.checked = eachBeat();
    box.closest("label").hidden = false;
  }
}

addEventListener("change", ({ target }) => {
  if (!target.matches("[data-say-beats]")) return;
  remember(BEATS, target.checked ? "on" : "off");
  show();
});
onContent(show);
