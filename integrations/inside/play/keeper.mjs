// @ts-check
/** Keeps a journal, and the cookies of the console, in this browser. */

/** @typedef {import("../engine.mjs").Written} Written */

const LINES = "lines";
const WORDS = "words";

/** @param {IDBRequest<any> | IDBOpenDBRequest} request @returns {Promise<any>} */
const result = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

export class BrowserKeeper {
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
  }

  /** @param {string} name of the database; each place of the page has its own */
  static async open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      const lines = request.result.createObjectStore(LINES, { autoIncrement: true });
      lines.createIndex("encounter", "encounter");
      request.result.createObjectStore(WORDS);
    };
    return new BrowserKeeper(await result(request));
  }

  /**
   * A transaction, and when it is on the disk.
   * @param {string} store
   * @returns {[IDBObjectStore, Promise<void>]}
   */
  #write(store) {
    const transaction = this.#database.transaction(store, "readwrite", { durability: "strict" });
    const over = new Promise((done, failed) => {
      transaction.oncomplete = () => done(undefined);
      transaction.onabort = transaction.onerror = () => failed(transaction.error ?? new Error("the browser keeps nothing more"));
    });
    return [transaction.objectStore(store), /** @type {Promise<void>} */ (over)];
  }

  /** @returns {Promise<string[]>} */
  async load() {
    const kept = await result(this.#database.transaction(LINES).objectStore(LINES).getAll());
    return kept.map((/** @type {{line: string}} */ one) => one.line);
  }

  /** @param {Written[]} written */
  async keep(written) {
    const [store, over] = this.#write(LINES);
    for (const [encounter, line] of written) {
      const ends = encounter === "" || JSON.parse(line).what === "delete";
      if (ends) for (const key of await result(store.index("encounter").getAllKeys(encounter))) store.delete(key);
      if (encounter === "" || !ends) store.add({ encounter, line });
    }
    await over;
  }

  /** All of it in place of what there is. @param {string[]} lines */
  async replace(lines) {
    const [store, over] = this.#write(LINES);
    store.clear();
    for (const line of lines) store.add({ encounter: JSON.parse(line).encounter, line });
    await over;
  }

  /** @param {string} name @returns {Promise<any>} */
  word(name) {
    return result(this.#database.transaction(WORDS).objectStore(WORDS).get(name));
  }

  /** @param {string} name @param {any} value */
  async setWord(name, value) {
    const [store, over] = this.#write(WORDS);
    store.put(value, name);
    await over;
  }
}
