/**
 * Talks to the service: requests with a time limit, failures by their kind, and the live feed of a fight.
 *
 * Nothing here needs Foundry.
 */

/**
 * @typedef {"cors" | "mixed-content" | "local-network" | "down" | "inside" | "token" | "version" | "answer"} Failure
 *   cors: the service does not allow this page; mixed-content: an https page calls plain http; local-network: the browser
 *   keeps the page from this computer or network; down: nothing answers; inside: the client that runs Fracas does not answer; token: missing, wrong or not allowed to do
 *   this; version: module and service do not fit; answer: the service says what is wrong, or something else answers.
 *
 * @typedef {{path: string, code: string, message: string, hint: string | null}} Problem
 */

/** Why a request failed. `kind` is by what people can do about it; its text is `FRACAS.error.<kind>`. */
export class ServiceError extends Error {
  /**
   * @param {Failure} kind
   * @param {string} message of the service, or for those who read code; not translated
   * @param {{status?: number, code?: string, problems?: Problem[], data?: Record<string, string>, cause?: unknown}} [more]
   *   data: what the translated text names
   */
  constructor(kind, message, { status = 0, code = "", problems = [], data = {}, cause } = {}) {
    super(message, { cause });
    this.name = "ServiceError";
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.data = data;
  }
}

/**
 * @typedef {object} Body What to send.
 * @property {"GET" | "POST" | "DELETE"} [method]
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @property {string} [token]
 * @property {AbortSignal} [signal] ends the request early
 * @property {number} [timeout] milliseconds, where an answer may take longer than others
 */

/**
 * @typedef {object} Place Where a page stands, for the diagnosis.
 * @property {string} origin
 * @property {string} protocol
 * @property {string} hostname
 * @property {boolean} secure a secure context
 */

/** One service. */
export class ServiceClient {
  /** @type {Map<string, Promise<any>>} */
  #rulesets = new Map();

  /**
   * @param {object} service
   * @param {string} service.address such as `http://127.0.0.1:8844`, or a path of the page's own origin, such as `/fracas`
   * @param {string} [service.token]
   * @param {number} [service.timeout] milliseconds
   * @param {(path: string, init: any) => Promise<Response>} [service.transport] answers in place of the network
   * @param {string} [service.version] of this module: it works with services of the same version but for the last number
   */
  constructor({ address, token = "", timeout = 10_000, version = "", transport }) {
    const given = address.trim().replace(/\/+$/, "");
    this.address = given.startsWith("/") ? location.origin + given : given;
    this.token = token;
    this.timeout = timeout;
    this.version = version;
    this.transport = transport;
  }

  /**
   * The service's answer as JSON.
   *
   * @param {string} path
   * @param {Body} [what]
   * @returns {Promise<any>}
   * @throws {ServiceError}
   */
  async ask(path, { method = "GET", body, headers = {}, token = this.token, signal, timeout = this.timeout } = {}) {
    const limit = AbortSignal.timeout(timeout);
    const response = await this.#fetch(path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return read(response, this.address);
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Response>}
   */
  async #fetch(path, init) {
    if (this.transport) {
      return this.transport(path, init).catch((cause) => {
        if (cause instanceof ServiceError || (cause instanceof DOMException && cause.name === "AbortError")) throw cause;
        const message = String(cause?.message ?? cause);
        throw new ServiceError("inside", message, { data: { message }, cause });
      });
    }
    let url;
    try {
      url = new URL(this.address + path);
    } catch (cause) {
      throw new ServiceError("down", `${this.address} is no address`, { data: { address: this.address }, cause });
    }
    try {
      return await fetch(url, { ...init, ...addressSpace(url), credentials: "omit", cache: "no-store" });
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
      throw await this.diagnose(cause);
    }
  }

  /**
   * Why nothing came: a browser only ever says "Failed to fetch".
   *
   * @param {unknown} cause
   * @returns {Promise<ServiceError>}
   */
  async diagnose(cause) {
    const data = { address: this.address, origin: location.origin };
    /** @param {Failure} kind */
    const failure = (kind) => new ServiceError(kind, `${this.address}: ${kind}`, { data, cause });
    const url = new URL(this.address);
    const near = nearness(url.hostname);
    if (cause instanceof DOMException && cause.name === "TimeoutError") return failure("down");
    // If it may be read by now, it was only away for a moment.
    const health = new URL(`${this.address}/health`);
    if (await answers(health, "no-cors")) return failure((await answers(health, "cors")) ? "down" : "cors");
    if (near && nearness(location.hostname) !== "loopback") {
      if (!isSecureContext) return failure("local-network");
      if (location.protocol === "https:" && (await refusedByPeople(near))) return failure("local-network");
    }
    const plain = location.protocol === "https:" && url.protocol === "http:";
    return failure(plain && !near ? "mixed-content" : "down");
  }

  /**
   * That the service works and fits this module.
   *
   * @returns {Promise<{status: string, version: string, packs: number, left_out: unknown[]}>}
   * @throws {ServiceError}
   */
  async health() {
    const found = await this.ask("/health", { token: "" });
    if (typeof found?.version !== "string") throw notFracas(this.address, 200);
    if (this.version && major(found.version) !== major(this.version)) {
      const data = { address: this.address, service: found.version, module: this.version };
      throw new ServiceError("version", `service ${found.version}, module ${this.version}`, { data });
    }
    return found;
  }

  /** The sheet mappings of the packs in use. @returns {Promise<any[]>} */
  mappings() {
    return this.ask("/foundry/mappings", { token: "" });
  }

  /** @returns {Promise<any[]>} */
  rulesets() {
    return this.ask("/v1/rulesets", { token: "" });
  }

  /**
   * The procedures of a ruleset with the fields of their situations; asked for once.
   *
   * @param {string} id
   * @returns {Promise<any>}
   */
  ruleset(id) {
    const known = this.#rulesets.get(id);
    if (known) return known;
    const asked = this.ask(`/v1/rulesets/${encodeURIComponent(id)}`, { token: "" });
    this.#rulesets.set(id, asked);
    asked.catch(() => this.#rulesets.delete(id));
    return asked;
  }

  /** @param {object} request @returns {Promise<any>} */
  resolve(request) {
    return this.ask("/v1/resolve", { method: "POST", body: request, token: "" });
  }

  /**
   * @param {string} continuation
   * @param {{dice?: number[][], choose?: string}} answer
   * @returns {Promise<any>}
   */
  goOn(continuation, answer) {
    return this.ask("/v1/resolve/continue", { method: "POST", body: { continuation, ...answer }, token: "" });
  }

  /** @param {object} request @param {AbortSignal} [signal] @returns {Promise<any>} */
  odds(request, signal) {
    return this.ask("/v1/odds", { method: "POST", body: request, token: "", signal });
  }

  /**
   * Begins a fight.
   *
   * @param {object} fight ruleset, title, options, settings
   * @returns {Promise<{id: string, version: number, commitment: string, tokens: Record<string, {id: string, secret: string}>}>}
   */
  begin(fight) {
    return this.ask("/v1/encounters", { method: "POST", body: fight, token: "" });
  }

  /** @param {string} id @param {string} token @returns {Encounter} */
  encounter(id, token) {
    return new Encounter(this, id, token);
  }

  /**
   * An open answer that comes piece by piece.
   *
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  async stream(path, headers, signal) {
    const response = await this.#fetch(path, { headers: { Accept: "text/event-stream", ...headers }, signal });
    if (!response.ok || !response.body) await read(response, this.address);
    return /** @type {ReadableStream<Uint8Array>} */ (response.body);
  }
}

/** The code of the refusal to do something to a target who is out of the fight, until the command confirms it. */
const CONFIRM = "confirm-target";

/** A fight that the service keeps, as one token sees it. */
export class Encounter {
  /** @param {ServiceClient} client @param {string} id @param {string} token */
  constructor(client, id, token) {
    this.client = client;
    this.id = id;
    this.token = token;
    this.path = `/v1/encounters/${encodeURIComponent(id)}`;
  }

  /** @returns {Promise<any>} the fight as the token's role sees it */
  state() {
    return this.client.ask(this.path, { token: this.token });
  }

  /** @param {string} combatant @returns {Promise<any>} */
  actions(combatant) {
    return this.client.ask(`${this.path}/actions?combatant=${encodeURIComponent(combatant)}`, { token: this.token });
  }

  /** @param {object} act @param {AbortSignal} [signal] @returns {Promise<any>} */
  odds(act, signal) {
    return this.client.ask(`${this.path}/odds`, { method: "POST", body: act, token: this.token, signal });
  }

  /** @param {string} id such as `r12`, also of a step that is over @param {string} [cards] see `command` @returns {Promise<any>} */
  step(id, cards = "") {
    return this.client.ask(`${this.path}/steps/${encodeURIComponent(id)}${cards && `?${cards}`}`, { token: this.token });
  }

  /** @param {number} after @returns {Promise<any>} */
  events(after) {
    return this.client.ask(`${this.path}/events?after=${after}`, { token: this.token });
  }

  /**
   * Sends a command; if the answer gets lost it is sent once more, with the same key, so that it happens once.
   *
   * @param {object} command
   * @param {{version?: number, key?: string, cards?: string}} [how] version: refused with 412 if the fight has moved on since;
   *   cards: forms of cards that are wanted in the answer, as a query: `cards=data&cards=roll20`
   * @returns {Promise<any>}
   */
  async command(command, { version, key = newKey(), cards = "" } = {}) {
    const send = () =>
      this.client.ask(`${this.path}/commands${cards && `?${cards}`}`, {
        method: "POST",
        body: command,
        token: this.token,
        headers: { "Idempotency-Key": key, "If-Match": version === undefined ? "*" : `"${version}"` },
      });
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !["down", "inside"].includes(error.kind)) throw error;
      return send();
    }
  }

  /**
   * Sends a command; where the service asks for a confirmation, because the target is out of the fight, people are asked, and it
   * is sent again with their word.
   *
   * @param {object} command
   * @param {(question: string) => boolean | Promise<boolean>} sure asks people
   * @param {{cards?: string}} [how] see `command`
   * @returns {Promise<any>} null: they would rather not
   */
  async confirmed(command, sure, how = {}) {
    try {
      return await this.command(command, how);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.problems[0]?.code !== CONFIRM) throw error;
      return (await sure(error.message)) ? this.command({ ...command, confirm: true }, how) : null;
    }
  }

  /** @param {{role: string, label?: string, combatants?: string[]}} wanted @returns {Promise<any>} */
  makeToken(wanted) {
    return this.client.ask(`${this.path}/tokens`, { method: "POST", body: wanted, token: this.token });
  }

  /** @returns {Promise<any[]>} */
  tokens() {
    return this.client.ask(`${this.path}/tokens`, { token: this.token });
  }

  /**
   * Passes on every event from now on, or after a version, and comes back after interruptions where it was.
   *
   * @param {object} listener
   * @param {number} [listener.after]
   * @param {(event: any) => void | Promise<void>} listener.onEvent called one after another
   * @param {(state: "open" | "waiting" | "closed", error?: unknown) => void} [listener.onState]
   * @param {number} [listener.pause] milliseconds before the first new attempt
   * @returns {() => void} ends it
   */
  follow({ after, onEvent, onState = () => {}, pause = 500 }) {
    const over = new AbortController();
    this.#listen({ after, onEvent, onState, pause, over }).catch((error) => onState("closed", error));
    return () => over.abort();
  }

  /**
   * @param {{after?: number, onEvent: (event: any) => void | Promise<void>, pause: number, over: AbortController,
   *   onState: (state: "open" | "waiting" | "closed", error?: unknown) => void}} listener
   */
  async #listen({ after, onEvent, onState, pause, over }) {
    let last = after;
    let wait = pause;
    while (!over.signal.aborted) {
      try {
        const headers = { Authorization: `Bearer ${this.token}`, ...(last === undefined ? {} : { "Last-Event-ID": `${last}` }) };
        const body = await this.client.stream(`${this.path}/events`, headers, over.signal);
        onState("open");
        wait = pause;
        for await (const { id, data } of messages(body)) {
          await onEvent(JSON.parse(data));
          if (id) last = Number(id);
        }
        onState("waiting");
      } catch (error) {
        if (over.signal.aborted) return;
        if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) return onState("closed", error);
        onState("waiting", error);
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(2 * wait, 10_000);
    }
  }
}

/**
 * The messages of a stream of server-sent events.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{id: string, type: string, data: string}>}
 */
export async function* messages(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const message = { id: "", type: "message", data: "" };
        for (const line of block.split("\n")) {
          const [, field, said] = /^(\w+): ?(.*)$/.exec(line) ?? [];
          if (field === "id") message.id = said;
          if (field === "event") message.type = said;
          if (field === "data") message.data += (message.data && "\n") + said;
        }
        if (message.data) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * @param {Response} response
 * @param {string} address
 * @returns {Promise<any>}
 */
async function read(response, address) {
  /** @type {any} */
  let body;
  try {
    body = await response.json();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    if (cause instanceof DOMException) throw new ServiceError("down", cause.message, { data: { address, origin: location.origin }, cause });
    throw notFracas(address, response.status);
  }
  if (response.ok) return body;
  if (typeof body?.message !== "string" || typeof body.code !== "string") throw notFracas(address, response.status);
  const { code, message, errors: problems = [] } = body;
  const kind = response.status === 401 ? "token" : "answer";
  throw new ServiceError(kind, message, { status: response.status, code, problems, data: { address, message } });
}

/** @param {string} address @param {number} status */
function notFracas(address, status) {
  const message = `What answers at ${address} is not Fracas (HTTP status ${status}).`;
  return new ServiceError("answer", message, { code: "not-fracas", data: { address, message } });
}

/**
 * Lets the browser know where the service is when an https page calls plain http, which it otherwise blocks.
 *
 * @param {URL} url
 * @returns {{targetAddressSpace?: "loopback" | "local"}}
 */
function addressSpace(url) {
  if (location.protocol !== "https:" || url.protocol !== "http:") return {};
  return { targetAddressSpace: nearness(url.hostname) === "local" ? "local" : "loopback" };
}

/**
 * Whether a name is of this computer or of the local network; null for any other, which a script cannot know.
 *
 * @param {string} host
 * @returns {"loopback" | "local" | null}
 */
export function nearness(host) {
  const name = host.replace(/^\[|\]$/g, "");
  if (/^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/.test(name)) return "loopback";
  if (/^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|f[cde][0-9a-f]{2}:[0-9a-f:]*|.+\.local)$/.test(name)) {
    return "local";
  }
  return null;
}

/**
 * Whether anything answers there: at all (`no-cors`), or so that this page may read it.
 *
 * @param {URL} url
 * @param {"cors" | "no-cors"} mode
 */
async function answers(url, mode) {
  try {
    await fetch(url, { mode, credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(3000), ...addressSpace(url) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the browser has not been allowed to let this page into the local network.
 *
 * @param {"loopback" | "local"} near
 */
async function refusedByPeople(near) {
  for (const name of [`${near === "loopback" ? "loopback" : "local"}-network`, "local-network-access"]) {
    try {
      const { state } = await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) });
      return state !== "granted";
    } catch {
      // A browser that does not know this permission.
    }
  }
  return false;
}

/** @returns {string} a key that nobody else has; `crypto.randomUUID` is not there on plain http, which is how most tables play */
function newKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("-");
}

/** @param {string} version @returns {string} all but its last number */
function major(version) {
  return version.split(".").slice(0, 2).join(".");
}
