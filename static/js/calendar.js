// The calendar's own: turning pages with a finger, adding on a day, and fields of moments in the zone of whoever looks
// (moments.js).
//
//   <td data-day="N"> with <a data-add="N" href="…">   a click anywhere on the day opens its short form, as the link
//                                                      does; so does the key e while the focus is on the day
//   <form class="short-form" data-day="N">             sent without leaving the page; Escape closes it
//   <a data-move="VERSION" data-first="N">             dragged to another day: an entry of several days keeps its length,
//                                                      and moves as far as the day under the pointer does
//   <… data-turns> with links rel="prev" and rel="next" inside    swiping turns the page
//   <button data-ask-again>    in a form: pressed by itself a moment after one of the form's fields changed

import "./moments.js";
import { refresh } from "./live.js";
import { recall } from "./memory.js";
import { hook, isRefresh, say } from "./swaps.js";

const FAR = 70; // px
let from = null;

document.addEventListener(
  "touchstart",
  (event) => {
    const [touch] = event.touches;
    const scrolls = event.target.closest?.("input, select, textarea, summary, [data-no-swipe]");
    from = event.touches.length === 1 && !scrolls && event.target.closest?.("[data-turns]") ? touch : null;
  },
  { passive: true },
);
document.addEventListener(
  "touchend",
  (event) => {
    if (!from || event.touches.length) return;
    const [touch] = event.changedTouches;
    const [x, y] = [touch.clientX - from.clientX, touch.clientY - from.clientY];
    from = null;
    if (Math.abs(x) < FAR || Math.abs(x) < 2 * Math.abs(y) || !getSelection()?.isCollapsed) return;
    document.querySelector(`[data-turns] a[rel="${x < 0 ? "next" : "prev"}"]`)?.click();
  },
  { passive: true },
);

const seen = (selector) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
const LIVE = { target: "#live", select: "#live", swap: "outerMorph" };

// A refresh that was asked for before a short form opened or closed is of the page as it was: it would undo that. It may
// also have waited in htmx's queue since then, with the address of that time.
const ofPage = (ctx) => isRefresh(ctx) && ctx.sourceElement?.id === "live";
const address = () => document.getElementById("live").getAttribute("hx-get");
hook("calendar", {
  htmx_before_request: (element, { ctx }) => {
    if (ofPage(ctx)) ctx.request.action = address();
    return true;
  },
  htmx_before_response: (element, { ctx }) => {
    if (!ofPage(ctx) || ctx.request.action === address()) return true;
    refresh();
    return false;
  },
});

async function load(way, address, day, more) {
  await window.htmx.ajax(way, address, { ...LIVE, ...more });
  const form = seen(".short-form");
  const place = form?.querySelector("[aria-invalid]") ?? form?.querySelector("[name=title]") ?? seen(`[data-add="${day}"]`);
  place?.focus();
  form?.scrollIntoView({ block: "nearest" });
  return !form;
}

function open(link) {
  const form = link.closest(".short-form"); // its own Cancel: what was typed is given up
  form?.reset();
  return load("GET", link.href, link.dataset.add ?? form.dataset.day);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const onIt = event.target.closest?.("a, button, form, summary");
  const day = onIt ? null : event.target.closest?.("td[data-day]");
  const link = day && getSelection()?.isCollapsed ? day.querySelector("[data-add]") : onIt;
  if (!link?.matches("[data-add], [data-add-close]")) return;
  event.preventDefault();
  const typed = day && seen(".short-form[data-unsaved]"); // a click beside it is no reason to lose it
  if (typed) typed.elements.title.focus();
  else open(link);
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".short-form") || event.submitter?.value === "more") return;
  event.preventDefault();
  if (await load("POST", form.action, form.dataset.day, { source: form })) say("Entry added.");
});

document.addEventListener(
  "keydown",
  (event) => {
    const form = event.target.closest?.(".short-form");
    if (event.key === "Escape" && form) return open(form.querySelector("[data-add-close]"));
    if (event.key !== "e" || form || event.ctrlKey || event.altKey || event.metaKey || recall("signet-keys") === "off") return;
    const link = event.target.closest?.("[data-day]")?.querySelector("[data-add]");
    if (!link) return;
    event.preventDefault();
    open(link);
  },
  true,
);

let dragged = null; // {link, far}: far is from the day that was seized to the first one of the entry
let over = null;

function dayAt({ target, clientX }) {
  const week = target.closest?.(".week");
  if (!week) return target.closest?.("li[data-day]");
  return [...week.querySelectorAll("[data-day]")].find((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return left <= clientX && clientX < right;
  });
}

function mark(day) {
  over?.classList.remove("is-over");
  (over = day)?.classList.add("is-over");
}

async function move({ link, far }, day) {
  const to = Number(day.dataset.day) + far;
  if (to === Number(link.dataset.first)) return;
  const values = { version: link.dataset.move, day: to };
  document.getElementById("problem").replaceChildren();
  await window.htmx.ajax("POST", `${link.pathname}/move`, { target: "#live", swap: "none", values });
  document.body.dispatchEvent(new CustomEvent("signet:changed"));
  if (!document.querySelector("#problem > *")) say(`Moved to ${day.querySelector(".number").getAttribute("aria-label")}.`);
}

document.addEventListener("dragstart", (event) => {
  const link = event.target.closest?.("[data-move]");
  const day = link && dayAt(event);
  dragged = day ? { link, far: link.dataset.first - day.dataset.day } : null;
});
document.addEventListener("dragover", (event) => {
  mark((dragged && dayAt(event)) || null);
  if (over) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!dragged || !over) return;
  event.preventDefault();
  move(dragged, over);
});
document.addEventListener("dragend", () => mark((dragged = null)));

let asking = 0;
document.addEventListener("change", (event) => {
  const button = event.target.form?.querySelector("[data-ask-again]");
  if (!button || event.target.matches("textarea")) return;
  clearTimeout(asking);
  asking = setTimeout(() => button.isConnected && button.click(), 250);
});
