// A turn's form and the board: the words of folded rows, moves that end beside somebody, and lines of what is chosen.
//
//   <details class="hand-row"><summary>… <span data-act>…</span></summary> … <div class="sentence">
//       the row's words are those of its sentence, as far as it is shown; an option with data-said says that
//   of.KEY.first.do, .target, .zone, .close, of.KEY.then.…, of.KEY.turn      the fields that are read
//   <option data-zone="ZONE">           beside whom a move ends: it goes to that zone, and an attack after it at them
//   <span data-after="FIELD"><select>   one more substitute: shown once FIELD, or the select before it, names somebody
//   <g data-fighter="KEY" transform="translate(x y)">, <g data-place="ZONE"> with a rect; <g data-aims>
//       lines from one's own combatants to what is chosen go in here; they never leave this page

import { chosenIn } from "../../js/chosen.js";
import { onContent } from "../../js/swaps.js";

const SVG = "http://www.w3.org/2000/svg";
const AIMED = ["attack", "cast", "gambit"];
const GOES = ["move", "withdraw", "retreat"];

function said(field) {
  const option = field.selectedOptions?.[0];
  return option ? (option.dataset.said ?? option.text) : field.value;
}

function words(row) {
  const parts = [];
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) parts.push(child.data);
      else if (child.matches("select, input")) parts.push(said(child));
      else if (!child.matches("b, .said") && child.checkVisibility()) walk(child);
    }
  };
  walk(row.querySelector(".sentence"));
  const said = parts.join(" ").replace(/\s+/g, " ");
  row.querySelector("[data-act]").textContent = said.replace(/ (or else|beside|and) (nobody|nothing else)/g, "").trim();
}

function set(field, value) {
  if (![...(field?.options ?? [])].some((option) => option.value === value)) return;
  field.value = value;
}

function goBeside(field) {
  const fields = field.form.elements;
  const name = field.name.replace(/close$/, "");
  const zone = field.selectedOptions[0].dataset.zone;
  if (!zone) return;
  set(fields.namedItem(`${name}zone`), zone);
  if (!name.endsWith("first.")) return;
  const then = name.replace(/first\.$/, "then.");
  if (AIMED.includes(fields.namedItem(`${then}do`)?.value)) set(fields.namedItem(`${then}target`), field.value);
}

function spot(board, kind, key) {
  const piece = board.querySelector(`[data-${kind}="${CSS.escape(key)}"]`);
  const at = piece?.getAttribute("transform")?.match(/translate\((-?[\d.]+) (-?[\d.]+)\)/);
  if (at) return [Number(at[1]), Number(at[2])];
  const box = piece?.querySelector("rect")?.getBBox();
  return box ? [box.x + box.width / 2, box.y + box.height - 40] : null;
}

function line(a, b, what, side, short) {
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const bow = Math.min(40, long * 0.16);
  const middle = [(a[0] + b[0]) / 2 + ((b[1] - a[1]) / long) * bow, (a[1] + b[1]) / 2 - ((b[0] - a[0]) / long) * bow];
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", `intent is-${what} side-${side}`);
  const end = [b[0] - ((b[0] - middle[0]) / long) * short * 2, b[1] - ((b[1] - middle[1]) / long) * short * 2];
  path.setAttribute("d", `M${a.join(" ")}Q${middle.join(" ")} ${end.join(" ")}`);
  path.setAttribute("marker-end", `url(#arrow-${side})`);
  return path;
}

function unfold() {
  for (const more of document.querySelectorAll("[data-after]")) {
    const target = more.closest("form").elements.namedItem(more.dataset.after);
    more.hidden = !(target ?? more.previousElementSibling.querySelector("select")).value;
  }
}

function draw() {
  const place = document.querySelector("[data-aims]");
  if (!place) return;
  const board = place.ownerSVGElement;
  const lines = [];
  for (const form of document.querySelectorAll("form.declare")) {
    const values = chosenIn(form);
    for (const field of form.querySelectorAll("[name$='.turn']")) {
      const name = field.name.replace(/turn$/, "");
      const key = name.split(".")[1];
      let at = spot(board, "fighter", key);
      const own = board.querySelector(`[data-fighter="${CSS.escape(key)}"]`);
      const side = own?.getAttribute("class").match(/side-(\w)/)?.[1];
      for (const part of field.value === "full" ? ["first.", "then."] : ["first."]) {
        const of = (what) => values.get(`${name}${part}${what}`) ?? "";
        const aims = AIMED.includes(of("do"));
        const beside = of("do") === "move" && of("close");
        const goes = GOES.includes(of("do")) && of("zone");
        const whom = aims ? of("target") : beside;
        const to = whom ? spot(board, "fighter", whom) : goes ? spot(board, "place", goes) : null;
        if (!at || !to) continue;
        lines.push(line(at, to, aims ? "attack" : "guard", side, aims || beside ? 26 : 0));
        if (!aims) at = to;
      }
    }
  }
  place.replaceChildren(...lines);
}

document.addEventListener("change", (event) => {
  if (event.target.matches?.("select[name$='.close']")) goBeside(event.target);
});
document.addEventListener("input", (event) => {
  if (!event.target.closest?.("form.declare")) return;
  setTimeout(() => {
    unfold();
    draw();
    const row = event.target.closest(".hand-row");
    if (row?.querySelector("[data-act]")) words(row);
  });
});
onContent(() => {
  unfold();
  draw();
});
