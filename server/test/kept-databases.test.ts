import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAll } from '../src/features/checks/checks.service.ts'
import { openContext } from '../src/open-context.ts'
import { databaseFileName } from '../src/store/open.ts'
import { isOnCitus } from './citus.ts'
import { type DialectName, listenOn, testConfig } from './harness.ts'
import { copyIn } from './kept/copy-postgres.ts'
import { readAnswers } from './kept/read-answers.ts'
import { testSecret } from './postgres.ts'

/** Databases created by released versions, with the responses of those versions. */
const kept = globSync(join(import.meta.dirname, 'kept/*/*.gz')).map((file) => ({
  file,
  release: basename(dirname(file)),
  dialect: basename(file, '.gz') as DialectName,
}))

/** Its relations come in the order of an index. */
type Graph = { relations: { id: string }[] }

// These statements alone cannot create the tables of a cluster.
describe.skipIf(isOnCitus).each(kept)('the database of $release ($dialect)', ({ file, dialect }) => {
  const { now, answers } = JSON.parse(readFileSync(file.replace(/\.gz$/, '.json'), 'utf8')) as {
    now: number
    answers: Record<string, unknown>
  }
  let server: Awaited<ReturnType<typeof listenOn>>
  let remove: () => Promise<void>

  beforeAll(async () => {
    const { config, ...test } = await testConfig(dialect, { migrated: false })
    remove = test.remove
    const copy = gunzipSync(readFileSync(file))
    if (config.databaseUrl === undefined) writeFileSync(join(config.dataDir, databaseFileName), copy)
    else await copyIn(config.databaseUrl, copy.toString())
    const log = pino({ level: config.logLevel })
    server = await listenOn(await openContext({ ...config, secret: testSecret }, log, { now: () => now }))
  })
  afterAll(async () => {
    await server?.close()
    await remove?.()
  })

  test('answers as it did, after the later migrations', async () => {
    const found = await readAnswers(server.url)
    for (const graph of [found, answers].map((all) => all['/api/relations/graph/data'] as Graph))
      graph.relations.sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(found).toMatchObject(answers)
  })

  test('is consistent', async () => {
    for await (const difference of checkAll(server.ctx)) expect.fail(JSON.stringify(difference))
  })
})

test('databases of both kinds are kept', () => {
  expect(new Set(kept.map(({ dialect }) => dialect))).toEqual(new Set(['sqlite', 'postgres']))
})
