// The panels beside the scenes on the GM's desk: the address says which one is shown, so that a reload shows it again.
//
//   <nav class="panels"><a href="…/desk?panel=log#beside" hx-get="…">   htmx fetches it; without scripts it is a link

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".panels a");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    history.replaceState(history.state, "", link.href.split("#")[0]);
  }
});
