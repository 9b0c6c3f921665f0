// Sending forms: once per press, and never into the dark.
//
//   <input type="hidden" name="_request" value="">
//       gets a fresh UUID on sending, if it is empty; a repeated press after a lost answer carries the same one, so the
//       server counts it once
//   <form hx-post="…"> and plain forms
//       a second press while the first is on its way does nothing; meanwhile the form has aria-busy="true" and its
//       buttons aria-disabled="true"
//   <button hx-post="…"> or a field with it, in a form
//       changes the form (one foe more, a row less); what is pressed before its answer is there is pressed again after
//       it, one by one, or forgotten if the answer is an error
//   <button hx-post="…" data-ask-again> in a form
//       only looks at the form (a preview): it waits for nothing, and the form can be changed and sent meanwhile
//   <p class="fault" data-undelivered role="alert">
//       added here to a form that could not be delivered, at its buttons (class "acts"), until it is sent again; with the value "yet" to one that is
//       still on its way after eight seconds, until it is answered
//
// Answers 409 and 422 are put into the page. Other errors are put in only if the answer contains the element it is
// meant for (by its id); else the page stays as it is, with a line at the form: what the answer says if it is a 503.

import { hook, isRefresh } from "./swaps.js";

// A form that is being sent has null; one that a press is changing, the buttons pressed meanwhile.
const busy = new Map();
const SLOW = 8000; // ms

// randomUUID exists only on https and localhost; a table may be played over plain http in one house.
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function mark(form) {
  const on = busy.has(form);
  if (on) form.setAttribute("aria-busy", "true");
  else form.removeAttribute("aria-busy");
  for (const button of form.elements) {
    if (button.type !== "submit") continue;
    if (on) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

function setBusy(form, pressed) {
  busy.set(form, pressed);
  mark(form);
  if (pressed === null) setTimeout(() => busy.has(form) && undelivered(form, "Signet has not answered yet. This is still being sent.", "yet"), SLOW);
}

function setFree(form) {
  const pressed = busy.get(form);
  busy.delete(form);
  form.querySelector("[data-undelivered=yet]")?.remove();
  mark(form);
  return pressed ?? [];
}

export function undelivered(form, text, when = "") {
  form.querySelector("[data-undelivered]")?.remove();
  const line = document.createElement("p");
  line.className = "fault";
  line.dataset.undelivered = when;
  line.setAttribute("role", "alert");
  line.textContent = text;
  (form.querySelector(".acts") ?? form).append(line); // at the button, wherever that stays in view
}

// What an error page, or its part, says in its own words; "" where somebody else has answered, such as a proxy.
function saidIn(html) {
  const said = new DOMParser().parseFromString(html, "text/html").querySelector(".notice.bad > p");
  return said ? said.textContent.replace(/\s+/g, " ").trim() : "";
}

// The form that a request sends or changes; null for what only looks at its form.
function busied(ctx) {
  const looks = ctx?.request?.method === "GET" || ctx?.sourceElement?.matches("[data-ask-again]");
  return looks ? null : sourceForm(ctx);
}

// The first button is clicked now, each other one once the form is as those before it have made it.
function pressAgain(form, pressed) {
  const [next, ...others] = pressed.filter((button) => button.isConnected);
  next?.click();
  if (next?.matches("[hx-post]")) setBusy(form, others);
}

function sourceForm(ctx) {
  return isRefresh(ctx) ? null : (ctx?.sourceElement?.closest?.("form") ?? null);
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("button");
    const pressed = busy.get(button?.form);
    if (button?.type !== "submit" || button.matches("[data-ask-again]") || !pressed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.push(button);
  },
  true,
);

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (form.method === "dialog") return;
    if (busy.has(form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.querySelector("[data-undelivered]")?.remove();
    const request = form.elements.namedItem("_request");
    if (request instanceof HTMLInputElement && !request.value) request.value = uuid();
    if (form.matches("[hx-post], [hx-put], [hx-patch], [hx-delete], [hx-get]")) return;
    setTimeout(() => !event.defaultPrevented && form.method === "post" && setBusy(form, null), 0);
  },
  true,
);

hook("form", {
  htmx_before_request: (element, { ctx }) => {
    const form = busied(ctx);
    if (form) setBusy(form, form === ctx.sourceElement ? null : (busy.get(form) ?? []));
    return true;
  },
  htmx_after_request: (element, { ctx }) => {
    const form = sourceForm(ctx);
    const { status } = ctx.response;
    if (!form || status < 400 || status === 409 || status === 422) return true;
    if (ctx.target?.id && ctx.text.includes(`id="${ctx.target.id}"`)) return true;
    const again = "What you typed is still here.";
    const said = status === 503 && saidIn(ctx.text);
    if (said) {
      undelivered(form, `${said} ${again}`);
      return false;
    }
    const what = status >= 500 ? "Signet made a mistake" : "This was not saved";
    const now = status >= 500 ? "Try again in a moment." : "Reload the page to see what changed.";
    undelivered(form, `${what} (error ${status}). ${again} ${now}`);
    return false;
  },
  htmx_error: (element, { ctx, error }) => {
    const form = sourceForm(ctx);
    if (!form || ctx.response || !error) return;
    undelivered(form, "This did not get through. What you typed is still here. Press again when you're back online.");
  },
  htmx_finally_request: (element, { ctx }) => {
    const form = busied(ctx);
    if (!form) return;
    const pressed = setFree(form);
    if (ctx.response?.status < 400) pressAgain(form, pressed);
  },
});

// Back from another page, everything may be pressed again.
window.addEventListener("pageshow", () => {
  for (const form of [...busy.keys()]) setFree(form);
});
