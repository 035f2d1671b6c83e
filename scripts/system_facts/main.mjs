// Makes integrations/foundry/systems/<system>.yaml anew from the folder of the system's source; see the README there.
//
// node --experimental-vm-modules scripts/system_facts/main.mjs FOLDER [YYYY-MM-DD]

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import yaml from "../../tests/js/node_modules/js-yaml/dist/js-yaml.mjs";
import { manifestOf } from "./checkout.mjs";
import { factsOf } from "./facts.mjs";

const WIDTH = 120;
const SYSTEMS = new URL("../../integrations/foundry/systems/", import.meta.url);
const HEAD = `# yaml-language-server: $schema=../../../schemas/foundry/system-facts.schema.json
# Written by scripts/system-facts; by hand only \`made\` is changed. What is written here are facts of the system's interface.
`;

/** What Git says of a folder. */
function git(folder, ...args) {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf-8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** The version by the manifest, or a later one that the source is tagged with: some systems number only what they release. */
function versionOf(folder, { version }) {
  if (!existsSync(join(folder, ".git"))) return version;
  const [tagged = ""] = /\d+(\.\d+)+$/.exec(git(folder, "describe", "--tags", "--abbrev=0", "--always")) ?? [];
  return tagged.localeCompare(version, "en", { numeric: true }) > 0 ? tagged : version;
}

/** When the source was changed last. */
function dateOf(folder) {
  try {
    const seconds = git(folder, "log", "-1", "--format=%ct", "--", ".");
    return new Date(Number(seconds) * 1000).toISOString().slice(0, 10); // in UTC, wherever it was committed
  } catch {
    const times = readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs);
    return new Date(Math.max(...times)).toISOString().slice(0, 10);
  }
}

/** A key or a plain value as YAML has it. */
function scalar(value) {
  const text = JSON.stringify(value);
  return typeof value === "string" && /^[A-Za-z][\w .-]*[\w-]$/.test(value) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(value) ? value : text;
}

/** A key of a block: braces and stars are plain inside, not at its beginning. */
const key = (path) => (/^[A-Za-z][\w .,{}*-]*$/.test(path) ? path : JSON.stringify(path));

/** A value in one line; a longer one goes on in further lines. */
function flow(start, value, indent) {
  const parts = Array.isArray(value)
    ? ["[", value.map((one) => inline(one)), "]"]
    : ["{", Object.entries(value).map(([name, one]) => `${scalar(name)}: ${inline(one)}`), "}"];
  const whole = `${start}${parts[0]}${/** @type {string[]} */ (parts[1]).join(", ")}${parts[2]}`;
  if (whole.length <= WIDTH) return [whole];
  const lines = [`${start}${parts[0]}`];
  let line = `${indent}  `;
  for (const word of /** @type {string[]} */ (parts[1]).join(",\0").split(/(?<=,)[ \0]/)) {
    if (line.trim() && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = `${indent}  `;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd(), `${indent}${parts[2]}`];
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([name, one]) => `${scalar(name)}: ${inline(one)}`).join(", ")}}`;
  return scalar(value);
}

/**
 * Paths that say the same in one: `stats.{str,dex}.{base,bonus}`.
 *
 * @param {[string, unknown][]} entries
 * @returns {[string, unknown][]}
 */
export function merged(entries) {
  let rows = entries.map(([path, fact]) => ({ steps: path.split("."), fact, said: JSON.stringify(fact) }));
  for (let before = -1; before !== rows.length; ) {
    before = rows.length;
    for (let at = Math.max(...rows.map(({ steps }) => steps.length)) - 1; at >= 0; at--) {
      const held = new Map();
      for (const row of rows) {
        const rest = row.steps.map((step, place) => (place === at ? "" : step)).join(".");
        const id = row.steps.length > at ? `${row.said} ${row.steps.length} ${rest}` : `${row.said} ${row.steps.join(".")}`;
        const one = held.get(id);
        if (one && row.steps.length > at) one.names.push(...row.steps[at].replace(/^\{|\}$/g, "").split(","));
        else held.set(id, { row, names: row.steps[at]?.replace(/^\{|\}$/g, "").split(",") });
      }
      rows = [...held.values()].map(({ row, names }) =>
        names?.length > 1 ? { ...row, steps: row.steps.map((step, place) => (place === at ? `{${[...new Set(names)].join(",")}}` : step)) } : row,
      );
    }
  }
  return rows.map(({ steps, fact }) => [steps.join("."), fact]);
}

/** Fields of several types: what is the same in some of them stands once. */
function byTypes(listed, part) {
  const held = new Map();
  for (const [type, facts] of Object.entries(listed)) {
    for (const [path, fact] of Object.entries(facts[part])) {
      const id = `${path} ${JSON.stringify(fact)}`;
      held.set(id, { path, fact, types: [...(held.get(id)?.types ?? []), type] });
    }
  }
  const groups = new Map();
  for (const { path, fact, types } of held.values()) {
    const id = types.join("\0");
    groups.set(id, { types, entries: [...(groups.get(id)?.entries ?? []), [path, fact]] });
  }
  return [...groups.values()].map(({ types, entries }) => ({ types, paths: merged(entries) }));
}

function kind(name, { types, listed }) {
  const lines = [`${name}:`, ...flow("  types: ", types, "  ")];
  for (const part of ["fields", "derived"]) {
    const groups = byTypes(listed, part);
    if (groups.length === 0) continue;
    lines.push(`  ${part}:`);
    for (const { types, paths } of groups) {
      lines.push(...flow("    - types: ", types, "      "), "      paths:");
      for (const [path, fact] of paths) lines.push(...(part === "derived" ? [`        ${key(path)}: ${fact.type}`] : flow(`        ${key(path)}: `, fact, "        ")));
    }
  }
  return lines;
}

const [folder, date] = process.argv.slice(2);
if (!folder) throw new Error("usage: scripts/system-facts FOLDER [YYYY-MM-DD]");
const { id } = manifestOf(folder);
const target = new URL(`${id}.yaml`, SYSTEMS);
const made = (existsSync(target) ? /** @type {any} */ (yaml.load(readFileSync(target, "utf-8"))).made : null) ?? {};
const { manifest, faults, actors, items, skills, skill_items, tables, statuses, round, combat } = await factsOf(folder, made);
const foundry = Object.fromEntries(["minimum", "verified", "maximum"].flatMap((name) => (manifest.compatibility?.[name] ? [[name, String(manifest.compatibility[name])]] : [])));
const lines = [
  `id: ${id}`,
  `title: ${JSON.stringify(manifest.title)}`,
  `version: ${JSON.stringify(versionOf(folder, { version: String(manifest.version) }))}`,
  `date: ${JSON.stringify(date ?? dateOf(folder))}`,
  ...flow("foundry: ", foundry, ""),
  `round: ${round}`,
  "made:",
  ...Object.entries(made).flatMap(([name, value]) => Array.isArray(value) && value.some((one) => typeof one === "object") ? [`  ${name}:`, ...value.flatMap((one) => flow("    - ", one, "    "))] : flow(`  ${name}: `, value, "  ")),
  ...flow("statuses: ", statuses, ""),
  ...flow("combat: ", combat, ""),
  ...(skills ? ["skills:", ...Object.entries(skills).map(([one, name]) => `  ${scalar(one)}: ${scalar(name)}`)] : []),
  ...(skill_items ? ["skill_items:", ...Object.entries(skill_items).flatMap(([name, fields]) => flow(`  ${scalar(name)}: `, fields, "  "))] : []),
  ...(made.tables ? ["tables:", ...Object.entries(tables).flatMap(([name, table]) => flow(`  ${name}: `, table, "  "))] : []),
  ...kind("actors", actors),
  ...kind("items", items),
];
if (Object.keys(made).length === 0) lines.splice(lines.indexOf("made:"), 1, "made: {}");
writeFileSync(target, `${HEAD}${lines.join("\n")}\n`);
for (const fault of faults) console.error(`skipped: ${fault}`);
console.log(`${target.pathname}: ${id} ${manifest.version}, ${lines.length} lines`);
