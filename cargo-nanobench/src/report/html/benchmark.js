// The view of one benchmark.

const SYMBOLS = { slower: "▲", faster: "▼", same: "=", placement: "↷", unsure: "?", new: "+", failed: "✕" };

/** Returns the word of a verdict with its symbol, in its colour. */
function verdictWord(verdict) {
  return element("span", { class: verdict }, element("span", { "aria-hidden": "true" }, `${SYMBOLS[verdict] || ""} `), verdict);
}

/** Returns the bound of an average that may have grown by more than 2 %, in whole percent. */
function averageOfSame(average) {
  const mayHaveGrown = average && average.interval[1] > 2;
  return mayHaveGrown ? `, average under ${Math.ceil(average.bound - 1e-9)} %` : "";
}

/** Returns a verdict with the amount that it is about. */
function verdictLine({ verdict, question, bound, seconds_to_decide: seconds, ...comparison }, isIdentical) {
  const average = question === "average" && comparison.average;
  const amounts = {
    slower: question === "launches" ? "in some processes"
      : !average && comparison.change === null ? comparison.reason
      : `${change((average || comparison).change)}${average ? " on average" : ""}`,
    same: isIdentical ? "identical code" : bound === null ? "" : `any change is under ${roundedUp(bound)}${averageOfSame(comparison.average)}`,
    unsure: seconds === null ? "" : `needs about ${number(Math.max(1, Math.ceil(seconds)))} s more`,
  };
  const text = { ...amounts, faster: amounts.slower, placement: amounts.slower }[verdict];
  return element("p", { class: "verdict-line" }, verdictWord(verdict), text ? element("span", {}, `  ${text}`) : null);
}

/** Returns the figures of a benchmark as a list. */
function facts(benchmark) {
  const { time: figures, unit, comparison } = benchmark;
  const list = element("dl", { class: "facts" });
  const add = (name, value, main = false) => {
    if (value !== null && value !== undefined && value !== "") {
      list.append(element("div", {}, element("dt", {}, name), element("dd", { class: main ? "main" : null }, value)));
    }
  };
  if (figures) {
    const isResolved = benchmark.status === "ok";
    const now = isResolved ? timePer(figures.median, unit) : `under ${time(benchmark.resolution)}`;
    add(comparison ? "Now" : "Time", now, true);
    if (benchmark.before) {
      add("Before", timePer(benchmark.before, unit), true);
    } else if (benchmark.details.before_under) {
      add("Before", `under ${time(benchmark.details.before_under)}`, true);
    }
    if (comparison && comparison.change !== null) {
      add("Change", change(comparison.change), true);
      add("95 % interval of the change", interval(comparison.interval));
      add("Before, uncorrected for the clock rate", comparison.stored_median === null ? null : timePer(comparison.stored_median, unit));
      add("Noise between processes (A/A)", comparison.launch_noise === null ? null : roundedUp(comparison.launch_noise));
    }
    if (isResolved) {
      add("95 % interval of the median", timeInterval(figures.interval));
      add("Spread of the samples (err)", spread(benchmark.err));
      add("Fastest, slowest sample", `${time(figures.min)}, ${time(figures.max)}`);
      add("Mean", time(figures.mean));
      add("Standard deviation", time(figures.sd));
      add("Scaled", multiple(benchmark));
      add("Cycles", benchmark.cycles === null ? null : number(benchmark.cycles));
      for (const { unit: name, amount: one, per_second: rate } of benchmark.throughput) {
        add("Throughput", `${name === "byte" ? `${amount(rate)}B` : `${amount(rate).trim()} ${visible(name)}s`}/s (${number(one)} per ${visible(unit)})`);
      }
    }
  }
  add("Samples", benchmark.samples ? `${number(benchmark.samples)} in ${counted(benchmark.launches, "launch", "launches")}` : null);
  add("Calls per sample", benchmark.iterations ? number(benchmark.iterations.median) : null);
  const allocations = benchmark.allocations;
  if (allocations) {
    add("Allocations", `${number(allocations.allocations)} (${amount(allocations.bytes)}B), peak ${amount(allocations.peak)}B`);
  }
  for (const [name, value] of Object.entries(benchmark.counters || {})) {
    add(visible(name), amount(value).trim());
  }
  if (benchmark.relation && benchmark.relation.baseline !== benchmark.id) {
    add("Compared within the run", [code(benchmark.relation.baseline), ` ${significant(benchmark.relation.relative)} %`]);
  }
  add("Tags", benchmark.tags.map(visible).join(", "));
  for (const [name, value] of Object.entries(benchmark.context)) {
    add(visible(name), visible(value));
  }
  return list;
}

/** Returns a table of the answers to the three questions of a paired run. */
function answers({ typical, average, slow_launches: launches }) {
  const p = (value) => (value === null || value === undefined ? "–" : value < 0.001 ? "< 0.001" : value.toFixed(3));
  const of = ({ slow, launches }) => `${slow} of ${launches}`;
  const rows = [
    ["Typical time", typical, typical && change(typical.change), typical && interval(typical.interval)],
    ["Average time", average, average && change(average.change), average && interval(average.interval)],
    ["Slow processes", launches, launches && `${of({ slow: launches.slow.baseline, launches: launches.launches.baseline })} → ${of({ slow: launches.slow.now, launches: launches.launches.now })}`, launches && `${change(launches.slowdown)} each`],
  ].filter(([, answer]) => answer);
  const head = ["Question", "Answer", "Change", "95 % interval", "p"];
  const table = element("table", { class: "answers" },
    element("thead", {}, element("tr", {}, head.map((text, index) => element("th", { scope: "col", class: index > 1 ? "number" : null }, text)))),
    element("tbody", {}, rows.map(([name, answer, by, ends]) => element("tr", {},
      element("td", {}, name), element("td", {}, verdictWord(answer.verdict)), element("td", { class: "number" }, by),
      element("td", { class: "number" }, ends), element("td", { class: "number" }, p(answer.p))))));
  return element("div", { class: "scrolled" }, table);
}

const RATIOS = "Each dot is a pair of fresh processes that ran in turns, side by side. The grey dots compare a side with itself.";

function hasRatios(ratios) {
  return Boolean(ratios) && ratios.changes.length > 0;
}

/** Returns a comparison in words as a list. */
function inWords(clauses) {
  const items = clauses.map((clause) => clause.charAt(0).toUpperCase() + clause.slice(1));
  return element("ul", { class: "lead muted" }, items.map((item) => element("li", {}, visible(item))));
}

const LEGEND = "Typical: the time of an undisturbed call. Average: of all calls. Process: a fresh start of the executable. " +
  "Layout: the same code, linked in another order.";

/** Returns the section that shows the grounds of a verdict, or `null`. */
function verdictSection({ comparison, details: { ratios } }) {
  return comparison && hasRatios(ratios)
    ? section("Why this verdict", RATIOS, ratioPlot(comparison, ratios), answers(comparison),
      element("p", { class: "muted small" }, LEGEND)) : null;
}

/** Returns the section on the comparison that a saved benchmark had when it was measured, or `null`. */
function earlierSection({ details: { earlier } }) {
  if (!earlier || !hasRatios(earlier.ratios)) {
    return null;
  }
  const found = element("p", {}, "Compared with ", code(earlier.baseline), ": ", visible(earlier.sentence));
  const percent = (share) => share && share * 100;
  const { change: by, interval: ends, launch_noise: noise } = earlier;
  const comparison = { change: percent(by), interval: ends && ends.map(percent), launch_noise: percent(noise) };
  return section("When it was measured", RATIOS, found, ratioPlot(comparison, earlier.ratios));
}

/** Returns what is said about the samples that the page leaves out. */
function thinned(benchmark) {
  const every = Math.max(...sides(benchmark).map(({ samples }) => samples.every));
  const which = { 2: "Every second sample", 3: "Every third sample" }[every] || `One of ${every} samples`;
  return every > 1 ? ` ${which} is shown.` : "";
}

function sourceSection(source, isSaved) {
  const more = source.more ? element("p", { class: "muted small" }, `… ${counted(source.more, "further line")}`) : null;
  const where = element("span", {}, code(`${source.file}:${source.line}`), isSaved ? ", as it is now" : "");
  return section("Source", where, element("pre", { tabindex: 0, "aria-label": "Source of the benchmark" }, visibleLines(source.text)), more);
}

const NOT_RUN = "Nothing was run side by side, so there is no time of the baseline to compare with.";

/** Returns the view of a benchmark. `rows`: all rows of its function. */
function benchmarkView(report, benchmark, rows) {
  const { comparison, details } = benchmark;
  const lead = benchmark.error ? element("p", { class: "failed lead" }, visible(benchmark.error))
    : details.is_identical ? element("p", { class: "lead muted" }, NOT_RUN)
    : comparison ? inWords(details.clauses) : null;
  const view = element("article", {},
    element("header", {},
      element("p", { class: "muted small" }, code(benchmark.id)),
      element("h1", { tabindex: -1 }, code(details.name)),
      benchmark.description ? element("p", { class: "lead description" }, visibleLines(benchmark.description)) : null,
      comparison ? verdictLine(comparison, details.is_identical) : null,
      lead,
      benchmark.doubts.length || benchmark.status === "below resolution"
        ? element("div", { class: "notice" }, element("ul", {}, [
          ...(benchmark.status === "below resolution" ? ["It takes no longer than an empty benchmark, so the figures mean nothing."] : []),
          ...benchmark.doubts,
        ].map((doubt) => element("li", {}, visible(doubt)))))
        : null),
    facts(benchmark));
  const parts = [verdictSection(benchmark), earlierSection(benchmark)];
  if (sides(benchmark).length > 0) {
    parts.push(element("div", { class: "pair" },
      section("Distribution of the samples", `The higher a bar, the more samples took that time.${thinned(benchmark)}`, distributionPlot(benchmark)),
      section("Samples in the order of time", "A slope is a drift. A launch is a fresh process; steps between launches come from the memory layout.", orderPlot(benchmark))));
  }
  parts.push(sizeSection(benchmark, rows, report.complexity), threadSection(benchmark, rows), cacheSection(benchmark, rows));
  if (details.source !== null) {
    parts.push(sourceSection(report.sources[details.source], report.saved !== null));
  }
  view.append(...parts.filter((part) => part !== null));
  return view;
}
