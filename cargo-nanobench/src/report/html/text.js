// Elements, and numbers as text. Every text becomes a text node, so nothing in it is markup.

/** Returns an element with attributes and children. Functions among the attributes are listeners. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Returns an element of an SVG. */
function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(key, value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(key, value === true ? "" : typeof value === "number" ? String(round(value)) : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== "") {
      node.append(child);
    }
  }
  return node;
}

function round(number) {
  return Math.round(number * 100) / 100;
}

/** Shows characters that can't be seen, or that change the order of others, by their number. */
function visible(text) {
  const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu;
  return String(text).replace(hidden, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

/** As `visible`, with line breaks and tabs as they are. */
function visibleLines(text) {
  return text.split("\n").map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}

/** Returns the beginning of a text, for the title of an axis. */
function short(text) {
  const letters = [...visible(text)];
  return letters.length > 16 ? `${letters.slice(0, 15).join("")}…` : letters.join("");
}

function code(text) {
  return element("bdi", { class: "code" }, visible(text));
}

/** Returns a number with three significant digits or more: 0.123, 12.3, 1234. */
function significant(number, digits = 3) {
  const size = Math.abs(number);
  if (size === 0) {
    return "0";
  }
  const before = Math.floor(Math.log10(size)) + 1;
  return number.toFixed(Math.min(20, Math.max(0, digits - before)));
}

const TIME_UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Returns the unit in which a time in ns is shown, as its length and its name. */
function timeUnit(nanoseconds) {
  const size = Math.abs(nanoseconds) * 1.0005;
  return TIME_UNITS.find(([length]) => size >= length) || [1, "ns"];
}

function time(nanoseconds) {
  if (nanoseconds === null || nanoseconds === undefined) {
    return "–";
  }
  const [length, name] = timeUnit(nanoseconds);
  return `${significant(nanoseconds / length)} ${name}`;
}

/** Returns a time per unit, unless the unit is an operation. */
function timePer(nanoseconds, unit) {
  return time(nanoseconds) + (unit === "op" ? "" : `/${visible(unit)}`);
}

/** Returns a change in percent with its sign. */
function change(percent, digits) {
  if (percent === null || percent === undefined) {
    return "–";
  }
  const places = digits ?? (Math.abs(percent) < 100 ? 1 : 0);
  const text = Math.abs(percent).toFixed(places);
  const sign = Number(text) === 0 ? "±" : percent < 0 ? "−" : "+";
  return `${sign}${text} %`;
}

/** Returns an interval of a time: `295 ns … 301 ns`, or one time if both ends read the same. */
function timeInterval(ends) {
  const [low, high] = ends.map((end) => time(end));
  return low === high ? low : `${low} … ${high}`;
}

/** Returns an interval of a change: `+4.2 … +5.3 %`. */
function interval(ends) {
  return ends ? `${change(ends[0]).slice(0, -2)} … ${change(ends[1])}` : "";
}

function spread(percent) {
  return percent === null || percent === undefined ? "–" : `${percent.toFixed(1)} %`;
}

/** Returns a limit: rounded up, and never as zero, as in the table. */
function roundedUp(percent) {
  return percent === null || percent === undefined ? "–" : `${Math.max(0.1, Math.ceil(percent * 10) / 10).toFixed(1)} %`;
}

/** Returns an amount with a prefix: `1.23 M`, and a space behind numbers without one. */
function amount(number) {
  const [length, name] = [[1e9, " G"], [1e6, " M"], [1e4, " k"]].find(([length]) => number >= length) || [1, " "];
  const unit = length === 1e4 ? 1e3 : length;
  return (Number.isInteger(number / unit) ? String(number / unit) : significant(number / unit)) + name;
}

/** Returns a whole number with separators between thousands, or one with three significant digits. */
function number(value) {
  return Number.isInteger(value) || value >= 1000 ? Math.round(value).toLocaleString("en") : significant(value);
}

function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}
