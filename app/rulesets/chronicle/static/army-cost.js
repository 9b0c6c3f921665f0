// What an army costs so far, while its men are typed. Without it the form says what each man costs.
//
//   <… data-points="300"> … <input data-cost="4"> … <output hidden></output>   the points there are, and how many are left

import { onContent } from "../../js/swaps.js";

const number = (count) => count.toLocaleString("en");

function count(army) {
  const points = Number(army.dataset.points);
  const cost = [...army.querySelectorAll("[data-cost]")].reduce((sum, { value, dataset }) => sum + value * dataset.cost, 0);
  const said = army.querySelector("output");
  const rest = cost > points ? `${number(cost - points)} too many` : `${number(points - cost)} left`;
  said.textContent = `${number(cost)} of ${number(points)} points spent, ${rest}`;
  said.classList.toggle("is-over", cost > points);
  said.hidden = false;
}

document.addEventListener("input", ({ target }) => target.dataset?.cost && target.closest("[data-points]") && count(target.closest("[data-points]")));
onContent(() => document.querySelectorAll("[data-points]").forEach(count));
