// The stream of events, cut anywhere; which names are of this computer or network; and services below a path.

import assert from "node:assert/strict";
import test from "node:test";
import { ServiceClient, ServiceError, messages, nearness } from "../../integrations/foundry/scripts/client.mjs";

const STREAM = 'retry: 2000\n\n:\n\nid: 4\nevent: joined\ndata: {"name": "Ä"}\n\n:\n\nid: 5\nevent: acted\ndata: {"a":\ndata: 1}\n\nid: 6\ndata: never told to its end';

async function read(pieces) {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const found = [];
  for await (const message of messages(body)) found.push(message);
  return found;
}

test("a stream means the same wherever it is cut", async () => {
  const bytes = new TextEncoder().encode(STREAM);
  const whole = await read([bytes]);
  assert.deepEqual(whole, [
    { id: "4", type: "joined", data: '{"name": "Ä"}' },
    { id: "5", type: "acted", data: '{"a":\n1}' },
  ]);
  for (let at = 0; at <= bytes.length; at++) assert.deepEqual(await read([bytes.slice(0, at), bytes.slice(at)]), whole);
});

test("a stream that is left is closed", async () => {
  let closed = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel: () => (closed = true),
  });
  for await (const { data } of messages(body)) {
    assert.equal(data, "1");
    break;
  }
  assert.equal(closed, true);
});

test("near and far", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "vtt.localhost"]) assert.equal(nearness(host), "loopback", host);
  for (const host of ["192.168.1.5", "10.0.0.1", "172.20.0.3", "[fe80::1]", "nas.local"]) assert.equal(nearness(host), "local", host);
  for (const host of ["172.32.0.1", "foundry.example", "8.8.8.8", "10.example.org", "localhost.example", "feed"]) assert.equal(nearness(host), null, host);
});

test("below a path, every request goes there, that of the diagnosis too", async (context) => {
  const page = new URL("https://vtt.example/game");
  Object.defineProperty(globalThis, "location", { value: page, configurable: true });
  const asked = [];
  context.mock.method(globalThis, "fetch", async (url) => {
    asked.push(String(url));
    throw new TypeError("Failed to fetch");
  });
  for (const address of ["/fracas/", "https://vtt.example/fracas"]) {
    const client = new ServiceClient({ address });
    assert.equal(client.address, "https://vtt.example/fracas");
    await assert.rejects(client.health(), (error) => error instanceof ServiceError && error.kind === "down");
  }
  delete globalThis.location;
  assert.deepEqual([...new Set(asked)], ["https://vtt.example/fracas/health"]);
});

test("a transport answers in place of the network, and its failures are of their own kind", async () => {
  const asked = [];
  const transport = async (path, { method, headers, body }) => {
    asked.push([method, path, headers, body]);
    if (asked.length === 1) throw new Error("gone");
    return Response.json({ version: 5 });
  };
  const fight = new ServiceClient({ address: "inside", transport }).encounter("f1", "secret");
  const answer = await fight.command({ command: "next" }, { key: "one" });
  assert.deepEqual(answer, { version: 5 });
  const headers = { "Idempotency-Key": "one", "If-Match": "*", "Content-Type": "application/json", Authorization: "Bearer secret" };
  const once = ["POST", "/v1/encounters/f1/commands", headers, '{"command":"next"}'];
  assert.deepEqual(asked, [once, once], "once more, with the same key");
  asked.length = 0;
  await assert.rejects(fight.state(), (error) => error.kind === "inside" && error.data.message === "gone");
});
