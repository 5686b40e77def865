// What all plots have in common: scales, axes and figures that follow the width of the page.

/** Returns a function from values to places. */
function linear([low, high], [start, end]) {
  return (value) => start + ((value - low) / (high - low || 1)) * (end - start);
}

function logarithmic([low, high], range) {
  const scale = linear([Math.log(low), Math.log(high)], range);
  return (value) => scale(Math.log(value));
}

/** Returns round numbers within a domain, about `count` of them. */
function ticks([low, high], count) {
  const rough = (high - low) / Math.max(1, count) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Returns round numbers within a domain on a logarithmic scale. */
function logTicks([low, high], count) {
  if (high / low < 20) {
    return ticks([low, high], count).filter((tick) => tick > 0);
  }
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    all.push(10 ** power);
  }
  const within = all.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const every = Math.ceil(within.length / Math.max(2, count));
  return within.filter((_, index) => index % every === 0);
}

function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  return sorted[below] + (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]) * (place - below);
}

function ascending(values) {
  return [...values].sort((a, b) => a - b);
}

/** Returns a domain widened by a share on both sides. */
function padded([low, high], share = 0.05) {
  const by = (high - low) * share || Math.abs(high) * share || 1;
  return [low - by, high + by];
}

/**
 * Returns the domain that shows most values: a few that lie far away would hide the rest.
 * The others are counted where they are cut off.
 */
function bulk(values) {
  const sorted = ascending(values);
  const [first, median, last] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  const reach = Math.max(4 * (last - first), Math.abs(median) * 0.005);
  return [Math.max(sorted[0], first - reach), Math.min(sorted[sorted.length - 1], last + reach)];
}

/** Returns a text in a plot, or parts of it in an array. `anchor`: `start`, `middle` or `end`. */
function label(x, y, text, anchor = "start", kind = "") {
  return shape("text", { x, y, "text-anchor": anchor, class: kind }, text);
}

function line(x1, y1, x2, y2, kind, more = {}) {
  return shape("line", { x1, y1, x2, y2, class: kind, ...more });
}

function rectangle(x, y, width, height, kind, more = {}, ...children) {
  return shape("rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), class: kind, ...more }, ...children);
}

function dot(x, y, kind, more = {}, ...children) {
  return shape("circle", { cx: x, cy: y, r: 2.5, class: kind, ...more }, ...children);
}

/** Returns the text that a shape shows on hover. */
function hint(text) {
  return shape("title", {}, text);
}

/** Returns a path through points. */
function path(points, kind, more = {}) {
  const d = points.map(([x, y], index) => `${index ? "L" : "M"}${round(x)} ${round(y)}`).join("");
  return shape("path", { d, class: kind, ...more });
}

/** Returns an axis below a plot, with its title at the right end. */
function axisBelow(scale, values, format, [left, right], y, title) {
  return [
    line(left, y, right, y, "axis"),
    ...values.map((value) => line(scale(value), y, scale(value), y + 4, "axis")),
    ...values.map((value) => label(scale(value), y + 17, format(value), "middle")),
    label(right, y + 33, title, "end"),
  ];
}

/** Returns an axis to the left of a plot, with lines across it and its title above. */
function axisLeft(scale, values, format, [left, right], top, title) {
  return [
    ...values.map((value) => line(left, scale(value), right, scale(value), "axis")),
    ...values.map((value) => label(left - 6, scale(value) + 4, format(value), "end")),
    label(0, top, title, "start"),
  ];
}

/** Returns functions that show times of about this size: the numbers of an axis, and its unit. */
function timeAxis(largest, values) {
  const [length, name] = timeUnit(largest);
  const step = values.length > 1 ? Math.min(...values.slice(1).map((value, i) => value - values[i])) / length : 1;
  const places = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  return { format: (value) => (value / length).toFixed(places), unit: name };
}

/**
 * Returns a figure that is drawn when it is in the page, and again when its width changes.
 * `draw`: returns the height and the shapes for a width. `summary`: the plot in words.
 */
function figure(summary, caption, draw) {
  const place = element("div");
  let drawn = 0;
  const redraw = () => {
    const width = Math.floor(place.clientWidth);
    if (width > 0 && width !== drawn) {
      drawn = width;
      const { height, shapes } = draw(width);
      const box = { viewBox: `0 0 ${width} ${Math.ceil(height)}`, width, height: Math.ceil(height) };
      place.replaceChildren(shape("svg", { ...box, role: "img", "aria-label": summary }, shapes));
    }
  };
  // Not at once: a plot that changes its height while sizes are observed would be observed again.
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(place);
  queueMicrotask(redraw);
  return element("figure", {}, place, caption ? element("figcaption", {}, caption) : null);
}

function section(title, explanation, ...content) {
  return element("section", {}, element("h2", {}, title), element("p", { class: "muted" }, explanation), ...content);
}
