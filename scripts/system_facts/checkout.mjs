// The modules of a system's checkout, run in memory in a context of their own: nothing is written, and they find neither files nor
// the network. TypeScript is stripped; what is not in the checkout is `anything`.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import vm from "node:vm";

import ts from "../../tests/js/node_modules/typescript/lib/typescript.js";
import { additions, anything, globals, open } from "./foundry.mjs";

const ENDINGS = ["", ".ts", ".js", ".mjs", "/index.ts", "/index.js", "/index.mjs"];
const STARTS = ["src/module/main.ts", "src/index.js", "src/index.ts", "src/main.js", "src/main.ts"];

const isFile = (path) => existsSync(path) && statSync(path).isFile();

/** A file's JSON, with comments or without. */
export function json(path) {
  return isFile(path) ? (ts.parseConfigFileTextToJson(path, readFileSync(path, "utf-8")).config ?? null) : null;
}

/**
 * The manifest of the system.
 *
 * @param {string} folder
 * @returns {any}
 */
export function manifestOf(folder) {
  const found = ["system.json", "public/system.json", "src/system.json", "static/system.json"].map((name) => json(join(folder, name))).find(Boolean);
  if (!found) throw new Error(`${folder} has no system.json; give the folder of a system's source`);
  return found;
}

/**
 * Runs what Foundry would load of a system, and its hook `init`.
 *
 * @param {string} folder
 * @param {boolean} [switched] what all settings that are on or off say; their defaults without it
 * @param {(names: any, id: string) => void} [prepare] changes the globals before anything runs
 * @returns {Promise<{names: any, faults: string[], exported: (path: string) => any}>} the globals afterwards, what failed and may
 *   not matter, and what a module exports
 */
export async function load(folder, switched, prepare = () => {}) {
  const manifest = manifestOf(folder);
  const entry = [...(manifest.esmodules ?? []), ...STARTS].map((name) => join(folder, name)).find(isFile);
  if (!entry) throw new Error(`no module to begin with in ${folder}: looked for ${[...(manifest.esmodules ?? []), ...STARTS].join(", ")}`);
  /** Names that neither this nor the system has; found as the modules run. */
  const unknown = new Set();
  for (;;) {
    const before = unknown.size;
    const found = await attempt(folder, manifest.id, entry, switched, unknown, prepare);
    if (unknown.size === before) return found;
  }
}

async function attempt(folder, id, entry, switched, unknown, prepare) {
  additions(); // here as well, for the data that fields make
  const { names, hooks } = globals(id, switched);
  prepare(names, id);
  for (const name of unknown) names[name] = anything;
  const context = vm.createContext(names);
  names.globalThis = context;
  names.window = names.self = open(context);
  vm.runInContext(`(${additions})()`, context);
  const faults = [];
  const fault = (error) => {
    const missing = /^(\w+) is not defined$/.exec(error?.message ?? "")?.[1];
    if (missing) unknown.add(missing);
    else faults.push(`${error?.stack ?? error}`.split("\n").slice(0, 3).join(" "));
  };
  const linker = linkerOf(folder, context);
  try {
    const module = linker(resolve(entry));
    await module.link((specifier, from) => linker(specifier, from));
    await module.evaluate();
  } catch (error) {
    fault(error);
    if (unknown.size === 0 || faults.length > 0) throw error;
  }
  for (const callback of ["init", "i18nInit", "setup"].flatMap((name) => hooks.get(name) ?? [])) {
    try {
      await callback();
    } catch (error) {
      fault(error);
    }
  }
  return { names, faults, exported: (path) => linker.held(path)?.namespace };
}

/** Finds modules, each once. */
function linkerOf(folder, context) {
  const config = json(join(folder, "tsconfig.json")) ?? json(join(folder, "jsconfig.json"));
  const aliases = Object.entries(config?.compilerOptions?.paths ?? {}).map(([from, [to]]) => [from.replace(/\*$/, ""), resolve(folder, to.replace(/\*$/, ""))]);
  const held = new Map();
  const modules = new Map();

  const found = (specifier, from) => {
    const alias = aliases.find(([start]) => specifier.startsWith(start));
    const bare = specifier.replace(/\?.*$/, "");
    const path = alias ? join(alias[1], bare.slice(alias[0].length)) : bare.startsWith(".") ? resolve(dirname(from), bare) : resolve(bare);
    const tried = /\.m?js$/.test(path) ? [path, path.replace(/\.(m?)js$/, ".$1ts")] : ENDINGS.map((ending) => path + ending);
    return tried.find(isFile);
  };
  /** What a module imports of one that is not there: everything is `anything`. */
  const absent = (specifier, from) => {
    const wanted = new Set(["default"]);
    for (const one of ts.createSourceFile("", held.get(from.identifier), ts.ScriptTarget.ESNext).statements) {
      const named = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : ts.isExportDeclaration(one) ? one.exportClause : undefined;
      if (one.moduleSpecifier?.text !== specifier) continue;
      for (const { propertyName, name } of named?.elements ?? []) wanted.add((propertyName ?? name).text);
    }
    return new vm.SyntheticModule([...wanted], function () {
      for (const name of wanted) this.setExport(name, anything);
    }, { context });
  };
  const linked = (specifier, from) => {
    const path = from ? found(specifier, from.identifier) : specifier;
    if (!path || !/\.(m?[jt]s|json)$/.test(path)) return absent(specifier, from);
    if (!modules.has(path)) modules.set(path, path.endsWith(".json") ? data(path) : source(path));
    return modules.get(path);
  };
  return Object.assign(linked, { held: (path) => modules.get(resolve(path)) });

  function data(path) {
    return new vm.SyntheticModule(["default"], function () {
      this.setExport("default", JSON.parse(readFileSync(path, "utf-8")));
    }, { context });
  }
  function source(path) {
    const text = readFileSync(path, "utf-8");
    const target = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, isolatedModules: true, useDefineForClassFields: true };
    const code = path.endsWith("ts") ? ts.transpileModule(text, { compilerOptions: target, fileName: path }).outputText : text;
    held.set(path, code);
    return new vm.SourceTextModule(code, { identifier: path, context, importModuleDynamically: () => anything });
  }
}
