// The hexes of a battlefield: its text, neighbours, barriers. As in the rules (CHR-TER), so that a GM paints what the
// server reads; what a unit can reach follows in field-orders.js.
//
//   readField(text)   a battlefield from its text (rows, "heights", barriers)
//   hexes are called "L6": the letter of the row from the north, and the column from 1

export const place = (row, column) => String.fromCharCode(65 + row) + (column + 1);
export const parts = (hex) => [hex.charCodeAt(0) - 65, hex.slice(1) - 1];
const KINDS = { ".": "open", "#": "closed", "~": "impassable" };
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

// The neighbour beyond the side between a corner and the next one.
export const beyond = (hex, number) => around(hex)[AROUND[number % 6]];

// What somebody has typed as a hex; "" where it is none.
export const read = (text) => text.replace(/\s/g, "").toUpperCase().match(/^[A-Z][1-9]\d{0,3}$/)?.[0] ?? "";

export function centre(hex) {
  const [row, column] = parts(hex);
  return [14 + 28 * column + 14 * (row % 2), 16 + 24 * row];
}

export const corner = (hex, number) => CORNERS[number % 6].map((by, axis) => centre(hex)[axis] + by);

export function hexAt(x, y) {
  const row = Math.floor((y - 4) / 24);
  const near = [row - 1, row, row + 1].map((row) => place(row, Math.floor((x - 14 * (row & 1)) / 28)));
  const far = (hex) => Math.hypot(centre(hex)[0] - x, centre(hex)[1] - y);
  return near.reduce((best, hex) => (far(hex) < far(best) ? hex : best));
}

export const line = (hexes) => `M${hexes.map(centre).join("L")}`;
export const outline = (hex) => `M${CORNERS.map((_, number) => corner(hex, number)).join("L")}z`;

export const pair = (one, other) => [one, other].sort().join();

// Of a text that the server would refuse something is read as well; `lines` are its rows, of kinds and of levels.
export function readField(text) {
  const cells = new Map();
  const walls = new Map();
  const lines = [[], []];
  let block = 0;
  for (const words of text.toUpperCase().split("\n").map((one) => one.trim()).filter(Boolean)) {
    const wall = words.match(/^(SOFT|HARD) +([A-Z]) ?(\d+) *(>| ) *([A-Z]) ?(\d+)$/);
    if (words === "HEIGHTS") block = 1;
    else if (wall) {
      const [one, other] = [wall[2] + +wall[3], wall[5] + +wall[6]];
      walls.set(pair(one, other), { kind: wall[1].toLowerCase(), one, other, way: wall[4] === ">" });
    } else lines[block].push(words.replace(/^[A-Z]\s+(?=\S)/, "").replace(/\s/g, ""));
  }
  lines[0].forEach((signs, row) => [...signs].forEach((sign, column) => {
    cells.set(place(row, column), { kind: KINDS[sign], level: Number(lines[1][row]?.[column]) || 0 });
  }));
  const hard = (one, other) => walls.get(pair(one, other))?.kind === "hard";
  const passable = (hex) => cells.has(hex) && cells.get(hex).kind !== "impassable";
  const outwards = (one, other) => walls.get(pair(one, other)).way && walls.get(pair(one, other)).one === one;
  const mayStep = (one, other) => passable(other) && (!hard(one, other) || outwards(one, other));
  const touching = (hex) => around(hex).filter((other) => cells.has(other) && !hard(hex, other));
  const adjacent = (one, other) => touching(one).includes(other);
  return { cells, walls, lines, rows: lines[0].length, columns: lines[0][0]?.length, passable, mayStep, touching, adjacent };
}
