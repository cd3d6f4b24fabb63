import { join } from 'node:path'
import type { UpdateEntity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import { spaceHeader } from '@loci/contract/spaces'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkAll } from '../src/features/checks/checks.service.ts'
import { moveInstallation } from '../src/features/moves/moves.service.ts'
import { filledByWrites, pastTables, rowColumns, type VersionedTable } from '../src/rows/columns.ts'
import { accountTables } from '../src/store/account-tables.ts'
import type { Db } from '../src/store/db.ts'
import { openMoveSource } from '../src/store/move-source.ts'
import { databaseFileName, openDatabase } from '../src/store/open.ts'
import { setPlan } from './accounts.ts'
import { exerciseTheContract } from './exercise.ts'
import {
  type DialectName,
  describeOnBothDatabases,
  type Person,
  startTestServer,
  type TestServer,
  testConfig,
} from './harness.ts'
import { environmentOf, runLoci } from './loci-command.ts'
import { readSchema } from './read-schema.ts'
import { patience } from './socket.ts'

type Row = Record<string, unknown>
type Rows = Record<VersionedTable, Row[]>
const tables = Object.keys(rowColumns) as VersionedTable[]

/** What fills each column that callers fill: a field of the contract, with a value that no other column has. */
type Fill = {
  field: string
  value: unknown
  /** Another value; by default made from the field's name. */
  other?: unknown
}
const fills: Record<VersionedTable, Record<string, Fill>> = {
  entities: {
    name: { field: 'name', value: 'Ada' },
    type: { field: 'type', value: 'person' },
    metadata: { field: 'metadata', value: { born: 1815 } },
    aliases: { field: 'aliases', value: ['Countess of Lovelace'] },
  },
  observations: {
    entity_id: { field: '(its entity)', value: undefined },
    content: { field: 'content', value: 'Counts engines' },
    metadata: { field: 'metadata', value: { page: 12 } },
    true_from: { field: 'at', value: '2025-03', other: '2025-04-01' },
    true_until: { field: 'until', value: '2025-11-02', other: '2025-12' },
    expires_at: { field: 'expiresAt', value: '2099-01-02T03:04:05.000Z', other: '2098-01-01T00:00:00.000Z' },
    replaces: { field: '(what it replaced)', value: undefined },
    replaced_by: { field: '(what replaced it)', value: undefined },
    stale: { field: '(what verification found)', value: undefined },
    files: {
      field: 'files',
      value: [{ path: 'src/engine.ts', lines: '1-9' }],
      other: [{ path: 'src/wheel.ts' }],
    },
    source: {
      field: 'source',
      value: { title: 'Notes', quote: 'counts' },
      other: { url: 'https://ada.example' },
    },
  },
  relations: {
    from_id: { field: 'fromEntityId', value: undefined },
    to_id: { field: 'toEntityId', value: undefined },
    type: { field: 'type', value: 'designed' },
  },
}

const isFilled = (table: VersionedTable, column: string) => column in fills[table] || column in filledByWrites

const unfilled = (table: string, column: string) =>
  `Nothing fills the column ${table}.${column}. If callers give its value, add the field and a value to \`fills\` in ` +
  'server/test/columns.test.ts; if writes fill it by themselves, add it to `filledByWrites` in server/src/rows/columns.ts.'

/** What callers give of an entity or observation. */
const givenFor = (table: VersionedTable): Record<string, unknown> =>
  Object.fromEntries(
    Object.values(fills[table]).flatMap(({ field, value }) => (value === undefined ? [] : [[field, value]])),
  )
const observation = () =>
  givenFor('observations') as Pick<Observation, 'content' | 'metadata' | 'at' | 'until'>
const entity = () =>
  givenFor('entities') as { name: string; type: string; metadata: Record<string, unknown>; aliases: string[] }

async function readRows(db: Db, { accountId }: Person): Promise<Rows> {
  const of = async (table: VersionedTable) =>
    (
      await sql<Row>`select * from ${sql.table(table)} where account_id = (
        select account_id from accounts where id = ${accountId}) order by id`.execute(db)
    ).rows
  return {
    entities: await of('entities'),
    observations: await of('observations'),
    relations: await of('relations'),
  }
}

/** Columns that a step may change. */
type Changes = Partial<Record<VersionedTable, readonly string[]>>

const without = (rows: Rows, changes: Changes): Rows =>
  Object.fromEntries(
    tables.map((table) => [
      table,
      rows[table].map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !changes[table]?.includes(column))),
      ),
    ]),
  ) as Rows

function expectSame(after: Rows, before: Rows, changes: Changes): void {
  expect(without(after, changes)).toEqual(without(before, changes))
}

/** What a write sets anew in each row that it stores. */
const versioned = ['version', 'updated_at', 'since', 'since_observations']
const stored: Changes = { entities: versioned, observations: ['since'], relations: ['since'] }
const plus = (changes: Changes, more: Changes): Changes =>
  Object.fromEntries(tables.map((table) => [table, [...(changes[table] ?? []), ...(more[table] ?? [])]]))

/** Counted while a row is current, which a step can do before it ends the row. */
const counted = ['observations_count', 'degree', 'version', 'updated_at']

/** The rows that a step ended are past rows now, with every column. */
async function expectInPast(db: Db, before: Rows, after: Rows): Promise<void> {
  for (const table of tables) {
    const current = new Set(after[table].map(({ id, since }) => `${id} ${since}`))
    for (const row of before[table].filter(({ id, since }) => !current.has(`${id} ${since}`))) {
      const { rows } = await sql<Row>`select * from ${sql.table(pastTables[table])} where id = ${row.id}
        and since = ${row.since} and account_id = ${row.account_id} and space_id = ${row.space_id}`.execute(
        db,
      )
      const left = table === 'entities' ? counted : []
      const columns = Object.entries(row).filter(([column]) => !left.includes(column))
      expect(rows).toEqual([{ ...rows[0], ...Object.fromEntries(columns) }])
      expect(rows[0]!.until).toBeGreaterThan(Number(row.since))
    }
  }
}

/** An entity, an observation and a relation whose every column is filled. */
async function fillAll({ clock }: TestServer, { rest }: Person) {
  const { aliases, ...body } = entity()
  const { entity: ada } = await rest.createEntity({
    body: { ...body, observations: ['To correct', 'Another'] },
  })
  const { entity: engine } = await rest.createEntity({ body: { name: 'Engine', type: 'machine' } })
  const corrected = ada.observations[0]!.id
  clock.now += 60_000
  const params = { id: ada.id, observationId: corrected }
  await rest.updateObservation({ params, body: { ...observation(), replaces: [ada.observations[1]!.id] } })
  await rest.verifyObservations({
    body: { repository: 'engine', files: [{ path: 'src/engine.ts', hash: null }] },
  })
  await rest.createObservations({
    params: { id: engine.id },
    body: { content: 'Counted by Ada', at: '2025-11-02', replaces: [corrected] },
  })
  await rest.updateEntity({ params: { id: ada.id }, body: { ...body, aliases } })
  const ends = { fromEntityId: ada.id, toEntityId: engine.id }
  await rest.createRelation({ body: { ...ends, type: String(fills.relations.type!.value) } })
  return { ada: ada.id, engine: engine.id, observation: corrected }
}

/** What replaced what, by their texts. */
function linksOf({ observations }: Rows): string[] {
  const contentOf = (id: unknown) => observations.find((row) => row.id === id)?.content
  return observations
    .flatMap((row) =>
      (JSON.parse(String(row.replaces)) ?? []).map((id: number) => {
        const replaced = observations.find((one) => one.id === id)
        return `${row.content} > ${replaced?.content} > ${contentOf(replaced?.replaced_by)}`
      }),
    )
    .sort()
}

const newestSet = async ({ rest }: Person) => (await rest.listChanges()).changes[0]!.setId

async function importOf({ rest }: Person, file: Response): Promise<void> {
  const { import: report } = await rest.import({ body: Buffer.from(await file.arrayBuffer()) as never })
  expect(report).toMatchObject({ state: 'finished', problems: { total: 0 } })
}

describeOnBothDatabases('every column of the graph', (server, dialect: DialectName) => {
  let person: Person
  let made: Awaited<ReturnType<typeof fillAll>>
  let before: Rows
  const read = () => {
    server().clock.now += 60_000
    return readRows(server().ctx.db, person)
  }

  beforeAll(async () => {
    person = await server().signUp()
    made = await fillAll(server(), person)
    before = await read()
  })

  /** Runs a step that changes nothing but these columns; what it ends is kept. */
  async function step(act: () => Promise<unknown>, changes: Changes): Promise<void> {
    const was = await read()
    await act()
    const is = await read()
    expectSame(is, was, changes)
    await expectInPast(server().ctx.db, was, is)
  }

  test('is in the lists of columns, and filled by a caller or by writes', async () => {
    const schema = await readSchema(server().ctx.db, dialect)
    for (const table of tables) {
      const live = (name: string) => schema.tables.find((one) => one.name === name)!.columns.toSorted()
      const columns = live(table)
      for (const column of columns) if (!isFilled(table, column)) throw new Error(unfilled(table, column))
      expect(columns).toEqual(rowColumns[table].toSorted())
      expect(live(pastTables[table])).toEqual([...rowColumns[table], 'until'].toSorted())
    }
  })

  test('has a value in the rows of this test', () => {
    for (const table of tables)
      for (const [column, value] of Object.entries(before[table][0]!))
        expect(value, `${table}.${column}`).not.toSatisfy((one) => one === null || one === 0 || one === '{}')
  })

  test('stays through a correction, a retyping and a renaming', async () => {
    const params = { id: made.ada, observationId: made.observation }
    const touched = { entities: ['version', 'updated_at'] }
    // A new text is as of now: it rests on its files as they are.
    const verified = ['stale', 'files', 'cited_repository']
    const corrected = {
      observations: ['content', 'content_hash', ...verified, 'updated_at', 'since'],
      ...touched,
    }
    const was = await read()
    await step(() => person.rest.updateObservation({ params, body: { content: 'Counts wheels' } }), corrected)
    await step(
      async () => person.rest.undoChangeSet({ params: { setId: await newestSet(person) } }),
      corrected,
    )
    expectSame(await read(), was, stored)
    await step(() => person.rest.retypeEntities({ body: { ids: [made.ada], type: 'mathematician' } }), {
      entities: ['type', ...versioned],
    })
    const { name, type, aliases } = entity()
    const update = (body: UpdateEntity) => () => person.rest.updateEntity({ params: { id: made.ada }, body })
    // A former name becomes an alias.
    const renamed = { entities: ['name', 'aliases', ...versioned] }
    await step(update({ name: 'Ada Byron', type }), { entities: ['type', ...renamed.entities] })
    await step(update({ name, type }), renamed)
    await step(update({ name, type, aliases }), renamed)
    expect((await read()).entities.find((row) => row.name === name)?.aliases).toBe(JSON.stringify(aliases))
    const { relations } = await person.rest.listRelations()
    const relation = { id: relations[0]!.id }
    await step(() => person.rest.updateRelation({ params: relation, body: { type: 'built' } }), {
      relations: ['type', 'since'],
    })
    await step(async () => person.rest.undoChangeSet({ params: { setId: await newestSet(person) } }), {
      relations: ['type', 'since'],
    })
  })

  test('that an observation carries is corrected alone, and comes back when that is undone', async () => {
    const params = { id: made.ada, observationId: made.observation }
    for (const [column, { field, value, other }] of Object.entries(fills.observations)) {
      if (value === undefined || field === 'content') continue
      const another = typeof value === 'object' ? { other: field } : `${String(value)} too`
      // What it replaced ends when it begins; other files have not been verified.
      const ends = { true_from: ['true_until'], files: ['stale', 'cited_repository'] }[column] ?? []
      const changes = {
        observations: [column, ...ends, 'updated_at', 'since'],
        entities: ['version', 'updated_at'],
      }
      const was = await read()
      await step(
        () => person.rest.updateObservation({ params, body: { [field]: other ?? another } as never }),
        changes,
      )
      expect(await read()).not.toEqual(was)
      await person.rest.undoChangeSet({ params: { setId: await newestSet(person) } })
      expectSame(await read(), was, stored)
    }
  })

  test('comes back when a merge is undone', async () => {
    const was = await read()
    await person.rest.mergeEntity({ params: { id: made.ada }, body: { into: made.engine } })
    const merged = await read()
    await expectInPast(server().ctx.db, was, merged)
    expectSame(
      { ...merged, entities: [], relations: [] },
      { ...was, entities: [], relations: [] },
      { observations: ['entity_id', 'since'] },
    )
    await person.rest.undoChangeSet({ params: { setId: await newestSet(person) } })
    expectSame(await read(), was, stored)
  })

  test('comes back when a deleted entity is restored, and when its deletion is undone', async () => {
    const was = await read()
    const params = { id: made.ada }
    await person.rest.deleteEntity({ params })
    await expectInPast(server().ctx.db, was, await read())
    await person.rest.restoreEntity({ params })
    expectSame(await read(), was, stored)
    await person.rest.deleteEntity({ params })
    await person.rest.undoChangeSet({ params: { setId: await newestSet(person) } })
    expectSame(await read(), was, stored)
  })

  test('comes back when a deleted observation is, with what it carries', async () => {
    const was = await read()
    await person.rest.deleteObservation({ params: { id: made.ada, observationId: made.observation } })
    await person.rest.undoChangeSet({ params: { setId: await newestSet(person) } })
    expectSame(await read(), was, stored)
  })

  test('moves to another space and back', async () => {
    const { space } = await person.rest.createSpace({ body: { name: 'Other' } })
    const was = await read()
    const ids = [made.ada, made.engine]
    await person.rest.moveEntities({ body: { ids, space: 'Other' } })
    const spaces = Object.fromEntries(tables.map((table) => [table, ['space_id']]))
    expectSame(await read(), was, plus(stored, spaces))
    const there = { headers: { [spaceHeader]: space.id } }
    const { spaces: all } = await person.rest.listSpaces()
    await person.rest.moveEntities({ ...there, body: { ids, space: all[0]!.id } })
    expectSame(await read(), was, stored)
  })

  test('is in answers and in history, before and after', async () => {
    const { entity: shown } = await person.rest.getEntity({ params: { id: made.ada } })
    const observed = shown.observations.find(({ id }) => id === made.observation)!
    expect(observed).toMatchObject(observation())
    expect(shown).toMatchObject(entity())
    const params = { id: made.ada, observationId: made.observation }
    await person.rest.deleteObservation({ params })
    const changeOf = async (operation: string) =>
      (await person.rest.listChanges()).changes.find((change) => change.operation === operation)
    const { state: _told, ...fields } = observed
    const deleted = await changeOf('observation_deleted')
    expect(deleted!.before).toEqual(fields)
    await person.rest.undoChangeSet({ params: { setId: deleted!.setId } })
    const added = await changeOf('observation_added')
    expect(added!.after).toEqual(fields)
    await person.rest.deleteEntity({ params: { id: made.ada } })
    const { changes } = await person.rest.listChanges({
      query: { entityId: made.ada, operation: ['entity_deleted'] as never },
    })
    const { observations: _, updatedAt: __, observationsCount: ___, ...state } = shown
    expect(changes[0]!.before).toMatchObject(state)
    await person.rest.restoreEntity({ params: { id: made.ada } })
  })

  test('is exported and imported, as it is and as it was', async () => {
    const was = await read()
    const { changes } = await person.rest.listChanges()
    const query = { asOf: String(changes[0]!.seq) }
    const [present, past] = [await person.rest.export(), await person.rest.export({ query })]
    const linesOf = async (file: Response) => (await file.clone().text()).split('\n').slice(1)
    expect(await linesOf(past)).toEqual(await linesOf(present))
    const heir = await server().signUp('heir')
    await importOf(heir, present)
    const own = Object.fromEntries(tables.map((table) => [table, ['account_id', 'space_id', 'since']]))
    const isNew = { entities: ['version', 'since_observations'], observations: ['until_before'] }
    expectSame(await readRows(server().ctx.db, heir), was, plus(own, isNew))
    const reader = await server().signUp('reader')
    await importOf(reader, await person.rest.export({ query: { format: 'markdown' } }))
    const numbers = {
      entities: ['id'],
      observations: ['id', 'entity_id', 'replaces', 'replaced_by'],
      relations: ['id', 'from_id', 'to_id'],
    }
    const byContent = (rows: Rows): Rows => ({
      entities: rows.entities.toSorted((a, b) => String(a.name).localeCompare(String(b.name))),
      observations: rows.observations.toSorted((a, b) => String(a.content).localeCompare(String(b.content))),
      relations: rows.relations,
    })
    const read_ = await readRows(server().ctx.db, reader)
    expectSame(byContent(read_), byContent(was), plus(plus(own, isNew), numbers))
    expect(linksOf(read_)).toEqual(linksOf(was))
    expect(linksOf(was)).toHaveLength(2)
  })

  test('is counted in bytes as it is stored', async () => {
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
  })
})

/** Filled anew on the other side: the index is built there. */
const rebuilt = [
  ...['passages', 'index_marks', 'search_words', 'turn_indexes'],
  ...['vectors', 'vector_gaps', 'vector_spaces'],
]
const rebuiltColumns = ['passages', 'length', 'indexed', 'index_version', 'renewed_to', 'renewing_to']

/** All rows of all tables of accounts, with every column. */
async function readAll(db: Db): Promise<Record<string, Row[]>> {
  const all: Record<string, Row[]> = {}
  for (const table of Object.keys(accountTables).filter((name) => !rebuilt.includes(name))) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db)
    const left = table === 'spaces' ? rebuiltColumns : []
    const kept = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column))),
    )
    all[table] = kept.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return all
}

describe('every column of every table of accounts', () => {
  let server: TestServer
  let restored: Awaited<ReturnType<typeof testConfig>>
  let before: Record<string, Row[]>
  const log = pino({ level: 'silent' })

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    restored = await testConfig('sqlite', { migrated: false })
    const person = await server.signUp()
    await setPlan(server, person, 'power-user')
    await exerciseTheContract(server, person)
    await fillAll(server, await server.signUp('bob'))
    await server.ctx.usage.flush()
    // A deleted endpoint goes in the background.
    await vi.waitFor(async () => expect((await readAll(server.ctx.db)).webhooks).toEqual([]), patience)
    before = await readAll(server.ctx.db)
  })
  afterAll(async () => {
    await server.close()
    await restored.remove()
  })

  test('is in a backup', async () => {
    const file = join(restored.config.dataDir, 'backup')
    const { dataDir } = restored.config
    expect(await runLoci(['backup', file], { env: environmentOf(server.config) })).toMatchObject({ code: 0 })
    const env = environmentOf({ ...restored.config, dataDir: join(dataDir, 'new') })
    expect(await runLoci(['restore', file], { env })).toMatchObject({ code: 0 })
    const copy = await openDatabase({ ...restored.config, dataDir: join(dataDir, 'new') })
    expect(await readAll(copy.db)).toEqual(before)
    await copy.db.destroy()
  })

  test('moves to PostgreSQL', async () => {
    const target = await testConfig('postgres', { migrated: false })
    const to = await openDatabase(target.config)
    const from = openMoveSource(join(restored.config.dataDir, 'new', databaseFileName))
    await moveInstallation(from, to, { log, now: Date.now, onProgress: () => {} })
    from.close()
    expect(await readAll(to.db)).toEqual(before)
    await to.db.destroy()
    await target.remove()
  })
})
