// The one ceremony: what was decided in secret is shown piece by piece, in under three seconds.
//
//   <section data-reveal="STEP KEY">
//       what was revealed; played once per key and tab, if it came with a swap
//   <section data-reveal="…" data-alone>
//       …an older one: never by itself, and without pieces outside every section, which show the newest
//   <section data-reveal="…" data-fresh="yes">
//       …or if the page itself was loaded with it and it is new to its reader
//   <… data-stage="envelope|intent|stop|clash|dice|hurt" data-order="3">
//       the pieces, in this order, then by data-order, then as they stand; inside the section, or outside every section
//   <button data-replay="STEP KEY" hidden>
//       plays it again; an empty value means the section around it, or the newest; shown by this module
//
//   <ol class="events"><li id="e7">
//       lines inside the section come while the pieces play: line 7 with the first piece <… data-beat="7"> of the board
//       (or "7 8", for several lines), the lines between such ones in between
//
//   <… data-next>
//       tells what comes after what is revealed, as the GM's bar and the envelopes of the next step do: they wait while
//       a section plays for the first time
//
// Pieces get class "is-waiting", then "is-shown"; <html data-revealing="STEP KEY"> meanwhile. The first time it has
// data-suspense as well, and a question that came with the reveal, or comes while it plays, has class "is-next": what
// it asks would tell the end. Any key or press skips to the end, and presses nothing that appears there. Nothing is
// hidden with reduced motion, and without this module. A swap may come in between: the pieces are found anew, and go on
// from the same moment.

import { TAB, recallList, remember } from "./memory.js";
import { onContent } from "./swaps.js";

const STAGES = ["envelope", "intent", "stop", "clash", "dice", "hurt"];
const GAPS = { envelope: 120, intent: 150, stop: 260, clash: 260, dice: 180, hurt: 150 }; // ms before each piece
const LINE = 150; // ms for each line of the log where nothing else plays
const LONGEST = 2600; // ms; many pieces come faster, so that the last still has its own motion within three seconds
const ARRIVAL = 240; // ms; the motion of the last piece
const RELEASE = 100; // ms after a finger is lifted, when its click has long come
const PLAYED = "signet-reveals";

const played = new Set(recallList(PLAYED, TAB));
let playing = null; // {key, began, timer, kept}; kept: the questions that may stay, or null for all
let asked = new Set(); // the questions on the page before the newest swap
const after = []; // what waits for the end

function section(key) {
  return document.querySelector(`[data-reveal="${CSS.escape(key)}"]`);
}

function schedule(key) {
  const inside = section(key);
  const alone = inside?.matches("[data-alone]");
  const all = [...document.querySelectorAll("[data-stage]")];
  const lines = [...(inside?.querySelectorAll(".events > li") ?? [])].filter((line) => !line.matches("[data-stage]"));
  const beat = (line) => !alone && line && all.find((piece) => piece.dataset.beat?.split(" ").includes(line.id.slice(1)));
  const pieces = all
    .filter((piece) => !beat(piece.closest(".events > li"))) // what is in such a line comes with it
    .filter((piece) => inside?.contains(piece) || !(alone || piece.closest("[data-reveal]")))
    .filter((piece) => STAGES.includes(piece.dataset.stage))
    .map((piece, place) => [STAGES.indexOf(piece.dataset.stage), Number(piece.dataset.order ?? place), place, piece])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  let at = 0;
  const plan = pieces.map(([stage, , , piece]) => ({ piece, at: (at += GAPS[STAGES[stage]]) }));
  // The section's lines tell the outcome, so they come one by one while the pieces play, the last one with the last.
  const whole = at || lines.length * LINE;
  let from = 0;
  let free = [];
  for (const line of [...lines, null]) {
    const found = line ? plan.find(({ piece }) => piece === beat(line)) : { at: whole };
    free.push(line);
    if (!found) continue;
    const share = (found.at - from) / (free.length - !line);
    free.forEach((piece, place) => piece && plan.push({ piece, at: from + share * (place + 1) }));
    from = found.at;
    free = [];
  }
  const pace = Math.min(1, LONGEST / (whole || 1));
  return plan.map((step) => ({ piece: step.piece, at: step.at * pace })).sort((one, other) => one.at - other.at);
}

function paint() {
  clearTimeout(playing.timer);
  const plan = section(playing.key) ? schedule(playing.key) : [];
  const now = performance.now() - playing.began;
  for (const { piece, at } of plan) {
    piece.classList.toggle("is-waiting", at > now);
    piece.classList.toggle("is-shown", at <= now);
  }
  for (const ask of playing.kept ? questions() : []) ask.classList.toggle("is-next", !playing.kept.has(ask.id));
  const next = plan.find(({ at }) => at > now);
  if (next) playing.timer = setTimeout(paint, next.at - now + 1);
  else playing.timer = setTimeout(end, plan.length && ARRIVAL);
}

function questions() {
  return document.querySelectorAll("#asks .ask");
}

// Runs it when nothing is held back any more: now, or at the end of a reveal that plays for the first time.
export function afterReveal(run) {
  if (playing?.kept) after.push(run);
  else run();
}

function end() {
  if (!playing) return;
  clearTimeout(playing.timer);
  playing = null;
  delete document.documentElement.dataset.revealing;
  delete document.documentElement.dataset.suspense;
  for (const ask of questions()) ask.classList.remove("is-next");
  for (const piece of document.querySelectorAll(".is-waiting")) {
    piece.classList.remove("is-waiting");
    piece.classList.add("is-shown");
  }
  for (const run of after.splice(0)) run();
}

function play(key, kept = null) {
  end();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const { piece } of schedule(key)) piece.classList.remove("is-shown");
  playing = { key, began: performance.now(), timer: 0, kept };
  document.documentElement.dataset.revealing = key;
  if (kept) document.documentElement.dataset.suspense = "";
  paint();
}

function note(key) {
  played.add(key);
  remember(PLAYED, JSON.stringify([...played].slice(-200)), TAB);
}

// Plays the last section that is new here. A page nobody looks at keeps it until somebody does.
function look(first) {
  if (document.hidden && !first) return;
  let newest = null;
  for (const found of document.querySelectorAll("[data-reveal]")) {
    const key = found.dataset.reveal;
    if (!key || played.has(key) || found.matches("[data-alone]")) continue;
    const isNew = !first || found.dataset.fresh === "yes";
    if (isNew && document.hidden) continue;
    note(key);
    if (isNew) newest = key;
  }
  if (newest) play(newest, asked);
}

// Not at the press: what the end brings could lie under the finger when it is lifted. A press that becomes no click
// (a swipe, a finger moved aside) ends the reveal too. A click by a script is nobody's press.
const skip = {
  keydown: (event) => {
    if (playing?.kept) event.stopPropagation();
    end();
  },
  click: ({ isTrusted }) => isTrusted && end(),
  pointerup: () => {
    const pressed = playing;
    setTimeout(() => pressed && playing === pressed && end(), RELEASE);
  },
};
for (const [press, run] of Object.entries(skip)) document.addEventListener(press, run, { capture: true, passive: true });
document.addEventListener("visibilitychange", () => look(false));
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-replay]");
  if (!button) return;
  const sections = [...document.querySelectorAll("[data-reveal]")];
  const around = button.closest("[data-reveal]") ?? sections.at(-1);
  const key = button.dataset.replay || around?.dataset.reveal;
  if (key && section(key)) play(key);
});

onContent((root, first) => {
  for (const button of root.querySelectorAll("[data-replay]")) button.hidden = false;
  if (playing) paint();
  look(first);
  if (!document.hidden) asked = new Set([...questions()].map(({ id }) => id));
});
