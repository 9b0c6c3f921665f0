// Seals are made here, in the player's own browser, and the server is held to them afterwards.
//
//   <form data-seal='{"campaign":…,"scene":…,"step":…,"seat":…,"ask":…}'>
//       sent by htmx it gets _words (the fields and the pressed button, if it has a name, as one JSON text), _salt
//       (256 random bits) and _wax (the hash over both and over the place); a repeated press after a lost answer sends
//       the same ones, a changed form or another button is a new press
//   <… data-receipt='{"step":…,"seat":…,"revision":…,"wax":…,"head":…}' data-receipts="KEY">
//       is noted in this browser under KEY, for the page that checks the scene; if the wax is not the one that was made
//       here, a warning is put in front of it, and stays whatever the server shows afterwards
//
// What is kept in the browser of a seal is hashes alone: never words, never salts.

import { uuid } from "./form.js";
import { note } from "./receipts.js";
import { newSalt, seal } from "./sealing.js";
import { hook, onContent } from "./swaps.js";

const sent = new WeakMap(); // form -> what its last press said, under which id, and its seal
const made = new Map(); // step, seat, revision -> wax
const denounced = new Set(); // step, seat: where another seal was shown once

function tidy(text) {
  return text.replace(/\r\n?/g, "\n").normalize("NFC");
}

// The pressed button is part of the form that is sent, wherever a page puts it; in the words it stands last, once.
export function wordsOf(form, button) {
  const fields = [...new FormData(form)];
  if (button?.name) fields.push([button.name, button.value]);
  const pairs = fields.filter(([name, value]) => !name.startsWith("_") && typeof value === "string");
  return JSON.stringify(pairs.map(([name, value]) => [tidy(name), tidy(value)]));
}

function put(form, name, value) {
  let field = form.elements.namedItem(name);
  if (!field) {
    field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    form.prepend(field);
  }
  field.value = value;
}

function get(form, name) {
  return form.elements.namedItem(name)?.value ?? "";
}

// Whoever takes a seal back, or lays a draft over it, does so here: a record that then shows no seal is right.
function noteTaken(form, act) {
  const row = [...document.querySelectorAll("[data-receipt]")].find((element) => {
    const { step, seat } = JSON.parse(element.dataset.receipt);
    return step === get(form, "_step") && seat === get(form, "_seat");
  });
  if (!row || (act !== "take_back" && act !== "draft")) return;
  const { step, seat, wax } = JSON.parse(row.dataset.receipt);
  note(row.dataset.receipts, { step, seat, revision: Number(get(form, "_revision")) + 1, wax, taken: true });
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    noteTaken(form, event.submitter?.value);
    if (!form.matches?.("form[data-seal]")) return;
    const place = JSON.parse(form.dataset.seal);
    const words = wordsOf(form, event.submitter);
    const says = `${event.submitter?.value ?? ""} ${form.elements.namedItem("_use_draft")?.checked} ${words}`;
    const last = sent.get(form);
    if (last && last.request === get(form, "_request")) {
      if (last.says === says && last.made) return;
      put(form, "_request", uuid());
    }
    const press = { says, request: get(form, "_request"), words, salt: newSalt(), made: null };
    const revision = `${place.step} ${place.seat} ${Number(get(form, "_revision")) + 1}`;
    press.made = seal(place, press.salt, words).then((wax) => {
      made.set(revision, wax);
      return wax;
    });
    press.made.catch(() => (press.made = null)); // the next press tries again
    sent.set(form, press);
  },
  true,
);

// The browser's own hashes come a moment after the press, so the request waits for them. A form that cannot be sealed is
// not sent, and says so (form.js).
hook("seal", {
  htmx_before_request: (element, { ctx }) => {
    const form = ctx.sourceElement?.closest?.("form[data-seal]");
    const press = sent.get(form);
    if (!form || !press || ctx.request.method === "GET") return true;
    const send = ctx.fetch;
    const coming = press.made;
    ctx.fetch = async (address, request) => {
      const wax = await coming;
      for (const [name, value] of [["_words", press.words], ["_salt", press.salt], ["_wax", wax]]) {
        request.body.set(name, value);
      }
      return send(address, request);
    };
    return true;
  },
});

function warn(element) {
  if (element.querySelector("[data-mismatch]")) return;
  const line = document.createElement("p");
  line.className = "notice bad";
  line.dataset.mismatch = "";
  line.setAttribute("role", "alert");
  line.textContent =
    "The server shows a different seal from the one your browser made. Tell the table: someone may be changing what you sealed.";
  element.prepend(line);
}

onContent(() => {
  for (const element of document.querySelectorAll("[data-receipt]")) {
    const receipt = JSON.parse(element.dataset.receipt);
    const place = `${receipt.step} ${receipt.seat}`;
    const own = made.get(`${place} ${receipt.revision}`);
    if (own !== undefined && own !== receipt.wax) denounced.add(place);
    if (denounced.has(place)) warn(element);
    note(element.dataset.receipts, { ...receipt, wax: own ?? receipt.wax });
  }
});
