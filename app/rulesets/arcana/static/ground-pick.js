// Choosing on the map for a form. See ground.js for the markup.
//
// The field gets "x,y" or an id and says input and change, as if it had been typed; the focus goes back to the button.

import { asking, endMode, ground, metres, numbers, person, place, reaches, setMode, speak } from "./ground-view.js";
import { onContent } from "../../js/swaps.js";

function fieldsOf(button) {
  const name = CSS.escape(button.dataset.pick);
  return [...(button.form ?? document).querySelectorAll(`[name="${name}"]`)];
}

function write(fields, value) {
  let changed = fields[0];
  for (const field of fields) {
    if (field.type !== "radio" && field.type !== "checkbox") field.value = value;
    else if (field.value === value) {
      field.checked = field.type === "radio" || !field.checked;
      changed = field;
    }
  }
  for (const kind of ["input", "change"]) changed.dispatchEvent(new Event(kind, { bubbles: true }));
}

// Ids that may be chosen: the options of a select, the values of radios; anybody for a field of text.
function choices(fields) {
  const [field] = fields;
  if (field.tagName === "SELECT") return new Set([...field.options].filter((one) => one.value && !one.disabled).map((one) => one.value));
  if (field.type === "radio" || field.type === "checkbox") return new Set(fields.filter((one) => !one.disabled).map((one) => one.value));
  return null;
}

// What the map asks for a button: its mode, and where its cursor begins.
function modeOf(button, done) {
  const fields = fieldsOf(button);
  const from = person(button.dataset.from ?? "");
  const reach = Number(button.dataset.reach) || 0;
  if (!fields.length) return null;
  const chosen = (value) => {
    write(fields, value);
    done();
    speak(`Chosen: ${person(value)?.name ?? place(numbers(value))}.`);
  };
  const near = reach && from ? `, up to ${reach / 100} m from ${from.name}` : from ? ` for ${from.name}` : "";
  if (button.dataset.what === "who") {
    const among = choices(fields);
    const may = (id) => !among || among.has(id);
    const mode = {
      words: `Choose someone${near}.`, from: from?.id, reach, who: may,
      says: (cell, there) => (there.some((one) => may(one.id)) ? "Enter chooses." : there.length ? "Not to be chosen here." : ""),
      choose: (cell, who) => who && may(who.id) && (chosen(who.id), true),
    };
    return [mode, person(fields.find((one) => one.checked ?? true)?.value)?.at];
  }
  const far = (cell) => Boolean(reach && from && !reaches(from.at, cell, reach));
  const mode = {
    words: `Choose a place${near}.`, from: from?.id, reach,
    says: (cell) => (far(cell) ? `That is too far: ${metres(from.at, cell)} m of ${reach / 100} m.` : "Enter chooses."),
    choose: (cell) => !far(cell) && (chosen(cell.join(",")), true),
  };
  return [mode, /^-?\d+,-?\d+$/.test(fields[0].value) ? numbers(fields[0].value) : undefined];
}

function begin(button) {
  const back = () => (button.isConnected ? button : fieldsOf(button)[0]).focus();
  const [mode, at] = modeOf(button, () => endMode(true)) ?? [];
  if (mode) setMode({ ...mode, end: (returns) => returns && back() }, at);
}

// Until the next question the map answers these buttons: somebody who may be chosen, else a place. Nothing else changes.
export function answers(buttons, done) {
  if (!ground()) return;
  const modes = buttons.map((button) => modeOf(button, done)?.[0]).filter(Boolean);
  if (!modes.length) return asking()?.quiet && endMode();
  const [first] = modes;
  setMode({
    ...first,
    quiet: true,
    who: modes.find((mode) => mode.who)?.who,
    says: (cell, there) => modes.map((mode) => mode.says(cell, there)).find(Boolean) ?? "",
    choose: (cell, who) => {
      const refused = modes.every((mode) => !mode.choose(cell, who));
      if (refused) speak(first.says(cell, who ? [who] : []) || "Nobody to be chosen stands there.");
    },
  });
}

onContent((root) => {
  if (!ground()) return;
  for (const button of root.querySelectorAll("button[data-pick]")) button.hidden = false;
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-pick]");
  if (button && !["walls", "terrain"].includes(button.dataset.what) && ground()) begin(button);
});
