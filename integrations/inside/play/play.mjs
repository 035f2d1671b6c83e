// @ts-check
/**
 * The page in which Fracas runs: it holds the worker, and shows the console in a frame. What the frame asks for comes here by way
 * of the service worker (`sw.js`), which finds the one page that has the worker.
 *
 * One page at a time has it, by a lock of the browser: two never write one journal. Other pages of this address show the same
 * fights through it; when it closes, one of them goes on from the journal.
 */
import { Inside, lacking } from "../inside.mjs";
import { BrowserKeeper } from "./keeper.mjs";

const scope = new URL(".", location.href);
const prefix = scope.pathname.replace(/\/$/, "");
const START = "/console/";
const COPY = "fracas-journal";
const COOKIES = "cookies";

/** @param {string} id @returns {HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const frame = /** @type {HTMLIFrameElement} */ (part("frame"));
const state = part("state");

/** @type {Inside | null} */
let inside = null;
/** @type {BrowserKeeper} */
let keeper;
/** @type {Record<string, string>} */
let cookies = {};

/** @param {string} text @param {boolean} [bad] */
function say(text, bad = false) {
  state.textContent = text;
  state.dataset.state = bad ? "bad" : "good";
}

/** @param {string} title @param {string[]} reasons */
function refuse(title, reasons) {
  const list = document.createElement("ul");
  list.append(
    ...reasons.map((reason) => {
      const item = document.createElement("li");
      item.textContent = reason;
      return item;
    }),
  );
  const heading = document.createElement("h1");
  heading.textContent = title;
  part("refused").replaceChildren(heading, list);
  part("refused").hidden = false;
  frame.hidden = true;
  say("Fracas does not run here", true);
}

/** What this browser lacks, in words. */
function missing() {
  const found = lacking();
  if (!globalThis.isSecureContext) found.push("a safe address: https, or this computer's own");
  if (!("serviceWorker" in navigator)) found.push("service workers, which many browsers switch off in private windows");
  if (!("locks" in navigator)) found.push("locks between its windows");
  return found;
}

async function takeControl() {
  await navigator.serviceWorker.register(new URL("sw.js", scope), { scope: scope.pathname });
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

/** Runs Fracas in this page, and keeps the lock for as long as the page is open. */
async function host() {
  keeper = await BrowserKeeper.open(`fracas ${scope.pathname}`);
  cookies = (await keeper.word(COOKIES)) ?? {};
  const started = new Inside(scope.href, keeper, { prefix });
  await started.start();
  inside = started;
  say("Runs in this page");
  show();
  await new Promise(() => {});
}

/** The address of the frame follows that of the page, and the other way round: a reload leads to the same place. */
function show() {
  if (frame.getAttribute("src")) return;
  const wanted = location.hash.slice(1);
  frame.src = prefix + (wanted.startsWith("/") && !wanted.startsWith("//") ? wanted : START);
}

frame.addEventListener("load", () => {
  const place = frame.contentWindow?.location;
  if (!place?.pathname.startsWith(`${prefix}/`)) return;
  const path = place.pathname.slice(prefix.length) + place.search;
  if (path !== START || location.hash) history.replaceState(null, "", `#${path}`);
  document.title = frame.contentDocument?.title || "Fracas";
});

/** @param {{method: string, path: string, headers: Record<string, string>, body?: Uint8Array}} asked @param {Inside} running */
async function answer({ method, path, headers, body }, running) {
  const sent = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const shown = sent.length ? { ...headers, Cookie: sent.join("; ") } : headers;
  if (method === "GET" && /event-stream/.test(headers.accept ?? "")) return running.fetch(path, { headers: shown });
  const found = await running.ask(method, path, shown, body);
  const set = found.headers.filter(([name]) => name.toLowerCase() === "set-cookie");
  for (const [, value] of set) {
    const [, name, word] = /^([^=;]+)=([^;]*)/.exec(value) ?? [];
    if (/max-age=0/i.test(value) || !word) delete cookies[name];
    else cookies[name] = word;
  }
  if (set.length) await keeper.setWord(COOKIES, cookies);
  const kept = found.headers
    .filter(([name]) => !["set-cookie", "content-length"].includes(name.toLowerCase()))
    .map(([name, value]) => /** @type {[string, string]} */ ([name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")]));
  return new Response([204, 304].includes(found.status) ? null : /** @type {BodyInit} */ (found.body), { status: found.status, headers: kept });
}

navigator.serviceWorker?.addEventListener("message", async ({ data, ports: [port] }) => {
  if (!port) return;
  if (!inside) return port.postMessage({ elsewhere: true });
  try {
    const response = await answer(data, inside);
    const head = { status: response.status, headers: [...response.headers] };
    if (!/event-stream/.test(response.headers.get("Content-Type") ?? "")) {
      const body = response.body === null ? null : await response.arrayBuffer();
      return port.postMessage({ ...head, body });
    }
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    port.onmessage = () => void reader.cancel();
    port.postMessage({ ...head, stream: true });
    for (let next = await reader.read(); !next.done; next = await reader.read()) port.postMessage({ chunk: next.value });
    port.postMessage({ over: true });
  } catch (error) {
    say(`Something failed, and Fracas starts again: ${/** @type {Error} */ (error).message}`, true);
    port.postMessage({ status: 503, headers: [["Content-Type", "text/plain; charset=utf-8"]], body: new TextEncoder().encode(String(error)).buffer });
  }
});

part("save").addEventListener("click", async () => {
  const open = keeper ?? (await BrowserKeeper.open(`fracas ${scope.pathname}`));
  const copy = { format: COPY, lines: await open.load() };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(copy)], { type: "application/json" }));
  link.download = "fracas-fights.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});

part("load").addEventListener("change", async (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const file = field.files?.[0];
  if (!file) return;
  try {
    const copy = JSON.parse(await file.text());
    if (copy.format !== COPY || !Array.isArray(copy.lines)) throw new Error("it is no copy of fights");
    if (!inside) throw new Error("Fracas runs in another window: load the copy there");
    // Tried before anything is given up; what it would write, nobody keeps.
    const trial = new Inside(scope.href, { load: async () => copy.lines, keep: async () => {} }, { prefix });
    await trial.start().finally(() => trial.stop());
    if (!confirm("The fights of the copy take the place of those in this browser.")) return;
    const running = inside;
    inside = null; // nobody is answered meanwhile
    running.stop();
    await keeper.replace(copy.lines);
    await running.start();
    inside = running;
    frame.src = prefix + START;
    say("The copy was loaded");
  } catch (error) {
    say(`The copy cannot be used: ${/** @type {Error} */ (error).message}`, true);
  } finally {
    field.value = "";
  }
});

const lacks = missing();
if (lacks.length) refuse("This browser lacks what Fracas needs", lacks);
else {
  say("Starts; the first time it fetches about 8 MB");
  try {
    await takeControl();
    const held = await navigator.locks.query();
    if (held.held?.some((lock) => lock.name === scope.pathname)) {
      say("Runs in another window of this browser, and is shown here, too");
      show();
    }
    await navigator.locks.request(scope.pathname, host);
  } catch (error) {
    refuse("Fracas cannot start here", [String(/** @type {Error} */ (error).message ?? error)]);
  }
}
