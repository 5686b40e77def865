// Uses the page as a person does, and leaves what it found in the element `result`. The test adds
// this to the head of a page.
"use strict";

const errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => errors.push(`blocked ${event.blockedURI}`));

const all = (selector) => [...document.querySelectorAll(selector)];
const text = (selector) => all(selector).map((found) => found.textContent);
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const turn = () => new Promise((resume) => setTimeout(resume, 30));

/** Returns the pairs of texts in a plot that overlap. */
function overlaps() {
  const within = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  return all("figure svg").flatMap((plot) => {
    const texts = [...plot.querySelectorAll("text")].map((node) => [node.textContent, node.getBoundingClientRect()]);
    return texts.flatMap(([text, place], index) =>
      texts.slice(index + 1).filter(([, other]) => within(place, other)).map(([other]) => `${text} | ${other}`));
  });
}

/** Goes on when the page has handled a new address. */
async function follow(action) {
  const changed = new Promise((resume) => addEventListener("hashchange", resume, { once: true }));
  action();
  await changed;
  await turn();
}

async function drive() {
  const found = { rows: all("#rows tr[role=row]:not(.group)").length, names: text("#rows td.name") };
  found.unit = text("#rows td strong");
  document.getElementById("statistics").click();
  found.titles = text("thead button");
  found.deviations = all("#rows tr[role=row]:not(.group)").filter((row) => /s$/.test(row.lastChild.textContent)).length;
  document.getElementById("statistics").click();
  found.hidden = text("thead button").includes("Std. dev.");
  document.querySelector("[data-sort=now]").click();
  found.sorted = text("#rows td.name");
  found.order = document.querySelector("[aria-sort=descending] button").dataset.sort;
  found.focus = document.activeElement.dataset.sort ?? null;
  press("/");
  const search = document.activeElement;
  search.value = "  F17 ";
  search.dispatchEvent(new Event("input"));
  found.searched = text("#rows td.name");
  found.status = document.getElementById("found").textContent;
  search.value = "";
  search.dispatchEvent(new Event("input"));
  document.querySelector("[data-verdict=slower]").click();
  found.slower = all("#rows tr").length;
  found.verdicts = [...new Set(text("#rows td.verdict"))];
  document.querySelector("[data-verdict=slower]").click();
  await follow(() => document.querySelector("#rows a").click());
  found.opened = text("h1");
  found.sections = text("h2");
  found.facts = text("dt");
  found.hints = text("figure svg title");
  found.plots = all("figure svg[role=img]").map((plot) => plot.getAttribute("aria-label"));
  found.source = text("pre");
  found.nonsense = /NaN|undefined|Infinity/.test(document.getElementById("page").innerHTML);
  await follow(() => press("ArrowRight"));
  found.next = text("h1");
  await follow(() => press("Escape"));
  found.back = all("#rows tr[role=row]:not(.group)").length;
  found.left = document.activeElement.textContent;
  // Nothing in the data became an element, and the page has loaded nothing.
  found.elements = all("img, iframe, object, embed, link[rel=stylesheet], script[src], b").length;
  found.resources = performance.getEntriesByType("resource").map((resource) => resource.name);
  // Each benchmark can be drawn, also on a phone.
  const page = document.getElementById("page");
  found.overlaps = [];
  const benchmarks = all("#rows a").slice(0, 40).map((link) => link.getAttribute("href"));
  for (const address of benchmarks) {
    await follow(() => { location.hash = address; });
    for (const width of [null, "390px"]) {
      page.style.width = width;
      await turn();
      found.nonsense ||= /NaN|undefined|Infinity/.test(page.innerHTML);
      found.overlaps.push(...overlaps());
    }
  }
  return found;
}

addEventListener("load", async () => {
  let found = {};
  try {
    found = await drive();
  } catch (error) {
    errors.push(String(error.stack));
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = encodeURIComponent(JSON.stringify({ ...found, errors }));
  document.body.replaceChildren(result);
});
