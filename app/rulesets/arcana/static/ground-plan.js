// Draws what one's own form says: ways, aims, how far things reach, the shape of a spell. It never leaves this page.
// See ground.js for the names of the fields. Lengths are in cm; kits are what app/rulesets/arcana/view/picture.py writes.

import { chosenIn } from "../../js/chosen.js";
import { asking, el, ground, numbers, onDraw, person, reaches, schedule } from "./ground-view.js";
import { onContent } from "../../js/swaps.js";

const FIELD = /^of\.([^.]+)\.(?:(free|major|when|keep|minors\.\d)\.(\w+)|what)$/;
const MOVES = { move: "transport", considered: "considered" };
const SAID = { step: "step", considered: "considered", transport: "transport", special: "special gait" };
let busyWith = ""; // whose fields were touched last

const cells = (cm) => cm / 50;
const cell = (text) => (/^\s*-?\d+\s*,\s*-?\d+\s*$/.test(text ?? "") ? numbers(text.replace(/\s/g, "")) : null);
const middle = ([x, y]) => [x + 0.5, y + 0.5];

// {id: {free: {…}, major: {…}, minors: [{…}, {…}], when: {…}}} of all forms on the page.
function plans() {
  const found = new Map();
  for (const form of document.querySelectorAll("form.declare")) {
    for (const [name, value] of chosenIn(form)) {
      const [, id, part, field] = name.match(FIELD) ?? [];
      if (!id || typeof value !== "string") continue;
      if (!found.has(id)) found.set(id, {});
      const plan = found.get(id);
      if (part) (plan[part] ??= {})[field] = value;
      else plan.what = value;
    }
  }
  return found;
}

function kitOf(one) {
  const kits = ground().dataset.kits;
  return kits && one.node.dataset.kit ? JSON.parse(kits)[Number(one.node.dataset.kit)] : null;
}

function circle(under, at, cm, words, kind = "") {
  const [x, y] = middle(at);
  const r = cells(cm);
  if (!(r > 0) || r > 90) return;
  under.append(el("circle", { class: `reach ${kind}`, cx: x, cy: y, r }));
  under.append(el("text", { class: "reach-words", x, y: y - r, dy: "-.35em" }, `${words}, ${cm / 100} m`));
}

// As in app/rulesets/arcana/rules/grid.py: whether a cell's middle is in an area.
export function inside(form, cm, origin, facing, at) {
  const [across, along] = [at[0] - origin[0], at[1] - origin[1]];
  if (form === "cube") return 100 * Math.max(Math.abs(across), Math.abs(along)) <= cm;
  if (!reaches(origin, at, cm)) return false;
  if (form === "sphere" || form === "cylinder") return true;
  if (!across && !along) return false;
  const ahead = across * facing[0] + along * facing[1];
  const aside = across * facing[1] - along * facing[0];
  if (form === "cone") return ahead > 0 && Math.abs(aside) <= ahead;
  if (form === "line") return ahead > 0 && 4 * aside * aside <= facing[0] ** 2 + facing[1] ** 2;
  return true;
}

function shapeOf(form, cm, origin, facing) {
  const [x, y] = middle(origin);
  const r = cells(cm);
  const turn = (Math.atan2(facing[1], facing[0]) * 180) / Math.PI;
  const way = `translate(${x} ${y}) rotate(${turn})`;
  if (form === "cube") return el("rect", { x: x - r / 2, y: y - r / 2, width: r, height: r });
  if (form === "line") return el("path", { d: `M0-.5H${r}V.5H0z`, transform: way });
  const k = r * Math.SQRT1_2;
  if (form === "cone") return el("path", { d: `M0 0L${k} ${-k}A${r} ${r} 0 0 1 ${k} ${k}z`, transform: way });
  return el("circle", { cx: x, cy: y, r });
}

function area(under, all, caster, spell, origin, target, fallback) {
  const [, form, wide, aim] = spell;
  if (!form || !wide) return;
  const directed = form === "cone" || form === "line";
  if (aim !== "none" && !directed && !target) return;
  const from = directed || aim === "none" ? origin : target;
  const same = !target || (target[0] === origin[0] && target[1] === origin[1]);
  const facing = same ? fallback : [target[0] - origin[0], target[1] - origin[1]];
  const drawn = shapeOf(form, wide, from, facing);
  drawn.setAttribute("class", "area");
  under.append(drawn);
  for (const one of all.filter(({ node }) => !node.matches(".is-object"))) {
    const own = one.id === caster.id;
    if (inside(form, wide, from, facing, own ? origin : one.at) && !(own && aim === "none")) one.node.classList.add("is-in");
  }
}

function arrow(over, one, from, to, kind, guarded) {
  const [a, b] = [middle(from), middle(to)];
  const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (far < 0.5) return;
  const half = Number(ground().style.getPropertyValue("--t")) * 0.62;
  const cut = (n) => [a[0] + ((b[0] - a[0]) * n) / far, a[1] + ((b[1] - a[1]) * n) / far];
  const [start, end] = [cut(Math.min(half, far / 3)), cut(kind === "way" ? far : Math.max(far - half, (far * 2) / 3))];
  const side = one.node.getAttribute("class").match(/side-\w/)[0];
  const path = el("path", { class: `${kind} ${side}${guarded ? " is-guarded" : ""}`, d: `M${start}L${end}` });
  over.append(path, head(end, [(b[0] - a[0]) / far, (b[1] - a[1]) / far], `tip ${side}`));
}

// Always of one size on the screen, however near the map is.
function head([x, y], [dx, dy], kind) {
  const long = 11 * Number(ground().style.getPropertyValue("--u"));
  const back = [x - dx * long, y - dy * long];
  const wing = (sign) => `${back[0] - sign * dy * long * 0.45} ${back[1] + sign * dx * long * 0.45}`;
  return el("path", { class: kind, d: `M${x} ${y}L${wing(1)}L${wing(-1)}z` });
}

function ghost(over, one, at) {
  const side = one.node.getAttribute("class").match(/side-(\w)/)[1];
  const made = el("g", { class: `token ghost side-${side}`, "data-at": at.join(","), transform: `translate(${middle(at).join(" ")})` });
  const piece = el("g", { class: "piece" });
  piece.append(el("use", { href: `#shape-${side}` }), el("text", { class: "mark", y: 0.15 }, one.node.querySelector(".mark")?.textContent));
  made.append(piece);
  over.append(made);
}

// What is done after all: only the half that `what` names, where a form has it.
function chosen(plan) {
  if (plan.what === "keep") return [{ do: "considered", to: plan.keep?.to, name: "minors.0" }];
  const parts = ["major", "minors.0", "minors.1"].filter((name) => !plan.what || name.startsWith(plan.what));
  return parts.filter((name) => plan[name]?.do).map((name) => ({ ...plan[name], name }));
}

function drawOne(under, over, all, one, plan, active) {
  const kit = kitOf(one);
  const acts = chosen(plan);
  const guards = plan.when?.verb ? plan.when.guards || "all" : "";
  const minors = acts.filter((act) => act.name !== "major");
  let at = one.at;
  const go = (to, far, words, guarded = false) => {
    if (active && kit) circle(under, one.at, far, words, "is-way");
    if (!to || (to[0] === at[0] && to[1] === at[1])) return;
    arrow(over, one, at, to, "way", guarded);
    at = to;
  };
  const step = cell(plan.free?.step);
  if (step || (active && document.activeElement?.name === `of.${one.id}.free.step`)) go(step, kit?.step, SAID.step);
  for (const act of acts.filter((act) => MOVES[act.do])) {
    const gait = act.gait === "special" ? "special" : MOVES[act.do];
    go(cell(act.to), kit?.[gait], SAID[gait]);
  }
  if (at !== one.at) ghost(over, one, at);
  for (const act of acts) {
    const guarded = guards === "all" || (guards && guards === String(minors.indexOf(act) + 1));
    aimed(under, over, all, one, act, { at, kit, active, guarded });
  }
}

function aimed(under, over, all, one, act, { at, kit, active, guarded }) {
  const target = person(act.target);
  const goal = target?.at ?? cell(act.at);
  if (act.do === "attack" || act.do === "use" || act.do === "trade") {
    if (active && act.do === "attack") circle(under, at, kit?.weapons[act.weapon], "reach", "is-aim");
    if (goal) arrow(over, one, at, goal, "aim", guarded);
  }
  if (act.do !== "cast" && act.do !== "quickspell") return;
  const spell = kit?.spells[act.spell];
  if (goal) arrow(over, one, at, goal, "aim", guarded);
  if (!spell) return;
  if (active && spell[3] !== "none" && !["cone", "line"].includes(spell[1])) circle(under, at, spell[0], "spell", "is-aim");
  const turned = Number(one.node.querySelector(".face")?.getAttribute("transform").match(/-?\d+/) ?? 0) * (Math.PI / 180);
  area(under, all, one, spell, at, goal, [Math.cos(turned), Math.sin(turned)]);
}

function draw(under, over, all) {
  for (const one of all) one.node.classList.remove("is-in");
  const found = plans();
  const own = [...found.keys()].filter((id) => person(id));
  const mode = asking();
  for (const id of own) {
    const active = !mode && (id === busyWith || own.length === 1); // while the map is asked, only how far that reaches
    drawOne(under, over, all, person(id), found.get(id), active);
  }
  const from = mode?.reach && person(mode.from);
  if (from) circle(under, from.at, mode.reach, "within", "is-asked");
}

for (const kind of ["input", "change", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const id = event.target.name?.match?.(FIELD)?.[1] ?? event.target.dataset?.from;
    if (!id && !event.target.closest?.("form.declare")) return;
    busyWith = id || busyWith;
    schedule();
  });
}
document.addEventListener("reset", () => setTimeout(schedule, 0));
onDraw(draw);
onContent(schedule);
