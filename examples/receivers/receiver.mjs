#!/usr/bin/env node
// Receives the events of a scheduler on 127.0.0.1 and verifies them.
//
//     SCHEDULER_WEBHOOK_SECRET=whsec_... node receiver.mjs 9000
//
// Needs nothing but Node.js 18 or later.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 1 << 20;
const IDS_KEPT = 100_000;
const SIGNATURE = /^t=([0-9]{1,15}),v2=([0-9a-f]{64})$/;

class Refused extends Error {}

// Checks the header x-service-signature-v2 against the bytes as they came.
function verify(secret, header, body, nowSeconds) {
  const match = SIGNATURE.exec(header ?? "");
  if (match === null) throw new Refused("the signature is missing or malformed");
  const [, seconds, signature] = match;
  const expected = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
  // Takes the same time wherever the two differ.
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) {
    throw new Refused("the signature does not match");
  }
  if (Math.abs(nowSeconds - Number(seconds)) > TOLERANCE_SECONDS) {
    throw new Refused("the signature is more than five minutes from now");
  }
}

// Does what the event is for. Put your own work here.
function handle(event) {
  const { platform, remoteUrl, error } = event.data;
  const outcome = event.event === "post.published" ? remoteUrl : error;
  console.log("verified", event.event, event.id, platform, outcome);
}

// The oldest first. A receiver of several processes keeps them in its database.
const handled = new Set();

function receive(secret, header, body) {
  verify(secret, header, body, Date.now() / 1000);
  let event;
  try {
    event = JSON.parse(body);
  } catch {
    throw new Refused("the body is no event");
  }
  // The id of the body: that of the header is not signed.
  if (typeof event?.id !== "string" || typeof event.data !== "object" || event.data === null) {
    throw new Refused("the body is no event");
  }
  if (handled.has(event.id)) {
    console.log("repeat", event.id);
    return;
  }
  handle(event);
  handled.add(event.id);
  if (handled.size > IDS_KEPT) handled.delete(handled.values().next().value);
}

async function readBody(request) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new Refused("the body is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const secret = process.env.SCHEDULER_WEBHOOK_SECRET;
const port = Number(process.argv[2]);
if (!secret || process.argv.length !== 3 || !Number.isInteger(port)) {
  console.error("usage: SCHEDULER_WEBHOOK_SECRET=whsec_... receiver.mjs PORT");
  process.exit(1);
}
const server = createServer(async (request, response) => {
  let status = 204;
  try {
    if (request.method !== "POST") throw new Refused("events are sent by POST");
    receive(secret, request.headers["x-service-signature-v2"], await readBody(request));
  } catch (refusal) {
    console.log("refused", refusal.message);
    // What is not our own refusal is our own fault, and the event is sent again.
    status = refusal instanceof Refused ? 400 : 500;
  }
  // A body that was not read to its end leaves nothing to go on with.
  if (!request.complete) response.setHeader("connection", "close");
  response.writeHead(status).end();
});
server.listen(port, "127.0.0.1", () => {
  console.log(`Receiving on http://127.0.0.1:${server.address().port}`);
});
