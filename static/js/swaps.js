// What the other modules share: a call for every piece of content that arrives, and one polite voice.
//
//   onContent(run)  calls run(root, first) now with the whole page (first = true), and again after every htmx swap
//   hook(name, map) registers functions on htmx's own hooks, e.g. {htmx_before_request: (element, {ctx}) => …}
//   say(text)       puts a short sentence into #announce (aria-live="polite"), if the page has it
//   own             true while the answer to a form of this page is being put in
//   isRefresh(ctx)  whether a request was made because something changed, and not by the person's own hand

const runs = [];
export let own = false;

export function onContent(run) {
  runs.push(run);
  run(document.body, true);
}

export function hook(name, hooks) {
  window.htmx?.registerExtension(`signet-${name}`, hooks);
}

export function isRefresh(ctx) {
  return ctx?.sourceEvent?.type === "signet:changed";
}

export function say(text) {
  const voice = document.getElementById("announce");
  if (!voice) return;
  // The same sentence twice must still be a change, or a screen reader keeps silent the second time.
  voice.textContent = voice.textContent === text ? `${text}\u00a0` : text;
}

// Before htmx lets the browser paint: what a swap put back to the server's words is put right in the same frame.
hook("content", {
  htmx_before_swap: (element, { ctx }) => {
    own = !isRefresh(ctx) && ctx.request.method !== "GET";
  },
  htmx_finally_request: () => {
    own = false;
  },
  htmx_after_settle: (target) => {
    for (const run of runs) run(target ?? document.body, false);
  },
});
