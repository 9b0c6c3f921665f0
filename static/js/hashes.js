// The hashes of docs/fairness.md, the same as app/receipts makes them: SHA-256 over lines joined by "\n", bytes written
// as lower-case hex. Here by @noble/hashes, audited and the same everywhere: for the page that checks a scene, and for
// seals on pages without crypto.subtle, which browsers have on https and localhost only (sealing.js).

import { sha256 } from "../vendor/noble-hashes/2.4.0/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "../vendor/noble-hashes/2.4.0/utils.js";

export const LINKS = 4096;

/** Hex of the SHA-256 over the lines. */
export function digest(...lines) {
  return bytesToHex(sha256(utf8ToBytes(lines.join("\n"))));
}

/** The two-level hash of one declaration. */
export function seal({ campaign, scene, step, seat, ask }, salt, words) {
  const luck = digest("signet-salt-1", salt);
  const inner = digest("signet-words-1", salt, words);
  return { luck, inner, wax: wax({ campaign, scene, step, seat, ask }, luck, inner) };
}

export function wax({ campaign, scene, step, seat, ask }, luck, inner) {
  return digest("signet-seal-1", campaign, scene, step, seat, ask, luck, inner);
}

/** The link before this one in a chain of luck: the hash of its raw bytes. */
export function before(link) {
  return bytesToHex(sha256(hexToBytes(link)));
}

export function firstThread(anchor) {
  return digest("signet-thread-1", anchor);
}

export function nextThread(thread, closing, lucks) {
  return digest("signet-thread-1", thread, closing, ...lucks.map((luck) => luck ?? "-"));
}

export function openSeed(link, thread) {
  return digest("signet-luck-1", link, thread);
}

/** The luck of a public closing that nobody sees before the end. */
export function veiledSeed(root, thread) {
  return digest("signet-veil-2", root, thread);
}

/** The luck of a hidden closing, by its number, with the luck parts of its players' answers. */
export function hiddenSeed(root, number, thread, lucks) {
  return digest("signet-hidden-2", root, number, thread, ...lucks.map((luck) => luck ?? "-"));
}

/** The luck of a GM's act at the desk; `number`: how many of them drew before it. */
export function deskSeed(root, number, thread) {
  return digest("signet-desk-2", root, number, thread);
}

/** The veiled luck of any closing under protocol 1, with the luck parts of all its answers. */
export function oldVeiledSeed(root, step, lucks) {
  return digest("signet-veil-1", root, step, ...lucks.map((luck) => luck ?? "-"));
}

/** The luck of a GM's secret roll. */
export function rolledSeed(root, number, thread) {
  return digest("signet-secret-1", root, number, thread);
}

export function rolledDigest(number, text) {
  return digest("signet-rolled-1", number, text);
}

/** 1..size: the face that a label has under a seed. */
export function face(seed, label, size) {
  const all = 1n << 256n;
  const limit = all - (all % BigInt(size));
  for (let attempt = 0; ; attempt += 1) {
    const value = BigInt(`0x${digest("signet-roll-1", seed, label, size, attempt)}`);
    if (value < limit) return Number(value % BigInt(size)) + 1;
  }
}

export function firstHead(header) {
  const names = Object.keys(header.carried).sort();
  return digest(
    `signet-scene-${header["signet-receipts"]}`, header.campaign, header.scene, header.ruleset, header.kind, header.version,
    header.anchor, header.setup, ...names.map((name) => `${name}=${header.carried[name] ?? "-"}`),
  );
}

export function nextHead(head, text) {
  return digest("signet-record-1", head, text);
}

export function actsDigest(salt, text) {
  return digest("signet-acts-2", salt, text);
}

export function setupDigest(salt, setup) {
  return digest("signet-setup-1", salt, setup);
}

export function hiddenDigest(salt, texts) {
  return digest("signet-hidden-1", salt, ...texts);
}
