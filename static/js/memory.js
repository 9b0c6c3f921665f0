// What this browser, or this tab, remembers for its reader. Storage may be closed to a page: then nothing is.
//
//   recall(key), remember(key, value)                    in this browser, for good
//   recall(key, sessionStorage), remember(…, sessionStorage)  in this tab only

export function recall(key, store) {
  try {
    return (store ?? localStorage).getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value, store) {
  try {
    (store ?? localStorage).setItem(key, value);
  } catch {
    // Full or closed: the choice holds until the page is left.
  }
}
