// A wizard's declaration while it is filled in: read back as a sentence, priced, and told what does not fit together.
//
//   <… data-plans='{"phrases":…,"says":…}'>     around all declarations of one form: the words they have in common
//   <fieldset data-plan='{"id":"ada",…}'>       one combatant's fields, "of.ada.…"; what it has, by id
//   <… data-read-back="ada">                    the sentence, as the server says it too
//   <… data-says="ada">                         what does not fit together; the server checks it all again
//   <output data-price="of.ada.major.">         what the spell costs with its power points
//   <… data-aim="somebody of.ada.major.">       shown where the chosen deed is aimed at somebody ("place": at a place)
//   <button data-measure="of.ada.major.">       its data-reach follows the chosen weapon or spell
//   <button data-step="-1" data-of="of.ada.major.pp">   one power point less, shown where scripts run
//   <… data-fold-says="when">                   what a folded part (free, when, react) holds, in a few words
//
// Buttons for the map (data-pick) are hidden without a map on the page.

import { chosenIn } from "../../js/chosen.js";
import { onContent } from "../../js/swaps.js";

const ANY_PLACE = "place";
const AIMED = ["attack", "cast", "quickspell"];
const METRE = 100; // cm
const CELL = 50; // cm

export function cell(text) {
  const found = /^\s*(-?\d{1,5})\s*,\s*(-?\d{1,5})\s*$/.exec(text ?? "");
  return found ? [Number(found[1]), Number(found[2])] : null;
}

function put(phrase, parts) {
  return phrase.replace(/\{(\w*)\}/g, (_, name) => parts[name] ?? "");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listed(words) {
  const last = words[words.length - 1] ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last}` : last;
}

export function far(from, to) {
  return CELL * Math.hypot(to[0] - from[0], to[1] - from[1]);
}

export function metres(length) {
  return `${Math.round(length / 10) / 10} m`;
}

// The same eight directions as on the server: along the second number it goes south.
function compass([x, y], [toX, toY], names) {
  const [across, along] = [toX - x, toY - y];
  if (Math.abs(across) > 2 * Math.abs(along)) return names[across > 0 ? 0 : 4];
  if (Math.abs(along) > 2 * Math.abs(across)) return names[along > 0 ? 2 : 6];
  return names[along > 0 ? (across > 0 ? 1 : 3) : across > 0 ? 7 : 5];
}

export class Plan {
  constructor(field) {
    this.field = field;
    this.form = field.closest("form");
    this.has = JSON.parse(field.dataset.plan);
    this.words = JSON.parse(field.closest("[data-plans]").dataset.plans);
    this.base = `of.${this.has.id}.`;
    this.subject = this.has.name || "I";
    this.person = this.has.name ? 1 : 0; // which of two phrases
    this.values = chosenIn(this.form);
  }

  get(name) {
    return String(this.values.get(this.base + name) ?? "").trim();
  }

  // What counts of the form: the same as on the server, where what was not chosen stays out.
  read() {
    const what = this.get("what");
    const minors = ["minors.0.", "minors.1."].map((n) => ({ ...this.action(n), quick: true })).filter((one) => one.do);
    const major = this.action("major.");
    const turn = { what, major: null, minors: [], when: this.when(), react: this.react(), free: this.free(), back: this.back() };
    if (what === "keep") {
      turn.major = { do: "maintain" };
      const to = cell(this.get("keep.to"));
      if (to) turn.minors = [{ do: "considered", to }];
    } else if (what !== "hold" && what !== "again") {
      if (what !== "minors" && major.do) turn.major = major;
      if (what !== "major") turn.minors = minors;
    }
    if (what === "hold" || what === "again") turn.when = null;
    if (what === "again") turn.back = null;
    if (turn.when && what === "major") turn.when.guards = "all";
    return turn;
  }

  action(n) {
    const allies = this.values.getAll(`${this.base}${n}allies[]`);
    const [does, pp] = [this.get(`${n}do`), Number(this.get(`${n}pp`)) || 0];
    const spell = this.has.spells[this.get(`${n}spell`)];
    const aim = does === "cast" || does === "quickspell" ? (spell?.[2] ?? "none") : "somebody";
    return {
      n,
      do: does,
      pp,
      spell,
      allies,
      aim,
      target: aim === "somebody" ? this.get(`${n}target`) : "",
      at: aim === "place" || !this.get(`${n}target`) ? cell(this.get(`${n}at`)) : null,
      to: cell(this.get(`${n}to`)),
      gait: this.get(`${n}gait`) || "walk",
      weapon: does === "aim" ? [this.label(`${n}steady`)] : this.has.weapons[this.get(`${n}weapon`)],
      book: does === "cast" && Boolean(spell?.[5]),
      item: this.label(`${n}${{ don: "wear", drop: "lay" }[does] ?? "item"}`),
      care: this.get(`${n}item`) === "emergency_care",
      drunk: this.words.drunk.includes(this.get(`${n}item`)),
      down: this.get(`${n}way`) === "prone",
      other: this.get(`${n}hand`) === "other",
      power: Number(this.get(`${n}power`)) || 0,
      cycles: Number(this.get(`${n}cycles`)) || 1,
      gives: this.ticked(`${n}gives[]`),
      words: this.get(`${n}words`).replace(/\s+/g, " "),
      attr: this.words.attrs[this.get(`${n}attr`)] ?? "",
    };
  }

  when() {
    const one = { who: this.get("when.who"), verb: this.get("when.verb"), whom: this.get("when.whom") };
    one.words = this.get("when.words");
    one.using = this.get("when.using") ? this.label("when.using") : "";
    one.mode = this.get("when.mode");
    one.guards = this.get("when.guards") || "all";
    if (one.whom === ANY_PLACE) one.place = this.get("when.at").replace(/\s/g, "");
    return one.who || one.verb || one.whom || one.using || one.words ? one : null;
  }

  back() {
    return this.get("back.do") ? { weapon: this.has.weapons[this.get("back.weapon")]?.[0], target: this.get("back.target") } : null;
  }

  react() {
    const spells = this.ticked("react.spells[]");
    const [spares, leaps] = [this.get("react.on_killing") === "spare", this.get("react.on_area") === "leap"];
    return { resist: this.get("react.resist"), critical: this.get("react.on_critical"), spells, spares, leaps, watch: this.ticked("react.watch[]") };
  }

  ticked(name) {
    const boxes = this.field.querySelectorAll(`[name="${CSS.escape(this.base + name)}"]:checked`);
    return [...boxes].map((box) => box.dataset.name);
  }

  free() {
    const ticked = (name) => this.values.get(`${this.base}free.${name}`) === "yes";
    return { step: cell(this.get("free.step")), face: cell(this.get("free.face")), emerge: ticked("emerge"), back: ticked("back") };
  }

  label(name) {
    const option = this.form.elements.namedItem(this.base + name)?.selectedOptions?.[0];
    return option?.value ? (option.dataset.name ?? option.text) : "";
  }

  name(key) {
    return this.has.people[key] ?? this.words.groups[key] ?? "someone";
  }

  // ------------------------------------------------------------------------------------------------ in words

  way(to) {
    if (!to) return " somewhere";
    if (this.here(to)) return " on the spot";
    return ` ${metres(far(this.has.at, to))} ${compass(this.has.at, to, this.words.compass)}`;
  }

  here([x, y]) {
    return x === this.has.at[0] && y === this.has.at[1];
  }

  point(at) {
    return this.here(at) ? "this very spot" : `a point${this.way(at)}`;
  }

  where(text) {
    const at = cell(text);
    if (!at) return text;
    return this.here(at) ? this.point(at) : `${this.point(at)} of ${this.has.name || "me"}`;
  }

  // Whom or what a movement leads to, in the same direction.
  towards(to) {
    if (!to || this.here(to)) return "";
    const [from, names] = [this.has.at, this.words.compass];
    const ahead = Object.entries(this.has.where)
      .filter(([key, at]) => key !== this.has.id && !this.has.dead.includes(key) && !this.here(at))
      .filter(([, at]) => compass(from, at, names) === compass(from, to, names) && far(to, at) <= this.words.towards)
      .map(([key, at]) => [far(to, at), this.name(key)])
      .sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1));
    return ahead.length ? ` towards ${ahead[0][1]}` : "";
  }

  target(key) {
    if (key === this.has.id) return this.words.self[this.person];
    if (!key || key === "them") return key || "someone";
    return this.name(key);
  }

  phrase(one) {
    if (one.do === "attack" && one.quick) return "quickloose";
    if (one.do === "shove" && one.down) return "throw_down";
    if (one.do === "move" && one.gait === "special") return "special";
    if (one.do === "communicate" && one.allies?.length) return one.words ? "coded" : "whispered";
    if (one.do === "cast" && one.book) return "book";
    if (one.do === "use" && one.words && !one.drunk) return "use_so";
    if (one.do === "use_major" && one.care) return "care";
    if (one.do === "use_major" && one.item) return one.other ? "take_other" : "take";
    return one.do === "use_major" && one.words ? "handle" : one.do;
  }

  says(one) {
    const said = this.words.phrases[this.phrase(one)];
    if (!said) return "";
    const target = this.target(one.target);
    return put(said[this.person], {
      target,
      on: one.target ? ` on ${target}` : one.at && one.aim !== "none" ? ` at ${this.point(one.at)}` : "",
      weapon: one.weapon?.[0] ?? "something",
      spell: one.spell?.[0] ?? "a spell",
      points: one.pp ? ` with ${one.pp} power point${one.pp > 1 ? "s" : ""}` : "",
      named: one.spell ? `: ${one.spell[0]}` : "",
      item: one.item || "something",
      to: this.way(one.to) + this.towards(one.to),
      attr: one.attr,
      power: one.power ? put(this.words.power, { less: one.power, more: 2 * one.power }) : "",
      long: one.cycles > 1 ? put(this.words.long, { cycles: one.cycles }) : "",
      gives: one.gives?.length ? put(this.words.gives, { gives: listed(one.gives) }) : "",
      words: `“${one.words}”`,
      allies: listed((one.allies ?? []).map((key) => this.name(key))),
    });
  }

  clause(turn, guarded) {
    const { when, words } = { when: turn.when, words: this.words };
    const acts = guarded.map((one) => this.says(one));
    const does = listed(acts.length ? acts : [words.phrases.hold[this.person]]);
    const then = `${when.mode === "interrupt" ? words.first : ""}${this.subject} ${does}`;
    if (when.verb === "text") return `If this is true: “${when.words.replace(/\s+/g, " ")}”, then ${then}.`;
    const who = words.groups[when.who] ?? this.name(when.who);
    const verb = this.has.verbs[when.verb];
    if (!verb) return `If ${who} does something, then ${then}.`;
    const whom = when.place !== undefined ? this.where(when.place) : (when.whom === "me" || when.whom === this.has.id ? this.has.name || "me" : when.whom && this.name(when.whom));
    const [says, made, unnamed, on] = verb;
    const did = made ? [made.replace("{}", when.using || unnamed), whom && `${on} ${whom}`] : [says, whom, when.using && `with ${when.using}`];
    return `If ${who} ${did.filter(Boolean).join(" ")}, then ${then}.`;
  }

  split(turn) {
    const all = [...(turn.major ? [turn.major] : []), ...turn.minors];
    if (!turn.when) return [all, []];
    if (turn.when.guards === "all") return [[], all];
    const number = Number(turn.when.guards) - 1;
    return [turn.minors.filter((_, n) => n !== number), turn.minors.slice(number, number + 1)];
  }

  freely(free) {
    const { phrases } = this.words;
    const found = free.emerge ? [phrases.emerge[this.person]] : [];
    if (free.back) found.push(phrases.back[this.person]);
    if (free.step) found.push(put(phrases.step[this.person], { to: this.way(free.step) }));
    if (free.face) found.push(put(phrases.face[this.person], { to: this.here(free.face) ? "" : ` ${compass(this.has.at, free.face, this.words.compass)}` }));
    return found;
  }

  strikesBack({ weapon, target }) {
    const whom = target ? this.target(target) : this.words.attacker;
    return put(this.words.back[this.person], { name: capital(this.subject), target: whom, weapon: weapon ?? "something" });
  }

  reacts({ resist, critical, spells, spares, leaps, watch }) {
    if (this.has.name) return [];
    const said = this.words.resists[resist];
    const found = said ? [put(said, { spells: listed(spells) || "nothing" })] : [];
    if (critical === "armour") found.push(this.words.armour);
    if (watch.length) found.push(put(this.words.watches, { watch: listed(watch) }));
    return [...found, ...(spares ? [this.words.spares] : []), ...(leaps ? [this.words.leaps] : [])];
  }

  sentence(turn) {
    if (turn.what === "again") return [this.has.again, ...this.reacts(turn.react)].join(" ");
    const [plain, guarded] = this.split(turn);
    const free = this.freely(turn.free);
    const acts = [...free, ...plain.map((one) => this.says(one))];
    let found = acts.length ? [`${capital(this.subject)} ${listed(acts)}.`] : [];
    if (turn.when) found.push(this.clause(turn, guarded));
    else if (!plain.length) found = [`${capital(this.subject)} ${listed([...acts, this.words.phrases.hold[this.person]])}.`];
    if (turn.back) found.push(this.strikesBack(turn.back));
    const cost = this.cost(turn);
    return [...found, ...this.reacts(turn.react), ...(cost ? [`This costs ${cost} of ${this.has.fp} FP.`] : [])].join(" ");
  }

  // ------------------------------------------------------------------------------------------------ what fits

  price(one) {
    return one.spell && (one.do === "cast" || one.do === "quickspell") ? one.spell[1] + (one.book ? 0 : one.pp) : 0;
  }

  cost(turn) {
    return [...(turn.major ? [turn.major] : []), ...turn.minors].reduce((sum, one) => sum + this.price(one), 0);
  }

  wrong(turn) {
    const { says } = this.words;
    const found = [];
    if (turn.minors.filter((one) => one.do === "considered").length > 1) found.push(says.considered);
    let left = this.has.fp;
    for (const one of [...(turn.major ? [turn.major] : []), ...turn.minors]) {
      const cost = this.price(one);
      if (cost > left) found.push(put(says.fp, { spell: one.spell[0], cost, left }));
      left -= cost;
      const room = one.do === "considered" ? this.has.far.considered : one.do === "move" ? this.has.far[one.gait] : null;
      if (room !== null && one.to && far(this.has.at, one.to) > room) {
        found.push(put(says.far, { far: room / METRE }));
      }
      if (one.target === "them" && !(turn.when && this.split(turn)[1].includes(one))) found.push(says.them);
    }
    if (turn.free.step && turn.major?.do === "move") found.push(says.no_step);
    else if (turn.free.step && far(this.has.at, turn.free.step) > this.has.far.step) found.push(put(says.step, { far: this.has.far.step / METRE }));
    const waits = turn.when ? this.split(turn)[1] : [];
    if (waits.some((one) => ["evade", "brace"].includes(one.do))) found.push(says.stance);
    return [...new Set(found)];
  }

  // ------------------------------------------------------------------------------------------------ on the page

  reach(one) {
    if (one.do === "attack") return one.weapon?.[1] ?? 0;
    if (one.do === "cast" || one.do === "quickspell") return one.spell?.[3] ?? 0;
    if (one.do === "move") return this.has.far[one.gait];
    return one.do === "considered" ? this.has.far.considered : METRE;
  }

  show() {
    const turn = this.read();
    const chosen = turn.what || turn.major || turn.minors.length || turn.back;
    const begun = turn.what === "major" && !turn.major; // which one is not said yet
    const sentence = chosen && !begun ? this.sentence(turn) : "";
    const scope = this.field.closest("details.hand-fold") ?? this.field;
    for (const line of scope.querySelectorAll("[data-read-back]")) write(line, sentence || line.dataset.empty || "");
    const wrong = this.wrong(turn);
    for (const line of this.field.querySelectorAll("[data-says]")) {
      write(line, wrong.join(" "));
      line.hidden = !wrong.length;
    }
    for (const n of ["major.", "minors.0.", "minors.1."]) this.group(this.action(n));
    const first = this.get("minors.0.do") === "considered";
    const second = this.form.elements.namedItem(`${this.base}minors.1.do`);
    const again = second?.querySelector('option[value="considered"]');
    if (again) again.disabled = (first && second.value !== "considered") || !this.has.far.considered;
    this.fold("free", listed(this.freely(turn.free)) || "stay where you are");
    const when = turn.when ? this.clause(turn, this.split(turn)[1]).split(", then ")[0].replace(/^If /, "if ") : "";
    this.fold("when", when || "no, you act whatever the others do");
  }

  group(one) {
    const prefix = this.base + one.n;
    for (const piece of this.field.querySelectorAll("[data-aim]")) {
      const [aim, n] = piece.dataset.aim.split(" ");
      const blind = aim === "place" && one.aim === "somebody" && AIMED.includes(one.do) && (!one.target || one.spell?.[4]);
      if (n === prefix) piece.hidden = one.aim !== aim && !blind;
    }
    for (const button of this.field.querySelectorAll(`[data-measure="${CSS.escape(prefix)}"]`)) {
      button.dataset.reach = this.reach(one);
    }
    const cost = this.price(one);
    for (const output of this.field.querySelectorAll(`[data-price="${CSS.escape(prefix)}"]`)) {
      output.hidden = !cost;
      write(output, cost ? `${cost} of your ${this.has.fp} FP` : "");
      output.classList.toggle("is-over", cost > this.has.fp);
    }
  }

  fold(name, text) {
    for (const line of this.field.querySelectorAll(`[data-fold-says="${name}"]`)) write(line, text);
  }
}

function write(line, text) {
  if (line.textContent !== text) line.textContent = text;
}

function show(root) {
  for (const field of root.querySelectorAll("fieldset[data-plan]")) new Plan(field).show();
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const field = event.target.closest?.("fieldset[data-plan]");
    if (field) new Plan(field).show();
  });
}
// One less or one more, without a keyboard: <button data-step="-1" data-of="of.ada.major.pp">
document.addEventListener("click", (event) => {
  const { step, of } = event.target.closest?.("button[data-step]")?.dataset ?? {};
  const input = step && event.target.closest("form").elements.namedItem(of);
  if (!input) return;
  const next = (Number(input.value) || 0) + Number(step);
  input.value = Math.min(Number(input.max), Math.max(Number(input.min), next));
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
document.addEventListener("reset", (event) => setTimeout(show, 0, event.target));
onContent((root) => {
  document.documentElement.dataset.wizard = "yes";
  const map = document.querySelector("[data-ground]") !== null;
  for (const button of root.querySelectorAll("[data-pick]")) button.hidden = !map;
  show(root);
});
