// While an appeal is written: how likely it moves each listener, by skill, motivation, context and topic.
//
//   <div class="talking" data-rated='{"first": -12, "ways": […], "people": {…}}'> … <div data-estimate></div></div>

const percent = (chance) => (chance === 0 || chance === 1 ? `${100 * chance}` : `${Math.min(99, Math.max(1, Math.round(100 * chance)))}`);
const folded = (text) => text.trim().toLowerCase();

function estimate(form) {
  const { first, ways, people, usual } = JSON.parse(form.querySelector("[data-rated]").dataset.rated);
  const of = (name) => form.elements[name]?.value ?? "";
  const [skill, motivation, topic, context] = ["skill", "motivation", "topic", "context"].map(of);
  const rating = people[of("who")]?.skills[skill];
  if (rating === undefined || !motivation) return [];
  return [...form.querySelectorAll('[name="listeners[]"]:checked')].map(({ value }) => {
    const listener = people[value];
    const drive = listener.drives.find((one) => folded(one.topic) === folded(topic) && folded(one.context) === folded(context));
    const difficulty = drive ? drive.difficulty : usual;
    const heard = ways[Math.max(0, Math.min(ways.length - 1, rating - difficulty - first))] / 640;
    const strength = listener.motivations[motivation];
    const found = strength === undefined ? "motivations not rolled yet" : `in all ${percent((heard * strength) / 12)} %`;
    return `${listener.name}: difficulty ${difficulty}${drive ? "" : " or 2"}, ${percent(heard)} %; d12 of at most ${strength ?? "?"}; ${found}`;
  });
}

function show({ target }) {
  const form = target.closest?.("form");
  const place = form?.querySelector("[data-estimate]");
  if (!place) return;
  const list = document.createElement("ul");
  list.append(...estimate(form).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  place.replaceChildren(...(list.childElementCount ? [list] : []));
}

document.addEventListener("input", show);
document.addEventListener("change", show);
