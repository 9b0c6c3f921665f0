// Draws on the board what the form on this page says just now: a line from each of one's own fighters to whom they go for
// or guard. It never leaves this page; others see lines when the seals open.
//
//   <g data-fighter="KEY" transform="translate(x y)">, <g data-place="KEY" transform="…">   where somebody, or an area, is
//   <g data-aims>                               the lines go in here
//   of.KEY.intent, .attack, .engage, .area, .ward    the fields that are read, of forms with class "declare"

import { chosenIn } from "../../js/chosen.js";
import { onContent } from "../../js/swaps.js";

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 32; // between a token's middle and the end of a line

function target(values, name) {
  const of = (field) => values.get(`${name}.${field}`) ?? "";
  switch (of("intent")) {
    case "attack":
      return ["attack", of("attack")];
    case "advance":
      return of("engage") ? ["attack", of("engage")] : ["advance", `area:${of("area")}`];
    case "defend":
      return ["guard", of("ward").replace(/^who:/, "")];
    default:
      return ["", ""];
  }
}

function spot(board, key) {
  const [kind, name] = key.startsWith("area:") ? ["place", key.slice(5)] : ["fighter", key];
  const piece = board.querySelector(`[data-${kind}="${CSS.escape(name)}"]`);
  const found = piece?.getAttribute("transform")?.match(/translate\((-?[\d.]+) (-?[\d.]+)\)/);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

function line(board, key, what, to) {
  const [a, b] = [spot(board, key), spot(board, to)];
  if (!a || !b) return null;
  const middle = board.viewBox.baseVal.width / 2;
  const bow = a[0] !== b[0] ? 0 : a[0] < middle ? -78 : 78;
  const bend = [(a[0] + b[0]) / 2 + bow, (a[1] + b[1]) / 2];
  const leave = ([x, y]) => {
    const share = ROOM / (Math.hypot(bend[0] - x, bend[1] - y) || 1);
    return `${Math.round(x + (bend[0] - x) * share)} ${Math.round(y + (bend[1] - y) * share)}`;
  };
  const side = board.querySelector(`[data-fighter="${CSS.escape(key)}"]`).getAttribute("class").match(/side-(\w)/)?.[1];
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", `intent is-${what} side-${side}`);
  path.setAttribute("d", `M${leave(a)}Q${bend[0]} ${bend[1]} ${leave(b)}`);
  if (what !== "guard") path.setAttribute("marker-end", `url(#arrow-${side})`);
  return path;
}

function draw() {
  const place = document.querySelector("[data-aims]");
  if (!place) return;
  const lines = [];
  for (const form of document.querySelectorAll("form.declare")) {
    const values = chosenIn(form);
    for (const field of form.querySelectorAll("[name$='.intent']")) {
      const name = field.name.replace(/\.intent$/, "");
      const [what, to] = target(values, name);
      if (to) lines.push(line(place.ownerSVGElement, name.split(".").pop(), what, to));
    }
  }
  place.replaceChildren(...lines.filter(Boolean));
}

document.addEventListener("input", (event) => event.target.closest?.("form.declare") && draw());
onContent(draw);
