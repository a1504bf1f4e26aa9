// Passes requests on to a server with a key, for programs that have no place for one. Prints where
// it listens.
//
//   node key-proxy.mjs http://127.0.0.1:8080 sk_…

import http from "node:http";

const [target, key] = process.argv.slice(2);
const { hostname: host, port } = new URL(target);

const proxy = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  const { method, url: path } = request;
  const passed = http.request({ host, port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on("error", () => response.destroy());
  request.pipe(passed);
});
proxy.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${proxy.address().port}`));
