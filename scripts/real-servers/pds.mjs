// Bluesky's own PDS and a directory of its identities, as their packages start them.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const load = async (name) => {
  try {
    return require(name)
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error
    return await import(name)
  }
}
const { PlcServer, Database } = await load('@did-plc/server')
const { PDS, envToCfg, envToSecrets, readEnv } = await load('@atproto/pds')

await PlcServer.create({ db: Database.mock(), port: 2582 }).start()
const env = readEnv()
const pds = await PDS.create(envToCfg(env), envToSecrets(env))
await pds.start()
// What is given on its page lasts for seconds until it is told otherwise.
const manager = pds.ctx.oauthProvider?.tokenManager
const usual = manager?.tokenMaxAge
if (usual) manager.tokenMaxAge = 5_000
process.on('SIGUSR2', () => { if (usual) manager.tokenMaxAge = usual })
console.log('ready')
