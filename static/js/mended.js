// A fault leaves when its field is changed, and the notice above the form with the last one. Loaded after the page itself.
//
//   <span class="fault" id="fault-of-ada-spell">     of the field "of.ada.spell", and of all whose names begin with it
//   <p class="fault">                                of the whole form, without an id
//   <… class="notice bad" data-refused>              what a refusal says outside the form (keep.js)

function idOf(name) {
  return `fault-${name.replaceAll(".", "-").replace("[]", "")}`;
}

function mend(form, field) {
  const id = idOf(field.name);
  const all = [...form.querySelectorAll(".fault:not([data-says], [data-undelivered])")].filter((one) => one.textContent.trim());
  const mended = all.filter((one) => !one.id || id === one.id || id.startsWith(`${one.id}-`));
  if (!mended.length) return;
  for (const one of mended) one.remove();
  for (const other of form.elements) {
    if (other.name !== field.name) continue;
    other.removeAttribute("aria-invalid");
    other.removeAttribute("aria-describedby");
  }
  if (mended.length < all.length) return;
  for (const notice of document.querySelectorAll(".scene-notice[data-refused]")) notice.remove();
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    if (target.form?.matches("[data-keep]") && target.name) mend(target.form, target);
  });
}
