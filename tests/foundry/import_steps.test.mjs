import assert from "node:assert/strict";
import test from "node:test";

import { fingerprint, steps } from "../../integrations/foundry/scripts/import-steps.mjs";

const served = (id, hash, more = {}) => ({ _id: id, name: id, flags: { fracas: { entry: `p:weapon/${id}`, hash } }, ...more });
/** A document as Foundry keeps it after an import. */
const kept = (source) => {
  const stored = { ...source, img: "default.svg", _stats: { modifiedTime: 1 }, ownership: { default: 0, gm: 3 } };
  return { ...stored, flags: { fracas: { ...source.flags.fracas, stored: fingerprint(stored) } } };
};
const ids = (sources) => sources.map(({ _id }) => _id);

test("a second import of the same changes nothing", () => {
  const documents = [served("a", "1"), served("b", "1")];
  const found = steps(documents, documents.map(kept));
  assert.deepEqual({ ...found, same: found.same }, { create: [], replace: [], same: 2, kept: [], edited: [], gone: [] });
});

test("news replace what nobody has touched, and leave what people have edited", () => {
  const there = [kept(served("a", "1")), kept(served("b", "1")), kept(served("c", "1")), kept(served("old", "1"))];
  there[1].name = "My own b";
  there[2].system = { cost: 3 };
  const found = steps([served("a", "2"), served("b", "2"), served("c", "1"), served("new", "1")], there);
  assert.deepEqual(ids(found.create), ["new"]);
  assert.deepEqual(ids(found.replace), ["a"]);
  assert.deepEqual(ids(found.kept), ["b"]);
  assert.deepEqual(ids(found.edited), ["c"]);
  assert.deepEqual(ids(found.gone), ["old"]);
  assert.equal(found.same, 0);
});

test("people may have theirs replaced, too", () => {
  const there = [kept(served("a", "1")), kept(served("b", "1"))];
  there[0].name = "Mine";
  const found = steps([served("a", "1"), served("b", "1")], there, { overwrite: true });
  assert.deepEqual(ids(found.replace), ["a"]);
  assert.equal(found.same, 1);
});

test("a document that people made themselves is none of ours", () => {
  assert.deepEqual(steps([], [{ _id: "x", name: "Mine", flags: {} }]).gone, []);
});

test("a document whose mark is lost counts as edited", () => {
  const there = kept(served("a", "1"));
  delete there.flags.fracas.stored;
  assert.deepEqual(ids(steps([served("a", "2")], [there]).kept), ["a"]);
});

test("only what a document says counts, not what Foundry keeps beside it", () => {
  const source = { name: "a", system: { x: 1, y: [1, 2] }, flags: { fracas: { hash: "1" }, other: { z: 1 } } };
  const beside = { ...source, sort: 5, folder: "f", ownership: { default: 2 }, _stats: {}, flags: { ...source.flags, fracas: {} } };
  assert.equal(fingerprint(beside), fingerprint(source));
  assert.equal(fingerprint({ system: { y: [1, 2], x: 1 }, name: "a", flags: source.flags }), fingerprint(source));
  for (const edited of [{ name: "b" }, { system: { x: 2, y: [1, 2] } }, { system: { x: 1, y: [2, 1] } }, { flags: { other: { z: 2 } } }]) {
    assert.notEqual(fingerprint({ ...source, ...edited }), fingerprint(source), JSON.stringify(edited));
  }
  const table = { results: [{ _id: "r", text: "x", _stats: { a: 1 } }] };
  assert.equal(fingerprint({ results: [{ _id: "r", text: "x" }] }), fingerprint(table));
  assert.notEqual(fingerprint({ results: [{ _id: "r", text: "y" }] }), fingerprint(table));
});
