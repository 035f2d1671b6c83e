/**
 * Fracas of a bundle, in Node, for tests in Python: each line read is a request, each line written its answer.
 *
 *     node serve.mjs BUNDLE/
 */
import readline from "node:readline";

const [base, prefix = ""] = process.argv.slice(2);
const { startEngine } = await import(`${base}engine.mjs`);
let engine = await startEngine(base, { prefix });
const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
say({ memory: engine.memory() });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { method, path, headers, body, python, lines } = JSON.parse(line);
  try {
    if (lines) {
      engine = await startEngine(base, { prefix, lines });
      say({});
    } else if (python !== undefined) {
      say({ value: engine.python(python) });
    } else {
      const found = engine.call(method, path, headers, Buffer.from(body, "base64"));
      say({ ...found, body: Buffer.from(found.body).toString("base64") });
    }
  } catch (error) {
    say({ failed: String(error.message ?? error).slice(-3000) });
  }
}
