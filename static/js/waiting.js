// The page of a person who asked to join: loads itself again as soon as the GM has answered.
//
//   <… data-waits="ADDRESS">   answers {"status": "waiting"} until then; asked every two seconds, and when the tab is
//                              looked at again

const EVERY = 2000; // ms

const waits = document.querySelector("[data-waits]");
let asking = 0;
let answered = false;

async function ask() {
  try {
    const answer = await fetch(waits.dataset.waits, { cache: "no-store", headers: { Accept: "application/json" } });
    if (answer.ok && (await answer.json()).status !== "waiting") {
      clearInterval(asking); // a second reload would cut off the first, whose answer changes the cookies
      if (!answered) location.reload();
      answered = true;
    }
  } catch {
    // Not reachable just now: the next question will tell.
  }
}

if (waits) {
  asking = setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
}
