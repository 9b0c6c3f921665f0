// The two-level hash of one declaration (docs/fairness.md), by the browser's own SHA-256. A table may be played over plain
// http in one house, where browsers have none: there hashes.js does the same, and only there it is loaded.

const others = crypto.subtle ? null : import("./hashes.js");

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function digest(...lines) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join("\n")))));
}

/** 32 random bytes, as hex; getRandomValues exists on plain http too. */
export function newSalt() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** The luck part of a salt. */
export async function luckOf(salt) {
  if (others) return (await others.catch(() => import("./hashes.js"))).digest("signet-salt-1", salt);
  return digest("signet-salt-1", salt);
}

/** The wax of a declaration. Rejects where hashes.js is needed and cannot be loaded. */
export async function seal(place, salt, words) {
  if (others) return (await others.catch(() => import("./hashes.js"))).seal(place, salt, words).wax;
  const luck = await digest("signet-salt-1", salt);
  const inner = await digest("signet-words-1", salt, words);
  const { campaign, scene, step, seat, ask } = place;
  return digest("signet-seal-1", campaign, scene, step, seat, ask, luck, inner);
}
