// A battlefield as text and as a map that can be painted: what mass/field_text.py reads and writes, and where hexes lie.
export const WIDE = 1000; // a hex is its row times this, and its column
const SIGNS = ".#~";
const CORNERS = [[0, -16], [14, -8], [14, 8], [0, 16], [-14, 8], [-14, -8]];

export const row = (hex) => Math.floor(hex / WIDE);
export const column = (hex) => hex % WIDE;
export const name = (hex) => String.fromCharCode(65 + row(hex)) + (column(hex) + 1);
export const pair = (one, other) => `${Math.min(one, other)} ${Math.max(one, other)}`;
export const width = (map, r) => map.columns - (r % 2);
export const at = (map, r, c) => (r >= 0 && r < map.rows && c >= 0 && c < width(map, r) ? r * WIDE + c : -1);
export const centre = (hex) => [14 + 28 * column(hex) + 14 * (row(hex) % 2), 16 + 24 * row(hex)];
export const corner = (hex, k) => centre(hex).map((part, i) => part + CORNERS[k % 6][i]);

const rows = (map, sign) => Array.from({ length: map.rows }, (_, r) => Array.from({ length: width(map, r) }, (_, c) => sign(r * WIDE + c)));

export const hexes = (map) => rows(map, (hex) => hex).flat();

// The hexes around one, north-east first and clockwise; -1 for those off the map.
export function around(map, hex) {
  const r = row(hex), c = column(hex), p = r % 2;
  return [[-1, p], [0, 1], [1, p], [1, p - 1], [0, -1], [-1, p - 1]].map(([down, right]) => at(map, r + down, c + right));
}

// The map of a text, or null; the server says what is wrong with it.
export function read(text) {
  const [ground, levels, walls] = [[], [], []];
  let block = ground;
  for (const line of text.toUpperCase().split("\n").map((one) => one.trim()).filter(Boolean)) {
    const wall = line.match(/^(SOFT|HARD) +([A-Z]) ?(\d+) *(>| ) *([A-Z]) ?(\d+)$/);
    if (line === "HEIGHTS") block = levels;
    else if (wall) walls.push(wall);
    else block.push(line.replace(/^[A-Z]\s+(?=\S)/, "").replace(/\s/g, ""));
  }
  const map = { rows: ground.length, columns: ground[0]?.length, kinds: new Map(), levels: new Map(), walls: new Map() };
  const even = (lines, signs) => lines.every((one, r) => one.length === width(map, r) && signs.test(one));
  if (map.rows < 3 || map.rows > 26 || map.columns < 3 || hexes(map).length > 1000) return null;
  if (!even(ground, /^[.#~]+$/) || !even(levels, /^[.0-9]+$/) || ![0, map.rows].includes(levels.length)) return null;
  ground.forEach((one, r) => [...one].forEach((sign, c) => put(map.kinds, r * WIDE + c, SIGNS.indexOf(sign))));
  levels.forEach((one, r) => [...one].forEach((sign, c) => put(map.levels, r * WIDE + c, +sign)));
  for (const [, kind, r1, c1, way, r2, c2] of walls) {
    const [one, other] = [[r1, c1], [r2, c2]].map(([r, c]) => (r.charCodeAt(0) - 65) * WIDE + +c - 1);
    if (!around(map, one).includes(other)) return null;
    map.walls.set(pair(one, other), { kind: kind.toLowerCase(), one, other, way: way === ">" });
  }
  return map;
}

export const put = (of, key, value) => (value ? of.set(key, value) : of.delete(key));

export function spell(map) {
  const block = (sign) => rows(map, sign).map((one, r) => `${String.fromCharCode(65 + r)} ${r % 2 ? " " : ""}${one.join(" ")}`);
  return [...block((hex) => SIGNS[map.kinds.get(hex) || 0]),
    ...(map.levels.size ? ["heights", ...block((hex) => map.levels.get(hex) || ".")] : []),
    ...[...map.walls.values()].map((w) => `${w.kind} ${name(w.one)} ${w.way ? "> " : ""}${name(w.other)}`)].join("\n");
}

// Takes away what lies beyond the map, after its size has changed.
export function crop(map) {
  const there = (hex) => at(map, row(hex), column(hex)) >= 0;
  for (const of of [map.kinds, map.levels]) for (const hex of [...of.keys()]) if (!there(hex)) of.delete(hex);
  for (const [key, w] of map.walls) if (!there(w.one) || !there(w.other)) map.walls.delete(key);
}
