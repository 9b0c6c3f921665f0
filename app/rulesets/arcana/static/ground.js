// The map of a fight: moved, zoomed, walked over with the keyboard, picked from by forms, laid out by the GM.
//
//   <figure data-map><svg data-ground data-frame="LEFT TOP WIDE HIGH" data-size="WIDE HIGH" data-kits="[…]">
//       one unit is a cell of half a metre; .under and .over, [data-map-own], are drawn here and left alone by refreshes
//   <g class="token side-x is-mine" data-who="ID" data-x="12" data-y="4" data-kit="0">     somebody
//   <p class="map-says" data-map-own aria-live="polite">     what the cursor stands on
//   <button type="button" data-pick="FIELD" data-what="place|who|walls|terrain" data-from="ID" data-reach="CM">
//       lets a place, or somebody, be chosen on the map for the field of that name in the same form
//   of.ID.major.…, of.ID.minors.N.…, of.ID.free.…     what one's own form says is drawn, for nobody else to see
//   at.ID, walls, terrain                             of a GM's form: tokens can be dragged, cover and terrain laid out
//
// Without this module the map stands still and forms take places as text.

import "./ground-view.js";
import "./ground-plan.js";
import "./ground-pick.js";
import "./ground-lay.js";
import "./ground-terrain.js";
