// A press that did not get through is kept in the memory of this page, with its id and its salt (seal.js), and pressed
// again by itself when the line is back: the server counts it once.
//
//   <form data-seal data-version="STEP/REVISION">   after a lost line, or a 502, 503 or 504
//
// It is not pressed again once the form was changed, nor once its question has: then a line says so, with what had been
// chosen. What came too late is told in the page's words. Nothing of it is stored. Loaded after the page itself.

import { undelivered } from "./form.js";
import { showLeftOver } from "./keep.js";
import { hook, onContent } from "./swaps.js";

const LONGEST = 15_000; // ms between two tries
const AWAY = [502, 503, 504];
const pressed = new WeakMap(); // form -> the button of its last press, and what was chosen
let late = null; // what was chosen, of a press whose answer is that it came too late
const kept = new Map(); // form -> {button, text, version, request, fields, tries, timer}

function fieldsOf(form) {
  return JSON.stringify([...new FormData(form)].filter(([name, value]) => !name.startsWith("_") && typeof value === "string"));
}

// What was chosen, as the page shows it.
function textOf(form, button) {
  const said = form.querySelector("[data-read-back]")?.textContent.trim();
  if (said) return said;
  const words = [...form.elements].filter((one) => one.checkVisibility?.()).map((one) => {
    if (one.tagName === "SELECT") return one.selectedOptions[0]?.text;
    if (one.type === "radio" || one.type === "checkbox") return one.checked ? one.labels?.[0]?.textContent : "";
    return one.matches("textarea, input") ? one.value : one === button && one.name !== "_act" ? one.textContent : "";
  });
  return [...new Set(words.map((one) => one?.replace(/\s+/g, " ").trim()).filter(Boolean))].join(" · ");
}

function keep(form) {
  if (!pressed.has(form) || !form.matches("[data-seal]")) return;
  const one = kept.get(form) ?? {
    ...pressed.get(form),
    version: form.dataset.version,
    request: form.elements.namedItem("_request").value,
    fields: fieldsOf(form),
    tries: 0,
  };
  kept.set(form, one);
  undelivered(form, "This has not got through yet. It will be sent by itself when the line is back.");
  one.timer = setTimeout(again, Math.min(LONGEST, 1000 * 2 ** one.tries), form);
}

function forget(form) {
  clearTimeout(kept.get(form)?.timer);
  kept.delete(form);
}

function again(form) {
  const one = kept.get(form);
  if (!one || isOver(form, one)) return;
  clearTimeout(one.timer);
  if (fieldsOf(form) !== one.fields) {
    forget(form);
    return undelivered(form, "This was not sent, since you changed it. Press again.");
  }
  one.tries += 1;
  form.elements.namedItem("_request").value = one.request;
  form.requestSubmit(one.button);
}

// The question is another by now: nothing is sent, and what had been chosen is shown.
function isOver(form, one) {
  if (form.isConnected && form.dataset.version === one.version) return false;
  forget(form);
  showLeftOver([one.text], "You were offline when you pressed, and it did not get through before this changed. You had chosen:");
  return true;
}

document.addEventListener(
  "submit",
  ({ target, submitter }) => {
    if (!target.matches("[data-seal]")) return;
    const one = kept.get(target);
    if (one && (one.button !== submitter || one.fields !== fieldsOf(target))) forget(target); // another press by hand
    pressed.set(target, { button: submitter, text: textOf(target, submitter) });
  },
  true,
);
window.addEventListener("online", () => [...kept.keys()].forEach(again));
document.addEventListener("visibilitychange", () => !document.hidden && [...kept.keys()].forEach(again));

const formOf = (ctx) => ctx?.sourceElement?.closest?.("form[data-seal]");

hook("resend", {
  htmx_after_request: (element, { ctx }) => {
    const form = formOf(ctx);
    if (form && ctx.request.method !== "GET") {
      if (AWAY.includes(ctx.response.status)) keep(form);
      else forget(form);
      late = ctx.response.status === 409 ? pressed.get(form)?.text : null;
    }
    return true;
  },
  htmx_error: (element, { ctx, error }) => {
    const form = formOf(ctx);
    if (form && !ctx.response && error) keep(form);
  },
});
onContent(() => {
  for (const [form, one] of [...kept]) isOver(form, one);
  const [first, ...others] = late ? document.querySelectorAll("#notice li") : [];
  if (!first) return;
  first.textContent = late; // as the page had it, not field by field
  for (const one of others) one.remove();
  late = null;
});
