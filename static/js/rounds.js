// The rounds of the log: a folded round is fetched when it is opened, and a link to a line opens the round it is in.
//
//   <section data-lines="ADDRESS">                       the log; ADDRESS?event=17 is a page with the round of line 17
//   <details class="round" data-first="9" data-last="14">
//       <div class="told"><a hx-get="…">                 fetches the lines into its place, once
//   <details class="round earlier" data-last="8">        fetches the headlines of rounds up to line 8
//   <li id="e17">                                        a line: an address that ends in #e17 leads to it

import { hook, onContent } from "./swaps.js";

let sought = ""; // the "#e17" that is not on the page yet
const fetching = new WeakSet(); // links that an answer is awaited for; an attribute would go with the next refresh

// A link that htmx has not come to yet would leave the page: its round is fetched once htmx has.
function load(round) {
  const link = round.querySelector(":scope > .told > a[hx-get]");
  if (!link?.dataset.htmxPowered || fetching.has(link)) return;
  fetching.add(link);
  link.click();
}

function show(line) {
  for (let round = line.closest("details"); round; round = round.parentElement.closest("details")) round.open = true;
  location.replace(`#${line.id}`); // marks it as :target, also where it came after the page
  line.scrollIntoView({ block: "center" });
}

function seek() {
  const number = Number(/^#e(\d+)$/.exec(sought)?.[1]);
  if (!number) return;
  const line = document.getElementById(sought.slice(1));
  const rounds = [...document.querySelectorAll("details.round:not(.earlier)")];
  const round = rounds.find(({ dataset }) => dataset.first <= number && number <= dataset.last);
  const earlier = document.querySelector("details.earlier");
  if (line) {
    sought = "";
    show(line);
  } else if (round) {
    if (!round.querySelector(":scope > .told > a[hx-get]")) sought = ""; // it is open, and has no such line
    round.open = true;
    load(round);
  } else if (number <= earlier?.dataset.last) {
    const address = `${document.querySelector("[data-lines]").dataset.lines}?event=${number}${sought}`;
    sought = "";
    location.replace(address);
  }
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches?.("details.round[open]")) load(target);
  },
  true,
);
hook("rounds", {
  htmx_after_process: () => document.querySelectorAll("details.round[open]").forEach(load),
  htmx_finally_request: (element, { ctx }) => fetching.delete(ctx.sourceElement),
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.line-link");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.closest("li"));
});
window.addEventListener("hashchange", () => {
  sought = location.hash;
  seek();
});
onContent((root, first) => {
  if (first) sought = location.hash;
  seek();
});
