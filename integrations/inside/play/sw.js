// @ts-check
/**
 * The service worker of the page: files of the bundle come from its cache, so that it works without a network after the first
 * visit; all other addresses are answered by the page in which Fracas runs.
 *
 * The export puts a line before this file: `self.CONTENTS = {version, files}`.
 */
const worker = /** @type {any} */ (self);
/** @type {{version: string, files: string[]}} */
const CONTENTS = worker.CONTENTS;
const CACHE = `fracas ${worker.registration.scope} ${CONTENTS.version}`;
const OURS = `fracas ${worker.registration.scope} `;
const SCOPE = new URL(worker.registration.scope);
const PREFIX = SCOPE.pathname.replace(/\/$/, "");
const SHELL = "index.html";
/** Of what runs in the worker: it may compile WebAssembly, and nothing from text. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
/** Milliseconds that a page has to say whether Fracas runs in it. */
const PATIENCE = 60_000;

worker.addEventListener("install", (/** @type {any} */ event) => {
  const fetched = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(CONTENTS.files.map((file) => new Request(new URL(file, SCOPE), { cache: "no-cache" })));
    await worker.skipWaiting();
  };
  event.waitUntil(fetched());
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const cleaned = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(cleaned());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (url.origin === SCOPE.origin && url.pathname.startsWith(`${PREFIX}/`)) event.respondWith(answer(event.request, url));
});

/** @param {Request} request @param {URL} url */
async function answer(request, url) {
  const path = url.pathname.slice(PREFIX.length + 1);
  const file = path === "" ? SHELL : path;
  if (CONTENTS.files.includes(file)) return cached(file);
  // A page of the console alone in a window: it is shown in the frame of the shell.
  if (request.mode === "navigate" && request.destination === "document" && request.method === "GET") {
    return Response.redirect(`${SCOPE.href}#/${path}${url.search}`, 302);
  }
  return asked(request, url);
}

/** @param {string} file */
async function cached(file) {
  const cache = await caches.open(CACHE);
  const found = (await cache.match(new URL(file, SCOPE))) ?? (await fetch(new URL(file, SCOPE)));
  const headers = new Headers(found.headers);
  headers.set("Content-Security-Policy", file === SHELL ? shellPolicy : POLICY);
  headers.set("X-Content-Type-Options", "nosniff");
  return new Response(found.body, { status: found.status, headers });
}

const shellPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "frame-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The answer of the page in which Fracas runs.
 * @param {Request} request @param {URL} url
 */
async function asked(request, url) {
  const headers = Object.fromEntries(request.headers);
  if (headers.origin === SCOPE.origin) delete headers.origin; // the page's, which is no name of Fracas
  const navigates = request.mode === "navigate";
  const own = request.referrer.startsWith(SCOPE.href);
  headers["Sec-Fetch-Site"] = navigates && request.method !== "GET" && !own ? "cross-site" : "same-origin";
  const body = ["GET", "HEAD"].includes(request.method) ? undefined : new Uint8Array(await request.arrayBuffer());
  const told = { method: request.method, path: url.pathname + url.search, headers, body };
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shells = windows.filter((/** @type {any} */ one) => [SCOPE.href, new URL(SHELL, SCOPE).href].includes(one.url.split(/[?#]/)[0]));
  const found = await Promise.any(shells.map((/** @type {any} */ shell) => ask(shell, told))).catch(() => null);
  return found ?? new Response("Fracas does not run: open its page again.", { status: 503, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

/**
 * @param {any} shell a page
 * @param {any} told
 * @returns {Promise<Response>} rejected if Fracas does not run in it
 */
function ask(shell, told) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error("no answer")), PATIENCE);
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let stream;
    port1.onmessage = ({ data }) => {
      clearTimeout(late);
      if (data.elsewhere) return failed(new Error("elsewhere"));
      if (data.chunk) return stream.enqueue(data.chunk);
      if (data.over) return stream.close();
      const { status, headers } = data;
      if (!data.stream) return done(new Response(data.body, { status, headers }));
      const body = new ReadableStream({
        start: (controller) => void (stream = controller),
        cancel: () => port1.postMessage({ cancel: true }),
      });
      done(new Response(body, { status, headers }));
    };
    shell.postMessage(told, [port2]);
  });
}
