// The tables that this browser sits at. No page of the server can list them: each seat's cookie opens its own address
// and nothing else. So the browser remembers where it sits, and asks each seat's own address what awaits it there.
//
//   <… data-table="TITLE" data-seat="NAME" data-base="/c/SLUG/HANDLE">   on a campaign's home: noted
//   <p data-elsewhere hidden>        there too: says at which other tables this browser is awaited
//   <section data-tables hidden>     on the front page: has a <ul>, which is filled with all of them
//   /?left=/c/SLUG/HANDLE            on leaving a seat for good: its table is forgotten
//
// localStorage "signet-tables": [{"base", "title", "seat"}, …], the one last looked at first, thirty at most. Asked when
// the page opens, when it is looked at again, and once a minute.

import { levelOf, setAwaited, stopped } from "./awaited.js";
import { recallList, remember } from "./memory.js";
import { settled } from "./swaps.js";

const TABLES = "signet-tables";
const MOST = 30;
const AGAIN = 60000; // ms
const BASE = /^\/c\/[a-z0-9-]+\/[a-z0-9-]+$/;

function known() {
  return recallList(TABLES).filter((one) => BASE.test(one?.base));
}

function keep(tables) {
  remember(TABLES, JSON.stringify(tables.slice(0, MOST)));
}

function forget(base) {
  keep(known().filter((one) => one.base !== base));
}

// What awaits this browser's seat there: the answer, "closed" where the seat is not open, null where nobody answers.
async function ask(table) {
  try {
    const answer = await fetch(`${table.base}/awaits`, { cache: "no-store", headers: { Accept: "application/json" } });
    if ([401, 403, 404, 410].includes(answer.status)) return "closed";
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function piece(kind, words, look = "") {
  const made = document.createElement(kind);
  made.textContent = words;
  if (look) made.className = look;
  return made;
}

function link(address, words, look) {
  const made = piece("a", words, look);
  made.href = address;
  return made;
}

function row(table, says, list) {
  const item = piece("li", "", "table-row");
  const head = piece("p", "");
  const place = says === "closed" ? piece("span", table.title, "strong") : link(`${table.base}/`, table.title, "strong");
  head.append(place, " ", piece("span", table.seat, "soft small"));
  item.append(head);
  if (says === "closed") {
    const button = piece("button", "Remove from list", "plain");
    button.type = "button";
    button.addEventListener("click", () => {
      forget(table.base);
      item.remove();
      if (!list.children.length) list.closest("[data-tables]").hidden = true;
    });
    const words = "You're signed out of this seat in this browser. Use your personal link, or a code from another device, to sign in again.";
    const line = piece("p", "", "row small");
    line.append(piece("span", words, "soft"), button);
    item.append(line);
  } else if (says === null) {
    item.append(piece("p", "No answer right now.", "soft small"));
  } else if (says.calls.length || says.stops?.length) {
    item.classList.add("is-mine");
    for (const stop of says.stops ?? []) {
      const line = piece("p", "");
      line.append(link(stop.at, stopped(stop)));
      item.append(line);
    }
    for (const call of says.calls) {
      const line = piece("p", "");
      line.append(link(call.at, call.call), call.where ? `, in ${call.where}` : "");
      item.append(line);
    }
  } else {
    item.append(piece("p", "Nothing to do there.", "soft small"));
  }
  return item;
}

async function list(section) {
  const tables = known();
  section.hidden = tables.length === 0;
  const rows = section.querySelector("ul");
  const answers = await Promise.all(tables.map(ask));
  await settled();
  const order = tables.map((table, place) => [table, answers[place], place]);
  const urgent = ([, says]) => (says && says !== "closed" ? -levelOf(says) : 1);
  order.sort((a, b) => urgent(a) - urgent(b) || a[2] - b[2]);
  rows.replaceChildren(...order.map(([table, says]) => row(table, says, rows)));
  setAwaited(Math.max(0, ...answers.map((says) => (says?.calls ? Number(levelOf(says)) : 0))));
}

async function elsewhere(line) {
  const others = known().filter((one) => one.base !== line.dataset.base);
  const answers = await Promise.all(others.map(ask));
  await settled();
  const waiting = others.filter((_, place) => answers[place]?.awaited === true);
  const stops = answers.flatMap((says) => says?.stops ?? []);
  line.hidden = waiting.length === 0 && stops.length === 0;
  line.replaceChildren();
  for (const stop of stops) line.append(link(stop.at, stopped(stop), "strong"), " ");
  if (!waiting.length) return;
  const count = waiting.length === 1 ? "one other table" : `${waiting.length} other tables`;
  line.append(`It's your turn at ${count}: `);
  for (const [place, table] of waiting.slice(0, 3).entries()) {
    line.append(place ? ", " : "", link(`${table.base}/`, table.title));
  }
  line.append(waiting.length > 3 ? ", " : ". ", link("/", "All your tables"));
}

function look() {
  if (document.hidden) return;
  const section = document.querySelector("[data-tables]");
  const line = document.querySelector("[data-elsewhere]");
  if (section) list(section);
  if (line) elsewhere(line);
}

const here = document.querySelector("[data-table][data-base]");
if (here) {
  const { base, table: title, seat } = here.dataset;
  keep([{ base, title, seat }, ...known().filter((one) => one.base !== base)]);
}
const left = new URLSearchParams(location.search).get("left");
if (left && location.pathname === "/") {
  forget(left);
  history.replaceState(null, "", "/");
}
look();
setInterval(look, AGAIN);
document.addEventListener("visibilitychange", look);
