// The whole field, small, in a corner, while only a part of it is seen; a press or a drag on it moves what is seen.

import { bar, board, el, frame, now, orders, view } from "./field.js";
import { centre } from "./hexes.js";

const EDGE = 6; // px from the edge of the field
const ABOVE = 24; // px of the numbers on top
const RIM = 36; // units from the edge of the whole to the hexes at its rim

let [small, seen, text, corner] = [null, null, "", 0];

function make() {
  const [left, top, wide, high] = frame();
  small = el(bar(), "svg", { class: "hexes overview", "aria-hidden": true, viewBox: frame().join(" ") });
  for (const kind of ["pointerdown", "pointermove"]) small.addEventListener(kind, (event) => {
    if (!event.buttons) return;
    const box = small.getBoundingClientRect();
    view.look.x = left + ((event.clientX - box.left) / box.width) * wide;
    view.look.y = top + ((event.clientY - box.top) / box.height) * high;
    view.show();
  });
  for (const node of board().querySelectorAll(".ground, .high, .closed, .barred")) small.append(node.cloneNode());
  for (const side of "ab") el(small, "path", { class: `overview-units side-${side}` });
  seen = el(small, "rect", { class: "overview-seen" });
}

// It goes to the corner where it covers the fewest units and chances, and first of all no unit that is to be ordered;
// rather not to a corner of the field itself, which nobody could move from under it; rather below than above, and it stays
// where it is as good.
export function show() {
  if (!small?.isConnected || text !== board().dataset.field) {
    small?.remove();
    make();
    text = board().dataset.field;
  }
  const { x, y, u } = view.look;
  const room = view.room();
  const [wide, high] = room.map((pixels) => pixels * u);
  const [from, first, all, down] = frame();
  small.toggleAttribute("hidden", wide > all - 1 && high > down - 1);
  for (const [name, value] of Object.entries({ x: x - wide / 2, y: y - high / 2, width: wide, height: high })) seen.setAttribute(name, value);
  const spots = [...board().querySelectorAll(".odds text")].map((one) => [[Number(one.getAttribute("x")), one.getAttribute("y") - 4], 1]);
  const dots = { a: "", b: "" };
  for (const { hex, side } of now.units.values()) {
    dots[side] += `M${centre(hex)}h0`;
    spots.push([centre(hex), 1]);
  }
  for (const side in dots) small.querySelector(`.side-${side}`).setAttribute("d", dots[side]);
  const plan = orders?.plan;
  for (const key of plan?.keys ?? []) if (plan.where(key)) spots.push([centre(plan.where(key)), 20]);
  if (small.matches(":active")) return;
  const { width, height } = small.getBoundingClientRect();
  const buttons = bar().querySelector("div").offsetHeight + 2 * EDGE;
  const places = [[0, 1], [1, 1], [0, 0], [1, 0]].map(([right, low], number) => {
    const [left, top] = [right ? room[0] - width - EDGE : EDGE, low ? room[1] - height - buttons : ABOVE];
    const over = (spot) => {
      const [across, along] = [0, 1].map((axis) => (spot[axis] - view.look["xy"[axis]]) / u + room[axis] / 2);
      return Math.abs(across - left - width / 2) < width / 2 + 13 / u && Math.abs(along - top - height / 2) < height / 2 + 13 / u;
    };
    const across = right ? x + wide / 2 > from + all - RIM : x - wide / 2 < from + RIM;
    const last = across && (low ? y + high / 2 > first + down - RIM : y - high / 2 < first + RIM);
    const cost = spots.reduce((sum, [spot, by]) => sum + by * over(spot), 5 * last + 0.6 * !low - 0.3 * (number === corner));
    return { number, left, top, cost };
  });
  const best = places.reduce((one, other) => (other.cost < one.cost ? other : one));
  corner = best.number;
  small.style.translate = `${best.left}px ${best.top - room[1]}px`;
}
