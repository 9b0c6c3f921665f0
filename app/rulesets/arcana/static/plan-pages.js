// A wizard's declaration in pages: what, whom or where, how, if, seal. Loaded after wizard.js; without it all is one form.
//
//   <fieldset data-plan data-paged>            gets data-page, the page that is shown; the form gets it, too
//     <nav class="plan-steps" data-plan-own>   filled in here: a button for each page, with what is chosen there
//     <div data-deck><button data-sets='{"what":"major","major.do":"hide"}'>
//                                              a card: sets these fields and leads on; [data-deck-to] to the other cards
//     <… data-on="whom how">                   shown on these pages; without it on all, with "never" on none
//     <button data-pick data-what="who">       on the page "whom" the map answers it, and a list of cards stands beside it
//
// A page whose questions are answered leads to the next that has one. What was refused opens with its page.

import { hook, onContent, say } from "../../js/swaps.js";
import { answers } from "./ground-pick.js";
import { far, metres, Plan } from "./wizard.js";

const PAGES = { what: "What", whom: "Whom", how: "How", when: "If", seal: "Seal" };
const OPEN = ["custom", "use_major", "trade", "don", "aim"]; // what they do is said on the page "how"
const pages = new Map(); // the page of each declaration, by its question and its fields

const own = (tag, css, text = "") => {
  const made = document.createElement(tag);
  made.className = css;
  made.textContent = text;
  if (tag === "button") made.type = "button";
  return made;
};

class Pages {
  constructor(field) {
    this.field = field;
    this.form = field.closest("form");
    this.plan = new Plan(field);
    this.turn = this.plan.read();
    this.base = this.plan.base;
    this.key = `${field.closest(".ask").id} ${this.base}`;
  }

  all(css) {
    return [...this.field.querySelectorAll(css)];
  }

  // What a page asks now, with the choices made so far.
  asked(page) {
    return this.all(`[data-on~="${page}"]`).filter((one) => !one.closest("[hidden]"));
  }

  has(page) {
    if (page === "what") return true;
    const chosen = this.turn.what && (this.turn.what !== "major" || this.turn.major);
    if (page === "whom") return chosen && this.turn.what === "major" && this.asked("whom").some((one) => one.querySelector("[data-pick]"));
    return Boolean(chosen) && (page !== "when" || this.asked("when").length > 0);
  }

  aimed() {
    const { do: does, target, at, to } = this.turn.major ?? {};
    return Boolean(does === "move" ? to : target || at);
  }

  // The page after this one that still has something to be said.
  next(page) {
    if (page === "what" && this.has("whom") && !this.aimed()) return "whom";
    const open = this.turn.what === "minors" || this.turn.what === "keep" || OPEN.includes(this.turn.major?.do);
    return page !== "how" && open ? "how" : "seal";
  }

  first() {
    const wrong = this.all(".fault").find((one) => one.textContent.trim() && !one.closest("[data-says]"));
    const on = wrong?.closest("[data-on]")?.dataset.on.split(" ")[0];
    if (wrong) return on in PAGES ? on : on === "never" ? "what" : "seal";
    return pages.get(this.key) ?? (this.has("seal") ? "seal" : "what");
  }

  put(name, value) {
    const found = this.form.elements.namedItem(this.base + name);
    const fields = found instanceof RadioNodeList ? [...found] : found ? [found] : [];
    for (const one of fields) {
      if (one.type === "radio") one.checked = one.value === value;
      else one.value = value;
    }
    const changed = fields.find((one) => one.checked) ?? fields[0];
    for (const kind of ["input", "change"]) changed?.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  show(page, moved = false) {
    const to = this.has(page) ? page : "what";
    pages.set(this.key, to);
    this.field.dataset.page = this.form.dataset.page = to;
    this.steps(to);
    this.deck();
    this.targets();
    for (const fold of this.all('[data-on="when"] details')) if (to === "when") fold.open = true;
    const picks = to === "whom" ? this.asked("whom").flatMap((one) => [...one.querySelectorAll("[data-pick]")]) : [];
    answers(picks, () => lead(this.field, "whom"));
    if (moved) this.focus(to);
  }

  focus(page) {
    const first = page === "seal" ? this.form.querySelector(".acts .go") : this.asked(page).flatMap((one) => [...one.querySelectorAll("button, input, select, summary")]).find((one) => one.checkVisibility() && !one.disabled);
    (first ?? this.field.querySelector(".plan-steps [aria-current]"))?.focus({ preventScroll: true });
    this.field.closest(".dock")?.scrollTo({ top: 0 });
    if (page === "seal") say(this.field.querySelector("[data-read-back]")?.textContent ?? "");
  }

  chosen() {
    const fits = ([name, value]) => this.plan.get(name) === value;
    return this.all("[data-sets]").find((card) => Object.entries(JSON.parse(card.dataset.sets)).every(fits));
  }

  said(page) {
    const { major, what } = this.turn;
    if (page === "what") return this.chosen()?.querySelector("b").textContent ?? "";
    if (page === "whom" && this.aimed()) return major.do !== "move" && major.target ? this.plan.target(major.target) : this.plan.way(major.do === "move" ? major.to : major.at);
    if (page === "when") return this.turn.when ? "waits" : what ? "no" : "";
    if (page === "how") return major?.pp ? `+${major.pp} power` : this.plan.freely(this.turn.free).length ? "first, for free" : "";
    return "";
  }

  steps(now) {
    const bar = this.field.querySelector(".plan-steps");
    bar.hidden = false;
    const where = this.turn.major && !this.asked("whom").some((one) => one.querySelector('[data-what="who"]'));
    // Its buttons stay: one of them may be under a press whose own change brought us here.
    if (!bar.childElementCount) {
      for (const page of Object.keys(PAGES)) {
        const step = own("button", "plan-step");
        step.append(own("b", ""), own("small", ""));
        step.dataset.to = page;
        bar.append(step);
      }
    }
    for (const step of bar.children) {
      const page = step.dataset.to;
      const [name, said] = step.children;
      name.textContent = page === "whom" && where ? "Where" : PAGES[page];
      said.textContent = this.said(page);
      step.disabled = !this.has(page);
      if (page === now) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
  }

  deck() {
    const deck = this.field.querySelector("[data-deck]");
    deck.hidden = false;
    const chosen = this.chosen();
    for (const card of deck.querySelectorAll("[data-sets]")) card.setAttribute("aria-pressed", String(card === chosen));
    const wrong = this.all('[data-on="never"] .fault').map((one) => one.textContent.trim()).filter(Boolean);
    deck.querySelector(".fault")?.remove();
    if (wrong.length) deck.prepend(own("p", "fault", [...new Set(wrong)].join(" ")));
    const pages = [...deck.querySelectorAll("[data-deck-page]")];
    const shown = pages.findIndex((one) => one.dataset.shown !== undefined);
    pages.forEach((one, number) => (one.hidden = number !== Math.max(0, shown)));
  }

  // Those who may be aimed at as cards, beside the list of the form: how far they are, and what reaches them.
  targets() {
    for (const select of this.all('[data-on="whom"] select[name$=".target"]')) {
      const spot = select.closest(".spot");
      const list = spot.querySelector(".targets") ?? spot.appendChild(own("div", "targets"));
      list.dataset.planOwn = "";
      const { major } = this.turn;
      const reach = major ? this.plan.reach(major) : 0;
      const tool = major?.spell?.[0] ?? major?.weapon?.[0] ?? "a hand";
      const options = [...select.options].filter((one) => one.value && (one.value !== "them" || this.turn.when));
      const kind = major?.spell && !major.spell[6]; // whom it helps come first
      const isFoe = (one) => one.closest("optgroup")?.label === "Against you";
      if (kind) options.sort((one, other) => isFoe(one) - isFoe(other));
      const cards = options.map((one) => this.target(one, select, reach, tool));
      const place = this.all('[data-on="whom"][data-aim^="place"]').filter((one) => !one.hidden);
      const isOpen = "place" in this.field.dataset || major?.at || place.some((one) => one.querySelector(".fault"));
      for (const one of place) one.classList.toggle("is-folded", !isOpen);
      if (place.length && !isOpen) {
        const card = own("button", "deed-card");
        card.append(own("b", "", "A place…"), own("small", "", "Or a direction; or press the map."));
        card.dataset.place = "";
        cards.push(card);
      }
      if (cards.map((one) => one.outerHTML).join("") !== list.innerHTML) list.replaceChildren(...cards);
    }
  }

  target(option, select, reach, tool) {
    const card = own("button", "deed-card");
    const [, name, about] = option.text.match(/^(.*?)(?: \((.*)\))?$/);
    const place = this.plan.has.where[option.value];
    const away = place ? far(this.plan.has.at, place) : 0;
    const isFar = reach > 0 && away > reach;
    const still = isFar && this.plan.has.still.includes(option.value);
    const named = tool.replace(/^(my|their) /, "").toLowerCase(); // "bare hands", "a club"
    const verb = named !== tool.toLowerCase() && /[^s]s$/.test(named) ? "reach" : "reaches";
    const why = `${metres(away)} away; ${named} ${verb} ${metres(reach)}${still ? "" : ". Only if it comes nearer."}`;
    card.append(own("b", "", name[0].toUpperCase() + name.slice(1)), own("small", "", isFar ? why : (about ?? "")));
    card.dataset.target = option.value;
    card.dataset.of = select.name;
    card.classList.toggle("is-far", isFar);
    card.disabled = still;
    card.setAttribute("aria-pressed", String(select.value === option.value));
    return card;
  }
}

function lead(field, page) {
  const all = new Pages(field);
  all.show(all.next(page), true);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-paged] button");
  const field = button?.closest("[data-paged]");
  if (!field) return;
  const { to, sets, deckTo, target, of } = button.dataset;
  const all = new Pages(field);
  if (to) all.show(to, true);
  else if (deckTo) {
    for (const one of field.querySelectorAll("[data-deck-page]")) one.toggleAttribute("data-shown", one.dataset.deckPage === deckTo);
    all.deck();
    field.querySelector("[data-shown] button:not(:disabled)")?.focus({ preventScroll: true });
  } else if (sets) {
    for (const [name, value] of Object.entries(JSON.parse(sets))) all.put(name, value);
    lead(field, "what");
  } else if ("place" in button.dataset) {
    field.dataset.place = "";
    all.show("whom");
    field.querySelector('[data-aim^="place"] input')?.focus({ preventScroll: true });
  } else if (target) {
    all.put(of.slice(all.base.length), target);
    lead(field, "whom");
  }
});
document.addEventListener("change", (event) => {
  const field = event.target.closest?.("[data-paged]");
  if (field?.dataset.page) new Pages(field).show(field.dataset.page);
});
hook("pages", { htmx_before_morph_node: (element, { oldNode }) => !oldNode.matches?.("[data-plan-own]") });
onContent((root) => {
  for (const field of root.querySelectorAll("[data-paged]")) {
    const all = new Pages(field);
    all.show(all.first());
  }
});
