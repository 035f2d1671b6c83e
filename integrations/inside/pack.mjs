// @ts-nocheck -- runs in Node, whose types the pages' scripts are not checked with
/**
 * Starts the Python for browsers in Node and has it make the archive of a bundle: see fracas/inside/packing.py.
 *
 *     node pack.mjs ARGUMENTS.json
 */
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const wanted = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${wanted.pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: wanted.pyodide,
  env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1", LANG: "C.UTF-8" },
});
for (const [at, root] of Object.entries(wanted.mounts)) {
  python.FS.mkdirTree(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, at);
}
python.globals.set("wanted", JSON.stringify(wanted));
python.globals.set("paths", python.toPy(wanted.paths));
const missing = python.runPython("import sys; sys.path[:0] = paths\nfrom fracas.inside import packing\npacking.main(wanted)");
process.stdout.write(missing);
