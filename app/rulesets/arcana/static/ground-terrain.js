// The GM's hand on the map: terrain, laid out from corner to corner. See ground.js for the markup.
//
//   <textarea name="terrain" data-kinds="mud, deep water, …" data-deep="drop">     lines like "mud 10,10 to 14,12", "drop 3,3 5 m deep"
//   <button data-pick="terrain" data-what="terrain">                               begins and ends it

import { between, inGround, open, tell } from "./ground-lay.js";
import { asking, el, endMode, ground, onDraw, onGrip, schedule, setMode } from "./ground-view.js";
import { onContent } from "../../js/swaps.js";

const CELL = "(\\d{1,3}) ?, ?(\\d{1,3})";
const LINE = new RegExp(`^([a-z_ -]+?)(?: from| at)? ${CELL}(?: ?(?:to|-|–) ?${CELL})?(?: (\\d{1,2}) ?m(?:etres?)?(?: deep)?)?$`);
const brush = { kind: "", deep: "3", corner: null, to: null }; // no kind: rubs out

function piece(line) {
  const found = line.toLowerCase().trim().replace(/\s+/g, " ").match(LINE);
  if (!found) return null;
  const [x1, y1, x2, y2] = found.slice(2, 6).map((n, i) => Number(n ?? found[i]));
  return { kind: found[1].replace(/[_-]/g, " "), deep: found[6], ...between([x1, y1], [x2, y2]) };
}

const crosses = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

function lay(field, from, to) {
  const rect = between(from, to);
  const lines = field.value.split("\n").filter((line) => line.trim());
  if (!brush.kind) {
    tell(field, lines.filter((line) => !piece(line) || !crosses(piece(line), rect)).join("\n"));
    return;
  }
  const more = rect.left < rect.right || rect.top < rect.bottom ? ` to ${rect.right},${rect.bottom}` : "";
  const deep = brush.kind === field.dataset.deep ? ` ${brush.deep} m deep` : "";
  tell(field, [...lines, `${brush.kind} ${rect.left},${rect.top}${more}${deep}`].join("\n"));
}

function choosers(field) {
  const group = (name, label, choices) => {
    const made = document.createElement("label");
    const select = document.createElement("select");
    select.setAttribute("aria-label", label);
    for (const [value, words] of choices) select.append(new Option(words, value, false, brush[name] === value));
    select.addEventListener("change", () => {
      brush[name] = select.value;
      brush.corner = brush.to = null;
      deep.hidden = brush.kind !== field.dataset.deep;
      schedule();
    });
    made.append(`${label} `, select);
    return made;
  };
  const kinds = field.dataset.kinds.split(", ");
  brush.kind ||= kinds[0];
  const deep = group("deep", "How deep", ["1", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30"].map((n) => [n, `${n} m`]));
  deep.hidden = brush.kind !== field.dataset.deep;
  const named = kinds.map((kind) => [kind, kind[0].toUpperCase() + kind.slice(1)]);
  return [group("kind", "Terrain", [...named, ["", "None: rub out"]]), deep];
}

function begin(button) {
  const field = button.form.elements.namedItem(button.dataset.pick);
  brush.corner = brush.to = null;
  setMode({
    words: "Lay terrain: drag from corner to corner, or walk with the arrow keys and press Enter at each.",
    tools: choosers(field),
    lays: field,
    says: () => (!brush.kind ? "Enter rubs out what lies here." : brush.corner ? "Enter sets the other corner." : "Enter sets a corner."),
    choose(cell) {
      const at = inGround(cell);
      if (brush.corner || !brush.kind) {
        lay(field, brush.corner ?? at, at);
        brush.corner = null;
      } else brush.corner = at;
      schedule();
    },
    end: (back) => back && button.isConnected && button.focus(),
  });
}

onGrip((cell) => {
  const field = asking()?.lays;
  if (!field) return null;
  const first = inGround(cell);
  return {
    move(at) {
      [brush.corner, brush.to] = [first, inGround(at)];
      schedule();
    },
    drop(at) {
      if (at) lay(field, first, inGround(at));
      brush.corner = brush.to = null;
      schedule();
    },
  };
});

function fieldOpen() {
  return [...document.querySelectorAll('textarea[name="terrain"]')].find((field) => {
    const what = field.form.elements.namedItem("what");
    return open(field) && (!what || what.value === "terrain");
  });
}

onDraw((under, over) => {
  const field = fieldOpen();
  ground().classList.toggle("is-laying", Boolean(field));
  if (field) {
    const drafted = el("g", { class: "zones-drafted" });
    for (const { kind, deep, left, top, right, bottom } of field.value.split("\n").map(piece).filter(Boolean)) {
      drafted.append(el("rect", { class: "zone", fill: "url(#hatch-zone)", x: left, y: top, width: right - left + 1, height: bottom - top + 1 }));
      drafted.append(el("text", { class: "zone-name", x: left + 0.2, y: top + 0.8 }, deep ? `${kind}, ${deep} m` : kind));
    }
    under.prepend(drafted);
  }
  if (asking()?.lays && brush.corner) {
    const { left, top, right, bottom } = between(brush.corner, brush.to ?? brush.corner);
    over.append(el("rect", { class: "brush", x: left, y: top, width: right - left + 1, height: bottom - top + 1 }));
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('button[data-what="terrain"]');
  if (!button || !ground()) return;
  if (asking()?.lays) endMode(true);
  else begin(button);
});
document.addEventListener("input", (event) => event.target.name === "terrain" && ground() && schedule());
onContent(() => ground() && schedule());
