// What is chosen and not sealed is saved while its person chooses, and counts as a draft if they seal nothing in time
// (docs/fairness.md). Loaded after the page itself.
//
//   <form data-seal="…" data-quiet="ADDRESS" data-receipts="KEY">
//       After a change by its person, by hand or at the board, and at most every three seconds, the form's words are sealed as seal.js does it and
//       sent to ADDRESS. What the page, the rules or another script fills in saves nothing. This browser notes the hash of
//       what was saved last under KEY, for the page that checks the scene.
//   <… data-quiet-note hidden>    inside such a form: shown once what stands in the form is saved, until it is changed
//
// One salt is used in a step, as long as the tab is open: whoever runs the server then has no choice of luck.

import { TAB, forget, recall, remember, remembered } from "./memory.js";
import { forgetDraft, noteDraft } from "./receipts.js";
import { wordsOf } from "./seal.js";
import { luckOf, newSalt, seal } from "./sealing.js";
import { onContent } from "./swaps.js";

const PREFIX = "signet-quiet ";
const APART = 3000; // ms
const AGAIN = 9000; // ms, where the server was not reached
const saves = new Map(); // question -> its save: when the last one began, what it said, what is planned

const quiet = (form) => form?.matches?.("form[data-quiet]");
const keyOf = (form) => `${PREFIX}${form.dataset.quiet} ${form.dataset.seal}`;

function saltOf(form) {
  const save = saves.get(keyOf(form));
  save.salt ||= recall(keyOf(form), TAB) ?? newSalt();
  remember(keyOf(form), save.salt, TAB);
  return save.salt;
}

function plan(form) {
  const save = saves.get(keyOf(form)) ?? { at: -Infinity, said: null, timer: 0, busy: false, more: false, over: false, salt: "" };
  saves.set(keyOf(form), save);
  show(form, false);
  save.more = save.busy; // it was changed while it was on its way
  if (save.over || save.busy || save.timer) return;
  save.timer = setTimeout(send, Math.max(0, save.at + APART - performance.now()), form);
}

async function send(form) {
  const save = quiet(form) && saves.get(keyOf(form));
  if (!save) return;
  clearTimeout(save.timer);
  save.timer = 0;
  if (save.busy || !form.isConnected || form.hasAttribute("aria-busy")) return;
  const words = wordsOf(form);
  if (words === save.said) return show(form, true);
  save.busy = true;
  save.at = performance.now();
  try {
    const status = await deliver(form, words);
    if (status === 204) save.said = words;
    else save.over = status !== 422; // or there is nothing to save any more
  } catch {
    save.timer = setTimeout(send, AGAIN, form); // not reachable just now
  }
  save.busy = false;
  if (save.more) plan(form);
  else show(form, save.said === words);
}

// The status of the answer. Rejects where the server was not reached, or could not do it just now.
async function deliver(form, words) {
  const place = JSON.parse(form.dataset.seal);
  const { quiet: address, receipts: notes } = form.dataset;
  const salt = saltOf(form);
  const wax = await seal(place, salt, words);
  const draft = { step: place.step, seat: place.seat, wax, luck: await luckOf(salt) };
  const named = { _campaign: place.campaign, _step: place.step, _seat: place.seat, _ask: place.ask };
  const body = new URLSearchParams({ ...named, _words: words, _salt: salt, _wax: wax });
  noteDraft(notes, draft, false);
  const answer = await fetch(address, { method: "POST", body, keepalive: words.length < 20_000 });
  if (answer.ok) noteDraft(notes, draft, true);
  else if (answer.status < 500) forgetDraft(notes, draft);
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}`);
  return answer.status;
}

function show(form, saved) {
  for (const note of form.querySelectorAll("[data-quiet-note]")) note.hidden = !saved;
}

// A press on the board or on a stepper changes its form by a script, at once.
let pressed = false;
for (const kind of ["click", "keydown", "pointerdown", "pointermove", "pointerup"]) {
  window.addEventListener(
    kind,
    ({ isTrusted }) => {
      if (!isTrusted || pressed) return;
      pressed = true;
      setTimeout(() => (pressed = false));
    },
    true,
  );
}
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ isTrusted, target }) => (isTrusted || pressed) && quiet(target.form) && plan(target.form));
}
// Whoever leaves a page has chosen what stands there.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  for (const form of document.querySelectorAll("form[data-quiet]")) if (saves.get(keyOf(form))?.timer) send(form);
});
onContent(() => {
  const here = new Set([...document.querySelectorAll("form[data-quiet]")].map(keyOf));
  for (const key of remembered(`${PREFIX}${location.pathname}/draft `, TAB)) if (!here.has(key)) forget(key, TAB);
});
