// Everything that runs in the browser: small modules, no build, nothing evaluated, no inline handlers. Every page works
// without them. Each module says at its top which attributes it answers to.

import "./local-time.js";
import "./keep.js";
import "./typed.js";
import "./dialogs.js"; // before form.js: a press that is first asked about is not yet on its way
import "./form.js";
import "./chosen.js"; // after keep.js: what it gives back is chosen too
import "./live.js";
import "./clock.js";
import "./focus.js";
import { onContent } from "./swaps.js";

const nothing = () => {}; // a page that is left meanwhile, or is offline, goes without

addEventListener("load", () => {
  if (document.getElementById("here")) import("./presence.js").catch(nothing);
  import("./theme.js").catch(nothing); // theme-early.js has set the theme itself
  import("./keys.js").catch(nothing);
  if (!CSS.supports("field-sizing: content")) import("./select-width.js").catch(nothing);
  if (document.querySelector("[data-films]")) import("./film.js").catch(nothing);
  if (!document.getElementById("asks")) return;
  import("./quiet-drafts.js").catch(nothing);
  import("./asked.js").catch(nothing);
  import("./mended.js").catch(nothing);
  import("./resend.js").catch(nothing);
  import("./last-call.js").catch(nothing);
  import("./announce.js").catch(nothing);
});

onContent((root) => {
  if (root.querySelector("[data-copy]")) import("./copy.js").catch(nothing);
});
