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
// Pieces get class "is-waiting", then "is-shown"; <html data-revealing="STEP KEY"> meanwhile. Any key or press skips to
// the end. Nothing is hidden with reduced motion, and without this module. A swap may come in between: the pieces are
// found anew, and go on from the same moment.

import { recall, remember } from "./memory.js";
import { onContent } from "./swaps.js";

const STAGES = ["envelope", "intent", "stop", "clash", "dice", "hurt"];
const GAPS = { envelope: 120, intent: 150, stop: 260, clash: 260, dice: 180, hurt: 150 }; // ms before each piece
const LINE = 150; // ms for each line of the log where nothing else plays
const LONGEST = 2600; // ms; many pieces come faster, so that the last still has its own motion within three seconds
const PLAYED = "signet-reveals";

const played = new Set(JSON.parse(recall(PLAYED, sessionStorage) ?? "[]"));
let playing = null; // {key, began, timer}

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
  const next = plan.find(({ at }) => at > now);
  if (next) playing.timer = setTimeout(paint, next.at - now + 1);
  else end();
}

function end() {
  if (!playing) return;
  clearTimeout(playing.timer);
  playing = null;
  delete document.documentElement.dataset.revealing;
  for (const piece of document.querySelectorAll(".is-waiting")) {
    piece.classList.remove("is-waiting");
    piece.classList.add("is-shown");
  }
}

function play(key) {
  end();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const { piece } of schedule(key)) piece.classList.remove("is-shown");
  playing = { key, began: performance.now(), timer: 0 };
  document.documentElement.dataset.revealing = key;
  paint();
}

function note(key) {
  played.add(key);
  remember(PLAYED, JSON.stringify([...played].slice(-200)), sessionStorage);
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
  if (newest) play(newest);
}

for (const press of ["keydown", "pointerdown"]) document.addEventListener(press, end, { capture: true, passive: true });
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
});
