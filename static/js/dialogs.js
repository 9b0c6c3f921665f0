// Questions before something that cannot be undone, and dialogs that open when something is put into them.
//
//   <form data-confirm="Open now? …"> or <button data-confirm="…"> in a form, or <a data-confirm="…">
//       asks first, in <dialog id="ask-first"> (made here); its "yes" carries the words of the pressed button
//   <dialog id="why"><div id="why-answer">…   any closed dialog opens when htmx puts an answer into it
//   A press beside a dialog closes it, as Escape does.

import { hook } from "./swaps.js";

let agreed = null; // the form or link that was just said yes to

function ask(question, label, then) {
  document.getElementById("ask-first")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "ask-first";
  dialog.setAttribute("aria-labelledby", "ask-first-question");
  const text = document.createElement("p");
  text.id = "ask-first-question";
  text.textContent = question;
  const row = document.createElement("div");
  row.className = "row";
  const buttons = [["go", label, then], ["quiet", "No", null]].map(([look, words, run]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = look;
    button.textContent = words;
    button.addEventListener("click", () => {
      dialog.close();
      run?.();
    });
    return button;
  });
  buttons[1].autofocus = true;
  row.append(...buttons);
  dialog.append(text, row);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const button = event.submitter;
    const question = button?.dataset.confirm ?? form.dataset.confirm;
    if (!question || agreed === form) return;
    stop(event);
    ask(question, button?.textContent.trim() || "Yes", () => {
      if (!form.isConnected) return;
      agreed = form;
      form.requestSubmit(button?.form === form ? button : null);
      agreed = null;
    });
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    if (event.target instanceof HTMLDialogElement && event.target.open) {
      const box = event.target.getBoundingClientRect();
      const across = event.clientX >= box.left && event.clientX <= box.right;
      const inside = across && event.clientY >= box.top && event.clientY <= box.bottom;
      if (!inside && event.detail) event.target.close();
      return;
    }
    const link = event.target.closest?.("a[data-confirm], button[type=button][data-confirm]");
    if (!link || agreed === link) return;
    stop(event);
    ask(link.dataset.confirm, link.textContent.trim() || "Yes", () => {
      agreed = link;
      link.click();
      agreed = null;
    });
  },
  true,
);

hook("dialogs", {
  htmx_after_settle: (target) => {
    const dialog = target?.closest?.("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  },
});
