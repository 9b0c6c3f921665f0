// A GM's secret rolls in a file of receipts, as app/receipts/secret_rolls.py checks them: numbered without a gap, each
// what its hash says, and once the scene is over with the dice that its luck gives.

import * as h from "./hashes.js";

const DIE = ["face", "low", "sign", "size"];
const ROLL = ["bonus", "dice", "purpose", "salt"];

function only(thing, names) {
  return Object.keys(thing).sort().join() === names.join();
}

function isDie(die) {
  const whole = only(die, DIE) && DIE.every((name) => Number.isInteger(die[name]));
  return whole && die.size > 1 && [0, 1].includes(die.low) && [1, -1].includes(die.sign);
}

function read(text) {
  try {
    const roll = JSON.parse(text);
    const whole = only(roll, ROLL) && typeof roll.purpose === "string" && Number.isInteger(roll.bonus);
    return whole && /^[0-9a-f]{64}$/.test(roll.salt) && roll.dice.length && roll.dice.every(isDie) ? roll : null;
  } catch {
    return null;
  }
}

/** An entry that says that a roll was made, or shows one. */
export function record({ found, expect, rolls, thread, salted }, { what, n, wax, roll }) {
  if (what === "rolled") {
    found.secret = rolls.push({ wax, thread, salted });
    expect(n === rolls.length, `Secret roll ${n}: rolls are missing or out of order.`);
    return;
  }
  expect(!found.rolls.has(n), `Secret roll ${n} was shown twice.`);
  open({ found, expect, rolls }, n, roll);
}

/** What opened at the end, in the order in which it was recorded. */
export function opened({ found, expect, rolls, opened: { root } }, records) {
  let number = 0;
  const bare = rolls.filter(({ salted }) => !salted).length;
  const which = bare === 1 ? "roll 1: its" : `rolls 1 to ${bare}: their`;
  if (bare) found.notes.push(`Secret ${which} luck was drawn before any player’s browser had put a salt in.`);
  for (const { entry, roll } of records) {
    if (entry.what !== "rolled") {
      expect(roll === null, "A secret roll opens in the place of something else.");
      continue;
    }
    number += 1;
    const dice = open({ found, expect, rolls }, number, roll)?.dice;
    if (!dice) continue;
    const seed = h.rolledSeed(root, number, rolls[number - 1].thread);
    found.draws += dice.length;
    const right = dice.every((die, at) => h.face(seed, `secret/${number}/${at + 1}`, die.size) === die.face);
    expect(right, `Secret roll ${number} shows dice that its luck did not give.`);
  }
}

function open({ found, expect, rolls }, number, text) {
  const right = typeof text === "string" && h.rolledDigest(number, text) === rolls[number - 1]?.wax;
  if (!expect(right, `Secret roll ${number} is missing, or is not the one that was made.`)) return null;
  const roll = read(text);
  if (expect(roll, `Secret roll ${number} cannot be read.`)) found.rolls.set(number, said(roll));
  return roll;
}

function said({ purpose, dice, bonus }) {
  const worth = dice.map((die) => die.sign * (die.face - 1 + die.low));
  const total = worth.reduce((sum, one) => sum + one, bonus);
  const faces = worth.length > 1 || bonus ? ` (${worth.join(", ")})` : "";
  return `“${purpose}”: ${formula(dice, bonus)} = ${total}${faces}`.replaceAll(/(?<=[ (])-/g, "−");
}

// "2d8+d10(0-9)-1"
function formula(dice, bonus) {
  const terms = [];
  for (const die of dice) {
    const one = `d${die.size}${die.low ? "" : `(0-${die.size - 1})`}`;
    const sign = die.sign < 0 ? "-" : "+";
    const last = terms.at(-1);
    if (last?.one === one && last.sign === sign) last.many += 1;
    else terms.push({ sign, one, many: 1 });
  }
  const spelt = terms.map(({ sign, one, many }) => `${sign}${many > 1 ? many : ""}${one}`).join("");
  return `${spelt}${bonus ? `${bonus < 0 ? "-" : "+"}${Math.abs(bonus)}` : ""}`.replace(/^\+/, "");
}
