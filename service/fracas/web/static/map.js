// @ts-check
/**
 * The map of a fight: tokens that are dragged or moved with arrows, a measured line, the spot of a blast, walls, all by pointer or
 * keyboard, and a picture that stays in this browser. The service draws the map and decides what may be done.
 */

/** @typedef {{x: number, y: number}} Point */

const SVG = "http://www.w3.org/2000/svg";
/** Metres that an arrow moves. */
const STEP = 1;
/** The most bytes of a picture that is kept. */
const LARGEST = 3_000_000;

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

// A finger on a token drags it; elsewhere it scrolls the map. (Browsers heed `touch-action` of the whole drawing alone.)
document.addEventListener(
  "touchstart",
  (event) => {
    if (tool() === "move" && event.target instanceof Element && event.target.closest("[data-movable]")) event.preventDefault();
  },
  { passive: false },
);

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
  else drawn(done.from, done.to);
});

document.addEventListener("pointercancel", () => {
  if (drag?.token) restore(drag.token);
  else if (drag) unline();
  drag = null;
});

/** A line was drawn: it is a wall, or was measured. @param {Point} from @param {Point} to both in units */
function drawn(from, to) {
  if (tool() !== "wall") return say(`${far(from, to).toFixed(1)} m`);
  const [one, other] = [metresOf(from), metresOf(to)];
  send("wall", { x1: one.x, y1: one.y, x2: other.x, y2: other.y, height: field("map-height")?.value ?? "" }).finally(unline);
}

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
  const wish = new URLSearchParams({ who: field("map-who")?.value ?? "", target: token.getAttribute("data-token") ?? "" });
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

/** Where the keyboard draws, in metres, and where the line that it draws began. @type {{at: Point, from: Point | null} | null} */
let cursor = null;

/** @param {Point} metres @returns {Point} in units of the drawing */
function unitsOf({ x, y }) {
  return { x: (x - Number(map().dataset.x)) * scale(), y: (y - Number(map().dataset.y)) * scale() };
}

/** The cross of the keyboard, and its line. */
function showCursor() {
  const place = document.getElementById("map-cursor");
  if (!place) return;
  if (tool() === "move") cursor = null;
  const at = cursor && unitsOf(cursor.at);
  place.toggleAttribute("hidden", !at);
  if (!cursor || !at) return;
  place.setAttribute("transform", `translate(${at.x} ${at.y})`);
  if (cursor.from) line(unitsOf(cursor.from), at, `${far(unitsOf(cursor.from), at).toFixed(1)} m`);
}

/** What arrows, Enter and Escape do on the map itself. @param {KeyboardEvent} event @returns {boolean} whether it is used */
function draws(event) {
  const arrow = ARROWS[event.key];
  if (!cursor && (arrow || event.key === "Enter")) {
    const me = document.querySelector(`[data-token="${CSS.escape(field("map-who")?.value ?? "")}"]`);
    const { width, height } = drawing().viewBox.baseVal;
    cursor = { at: metresOf(me ? middle(me) : { x: width / 2, y: height / 2 }), from: null };
  }
  if (!cursor) return false;
  const step = event.shiftKey ? 5 * STEP : STEP;
  if (arrow) cursor.at = { x: cursor.at.x + arrow.x * step, y: cursor.at.y + arrow.y * step };
  else if (event.key === "Escape") {
    unline();
    if (cursor.from) cursor.from = null;
    else cursor = null;
  } else if (event.key !== "Enter") return false;
  else if (tool() === "blast") blast(unitsOf(cursor.at));
  else if (cursor.from) {
    drawn(unitsOf(cursor.from), unitsOf(cursor.at));
    cursor.from = null;
    return true;
  } else cursor.from = cursor.at;
  showCursor();
  if (cursor) say(`${cursor.at.x.toFixed(1)} m right, ${cursor.at.y.toFixed(1)} m down${cursor.from ? `: the line began at ${cursor.from.x.toFixed(1)}, ${cursor.from.y.toFixed(1)}` : ""}`);
  return true;
}

document.addEventListener("keydown", (event) => {
  const token = event.target instanceof Element ? event.target.closest("[data-movable]") : null;
  const onMap = event.target instanceof Element && event.target.matches(".map-scroll");
  if (onMap && tool() !== "move" && draws(event)) event.preventDefault();
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

/** Who acts and who is aimed at, as they were brought into view last. */
let inView = "";

/** On a small screen the map scrolls: when another acts or is aimed at, both are in view. */
function follow() {
  const shown = [...document.querySelectorAll(".piece.acts.chosen, .piece.aimed")].map((piece) => /** @type {Element} */ (piece.parentElement));
  const scrolls = document.querySelector(".map-scroll");
  const now = shown.map((token) => token.getAttribute("data-token")).join(" ");
  if (!scrolls || now === inView) return;
  inView = now;
  const across = shown.reduce((sum, token) => sum + middle(token).x, 0) / shown.length;
  const unit = drawing().getBoundingClientRect().width / drawing().viewBox.baseVal.width;
  if (shown.length > 0) scrolls.scrollLeft = across * unit - scrolls.clientWidth / 2;
}

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

/** @param {File} file @returns {Promise<string>} why it is not kept */
async function keep(file) {
  const tooLarge = `${file.name} is too large: up to 3 MB are kept.`;
  if (file.size > LARGEST) return tooLarge;
  try {
    await createImageBitmap(file);
  } catch {
    return `${file.name} is not a picture: choose a PNG, JPEG or WebP file.`;
  }
  const reader = new FileReader();
  await new Promise((done) => {
    reader.addEventListener("loadend", done);
    reader.readAsDataURL(file);
  });
  try {
    localStorage.setItem(kept(), String(reader.result));
  } catch {
    return tooLarge;
  }
  picture();
  return "";
}

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.id !== "map-file" || !input.files?.[0]) return;
  const wrong = await keep(input.files[0]);
  const note = document.getElementById("map-file-wrong");
  if (note) note.textContent = wrong;
  note?.toggleAttribute("hidden", !wrong);
  if (wrong) input.value = "";
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.target.id !== "map-no-picture") return;
  localStorage.removeItem(kept());
  picture();
});

document.addEventListener("change", (event) => {
  if (event.target instanceof Element && event.target.closest("#map-tools")) showCursor();
});
document.addEventListener("htmx:afterSettle", () => {
  picture();
  showCursor();
  follow();
});
picture();
follow();
