// @ts-check
/**
 * The map of a fight: tokens that are dragged or moved with arrows, a measured line, the spot of a blast, walls, and a picture
 * that stays in this browser. The service draws the map and says what may be done.
 */

/** @typedef {{x: number, y: number}} Point */

const SVG = "http://www.w3.org/2000/svg";
/** Metres that an arrow moves. */
const STEP = 1;
/** The most characters of a picture that is kept. */
const LARGEST = 4_000_000;

const map = () => /** @type {HTMLElement} */ (document.querySelector("[data-map]"));
const drawing = () => /** @type {SVGSVGElement} */ (document.querySelector(".field-map"));
const tool = () => /** @type {HTMLInputElement | null} */ (document.querySelector("#map-tools :checked"))?.value ?? "move";
const field = (/** @type {string} */ id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));
const scale = () => Number(map().dataset.scale);

/** Where a pointer is, in units of the drawing. @param {MouseEvent} event @returns {Point} */
function unitsAt(event) {
  const box = drawing().getBoundingClientRect();
  const { width, height } = drawing().viewBox.baseVal;
  return { x: ((event.clientX - box.left) / box.width) * width, y: ((event.clientY - box.top) / box.height) * height };
}

/** @param {Point} units @returns {Point} in metres of the ground */
function metresOf({ x, y }) {
  const { x: left, y: top } = map().dataset;
  return { x: Math.round((Number(left) + x / scale()) * 100) / 100, y: Math.round((Number(top) + y / scale()) * 100) / 100 };
}

/** @param {Point} from @param {Point} to @param {string} [said] */
function line(from, to, said = "") {
  const drawn = document.createElementNS(SVG, "line");
  for (const [name, value] of Object.entries({ class: "line", x1: from.x, y1: from.y, x2: to.x, y2: to.y })) drawn.setAttribute(name, String(value));
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ class: "tag", x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 8 })) text.setAttribute(name, String(value));
  text.textContent = said;
  document.getElementById("map-line")?.replaceChildren(drawn, text);
}

const unline = () => document.getElementById("map-line")?.replaceChildren();

/** @param {string} text */
function say(text) {
  const note = document.getElementById("map-said");
  if (note) note.textContent = text;
}

/** @param {Point} from @param {Point} to both in units */
const far = (from, to) => Math.hypot(from.x - to.x, from.y - to.y) / scale();

/** @param {string} what @param {Record<string, string | number>} values */
function send(what, values) {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16)).join("");
  const { htmx } = /** @type {any} */ (window);
  return htmx.ajax("POST", `${map().dataset.map}/${what}`, { source: map(), values: { ...values, key }, swap: "none" });
}

/** @param {Element} token @param {Point} to in units */
function move(token, to) {
  const { x, y } = metresOf(to);
  return send("move", { combatant: token.getAttribute("data-token") ?? "", x, y, ...(field("map-free")?.checked ? { free: "1" } : {}) });
}

/** @param {Element} token @returns {Point} */
const middle = (token) => ({ x: Number(token.getAttribute("data-cx")), y: Number(token.getAttribute("data-cy")) });

/** @param {Element} token @param {Point} to */
function shift(token, to) {
  const from = middle(token);
  token.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
  line(from, to, `${far(from, to).toFixed(1)} m`);
  say(`${far(from, to).toFixed(1)} m from where they stand`);
}

/** @type {{token: Element | null, from: Point, to: Point} | null} */
let drag = null;

document.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest(".field-map") || event.button !== 0) return;
  const from = unitsAt(event);
  const token = event.target.closest("[data-movable]");
  const other = token ? null : event.target.closest("[data-token]");
  if (tool() === "move" && other) aim(other);
  if (tool() === "move") drag = token && { token, from: middle(token), to: middle(token) };
  else if (tool() === "blast") blast(from);
  else drag = { token: null, from, to: from };
  if (drag) drawing().setPointerCapture?.(event.pointerId);
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.to = unitsAt(event);
  if (drag.token) shift(drag.token, drag.to);
  else line(drag.from, drag.to, `${far(drag.from, drag.to).toFixed(1)} m`);
});

document.addEventListener("pointerup", () => {
  const done = drag;
  drag = null;
  if (!done || far(done.from, done.to) < 0.05) return;
  if (done.token) move(done.token, done.to).finally(() => restore(/** @type {Element} */ (done.token)));
  else if (tool() === "wall") {
    const [one, other] = [metresOf(done.from), metresOf(done.to)];
    send("wall", { x1: one.x, y1: one.y, x2: other.x, y2: other.y, height: field("map-height")?.value ?? "" }).finally(unline);
  } else say(`${far(done.from, done.to).toFixed(1)} m`);
});

document.addEventListener("pointercancel", () => {
  if (drag?.token) restore(drag.token);
  drag = null;
});

/** @param {Element} token */
function restore(token) {
  token.removeAttribute("transform");
  waiting.delete(token);
  unline();
}

/** Circles that were fetched for the table as it is, by combatant. @type {Map<string, string>} */
const circles = new Map();

/** While a pointer or the focus rests on a token: how far away it is, and how far it goes, strikes and shoots. @param {Element} token */
async function rest(token) {
  const id = token.getAttribute("data-token") ?? "";
  const chosen = field("map-who")?.value ?? "";
  const me = document.querySelector(`[data-token="${CSS.escape(chosen)}"]`);
  if (me && me !== token && !waiting.has(token)) line(middle(me), middle(token), token.getAttribute("data-where") ?? "");
  if (me === token || !token.matches("[data-movable]")) return;
  const known = `${map().dataset.version} ${id}`;
  if (!circles.has(known)) {
    const answer = await fetch(`${map().dataset.map}/rings?who=${encodeURIComponent(id)}`);
    if (!answer.ok) return;
    circles.set(known, await answer.text());
  }
  if (token.matches(":hover, :focus-within")) {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${circles.get(known)}</svg>`, "image/svg+xml");
    document.getElementById("map-hover")?.replaceChildren(...parsed.documentElement.childNodes);
    drawing().classList.add("rests");
  }
}

function leaves() {
  if (drag || waiting.size > 0) return;
  unline();
  document.getElementById("map-hover")?.replaceChildren();
  drawing().classList.remove("rests");
}

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const token = event.target instanceof Element ? event.target.closest("[data-token]") : null;
    if (token && !drag) rest(token);
  });
}
for (const kind of ["pointerout", "focusout"]) {
  document.addEventListener(kind, (event) => {
    if (event.target instanceof Element && event.target.closest("[data-token]")) leaves();
  });
}

/** Attacks are aimed at a combatant. @param {Element} token */
function aim(token) {
  const { htmx } = /** @type {any} */ (window);
  const wish = new URLSearchParams({ who: field("map-who")?.value ?? "", aim: token.getAttribute("data-token") ?? "" });
  htmx.ajax("GET", `${map().dataset.map}/part?${wish}`, { target: "#map", swap: "morph:innerHTML" });
}

/** @param {Point} at in units */
function blast(at) {
  const { x, y } = metresOf(at);
  const { htmx } = /** @type {any} */ (window);
  const wish = new URLSearchParams({ who: field("map-who")?.value ?? "", throw: field("map-throw")?.value ?? "", x: String(x), y: String(y) });
  htmx.ajax("GET", `${map().dataset.map}/part?${wish}`, { target: "#map", swap: "morph:innerHTML" });
}

/** Where tokens were moved to with arrows, until Enter confirms it. @type {Map<Element, Point>} */
const waiting = new Map();
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };

document.addEventListener("keydown", (event) => {
  const token = event.target instanceof Element ? event.target.closest("[data-movable]") : null;
  if (!token) return;
  const arrow = ARROWS[event.key];
  if (arrow) {
    const now = waiting.get(token) ?? middle(token);
    const to = { x: now.x + arrow.x * STEP * scale(), y: now.y + arrow.y * STEP * scale() };
    waiting.set(token, to);
    shift(token, to);
  } else if (event.key === "Enter" && waiting.has(token)) move(token, /** @type {Point} */ (waiting.get(token))).finally(() => restore(token));
  else if (event.key === "Escape" && waiting.has(token)) restore(token);
  else return;
  event.preventDefault();
  event.stopPropagation();
});

// The picture under the map: it stays in this browser.

const kept = () => `fracas.map.${map().dataset.fight}`;

function picture() {
  const image = document.getElementById("map-picture");
  if (!image) return;
  const data = localStorage.getItem(kept());
  if (data) image.setAttribute("href", data);
  else image.removeAttribute("href");
  image.toggleAttribute("hidden", !data);
}

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.id !== "map-file" || !input.files?.[0]) return;
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    const data = String(reader.result);
    try {
      if (data.length > LARGEST) throw new Error("too large");
      localStorage.setItem(kept(), data);
      picture();
    } catch {
      say("This picture is too large: up to 3 MB are kept.");
    }
  });
  reader.readAsDataURL(input.files[0]);
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.target.id !== "map-no-picture") return;
  localStorage.removeItem(kept());
  picture();
});

document.addEventListener("htmx:afterSettle", picture);
picture();
