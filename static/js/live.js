// Keeps the page true: hears that something changed, and has the page fetch its live parts again.
//
//   <body data-stream="ADDRESS">    the event stream; any message means "something changed", and nothing more; the event
//                                   "closed", its last one, that this browser is signed out: the page loads itself again
//   <… hx-get="…" hx-trigger="signet:changed from:body" hx-swap="outerMorph">   a live part
//   <div id="shown" data-shown="MARK">              sent in the header Signet-Shown: if nothing has changed but seals,
//                                                   the answer is the blocks that they change, each for its own place
//   <p id="connection" hidden>      shown on top while the connection is lost
//
// On every message the event `signet:changed` is sent to <body>, at most once in 150 ms. Also after a reconnect, when
// the tab is looked at again, and when the page comes back from the browser's back-forward cache.
// A browser has but six connections to a server, shared by all its tabs, so a tab has a stream only while it holds one of
// five slots. A hidden tab takes one of three of them, and lets its live parts rest; without one it asks data-awaits every
// 5 s (browsers may stretch that to a minute after a while). A tab that is looked at and finds all five taken looks again
// every 3 s. Over plain http, where a page has no locks, visible tabs have their streams, however many they are.
// While a form is on its way, or a link that shows a live part otherwise (hx-get, hx-target), refreshes wait: what they
// would bring may be older than the answer, or the part as it was before. Of two such links the last one wins.
// A refresh that is answered with 401, 403, 404 or 410 loads the page again: it is not this person's page any more. A
// stream that cannot be opened does not say why, so data-awaits is asked then.

import { ask, read } from "./awaited.js";
import { hook, isGone, isRefresh, settled } from "./swaps.js";

const APART = 150; // ms between two refreshes
const OPENING = 5000; // ms after which an attempt to connect is given up
const QUIET = 600; // ms without a connection before the banner shows: leaving a page also ends its stream
const SLOTS = [5, 4, 3, 2, 1]; // one connection is left for everything else
const HIDDEN_SLOTS = [1, 2, 3];

let stream = null;
let opening = 0;
let again = 0;
let banner = 0;
let poll = 0;
let lost = false;
let bannerDue = false; // whether the banner is to show, as soon as nothing is pressed
let gone = false; // the page lies in the back-forward cache, or is being left
let release = null; // gives the slot of this tab back
let slot = 0; // its number
let lastRefresh = -Infinity;
let planned = 0;
let missed = false; // something changed while nobody looked, or while an answer to somebody's hand was awaited
const pressed = new Set(); // requests by hand that bring a live part
const fetching = new Set(); // requests that a later one by hand makes old
const isView = (ctx) => ctx.request.method === "GET" && ctx.target?.matches?.("[hx-trigger^='signet:changed']");

export function refresh() {
  if (document.hidden || pressed.size) {
    missed = true;
    if (document.hidden) ask();
    return;
  }
  if (planned) return;
  planned = setTimeout(() => {
    planned = 0;
    if (document.hidden || pressed.size) return refresh();
    missed = false;
    lastRefresh = performance.now();
    document.body.dispatchEvent(new CustomEvent("signet:changed"));
    if (!document.body.querySelector("[data-awaited]")) ask();
  }, Math.max(0, lastRefresh + APART - performance.now()));
}

function connect() {
  clearTimeout(again);
  const address = document.body.dataset.stream;
  if (!address || stream || gone || (!release && (document.hidden || navigator.locks))) return;
  const mine = new EventSource(address);
  stream = mine;
  opening = setTimeout(lose, OPENING);
  let opened = false;
  mine.onopen = () => {
    opened = true;
    clearTimeout(opening);
    showLost(false);
    if (lost) refresh();
    lost = false;
  };
  mine.onmessage = refresh;
  mine.addEventListener("closed", () => {
    leave();
    location.reload();
  });
  mine.onerror = () => {
    if (stream !== mine) return;
    if (!opened) ask();
    lose();
  };
}

// The page is left: an open stream or a lock would keep it out of the browser's cache.
function leave() {
  gone = true;
  disconnect();
  clearInterval(poll);
  clearTimeout(banner);
  leaveSlot();
}

function disconnect() {
  clearTimeout(opening);
  clearTimeout(again);
  stream?.close();
  stream = null;
}

// Our own reconnect, because an EventSource gives up for good on an HTTP error such as a proxy's 502.
function lose() {
  disconnect();
  if (!lost) banner = setTimeout(showLost, QUIET, true);
  lost = true;
  again = setTimeout(connect, 200 + Math.random() * 500);
}

async function showLost(show) {
  clearTimeout(banner);
  bannerDue = show;
  await settled();
  const line = document.getElementById("connection");
  if (line) line.hidden = !bannerDue;
}

function takeSlot([number, ...others]) {
  if (!navigator.locks || !number) return Promise.resolve(null);
  return new Promise((answer) => {
    navigator.locks.request(`signet-stream-${number}`, { ifAvailable: true }, (lock) => {
      if (!lock) return answer(takeSlot(others));
      return new Promise((free) => answer({ number, free }));
    });
  });
}

function leaveSlot() {
  release?.();
  release = null;
}

// Connect once there is a slot among these; until then do `meanwhile` now and then. What comes too late gives it back.
async function enter(slots, meanwhile, every) {
  clearInterval(poll);
  const hidden = document.hidden;
  if (!release) {
    poll = setInterval(meanwhile, every);
    const found = await takeSlot(slots);
    if (document.hidden !== hidden || gone || release) return found?.free();
    if (found) ({ number: slot, free: release } = found);
    if (!found && (hidden || navigator.locks)) return disconnect();
    clearInterval(poll);
  }
  connect();
}

function rest() {
  if (!HIDDEN_SLOTS.includes(slot)) leaveSlot();
  return enter(HIDDEN_SLOTS, ask, 5000);
}

function wake() {
  enter(SLOTS, wake, 3000);
  read();
  refresh();
}

function look() {
  if (gone) return;
  if (document.hidden) rest();
  else wake();
}

hook("live", {
  htmx_before_request: (element, { ctx }) => {
    const shown = document.getElementById("shown")?.dataset.shown;
    if (shown && (isRefresh(ctx) || ctx.request.method !== "GET")) ctx.request.headers["Signet-Shown"] = shown;
    if (isRefresh(ctx)) {
      if (pressed.size) return !(missed = true);
      fetching.add(ctx);
    } else if (ctx.request.method !== "GET" || isView(ctx)) {
      pressed.add(ctx);
      for (const old of fetching) {
        if (!isRefresh(old) && !isView(ctx)) continue;
        missed = true;
        old.request.abort();
      }
      if (isView(ctx)) fetching.add(ctx);
    }
    return true;
  },
  htmx_before_response: (element, { ctx }) => {
    if (!isRefresh(ctx) || ctx.response.status < 400) return true;
    if (isGone(ctx.response.status)) location.reload();
    else setTimeout(refresh, 1000); // the server stumbled: keep what is shown, and ask again
    return false;
  },
  htmx_finally_request: (element, { ctx }) => {
    fetching.delete(ctx);
    if (pressed.delete(ctx) && !pressed.size && missed) refresh();
  },
});

if (document.body.dataset.stream) {
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", () => {
    disconnect(); // a connection from before may be dead without knowing it
    connect();
    refresh();
  });
  window.addEventListener("offline", lose);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    gone = false;
    look();
  });
  if (document.hidden) rest();
  else enter(SLOTS, wake, 3000);
  if (!read()) ask();
}
