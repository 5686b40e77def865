// The plots over the rows of a function: its size, its threads, and warm against cold caches.

const CURVES = {
  "O(1)": () => 1,
  "O(log n)": (n) => Math.log2(n),
  "O(n)": (n) => n,
  "O(n log n)": (n) => n * Math.log2(n),
  "O(n^2)": (n) => n * n,
  "O(n^3)": (n) => n * n * n,
};

/** Returns a text that only rows with the same conditions have, apart from those to ignore. */
function conditions(benchmark, ignored) {
  return [
    ignored === "cache" ? "" : benchmark.cache === "cold" ? "cold" : "",
    ignored === "cache" ? "" : benchmark.wipe_size || "",
    ignored === "threads" || benchmark.threads === 1 ? "" : `threads=${benchmark.threads}`,
  ].filter((part) => part !== "").join("/");
}

/** Returns the number that a label stands for, as in `1000` or `1_000`. */
function numeric(text) {
  return /^[0-9][0-9_]*(\.[0-9]+)?$/.test(text) ? Number(text.replaceAll("_", "")) : null;
}

/** Returns the index of the label that is a size: one that is a number in all rows. */
function sizeLabel(rows) {
  const count = Math.min(...rows.map((row) => row.details.labels.length));
  for (let index = count - 1; index >= 0; index -= 1) {
    const values = rows.map((row) => numeric(row.details.labels[index]));
    if (values.every((value) => value !== null) && new Set(values).size > 1) {
      return index;
    }
  }
  return null;
}

/** Returns the rows by the text of everything except their size. */
function bySeries(rows, size, text) {
  const series = new Map();
  for (const row of rows) {
    const point = { n: size(row), row };
    if (point.n !== null && row.time && row.status === "ok") {
      const key = text(row);
      series.set(key, [...(series.get(key) || []), point]);
    }
  }
  for (const points of series.values()) {
    points.sort((a, b) => a.n - b.n);
  }
  return series;
}

/**
 * Returns a plot of times over a number. The series of the opened benchmark stands out.
 * `curve`: a fitted function.
 */
function seriesPlot({ series, own, benchmark, title, value, axis, curve, ideal }) {
  const mine = series.get(own);
  const before = mine.filter(({ row }) => row.before).map(({ n, row }) => ({ n, y: value(row.before, row) }));
  const shown = [...series].map(([name, points]) => ({ name, points: points.map(({ n, row }) => ({ n, y: value(row.time.median, row), row })) }));
  const sizes = shown.flatMap(({ points }) => points.map(({ n }) => n));
  const values = [...shown.flatMap(({ points }) => points.map(({ y }) => y)), ...before.map(({ y }) => y)].filter((y) => y > 0);
  const [minN, maxN] = [Math.min(...sizes), Math.max(...sizes)];
  const [minY, maxY] = [Math.min(...values), Math.max(...values)];
  const isLogX = minN > 0 && maxN / minN >= 20;
  const isLogY = maxY / minY >= 20;
  const summary = mine.map(({ n, row }) => `${number(n)}: ${time(row.time.median)}`).join(", ");
  return figure(summary, null, (width) => {
    const names = shown.length > 1 ? shown.map(({ name }) => visible(name) || "–") : [];
    const room = Math.min(width * 0.3, 12 + 6.6 * Math.max(0, ...names.map((name) => name.length)));
    const [left, right, top, bottom] = [58, width - 10 - room, 26, 246];
    const domainY = isLogY ? [minY / 1.3, maxY * 1.3] : [0, (ideal ? Math.max(maxY, ideal(maxN)) : maxY) * 1.08];
    const domainX = isLogX ? [minN / 1.15, maxN * 1.15] : padded([minN, maxN], 0.04);
    const x = (isLogX ? logarithmic : linear)(domainX, [left, right]);
    const y = (isLogY ? logarithmic : linear)(domainY, [bottom, top]);
    const marksX = isLogX ? logTicks(domainX, width / 90) : [...new Set(sizes)].sort((a, b) => a - b);
    const marksY = isLogY ? logTicks(domainY, 6) : ticks(domainY, 5);
    const { format, name } = axis(maxY, marksY, isLogY);
    const shapes = axisLeft(y, marksY, format, [left, right], 11, name + (isLogY ? ", logarithmic" : ""));
    shapes.push(...axisBelow(x, marksX, (value) => amount(value).trim(), [left, right], bottom, title + (isLogX ? ", logarithmic" : "")));
    const steps = Array.from({ length: 60 }, (_, i) => i / 59);
    const along = steps.map((share) => (isLogX ? minN * (maxN / minN) ** share : minN + share * (maxN - minN)));
    const drawn = (f) => along.map((n) => [n, f(n)]).filter(([, v]) => v >= domainY[0] && v <= domainY[1]).map(([n, v]) => [x(n), y(v)]);
    const told = ({ row }) => hint(`${visible(row.details.name)}: ${time(row.time.median)}`);
    if (ideal) {
      shapes.push(path(drawn(ideal), "stroke-before", { "stroke-dasharray": "2 4" }));
      shapes.push(label(x(maxN) - 6, y(ideal(maxN)) - 6, "if threads cost each other nothing", "end"));
    }
    if (curve) {
      shapes.push(path(drawn(curve), "stroke-now", { "stroke-dasharray": "5 4" }));
      const reached = along.filter((n) => curve(n) >= domainY[0] && curve(n) <= domainY[1]);
      shapes.push(...reached.map((n) => dot(x(n), y(curve(n)), "hover", { r: 6 }, hint(`curve at ${amount(n).trim()}: ${time(curve(n))}`))));
    }
    for (const { name, points } of shown.filter((one) => one.name !== own)) {
      shapes.push(path(points.map((point) => [x(point.n), y(point.y)]), "stroke-before", { opacity: 0.7 }));
      shapes.push(...points.map((point) => dot(x(point.n), y(point.y), "fill-before", {}, told(point))));
    }
    if (before.length) {
      shapes.push(...before.map((point) => dot(x(point.n), y(point.y), "stroke-before", { r: 5, "stroke-width": 1.5 })));
    }
    const line = shown.find((one) => one.name === own).points;
    if (!curve) {
      shapes.push(path(line.map((point) => [x(point.n), y(point.y)]), "stroke-now", { "stroke-width": 2 }));
    }
    for (const point of line) {
      const isOpen = point.row === benchmark;
      shapes.push(dot(x(point.n), y(point.y), "fill-now", { r: isOpen ? 5 : 3.5 }, told(point)));
    }
    // Names at the ends of the lines, apart from each other.
    const ends = shown.filter(() => names.length).map(({ name, points }) => ({ name, y: y(points[points.length - 1].y) }));
    ends.sort((a, b) => a.y - b.y);
    ends.forEach((end, index) => {
      end.y = index ? Math.max(end.y, ends[index - 1].y + 13) : end.y;
      shapes.push(label(right + 8, end.y + 4, visible(end.name) || "–", "start", end.name === own ? "ink strong" : ""));
    });
    return { height: bottom + 38, shapes };
  });
}

/** Returns the axis of times, for `seriesPlot`. */
function axisOfTimes(unit) {
  return (largest, marks, isLog) => {
    if (isLog) {
      return { format: (value) => time(value).replace(/\.0+ /, " "), name: `time per ${short(unit)}` };
    }
    const { format, unit: name } = timeAxis(largest, marks);
    return { format, name: `time per ${short(unit)} in ${name}` };
  };
}

/** Returns the section on the sizes of the function, or `null`. */
function sizeSection(benchmark, rows, fits) {
  const index = sizeLabel(rows);
  if (index === null) {
    return null;
  }
  const others = (row) => [...row.details.labels.filter((_, place) => place !== index), conditions(row)].filter((part) => part !== "").join("/");
  const size = (row) => row.details.n ?? numeric(row.details.labels[index]);
  const series = bySeries(rows, size, others);
  const own = others(benchmark);
  if ((series.get(own) || []).length < 2) {
    return null;
  }
  const fitted = fits.find((one) => one.function === benchmark.details.function && one.case === benchmark.details.series);
  const best = fitted && fitted.fits[0];
  const curve = best && CURVES[best.name]
    ? (n) => best.coefficient * CURVES[best.name](n)
    : null;
  const words = [
    "Each dot is a row of the function, at the median of its samples; the large one is this benchmark.",
    curve ? ` The dashed line is ${best.name} × ${time(best.coefficient)}, error ${spread(best.err)}.` : "",
    rows.some((row) => row.before) ? " Rings are the times before." : "",
  ].join("");
  const table = fitted && fitted.fits.length ? fitTable(fitted.fits) : null;
  // Fits are of the time of a call, so that a batch that is the size doesn't hide it.
  const isBatch = rows.some((row) => row.batch > 1);
  const plot = seriesPlot({ series, own, benchmark, title: "size", value: (time, row) => time * row.batch, axis: axisOfTimes(isBatch ? "call" : benchmark.unit), curve });
  return section(best ? `Scaling: ${visible(best.name)} fits best` : "Scaling", words, plot, table);
}

function fitTable(fits) {
  const row = ({ name, coefficient, err }, index) => element("tr", {},
    element("td", {}, index === 0 ? element("strong", {}, visible(name)) : visible(name)),
    element("td", { class: "number" }, time(coefficient)), element("td", { class: "number" }, spread(err)));
  return element("details", {}, element("summary", { class: "small muted" }, "All fits"),
    element("table", { class: "answers" }, element("thead", {}, element("tr", {}, ["complexity", "coefficient", "error"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, fits.map(row))));
}

/** Returns the section on the numbers of threads, or `null`. */
function threadSection(benchmark, rows) {
  const others = (row) => [...row.details.labels, conditions(row, "threads")].filter((part) => part !== "").join("/");
  const series = bySeries(rows.filter((row) => others(row) === others(benchmark)), (row) => row.threads, others);
  const own = others(benchmark);
  const points = series.get(own) || [];
  if (new Set(points.map(({ n }) => n)).size < 2) {
    return null;
  }
  const perSecond = (time, row) => (row.threads * 1e9) / time;
  const first = points[0];
  const one = perSecond(first.row.time.median, first.row) / first.n;
  const axis = (largest) => {
    const [length, prefix] = [[1e9, "billion "], [1e6, "million "], [1e3, "thousand "]].find(([length]) => largest >= length) || [1, ""];
    return { format: (value) => significant(value / length), name: `${prefix}${short(benchmark.unit)}s per second, all threads together` };
  };
  const plot = seriesPlot({ series, own, benchmark, title: "threads", value: perSecond, axis, ideal: (n) => one * n });
  const words = "The work that all threads get done in a second. The dotted line is that of the fewest threads, multiplied.";
  return section("Threads", words, plot);
}

/** Returns the section on warm and cold caches, or `null`. */
function cacheSection(benchmark, rows) {
  const others = (row) => [...row.details.labels, conditions(row, "cache")].join("/");
  const same = rows.filter((row) => others(row) === others(benchmark) && row.time && row.status === "ok");
  const isSweep = same.filter((row) => row.cache === "cold").length > 1;
  const name = (row) => (isSweep && row.cache === "cold" ? `cold, ${row.wipe_size / 1024} KiB` : row.cache);
  if (!same.some((row) => row.cache === "warm") || !same.some((row) => row.cache === "cold")) {
    return null;
  }
  const warm = same.find((row) => row.cache === "warm").time.median;
  const largest = Math.max(...same.map((row) => row.time.median));
  const summary = same.map((row) => `${name(row)}: ${time(row.time.median)}`).join("; ");
  const plot = figure(summary, null, (width) => {
    const left = 100;
    const scale = linear([0, largest], [left, width - 150]);
    const shapes = same.flatMap((row, index) => {
      const [y, end] = [index * 34, scale(row.time.median)];
      const ratio = row.cache === "cold" ? `, ${significant(row.time.median / warm)} × warm` : "";
      return [
        label(left - 10, y + 18, name(row), "end", row === benchmark ? "ink strong" : "ink"),
        rectangle(left, y + 3, end - left, 22, row.cache === "warm" ? "fill-before" : "fill-now", { rx: 3, opacity: 0.75 }),
        label(end + 8, y + 18, time(row.time.median) + ratio, "start", "ink"),
      ];
    });
    shapes.push(line(left, 0, left, same.length * 34 - 4, "zero"));
    return { height: same.length * 34, shapes };
  });
  return section("Warm and cold caches", `Median time per ${visible(benchmark.unit)}, with the caches as the last call left them, and emptied before each call.`, plot);
}
