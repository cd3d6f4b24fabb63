import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { composeVariables, readCompose } from '../../../server/test/compose.ts'
import { documented, take } from '../declared.ts'
import { root } from '../documented.ts'
import { cleanEnvironment, type Place } from '../place.ts'
import { startComposeProxy } from '../proxies.ts'
import { startServer } from '../servers.ts'
import { type Counts, withTraffic } from '../traffic.ts'
import { unitEnvironment } from '../unit.ts'

const composeFile = documented('compose.yaml')
const dockerfile = documented('Dockerfile')

/**
 * Runs what the containers of compose.yaml would run, behind its proxy, and replaces both in turn while callers go on. Without
 * Docker they are processes of this machine, with the entry point, variables, signal and health check of their files.
 */
export async function restartContainers(
  place: Place,
  databaseUrl: string,
  apiKey: string,
  rounds: number,
): Promise<Counts & { proxy: string; restarts: number }> {
  take(composeFile)
  const { one, proxy } = readCompose()
  assert.deepEqual(proxy.ports, ['127.0.0.1:7400:7400'])
  assert.deepEqual(proxy.volumes, ['./deploy/Caddyfile:/etc/caddy/Caddyfile:ro'])
  const image = await readImage()
  assert.equal(image.stopSignal, 'SIGTERM')
  const baseUrl = `http://localhost:${place.ports.public}`
  const { LOCI_SECRET: secret = '' } = await unitEnvironment(place)
  const dotEnv = {
    ...{ LOCI_SECRET: secret, POSTGRES_PASSWORD: 'p', LOCI_PUBLIC_URL: baseUrl },
    LOCI_BURST_LIMIT: 'off',
  }
  const variables = composeVariables(one, dotEnv)
  assert.equal(variables.DATABASE_URL, 'postgres://loci:p@postgres:5432/loci')
  const env = (port: number) => ({
    ...cleanEnvironment(place),
    ...image.variables,
    ...variables,
    ...{ DATABASE_URL: databaseUrl, LOCI_DATA_DIR: join(place.home, 'data'), HOST: '127.0.0.1' },
    PORT: String(port),
  })
  const places = [place.ports.server, place.ports.second].map(env)
  const servers = await Promise.all(places.map((one) => startServer(place, image.command, one)))
  const front = await startComposeProxy(place)
  const counts = await withTraffic(baseUrl, apiKey, async () => {
    for (let round = 0; round < rounds; round++)
      for (const [index, server] of servers.entries()) {
        await server.stop({ withinMs: 1_000 * Number.parseInt(one.stop_grace_period!, 10) })
        assert.equal(await exitOf(image.healthCheck, places[index]!), 1)
        await server.start()
        assert.equal(await exitOf(image.healthCheck, places[index]!), 0)
      }
  })
  await front.stop()
  for (const server of servers) await server.stop()
  return { proxy: `${front.version}, compose.yaml`, restarts: rounds * servers.length, ...counts }
}

/** What the Dockerfile says of a running container. */
async function readImage() {
  const file = (await readFile(join(root, take(dockerfile)), 'utf8')).replaceAll('\\\n', '')
  const last = (pattern: RegExp) => [...file.matchAll(pattern)].at(-1)![1]!
  const words = (pattern: RegExp) => JSON.parse(last(pattern)) as string[]
  const variables = last(/^ENV (.*)$/gm)
    .split(' ')
    .map((pair) => pair.split('=', 2) as [string, string])
  return {
    variables: Object.fromEntries(variables),
    command: [...words(/^ENTRYPOINT (.*)$/gm), ...words(/^CMD (.*)$/gm)].join(' '),
    healthCheck: words(/^HEALTHCHECK .*CMD (\[.*)$/gm),
    stopSignal: last(/^STOPSIGNAL (.*)$/gm),
  }
}

async function exitOf([program, ...args]: string[], env: Record<string, string>): Promise<number> {
  const [code] = await once(spawn(program!, args, { env, stdio: 'ignore' }), 'exit')
  return code
}
