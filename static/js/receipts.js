// What this browser noted of its own seals, scene by scene: hashes only. Old scenes make room for new ones.

const PREFIX = "signet-receipts ";
const MOST_SCENES = 60;
const MOST_A_SCENE = 400;

/** The receipts noted under a key, oldest first. */
export function noted(key) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + key) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // no storage here, or spoiled: receipts are a second witness, the table works without
  }
}

/** Note a receipt, or that a seal was taken back; the first of its step, seat and revision stays. */
export function note(key, receipt) {
  const all = noted(key);
  const same = (one) => one.step === receipt.step && one.seat === receipt.seat && one.revision === receipt.revision && Boolean(one.taken) === Boolean(receipt.taken);
  if (all.some(same)) return;
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify([...all, { ...receipt, at: Date.now() }].slice(-MOST_A_SCENE)));
    forget();
  } catch {
    // full or forbidden
  }
}

function forget() {
  const keys = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  if (keys.length <= MOST_SCENES) return;
  const age = (name) => noted(name.slice(PREFIX.length)).at(-1)?.at ?? 0;
  for (const name of keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - MOST_SCENES)) localStorage.removeItem(name);
}
