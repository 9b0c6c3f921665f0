// An example of something to try, by a press: its words and its skill go into the form.
//
//   <button type="button" data-aim="climb up to the roof" data-skill="jump_climb">

document.addEventListener("click", ({ target }) => {
  const example = target.closest("[data-aim]");
  const form = example?.closest("form");
  if (!form) return;
  for (const name of ["aim", "skill"]) {
    const field = form.elements[name];
    field.value = example.dataset[name];
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  form.elements.aim.focus();
});
