// The plots of one benchmark: its ratios, the distribution of its samples, and their order.

/** Stacks dots that would overlap. Returns the place and height of each, in dots. */
function stacked(places, size) {
  const heights = new Map();
  return places.map((x) => {
    const column = Math.round(x / size);
    const height = heights.get(column) || 0;
    heights.set(column, height + 1);
    return [column * size, height];
  });
}

/** Returns the plot of the paired ratios, from which a verdict follows. */
function ratioPlot(comparison, ratios) {
  const percent = (list) => list.map((ratio) => ratio * 100);
  const rows = [
    { title: "now ÷ before", values: percent(ratios.changes), kind: "fill-now" },
    { title: "same code twice (A/A)", values: percent(ratios.aa), kind: "fill-before" },
  ].filter((row) => row.values.length > 0);
  const known = [0, ...(comparison.interval || [])];
  const ends = rows.flatMap((row) => bulk(row.values));
  const domain = padded([Math.min(...known, ...ends), Math.max(...known, ...ends)]);
  const summary = `Change ${change(comparison.change)}, 95 % interval ${interval(comparison.interval)}, ` +
    `noise between processes ${roundedUp(comparison.launch_noise)}.`;
  return figure(summary, null, (width) => {
    const [left, right] = [8, width - 8];
    const scale = linear(domain, [left, right]);
    const inside = (value) => Math.max(left, Math.min(right, scale(value)));
    const shapes = [];
    let y = 22;
    if (comparison.interval) {
      const [low, high] = comparison.interval.map(inside);
      const middle = inside(comparison.change);
      shapes.push(
        line(low, y + 14, high, y + 14, `stroke-now`, { "stroke-width": 5, "stroke-linecap": "round", opacity: 0.45 }),
        dot(middle, y + 14, "fill-now", { r: 5 }),
      );
      const text = `change ${change(comparison.change)} (95 %: ${interval(comparison.interval)})`;
      const room = 7.4 * text.length;
      shapes.push(label(Math.max(left, Math.min(right - room, low)), y, text, "start", "ink strong"));
      y += 34;
    }
    for (const { title, values, kind } of rows) {
      const dots = stacked(values.map(inside), 6.4);
      const highest = Math.max(...dots.map(([, height]) => height)) + 1;
      const step = Math.min(6.4, 70 / highest);
      const base = y + 12 + highest * step;
      const cut = values.filter((value) => value < domain[0] || value > domain[1]).length;
      const further = cut ? `, ${cut} further out` : "";
      shapes.push(label(left, y + 2, `${title}, ${counted(values.length, "pair")}${further}`));
      shapes.push(...dots.map(([x, height], index) =>
        dot(x, base - (height + 0.5) * step, kind, { r: 3, opacity: 0.8 }, hint(change(values[index])))));
      shapes.push(line(left, base + 2, right, base + 2, "axis"));
      y = base + 22;
    }
    y -= 14;
    const marks = ticks(domain, width / 90);
    const places = marks.length > 1 ? Math.max(0, -Math.floor(Math.log10(marks[1] - marks[0]) + 1e-9)) : 1;
    const format = (value) => (Math.abs(value) < 1e-9 ? "0" : change(value, places).replace(" %", ""));
    const axis = axisBelow(scale, marks, format, [left, right], y, "change in % (left: faster)");
    return { height: y + 38, shapes: [line(scale(0), 26, scale(0), y, "zero"), ...axis, ...shapes] };
  });
}

/** Returns all samples of a side in one list. */
function pooled(samples) {
  return samples ? samples.launches.flat() : [];
}

/** Returns the sides of a benchmark that have samples. */
function sides(benchmark) {
  return [
    { title: "before", samples: benchmark.details.baseline_samples, median: benchmark.before, kind: "before" },
    { title: "now", samples: benchmark.details.samples, median: benchmark.time && benchmark.time.median, kind: "now" },
  ].filter((side) => pooled(side.samples).length > 0);
}

/** Returns the distribution of the samples: a histogram of each side, above one another. */
function distributionPlot(benchmark) {
  const all = sides(benchmark);
  const ends = all.flatMap((side) => bulk(pooled(side.samples)));
  const domain = padded([Math.min(...ends), Math.max(...ends)], 0.02);
  const summary = all.map((side) => `${side.title}: median ${time(side.median)}`).join("; ");
  return figure(summary, null, (width) => {
    const [left, right, panel] = [8, width - 8, 96];
    const scale = linear(domain, [left, right]);
    const bins = Math.max(12, Math.min(60, Math.floor(width / 11)));
    const shapes = [];
    let y = 4;
    for (const { title, samples, median, kind } of all) {
      const values = pooled(samples);
      const counts = new Array(bins).fill(0);
      for (const value of values.filter((value) => value >= domain[0] && value <= domain[1])) {
        counts[Math.min(bins - 1, Math.floor(((value - domain[0]) / (domain[1] - domain[0])) * bins))] += 1;
      }
      const highest = Math.max(...counts, 1);
      const base = y + panel;
      const size = (right - left) / bins;
      counts.forEach((count, index) => {
        const height = (count / highest) * (panel - 26);
        const ends = [index, index + 1].map((end) => domain[0] + (end / bins) * (domain[1] - domain[0]));
        const text = `${timeInterval(ends)}: ${((100 * count) / values.length).toFixed(1)} % of the samples`;
        shapes.push(rectangle(left + index * size + 0.5, base - height, size - 1, height, `fill-${kind}`, { opacity: 0.55 }, hint(text)));
      });
      const place = scale(median);
      shapes.push(line(left, base, right, base, "axis"));
      if (place >= left && place <= right) {
        shapes.push(line(place, y + 16, place, base, `stroke-${kind}`, { "stroke-width": 2 }));
      }
      const beyond = values.filter((value) => value < domain[0] || value > domain[1]).length;
      const texts = [`${title}: median ${time(median)}`, beyond ? ` (${counted(beyond, "sample")} further out)` : ""];
      const room = 7.4 * texts[0].length + 6.8 * texts[1].length;
      const parts = [shape("tspan", { class: "ink strong" }, texts[0]), texts[1]];
      shapes.push(label(Math.max(left, Math.min(right - room, place)), y + 11, parts));
      y = base + 12;
    }
    y -= 12;
    const marks = ticks(domain, width / 90);
    const { format, unit } = timeAxis(domain[1], marks);
    const axis = axisBelow(scale, marks, format, [left, right], y, `time per ${short(benchmark.unit)} in ${unit}`);
    return { height: y + 38, shapes: [...axis, ...shapes] };
  });
}

/** Returns the shares of the width at which the launches begin: one with more samples is wider. */
function slotStarts(all, slots) {
  const sizes = Array.from({ length: slots }, (_, index) => Math.max(...all.map(({ samples }) => (samples.launches[index] || []).length)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const widths = sizes.map((size) => Math.max(size, total / (3 * slots)));
  const width = widths.reduce((sum, width) => sum + width, 0);
  let start = 0;
  return [0, ...widths.map((own) => (start += own / width))];
}

/** Returns the samples in the order of time, launch by launch, in which a drift shows. */
function orderPlot(benchmark) {
  const all = sides(benchmark);
  const ends = all.flatMap((side) => bulk(pooled(side.samples)));
  const domain = padded([Math.min(...ends), Math.max(...ends)]);
  const slots = Math.max(...all.map((side) => side.samples.launches.length));
  const summary = `Samples of ${counted(slots, "launch", "launches")} in the order of time.`;
  return figure(summary, null, (width) => {
    const [left, right, top, bottom] = [46, width - 8, 22, 222];
    const y = linear(domain, [bottom, top]);
    const marks = ticks(domain, 5);
    const { format, unit } = timeAxis(domain[1], marks);
    const starts = slotStarts(all, slots).map(linear([0, 1], [left, right]));
    const shapes = [];
    for (let index = 1; index < slots; index += 2) {
      shapes.push(rectangle(starts[index], top, starts[index + 1] - starts[index], bottom - top, "slot"));
    }
    shapes.push(...axisLeft(y, marks, format, [left, right], 11, `time per ${short(benchmark.unit)} in ${unit}`));
    let cut = 0;
    for (const { samples, kind } of all) {
      samples.launches.forEach((launch, number) => {
        launch.forEach((value, index) => {
          if (value < domain[0] || value > domain[1]) {
            cut += 1;
            return;
          }
          const x = starts[number] + ((index + 0.5) / launch.length) * (starts[number + 1] - starts[number]);
          shapes.push(dot(x, y(value), `fill-${kind}`, { r: 2, opacity: 0.6 }, hint(time(value))));
        });
      });
    }
    if (slots > 1) {
      let last = -Infinity;
      for (let index = 0; index < slots; index += 1) {
        const middle = (starts[index] + starts[index + 1]) / 2;
        if (middle - last > 18) {
          shapes.push(label(middle, bottom + 17, String(index + 1), "middle"));
          last = middle;
        }
      }
    }
    const title = slots > 1 ? "launches, each with its samples in order" : "samples in order";
    shapes.push(label(right, bottom + (slots > 1 ? 33 : 17), title, "end"));
    for (const [index, { title, kind }] of all.length > 1 ? all.entries() : []) {
      const x = right - 110 + 72 * index;
      shapes.push(dot(x, 7, `fill-${kind}`, { r: 3.5 }), label(x + 8, 11, title, "start", "ink"));
    }
    if (cut) {
      shapes.push(label(left, bottom + 17, slots > 1 ? "" : `${cut} further out`));
    }
    return { height: bottom + 38, shapes };
  });
}
