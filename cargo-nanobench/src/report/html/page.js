// The reports, and the way between the overview and the benchmarks.

/** Joins the document with the details that stand beside it: one report for each baseline. */
function readReports() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = data.document ? [data.document, ...data.document.other_runs] : [];
  return all.map((run, index) => {
    const benchmarks = run.benchmarks.map((benchmark, place) => {
      const details = data.runs[index].benchmarks[place];
      return { ...benchmark, before: details.before, details, place };
    });
    const shared = { environment: data.document.environment, complexity: index === 0 ? data.document.complexity : [], scale_to: data.document.scale_to };
    return { ...shared, ...run, benchmarks, sources: data.sources, written: data.written, about: data.runs[index].baseline };
  });
}

const reports = readReports();
const page = document.getElementById("page");
/** The state of the overview, which survives a visit to a benchmark. */
const state = { report: 0, search: "", verdict: null, statistics: false, sort: null, descending: false, scroll: 0, last: null };

const report = () => reports[state.report];

/** Returns the address of a benchmark within the page. */
function address(benchmark) {
  return `#${encodeURIComponent(benchmark.id)}`;
}

function opened() {
  let id = null;
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return undefined;
  }
  return report().benchmarks.find((benchmark) => benchmark.id === id);
}

/** Returns the benchmarks before and after one, in the order of the overview. */
function neighbours(benchmark) {
  const list = selected();
  const place = list.indexOf(benchmark);
  return place < 0 ? [] : [list[place - 1], list[place + 1]];
}

function showBenchmark(benchmark) {
  const rows = report().benchmarks.filter((other) => other.details.function === benchmark.details.function);
  const [previous, next] = neighbours(benchmark);
  const step = (other, text) => (other
    ? element("a", { class: "button", href: address(other), title: visible(other.details.name) }, text)
    : element("span", { class: "button", "aria-disabled": "true" }, text));
  page.replaceChildren(
    element("nav", { "aria-label": "Benchmarks" }, element("a", { class: "button", href: "#" }, "← All benchmarks"), element("span", {}, step(previous, "Previous"), step(next, "Next"))),
    benchmarkView(report(), benchmark, rows));
  document.title = visible(benchmark.details.name);
  scrollTo(0, 0);
  page.querySelector("h1").focus({ preventScroll: true });
}

let isOverview = false;

/** Shows the benchmark that the address names, or the overview. */
function show() {
  const benchmark = opened();
  if (benchmark) {
    if (isOverview) {
      state.scroll = scrollY;
    }
    isOverview = false;
    state.last = address(benchmark);
    showBenchmark(benchmark);
  } else {
    isOverview = true;
    overview();
    const left = state.last && document.querySelector(`a[href="${CSS.escape(state.last)}"]`);
    if (left) {
      left.focus({ preventScroll: true });
    }
    scrollTo(0, state.scroll);
  }
}

addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest && event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const benchmark = opened();
  const search = page.querySelector("input[type=search]");
  if (event.key === "/" && !isTyping && search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && benchmark) {
    location.hash = "#";
  } else if (benchmark && !isTyping && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    const next = neighbours(benchmark)[event.key === "ArrowLeft" ? 0 : 1];
    if (next) {
      location.hash = address(next);
    }
  }
});
show();
