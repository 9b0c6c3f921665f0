// Keeps the words of a folded row true while its fields are changed: "attacks Alice and also plays a card".
//
//   <details class="hand-row"><summary>… <span data-act>attacks Alice</span></summary>
//       <div class="sentence"> <select>… <span class="rider"> <select>…
//           chosen options and typed words, in their order, as far as they are shown; `data-said` of an option counts

function said(field) {
  const option = field.selectedOptions?.[0];
  return option ? (option.dataset.said ?? option.text) : field.value;
}

document.addEventListener("change", (event) => {
  const row = event.target.closest?.(".hand-row");
  const words = row?.querySelector("[data-act]");
  if (!words) return;
  const parts = [...row.querySelectorAll(".sentence :is(select, input[type=text])")]
    .filter((field) => field.value && field.value !== "none" && field.checkVisibility())
    .map((field) => [field.closest(".rider"), said(field)]);
  const joined = (inRider) => parts.filter(([rider]) => Boolean(rider) === inRider).map(([, text]) => text).join(" ");
  words.textContent = [joined(false), joined(true)].filter(Boolean).join(" and also ");
});
