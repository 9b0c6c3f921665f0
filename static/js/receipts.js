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

function forgetOld() {
  const keys = remembered(PREFIX);
  if (keys.length <= MOST_SCENES) return;
  const age = (name) => noted(name.slice(PREFIX.length)).at(-1)?.at ?? 0;
  for (const name of keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - MOST_SCENES)) forget(name);
}
