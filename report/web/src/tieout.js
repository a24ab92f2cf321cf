// What pages do beyond showing: menu, colour scheme, copying, sorting and filtering tables, search in the ledger and over
// the site. All content is on the page without it. One classic script, which also runs from disk.
(function () {
  "use strict";

  var SHOWN = 8; // results of a search at a time
  var SIGNS = "!✗✓”–∅"; // of verdicts, in the order in which a filter offers them

  var each = function (selector, act, root) {
    Array.prototype.forEach.call((root || document).querySelectorAll(selector), act);
  };
  var make = function (tag, properties, children) {
    var node = Object.assign(document.createElement(tag), properties || {});
    (children || []).forEach(function (child) {
      node.append(child);
    });
    return node;
  };

  function menu() {
    var button = document.querySelector(".nav-toggle");
    var pages = document.getElementById("site-pages");
    if (!button || !pages) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      var open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      pages.classList.toggle("open", !open);
    });
  }

  function theme() {
    var button = document.querySelector(".theme-toggle");
    var page = document.documentElement;
    if (!button) return;
    var name = function () {
      button.textContent = page.getAttribute("data-bs-theme") === "dark" ? "Light" : "Dark";
    };
    button.hidden = false;
    button.setAttribute("aria-label", "Switch between light and dark");
    name();
    button.addEventListener("click", function () {
      var next = page.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
      page.setAttribute("data-bs-theme", next);
      try {
        window.localStorage.setItem("tieout-theme", next);
      } catch (error) {
        // the choice lasts for this page then
      }
      name();
    });
  }

  function copyText(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    return new Promise(function (done, fail) {
      var area = make("textarea", { value: text, className: "visually-hidden" });
      document.body.append(area);
      area.select();
      var copied = document.execCommand("copy");
      area.remove();
      if (copied) done();
      else fail(new Error("not copied"));
    });
  }

  function copying() {
    each("pre[data-copy]", function (block) {
      var button = make("button", { type: "button", className: "copy", textContent: "Copy" });
      var frame = make("div", { className: "copy-frame" });
      block.replaceWith(frame);
      frame.append(block, button);
      button.addEventListener("click", function () {
        copyText(block.textContent).then(
          function () {
            button.textContent = "Copied";
          },
          function () {
            button.textContent = "Not copied";
          }
        );
        window.setTimeout(function () {
          button.textContent = "Copy";
        }, 1600);
      });
    });
  }

  // A value of the report as a number to sort by: "18/20", "2.5", "true".
  function worth(cell) {
    var text = cell.getAttribute("data-value") || cell.textContent.trim().replace(/,/g, "");
    if (!/\d/.test(text)) return null;
    var parts = text.split("/");
    var value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(text);
    return Number.isNaN(value) ? null : value;
  }

  // Numbers before what is none, in either direction.
  function compare(a, b, down) {
    var left = worth(a), right = worth(b), turn = down ? -1 : 1;
    if (left !== null && right !== null) return turn * (left - right);
    if ((left === null) !== (right === null)) return left === null ? 1 : -1;
    return turn * a.textContent.trim().localeCompare(b.textContent.trim(), "en", { numeric: true });
  }

  function sorting() {
    each("table[data-sort]", function (table) {
      var body = table.tBodies[0];
      var printed = Array.prototype.slice.call(body.rows);
      each("thead th", function (head, column) {
        var button = make("button", { type: "button", className: "sort", textContent: head.textContent });
        head.setAttribute("data-head", head.textContent); // what paper has in the button's place
        head.replaceChildren(button);
        button.addEventListener("click", function () {
          var was = head.getAttribute("aria-sort");
          each("thead th", function (other) { other.removeAttribute("aria-sort"); }, table);
          var rows = printed.slice();
          if (was !== "descending") {
            var down = was === "ascending";
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            rows.sort(function (a, b) {
              return compare(a.cells[column], b.cells[column], down);
            });
          }
          rows.forEach(function (row) { body.append(row); });
        });
      }, table);
    });
  }

  // What a cell offers to a filter: each bold name in it, or else its first words.
  function offered(cell) {
    var names = Array.prototype.map.call(cell.querySelectorAll("b"), function (name) { return name.textContent; });
    if (names.length) return names;
    return [cell.firstChild ? cell.firstChild.textContent.trim() : "none"];
  }

  function byVerdict(a, b) {
    return SIGNS.indexOf(a.charAt(0)) - SIGNS.indexOf(b.charAt(0));
  }

  function filtering() {
    each("table[data-filter]", function (table, index) {
      var rows = Array.prototype.slice.call(table.tBodies[0].rows);
      var said = make("output", { className: "filter-said" });
      var tools = make("div", { className: "filters" });
      var chosen = {};
      var show = function () {
        var count = 0;
        rows.forEach(function (row) {
          var keep = Object.keys(chosen).every(function (column) {
            return !chosen[column] || offered(row.cells[column]).indexOf(chosen[column]) >= 0;
          });
          row.hidden = !keep;
          count += keep ? 1 : 0;
        });
        said.textContent = count + " of " + rows.length + " printed claims";
      };
      each("thead th[data-name]", function (head) {
        var column = head.cellIndex;
        var values = [];
        rows.forEach(function (row) {
          offered(row.cells[column]).forEach(function (value) {
            if (values.indexOf(value) < 0) values.push(value);
          });
        });
        if (values.length < 2) return;
        var id = "filter-" + index + "-" + column;
        values.sort();
        if (head.getAttribute("data-name") === "verdict") values.sort(byVerdict);
        var select = make("select", { id: id }, [new Option("all", "")].concat(values.map(function (value) {
          return new Option(value, value);
        })));
        select.addEventListener("change", function () {
          chosen[column] = select.value;
          show();
        });
        var label = make("label", { htmlFor: id, textContent: head.getAttribute("data-name") });
        tools.append(make("span", { className: "filter" }, [label, select]));
      }, table);
      tools.append(said);
      table.closest(".scroll").before(tools);
      show();
    });
  }

  function ledger() {
    each("[data-search]", function (index) {
      var entries = Array.prototype.map.call(index.querySelectorAll("li"), function (item) {
        return { item: item, text: (item.textContent + " " + item.querySelector("a").getAttribute("href")).toLowerCase() };
      });
      var field = make("input", { type: "search", id: "ledger-query", autocomplete: "off", spellcheck: false });
      var verdict = make("select", { id: "ledger-verdict" }, [new Option("any verdict", "")]);
      ["differs", "error", "ties", "quoted", "not-recomputable", "not-collected", "unprinted"].forEach(function (name) {
        if (index.querySelector("li.v-" + name)) verdict.append(new Option(name === "unprinted" ? "not printed" : name.replace("-", " "), name));
      });
      var said = make("output", { className: "filter-said" });
      var show = function () {
        var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        var count = 0;
        entries.forEach(function (entry) {
          var keep = (!verdict.value || entry.item.classList.contains("v-" + verdict.value)) &&
            words.every(function (word) { return entry.text.indexOf(word) >= 0; });
          entry.item.hidden = !keep;
          count += keep ? 1 : 0;
        });
        each(".ledger-book", function (book) {
          book.hidden = !book.querySelector("li:not([hidden])");
        }, index);
        said.textContent = count + " of " + entries.length + " claims";
      };
      field.addEventListener("input", show);
      verdict.addEventListener("change", show);
      index.before(make("div", { className: "filters ledger-tools" }, [
        make("label", { htmlFor: "ledger-query", textContent: "Search" }), field,
        make("label", { htmlFor: "ledger-verdict", textContent: "verdict" }), verdict, said
      ]));
      show();
    });
  }

  // Over http the whole site is searched by Pagefind's index; from disk a browser refuses it, and the box stays hidden.
  function search() {
    var box = document.querySelector(".site-search");
    if (!box || !/^https?:$/.test(window.location.protocol)) return;
    var field = box.querySelector("input"), found = box.querySelector(".site-found");
    var root = new URL(document.body.getAttribute("data-root") || "./", document.baseURI);
    var engine = null;
    var latest = 0;
    var pages = [], shown = 0;
    box.hidden = false;
    var load = function () {
      // No worker: the pages' policy allows none from a file, and an index of this size needs none.
      engine = engine || import(new URL("pagefind/pagefind.js", root).href).then(function (pagefind) {
        return pagefind.options({ noWorker: true, baseUrl: root.pathname }).then(function () { return pagefind; });
      });
      return engine;
    };
    field.addEventListener("focus", load, { once: true });
    var entry = function (page) {
      var of = page.meta.document ? [make("small", { textContent: page.meta.document })] : [];
      return make("a", { href: page.url, textContent: page.meta.title }, of);
    };
    // Puts the next results below those that are there, and below them what asks for more.
    var extend = function (turn) {
      return Promise.all(pages.slice(shown, shown + SHOWN).map(function (result) { return result.data(); })).then(function (read) {
        if (turn !== latest) return null;
        var rest = pages.length - shown - read.length;
        var button = make("button", { type: "button", textContent: rest + " more" });
        button.addEventListener("click", function () {
          var before = button.previousElementSibling;
          extend(latest).then(function () { before.nextElementSibling.focus(); });
        });
        each("button", function (old) { old.remove(); }, found);
        found.append.apply(found, read.map(entry).concat(rest ? [button] : []));
        shown += read.length;
        return null;
      });
    };
    field.addEventListener("input", function () {
      var turn = ++latest;
      load().then(function (pagefind) {
        return pagefind.search(field.value);
      }).then(function (answer) {
        if (turn !== latest) return null;
        pages = answer.results;
        shown = 0;
        found.replaceChildren();
        if (!pages.length && field.value) found.append(make("p", { textContent: "Nothing found." }));
        found.hidden = !field.value;
        return extend(turn);
      }).catch(function () {
        box.hidden = true; // no index was made for this site
      });
    });
    // The arrows walk over field and results, Enter in the field takes the first, Escape ends the search.
    box.addEventListener("keydown", function (event) {
      var stops = [field].concat(Array.prototype.slice.call(found.querySelectorAll("a, button")));
      var at = stops.indexOf(document.activeElement);
      if (event.key === "Escape") {
        field.value = "";
        found.hidden = true;
        field.focus();
      } else if (event.key === "Enter" && at === 0 && stops[1] && !found.hidden) {
        stops[1].click();
      } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden) {
        event.preventDefault();
        stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
      }
    });
  }

  menu();
  theme();
  copying();
  sorting();
  filtering();
  ledger();
  search();
})();
