// What this browser, or this tab, remembers for its reader. Storage may be closed to a page: then nothing is.
//
//   recall(key), remember(key, value)        in this browser, for good
//   recall(key, TAB), remember(…, TAB)       in this tab only
//   recallList(key, TAB)                     a list that was remembered as JSON; [] if it is not one
//   forget(key, TAB), remembered(prefix, TAB)
//
// TAB is a name: where storage is closed, reading `window.sessionStorage` throws, so it is read in here only.

export const TAB = "sessionStorage";
const BROWSER = "localStorage";

function attempt(used, otherwise) {
  try {
    return used();
  } catch {
    return otherwise; // full or closed: the choice holds until the page is left
  }
}

export function recall(key, store = BROWSER) {
  return attempt(() => window[store].getItem(key), null);
}

export function recallList(key, store = BROWSER) {
  const found = attempt(() => JSON.parse(window[store].getItem(key)), null);
  return Array.isArray(found) ? found : [];
}

export function remember(key, value, store = BROWSER) {
  attempt(() => window[store].setItem(key, value));
}

export function forget(key, store = BROWSER) {
  attempt(() => window[store].removeItem(key));
}

export function remembered(prefix, store = BROWSER) {
  return attempt(() => Object.keys(window[store]).filter((key) => key.startsWith(prefix)), []);
}
