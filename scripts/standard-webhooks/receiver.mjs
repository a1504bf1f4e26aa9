// Verifies deliveries with the library of Standard Webhooks, as they are and with changes.
//
// Prints its address, and then answers each request: 204 when the library accepts the delivery and
// refuses every change to it, else 400 with what it judged otherwise. The secret comes first, by
// `PUT /`.

import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const OTHER_SECRET = `whsec_${"A".repeat(43)}=`;
const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"];
let webhook;

// Each change to a delivery, by name.
function* changes(headers, body) {
  const time = Number(headers["webhook-timestamp"]);
  const [version, signature] = headers["webhook-signature"].split(",");
  const flipped = (signature[0] === "A" ? "B" : "A") + signature.slice(1);
  yield ["another body", headers, body.replace("webhook", "wEbhook")];
  yield ["a byte more", headers, `${body} `];
  yield ["a byte less", headers, body.slice(0, -1)];
  const backwards = [...headers["webhook-id"]].reverse().join("");
  yield ["another id", { ...headers, "webhook-id": backwards }, body];
  yield ["another time", { ...headers, "webhook-timestamp": String(time + 1) }, body];
  yield ["a time long ago", { ...headers, "webhook-timestamp": String(time - 301) }, body];
  yield ["another signature", { ...headers, "webhook-signature": `${version},${flipped}` }, body];
  yield ["another version", { ...headers, "webhook-signature": `v2,${signature}` }, body];
  for (const name of NAMES) {
    const { [name]: _, ...fewer } = headers;
    yield [`no ${name}`, fewer, body];
  }
}

function judged(by, headers, body) {
  try {
    by.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces).toString();
  if (request.method === "PUT") {
    webhook = new Webhook(body);
    response.writeHead(204).end();
    return;
  }
  const sent = NAMES.filter((name) => name in request.headers);
  const headers = Object.fromEntries(sent.map((name) => [name, request.headers[name]]));
  const faults = [];
  if (!judged(webhook, headers, body)) faults.push("the delivery is refused");
  if (sent.length === NAMES.length) {
    for (const [name, changed, text] of changes(headers, body)) {
      if (judged(webhook, changed, text)) faults.push(`${name} is accepted`);
    }
  }
  if (judged(new Webhook(OTHER_SECRET), headers, body)) faults.push("another secret is accepted");
  response.writeHead(faults.length ? 400 : 204).end(faults.join("; "));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
