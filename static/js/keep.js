// Nothing that somebody is typing is lost when the live part around it is fetched again.
//
//   <form data-keep data-version="STEP/REVISION">   Give each such form, or something around it, its own id.
//       While the version stays the same, a refresh leaves a form alone that has been changed, has the focus, was
//       refused, or shows a fault (class "fault"). A new version replaces what was typed; if that comes with a refresh
//       and not as the answer to this very form, the text is shown above the page in <aside id="kept-text">, so that it
//       can still be copied.
//   <… data-refused>                                set here on the form whose answer is a refusal (any status from 400
//       on), and on what says why outside the forms (<… class="notice bad" role="alert">): a refresh leaves that, too
//   <body data-refused="ADDRESS">                   the page is itself the refusal of a form that was sent there
//   <form data-keep data-unsaved="yes">             set here while its fields differ from what the server sent
//   <… data-unsaved-note hidden>                    inside such a form: shown as long as that is so
//   <details>                                       stays open or closed as its reader left it, except that the answer
//                                                   to a form inside it follows the server
//
// A form's own answer (422 with its faults, say) is always put in. Give a form a version that changes only when its own
// content does: not with every line that others say.

import { hook, isRefresh, onContent } from "./swaps.js";

let own = null; // the form whose answer is being put in
let refreshing = false; // a refresh is being put in
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

// Of a refused form all of them: what was typed comes back in it as if the server had always had it.
function texts(form) {
  const fields = [...form.elements].filter((field) => field.matches("textarea, input:not([type]), input[type=text]"));
  const mine = (field) => isRefused(form) || isChanged(field);
  return fields.filter((field) => mine(field) && field.value.trim()).map((field) => field.value);
}

const isRefused = (one) => one.dataset?.refused !== undefined;

function refuse(forms) {
  for (const form of forms) {
    form.dataset.refused = "";
    mark(form);
  }
  for (const notice of document.querySelectorAll(".notice.bad[role=alert]")) {
    notice.dataset.refused = "";
    notice.removeAttribute("id"); // or a morph would not know it again among what has none
  }
}

// Whether this form, or one of its buttons, sends to that path.
function sendsTo(form, path) {
  const way = (one) => one.getAttribute("formaction") ?? one.getAttribute("action");
  return [form, ...form.elements].some((one) => way(one) && new URL(way(one), location).pathname === path);
}

// What says why a form was refused, and stands outside it, is put into the fresh part as well.
function carry(old, fresh) {
  [...old.children].forEach((one, place) => {
    if (isRefused(one) && !one.closest("form")) fresh.insertBefore(one.cloneNode(true), fresh.children[place] ?? null);
  });
}

function mark(form) {
  const dirty = isRefused(form) || isDirty(form);
  if (dirty) form.dataset.unsaved = "yes";
  else delete form.dataset.unsaved;
  for (const note of form.querySelectorAll("[data-unsaved-note]")) note.hidden = !dirty;
}

export function showLeftOver(lines, words = "This page changed while you were typing. You had typed:") {
  const aside = document.createElement("aside");
  aside.id = "kept-text";
  aside.className = "notice";
  aside.setAttribute("role", "status");
  const title = document.createElement("p");
  title.textContent = words;
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
  const refused = isRefused(form) || form.querySelector(".fault:not([hidden])");
  if (same) return form === own || !(refused || isDirty(form) || form.contains(document.activeElement));
  form.reset();
  return true;
}

hook("keep", {
  htmx_before_swap: (element, { ctx }) => {
    refreshing = isRefresh(ctx);
    own = refreshing ? null : (ctx.sourceElement?.closest?.("form") ?? null);
    written = [];
    for (const form of document.querySelectorAll("form[data-keep]")) {
      const lines = form === own ? [] : texts(form);
      if (lines.length) written.push({ form, version: form.dataset.version, lines });
    }
  },
  htmx_before_morph_node: (element, { oldNode, newNode }) => {
    if (oldNode.matches?.("form[data-keep]")) return mayMorph(oldNode, newNode);
    if (refreshing && oldNode.children) carry(oldNode, newNode);
    return true;
  },
  htmx_before_morph_attr: (element, { attrName }) =>
    attrName !== "open" || element.tagName !== "DETAILS" || (own !== null && element.contains(own)),
  htmx_finally_swap: (element, { ctx }) => {
    const gone = written.filter(({ form, version }) => !form.isConnected || form.dataset.version !== version);
    const now = (form) => (form.isConnected ? [...form.elements].map((field) => field.value) : []);
    const lost = gone.flatMap(({ form, lines }) => lines.filter((line) => !now(form).includes(line)));
    if (lost.length) showLeftOver(lost);
    if (own && ctx.response?.status >= 400) {
      const answered = own.isConnected ? own : document.getElementById(own.id);
      refuse(answered?.matches("[data-keep]") ? [answered] : []);
    }
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
onContent((root, first) => {
  const { refused } = document.body.dataset;
  const forms = [...document.querySelectorAll("form[data-keep]")];
  if (first && refused) refuse(forms.filter((form) => sendsTo(form, refused)));
  forms.forEach(mark);
});
