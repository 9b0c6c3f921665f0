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
const saves = new WeakMap(); // form -> its save: when the last one began, what it said, what is planned

const quiet = (form) => form?.matches?.("form[data-quiet]");
const keyOf = (form) => `${PREFIX}${form.dataset.quiet} ${form.dataset.seal}`;

function saltOf(form) {
  const kept = recall(keyOf(form), TAB) ?? saves.get(form).salt;
  if (kept) return kept;
  saves.get(form).salt = newSalt();
  remember(keyOf(form), saves.get(form).salt, TAB);
  return saves.get(form).salt;
}

function plan(form) {
  const save = saves.get(form) ?? { at: -Infinity, said: null, timer: 0, busy: false, over: false, salt: "" };
  saves.set(form, save);
  show(form, false);
  if (save.over || save.busy || save.timer) return;
  save.timer = setTimeout(send, Math.max(0, save.at + APART - performance.now()), form);
}

async function send(form) {
  const save = saves.get(form);
  clearTimeout(save.timer);
  save.timer = 0;
  if (save.busy || !form.isConnected || !quiet(form) || form.hasAttribute("aria-busy")) return;
  const words = wordsOf(form);
  if (words === save.said) return show(form, true);
  save.busy = true;
  save.at = performance.now();
  try {
    save.over = !(await deliver(form, words));
    if (!save.over) save.said = words;
  } catch {
    // Not reachable just now: the next change tries again.
  }
  save.busy = false;
  if (save.said !== null && wordsOf(form) === save.said) show(form, true);
  else if (save.said === words) plan(form); // it was changed meanwhile
}

// Whether it was saved; false where there is nothing to save any more. Rejects where the server was not reached.
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
  return answer.ok || answer.status === 422;
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
  for (const form of document.querySelectorAll("form[data-quiet]")) if (saves.get(form)?.timer) send(form);
});
onContent(() => {
  const here = new Set([...document.querySelectorAll("form[data-quiet]")].map(keyOf));
  const [scene] = [...here].map((key) => key.slice(0, key.indexOf(" {")));
  for (const key of remembered(PREFIX, TAB)) {
    if (scene && key.startsWith(`${scene} `) && !here.has(key)) forget(key, TAB);
  }
});
