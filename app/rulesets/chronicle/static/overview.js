// The whole field, small, in a corner, while only a part of it is seen; a press or a drag on it moves what is seen.

import { bar, board, el, frame, view } from "./field.js";

let [small, seen, text] = [null, null, ""];

function make() {
  const [left, top, wide, high] = frame();
  small = el(bar().lastElementChild, "svg", { class: "hexes overview", "aria-hidden": true, viewBox: frame().join(" ") });
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

// It goes to the side where it covers fewer units; of two as good ones to the one with more of the field beyond it.
export function show() {
  if (!small?.isConnected || text !== board().dataset.field) {
    small?.remove();
    make();
    text = board().dataset.field;
  }
  const { x, y, u } = view.look;
  const [wide, high] = view.room().map((pixels) => pixels * u);
  const [from, , all, down] = frame();
  small.toggleAttribute("hidden", wide > all - 1 && high > down - 1);
  for (const [name, value] of Object.entries({ x: x - wide / 2, y: y - high / 2, width: wide, height: high })) seen.setAttribute(name, value);
  const [box, window] = [small, board()].map((one) => one.getBoundingClientRect());
  const dots = { a: "", b: "" };
  let right = x > from + all / 2 ? 0.5 : 0;
  for (const unit of board().querySelectorAll(".unit")) {
    const one = unit.getBoundingClientRect();
    dots[unit.matches(".side-a") ? "a" : "b"] += `M${unit.closest("[transform]").getAttribute("transform").match(/[\d.]+/g)}h0`;
    if (one.bottom > box.top && one.top < box.bottom) right += (one.right > window.right - box.width - 9) - (one.left < window.left + box.width + 9);
  }
  for (const side of "ab") small.querySelector(`.side-${side}`).setAttribute("d", dots[side]);
  if (!small.matches(":active")) small.classList.toggle("is-left", right > 0);
}
