import { setImmediate as nextTask } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'
import { patience } from '../../../test/socket.ts'
import { checkAll } from '../../features/checks/checks.service.ts'
import { createPostingFolder, foldPostings } from './fold-postings.ts'
import { postingsOf } from './posting-lists.ts'

describeOnBothDatabases('the postings of single writes', (server, dialect) => {
  const countRows = async (person: Person) => {
    if (dialect === 'sqlite') return 0
    const { accountId } = await scopeOf(server(), person)
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from postings where account_id = ${accountId}`.execute(server().ctx.db)
    return rows[0]!.count
  }
  const find = async ({ rest }: Person, query: string) => {
    const { observations } = await rest.searchObservations({ query: { query, limit: '50' } })
    return observations.map(({ content }) => content).sort()
  }
  const note = async ({ rest }: Person, name: string, ...observations: string[]) =>
    (await rest.createEntity({ body: { name, type: 'note', observations } })).entity
  const differences = async () => (await arrayOf(checkAll(server().ctx))).map(({ message }) => message)

  test('are found before folding, after it, and together with an import', async () => {
    const person = await server().signUp()
    const observations = Array.from({ length: 200 }, (_, i) => `Lighthouse number ${i} blinks`)
    const entity = { type: 'entity', name: 'Coast', entityType: 'place', observations }
    await importLines(server(), person, JSON.stringify(entity))
    expect(await countRows(person)).toBe(0)
    await note(person, 'Harbour', 'The ferry leaves', 'A lighthouse keeper sleeps')
    const found = await find(person, 'ferry keeper sleeps')
    expect(found).toEqual(['A lighthouse keeper sleeps', 'The ferry leaves'])
    if (dialect === 'postgres') expect(await countRows(person)).toBeGreaterThan(10)
    await foldPostings(server().ctx)
    expect(await countRows(person)).toBe(0)
    expect(await find(person, 'ferry keeper sleeps')).toEqual(found)
    expect(await differences()).toEqual([])
  })

  test('do not come back when a folded text is changed or deleted', async () => {
    const person = await server().signUp()
    const entity = await note(person, 'Garden', 'Tulips bloom', 'Roses wither')
    await foldPostings(server().ctx)
    const [tulips, roses] = entity.observations
    const paramsOf = (id: string) => ({ id: entity.id, observationId: id })
    await person.rest.updateObservation({ params: paramsOf(tulips!.id), body: { content: 'Weeds bloom' } })
    await person.rest.deleteObservation({ params: paramsOf(roses!.id) })
    const { db, dialect: own } = server().ctx
    const scope = await scopeOf(server(), person)
    const posted = await postingsOf(own).readNewest(
      db,
      scope,
      ['tulip', 'rose', 'wither', 'weed', 'bloom'],
      10,
    )
    expect(posted.map(({ term }) => term).sort()).toEqual(['bloom', 'weed'])
    await foldPostings(server().ctx)
    expect(await find(person, 'blooming weeds')).toEqual(['Weeds bloom'])
    expect(await differences()).toEqual([])
  })

  test('are found exactly once while they are folded and others write', async () => {
    const person = await server().signUp()
    let isDone = false
    const folding = (async () => {
      while (!isDone) {
        await foldPostings(server().ctx)
        await nextTask()
      }
    })()
    const { db, dialect: own } = server().ctx
    const scope = await scopeOf(server(), person)
    for (let written = 1; written <= 40; written += 1) {
      await note(person, `Bird ${written}`, `Seagull ${written} screams`)
      const [screams] = await postingsOf(own).readNewest(db, scope, ['scream'], 100)
      expect(screams!.ids).toHaveLength(written)
      expect(new Set(screams!.ids).size).toBe(written)
    }
    isDone = true
    await folding
    expect(await find(person, 'screaming')).toHaveLength(40)
    expect(await differences()).toEqual([])
  })

  test('stay in place when folding is told to stop', async () => {
    const person = await server().signUp()
    await note(person, 'Attic', 'Dust settles')
    const before = await countRows(person)
    await foldPostings(server().ctx, async () => false)
    expect(await countRows(person)).toBe(before)
  })

  test('are skipped in an account that is being deleted', async () => {
    const [gone, person] = [await server().signUp(), await server().signUp()]
    await note(gone, 'Cellar', 'Wine rests')
    await note(person, 'Roof', 'Tiles crack')
    const { db } = server().ctx
    await db.updateTable('accounts').set({ deleted_at: 1 }).where('id', '=', gone.accountId).execute()
    const before = await countRows(gone)
    await foldPostings(server().ctx)
    expect([await countRows(gone), await countRows(person)]).toEqual([before, 0])
  })

  test.runIf(dialect === 'postgres')('is folded as soon as the database takes it again', async () => {
    const person = await server().signUp()
    await note(person, 'Porch', 'Lamps flicker')
    const { ctx } = server()
    await sql`alter table posting_blocks rename to posting_blocks_away`.execute(ctx.db)
    const error = vi.spyOn(ctx.log, 'error').mockImplementation(() => {})
    const folder = createPostingFolder(ctx, { retryMinMs: 10 })
    folder.start()
    await vi.waitFor(() => expect(error.mock.calls.length).toBeGreaterThan(1), patience)
    const delays = error.mock.calls.map(([fields]) => (fields as { retryInMs: number }).retryInMs)
    expect(delays.slice(0, 2)).toEqual([10, 20])
    await sql`alter table posting_blocks_away rename to posting_blocks`.execute(ctx.db)
    await vi.waitFor(async () => expect(await countRows(person)).toBe(0), patience)
    await folder.close()
    error.mockRestore()
  })

  test.runIf(dialect === 'postgres')('of one space that fails keeps no other waiting', async () => {
    const [broken, person] = [await server().signUp(), await server().signUp()]
    await note(broken, 'Gutter', 'Leaves rot')
    await note(person, 'Chimney', 'Smoke rises')
    const { accountId } = await scopeOf(server(), broken)
    const { db } = server().ctx
    await sql`alter table posting_blocks add constraint refused check (account_id <> ${sql.lit(accountId)})`.execute(
      db,
    )
    await expect(foldPostings(server().ctx)).rejects.toThrow('refused')
    expect(await countRows(person)).toBe(0)
    await sql`alter table posting_blocks drop constraint refused`.execute(db)
    await foldPostings(server().ctx)
    expect(await countRows(broken)).toBe(0)
  })
})
