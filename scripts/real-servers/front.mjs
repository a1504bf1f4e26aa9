// Terminates TLS in front of the servers, by the name that is asked for, as a reverse proxy does.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'

const folder = process.argv[2]
const ports = { 'plc.directory': 2582, 'social.example.net': 8001, 'scheduler.nowhere.dev': 8080 }
const options = {
  key: readFileSync(`${folder}/front.key`),
  cert: readFileSync(`${folder}/front.pem`),
}
https
  .createServer(options, (request, response) => {
    const { method, url: path, headers } = request
    const port = ports[request.socket.servername] ?? 2583
    // A connection for each request: servers close theirs when they like.
    const to = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    to.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    to.on('error', () => response.destroy())
    response.on('close', () => to.destroy())
    request.pipe(to)
  })
  .listen(443, '5.5.5.5', () => console.log('ready'))
