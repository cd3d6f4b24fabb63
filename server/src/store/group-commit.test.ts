import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDb } from './dialect-of.ts'
import { sqliteDialect } from './dialect-sqlite.ts'
import { createGroupCommit } from './group-commit.ts'
import { inBackground, onceWritten } from './transact.ts'

describe('transactions that want to write at the same time (SQLite)', () => {
  let directory: string
  let dialect: Dialect
  let db: Db
  let transaction: ReturnType<typeof createGroupCommit>
  let events: string[]
  const disk = {
    sync: async () => void events.push('on the disk'),
    syncAhead: async () => void events.push('ahead'),
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'loci-group-'))
    dialect = sqliteDialect(join(directory, 'loci.db'))
    db = createDb(dialect)
    await sql`create table notes (text text primary key) strict`.execute(db)
    events = []
    transaction = createGroupCommit((db, work) => db.transaction().execute(work), disk, {
      msMax: Number.POSITIVE_INFINITY,
      sharedMsMax: Number.POSITIVE_INFINITY,
    })
  })

  afterEach(async () => {
    await db.destroy()
    await rm(directory, { recursive: true })
  })

  const add = (text: string, then?: (tx: Db) => unknown, account?: string) =>
    transaction(
      db,
      async (tx) => {
        await sql`insert into notes values (${text})`.execute(tx)
        await then?.(tx)
        return text
      },
      account,
    )

  async function stored(): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`select text from notes order by text`.execute(db)
    return rows.map(({ text }) => text)
  }

  test('are committed together, and acknowledged only when they are on disk', async () => {
    const one = async (name: string) => {
      await add(name, () => events.push(`${name} ran`))
      events.push(`${name} told`)
    }
    await Promise.all(['a', 'b', 'c'].map(one))
    expect(events).toEqual(['a ran', 'b ran', 'c ran', 'on the disk', 'a told', 'b told', 'c told'])
    expect(await stored()).toEqual(['a', 'b', 'c'])
  })

  test('are committed account by account in turns, however many one account has queued', async () => {
    // One write per group, as when each takes long.
    transaction = createGroupCommit(
      (db, work) => db.transaction().execute(work),
      { ...disk, sync: async () => {} },
      { msMax: 0, sharedMsMax: 0 },
    )
    const write = (account: string, name: string) =>
      add(name, undefined, account).then(() => events.push(name))
    const busy = ['a1', 'a2', 'a3', 'a4'].map((name) => write('a', name))
    const others = [write('b', 'b1'), write('c', 'c1')]
    await Promise.all([...busy, ...others])
    expect(events).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
  })

  test('take one write from each account that is not alone, and all of one that is', async () => {
    transaction = createGroupCommit((db, work) => db.transaction().execute(work), disk, {
      msMax: Number.POSITIVE_INFINITY,
      sharedMsMax: 0,
    })
    const write = (account: string, name: string) => add(name, () => events.push(name), account)
    await Promise.all(['a1', 'a2'].map((name) => write('a', name)))
    expect(events).toEqual(['a1', 'a2', 'on the disk'])
    events.length = 0
    await Promise.all([...['a3', 'a4', 'a5'].map((name) => write('a', name)), write('b', 'b1')])
    expect(events).toEqual(['a3', 'b1', 'on the disk', 'a4', 'on the disk', 'a5', 'on the disk'])
  })

  test('never take background work into a group that others wait for, but join one that it starts', async () => {
    const write = (name: string, account: string) => add(name, () => events.push(name), account)
    await Promise.all([
      write('a', 'alice'),
      write('b', inBackground),
      write('c', inBackground),
      write('d', 'dora'),
    ])
    expect(events).toEqual(['a', 'd', 'on the disk', 'b', 'ahead', 'c', 'ahead'])
    events.length = 0
    let joined: Promise<unknown> | undefined
    await add(
      'e',
      () => {
        events.push('e')
        joined = write('f', 'alice')
      },
      inBackground,
    )
    await joined
    expect(events).toEqual(['e', 'f', 'on the disk'])
  })

  test('do not wait while background work is brought to the disk, but that does', async () => {
    const [begun, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    transaction = createGroupCommit((db, work) => db.transaction().execute(work), {
      ...disk,
      syncAhead() {
        begun.resolve()
        return written.promise
      },
    })
    const background = add('b', undefined, inBackground).then(() => events.push('b told'))
    await begun.promise
    await add('a', undefined, 'alice').then(() => events.push('a told'))
    written.resolve()
    await background
    expect(events).toEqual(['on the disk', 'a told', 'b told'])
  })

  test('tell background work that it is committed before it is on the disk, but never that it was rolled back', async () => {
    const refuse = () => {
      throw new Error('no')
    }
    const write = (name: string, then = () => {}) =>
      add(
        name,
        (tx) => {
          onceWritten(tx, () => events.push(`${name} written`))
          then()
        },
        inBackground,
      ).catch(() => events.push(`${name} refused`))
    await Promise.all([write('a'), write('b', refuse)])
    expect(events).toEqual(['a written', 'ahead', 'ahead', 'b refused'])
  })

  test('undo what one of them refuses, and nothing of the others', async () => {
    const refuse = () => {
      throw new Error('no')
    }
    const outcomes = await Promise.allSettled([add('a'), add('b', refuse), add('a'), add('c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { message: 'no' } })
    expect(dialect.isUniqueViolation((outcomes[2] as PromiseRejectedResult).reason)).toBe(true)
    expect(await stored()).toEqual(['a', 'c'])
  })

  test('run once if one refuses before it writes, and once more if it has written', async () => {
    const runs = { early: 0, late: 0, other: 0 }
    const early = () => transaction(db, async () => Promise.reject(new Error(`no ${++runs.early}`)))
    const other = (text: string) => add(text, () => runs.other++)
    await Promise.allSettled([other('a'), early(), other('b')])
    expect(runs).toEqual({ early: 1, late: 0, other: 2 })
    await Promise.allSettled([other('c'), add('d', () => Promise.reject(new Error(`no ${++runs.late}`)))])
    expect(runs).toEqual({ early: 1, late: 2, other: 4 })
    expect(await stored()).toEqual(['a', 'b', 'c'])
  })

  test('continue without the first if it refuses', async () => {
    const refuse = () => {
      throw new Error('no')
    }
    const outcomes = await Promise.allSettled([add('a', refuse), add('b'), add('b'), add('c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[0]).toMatchObject({ reason: { message: 'no' } })
    expect(await stored()).toEqual(['b', 'c'])
  })

  test('run one by one if the transaction is lost, as with a full disk, and later ones continue', async () => {
    const lose = (tx: Db) => sql`rollback`.execute(tx).then(() => sql`select broken`.execute(tx))
    const outcomes = await Promise.allSettled([add('a'), add('b', lose)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await stored()).toEqual(['a'])
    await add('c')
    expect(await stored()).toEqual(['a', 'c'])
  })

  test('fail if the disk does not accept them, and later ones continue', async () => {
    let isBroken = true
    transaction = createGroupCommit((db, work) => db.transaction().execute(work), {
      ...disk,
      sync: async () => {
        if (isBroken) throw new Error('broken')
      },
    })
    await expect(add('a')).rejects.toThrow('broken')
    isBroken = false
    expect(await add('b')).toBe('b')
  })

  test('wait for the disk outside SQLite, and nothing else does', async () => {
    const synchronous = async (of: Db) => (await sql<object>`pragma synchronous`.execute(of)).rows
    await dialect.transaction(db, async (tx) => expect(await synchronous(tx)).toEqual([{ synchronous: 1 }]))
    await expect(dialect.transaction(db, (tx) => sql`select broken`.execute(tx))).rejects.toThrow('broken')
    await sql`create table others (text text)`.execute(db)
    expect(await synchronous(db)).toEqual([{ synchronous: 2 }])
    await dialect.transaction(db, async (tx) => expect(await synchronous(tx)).toEqual([{ synchronous: 1 }]))
  })
})
