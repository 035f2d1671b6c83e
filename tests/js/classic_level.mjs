// Opens databases with classic-level, the LevelDB of Foundry itself. A request and its answer are a line of JSON each:
//   {read: FOLDER} -> {records: [[key, value], ...]}; {add: FOLDER, records}; {hold: FOLDER}; {release: FOLDER} -> {}
// or {error: "..."}. Keys and values are written in base64.
import { createInterface } from "node:readline";
import { ClassicLevel } from "classic-level";

/** @type {Map<string, ClassicLevel<string, string>>} */
const held = new Map();

async function opened(folder) {
  const database = new ClassicLevel(folder, { keyEncoding: "base64", valueEncoding: "base64" });
  await database.open({ createIfMissing: false });
  return database;
}

async function answer({ read, add, records, hold, release }) {
  if (hold !== undefined) held.set(hold, await opened(hold));
  if (release !== undefined) await held.get(release).close();
  if (read !== undefined) {
    const database = await opened(read);
    const found = await database.iterator().all();
    await database.close();
    return { records: found };
  }
  if (add !== undefined) {
    const database = await opened(add);
    await database.batch(records.map(([key, value]) => ({ type: "put", key, value })));
    await database.close();
  }
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).catch((error) => ({ error: `${error.cause ?? error}` }));
  console.log(JSON.stringify(said));
}
