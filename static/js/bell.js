// The bell of awaited.js, which loads it for those who switched it on.

let audio = null;

export function ring() {
  if (!audio || audio.state !== "running") return; // the browser allows sound only after a press on this page
  for (const [at, pitch] of [[0, 880], [0.18, 1174.7]]) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.0001, start);
    loudness.gain.exponentialRampToValueAtTime(0.16, start + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.9);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 1);
  }
  document.body.dataset.rang = String(Number(document.body.dataset.rang ?? 0) + 1);
}

export async function unlock() {
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume();
}
