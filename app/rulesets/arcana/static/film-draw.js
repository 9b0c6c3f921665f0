// What a film (static/js/film.js) draws over the map: flights, blows, numbers, cards of if-thens.
//
//   <svg data-ground> with <g class="film-layer">, and its people, <g class="token" data-who data-x data-y>
//   signet:frame      each frame has `draw`, the drawings of its beat: see app/rulesets/arcana/view/film.py

const SVG = "http://www.w3.org/2000/svg";
const WORDS = { fired: "triggers", not_fired: "does not trigger", blocked: "is blocked" };
const CROWD = 14; // labels of one kind, beyond which only marks are drawn

function el(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

const points = (list) => list.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join(" ");

const LANDS = new Set(["hit", "miss", "hurt", "heal", "check", "state", "falls"]);

// Each thing launched with the frame in which it lands: what is told of its target, or of its own blow, next.
function flights(frames) {
  const found = [];
  frames.forEach(({ draw }, number) => {
    for (const op of draw.filter((one) => one.op === "fly")) {
      const told = (one) => (one.by ?? "") === op.who || (!one.by && one.who === op.to && LANDS.has(one.op));
      const lands = frames.findIndex((later, n) => n > number && later.draw.some(told));
      found.push({ op, from: number, to: lands < 0 ? number : lands });
    }
  });
  return found;
}

function drawer(svg) {
  const layer = svg.querySelector(".film-layer");
  const tokens = new Map([...svg.querySelectorAll(".token[data-who]")].map((node) => [node.dataset.who, node]));
  const end = (who) => [Number(tokens.get(who)?.dataset.x ?? 0), Number(tokens.get(who)?.dataset.y ?? 0)];
  const runners = []; // [path, spark, length, how], that move while the beat goes on
  let px = 0.05; // cells a CSS pixel is wide
  let size = 1; // cells a token is wide

  function measure() {
    const box = svg.getBoundingClientRect();
    const view = svg.viewBox.baseVal;
    px = Math.max(view.width / Math.max(1, box.width), view.height / Math.max(1, box.height)) || 0.05;
    const shape = svg.querySelector(".token .piece > use")?.getBoundingClientRect();
    size = Math.max(0.8, shape ? shape.width * px : 1);
    layer.style.setProperty("--px", `${px}px`);
  }

  const middle = (who) => {
    const [x, y] = end(who);
    return [x + 0.5, y + 0.5];
  };
  const isOwn = (op) => !op.at && op.to === op.who;
  const side = (who) => tokens.get(who)?.getAttribute("class").match(/side-\w+/)?.[0] ?? "";

  // From one rim to the other, bowed a little, so that two that pass each other are told apart.
  function way(op) {
    const [a, b] = [middle(op.who), op.at ? [op.at[0] + 0.5, op.at[1] + 0.5] : middle(op.to)];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const far = Math.hypot(dx, dy);
    if (far < 0.4) {
      const r = size * 0.7; // clear of the name below
      return `M${points([[a[0] - r, a[1]]])}A${r} ${r} 0 1 1 ${points([[a[0] + r, a[1]]])}A${r} ${r} 0 1 1 ${points([[a[0] - r, a[1]]])}`;
    }
    const bow = op.what === "blow" ? 0 : Math.min(0.16 * far, 60 * px);
    const top = [(a[0] + b[0]) / 2 + (dy / far) * bow, (a[1] + b[1]) / 2 - (dx / far) * bow];
    const rim = (size * 0.62) / far;
    const from = [a[0] + dx * rim, a[1] + dy * rim];
    const to = [b[0] - dx * rim, b[1] - dy * rim];
    return `M${points([from])}Q${points([top, to])}`;
  }

  function arc(op, how) {
    if (!op.at && !tokens.has(op.to)) return;
    const group = el("g", { class: side(op.who) });
    const path = el("path", { class: `arc is-${op.what}${how === "waiting" ? " is-waiting" : ""}`, d: way(op) });
    group.append(path);
    layer.append(group);
    if (how === "waiting") return;
    const length = path.getTotalLength?.() ?? 0;
    if (how === "new" && !isOwn(op)) {
      const label = el("text", { class: "spell-name rise" }, op.name);
      const at = length ? path.getPointAtLength(length / 2) : { x: middle(op.who)[0], y: middle(op.who)[1] };
      label.setAttribute("x", at.x.toFixed(3));
      label.setAttribute("y", (at.y - 9 * px).toFixed(3));
      group.append(label);
    }
    const spark = el("circle", { class: "spark", r: (op.what === "blow" ? 5 : 6) * px });
    group.append(spark);
    runners.push([path, spark, length, how]);
  }

  // Labels over one token stand one above the other.
  function over(who, heights, room = 20) {
    const [x, y] = middle(who);
    const row = heights.get(who) ?? 0;
    heights.set(who, row + room);
    return [x, y - size * 0.84 - (7 + row) * px];
  }

  function label(who, heights, text, css, room) {
    const [x, y] = over(who, heights, room);
    layer.append(el("text", { class: css, x: x.toFixed(3), y: y.toFixed(3) }, text));
  }

  function star(who, css) {
    const [x, y] = middle(who);
    const spikes = [...Array(16).keys()].map((n) => {
      const r = (n % 2 ? 0.34 : 0.72) * size;
      return [x + r * Math.sin((n * Math.PI) / 8), y - r * Math.cos((n * Math.PI) / 8)];
    });
    layer.append(el("path", { class: css, d: `M${points(spikes)}z` }));
  }

  function ring(who, css, grow = 0.78) {
    const [x, y] = middle(who);
    layer.append(el("circle", { class: `ring pop ${css}`, cx: x, cy: y, r: size * grow }));
  }

  function cross(who) {
    const [x, y] = middle(who);
    const r = size * 0.5;
    layer.append(el("path", { class: "cross pop", d: `M${points([[x - r, y - r]])}L${points([[x + r, y + r]])}M${points([[x + r, y - r]])}L${points([[x - r, y + r]])}` }));
  }

  function paper(who, heights, css, words) {
    const [x, y] = over(who, heights, 34);
    const [w, h] = [15 * px, 20 * px];
    const group = el("g", { class: "flip" });
    group.append(el("rect", { class: `paper ${css}`, x: x - w / 2, y: y - h, width: w, height: h, rx: 2 * px }));
    group.append(el("path", { class: `paper ${css}`, d: `M${x - w / 4} ${y - h * 0.65}h${w / 2}M${x - w / 4} ${y - h * 0.4}h${w / 2}` }));
    layer.append(group);
    if (words) label(who, heights, words, "rise");
  }

  const draw = {
    open: (op, heights, many) => !many && paper(op.who, heights, "", ""),
    go: (op) => {
      const [a, b] = [op.from, op.to].map(([x, y]) => [x + 0.5, y + 0.5]);
      const css = `trail ${side(op.who)}`;
      if (op.from.join() !== op.to.join()) layer.append(el("path", { class: css, d: `M${points([a])}L${points([b])}` }));
    },
    fly: (op, heights) => {
      arc(op, "new");
      if (isOwn(op)) label(op.who, heights, op.name, "spell-name rise");
    },
    hit: (op, heights) => {
      star(op.who, "star pop");
      label(op.who, heights, op.sum, "rise is-hurt");
    },
    miss: (op, heights) => {
      ring(op.who, "is-miss");
      label(op.who, heights, op.sum, "rise");
    },
    check: (op, heights) => {
      ring(op.who, op.ok ? "is-good" : "");
      label(op.who, heights, op.sum, "rise");
    },
    hurt: (op, heights) => op.n > 0 && label(op.who, heights, `−${op.n}`, "number rise is-hurt", 26),
    heal: (op, heights) => label(op.who, heights, `+${op.n}`, "number rise is-heal", 26),
    slam: (op, heights) => {
      star(op.who, "star pop");
      label(op.who, heights, `−${op.n}`, "number rise is-hurt", 26);
    },
    falls: (op, heights) => {
      cross(op.who);
      label(op.who, heights, { dead: "dies", broken: "breaks" }[op.how] ?? "falls", "number rise is-hurt", 26);
    },
    state: (op, heights) => label(op.who, heights, op.word, `rise${op.on ? "" : " is-off"}`),
    card: (op, heights) => paper(op.who, heights, `is-${op.verdict}`, WORDS[op.verdict]),
    say: (op, heights) => label(op.who, heights, `“${op.words}”`, "spell-name rise"),
    void: (op) => cross(op.who),
  };

  return {
    paint(ops, air) {
      measure();
      const acting = new Set(ops.filter((op) => op.op !== "open").map((op) => op.by ?? op.who));
      for (const [who, node] of tokens) node.classList.toggle("is-acting", acting.has(who) && acting.size < CROWD);
      for (const [op, how] of air) if (tokens.has(op.who)) arc(op, how);
      const heights = new Map();
      const known = ops.filter((op) => tokens.has(op.who));
      for (const op of known) draw[op.op]?.(op, heights, known.length > CROWD);
    },
    // The sparks, so far along their ways: what is new flies a third of it, what lands the rest.
    follow(share) {
      for (const [path, spark, length, how] of runners) {
        const part = how === "new" ? 0.35 * share : 0.35 + 0.65 * Math.min(1, share * 2);
        const { x, y } = length ? path.getPointAtLength(length * part) : { x: 0, y: 0 };
        spark.setAttribute("cx", x.toFixed(3));
        spark.setAttribute("cy", y.toFixed(3));
        spark.toggleAttribute("hidden", how === "lands" && share >= 0.5);
      }
    },
  };
}

let loop = 0;

function show({ frames, at, time }) {
  cancelAnimationFrame(loop);
  const svg = document.querySelector("svg[data-ground]");
  if (!svg) return;
  const painter = drawer(svg);
  const air = flights(frames)
    .filter(({ from, to }) => from < at && at <= to)
    .map(({ op, to }) => [op, to === at ? "lands" : "waiting"]);
  painter.paint(frames[at].draw, air);
  const begun = performance.now();
  const follow = (now) => {
    const share = time ? Math.min(1, Math.max(0, (now - begun) / time)) : 1;
    painter.follow(share);
    if (share < 1 && svg.isConnected) loop = requestAnimationFrame(follow);
  };
  follow(begun);
}

document.addEventListener("signet:frame", ({ detail }) => show(detail));
