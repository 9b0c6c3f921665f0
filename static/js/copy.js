// Copying with one press.
//
//   <button type="button" data-copy="TEXT" hidden>      copies the text itself
//   <button type="button" data-copy="#id" hidden>       copies the value or the text of that element
//
// Shown by this module, because without it they would do nothing. Says "Copied" on the button and in #announce.

import { onContent, say } from "./swaps.js";

function wanted(button) {
  const what = button.dataset.copy;
  const source = /^#[\w-]+$/.test(what) ? document.querySelector(what) : null;
  return source ? (source.value ?? source.textContent).trim() : what;
}

async function write(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Plain http in one house: only the old way is open.
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "said";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("the browser refused");
}

const said = new WeakMap(); // a button that was just pressed -> what it says for two seconds

function label(button) {
  return button.querySelector("span:not(.said)") ?? (button.childElementCount ? null : button);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button || said.has(button)) return;
  const words = label(button);
  const before = words?.textContent;
  let told = "Copied";
  try {
    await write(wanted(button));
  } catch {
    told = "Not copied. Select the text and copy it yourself.";
  }
  say(`${told}.`);
  if (!words) return;
  said.set(button, told);
  words.textContent = told;
  setTimeout(() => {
    said.delete(button);
    words.textContent = before;
  }, 2000);
});

onContent((root) => {
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    if (said.has(button)) label(button).textContent = said.get(button); // a swap has put the first words back
  }
});
