// The hexes of a battlefield: neighbours, barriers, what a unit can reach, the line around an area. As in the rules
// (CHR-TER, CHR-MOV), so that the field shows what the form may say.
//
//   readField(text)   a battlefield from its text (rows, "heights", barriers)
//   hexes are called "L6": the letter of the row from the north, and the column from 1

const place = (row, column) => String.fromCharCode(65 + row) + (column + 1);
const parts = (hex) => [hex.charCodeAt(0) - 65, hex.slice(1) - 1];
const KINDS = { "#": "closed", "~": "impassable" };
const CORNERS = [[0, -16], [14, -8], [14, 8], [0, 16], [-14, 8], [-14, -8]];
const AROUND = [2, 0, 4, 5, 1, 3]; // the neighbour beyond the side that begins at each corner

export const DIRECTIONS = ["E", "W", "NE", "NW", "SE", "SW"]; // in the order of ties

// The six hexes around, in the order of DIRECTIONS, on the map or not.
export function around(hex) {
  const [row, column] = parts(hex);
  const right = column + (row % 2);
  const near = [[row, column + 1], [row, column - 1], [row - 1, right], [row - 1, right - 1], [row + 1, right], [row + 1, right - 1]];
  return near.map(([row, column]) => place(row, column));
}

// What somebody has typed as a hex; "" where it is none.
export const read = (text) => text.replace(/\s/g, "").toUpperCase().match(/^[A-Z][1-9]\d{0,3}$/)?.[0] ?? "";

export function centre(hex) {
  const [row, column] = parts(hex);
  return [14 + 28 * column + 14 * (row % 2), 16 + 24 * row];
}

export function hexAt(x, y) {
  const row = Math.floor((y - 4) / 24);
  const near = [row - 1, row, row + 1].map((row) => place(row, Math.floor((x - 14 * (row & 1)) / 28)));
  const far = (hex) => Math.hypot(centre(hex)[0] - x, centre(hex)[1] - y);
  return near.reduce((best, hex) => (far(hex) < far(best) ? hex : best));
}

export const outline = (hex) => `M${CORNERS.map(([x, y]) => [centre(hex)[0] + x, centre(hex)[1] + y]).join("L")}z`;

// The line around an area, its holes included.
export function border(hexes) {
  const follow = new Map();
  const corner = (hex, number) => CORNERS[number % 6].map((by, axis) => centre(hex)[axis] + by).join(" ");
  for (const hex of hexes) {
    const near = around(hex);
    AROUND.forEach((side, number) => hexes.has(near[side]) || follow.set(corner(hex, number), corner(hex, number + 1)));
  }
  let path = "";
  for (const [start] of follow) {
    if (!follow.has(start)) continue;
    const line = [];
    for (let at = start, next; (next = follow.get(at)); at = next) follow.delete(at), line.push(at);
    path += `M${line.join("L")}z`;
  }
  return path;
}

export function readField(text) {
  const cells = new Map();
  const sides = new Map();
  let [row, levels] = [0, false];
  for (const line of text.trim().split("\n")) {
    const barrier = line.match(/^(soft|hard) (\w+) (> )?(\w+)$/);
    if (line === "heights") [row, levels] = [0, true];
    else if (barrier) {
      const [, kind, one, way, other] = barrier;
      sides.set(one + other, { kind, open: Boolean(way) }).set(other + one, { kind });
    } else {
      [...line.slice(1).replaceAll(" ", "")].forEach((sign, column) => {
        if (levels) cells.get(place(row, column)).level = Number(sign) || 0;
        else cells.set(place(row, column), { kind: KINDS[sign] ?? "open", level: 0 });
      });
      row += 1;
    }
  }
  const hard = (one, other) => sides.get(one + other)?.kind === "hard";
  const passable = (hex) => cells.has(hex) && cells.get(hex).kind !== "impassable";
  const mayStep = (one, other) => passable(other) && (!hard(one, other) || sides.get(one + other).open);
  const touching = (hex) => around(hex).filter((other) => cells.has(other) && !hard(hex, other));
  const columns = Math.max(...[...cells.keys()].map((hex) => Number(hex.slice(1))));
  return { cells, sides, columns, rows: parts([...cells.keys()].at(-1))[0] + 1, passable, mayStep, touching, adjacent: (one, other) => touching(one).includes(other) };
}

// Where a unit can go: each hex with the one before it and the steps, nearest first, the start included. Next to an
// enemy it stops. Through hexes of friends it goes if `passes`, and stands on none of them.
export function reach(field, start, most, friends, enemies, passes) {
  const found = new Map([[start, { before: "", steps: 0 }]]);
  const contact = new Set([...enemies].flatMap(field.touching));
  for (const [here, { steps }] of found) {
    if (steps === most || (contact.has(here) && here !== start)) continue;
    for (const hex of around(here)) {
      if (found.has(hex) || enemies.has(hex) || (friends.has(hex) && !passes) || !field.mayStep(here, hex)) continue;
      found.set(hex, { before: here, steps: steps + 1, stops: contact.has(hex), taken: friends.has(hex) });
    }
  }
  return found;
}

export function way(found, end) {
  const line = [];
  for (let hex = end; hex; hex = found.get(hex).before) line.unshift(hex);
  return line;
}
