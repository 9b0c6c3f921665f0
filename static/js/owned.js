// What the owner of a file holds in their own hands, against the record: their seals, and what their browser noted.

/** The newest seal that was acknowledged and not taken back is the one that was opened. */
export function own({ rows, heads, ballots, opened, found, expect }, { mine, kept }) {
  const closed = new Set([...rows.keys()].map((place) => place.slice(0, place.lastIndexOf(" "))));
  for (const one of mine.filter(({ step }) => closed.has(step))) {
    const row = rows.get(`${one.step} ${one.seat}`);
    written(expect, one, row);
    if (row?.wax === one.wax) counted(found, expect, one, ballots.get(one.step) ?? []);
  }
  const [drafts, seals] = [kept.filter((one) => one.draft), kept.filter((one) => !one.draft)];
  for (const place of new Set(drafts.map((one) => `${one.step} ${one.seat}`))) {
    const noted = drafts.filter((one) => `${one.step} ${one.seat}` === place);
    if (closed.has(noted[0].step)) drafted(found, expect, noted, rows.get(place));
  }
  for (const place of new Set(seals.map((one) => `${one.step} ${one.seat}`))) {
    const noted = seals.filter((one) => `${one.step} ${one.seat}` === place);
    if (closed.has(noted[0].step)) compare(found, expect, noted, rows.get(place));
    else if (opened) found.notes.push(`${noted[0].step}: it has a seal that was never opened.`);
  }
  for (const one of kept) expect(!one.head || heads.has(one.head), `${one.step}: this browser was shown a different history.`);
}

function written(expect, mine, row) {
  if (!row?.wax) {
    expect(mine.ready === false, `${mine.step}: your own seal is missing.`);
  } else if (row.revision <= mine.revision) {
    const same = row.revision === mine.revision && row.wax === mine.wax && (mine.salted_by ?? row.salted_by) === row.salted_by;
    expect(same, `${mine.step}: the record has a different seal from yours.`);
  }
}

// One's own ballot of a secret vote stands in the list that was counted, with one's own answer.
function counted(found, expect, { step, seat, words }, listed) {
  const { nonce, choice } = fields(words);
  if (!nonce || choice === undefined) return;
  const there = listed.some((one) => Array.isArray(one) && one[0] === nonce && String(one[1]) === choice);
  if (expect(there, `${step}: ${seat}’s own ballot is not counted as it was sealed.`)) found.ballots += 1;
}

function fields(words) {
  try {
    return Object.fromEntries(JSON.parse(words));
  } catch {
    return {}; // no form: of a forged file
  }
}

// A draft that counted is one of those that this browser saved last; it uses one salt in a step.
function drafted(found, expect, noted, row) {
  const { step, seat } = noted.at(-1);
  if (!row || row.how === "sealed") return;
  if (!row.wax) {
    if (noted.some((one) => one.sure !== false)) found.notes.push(`${step}: this browser had saved a draft of ${seat}’s, and the rules’ default counted. That is right if the draft was not legal.`);
  } else if (noted.every((one) => one.luck !== row.luck)) {
    found.notes.push(`${step}: ${seat}’s draft that counted was made in another browser.`);
  } else if (expect(noted.some((one) => one.wax === row.wax), `${step}: ${seat}’s draft that counted is not the one saved last.`)) {
    found.kept += 1;
  }
}

function compare(found, expect, noted, row) {
  const sealed = new Map(noted.filter((one) => !one.taken).map((one) => [one.revision, one]));
  if (!sealed.size) return;
  const newest = Math.max(...sealed.keys());
  const { step, seat } = sealed.get(newest);
  if (!row?.wax) {
    const taken = noted.some((one) => one.taken && one.revision > newest);
    if (!taken && found.givenBack.has(step) && (found.givenBack.get(step)?.includes(seat) ?? true)) {
      found.notes.push(`${step}: the server says that a GM gave ${seat}’s seal back, and it was left out.`);
      return;
    }
    expect(taken, `${step}: the server accepted a seal of ${seat}’s, but it is missing. That is only right if it was taken back in another browser, the GM gave it back, or someone else took over the seat.`);
    return;
  }
  const here = sealed.get(row.revision);
  if (here) found.kept += 1;
  expect(row.revision >= newest, `${step}: an older seal of ${seat}’s was opened.`);
  const again = [...sealed.values()].some((one) => one.wax === row.wax && one.revision !== row.revision);
  expect((!here || here.wax === row.wax) && !(again && row.how === "sealed"), `${step}: this browser sealed something different.`);
  expect(!here || row.how === "sealed", `${step}: a seal of ${seat}’s was treated as a draft.`);
}
