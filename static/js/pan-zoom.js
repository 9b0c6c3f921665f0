// A drawing of which a part is seen: a drag moves it, two fingers and the wheel (with Ctrl) zoom.
//
//   panZoom({...})   what it returns is called view in the modules that use it:
//     frame()        [left, top, wide, high] of the whole drawing, in its own units
//     closest        px that a unit may be wide; loose: how much smaller than its window the whole may be
//     keep           1: the frame fills the window; 0: it may be moved until its edge is in the middle
//     shown()        is called whenever another part is seen
//     grip(event)    what a drag from there takes along, {move(event), drop(event or null), now}; now: without a drag, too
//     press(event)   a click that is not the end of a drag
//     wheels()       whether the wheel zooms without Ctrl
//     resized()      the window has another size
//
//   view.look is the middle of what is seen, and how many units a pixel is (0: not looked at yet).

const STEADY = 6; // px a pointer may shake before a press becomes a drag
const MARGIN = 44; // px around what is moved into view

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

export function panZoom({ frame, closest, loose = 1, keep = 1, shown, grip, press, wheels, resized }) {
  const look = { x: 0, y: 0, u: 0 };
  const pointers = new Map();
  let [svg, held, swallow] = [null, null, false];
  const box = () => svg.getBoundingClientRect();

  function room() {
    const { width, height } = box();
    return [width || 1, height || 1];
  }

  function most() {
    const [wide, high] = room();
    return loose * Math.max(frame()[2] / wide, frame()[3] / high);
  }

  function at({ clientX, clientY }) {
    const { left, top, width, height } = box();
    return [look.x + (clientX - left - width / 2) * look.u, look.y + (clientY - top - height / 2) * look.u];
  }

  function show() {
    const size = room().map((pixels) => pixels * look.u);
    ["x", "y"].forEach((axis, number) => {
      const [from, length, half] = [frame()[number], frame()[number + 2], (keep * size[number]) / 2];
      look[axis] = 2 * half >= length ? from + length / 2 : clamp(look[axis], from + half, from + length - half);
    });
    const seen = [look.x - size[0] / 2, look.y - size[1] / 2, ...size];
    svg.setAttribute("viewBox", seen.map((number) => number.toFixed(3)).join(" "));
    shown(seen);
  }

  function zoom(times, event) {
    const before = event && at(event);
    look.u = clamp(look.u / times, 1 / closest, most());
    if (event) {
      const after = at(event);
      look.x += before[0] - after[0];
      look.y += before[1] - after[1];
    }
    show();
  }

  function reveal(point) {
    const far = room().map((pixels) => Math.max(0, pixels / 2 - MARGIN) * look.u);
    ["x", "y"].forEach((axis, number) => {
      look[axis] = clamp(look[axis], point[number] - far[number], point[number] + far[number]);
    });
    show();
  }

  function middle() {
    const [one, other = one] = pointers.values();
    const spread = Math.hypot(one[0] - other[0], one[1] - other[1]);
    return { x: (one[0] + other[0]) / 2, y: (one[1] + other[1]) / 2, spread };
  }

  function drag(event) {
    svg.setPointerCapture(event.pointerId);
    held.far = true;
  }

  function down(event) {
    if (event.button) return;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    held?.grip?.drop(null);
    const first = pointers.size < 2;
    held = { ...middle(), from: [event.clientX, event.clientY], far: !first, grip: first && grip(event) };
    if (!held.grip?.now) return;
    drag(event);
    held.grip.move(event);
  }

  function move(event) {
    if (!held || !pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!held.far && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < STEADY) return;
    if (!held.far) drag(event);
    if (held.grip) return held.grip.move(event);
    const now = middle();
    look.x -= (now.x - held.x) * look.u;
    look.y -= (now.y - held.y) * look.u;
    if (held.spread && now.spread) zoom(now.spread / held.spread, { clientX: now.x, clientY: now.y });
    else show();
    Object.assign(held, now);
  }

  function up(event) {
    if (!pointers.delete(event.pointerId) || !held) return;
    if (pointers.size) return Object.assign(held, middle());
    const { far, grip } = held;
    held = null;
    if (!far) return;
    swallow = true; // the click that follows
    setTimeout(() => (swallow = false));
    grip?.drop?.(event.type === "pointerup" ? event : null);
  }

  function click(event) {
    if (swallow) event.stopPropagation();
    else press(event);
  }

  function wheel(event) {
    if (!event.ctrlKey && !wheels?.()) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), event);
  }

  // Begins with a drawing that is new on the page.
  function attach(drawing) {
    svg = drawing;
    const on = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
    for (const kind in on) svg.addEventListener(kind, on[kind]);
    svg.addEventListener("click", click, true);
    svg.addEventListener("wheel", wheel, { passive: false });
    new ResizeObserver(() => svg.isConnected && resized()).observe(svg);
  }

  return { look, room, most, at, show, zoom, reveal, attach };
}
