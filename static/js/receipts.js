// What this browser noted of its own seals, scene by scene: hashes only. Old scenes make room for new ones.

import { forget, recallList, remember, remembered } from "./memory.js";

const PREFIX = "signet-receipts ";
const MOST_SCENES = 60;
const MOST_A_SCENE = 400;

/** The receipts noted under a key, oldest first. */
export function noted(key) {
  return recallList(PREFIX + key); // empty without storage: receipts are a second witness, the table works without
}

/** Note a receipt, or that a seal was taken back; the first of its step, seat and revision stays. */
export function note(key, receipt) {
  const all = noted(key);
  const same = (one) => one.step === receipt.step && one.seat === receipt.seat && one.revision === receipt.revision && Boolean(one.taken) === Boolean(receipt.taken);
  if (all.some(same)) return;
  remember(PREFIX + key, JSON.stringify([...all, { ...receipt, at: Date.now() }].slice(-MOST_A_SCENE)));
  forgetOld();
}

/** Note a quiet draft that is sent now; `sure` once it is saved, when it takes the place of those saved before it. */
export function noteDraft(key, draft, sure) {
  const here = (one) => one.draft && one.step === draft.step && one.seat === draft.seat;
  const others = noted(key).filter((one) => !(here(one) && (one.wax === draft.wax || (sure && one.sure))));
  const made = { ...draft, revision: 0, taken: true, draft: true, sure, at: Date.now() }; // taken: for older copies of Signet
  remember(PREFIX + key, JSON.stringify([...others, made].slice(-MOST_A_SCENE)));
  forgetOld();
}

/** A draft that was refused is none. */
export function forgetDraft(key, { step, seat, wax }) {
  const same = (one) => one.draft && one.step === step && one.seat === seat && one.wax === wax && !one.sure;
  remember(PREFIX + key, JSON.stringify(noted(key).filter((one) => !same(one))));
}

function forgetOld() {
  const keys = remembered(PREFIX);
  if (keys.length <= MOST_SCENES) return;
  const age = (name) => noted(name.slice(PREFIX.length)).at(-1)?.at ?? 0;
  for (const name of keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - MOST_SCENES)) forget(name);
}
