// @ts-check
/**
 * Fracas in this thread: the Python for browsers with the archive of the bundle. A worker of a page uses it, and tests in Node.
 */

/**
 * What is to be kept before anybody may see an answer: an encounter and a line of its journal.
 * @typedef {[encounter: string, line: string]} Written
 */

/**
 * @typedef {object} Answered
 * @property {number} status
 * @property {[string, string][]} headers
 * @property {Uint8Array} body
 * @property {Written[]} written
 */

/**
 * @typedef {object} Engine
 * @property {(method: string, path: string, headers: Record<string, string>, body?: Uint8Array) => Answered} call
 * @property {() => Written[]} overdue answers questions whose time is over
 * @property {(encounter: string) => number} version
 * @property {(code: string) => any} python runs code, for tests
 * @property {() => number} memory bytes of Python's memory
 */

/**
 * @param {string} base the address of the folder of the bundle, with a slash at its end; for Node, its path
 * @param {object} how
 * @param {string[]} [how.lines] of the journal that was kept
 * @param {string[]} [how.parts] of the application; without them, all
 * @param {string} [how.prefix] the path under which its pages are shown
 * @param {string} [how.admin] what the page shows to make tokens of any fight
 * @param {string} [how.secret] signs continuations, in hexadecimal; without it the next start knows none of them
 * @returns {Promise<Engine>}
 */
export async function startEngine(base, { lines = [], parts = [], ...how } = {}) {
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const archive = `${base}fracas.zip`;
  const python = await loadPyodide({
    indexURL: base,
    stdLibURL: archive,
    env: { HOME: "/home/pyodide", LANG: "C.UTF-8" },
  });
  python.globals.set("told", python.toPy({ lines: JSON.stringify(lines), parts: JSON.stringify(parts), how: JSON.stringify(how) }));
  const inside = python.runPython(`
import sys
from fracas.inside.running import start
start(next(path for path in sys.path if path.endswith(".zip")), told["lines"], told["parts"], told["how"])
`);
  const nothing = new Uint8Array();
  const written = () => /** @type {Written[]} */ (JSON.parse(inside.written() || "[]"));
  return {
    call(method, path, headers, body = nothing) {
      const content = python.toPy(new Uint8Array(body)); // a kind of array that Node has besides is none for Python
      const found = inside.call(method, path, JSON.stringify(headers), content);
      content.destroy();
      const [status, head, data] = found.toJs();
      found.destroy();
      return { status, headers: JSON.parse(head), body: data, written: written() };
    },
    overdue() {
      inside.answer_overdue();
      return written();
    },
    version: (encounter) => inside.version(encounter),
    python: (code) => python.runPython(code),
    memory: () => python._module.HEAP8.length,
  };
}
