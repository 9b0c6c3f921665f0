// The whole field, small, in a corner, while only a part of it is seen; a press or a drag on it moves what is seen.

import { bar, board, el, frame, now, view } from "./field.js";
import { line } from "./hexes.js";

let [small, seen, text] = [null, null, ""];

function make() {
  const [left, top, wide, high] = frame();
  small = el(bar(), "svg", { class: "hexes overview", "aria-hidden": true, viewBox: [left, top, wide, high].join(" ") });
  for (const kind of ["pointerdown", "pointermove"]) small.addEventListener(kind, (event) => {
    if (!event.buttons) return;
    const box = small.getBoundingClientRect();
    view.look.x = left + ((event.clientX - box.left) / box.width) * wide;
    view.look.y = top + ((event.clientY - box.top) / box.height) * high;
    view.show();
  });
  for (const node of board().querySelectorAll(".ground, .high, .closed, .barred")) small.append(node.cloneNode());
  for (const side of ["a", "b"]) el(small, "path", { class: `overview-units side-${side}` });
  seen = el(small, "rect", { class: "overview-seen" });
}

export function show() {
  if (!small?.isConnected || text !== board().dataset.field) {
    small?.remove();
    make();
    text = board().dataset.field;
  }
  const [wide, high] = view.room().map((pixels) => pixels * view.look.u);
  const [left, top, all, whole] = frame();
  small.toggleAttribute("hidden", wide >= all - 1 && high >= whole - 1);
  for (const [name, value] of Object.entries({ x: view.look.x - wide / 2, y: view.look.y - high / 2, width: wide, height: high })) {
    seen.setAttribute(name, value.toFixed(1));
  }
  if (!small.matches(":active")) small.classList.toggle("is-left", view.look.x > left + all / 2);
  for (const path of small.querySelectorAll(".overview-units")) {
    const hexes = [...now.units.values()].filter((unit) => path.matches(`.side-${unit.side}`)).map((unit) => `${line([unit.hex])}h0`);
    path.setAttribute("d", hexes.join(""));
  }
}
