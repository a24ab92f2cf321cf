// The colour scheme before the first paint: the reader's own choice where there is one, else the system's.
(function () {
  "use strict";
  var kept = null;
  try {
    kept = window.localStorage.getItem("tieout-theme");
  } catch (error) {
    kept = null; // storage may be closed to a page from disk
  }
  var dark = kept ? kept === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.setAttribute("data-bs-theme", dark ? "dark" : "light");
  document.documentElement.classList.add("js");
})();
