// The page of a person who asked to join: loads itself again as soon as the GM has answered.
//
//   <… data-waits="ADDRESS">   answers {"status": "waiting"} until then; asked every two seconds, and when the tab is
//                              looked at again

const EVERY = 2000; // ms

const waits = document.querySelector("[data-waits]");

async function ask() {
  try {
    const answer = await fetch(waits.dataset.waits, { cache: "no-store", headers: { Accept: "application/json" } });
    if (answer.ok && (await answer.json()).status !== "waiting") location.reload();
  } catch {
    // Not reachable just now: the next question will tell.
  }
}

if (waits) {
  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
}
