// Keeps the words of a folded row true while its fields are changed: "attacks Alice and also plays a card".
//
//   <details class="hand-row"><summary>… <span data-act>attacks Alice</span></summary>
//       <div class="sentence"> <select>… <span class="rider"> <select>…
//           chosen options and typed words, in their order, as far as they are shown

document.addEventListener("change", (event) => {
  const row = event.target.closest?.(".hand-row");
  const words = row?.querySelector("[data-act]");
  if (!words) return;
  const parts = [...row.querySelectorAll(".sentence :is(select, input[type=text])")]
    .filter((field) => field.value && field.value !== "none" && field.checkVisibility())
    .map((field) => [field.closest(".rider"), field.selectedOptions?.[0].text ?? field.value]);
  const said = (inRider) => parts.filter(([rider]) => Boolean(rider) === inRider).map(([, text]) => text).join(" ");
  words.textContent = [said(false), said(true)].filter(Boolean).join(" and also ");
});
