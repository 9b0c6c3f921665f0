// What a GM did to steps before they closed, as app/receipts/step_acts.py checks it: told in numbers at once, with the
// seats once the scene is over.

import * as h from "./hashes.js";

const SAYS = ["back", "held", "step", "without"];

function is(one, fits) {
  const whole = one !== null && typeof one === "object" && Object.keys(one).sort().join() === SAYS.join();
  return whole && typeof one.step === "string" && typeof one.held === "boolean" && fits(one.back) && fits(one.without);
}

const isTold = (one) => is(one, Number.isInteger);
const isNamed = (one) => is(one, Array.isArray);

function told({ step, held, back, without }) {
  return { step, held, back: back.length ?? back, without: without.length ?? without };
}

function said(one) {
  const { step, held, back, without } = told(one);
  const names = (of) => (Array.isArray(of) ? ` (${of.join(", ")})` : "");
  const parts = [
    held && "held",
    back && `${back === 1 ? "one seal" : `${back} seals`} given back${names(one.back)}`,
    without && `went on without ${without === 1 ? "one seat" : `${without} seats`}${names(one.without)}`,
  ];
  return `${step}: ${parts.filter(Boolean).join("; ")}.`;
}

/** What a public record tells at once. */
export function record({ found, expect }, { said: entry, acts = [], step }) {
  const where = step?.title ?? "The end";
  if (!expect(Array.isArray(acts) && acts.every(isTold), `${where}: what a GM did to its steps cannot be read.`)) return;
  const named = acts.some(({ back, without }) => back || without);
  expect(("who" in entry || !named) && (!("acts" in entry) || acts.length > 0), `${where}: a GM’s acts lack their seats.`);
  name(found, acts);
}

/** The record of a hidden closing, with the seats. */
export function hidden({ found, expect }, { acts = [], step }) {
  if (!expect(Array.isArray(acts) && acts.every(isNamed), `${step.title}: what a GM did to its seats cannot be read.`)) return;
  name(found, acts);
}

/** The text that opens beside a public record: the same acts with their seats; beside the last one hidden steps', too. */
export function opened({ found, expect, opened: { setup_salt: salt } }, { acts = [], who, step, what }, text) {
  const where = step?.title ?? "The end";
  if (who === undefined && text === null) return;
  if (!expect(text !== null && h.actsDigest(salt, text) === who, `${where}: what a GM did to its seats is not what was recorded.`)) return;
  const named = read(text);
  if (!expect(named.every(isNamed), `${where}: what a GM did to its seats cannot be read.`)) return;
  const shown = named.map(told).map(said);
  const right = what === "end" ? acts.every((one) => shown.includes(said(one))) : shown.join("\n") === acts.map(said).join("\n");
  expect(right, `${where}: a GM did more or less to its seats than was told at once.`);
  name(found, named);
}

function name(found, acts) {
  for (const one of acts) {
    found.acts.set(one.step, said(one));
    if (told(one).back) found.givenBack.set(one.step, Array.isArray(one.back) ? one.back : null);
  }
}

function read(text) {
  try {
    const found = JSON.parse(text);
    return Array.isArray(found) ? found : [null];
  } catch {
    return [null];
  }
}
