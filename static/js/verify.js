// The page that checks a scene: fetches the file of receipts, has it worked out again (record.js), and says what came out.
//
//   <… id="verify" data-file="ADDRESS" data-receipts="KEY">   KEY: under which this browser noted its own seals
//   #verdict, #findings, #closings, #six, #download             are filled and changed by this module

import { check, parse } from "./record.js";
import { noted } from "./receipts.js";
import { sixWords } from "./six-words.js";

function element(tag, text, css = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (css) made.className = css;
  return made;
}

function many(number, one, more = `${one}s`) {
  return `${number} ${number === 1 ? one : more}`;
}

function show(found) {
  const verdict = document.getElementById("verdict");
  verdict.hidden = false;
  verdict.classList.toggle("bad", found.wrong.length > 0);
  verdict.classList.toggle("good", found.wrong.length === 0);
  verdict.textContent = found.wrong.length ? "This is not an honest record:" : "Everything that can be checked is correct.";
  const list = document.getElementById("findings");
  list.replaceChildren(...found.wrong.map((line) => element("li", line, "fault")));
  const counted = [
    `Checked by protocol ${found.protocol}.`,
    `${many(found.closings.length, "opening")}, ${many(found.seals, "seal")}, ${many(found.draws, "card or die", "cards and dice")} recomputed.`,
    found.kept ? `${many(found.kept, "seal")} compared with what this browser saved when it made them.` : "None of this browser's own seals has been opened yet.",
  ];
  if (found.browsers) counted.push(`For ${many(found.browsers, "seal")}, only the server says that a browser made the salt; each player can compare their own.`);
  if (found.closed) counted.push(`${many(found.closed, "seal")}: not open yet.`);
  if (found.waiting) counted.push(`${many(found.waiting, "hidden draw")} can be checked when the scene is over.`);
  if (found.secret) {
    const now = found.over ? "open now" : `${found.rolls.size} shown so far; their luck can be checked when the scene is over`;
    counted.push(`${many(found.secret, "secret roll")} by the GM: ${now}.`);
  }
  for (const [number, said] of [...found.rolls].sort(([one], [other]) => one - other)) counted.push(`Secret roll ${number}, ${said}.`);
  if (found.ballots) counted.push(`Your own ${found.ballots === 1 ? "ballot is" : "ballots are"} in the count.`);
  for (const said of found.acts.values()) counted.push(`Done by a GM: ${said}`);
  list.append(...counted.map((line) => element("li", line)), ...found.notes.map((line) => element("li", line, "soft")));
  document.getElementById("closings").replaceChildren(...found.closings.map(chapter));
  const six = document.getElementById("six");
  six.textContent = sixWords(found.head);
}

function chapter(closing) {
  const box = document.createElement("details");
  const draws = closing.draws.length ? `, ${many(closing.draws.length, "draw")}` : "";
  box.append(element("summary", `${closing.title}: ${many(closing.rows.length, "answer")}${draws}`));
  const list = element("ul", "", "list small");
  for (const row of closing.rows) list.append(element("li", answered(row), row.good ? "" : "fault"));
  for (const roll of closing.draws) list.append(element("li", `${roll.label}: ${roll.face} of ${roll.size}`, roll.good ? "soft" : "fault"));
  box.append(list);
  return box;
}

function answered(row) {
  if (row.how === "default") return `${row.name} did not answer, so the rules’ default counted.`;
  const by = row.by === "browser" ? "sealed by the player’s browser" : "sealed by the server, for a browser without scripts";
  const words = row.words === null ? "not open yet" : row.words ? "matches what was sealed" : "does not match what was sealed";
  return `${row.name}: ${by}; ${words}.`;
}

async function run(place) {
  const verdict = document.getElementById("verdict");
  verdict.hidden = false;
  verdict.textContent = "Checking…";
  const answer = await fetch(place.dataset.file, { headers: { Accept: "application/jsonl" } });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const text = await answer.text();
  const kept = noted(place.dataset.receipts).map((one) => JSON.stringify({ kept: one }));
  const whole = text + kept.map((line) => `${line}\n`).join("");
  show(check(parse(whole)));
  offer(whole);
}

// The download brings along what this browser noted, so that another computer can hold it against the record.
function offer(text) {
  const link = document.getElementById("download");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    const made = document.createElement("a");
    made.href = address;
    made.download = document.querySelector("pre.secret").textContent.trim().split(" ").at(-1);
    made.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
}

const place = document.getElementById("verify");
if (place) {
  run(place).catch((error) => {
    const verdict = document.getElementById("verdict");
    verdict.classList.add("bad");
    verdict.textContent = `This page could not check the record (${error.message}). Download the file and run signet verify.`;
  });
}
