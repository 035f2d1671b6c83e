// @ts-check
/**
 * The worker of a page in which Fracas runs; `inside.mjs` starts it and speaks with it.
 *
 * It answers one request after the other. What a request has written is given to the page to keep, and the answer is sent only
 * when the page has said that it is kept. If it cannot be kept, the worker is of no use any more: its memory is ahead of the
 * journal. So it answers 503, and the page starts another one.
 */
import { startEngine } from "./engine.mjs";

// A host that gives WebAssembly another type than its own, as many do, would leave Python waiting for ever.
const { compile, compileStreaming, instantiate, instantiateStreaming } = WebAssembly;
const isTyped = (/** @type {Response} */ response) => response.headers.get("Content-Type") === "application/wasm";
WebAssembly.compileStreaming = async (/** @type {Response | PromiseLike<Response>} */ source) => {
  const found = await source;
  return isTyped(found) ? compileStreaming(found) : compile(await found.arrayBuffer());
};
WebAssembly.instantiateStreaming = async (/** @type {Response | PromiseLike<Response>} */ source, /** @type {WebAssembly.Imports | undefined} */ imports) => {
  const found = await source;
  return isTyped(found) ? instantiateStreaming(found, imports) : instantiate(await found.arrayBuffer(), imports);
};

/** Milliseconds between two looks for questions whose time is over. */
const CLOCK = 1000;

/** @type {import("./engine.mjs").Engine} */
let engine;
let turn = Promise.resolve();
/** @type {Map<number, {kept: () => void, failed: (error: Error) => void}>} */
const waiting = new Map();
let last = 0;

/**
 * @param {import("./engine.mjs").Written[]} written
 * @returns {Promise<void>} when the page has kept it
 */
function keep(written) {
  if (!written.length) return Promise.resolve();
  const keep = ++last;
  return new Promise((kept, failed) => {
    waiting.set(keep, { kept, failed });
    postMessage({ keep, written });
  });
}

/** @param {import("./engine.mjs").Written[]} written */
function tell(written) {
  const changed = [...new Set(written.map(([encounter]) => encounter))].filter(Boolean);
  if (changed.length) postMessage({ changed: changed.map((id) => [id, engine.version(id)]) });
}

/** @param {{id: number, method: string, path: string, headers: Record<string, string>, body?: Uint8Array}} asked */
async function answer({ id, method, path, headers, body }) {
  try {
    const { written, ...found } = engine.call(method, path, headers, body);
    await keep(written);
    postMessage({ id, ...found });
    tell(written);
  } catch (error) {
    postMessage({ id, broken: String(error) });
  }
}

async function look() {
  try {
    const written = engine.overdue();
    await keep(written);
    tell(written);
  } catch (error) {
    postMessage({ broken: String(error) });
  }
}

addEventListener("message", ({ data }) => {
  if (data.start) {
    const { base, ...how } = data.start;
    startEngine(base, how).then(
      (started) => {
        engine = started;
        postMessage({ ready: { memory: engine.memory() } });
        setInterval(() => (turn = turn.then(look)), CLOCK);
      },
      (error) => postMessage({ broken: String(error) }),
    );
  } else if (data.kept || data.failed) {
    const one = waiting.get(data.kept ?? data.failed);
    waiting.delete(data.kept ?? data.failed);
    if (data.kept) one?.kept();
    else one?.failed(new Error(data.why));
  } else {
    turn = turn.then(() => answer(data));
  }
});
