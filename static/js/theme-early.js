// Before the first paint: the theme this browser chose, if it chose one.
try {
  const chosen = localStorage.getItem("signet-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage is closed to this page; the system's theme is fine */ }
