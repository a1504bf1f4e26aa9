// Terminates TLS in front of the servers, by the name that is asked for.
import { readFileSync } from 'node:fs'
import net from 'node:net'
import tls from 'node:tls'

const folder = process.argv[2]
const ports = { 'plc.directory': 2582, 'social.example.net': 8001 }
const options = {
  key: readFileSync(`${folder}/front.key`),
  cert: readFileSync(`${folder}/front.pem`),
  ALPNProtocols: ['http/1.1'],
}
tls
  .createServer(options, (from) => {
    const to = net.connect(ports[from.servername] ?? 2583, '127.0.0.1')
    from.pipe(to).pipe(from)
    from.on('error', () => to.destroy())
    to.on('error', () => from.destroy())
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
  })
  .listen(443, '5.5.5.5', () => console.log('ready'))
