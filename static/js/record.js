// A file of receipts, read and checked: seals, luck and history are worked out again (docs/fairness.md).
// app/receipts does the same and also plays the scene again by its rules, which a browser cannot.

import * as h from "./hashes.js";
import { own } from "./owned.js";
import * as rolled from "./rolled.js";
import * as acts from "./step_acts.js";

const GM = "gm";
const PROTOCOLS = [1, 2];
const MOST_KEYS = 5; // that a note names
const HEAD = ["campaign", "scene", "title", "ruleset", "kind", "version", "status", "anchor", "setup"];
const BARE = ["ask", "how", "rank", "seat"];
const SEALED = [...BARE, "inner", "luck", "revision", "salted_by", "wax"];
const WHOLE = [...SEALED, "salt", "words"];
const STEP = ["asks", "key", "pace", "ranked", "seconds", "title"];
const ASK = ["about", "call", "first_stands", "kind", "known_to", "open_to", "opens", "seat"];
const EVENT = ["because", "event", "n", "rule"];
const ROLL = ["face", "label", "size", "stream"];
const SAYS = {
  closing: [["what", "step", "by", "k", "link", "rows", "events"], ["acts", "who"]],
  desk: [["what", "step", "by", "rows", "events"], []], // a GM's act at the desk, which opens no link
  entered: [["what", "seat", "events"], ["name", "sheet"]],
  told: [["what", "events"], []],
  rolled: [["what", "n", "wax"], []],
  shown: [["what", "n", "roll"], []],
  inner: [["what", "scene", "kind", "title", "how", "sheet", "events"], ["head", "result"]], // a scene played inside this one
  end: [["what", "how", "hidden", "kept", "sheets"], ["entries", "made", "acts", "who"]],
  hidden: [["what", "step", "by", "rows"], ["acts"]],
};

/** Whether a thing says all of `always`, and besides only `sometimes`. */
function says(thing, always, sometimes = []) {
  const known = ([key, value]) => (always.includes(key) && value !== null) || sometimes.includes(key);
  return always.every((key) => key in thing) && Object.entries(thing).every(known);
}

function same(one, other) {
  return canonical(one) === canonical(other);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/** What a file holds, line by line; a byte order mark and line ends of Windows are fine. Throws where it cannot be read. */
export function parse(text) {
  const lines = text.replace(/^\ufeff/, "").split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  const kinds = (name) => lines.slice(1).filter((line) => name in line).map((line) => line[name]);
  const opened = kinds("opened");
  must(PROTOCOLS.includes(lines[0]?.["signet-receipts"]) && opened.length <= 1);
  const records = lines.slice(1).filter((line) => "record" in line);
  for (const name of HEAD) must(isText(lines[0][name]));
  if (opened.length) shaped(opened[0]);
  return {
    header: lines[0],
    records: records.map(({ record, head }) => ({ text: record, head, entry: read(record) })),
    mine: kinds("mine"),
    kept: kinds("kept"),
    opened: opened[0] ?? null,
  };
}

function must(holds) {
  if (!holds) throw new Error("it is not a receipts file that this page can read");
}

function isText(value) {
  return typeof value === "string";
}

function shaped({ records, rows, log }) {
  must([records, rows, log].every(Array.isArray) && records.every((one) => "hidden" in one && Number.isInteger(one.last_event)));
}

function read(text) {
  const entry = JSON.parse(text);
  must(["events", "rows"].every((name) => Array.isArray(entry[name] ?? [])));
  if (entry.what === "closing") asking(entry.step);
  for (const name of ["kept", "sheets"]) must(Object.values(entry[name] ?? {}).every((digest) => /^[0-9a-f]{64}$/.test(digest)));
  return { ...entry, events: entry.events ?? [], rows: entry.rows ?? [], said: entry };
}

function asking({ key, title, pace = "", asks }) {
  must([key, title, pace].every(isText) && Array.isArray(asks));
  for (const { seat, kind, opens = "close", known_to: known } of asks) {
    must(isText(seat) && isText(kind) && ["close", "end", "never"].includes(opens) && (known ?? []).every(isText));
  }
}

/** Check a parsed file; `wrong` is empty if every check passes. */
export function check(file) {
  const { header, opened } = file;
  const found = { wrong: [], notes: [], closings: [], links: 0, protocol: header["signet-receipts"], seals: 0, closed: 0, draws: 0, waiting: 0, kept: 0, browsers: 0, rolls: new Map(), ballots: 0, acts: new Map(), givenBack: new Map(), secret: 0, over: opened !== null, head: h.firstHead(header) };
  const expect = (holds, says) => holds || (found.wrong.push(says), false);
  const walk = {
    header, opened, found, expect, link: header.anchor, thread: h.firstThread(header.anchor), salted: false, told: 0,
    seats: header.seats.map((seat) => seat.seat), rows: new Map(), seeds: new Map(), late: new Map(), parts: new Map(), moments: [], ballots: new Map(), rolls: [], heads: new Set([found.head]),
  };
  late(walk, file);
  file.records.forEach(({ text, head, entry }, place) => {
    found.head = h.nextHead(found.head, text);
    expect(found.head === head, `Record ${place + 1} does not follow from the records before it.`);
    walk.heads.add(found.head);
    record(walk, entry, place + 1);
  });
  ending(walk, file);
  if (opened) ended(walk, file);
  for (const [name, head] of Object.entries(header.carried)) found.notes.push(carried(name, head));
  own(walk, file);
  return found;
}

function carried(name, head) {
  if (head === null) return `It began with ${name} as the server had it, not from a recorded scene.`;
  return `It went on with ${name} from an earlier scene. Run signet verify with both files to check that nothing changed in between.`;
}

function late({ opened, late: found, expect }, { records }) {
  const asked = records.flatMap(({ entry }) => (entry.step?.asks ?? []).filter((ask) => ask.opens === "end").map((ask) => `${entry.step.key} ${ask.seat}`));
  for (const row of opened?.rows ?? []) {
    const place = `${row.step} ${row.seat}`;
    expect(asked.includes(place) && !found.has(place), `${row.step}: words of ${row.seat} do not belong to any question.`);
    found.set(place, row);
  }
}

function record(walk, entry, number) {
  const { expect } = walk;
  const desk = atDesk(walk, entry);
  const kind = ["hidden", "desk"].includes(entry.what) ? undefined : SAYS[desk ? "desk" : entry.what];
  expect(kind && says(entry.said, ...kind) && !Object.values(entry.said).includes(null), `Record ${number} says less or more than such a record does.`);
  for (const event of entry.events) {
    walk.told += 1;
    const causes = Array.isArray(event.because) && event.because.every((cause) => cause > 0 && cause < event.n);
    expect(event.n === walk.told && causes, `Record ${number}: events are missing or out of order.`);
    expect(says(event, EVENT), `Record ${number}: event ${event.n} says more than events say.`);
  }
  if (entry.what === "rolled" || entry.what === "shown") rolled.record(walk, entry);
  if (entry.what === "inner") inner(walk, entry, number);
  const shown = entry.what === "closing" ? closing(walk, entry, desk) : null;
  acts.record(walk, entry);
  walk.moments.push({ thread: walk.thread, salted: walk.salted });
  draws(walk, entry, shown, desk);
}

// Its head and its result can be compared with that scene's own file only by signet verify.
function inner({ found, expect }, { how, title, head, result }, number) {
  const known = ["over", "abandoned", "stuck", "left", "missing", "failed"].includes(how);
  const right = known && (/^[0-9a-f]{64}$/.test(head ?? "") || ["missing", "failed"].includes(how)) && (result === undefined || how === "over");
  expect(right, `Record ${number} says less or more than such a record does.`);
  found.notes.push(`“${title || "a scene that is gone"}” was played inside it. Run signet verify with both files to check that scene too.`);
}

/** Whether a closing is an act of the GM at the desk, which opens no link; under protocol 1 it does. */
function atDesk({ found }, { what, step }) {
  return found.protocol > 1 && what === "closing" && step.pace === "whenever" && step.asks.length > 0 && step.asks.every(({ seat }) => seat === GM);
}

function salted({ rows }) {
  return rows.some((row) => row.seat !== GM && row.salted_by === "browser");
}

function unsalted({ notes }, title) {
  const note = `${title}: its luck was drawn before any player’s browser had put a salt in.`;
  if (!notes.includes(note)) notes.push(note);
}

function closing(walk, entry, desk) {
  const { found, expect, opened } = walk;
  const { key, title } = entry.step;
  const shown = { title, rows: [], draws: [] };
  found.closings.push(shown);
  if (desk) {
    answers(walk, entry, shown, false);
    walk.seeds.set(key, null);
    return shown;
  }
  const number = (found.links += 1);
  expect(entry.k === number, `${title}: closings are missing or out of order.`);
  expect(h.before(entry.link) === walk.link, `${title}: its luck was not fixed when the scene was made.`);
  const lucks = answers(walk, entry, shown, false);
  walk.ballots.set(key, entry.events.flatMap(({ event }) => (Array.isArray(event?.ballots) ? event.ballots : [])));
  walk.link = entry.link;
  walk.thread = h.nextThread(walk.thread, number, lucks.filter((_, place) => entry.rows[place].seat !== GM));
  walk.salted ||= salted(entry);
  if (!walk.salted && [...rolls(entry.events)].length) unsalted(found, title);
  const veiled = opened && (found.protocol > 1 ? h.veiledSeed(opened.root, walk.thread) : h.oldVeiledSeed(opened.root, key, lucks));
  walk.seeds.set(key, { open: h.openSeed(entry.link, walk.thread), veiled });
  return shown;
}

// Every ask has its row, in seat order, and every seal is made for this very place. Returns the luck parts.
function answers(walk, entry, shown, hidden) {
  const { expect, seats, seeds } = walk;
  const { key, title, asks, ranked = false } = entry.step;
  expect(!seeds.has(key), `${title}: a step was closed twice.`);
  expect([entry.step, ...asks].every((of, at) => same(Object.keys(of).sort(), at ? ASK : STEP)), `${title}: the question says less or more than questions do.`);
  expect(asks.some((ask) => (ask.known_to ?? null) !== null) === hidden, `${title}: who may know of this question is not who knew of it.`);
  const place = (seat) => (seats.includes(seat) ? seats.indexOf(seat) : seats.length);
  const wanted = asks.map((ask) => ask.seat).sort((one, other) => place(one) - place(other));
  expect(new Set(wanted).size === wanted.length && same(entry.rows.map((row) => row.seat), wanted), `${title}: the answers are not those of the seats asked.`);
  order(expect, title, ranked, entry.rows);
  reason(walk, title, entry);
  return entry.rows.map((row) => {
    expect(seats.includes(row.seat), `${title}: there is no seat ${row.seat} at this scene.`);
    return answer(walk, entry.step, shown, row, hidden);
  });
}

function order(expect, title, ranked, rows) {
  const ranks = [...rows.filter((row) => row.wax).map((row) => row.rank).sort((a, b) => a - b), ...rows.filter((row) => !row.wax).map((row) => row.rank)];
  expect(ranks.every((rank, at) => rank === (ranked ? at + 1 : 0)), `${title}: the order in which its seats spoke is not one.`);
}

// An older Signet wrote "all" too where a GM went on without some seats and the others sealed.
function reason({ header, found, expect }, title, { by, rows }) {
  expect(rows.length ? ["all", "due", "gm"].includes(by) : by === "itself", `${title}: it did not close for the reason given.`);
  const without = rows.filter((row) => row.how !== "sealed").map(({ seat }) => header.seats.find((one) => one.seat === seat)?.name ?? seat);
  if (by === "all" && without.length) found.notes.push(`${title}: the server says that a GM went on without ${without.join(", ")}.`);
}

function answer(walk, { key, title, asks }, shown, row, hidden) {
  const { found, expect, header, opened } = walk;
  const name = header.seats.find((seat) => seat.seat === row.seat)?.name ?? row.seat;
  const ask = asks.find((one) => one.seat === row.seat);
  const after = walk.late.get(`${key} ${row.seat}`);
  const whole = after ? { ...row, salt: after.salt, words: after.words } : row;
  walk.rows.set(`${key} ${row.seat}`, whole);
  const line = { name: name === row.seat ? name : `${name} (${row.seat})`, how: row.how, by: row.salted_by, words: null, good: true };
  shown?.rows.push(line);
  const good = (holds, says) => (line.good = expect(holds, `${title}: ${says}`) && line.good);
  if (!good(ask && ask.kind === row.ask, `${name} answered what was not asked.`)) return null;
  if (!row.wax) {
    good(row.how === "default", `${name}’s answer has no seal.`);
    good(says(row, BARE), `${name}’s default says more than a default.`);
    return null;
  }
  const opens = ask.opens ?? "close";
  const now = opens === "close" || (hidden && opens === "end");
  const afterwards = opens === "end" && !hidden && opened !== null;
  good(says(row, now ? WHOLE : SEALED) && Boolean(after) === afterwards, `${name}’s words are missing, or are shown where the rules do not open them.`);
  good(row.how === "sealed" || row.how === "draft", `${name} answered in no known way.`);
  good(row.revision > 0, `${name}’s seal is of no revision.`);
  good(row.salted_by === "browser" || row.salted_by === "server", `nobody made the salt of ${name}’s seal.`);
  if (row.salted_by === "browser" && row.seat !== GM) found.browsers += 1;
  found.seals += 1;
  const place = { campaign: header.campaign, scene: header.scene, step: key, seat: row.seat, ask: row.ask };
  good(h.wax(place, row.luck, row.inner) === row.wax, `${name}’s seal is not made of the luck and words beside it.`);
  if ((whole.salt ?? null) === null) {
    found.closed += 1;
  } else {
    const made = h.seal(place, whole.salt, whole.words);
    line.words = good(made.luck === row.luck && made.inner === row.inner, `${name}’s words are not those that were sealed.`);
  }
  return row.luck;
}

// Everything inside an event, however deep, that is a draw or half of one.
function* rolls(value) {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value) && ("stream" in value || ROLL.filter((key) => key in value).length > 1)) yield value;
  for (const inner of Object.values(value)) yield* rolls(inner);
}

function isWhole(roll) {
  const typed = says(roll, ROLL) && typeof roll.label === "string" && Number.isInteger(roll.size) && Number.isInteger(roll.face);
  return typed && roll.size > 0 && (roll.stream === "open" || roll.stream === "veiled");
}

function draws(walk, entry, shown, desk) {
  const { found, expect } = walk;
  for (const roll of rolls(entry.events.map((one) => one.event))) {
    if (!isWhole(roll)) expect(false, `${shown?.title ?? "A record"}: a draw there is none.`);
    else if ((entry.what === "told" || desk) && roll.stream === "veiled") found.waiting += 1;
    else expect(entry.what === "closing" && !desk && roll.stream === "open", `The draw “${roll.label}” has no source.`);
  }
  if (shown) drawn(walk, entry.events.map((one) => one.event), walk.seeds.get(entry.step.key), shown);
}

function drawn({ found, expect }, events, seeds, shown) {
  const labels = new Set();
  for (const roll of rolls(events)) {
    const seed = roll.stream === "open" ? seeds?.open : seeds?.veiled;
    if (!isWhole(roll) || !seed) continue;
    found.draws += 1;
    const once = expect(!labels.has(roll.label), `The draw “${roll.label}” was made twice.`);
    labels.add(roll.label);
    const good = expect(h.face(seed, roll.label, roll.size) === roll.face, `The draw “${roll.label}” shows ${roll.face}, which its luck did not give.`);
    shown?.draws.push({ ...roll, good: once && good });
  }
}

function ending({ header, opened, expect }, { records }) {
  const ends = records.filter(({ entry }) => entry.what === "end");
  expect(["open", "over", "abandoned"].includes(header.status), "The scene is in no known state.");
  if (header.status === "open") {
    expect(!ends.length && !opened, "The scene is not over, but something says that it is.");
    return;
  }
  const last = ends.length === 1 && records.at(-1) === ends[0] ? ends[0].entry : null;
  expect(last?.how === header.status, "The scene’s end is not what was recorded.");
  expect(opened, "The scene is over, but what opens at its end is missing.");
  if (header.status !== "abandoned" || !last) return;
  const left = [last.kept, last.sheets].some((of) => Object.keys(of ?? {}).length) || last.entries || last.made;
  expect(!left, "The scene was abandoned, but changed something anyway.");
}

// What opened at the end: the far end of the chain, the setup, hidden closings, the whole log.
function ended(walk, file) {
  const { header, opened, expect } = walk;
  let link = opened.root;
  for (let n = 0; n < h.LINKS; n += 1) link = h.before(link);
  expect(link === header.anchor, "The chain of luck is not the one that was fixed.");
  expect(h.setupDigest(opened.setup_salt, opened.setup) === header.setup, "The scene did not start from this setup.");
  setup(walk, file);
  const texts = opened.records.map((one) => one.hidden ?? null).filter((one) => one !== null);
  const end = file.records.map(({ entry }) => entry).find((entry) => entry.what === "end");
  expect(end?.hidden === h.hiddenDigest(opened.setup_salt, texts), "The hidden closings are not those of the last record.");
  const hidden = texts.map(read);
  hidden.forEach((entry, at) => {
    expect(entry.what === "closing" && says(entry.said, ...SAYS.hidden), `Hidden record ${at + 1} says less or more than such a record does.`);
    const lucks = answers(walk, entry, null, true);
    acts.hidden(walk, entry);
    walk.parts.set(entry, lucks.filter((_, place) => entry.rows[place].seat !== GM));
    walk.seeds.set(entry.step.key, { open: null, veiled: h.oldVeiledSeed(opened.root, entry.step.key, lucks) });
  });
  const records = placed(walk, file, hidden);
  (walk.found.protocol > 1 ? veiledLuck : oldVeiledLuck)(walk, records);
  log(walk, records);
  for (const one of records) if (!one.secret) acts.opened(walk, one.entry, one.acts);
  rolled.opened(walk, records);
}

// The luck of hidden closings and of the GM's acts at the desk, each from the moment at which it fell.
function veiledLuck(walk, records) {
  const { found, seeds, parts, header, opened: { root } } = walk;
  let now = { thread: h.firstThread(header.anchor), salted: false };
  let [closings, acts] = [0, 0];
  const moments = [...walk.moments];
  for (const { entry, secret, logged } of records) {
    if (!secret) now = moments.shift();
    if (entry.what !== "closing") continue;
    const drew = [...rolls(logged.map((one) => one.event))].length > 0;
    if (atDesk(walk, entry)) {
      seeds.set(entry.step.key, { open: null, veiled: h.deskSeed(root, acts, now.thread) });
      acts += drew ? 1 : 0;
    } else if (secret) {
      seeds.set(entry.step.key, { open: null, veiled: h.hiddenSeed(root, (closings += 1), now.thread, parts.get(entry)) });
    }
    if (drew && !now.salted && !(secret && salted(entry))) unsalted(found, entry.step.title);
  }
}

// What a host could do under protocol 1.
function oldVeiledLuck({ found }, records) {
  const veiled = ({ logged }) => [...rolls(logged.map((one) => one.event))].some((roll) => roll.stream === "veiled");
  const titles = records.filter((one) => one.entry.step && veiled(one)).map(({ entry }) => entry.step.title);
  const some = [...titles.slice(0, MOST_KEYS), ...(titles.length > MOST_KEYS ? ["…"] : [])].join(", ");
  if (titles.length) found.notes.push(`${some}: under protocol 1 the GM’s salt was in the luck that nobody saw, so a GM who ran the server could have chosen it.`);
}

function setup({ header, opened, expect, found }, { records }) {
  let said = {};
  try {
    said = JSON.parse(opened.setup) ?? {};
  } catch {
    // what is compared with it below is found wrong
  }
  const came = records.map(({ entry }) => entry).filter((entry) => entry.what === "entered");
  expect(said.brief?.title === header.title && said.brief?.kind === header.kind, "The title or kind at the top of the file is not the scene’s.");
  const seats = [...Object.keys(said.brief?.seats ?? {}), ...came.map((entry) => entry.seat)];
  expect(same(header.seats.map((seat) => seat.seat), seats), "The seats at the top of the file are not the scene’s, in their order.");
  expect(same(Object.keys(said.kept ?? {}).sort(), Object.keys(header.carried).sort()), "The scene began with more or less than it says it took over.");
  const named = Object.keys(said.names ?? {}).sort();
  expect(!named.length || same(named, Object.keys(said.brief?.seats ?? {}).sort()), "Some of the seats began without a name.");
  expect(came.every((entry) => ("name" in entry) === ("sheet" in entry)), "Someone joined without a name or without a sheet.");
  const names = new Map([...Object.entries(said.names ?? {}), ...came.map((entry) => [entry.seat, entry.name]).filter(([, name]) => (name ?? null) !== null)]);
  for (const { seat, name } of header.seats) expect(name === (names.get(seat) ?? name), `${seat} is called “${name}” here, but was called “${names.get(seat)}”.`);
  if (names.size < header.seats.length) found.notes.push("Only the server says what the seats are called: an older Signet did not seal the names.");
}

// All records in the order in which they were made, each with the events that were logged with it.
function placed({ opened, expect }, { records }, hidden) {
  const shown = opened.records.filter((one) => (one.hidden ?? null) === null).length;
  const ends = [0, ...opened.records.map((one) => one.last_event)];
  const rising = ends.every((end, at) => at === 0 || end >= ends[at - 1]);
  const counted = opened.log.length === ends.at(-1) && opened.log.every((event, at) => event.number === at + 1);
  if (!expect(shown === records.length && rising && counted, "The record and the log are from different scenes.")) return [];
  const [open, closed] = [records.map(({ entry }) => entry), [...hidden]];
  return opened.records.map((one, at) => {
    const secret = (one.hidden ?? null) !== null;
    return { entry: secret ? closed.shift() : open.shift(), secret, logged: opened.log.slice(ends[at], ends[at + 1]), roll: one.roll ?? null, acts: one.acts ?? null };
  });
}

function log(walk, records) {
  const { expect, opened, found, seeds } = walk;
  if (!records.length) return;
  const shown = (event) => (event.n ?? null) !== null;
  const numbers = new Map(opened.log.filter(shown).map((event) => [event.number, event.n]));
  const seen = ({ n, rule, because, event }) => [n, rule, because, event];
  const spelt = (one) => [one.n, one.rule, one.because.filter((cause) => numbers.has(cause)).map((cause) => numbers.get(cause)), one.event];
  records.forEach(({ entry, secret, logged }, at) => {
    const title = entry.step?.title ?? entry.what;
    if (["told", "rolled", "shown", "end"].includes(entry.what)) expect(!logged.length, "The log has events that belong to no closing.");
    if (entry.what === "told") {
      expect(at > 0 && records[at - 1].secret, "There are events of a closing that did not happen.");
      return;
    }
    const behind = secret ? records[at + 1]?.entry : null;
    const told = behind?.what === "told" ? behind : null;
    const said = secret ? (told?.events ?? []) : entry.events;
    expect(same(said.map(seen), logged.filter(shown).map(spelt)), `${title}: the record does not match what everyone saw.`);
    expect(told === null || told.events.length, `${title}: it has no events.`);
    const now = logged.filter((event) => secret || !shown(event) || atDesk(walk, entry));
    drawn(walk, now.map((one) => one.event), seeds.get(entry.step?.key), null);
  });
  found.waiting = 0;
}
