// The overview: all benchmarks in a table, with search, filters and orders.

const ORDER = ["failed", "slower", "unsure", "placement", "faster", "new", "same"];

function verdictOf(benchmark) {
  return benchmark.status === "failed" ? "failed" : benchmark.comparison ? benchmark.comparison.verdict : null;
}

/** Returns the change and the interval that a benchmark's verdict is about. */
function answerOf({ comparison }) {
  if (!comparison) {
    return { change: null, interval: null };
  }
  return comparison.question === "average" && comparison.average ? comparison.average : comparison;
}

/** The statistics of samples that the overview shows on request, with their titles. */
const STATISTICS = { mean: "Mean", sd: "Std. dev.", min: "Fastest", max: "Slowest" };

/** The columns of the overview. `key`: what a column is sorted by; the least comes first. */
const COLUMNS = {
  name: { title: "Benchmark", key: (benchmark) => benchmark.id },
  verdict: { title: "Verdict", key: (benchmark) => ORDER.indexOf(verdictOf(benchmark)) },
  change: { title: "Change", key: (benchmark) => answerOf(benchmark).change, isDescending: true, isNumber: true },
  before: { title: "Before", key: (benchmark) => benchmark.before, isDescending: true, isNumber: true },
  now: { title: "Now", key: (benchmark) => benchmark.time && benchmark.time.median, isDescending: true, isNumber: true },
  scaled: { title: "Scaled", key: (benchmark) => benchmark.scaled, isDescending: true, isNumber: true },
  err: { title: "Spread", key: (benchmark) => benchmark.err, isDescending: true, isNumber: true },
  ...Object.fromEntries(Object.entries(STATISTICS).map(([name, title]) =>
    [name, { title, key: (benchmark) => benchmark.time && benchmark.time[name], isDescending: true, isNumber: true }])),
};

function isCompared() {
  return report().baseline !== null;
}

function columns() {
  const names = isCompared() ? ["name", "verdict", "change", "before", "now"] : ["name", "now"];
  names.push(...(isScaled() ? ["scaled"] : []), "err", ...(state.statistics ? Object.keys(STATISTICS) : []));
  return names.map((name) => [name, name === "now" && !isCompared() ? { ...COLUMNS.now, title: "Time" } : COLUMNS[name]]);
}

function isScaled() {
  return report().scale_to !== null;
}

/** Returns the multiple of the benchmark that is 1.00, which is marked. */
function multiple({ id, scaled }) {
  return scaled === null ? "" : id === report().scale_to ? element("strong", { title: "Others are multiples of this time" }, "1.00") : significant(scaled);
}

/** Returns the benchmarks that the search and the filter leave, in the order that is asked for. */
function selected() {
  const words = state.search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const text = (benchmark) => [benchmark.id, benchmark.group, benchmark.description, ...benchmark.tags].join("\n").toLowerCase();
  const found = report().benchmarks.filter((benchmark) =>
    (state.verdict === null || verdictOf(benchmark) === state.verdict) && words.every((word) => text(benchmark).includes(word)));
  if (state.sort === null) {
    return found;
  }
  const { key } = COLUMNS[state.sort];
  const sign = state.descending ? -1 : 1;
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);
  // Rows without a value come last in either direction.
  const isMissing = (value) => value === null || value === undefined;
  return found.sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    return isMissing(a) || isMissing(b) ? Number(isMissing(a)) - Number(isMissing(b)) : sign * compare(a, b);
  });
}

/** Returns the change up to which intervals are drawn: nearly all of them fit. */
function chartLimit() {
  const ends = report().benchmarks.flatMap((benchmark) => answerOf(benchmark).interval || []).map(Math.abs);
  const limit = ends.length ? quantile(ascending(ends), 0.8) : 1;
  return [1, 2, 5, 10, 20, 50, 100].find((step) => step >= limit) || 100;
}

const CHART_WIDTH = 180;

/** Returns the small chart of an interval: a bar from end to end, with a dot at the estimate. */
function intervalChart({ change: estimate, interval: ends }, verdict, limit) {
  if (!ends) {
    return null;
  }
  const scale = linear([-limit, limit], [8, CHART_WIDTH - 8]);
  const inside = (value) => Math.max(4, Math.min(CHART_WIDTH - 4, scale(value)));
  const bar = [inside(ends[0]), inside(ends[1])];
  return shape("svg", { viewBox: `0 0 ${CHART_WIDTH} 18`, width: CHART_WIDTH, height: 18, "aria-hidden": "true" },
    line(scale(0), 0, scale(0), 18, "zero"),
    rectangle(bar[0], 7, Math.max(2, bar[1] - bar[0]), 4, `fill-${verdict}`, { rx: 2, opacity: 0.5 }),
    Math.abs(estimate) <= limit
      ? dot(inside(estimate), 9, `fill-${verdict}`, { r: 3.5 })
      : path(estimate > 0 ? [[172, 4], [178, 9], [172, 14]] : [[8, 4], [2, 9], [8, 14]], `fill-${verdict}`));
}

function rowOf(benchmark, limit, isGrouped) {
  const { comparison, details } = benchmark;
  const verdict = verdictOf(benchmark);
  const unit = benchmark.unit;
  const link = element("a", { href: address(benchmark) }, code(isGrouped ? details.name : benchmark.id));
  const now = benchmark.status === "ok" ? timePer(benchmark.time.median, unit)
    : benchmark.resolution === null ? "–" : `under ${time(benchmark.resolution)}`;
  const before = benchmark.before ? time(benchmark.before) : details.before_under ? `under ${time(details.before_under)}` : "";
  const { change: by, interval: known } = answerOf(benchmark);
  const cells = [element("td", { class: "name", role: "cell" }, link)];
  if (isCompared()) {
    const about = comparison && comparison.question === "average" ? " on average" : details.is_identical ? ": identical code" : "";
    cells.push(
      element("td", { class: "verdict", role: "cell" }, verdict ? verdictWord(verdict) : "", element("span", { class: "muted small" }, about)),
      element("td", { class: `number${by === null ? " empty" : ""}`, role: "cell" }, by === null ? "" : change(by)),
      element("td", { class: `chart${known ? "" : " empty"}`, role: "cell" }, intervalChart(answerOf(benchmark), verdict, limit),
        known ? element("span", { class: "visually-hidden" }, interval(known)) : null),
      element("td", { class: "number wide", role: "cell" }, before));
  }
  const figure = (text, kind = "") => element("td", { class: `number${kind}`, role: "cell" }, text);
  const isResolved = benchmark.status === "ok";
  cells.push(
    figure(now),
    isScaled() ? figure(multiple(benchmark)) : null,
    figure(isResolved ? spread(benchmark.err) : "", " muted wide"),
    ...(state.statistics ? Object.keys(STATISTICS) : []).map((name) => figure(isResolved ? time(benchmark.time[name]) : "", " wide")));
  const open = (event) => {
    if (!event.target.closest("a")) {
      location.hash = address(benchmark);
    }
  };
  return element("tr", { role: "row", click: open }, cells);
}

function tableHead(limit) {
  const heading = ([name, { title, isNumber }]) => {
    const isSorted = state.sort === name;
    const arrow = isSorted ? (state.descending ? "↓" : "↑") : "";
    const sort = element("button", { type: "button", "data-sort": name, click: () => sortBy(name) }, title, element("span", { class: "arrow", "aria-hidden": "true" }, arrow));
    const kind = `${isNumber ? "number" : ""} ${name === "before" || name === "err" || name in STATISTICS ? "wide" : ""}`.trim() || null;
    return element("th", { scope: "col", role: "columnheader", class: kind, "aria-sort": isSorted ? (state.descending ? "descending" : "ascending") : "none" }, sort);
  };
  const cells = columns().map(heading);
  if (isCompared()) {
    const ends = [[8, "start", `−${limit} %`], [CHART_WIDTH / 2, "middle", "0"], [CHART_WIDTH - 8, "end", `+${limit} %`]];
    const scale = shape("svg", { viewBox: `0 0 ${CHART_WIDTH} 16`, width: CHART_WIDTH, height: 16, "aria-hidden": "true" },
      ends.map(([x, anchor, text]) => label(x, 12, text, anchor)));
    cells.splice(3, 0, element("th", { scope: "col", role: "columnheader" }, element("span", { class: "visually-hidden" }, "95 % interval"), scale));
  }
  return element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, cells));
}

function sortBy(name) {
  const first = Boolean(COLUMNS[name] && COLUMNS[name].isDescending);
  if (name === null || name === "" || (state.sort === name && state.descending !== first)) {
    // The third click, and the choice of the order of the run.
    state.sort = null;
  } else {
    state.descending = state.sort === name ? !state.descending : first;
    state.sort = name;
  }
  showRows();
}

/** Shows the rows that are selected now. */
function showRows() {
  const found = selected();
  const limit = chartLimit();
  const isGrouped = state.sort === null;
  const body = element("tbody", { id: "rows", role: "rowgroup" });
  let above = null;
  for (const benchmark of found) {
    const group = `${benchmark.package} ${benchmark.details.group}`;
    if (isGrouped && group !== above) {
      body.append(element("tr", { class: "group", role: "row" }, element("td", { colspan: 14, role: "cell" }, code(`${benchmark.package}::${benchmark.details.group}`))));
      above = group;
    }
    body.append(rowOf(benchmark, limit, isGrouped));
  }
  const table = element("table", { class: "overview", role: "table", "aria-label": "Benchmarks" }, tableHead(limit), body);
  const focused = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.sort;
  const place = document.getElementById("table");
  place.replaceChildren(table);
  if (focused) {
    const again = place.querySelector(`button[data-sort="${focused}"]`);
    if (again) {
      again.focus();
    }
  }
  const all = report().benchmarks.length;
  document.getElementById("found").textContent = found.length === all ? counted(all, "benchmark") : `${number(found.length)} of ${number(all)} benchmarks`;
  for (const chip of document.querySelectorAll(".chip[data-verdict]")) {
    chip.setAttribute("aria-pressed", String(chip.dataset.verdict === String(state.verdict)));
  }
}

/** Returns the buttons that leave only the benchmarks with a verdict. */
function chips() {
  const counts = new Map();
  for (const verdict of report().benchmarks.map(verdictOf).filter((verdict) => verdict !== null)) {
    counts.set(verdict, (counts.get(verdict) || 0) + 1);
  }
  return ORDER.filter((verdict) => counts.has(verdict)).map((verdict) => {
    const toggle = () => {
      state.verdict = state.verdict === verdict ? null : verdict;
      showRows();
    };
    return element("button", { type: "button", class: "chip", "data-verdict": verdict, click: toggle }, `${counts.get(verdict)} ${verdict}`);
  });
}

/** Returns the button that shows and hides the statistics of the samples. */
function statisticsButton() {
  const toggle = () => {
    state.statistics = !state.statistics;
    state.sort = state.sort in STATISTICS ? null : state.sort;
    overview();
    document.getElementById("statistics").focus();
  };
  return element("button", { id: "statistics", type: "button", class: "chip", "aria-pressed": String(state.statistics), click: toggle }, "Statistics");
}

function notices({ warnings, differences, removed, gate, interrupted, baseline }) {
  const list = [...warnings];
  if (interrupted) {
    list.unshift("The run was interrupted, so benchmarks are missing.");
  }
  if (differences.length) {
    list.unshift(`${baseline} was built or measured differently, which may explain some changes: ${differences.join("; ")}`);
  }
  if (removed.length) {
    list.push(`Removed: ${removed.join(", ")}`);
  }
  const failed = gate && !gate.passed
    ? element("div", { class: "notice failed" }, `A gate failed: ${gate.failures.map(({ kind, id }) => `${kind} ${visible(id)}`).join(", ")}`)
    : null;
  const shown = list.slice(0, 3).map((text) => element("li", {}, visible(text)));
  const rest = list.slice(3).map((text) => element("li", {}, visible(text)));
  return [
    failed,
    shown.length ? element("div", { class: "notice" }, element("ul", {}, shown),
      rest.length ? element("details", {}, element("summary", {}, counted(rest.length, "further warning")), element("ul", {}, rest)) : null) : null,
  ];
}

function commitText({ commit }) {
  return commit ? `${commit.hash.slice(0, 7)}${commit.branch ? ` on ${commit.branch}` : ""}${commit.dirty ? ", with uncommitted changes" : ""}` : null;
}

function environmentSection({ environment, differences, baseline }) {
  const { rustc, profile, profile_settings: settings, features, rustflags } = environment;
  const rows = [
    ["Processor", environment.cpu && `${environment.cpu}${environment.cores ? ` (${counted(environment.cores, "core")})` : ""}`],
    ["System", [environment.os, environment.arch].filter(Boolean).join(", ")],
    ["Compiler", rustc && rustc.version],
    ["Target", environment.target],
    ["Profile", [profile, ...(settings || [])].filter(Boolean).join(" ")],
    ["Features", features.join(" ")],
    ["RUSTFLAGS", rustflags.join(" ")],
    ["Commit", commitText(environment)],
    ["cargo-nanobench", environment.cargo_nanobench],
    ["nanobench-core", environment.nanobench_core],
    ...Object.entries(environment.context || {}),
  ].filter(([, value]) => value);
  const different = baseline === null ? null
    : differences.length ? element("ul", {}, differences.map((text) => element("li", {}, visible(text))))
      : element("p", { class: "muted" }, `${visible(baseline)} was built and measured in the same way.`);
  return element("section", { id: "environment" }, element("h2", {}, "Environment"),
    element("table", { class: "environment" }, element("tbody", {}, rows.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, visible(name)), element("td", {}, visible(value)))))),
    different === null ? null : element("h3", { class: "small" }, "Differences from the baseline"), different);
}

function overview() {
  const { environment, written, baseline, about, saved, scale_to } = report();
  const packages = [...new Set(report().benchmarks.map((benchmark) => benchmark.package))];
  const facts = [environment.cpu, environment.rustc && environment.rustc.version.replace(/ \(.*/, ""), commitText(environment), saved === null ? written : saved];
  const search = element("input", {
    type: "search", placeholder: "Search", "aria-label": "Search benchmarks", value: state.search, autocomplete: "off", spellcheck: "false",
    input: (event) => {
      state.search = event.target.value;
      showRows();
    },
  });
  search.value = state.search;
  const order = element("select", { class: "sort", "aria-label": "Sort", change: (event) => { state.sort = null; sortBy(event.target.value); } },
    [["", "In the order of the run"], ...columns().map(([name, { title }]) => [name, `By ${title.toLowerCase()}`])].map(([name, text]) =>
      element("option", { value: name, selected: name === (state.sort || "") }, text)));
  const baselines = reports.length < 2 ? null : element("select", { "aria-label": "Baseline", change: (event) => { state.report = Number(event.target.value); show(); } },
    reports.map((run, index) => element("option", { value: index, selected: index === state.report }, `Baseline: ${visible(run.baseline)}`)));
  page.replaceChildren(...[
    element("header", {},
      element("h1", { tabindex: -1 }, packages.length === 1 ? ["Benchmarks of ", code(packages[0])] : "Benchmarks"),
      element("p", { class: "muted" }, facts.filter(Boolean).map(visible).join(" · ")),
      baseline === null ? null : element("p", {}, "Compared with ", element("strong", {}, visible(baseline)), about ? element("span", { class: "muted" }, ` – ${visible(about)}`) : null),
      isScaled() ? element("p", {}, "Scaled: 1.00 is the time of ", code(scale_to)) : null,
      notices(report())),
    element("div", { class: "tools", role: "search" }, search, order, baselines, chips(), statisticsButton(), element("span", { id: "found", class: "muted small", role: "status" })),
    element("div", { id: "table" }),
    environmentSection(report()),
    element("footer", {}, element("p", {}, "Keys: ", element("kbd", {}, "/"), " searches, ", element("kbd", {}, "←"), " and ", element("kbd", {}, "→"), " show other benchmarks, ",
      element("kbd", {}, "Esc"), " leads back here. Made by cargo-nanobench.")),
  ].filter((part) => part !== null));
  showRows();
  document.title = packages.length === 1 ? `Benchmarks of ${visible(packages[0])}` : "Benchmarks";
}
