// The page that checks a scene: fetches the file of receipts and works everything out again (docs/fairness.md).
// app/receipts/verify.py does the same and also plays the scene again by its rules, which a browser cannot.
//
//   <… id="verify" data-file="ADDRESS" data-receipts="KEY">   KEY: under which this browser noted its own seals
//   #verdict, #findings, #closings, #six, #download             are filled and changed by this module

import * as h from "./hashes.js";
import { noted } from "./receipts.js";
import { wordlist } from "../vendor/scure-bip39/2.4.0/english.js";

const GM = "gm";

export function sixWords(head) {
  const bits = BigInt(`0x${head.slice(0, 18)}`) >> 6n;
  return [0, 1, 2, 3, 4, 5].map((place) => wordlist[Number((bits >> BigInt(55 - 11 * place)) & 2047n)]).join(" ");
}

function* rolls(value) {
  if (Array.isArray(value)) for (const inner of value) yield* rolls(inner);
  else if (value && typeof value === "object") {
    if (Object.keys(value).sort().join() === "face,label,size,stream") yield value;
    for (const inner of Object.values(value)) yield* rolls(inner);
  }
}

/** What a file holds, line by line. Throws where it cannot be read. */
export function parse(text) {
  const lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  const kinds = (name) => lines.filter((line) => name in line);
  return {
    header: lines[0],
    records: kinds("record").map(({ record, head }) => ({ text: record, head, entry: JSON.parse(record) })),
    mine: kinds("mine").map(({ mine }) => mine),
    kept: kinds("kept").map(({ kept }) => kept),
    opened: kinds("opened")[0]?.opened ?? null,
  };
}

/** Check a parsed file; `wrong` is empty if all that can be checked holds. */
export function check(file) {
  const { header, opened } = file;
  const found = { wrong: [], notes: [], closings: [], seals: 0, closed: 0, draws: 0, waiting: 0, kept: 0, head: h.firstHead(header) };
  const walk = { link: header.anchor, thread: h.firstThread(header.anchor), salted: false, rows: new Map(), drawn: new Map(), heads: new Set([found.head]) };
  const late = new Map((opened?.rows ?? []).map((row) => [`${row.step} ${row.seat}`, row]));
  const expect = (holds, says) => holds || (found.wrong.push(says), false);
  file.records.forEach(({ text, head, entry }, place) => {
    found.head = h.nextHead(found.head, text);
    expect(found.head === head, `Record ${place + 1} does not follow from what stands before it.`);
    walk.heads.add(found.head);
    const seeds = entry.what === "closing" ? closing(found, walk, file, entry, late, expect) : {};
    draws(found, walk, entry, seeds, expect);
  });
  own(found, walk, file, expect);
  if (opened) {
    let link = opened.root;
    for (let n = 0; n < h.LINKS; n += 1) link = h.before(link);
    expect(link === header.anchor, "The chain of luck is not the one that was fixed.");
    expect(h.setupDigest(opened.setup_salt, opened.setup) === header.setup, "The scene did not start from this setup.");
    const hidden = opened.records.map((one) => one.hidden).filter((one) => one !== null);
    const end = file.records.map(({ entry }) => entry).find((entry) => entry.what === "end");
    expect(end?.hidden === h.hiddenDigest(opened.setup_salt, hidden), "The hidden closings are not those of the last record.");
  } else expect(header.status === "open", "The scene is over, but what opens at its end is missing.");
  return found;
}

function closing(found, walk, file, entry, late, expect) {
  const { header, opened } = file;
  const step = entry.step.key;
  const shown = { title: entry.step.title, rows: [], draws: [] };
  found.closings.push(shown);
  const number = found.closings.length;
  expect(entry.k === number, `${shown.title}: closings are missing or out of order.`);
  expect(h.before(entry.link) === walk.link, `${shown.title}: its luck was not fixed when the scene was made.`);
  const asks = new Map(entry.step.asks.map((ask) => [ask.seat, ask]));
  expect(entry.rows.length === asks.size, `${shown.title}: the answers are not those of the seats asked.`);
  const lucks = entry.rows.map((row) => seal(found, walk, header, step, shown, asks.get(row.seat), { ...row, ...late.get(`${step} ${row.seat}`) }, expect));
  walk.link = entry.link;
  walk.thread = h.nextThread(walk.thread, number, lucks.filter((_, place) => entry.rows[place].seat !== GM));
  walk.salted ||= entry.rows.some((row) => row.seat !== GM && row.salted_by === "browser");
  return {
    shown,
    open: h.openSeed(entry.link, walk.thread),
    veiled: opened ? h.veiledSeed(opened.root, step, lucks) : null,
  };
}

function seal(found, walk, header, step, shown, ask, row, expect) {
  const name = header.seats.find((seat) => seat.seat === row.seat)?.name ?? row.seat;
  walk.rows.set(`${step} ${row.seat}`, row);
  const line = { name, how: row.how, by: row.salted_by, words: null, good: true };
  shown.rows.push(line);
  if (!expect(ask && ask.kind === row.ask, `${shown.title}: ${name} answered what was not asked.`)) return null;
  if (!row.wax) {
    line.good = expect(row.how === "default", `${shown.title}: ${name}’s answer has no seal.`);
    return null;
  }
  found.seals += 1;
  const place = { campaign: header.campaign, scene: header.scene, step, seat: row.seat, ask: row.ask };
  line.good = expect(h.wax(place, row.luck, row.inner) === row.wax, `${shown.title}: ${name}’s seal is not made of the luck and words beside it.`);
  if (row.salt === undefined) {
    found.closed += 1;
  } else {
    const made = h.seal(place, row.salt, row.words);
    line.words = expect(made.luck === row.luck && made.inner === row.inner, `${shown.title}: ${name}’s words are not those that were sealed.`);
    line.good &&= line.words;
  }
  return row.luck;
}

function draws(found, walk, entry, seeds, expect) {
  const all = [...rolls(entry.events ?? [])];
  if (all.length && seeds.shown && !walk.salted) found.notes.push(`${seeds.shown.title}: its luck was drawn before any player’s browser had put a salt in.`);
  for (const roll of all) {
    const key = `${roll.stream} ${roll.label}`;
    if (walk.drawn.get(key) === `${roll.size} ${roll.face}`) continue;
    const seed = roll.stream === "open" ? seeds.open : seeds.veiled;
    if (!seed) {
      if (roll.stream === "open") expect(false, `The draw “${roll.label}” comes from nowhere.`);
      else found.waiting += 1;
      continue;
    }
    found.draws += 1;
    walk.drawn.set(key, `${roll.size} ${roll.face}`);
    const good = roll.size > 0 && h.face(seed, roll.label, roll.size) === roll.face;
    expect(good, `The draw “${roll.label}” shows ${roll.face}, which its luck did not give.`);
    seeds.shown?.draws.push({ ...roll, good });
  }
}

function own(found, walk, { mine, kept }, expect) {
  for (const one of mine) {
    const row = walk.rows.get(`${one.step} ${one.seat}`);
    if (row && row.revision === one.revision) expect(row.wax === one.wax, `${one.step}: the record has another seal than your own.`);
  }
  for (const one of kept) {
    const row = walk.rows.get(`${one.step} ${one.seat}`);
    if (one.head) expect(walk.heads.has(one.head), `${one.step}: this browser was shown another history than this one.`);
    if (!row || row.revision !== one.revision) continue;
    found.kept += 1;
    expect(row.wax === one.wax, `${one.step}: this browser sealed something else.`);
  }
}

// ---- the page ------------------------------------------------------------------------------------------------------

function element(tag, text, css = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (css) made.className = css;
  return made;
}

function many(number, one, more = `${one}s`) {
  return `${number} ${number === 1 ? one : more}`;
}

function show(found) {
  const verdict = document.getElementById("verdict");
  verdict.hidden = false;
  verdict.classList.toggle("bad", found.wrong.length > 0);
  verdict.classList.toggle("good", found.wrong.length === 0);
  verdict.textContent = found.wrong.length ? "This is not an honest record:" : "Everything that can be checked holds.";
  const list = document.getElementById("findings");
  list.replaceChildren(...found.wrong.map((line) => element("li", line, "fault")));
  const counted = [
    `${many(found.closings.length, "opening")}, ${many(found.seals, "seal")}, ${many(found.draws, "card or die", "cards and dice")} worked out again.`,
    found.kept ? `${many(found.kept, "seal")} compared with what this browser noted when it made them.` : "This browser noted no seal of its own here that has been opened.",
  ];
  if (found.closed) counted.push(`The words of ${many(found.closed, "seal")} are still closed.`);
  if (found.waiting) counted.push(`${many(found.waiting, "hidden draw")} can be checked when the scene is over.`);
  list.append(...counted.map((line) => element("li", line)), ...found.notes.map((line) => element("li", line, "soft")));
  document.getElementById("closings").replaceChildren(...found.closings.map(chapter));
  const six = document.getElementById("six");
  six.textContent = sixWords(found.head);
}

function chapter(closing) {
  const box = document.createElement("details");
  const draws = closing.draws.length ? `, ${many(closing.draws.length, "draw")}` : "";
  box.append(element("summary", `${closing.title}: ${many(closing.rows.length, "answer")}${draws}`));
  const list = element("ul", "", "list small");
  for (const row of closing.rows) list.append(element("li", answered(row), row.good ? "" : "fault"));
  for (const roll of closing.draws) list.append(element("li", `${roll.label}: ${roll.face} of ${roll.size}`, roll.good ? "soft" : "fault"));
  box.append(list);
  return box;
}

function answered(row) {
  if (row.how === "default") return `${row.name} did not answer; the rules’ own answer counted.`;
  const by = row.by === "browser" ? "sealed by the player’s browser" : "sealed by the server, for a browser without scripts";
  const words = row.words === null ? "its words are still closed" : row.words ? "the words are those that were sealed" : "the words were changed";
  return `${row.name}: ${by}; ${words}.`;
}

async function run(place) {
  const verdict = document.getElementById("verdict");
  verdict.hidden = false;
  verdict.textContent = "Working it out…";
  const answer = await fetch(place.dataset.file, { headers: { Accept: "application/jsonl" } });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const text = await answer.text();
  const kept = noted(place.dataset.receipts).map((one) => JSON.stringify({ kept: one }));
  const whole = text + kept.map((line) => `${line}\n`).join("");
  show(check(parse(whole)));
  offer(whole);
}

// The download brings along what this browser noted, so that another computer can hold it against the record.
function offer(text) {
  const link = document.getElementById("download");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    const made = document.createElement("a");
    made.href = address;
    made.download = document.querySelector("pre.secret").textContent.trim().split(" ").at(-1);
    made.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
}

const place = typeof document === "undefined" ? null : document.getElementById("verify");
if (place) {
  run(place).catch((error) => {
    const verdict = document.getElementById("verdict");
    verdict.classList.add("bad");
    verdict.textContent = `The record could not be checked here (${error.message}). Download the file and use signet verify.`;
  });
}
