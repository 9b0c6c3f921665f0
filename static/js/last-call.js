// In the last ten seconds of a step a button at the clock seals what stands in the form, whichever part of the page is
// shown. Loaded after the page itself.
//
//   <p id="awaits">                          where the clock stands, and the button
//   <section class="ask" data-due="TIME">    a question with a form that has <button name="_act" value="seal">
//   signet:left                              clock.js tells each second what is left: {due, seconds}

import { onContent } from "./swaps.js";

const LAST = 10; // s
let soon = []; // the moments that are so near

function unsealed() {
  const asks = [...document.querySelectorAll("#asks .ask[data-due]:not(.is-sealed)")];
  return asks.filter((ask) => soon.includes(Date.parse(ask.dataset.due))).map(buttonOf).find(Boolean);
}

const buttonOf = (ask) => ask.querySelector('form[data-seal]:not([aria-busy]) button[name="_act"][value="seal"]');

function show() {
  const there = document.querySelector(".last-call");
  const wanted = unsealed() && !("held" in document.documentElement.dataset);
  if (!wanted) return there?.remove();
  if (there) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "go last-call";
  button.textContent = "Seal what stands here";
  button.addEventListener("click", () => {
    const press = unsealed();
    press?.form.requestSubmit(press);
    button.remove();
  });
  document.getElementById("awaits")?.append(button);
}

document.addEventListener("signet:left", ({ detail: { due, seconds } }) => {
  const moment = Date.parse(due);
  soon = soon.filter((one) => one !== moment);
  if (seconds > 0 && seconds <= LAST) soon.push(moment);
  show();
});
onContent(show);
