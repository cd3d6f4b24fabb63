import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnPostgres } from '../../../server/test/postgres.ts'
import { createPostgresDatabase } from '../../../server/test/postgres-databases.ts'
import { documented, take } from '../declared.ts'
import { configure, type Place, publicUrl, shell } from '../place.ts'
import { type Server, startServer } from '../servers.ts'
import { type Counts, withTraffic } from '../traffic.ts'
import { unitEnvironment } from '../unit.ts'
import { proxies } from './public-address.ts'

const move = documented('DATABASE_URL=postgres://.../loci loci move sqlite-to-postgres')
const migrate = documented('DATABASE_URL=postgres://.../loci loci migrate')
const address = 'postgres://.../loci'
const shutdownDelay = /set `(LOCI_SHUTDOWN_DELAY)=(\d+)`/

/** Moves the memory of the unit, which is stopped, to PostgreSQL; the file of the unit says so from then on. */
export async function moveToPostgres(place: Place): Promise<string> {
  const postgres = await startOwnPostgres()
  place.onRemove(postgres.stop)
  const { url } = await createPostgresDatabase(postgres.url)
  const env = await unitEnvironment(place)
  await shell(place, take(move).replace(address, url), env)
  await configure(place, { DATABASE_URL: url })
  await shell(place, take(migrate).replace(address, url), env)
  assert.match(await shell(place, 'loci check', await unitEnvironment(place)), /No differences found/)
  return url
}

/** Two processes, with what the page says to set for them. */
export async function startTwo(place: Place): Promise<Server[]> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/install.md'), 'utf8')
  const [, name, seconds] = shutdownDelay.exec(page)!
  await configure(place, { [name!]: seconds })
  const env = await unitEnvironment(place)
  const { server, second } = place.ports
  return Promise.all(
    [server, second].map((port) => startServer(place, 'loci serve', { ...env, PORT: String(port) })),
  )
}

/** Until the proxy has seen that a process is back, as the page says. */
const seenMs = 5_000

/** Restarts both in turn behind each proxy, while callers go on. */
export async function restartBehind(
  place: Place,
  servers: readonly Server[],
  apiKey: string,
  rounds: number,
): Promise<(Counts & { proxy: string; restarts: number })[]> {
  const results = []
  for (const start of proxies) {
    const proxy = await start(place, true)
    const counts = await withTraffic(publicUrl(place), apiKey, async () => {
      for (let round = 0; round < rounds; round++)
        for (const server of servers) {
          await server.restart()
          await sleep(seenMs)
        }
    })
    results.push({ proxy: proxy.version, restarts: rounds * servers.length, ...counts })
    await proxy.stop()
  }
  return results
}
