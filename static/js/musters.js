// What the foes of a new scene will be called, while number and name change. The server says it again when a group is
// added, copied or removed.
//
//   <li class="foe-group"> … <span data-called="KIND"> … …count, …name, …hidden

import { onContent } from "./swaps.js";

const field = (group, end) => group.querySelector(`[name$=".${end}"]`);

function renumber(form) {
  const groups = [...form.querySelectorAll(".foe-group")].map((group) => {
    const kind = group.querySelector("[data-called]").dataset.called;
    const count = Math.min(9999, Math.max(0, Number.parseInt(field(group, "count").value, 10) || 0));
    const name = field(group, "name").value.trim() || kind;
    return { group, kind, count, name, hidden: field(group, "hidden")?.checked ?? false };
  });
  const total = (name, hidden) => groups.reduce((n, one) => n + (one.name === name && one.hidden === hidden ? one.count : 0), 0);
  const sofar = new Map();
  for (const { group, kind, count, name, hidden } of groups) {
    const known = total(name, false);
    const many = known + (hidden ? total(name, true) : 0) > 1; // hidden foes change no other name
    const first = (sofar.get(`${hidden} ${name}`) ?? (hidden ? known : 0)) + 1;
    sofar.set(`${hidden} ${name}`, first + count - 1);
    const numbers = many ? ` ${first}${count > 1 ? `–${first + count - 1}` : ""}` : "";
    const said = count ? name + numbers : "";
    group.querySelector("[data-called]").textContent = said === kind ? "" : said;
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (event.target.closest?.(".foe-group")) renumber(form);
});
onContent((root) => {
  for (const group of root.querySelectorAll(".foe-group:first-child")) renumber(group.closest("form"));
});
