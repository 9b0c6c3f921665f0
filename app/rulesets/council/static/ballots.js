// A secret ballot carries a number that its voter's browser makes, so that its voter, and nobody else, finds it in the list.
//
//   <input type="hidden" data-nonce>                     gets 32 random hexadecimal digits when its form is changed or sent,
//       if it is empty; they are part of what is sealed, or saved as a draft
//   <details data-ballots="KEY"> <li data-ballot="NONCE"> <… data-mine hidden>
//       the ballots that were counted; that of this browser says so

import { recallList, remember } from "../../js/memory.js";
import { onContent } from "../../js/swaps.js";

const PREFIX = "signet-ballots ";

// Empty where storage is closed: the receipts file finds the ballot too.
const mine = (key) => recallList(PREFIX + key);

function keep(key, nonce) {
  remember(PREFIX + key, JSON.stringify([...new Set([...mine(key), nonce])].slice(-100)));
}

function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function number({ target }) {
  for (const field of (target.form ?? target).querySelectorAll?.("[data-nonce]") ?? []) {
    field.value ||= random();
    keep(field.dataset.nonce, field.value);
  }
}

for (const kind of ["change", "submit"]) addEventListener(kind, number, true); // before the form is sealed

onContent((root) => {
  for (const list of root.querySelectorAll("[data-ballots]")) {
    const known = mine(list.dataset.ballots);
    for (const line of list.querySelectorAll("[data-ballot]")) {
      const own = line.querySelector("[data-mine]");
      if (own) own.hidden = !known.includes(line.dataset.ballot);
    }
  }
});
