import { Readable } from 'node:stream'
import { limitsOfPlan } from '@loci/contract/plans'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { storeEntities } from '../../memory/write/store-entities.ts'
import { writeGraph } from '../../memory/write/write-graph.ts'
import { getAccountUse, getCounters } from '../../rows/counters.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { checkAll } from '../checks/checks.service.ts'
import { startImport } from './imports.service.ts'
import { spool } from './open-import-file.ts'

const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const entity = (name: string, ...observations: unknown[]) => ({
  type: 'entity',
  name,
  entityType: 'person',
  observations,
})
const relation = (from: string, to: string, relationType = 'knows') => ({
  type: 'relation',
  from,
  to,
  relationType,
})

async function exported({ rest }: Person, format: 'loci' | 'mcp-memory'): Promise<string> {
  return (await rest.export({ query: { format } })).text()
}

async function importText({ rest }: Person, text: string) {
  return (await rest.import({ body: text })).import
}

async function actorOf(server: TestServer, person: Person): Promise<Actor> {
  return { kind: 'local', ...(await scopeOf(server, person)), userId: person.userId, role: 'owner' }
}

async function seqOf(server: TestServer, person: Person): Promise<number> {
  return (await getCounters(server.ctx.db, await scopeOf(server, person))).seq
}

describeOnBothDatabases('imports and exports', (server) => {
  test('an import merges what was written to the search index piece by piece', async () => {
    const { ctx } = server()
    const alice = await server().signUp()
    const segments = async () => {
      if (ctx.dialect.name === 'postgres') return []
      const { rows } = await sql<object>`select distinct segid from postings_idx`.execute(ctx.db)
      return rows
    }
    const numbers = Array.from({ length: 12 }, (_, i) => i)
    for (const i of numbers) await alice.rest.createEntity({ body: { name: `Topic ${i}`, type: 'note' } })
    const before = await segments()
    await importText(alice, lines(entity('Ada', 'wrote a program')))
    expect((await segments()).length).toBeLessThan(Math.max(1, before.length / 2))
    for (const i of numbers) {
      const { results } = await alice.rest.search({ query: { query: `Topic ${i}` } })
      expect(results[0]?.entity.name).toBe(`Topic ${i}`)
    }
    const { observations } = await alice.rest.searchObservations({ query: { query: 'program' } })
    expect(observations).toHaveLength(1)
  })

  test('a file for which the process has too little memory is refused, and the server goes on', async () => {
    const alice = await server().signUp()
    const many = Array.from({ length: 30_000 }, (_, i) => entity(`Note ${i}`, `The part ${i} is ready`))
    const text = lines(...many)
    const memory = vi.spyOn(process, 'constrainedMemory').mockReturnValue(256 * 1024 ** 2)
    try {
      const refusal = {
        code: 'body_too_large',
        status: 413,
        message: expect.stringMatching(/^With the 256 MB/),
      }
      await expect(importText(alice, text)).rejects.toMatchObject(refusal)
      await expect(alice.rest.previewImport({ body: text })).rejects.toMatchObject(refusal)
      const { created } = (await importText(alice, text.slice(0, 20_000))).entities
      expect(created).toBeGreaterThan(100)
      memory.mockReturnValue(384 * 1024 ** 2)
      expect((await alice.rest.previewImport({ body: text })).preview.entities.created).toBe(30_000 - created)
    } finally {
      memory.mockRestore()
    }
  })

  test('a file of the reference memory server comes out as it went in', async () => {
    const alice = await server().signUp()
    const file = `${lines(
      entity('Ada', 'wrote a program', 'knew Babbage', 'knew Babbage'),
      {
        type: 'entity',
        name: '日本 "quoted" \\ back',
        entityType: 'thing',
        observations: ['tab\tand\nline', '🧠'],
      },
      entity('Nobody'),
      relation('Ada', '日本 "quoted" \\ back'),
      relation('Nobody', 'Ada', 'admires'),
    )}\n`
    const report = await importText(alice, file)
    expect(report).toMatchObject({
      format: 'mcp-memory',
      state: 'finished',
      entities: { created: 3, existing: 0 },
      observations: { created: 5, existing: 0 },
      relations: { created: 2, existing: 0 },
      problems: { total: 0 },
    })
    expect(await exported(alice, 'mcp-memory')).toBe(file)
  })

  test('a relation from an entity to itself, as agents can make, is kept', async () => {
    const [alice, bob] = [await server().signUp(), await server().signUp('bob')]
    const file = `${lines(entity('Ada'), relation('Ada', 'Ada'))}\n`
    const body = { relations: { created: 1 }, problems: { total: 0 } }
    expect(await importText(alice, file)).toMatchObject(body)
    expect(await exported(alice, 'mcp-memory')).toBe(file)
    expect(await importText(bob, await exported(alice, 'loci'))).toMatchObject(body)
    expect(await exported(bob, 'mcp-memory')).toBe(file)
  })

  test('an invalid time is reported', async () => {
    const alice = await server().signUp()
    const at = '2020-01-02T03:04:05.000Z'
    const report = await importText(
      alice,
      lines(
        { ...entity('Ada', { content: 'dated', createdAt: '2020-02-30T00:00:00Z' }), createdAt: 1e308 },
        { ...entity('Bob', { content: 'dated', createdAt: at }), createdAt: at },
        { ...relation('Ada', 'Bob'), createdAt: '+275760-09-13T00:00:00.000Z' },
      ),
    )
    const ignored = 'createdAt is not an ISO-8601 date-time and was ignored'
    expect(report.problems.first).toEqual([
      { line: 1, message: ignored },
      { line: 1, message: ignored },
      { line: 3, message: ignored },
    ])
    expect(report).toMatchObject({
      entities: { created: 2 },
      observations: { created: 2 },
      relations: { created: 1 },
    })
    const { entities } = await alice.rest.listEntities({ query: {} })
    expect(entities.find(({ name }) => name === 'Bob')?.createdAt).toBe(at)
  })

  test('our own export carries aliases, as far as they are free', async () => {
    const [alice, bob] = [await server().signUp(), await server().signUp('bob')]
    const create = async (name: string) =>
      (await alice.rest.createEntity({ body: { name, type: 'person' } })).entity.id
    const [ada, adda, countess] = [await create('Ada'), await create('Adda'), await create('Countess')]
    for (const id of [adda, countess]) await alice.rest.mergeEntity({ params: { id }, body: { into: ada } })
    await bob.rest.createEntity({ body: { name: 'Countess', type: 'person' } })
    await importText(bob, await exported(alice, 'loci'))
    const { entities } = await bob.rest.listEntities({ query: {} })
    expect(entities.map(({ name, aliases }) => [name, aliases])).toContainEqual(['Ada', ['Adda']])
    const { results } = await bob.rest.search({ query: { query: 'Adda' } })
    expect(results[0]?.entity.name).toBe('Ada')
    await expect(bob.rest.createEntity({ body: { name: 'Adda', type: 'person' } })).rejects.toMatchObject({
      code: 'entity_name_taken',
    })
  })

  test('importing a finished file again changes nothing', async () => {
    const alice = await server().signUp()
    const file = lines(entity('Ada', 'one', 'one', 'two'), entity('Bob'), relation('Ada', 'Bob'))
    const first = await importText(alice, file)
    const seq = await seqOf(server(), alice)
    const second = await importText(alice, file)
    expect(second).toMatchObject({
      id: first.id,
      entities: { created: 0, existing: 2 },
      observations: { created: 0, existing: 3 },
      relations: { created: 0, existing: 1 },
    })
    expect(await seqOf(server(), alice)).toBe(seq)
  })

  test('an existing entity keeps its fields and gains missing observations', async () => {
    const alice = await server().signUp()
    const { entity: before } = await alice.rest.createEntity({
      body: { name: 'Ada', type: 'mathematician', observations: ['one'] },
    })
    const report = await importText(alice, lines(entity('Ada', 'one', 'two'), entity('Ada', 'two', 'three')))
    expect(report.entities).toEqual({ created: 0, existing: 2 })
    expect(report.observations).toEqual({ created: 2, existing: 2 })
    const { entity: after } = await alice.rest.getEntity({ params: { id: before.id } })
    expect(after.type).toBe('mathematician')
    expect(after.observations.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  })

  test('an import is one change set, and is undone as one', async () => {
    const { rest } = await server().signUp()
    const names = Array.from({ length: 400 }, (_, i) => `n${i}`)
    // The first chunk ends before 151 rows, and relations are in a separate one.
    const file = lines(...names.map((name) => entity(name, 'x')), relation('n1', 'n2'))
    const { import: report } = await rest.import({ body: file })
    expect(report.entities.created).toBe(names.length)
    const { changes } = await rest.listChanges({ query: { limit: '1' } })
    const setId = changes[0]!.setId
    const oldest = await rest.listChanges({ query: { order: 'asc', limit: '1' } })
    expect(oldest.changes[0]!.setId).toBe(setId)
    expect(await rest.undoChangeSet({ params: { setId } })).toMatchObject({ undone: 801 })
    expect((await rest.listEntities({ query: {} })).total).toBe(0)
  })

  test('a write between two chunks of an import ends its change set', async () => {
    const { ctx } = server()
    const alice = await server().signUp()
    const actor = await actorOf(server(), alice)
    const names = Array.from({ length: 900 }, (_, i) => `n${i}`)
    const file = await spool(ctx, Readable.from([lines(...names.map((name) => entity(name, 'x')))]))
    let written: Promise<unknown> | undefined
    const onProgress = () => {
      written ??= writeGraph(ctx, actor, (write) => storeEntities(write, [{ name: 'Ada', type: 'person' }]))
    }
    const { end } = await startImport(ctx, actor, file, { onProgress })
    await Promise.all([end, written])
    const { results } = await alice.rest.search({ query: { query: 'Ada' } })
    const setOf = async (query: object) => {
      const { changes } = await alice.rest.listChanges({ query: { limit: '1', ...query } })
      return changes[0]?.setId
    }
    const [ada] = (await alice.rest.listChanges({ query: { entityId: results[0]!.entity.id } })).changes
    const before = await setOf({ before: String(ada!.seq) })
    const after = await setOf({ after: String(ada!.seq), order: 'asc' })
    expect(new Set([before, ada!.setId, after]).size).toBe(3)
    expect([await setOf({ order: 'asc' }), await setOf({})]).toEqual([before, after])
    expect(await arrayOf(checkAll(ctx))).toEqual([])
  })

  test('the first relations are a small chunk, however fast their lines passed while entities were stored', async () => {
    const { ctx } = server()
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`)
    const relations = names.flatMap((from) => names.slice(0, 40).map((to) => relation(from, `${to} b`)))
    const entities = names.flatMap((name) => [entity(name), entity(`${name} b`)])
    const file = await spool(ctx, Readable.from([lines(...entities, ...relations)]))
    const created: number[] = []
    const { end } = await startImport(ctx, await actorOf(server(), await server().signUp()), file, {
      onProgress: (progress) => created.push(progress.relations.created),
    })
    expect((await end).relations.created).toBe(2_400)
    expect(created.find((count) => count > 0)).toBeLessThanOrEqual(150)
  })

  test('relations may precede their entities', async () => {
    const alice = await server().signUp()
    const report = await importText(alice, lines(relation('Ada', 'Bob'), entity('Ada'), entity('Bob')))
    expect(report).toMatchObject({ relations: { created: 1 }, problems: { total: 0 } })
  })

  test('broken lines and dangling relations are reported with line numbers, and the rest is imported', async () => {
    const alice = await server().signUp()
    const file = [
      '{"type":"entity","name":"Ada","entityType":"person","observations":["ok","",7,"nul\\u0000"]}',
      '{"type":"entity","name":',
      '',
      '{"type":"planet","name":"Mars"}',
      '{"type":"entity","name":"","entityType":"person","observations":[]}',
      '{"type":"entity","name":"Typeless","entityType":"","observations":[]}',
      JSON.stringify(relation('Ada', 'Nobody')),
      JSON.stringify(relation('Ada', 'Typeless')),
      '[1]',
    ].join('\r\n')
    const report = await importText(alice, file)
    expect(report).toMatchObject({
      state: 'finished',
      entities: { created: 2 },
      observations: { created: 1 },
      relations: { created: 1 },
    })
    expect(report.problems.total).toBe(8)
    expect(report.problems.first.map(({ line }) => line)).toEqual([1, 1, 1, 2, 4, 5, 9, 7])
  })

  test('only the first hundred problems are listed, but all are counted', async () => {
    const alice = await server().signUp()
    const report = await importText(
      alice,
      `${Array(250).fill('no json').join('\n')}\n${lines(entity('Ada'))}`,
    )
    expect(report.problems.total).toBe(250)
    expect(report.problems.first).toHaveLength(100)
  })

  test('a long line of many observations, with a repeated text, is imported in full', async () => {
    const alice = await server().signUp()
    const texts = Array.from({ length: 1_234 }, (_, index) => `observation ${index % 1_000}`)
    const report = await importText(alice, `${lines(entity('Ada', ...texts))}\n`)
    expect(report.observations).toEqual({ created: 1_234, existing: 0 })
    const file = await exported(alice, 'loci')
    expect(file.split('\n').filter((line) => line.includes('"observations"'))).toHaveLength(13)
    const bob = await server().signUp('bob')
    expect((await importText(bob, file)).observations).toEqual({ created: 1_234, existing: 0 })
    expect(await exported(bob, 'mcp-memory')).toBe(`${lines(entity('Ada', ...texts))}\n`)
  })

  test("an import stops exactly at the plan's limit, and continues when there is room", async () => {
    const alice = await server().signUp()
    const file = lines(
      ...Array.from({ length: 1_010 }, (_, index) => entity(`n${index}`, 'x')),
      relation('n1', 'n2'),
    )
    const stopped = await importText(alice, file)
    expect(stopped).toMatchObject({ state: 'plan_limit_reached', entities: { created: 1_000, existing: 0 } })
    expect((await alice.rest.listEntities({ query: { limit: '1' } })).total).toBe(1_000)
    expect((await importText(alice, file)).entities).toEqual({ created: 1_000, existing: 0 })
    await server()
      .ctx.db.updateTable('accounts')
      .set({ plan: 'pro' })
      .where('id', '=', alice.accountId)
      .execute()
    expect(await importText(alice, file)).toMatchObject({
      id: stopped.id,
      state: 'finished',
      entities: { created: 1_010, existing: 0 },
      relations: { created: 1 },
    })
  })

  test('an id that is taken or invalid is replaced', async () => {
    const alice = await server().signUp()
    const { entity: ada } = await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['x'] },
    })
    const observation = { id: ada.observations[0]!.id, content: 'x' }
    await importText(
      alice,
      lines(
        { ...entity('Eve', observation, observation), id: ada.id },
        { ...entity('Mallory'), id: "ent_'; drop table entities" },
      ),
    )
    const { entities } = await alice.rest.listEntities({ query: { include: 'observations' } })
    expect(entities.map(({ name }) => name).toSorted()).toEqual(['Ada', 'Eve', 'Mallory'])
    const ids = entities.flatMap(({ id, observations = [] }) => [id, ...observations.map(({ id }) => id)])
    expect(new Set(ids).size).toBe(6)
    expect((await alice.rest.getEntity({ params: { id: ada.id } })).entity).toEqual(ada)
  })

  test('facts keep their order where some replace others', async () => {
    const alice = await server().signUp()
    const first = { id: 'obs_1', content: 'Third', replacedBy: 'obs_2' }
    const second = { id: 'obs_2', content: 'Third, corrected', replaces: ['obs_1'] }
    const facts = ['First', 'Second', first, 'Fourth', second, 'Fifth']
    const told = async (name: string) => {
      await importText(alice, lines(entity(name, ...facts)))
      const { entities } = await alice.rest.listEntities()
      const { id } = entities.find((one) => one.name === name)!
      return (await alice.rest.getEntity({ params: { id } })).entity.observations
    }
    const { entity: steps } = await alice.rest.createEntity({
      body: { name: 'Steps', type: 'list', observations: ['Zeroth'] },
    })
    const contents = ['First', 'Second', 'Third', 'Fourth', 'Third, corrected', 'Fifth']
    const plan = await told('Plan')
    expect(plan.map(({ content }) => content)).toEqual(contents)
    expect(plan[2]).toMatchObject({ state: 'replaced', replacedBy: plan[4]!.id })
    expect((await told(steps.name)).map(({ content }) => content)).toEqual(['Zeroth', ...contents])
  })

  test('ids in a file are kept if they are free, above those of the account, unique, and not too large', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'First', type: 'person', observations: ['one'] } })
    const { entities: known } = await alice.rest.listEntities({ query: {} })
    const base = toNumber('ent', known[0]!.id)!
    const header = { type: 'loci', version: 1, nextNumber: Number.MAX_SAFE_INTEGER }
    const observation = (number: number, content: string) => ({ id: toId('obs', base + number), content })
    const file = lines(
      header,
      { ...entity('Kept', observation(900, 'late'), observation(500, 'early')), id: toId('ent', base + 400) },
      { ...entity('Twin', observation(400, 'of another kind')), id: toId('ent', base + 900) },
      { ...entity('Below'), id: toId('ent', base - 1) },
      { ...entity('Far'), id: toId('ent', base + 50_000_000) },
      { ...relation('Kept', 'Twin'), id: toId('rel', base + 700) },
    )
    expect(await importText(alice, file)).toMatchObject({ state: 'finished', problems: { total: 0 } })
    const ids = new Map<string, string>()
    for (const line of (await exported(alice, 'loci')).trim().split('\n')) {
      const { id, name, relationType, observations = [] } = JSON.parse(line)
      for (const { content, ...of } of observations) ids.set(content, of.id)
      if (id !== undefined) ids.set(name ?? relationType, id)
    }
    expect([ids.get('Kept'), ids.get('late'), ids.get('early')]).toEqual([
      toId('ent', base + 400),
      toId('obs', base + 900),
      toId('obs', base + 500),
    ])
    expect(ids.get('knows')).toBe(toId('rel', base + 700))
    expect(new Set(ids.values()).size).toBe(ids.size)
    const numbers = [...ids.values()].map((id) => toNumber(id.slice(0, 3) as 'ent', id)!)
    expect(new Set(numbers).size).toBe(numbers.length)
    const { entity: next } = await alice.rest.createEntity({ body: { name: 'Next', type: 'person' } })
    expect(toNumber('ent', next.id)).toBeGreaterThan(Math.max(...numbers) - 1)
    expect(Math.max(...numbers)).toBeLessThan(base + 10_001_000)
  })

  test('an import stops when the plan has no room for more bytes, and continues when there is', async () => {
    const alice = await server().signUp()
    const { accountId } = await scopeOf(server(), alice)
    const { bytes } = await getAccountUse(server().ctx.db, accountId)
    const limit = limitsOfPlan('free').maxBytes
    const setBytes = (value: number) =>
      server()
        .ctx.db.updateTable('accounts')
        .set({ bytes: value })
        .where('account_id', '=', accountId)
        .execute()
    await setBytes(limit - 10)
    const file = lines(entity('Ada', 'A text that is longer than what is left'))
    expect(await importText(alice, file)).toMatchObject({
      state: 'plan_limit_reached',
      entities: { created: 0 },
    })
    expect(await alice.rest.usage()).toMatchObject({ entities: 0, storedBytes: limit - 10 })
    await expect(
      alice.rest.createEntity({ body: { name: 'Longer than ten', type: 'person' } }),
    ).rejects.toMatchObject({ code: 'plan_limit_reached', details: [{ limit, used: limit - 10 }] })
    await setBytes(bytes)
    expect(await importText(alice, file)).toMatchObject({ state: 'finished', entities: { created: 1 } })
    expect(await alice.rest.usage()).toMatchObject({ entities: 1, storedBytes: 3 + 6 + 2 + 39 })
  })

  test('a large file is processed after the response, and reports its progress', async () => {
    const alice = await server().signUp()
    const text = 'x'.repeat(60_000)
    const file = lines(...Array.from({ length: 150 }, (_, index) => entity(`n${index}`, text)))
    const { id, state } = await importText(alice, file)
    expect(state).toBe('running')
    await expect
      .poll(async () => (await alice.rest.getImport({ params: { id } })).import.state)
      .toBe('finished')
    expect((await alice.rest.getImport({ params: { id } })).import).toMatchObject({
      entities: { created: 150 },
      bytesDone: file.length,
    })
    const bob = await server().signUp('bob')
    await expect(bob.rest.getImport({ params: { id } })).rejects.toMatchObject({ code: 'import_not_found' })
  })

  test('a sender who prefers not to wait is answered before a small file is finished', async () => {
    const alice = await server().signUp()
    const { import: started } = await alice.rest.import({
      body: lines(entity('Ada', 'first')),
      headers: { prefer: 'respond-async' },
    })
    expect(started.state).toBe('running')
    const progress = async () => (await alice.rest.getImport({ params: { id: started.id } })).import.state
    await expect.poll(progress).toBe('finished')
  })

  test('a body that is not JSON lines is refused, and JSON lines are refused elsewhere', async () => {
    const alice = await server().signUp()
    const post = (path: string, type: string | undefined, body: string) =>
      fetch(server().url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${alice.token}`,
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        body: Buffer.from(body),
      })
    expect((await post('/api/import', 'application/json', '{}')).status).toBe(400)
    expect((await post('/api/import', 'image/png', 'a,b')).status).toBe(415)
    expect((await post('/api/import', undefined, '{}')).status).toBe(415)
    expect((await post('/api/entities', 'application/x-ndjson', '{}')).status).toBe(415)
    expect((await post('/api/import', 'application/jsonl', '')).status).toBe(200)
    const newer = await post('/api/import', 'application/jsonl', '{"type":"loci","version":99}')
    expect(newer.status).toBe(400)
  })
})
