// What the other modules share: a call for every piece of content that arrives, and one polite voice.
//
//   onContent(run)  calls run(root, first) now with the whole page (first = true), and again after every htmx swap
//   arrived(root)   calls them for what was put in by other hands
//   hook(name, map) registers functions on htmx's own hooks, e.g. {htmx_before_request: (element, {ctx}) => …}
//   say(text, rank) adds a line to #announce (role="log"), if the page has it: a moment later, when the focus has moved,
//                   lower ranks first (0: what happened, 1: what is next), and not behind a dialog; it leaves after 5 s.
//                   <html data-saying> while something is still to be said
//   own             true while the answer to a form of this page is being put in
//   settled()       waits until nothing is pressed, for whatever is about to move the page
//   <… data-kept="NAME.LENGTH">  a piece of the page that answers leave out once it was here (app/web/drawing/page_fragments.py):
//                   it is put back before anyone reads the answer, so scripts change nothing inside such an element
//   isRefresh(ctx)  whether a request was made because something changed, and not by the person's own hand
//   isGone(status)  whether an answer says that this is not this person's page any more

const runs = [];
export let own = false;

export function onContent(run) {
  runs.push(run);
  run(document.body, true);
}

// Calls them for content that was put in without htmx.
export function arrived(root) {
  for (const run of runs) run(root, false);
}

export function hook(name, hooks) {
  window.htmx?.registerExtension(`signet-${name}`, hooks);
}

export function isRefresh(ctx) {
  return ctx?.sourceEvent?.type === "signet:changed";
}

export const isGone = (status) => [401, 403, 404, 410].includes(status);

const unsaid = []; // [rank, text]
export const lately = new Set(); // what was said since announce.js looked last, which empties it

export function say(text, rank = 0) {
  lately.add(text);
  if (!unsaid.length) setTimeout(speak, 100);
  unsaid.push([rank, text]);
  document.documentElement.dataset.saying = "";
}

function speak() {
  if (document.querySelector("dialog[open]")) return setTimeout(speak, 500);
  for (const [, text] of unsaid.splice(0).sort(([one], [other]) => one - other)) {
    const line = document.createElement("p");
    line.textContent = text;
    document.getElementById("announce")?.append(line);
    setTimeout(() => line.remove(), 5000);
  }
  delete document.documentElement.dataset.saying;
}

// An answer that moves the page between the press of a button and its release would take the press away: it waits.
let released = null; // a promise, as long as something is pressed, for five seconds at most
let release = null;
const pressed = () => (released ??= new Promise((go) => setTimeout((release = go), 5000)));
const letGo = () => setTimeout(() => (release?.(), (released = release = null))); // after the click
addEventListener("pointerdown", pressed, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, letGo, true);

export const settled = () => released;

const pieces = new Map(); // what the server put into them, by name
const kept = (run) => [...document.querySelectorAll("[data-kept]")].map((one) => run(one.dataset.kept.slice(0, 12), one));
kept((name, one) => pieces.set(name, one.innerHTML));

const filled = (text) =>
  text.replace(/ data-kept="([\w-]{12})\.(\d+)">(<\/)?/g, (found, name, length, empty, at) => {
    if (!empty) pieces.set(name, text.substr(at + found.length, length));
    return empty ? found.slice(0, -2) + pieces.get(name) + empty : found;
  });

// Before htmx lets the browser paint: what a swap put back to the server's words is put right in the same frame.
hook("content", {
  htmx_before_request: (element, { ctx }) => {
    const send = ctx.fetch;
    ctx.request.headers["Signet-Kept"] = kept((name) => (pieces.has(name) ? name : "")).join(" ");
    ctx.fetch = async (...what) => {
      const answer = await send(...what);
      const text = filled(await answer.text()); // whole, or a press could begin while the rest arrives
      await released;
      answer.text = async () => text;
      return answer;
    };
  },
  htmx_before_swap: (element, { ctx }) => {
    own = !isRefresh(ctx) && ctx.request.method !== "GET";
  },
  htmx_finally_swap: () => queueMicrotask(() => (own = false)),
  htmx_after_settle: (target) => arrived(target ?? document.body),
});
