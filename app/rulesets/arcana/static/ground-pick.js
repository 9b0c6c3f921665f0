// Choosing on the map for a form. See ground.js for the markup.
//
// The field gets "x,y" or an id and says input and change, as if it had been typed; the focus goes back to the button.

import { endMode, ground, metres, numbers, person, place, reaches, setMode, speak } from "./ground-view.js";
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

function begin(button) {
  const fields = fieldsOf(button);
  const from = person(button.dataset.from ?? "");
  const reach = Number(button.dataset.reach) || 0;
  if (!fields.length) return;
  const back = () => (button.isConnected ? button : fields[0]).focus();
  const done = (value) => {
    write(fields, value);
    endMode(true);
    speak(`Chosen: ${person(value)?.name ?? place(numbers(value))}.`);
  };
  const near = reach && from ? `, up to ${reach / 100} m from ${from.name}` : from ? ` for ${from.name}` : "";
  if (button.dataset.what === "who") {
    const among = choices(fields);
    const may = (id) => !among || among.has(id);
    setMode({
      words: `Choose someone${near}.`, from: from?.id, reach, who: may, end: (returns) => returns && back(),
      says: (cell, there) => (there.some((one) => may(one.id)) ? "Enter chooses." : there.length ? "Not to be chosen here." : ""),
      choose: (cell, who) => who && may(who.id) && done(who.id),
    }, person(fields.find((one) => one.checked ?? true)?.value)?.at);
    return;
  }
  const far = (cell) => Boolean(reach && from && !reaches(from.at, cell, reach));
  setMode({
    words: `Choose a place${near}.`, from: from?.id, reach, end: (returns) => returns && back(),
    says: (cell) => (far(cell) ? `That is too far: ${metres(from.at, cell)} m of ${reach / 100} m.` : "Enter chooses."),
    choose: (cell) => !far(cell) && done(cell.join(",")),
  }, /^-?\d+,-?\d+$/.test(fields[0].value) ? numbers(fields[0].value) : undefined);
}

onContent((root) => {
  if (!ground()) return;
  for (const button of root.querySelectorAll("button[data-pick]")) button.hidden = false;
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-pick]");
  if (button && !["walls", "terrain"].includes(button.dataset.what) && ground()) begin(button);
});
