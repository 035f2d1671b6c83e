// @ts-check
/**
 * Fracas inside this page: a `fetch` whose service is a worker. The same paths, bodies, tokens and errors as those of the service,
 * and the same live feed.
 */

/**
 * Keeps the journal. What `keep` resolves for is safe; a line of no encounter ("") takes the place of the one before it.
 * @typedef {object} Keeper
 * @property {() => Promise<string[]>} load all lines, in their order
 * @property {(written: import("./engine.mjs").Written[]) => Promise<void>} keep
 * @property {string} [secret] once it has loaded; signs continuations, so that those from before a reload are good after it
 */

/** @typedef {{method?: string, headers?: Record<string, string>, body?: string | Uint8Array, signal?: AbortSignal | null}} Options */

const EVENTS = /^(.*)\/v1\/encounters\/([^/?]+)\/events$/;
const LIVE = /\/console\/fight\/([^/?]+)\/live$/;
const STREAM = "text/event-stream";
/** Milliseconds after which a reader of a stream comes back when it has ended. */
const RETRY = 2000;

/** Whether this browser has what is needed; what it lacks otherwise. */
export function lacking() {
  const needed = /** @type {[string, boolean][]} */ ([
    ["WebAssembly", typeof WebAssembly === "object"],
    ["Web Workers", typeof Worker === "function"],
    ["streams", typeof ReadableStream === "function"],
    ["IndexedDB", typeof indexedDB === "object" && indexedDB !== null],
  ]);
  return needed.filter(([, has]) => !has).map(([name]) => name);
}

export class Inside {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<void> | null} */
  #ready = null;
  #last = 0;
  /** @type {Map<number, {done: (answer: any) => void, failed: (error: Error) => void}>} */
  #asked = new Map();
  /** @type {Set<(id: string, version: number) => void>} */
  #listeners = new Set();
  #base;
  #keeper;
  #how;
  /** Bytes of Python's memory after the start. */
  memory = 0;

  /**
   * @param {string} base the address of the folder of the bundle, with a slash at its end
   * @param {Keeper} keeper
   * @param {{parts?: string[], prefix?: string, admin?: string}} [how] see `startEngine`
   */
  constructor(base, keeper, how = {}) {
    this.#base = base;
    this.#keeper = keeper;
    this.#how = how;
  }

  /** Starts it, if it does not run. */
  start() {
    this.#ready ??= this.#begin();
    return this.#ready;
  }

  /** Ends it; what was asked and is not answered yet, fails. */
  stop(why = "Fracas was stopped") {
    this.#worker?.terminate();
    this.#worker = this.#ready = null;
    for (const one of this.#asked.values()) one.failed(new Error(why));
    this.#asked.clear();
  }

  /** @param {(id: string, version: number) => void} listener called with each fight that has changed, and its version */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #begin() {
    const lines = await this.#keeper.load();
    const worker = (this.#worker = new Worker(workerAt(new URL("worker.mjs", this.#base)), { type: "module" }));
    await new Promise((done, failed) => {
      worker.onerror = (event) => failed(new Error(event.message || "the worker of Fracas cannot be loaded"));
      worker.onmessage = ({ data }) => {
        if (data.ready) {
          this.memory = data.ready.memory;
          done(undefined);
        } else if (data.broken) {
          failed(new Error(data.broken));
          this.#broken(data);
        } else this.#heard(worker, data);
      };
      const { secret } = this.#keeper;
      worker.postMessage({ start: { base: this.#base, lines, ...this.#how, ...(secret ? { secret } : {}) } });
    }).catch((error) => {
      this.stop(error.message);
      throw error;
    });
    worker.onerror = (event) => this.#broken({ broken: event.message });
  }

  /** @param {Worker} worker @param {any} data */
  #heard(worker, data) {
    if (data.keep) {
      this.#keeper.keep(data.written).then(
        () => worker.postMessage({ kept: data.keep }),
        (error) => worker.postMessage({ failed: data.keep, why: String(error?.message ?? error) }),
      );
    } else if (data.changed) {
      for (const [id, version] of data.changed) for (const listener of [...this.#listeners]) listener(id, version);
    } else if (data.id) {
      this.#asked.get(data.id)?.done(data);
      this.#asked.delete(data.id);
    }
  }

  /** The next request starts another worker from what was kept. @param {{id?: number, broken: string}} data */
  #broken(data) {
    this.stop(data.broken);
  }

  /**
   * @param {string} method @param {string} path @param {Record<string, string>} headers @param {Uint8Array} [body]
   * @returns {Promise<{status: number, headers: [string, string][], body: Uint8Array}>}
   */
  async ask(method, path, headers, body) {
    await this.start();
    const id = ++this.#last;
    return new Promise((done, failed) => {
      this.#asked.set(id, { done, failed });
      this.#worker?.postMessage({ id, method, path, headers, body });
    });
  }

  /**
   * As `fetch`; of the address only path and query count.
   * @param {string} address
   * @param {Options} [options]
   */
  async fetch(address, { method = "GET", headers = {}, body, signal } = {}) {
    signal?.throwIfAborted();
    const { pathname, search } = new URL(address, "http://localhost/");
    const stream = method === "GET" && Object.entries(headers).some(([name, value]) => name.toLowerCase() === "accept" && value.includes(STREAM));
    if (stream && EVENTS.test(pathname)) return this.#events(pathname, search, headers, signal);
    if (method === "GET" && LIVE.test(pathname)) return this.#live(pathname, headers, signal);
    const sent = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const found = await this.ask(method, pathname + search, headers, sent);
    signal?.throwIfAborted();
    return response(found);
  }

  /** The live feed of the interface. @param {string} path @param {string} search @param {Record<string, string>} headers @param {AbortSignal | null} [signal] */
  async #events(path, search, headers, signal) {
    const { Accept, accept, ...rest } = headers;
    const seen = Object.entries(rest).find(([name]) => name.toLowerCase() === "last-event-id")?.[1];
    let after = Number(seen ?? new URLSearchParams(search).get("after") ?? 0);
    const next = () => this.ask("GET", `${path}?after=${after}`, rest);
    const first = await next();
    if (first.status !== 200) return response(first);
    const [, , id] = /** @type {RegExpExecArray} */ (EVENTS.exec(path));
    return this.#stream(id, signal, first, async (found, send) => {
      found ??= await next();
      if (found.status !== 200) return false;
      const { events } = JSON.parse(new TextDecoder().decode(found.body));
      for (const event of events) {
        after = event.version;
        send(`id: ${event.version}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return true;
    });
  }

  /** The live feed of the console, which names versions alone. @param {string} path @param {Record<string, string>} headers @param {AbortSignal | null} [signal] */
  async #live(path, headers, signal) {
    const first = await this.ask("HEAD", path, headers);
    if (first.status !== 200) return response(first);
    const [, id] = /** @type {RegExpExecArray} */ (LIVE.exec(path));
    return this.#stream(id, signal, null, async (_found, send, version) => {
      if (version) send(`id: ${version}\nevent: fight-changed\ndata: ${version}\n\n`);
      return true;
    });
  }

  /**
   * @param {string} fight
   * @param {AbortSignal | null | undefined} signal
   * @param {any} first what was found already
   * @param {(found: any, send: (text: string) => void, version: number) => Promise<boolean>} more sends what is new; false if nothing will come any more
   */
  #stream(fight, signal, first, more) {
    const encoder = new TextEncoder();
    let stop = () => {};
    const body = new ReadableStream({
      start: (controller) => {
        let pending = Promise.resolve();
        const send = (/** @type {string} */ text) => controller.enqueue(encoder.encode(text));
        const hear = (/** @type {any} */ found, /** @type {number} */ version) => {
          pending = pending.then(async () => {
            try {
              if (await more(found, send, version)) return;
              controller.close();
            } catch {
              // The reader has gone, or Fracas was stopped: whoever reads comes back.
              try {
                controller.close();
              } catch {}
            }
            stop();
          });
        };
        const silent = this.listen((id, version) => {
          if (id === fight) hear(null, version);
        });
        stop = () => void silent();
        send(`retry: ${RETRY}\n\n`);
        hear(first, 0);
        signal?.addEventListener("abort", () => {
          stop();
          try {
            controller.error(signal.reason);
          } catch {}
        });
      },
      cancel: () => stop(),
    });
    return new Response(body, { headers: { "Content-Type": STREAM, "Cache-Control": "no-store" } });
  }
}

/**
 * A worker has to be of the page's own origin: one that lies elsewhere is imported by one that is.
 *
 * @param {URL} address
 */
function workerAt(address) {
  if (address.origin === location.origin) return address;
  return URL.createObjectURL(new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" }));
}

/** @param {{status: number, headers: [string, string][], body: Uint8Array}} found */
function response({ status, headers, body }) {
  const kept = headers.filter(([name]) => !["content-length", "set-cookie"].includes(name.toLowerCase()));
  return new Response([204, 304].includes(status) ? null : /** @type {BodyInit} */ (body), { status, headers: kept });
}
