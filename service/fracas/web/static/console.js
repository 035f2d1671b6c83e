// @ts-check
/**
 * The few things of the console that neither HTML nor htmx does: the live feed, notices that close, and a key in the address.
 */

import "./console-forms.js";

const FEED = "fight-changed";
const SLOWEST = 10_000;
/** The status of a feed from which nothing more will come. */
const OVER = 204;
/** Without a key, with one that was taken back, or no fight any more. */
const REFUSED = [401, 403, 404];
const AWAY = "The service does not answer. Nothing was sent; try again when it is there.";

/** The version that the page shows. */
function shown() {
  const board = document.querySelector("[data-version]");
  return Number(board?.getAttribute("data-version") ?? 0);
}

/** The newest version that was asked for, or is shown. */
let asked = 0;

// What a new part of the page brings can be pressed before htmx has come to it: it is made ready then, and no form is
// ever sent as a page.
for (const kind of ["click", "submit"]) {
  document.addEventListener(
    kind,
    (event) => {
      const control = event.target instanceof Element ? event.target.closest(kind === "submit" ? "form" : "button, a") : null;
      const one = control?.matches("[hx-get], [hx-post]") ? control : null;
      if (!one) return;
      if (kind === "submit") event.preventDefault();
      /** @type {any} */ (window).htmx.process(one);
    },
    { capture: true },
  );
}

/** @param {number} [version] that there is now; without it, whatever there is */
function changed(version) {
  document.body.dispatchEvent(new CustomEvent(FEED, { detail: { version } }));
}

/** Commands of the table on their way: each is answered with the table as it is then. */
let onTheWay = 0;
/** The newest version that the feed has named meanwhile. */
let heard = 0;

// A command's answer and the feed both name a version; the page fetches it once.
document.body.addEventListener(FEED, (event) => {
  const { version } = /** @type {CustomEvent} */ (event).detail;
  if (!version) return;
  if (onTheWay > 0) heard = Math.max(heard, version);
  if (onTheWay > 0 || version <= Math.max(shown(), asked)) event.stopImmediatePropagation();
  else asked = version;
});

/** @param {HTMLElement} elt that sends a request: whether it is a command of the table */
function commands(elt) {
  return elt instanceof HTMLFormElement && elt.closest("#board") !== null && elt.getAttribute("hx-swap") === "none";
}

document.body.addEventListener("htmx:configRequest", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (detail.verb !== "post" || !commands(detail.elt)) return;
  const chosen = new URLSearchParams({ board: "1" });
  for (const one of document.querySelectorAll("#chosen-actor, #chosen-target, #chosen-open")) {
    if (one instanceof HTMLInputElement) chosen.set(one.name, one.value);
  }
  detail.path += `?${chosen}`;
});

document.body.addEventListener("htmx:beforeSend", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.pathInfo.requestPath.includes("?board=1")) onTheWay += 1;
});

document.body.addEventListener("htmx:afterRequest", (event) => {
  if (!(/** @type {CustomEvent} */ (event).detail.pathInfo.requestPath.includes("?board=1"))) return;
  onTheWay -= 1;
  if (onTheWay === 0 && heard > shown()) changed(heard);
});

/**
 * Follows a fight. A connection that ends is opened again, at first at once, then more slowly; whatever happened meanwhile is
 * fetched when it is there. When the fight is over, that is all; viewers who may not see it any more read why.
 *
 * @param {HTMLElement} state shows people how the connection stands
 * @param {number} wait milliseconds until the next attempt
 */
function follow(state, wait = 500) {
  const source = new EventSource(state.dataset.feed ?? "");
  source.addEventListener("open", () => {
    state.textContent = "live";
    state.dataset.state = "live";
    wait = 500;
    const notice = document.getElementById("notice");
    if (notice?.textContent === AWAY) notice.replaceChildren();
    changed();
  });
  source.addEventListener(FEED, (event) => {
    changed(Number(event.data));
  });
  source.addEventListener("error", async () => {
    source.close();
    state.textContent = "reconnecting";
    state.dataset.state = "lost";
    const status = await fetch(source.url, { method: "HEAD" }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === OVER) state.textContent = "over";
    else if (REFUSED.includes(status)) location.reload();
    else setTimeout(() => follow(state, Math.min(wait * 2, SLOWEST)), wait);
  });
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-close]") : null;
  const part = button && document.getElementById(button.getAttribute("data-close") ?? "");
  if (part) part.replaceChildren();
});

// A link to a control opens the folds in which it lies.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const field = link instanceof HTMLAnchorElement && document.getElementById(link.hash.slice(1));
  if (!field) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  const control = field.matches("input, select") ? field : field.querySelector("input:checked");
  if (!(control instanceof HTMLElement)) return;
  event.preventDefault();
  field.scrollIntoView({ block: "center" });
  control.focus();
});

// Buttons of actions whose words do not have what is looked for are hidden, and groups of which nothing is left.
document.addEventListener("input", (event) => {
  const field = event.target;
  const part = field instanceof HTMLInputElement && document.getElementById(field.dataset.filter ?? "");
  if (!part || !(field instanceof HTMLInputElement)) return;
  const words = field.value.toLowerCase().split(/\s+/);
  for (const group of part.querySelectorAll(".acts")) {
    const buttons = [...group.querySelectorAll("button")];
    for (const button of buttons) {
      const label = (button.textContent ?? "").toLowerCase();
      button.hidden = !words.every((word) => label.includes(word));
    }
    if (group instanceof HTMLElement) group.hidden = buttons.every((button) => button.hidden);
  }
  if (part instanceof HTMLDetailsElement && field.value) part.open = true;
});

/** The fold of all actions fetches what it shows: when it opens, and again when another acts or the fight has changed. */
function everyAction() {
  const fold = document.getElementById("all-actions");
  const part = document.getElementById("every-action");
  if (!(fold instanceof HTMLDetailsElement) || !fold.open || !part) return;
  const of = fold.dataset.of ?? "";
  const there = part.firstElementChild;
  if (part.dataset.asked === of || (there instanceof HTMLElement && there.dataset.of === of)) return;
  part.dataset.asked = of;
  /** @type {any} */ (window).htmx.ajax("GET", fold.dataset.all, { target: part, swap: "innerHTML" }).finally(() => {
    delete part.dataset.asked;
    document.getElementById("find-action")?.dispatchEvent(new Event("input", { bubbles: true }));
    if (fold.dataset.of !== of) everyAction();
  });
}

document.addEventListener("toggle", everyAction, { capture: true });

/** @param {string} id of a dialog, such as the list of the keys */
function shows(id) {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-dialog]") : null;
  if (button) shows(button.getAttribute("data-dialog") ?? "");
});

/** In a row that scrolls sideways, such as the track, what is chosen or acts is in view. */
function inView() {
  for (const row of document.querySelectorAll(".track, .targets, .who-acts")) {
    const chosen = row.querySelector("[data-now], label:has(:checked)");
    if (!chosen) continue;
    const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) row.scrollLeft += inner.left - outer.left - outer.width / 3;
  }
}

/**
 * Keys of the table, none of them while somebody types: each presses a button that stands on the page.
 * @type {Record<string, () => Element | null>}
 */
const KEYS = {
  n: () => document.querySelector("#end-turn button"),
  u: () => document.querySelector("#undo-action button"),
  a: () => document.querySelector(".add-line .btn"),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input:not([type=radio], [type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const field = document.getElementById("find-action");
  if (key === "escape") document.querySelector("[data-close=action-panel]")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (key === "/" && field) {
    event.preventDefault();
    field.focus();
  } else if (key === "?") shows("keys");
  else if (key === "t") {
    const targets = [...document.querySelectorAll(".targets input")];
    const next = targets[(targets.findIndex((one) => one instanceof HTMLInputElement && one.checked) + 1) % targets.length];
    if (next instanceof HTMLElement) next.click();
  } else {
    const button = /^[1-9]$/.test(key) ? document.querySelector(`#weapons [data-key="${key}"]`) : KEYS[key]?.();
    if (button instanceof HTMLElement) button.click();
  }
});

// With Shift, an attack or another usual action is looked at before it is made.
document.addEventListener(
  "click",
  (event) => {
    const form = event.shiftKey && event.target instanceof Element ? event.target.closest(".weapon-slot form, .moves form") : null;
    const options = form?.parentElement?.querySelector(".more-of");
    if (!(form instanceof HTMLElement)) return;
    event.preventDefault();
    if (form.dataset.form) /** @type {any} */ (window).htmx.ajax("GET", form.dataset.form, "#action-panel");
    else if (options instanceof HTMLElement) options.click();
  },
  { capture: true },
);

// A button that stands for another one, such as the best attack on the bar of a phone.
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-press]") : null;
  const other = button && document.querySelector(button.getAttribute("data-press") ?? "");
  if (other instanceof HTMLElement) other.click();
});

// What is copied may be longer than what is shown, such as a hash. Pages of plain HTTP may not write to the clipboard: there
// the text is selected, for people to copy it.
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  const text = button?.getAttribute("data-copy");
  if (!button || !text) return;
  const label = button.lastChild;
  try {
    await navigator.clipboard.writeText(text);
    if (label) label.textContent = "Copied";
  } catch {
    const field = button.parentElement?.querySelector("input[data-select]");
    const shown = button.previousElementSibling;
    if (field instanceof HTMLInputElement) {
      field.select();
      if (label) label.textContent = document.execCommand("copy") ? "Copied" : "Selected: copy it";
    } else if (shown) {
      shown.textContent = text;
      getSelection()?.selectAllChildren(shown);
    }
  }
});

// What players add to the dice comes from their own browser: random digits, unless they type something.
document.addEventListener("click", (event) => {
  const form = event.target instanceof Element ? event.target.closest("button")?.closest("form.contribute") : null;
  const field = form?.querySelector("[data-random]");
  if (!(field instanceof HTMLInputElement) || field.value.trim()) return;
  field.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
});

document.addEventListener("focusin", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (field.dataset.select !== undefined) field.select();
});

document.body.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful, target } = /** @type {CustomEvent} */ (event).detail;
  const { elt } = requestConfig; // the event itself names what is left of the page around a form that has gone
  if (!(elt instanceof HTMLElement)) return;
  if (!successful && !(elt instanceof HTMLFormElement)) asked = 0;
  if (!successful || !(elt instanceof HTMLFormElement)) return;
  document.getElementById("notice")?.replaceChildren();
  if (elt.closest("#action-panel")) document.getElementById("action-panel")?.replaceChildren();
  if (elt.matches("form.action-form, .weapon-slot form, .moves form")) scrollTo({ top: 0 });
  gave = true;
  if (!PAGES.includes(target.id) && shown() >= asked) goOn(); // the feed was faster than the answer, and the page shows it already
});

// What was set on a row stands in the fight then, and is no longer what is being typed: the next drawing of the page may
// put another number there.
document.body.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (!(elt instanceof HTMLFormElement) || xhr.status >= 300 || !elt.matches("form.number, .numbers > form")) return;
  const field = elt.querySelector("input[type=number]");
  if (!(field instanceof HTMLInputElement) || field.value !== requestConfig.parameters[field.name]) return;
  field.defaultValue = field.value;
  elt.reset();
});

// A click on a number of a row begins it anew.
document.addEventListener("click", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.closest("form.number") && field.value === field.defaultValue) field.select();
});

// Escape in a number of a row leaves it as it was.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Escape" || !(field instanceof HTMLInputElement) || !field.closest("form.number")) return;
  field.value = field.defaultValue;
  field.blur();
});

/** The version of which the timeline has the ticks. */
let ticked = shown();

/** After another version of the fight, the ticks of the timeline are fetched, once the table is there. */
function counted() {
  const ticks = document.getElementById("ticks");
  if (!ticks || ticked === shown()) return;
  ticked = shown();
  /** @type {any} */ (window).htmx.trigger(ticks, "counted");
}

/** The parts of pages that are drawn anew with the fight. */
const PAGES = ["board", "map"];

/** A user gave a command, at which the button that had the focus may go away. */
let gave = false;

/** @param {Element | null} heading where people read on, by keyboard and with screen readers */
function land(heading) {
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** After a command, people read on where the fight goes on. */
function goOn() {
  gave = false;
  if (document.activeElement !== document.body) return;
  land(document.getElementById("questions") ?? document.getElementById("acts") ?? document.getElementById("result"));
}

// What has just been opened gets the focus, and is seen; after a command, the place that goes on.
document.body.addEventListener("htmx:afterSettle", (event) => {
  const { target } = /** @type {CustomEvent} */ (event).detail;
  inView();
  if (target.id === "action-panel") {
    if (!target.contains(document.activeElement)) land(target.querySelector("h2"));
    if (target.getBoundingClientRect().top < 0 || target.getBoundingClientRect().top > innerHeight / 2) target.scrollIntoView({ block: "start" });
  } else if (PAGES.includes(target.id)) {
    if (gave) goOn();
    counted();
    everyAction();
  }
});

document.body.addEventListener("htmx:sendError", () => {
  const notice = document.getElementById("notice");
  if (notice) notice.textContent = AWAY;
});

// What people typed, chose or unfolded stays when the page is drawn anew around it.
const { callbacks } = /** @type {any} */ (window).Idiomorph.defaults;
callbacks.beforeNodeMorphed = (/** @type {Node} */ node) => !(node instanceof HTMLElement && ["action-panel", "ticks", "every-action"].includes(node.id));
callbacks.beforeAttributeUpdated = (/** @type {string} */ name, /** @type {Element} */ node) => {
  if (node instanceof HTMLInputElement && node.type === "range") return true;
  if (name === "open") return !(node instanceof HTMLDetailsElement);
  if (name === "hidden") return !node.closest(".acts");
  if (name === "value" && node instanceof HTMLInputElement) return node.type === "hidden" || node.value === node.defaultValue;
  if (name === "checked" && node instanceof HTMLInputElement) return node.checked === node.defaultChecked;
  return true;
};

/** How long questions still wait for an answer. */
setInterval(() => {
  for (const place of document.querySelectorAll("[data-deadline]")) {
    const left = Math.ceil((Number(place.getAttribute("data-deadline")) - Date.now()) / 1000);
    place.textContent = left > 0 ? `in ${left} s` : "now";
  }
}, 1000);

inView();

const feed = document.getElementById("feed");
if (feed) follow(feed);

const door = document.querySelector("form[data-key-from-address]");
if (door instanceof HTMLFormElement && location.hash.length > 1) {
  const field = door.elements.namedItem("key");
  if (field instanceof HTMLInputElement) field.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  door.requestSubmit();
}
