// Nothing that somebody is typing is lost when the live part around it is fetched again.
//
//   <form data-keep data-version="STEP/REVISION">   Give each such form, or something around it, its own id.
//       While the version stays the same, a refresh leaves a form alone that has been changed, has the focus, or shows
//       why it was refused (class "fault"). A new version replaces what was typed; if that comes with a refresh and not
//       as the answer to this very form, the text is shown above the page in <aside id="kept-text">, so that it can
//       still be copied.
//   <form data-keep data-unsaved="yes">             set here while its fields differ from what the server sent
//   <… data-unsaved-note hidden>                    inside such a form: shown as long as that is so
//   <details>                                       stays open or closed as its reader left it, except that the answer
//                                                   to a form inside it follows the server
//
// A form's own answer (422 with its faults, say) is always put in. Give a form a version that changes only when its own
// content does: not with every line that others say.

import { hook, isRefresh, onContent } from "./swaps.js";

let own = null; // the form whose answer is being put in
let written = []; // what stood in other forms before that

function isChanged(field) {
  if (field.matches("input[type=hidden], button, fieldset, output, object")) return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  const options = [...field.options];
  if (field.multiple) return options.some((option) => option.selected !== option.defaultSelected);
  const given = options.findLastIndex((option) => option.defaultSelected);
  return field.selectedIndex !== (given >= 0 ? given : options.findIndex((option) => !option.disabled));
}

export function isDirty(form) {
  return [...form.elements].some(isChanged);
}

function texts(form) {
  const fields = [...form.elements].filter((field) => field.matches("textarea, input:not([type]), input[type=text]"));
  return fields.filter((field) => isChanged(field) && field.value.trim()).map((field) => field.value);
}

function mark(form) {
  const dirty = isDirty(form);
  if (dirty) form.dataset.unsaved = "yes";
  else delete form.dataset.unsaved;
  for (const note of form.querySelectorAll("[data-unsaved-note]")) note.hidden = !dirty;
}

function showLeftOver(lines) {
  const aside = document.createElement("aside");
  aside.id = "kept-text";
  aside.className = "notice";
  aside.setAttribute("role", "status");
  const title = document.createElement("p");
  title.textContent = "This page changed while you were typing. You had typed:";
  aside.append(title);
  for (const line of lines) {
    const quote = document.createElement("blockquote");
    quote.textContent = line;
    aside.append(quote);
  }
  const away = document.createElement("button");
  away.type = "button";
  away.className = "plain";
  away.textContent = "Dismiss";
  away.addEventListener("click", () => aside.remove());
  aside.append(away);
  document.getElementById("kept-text")?.remove();
  (document.getElementById("main") ?? document.body).prepend(aside);
}

// Whether htmx may change this form. A reset first makes its fields follow the new attributes again.
function mayMorph(form, fresh) {
  const same = fresh.matches?.("form[data-keep]") && fresh.dataset.version === form.dataset.version;
  const refused = form.querySelector(".fault:not([hidden])");
  if (same) return form === own || !(refused || isDirty(form) || form.contains(document.activeElement));
  form.reset();
  return true;
}

hook("keep", {
  htmx_before_swap: (element, { ctx }) => {
    own = isRefresh(ctx) ? null : (ctx.sourceElement?.closest?.("form") ?? null);
    written = [];
    for (const form of document.querySelectorAll("form[data-keep]")) {
      const lines = form === own ? [] : texts(form);
      if (lines.length) written.push({ form, version: form.dataset.version, lines });
    }
  },
  htmx_before_morph_node: (element, { oldNode, newNode }) =>
    !oldNode.matches?.("form[data-keep]") || mayMorph(oldNode, newNode),
  htmx_before_morph_attr: (element, { attrName }) =>
    attrName !== "open" || element.tagName !== "DETAILS" || (own !== null && element.contains(own)),
  htmx_finally_swap: () => {
    const lost = written.filter(({ form, version }) => !form.isConnected || form.dataset.version !== version);
    if (lost.length) showLeftOver(lost.flatMap(({ lines }) => lines));
    own = null;
    written = [];
  },
});

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.form;
    if (form?.matches("[data-keep]")) mark(form);
  });
}
document.addEventListener("reset", (event) => {
  if (event.target.matches("[data-keep]")) setTimeout(mark, 0, event.target);
});
onContent(() => {
  for (const form of document.querySelectorAll("form[data-keep]")) mark(form);
});
