// Tooltips of figures: with the pointer, by touch, and with the arrow keys from the focused plot.
// What a mark says stands in its <title> in the wide drawing; the narrow one has the same marks in the same order.
(function () {
  "use strict";

  function prepare(plot) {
    var drawings = Array.from(plot.querySelectorAll("svg"), function (svg) {
      // A mark has the class itself, or stands among others in a group that has it for all of them.
      return Array.from(svg.querySelectorAll(".mark, .marks > *"), function (mark) {
        mark.classList.add("mark");
        return mark;
      });
    });
    var says = (drawings[0] || []).map(function (mark) {
      var title = mark.querySelector("title");
      var text = title ? title.textContent : "";
      if (title) title.remove(); // else the browser shows it a second time
      return text;
    });
    if (!says.length) return;

    var tip = document.createElement("div");
    tip.className = "fig-tip";
    tip.setAttribute("role", "status");
    tip.hidden = true;
    plot.append(tip);
    plot.tabIndex = 0;
    plot.setAttribute("aria-description", "The arrow keys read the values one by one.");

    var at = -1;
    var lit = null;

    function shown() {
      return drawings.find(function (marks) {
        return marks.length && marks[0].ownerSVGElement.getClientRects().length;
      });
    }

    function hide() {
      if (lit) lit.classList.remove("fig-on");
      lit = null;
      tip.hidden = true;
    }

    function show(index) {
      var marks = shown();
      if (!marks || !marks[index]) return;
      hide();
      at = index;
      lit = marks[index];
      lit.classList.add("fig-on");
      tip.textContent = says[index];
      tip.hidden = false;
      var box = lit.getBoundingClientRect();
      var frame = plot.getBoundingClientRect();
      var left = box.left + box.width / 2 - frame.left - tip.offsetWidth / 2;
      var above = box.top - frame.top - tip.offsetHeight - 8;
      tip.style.left = Math.max(0, Math.min(left, frame.width - tip.offsetWidth)) + "px";
      tip.style.top = (frame.top + above > 0 ? above : box.bottom - frame.top + 8) + "px";
    }

    function indexOf(target) {
      var mark = target.closest ? target.closest(".mark") : null;
      var marks = shown();
      return mark && marks ? marks.indexOf(mark) : -1;
    }

    plot.addEventListener("pointerover", function (event) {
      var index = indexOf(event.target);
      if (index >= 0) show(index);
      else if (document.activeElement !== plot) hide();
    });
    plot.addEventListener("pointerleave", function () {
      if (document.activeElement !== plot) hide();
    });
    plot.addEventListener("pointerdown", function (event) {
      var index = indexOf(event.target);
      if (index >= 0) show(index);
      else hide();
    });
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", function (event) {
      var last = says.length - 1;
      var to = {
        ArrowRight: at < last ? at + 1 : 0,
        ArrowDown: at < last ? at + 1 : 0,
        ArrowLeft: at > 0 ? at - 1 : last,
        ArrowUp: at > 0 ? at - 1 : last,
        Home: 0,
        End: last,
      }[event.key];
      if (event.key === "Escape") hide();
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show(to);
    });
  }

  function start() {
    document.querySelectorAll(".fig-plot").forEach(prepare);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
