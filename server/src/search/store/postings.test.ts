import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { createRandom, pick, shuffle } from '../../../test/random.ts'
import type { Db } from '../../store/db.ts'
import { postingsOf } from './posting-lists.ts'
import { listTerms, type PostedPassage, type PostedRow } from './postings.ts'
import { digestOf } from './term-digests.ts'

const vocabulary = ['tea', 'team', 'opera', 'milk', '@ada', '-_te']
const idsMax = 50_000

/** A passage of some of the words, mostly the first ones. */
function toPassage(random: () => number, id: number): PostedPassage {
  const terms = vocabulary.filter((_, place) => random() < 1 / (place + 1))
  return { id, terms: terms.join(' ') }
}

describeOnBothDatabases('postings', (server, dialect) => {
  const postings = () => postingsOf(server().ctx.dialect)
  const write = <T>(work: (tx: Db) => Promise<T>) =>
    server().ctx.dialect.transaction(server().ctx.db, (tx) => work(tx))
  const newAccount = async () => (await scopeOf(server(), await server().signUp())).accountId

  async function fold(scope: { accountId: number; spaceId: number }): Promise<void> {
    let after: PostedRow | undefined
    do after = await write((tx) => postings().fold(tx, scope, after))
    while (after !== undefined)
  }

  test.each([1, 2, 3])(
    'are exactly what was added and not removed, however they were stored (%i)',
    async (seed) => {
      const random = createRandom(seed)
      const scope = { accountId: await newAccount(), spaceId: 2 }
      const left = shuffle(
        random,
        Array.from({ length: 1_500 }, (_, i) => 1 + i * Math.floor(idsMax / 1_500)),
      )
      const stored = new Map<number, string>()
      const add = async (count: number) => {
        const passages = left.splice(0, count).map((id) => toPassage(random, id))
        for (const { id, terms } of passages) stored.set(id, terms)
        await write((tx) => postings().add(tx, scope, passages))
      }
      const remove = async (count: number) => {
        const ids = shuffle(random, [...stored.keys()]).slice(0, count)
        const passages = ids.map((id) => ({ id, terms: stored.get(id)! }))
        for (const id of ids) stored.delete(id)
        await write((tx) => postings().remove(tx, scope, passages))
        // An id reappears with other terms, like that of a changed text.
        left.push(...ids.slice(0, 3))
      }
      const newestOf = (term: string) =>
        [...stored]
          .flatMap(([id, terms]) => (listTerms(terms).includes(term) ? [id] : []))
          .sort((a, b) => b - a)
      const { db } = server().ctx
      for (let step = 0; step < 30; step += 1) {
        await pick(random, [
          () => add(150),
          () => add(4),
          () => add(1),
          () => remove(1),
          () => remove(40),
          () => fold(scope),
        ])()
        const limit = pick(random, [1, 7, 100, 5_000])
        const expected = new Map(
          vocabulary.flatMap((term) =>
            newestOf(term).length === 0 ? [] : [[term, newestOf(term)] as const],
          ),
        )
        const newest = await postings().readNewest(db, scope, [...vocabulary, 'coffee'], limit)
        expect(new Map(newest.map(({ term, ids }) => [term, [...ids]]))).toEqual(
          new Map([...expected].map(([term, ids]) => [term, ids.slice(0, limit)])),
        )
        const asked = vocabulary.map((one) => ({ term: one, below: Math.floor(random() * idsMax), limit }))
        const older = await postings().readOlder(db, scope, asked)
        for (const { term, below } of asked) {
          const found = older.find((list) => list.term === term)?.ids ?? []
          const expectedOlder = newestOf(term).filter((id) => id < below)
          expect([...found]).toEqual(expectedOlder.slice(0, limit))
        }
        const starting = await postings().readStarting(db, scope, { beginning: 'te', limit })
        const begins = new Set([...newestOf('tea'), ...newestOf('team')])
        expect([...starting]).toEqual([...begins].sort((a, b) => b - a).slice(0, limit))
        const from = Math.floor(random() * idsMax)
        const range = { from, to: from + pick(random, [10, 5_000, 30_000]) }
        const between = await postings().readBetween(db, scope, vocabulary, range)
        for (const one of vocabulary) {
          const found = between.find((list) => list.term === one)?.ids ?? []
          const inRange = newestOf(one).filter((id) => id >= range.from && id <= range.to)
          expect([...found].sort((a, b) => b - a)).toEqual(inRange)
        }
      }
      await fold(scope)
      await write((tx) =>
        postings().remove(
          tx,
          scope,
          [...stored].map(([id, terms]) => ({ id, terms })),
        ),
      )
      expect(await postings().readNewest(db, scope, vocabulary, 10)).toEqual([])
      if (dialect === 'postgres') {
        const { rows } = await sql`select 1 from postings where account_id = ${scope.accountId} union all
        select 1 from posting_blocks where account_id = ${scope.accountId}`.execute(db)
        expect(rows).toEqual([])
      }
    },
  )

  test('up to an id are cleared, also within a block, and later ones stay', async () => {
    const scope = { accountId: await newAccount(), spaceId: 2 }
    const passages = Array.from({ length: 300 }, (_, i) => ({ id: 1 + i * 100, terms: 'tea' }))
    await write((tx) => postings().add(tx, scope, passages))
    await write((tx) =>
      postings().add(tx, scope, [
        { id: 20_000, terms: 'tea' },
        { id: 20_050, terms: 'tea milk' },
      ]),
    )
    while (await write((tx) => postings().clear(tx, scope, 20_000)));
    const { db } = server().ctx
    const [tea] = await postings().readNewest(db, scope, ['tea'], 1_000)
    const cleared = dialect === 'postgres' ? 20_000 : 0
    const ids = [...passages.map(({ id }) => id), 20_000, 20_050].filter((id) => id > cleared)
    expect([...tea!.ids].sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
  })

  test.runIf(dialect === 'sqlite')('have a digest for each passage, however many have a term', async () => {
    const scope = { accountId: await newAccount(), spaceId: 2 }
    const passages = Array.from({ length: 45_000 }, (_, i) => ({
      id: 1 + i * 7,
      terms: ['tea', ...(i % 3 === 0 ? ['teapot', 'te'] : []), ...(i % 2 === 0 ? ['грин'] : [])].join(' '),
    }))
    await write((tx) => postings().add(tx, scope, passages))
    await write((tx) => postings().add(tx, { ...scope, spaceId: 3 }, [{ id: 2, terms: 'tea' }]))
    const digests = (await postings().readDigests(server().ctx.db, scope))!
    expect(passages.filter(({ id, terms }) => digests.of(id) !== digestOf(terms))).toEqual([])
    expect(digests.of(2)).toBe(digestOf(''))
  })

  test.runIf(dialect === 'postgres')('of single writes are found in each space, to be folded', async () => {
    const [first, last] = [await newAccount(), await newAccount()].toSorted((a, b) => a - b)
    const scopes = [
      { accountId: first!, spaceId: 1 },
      { accountId: first!, spaceId: 2 },
      { accountId: last!, spaceId: 1 },
    ]
    for (const scope of scopes) await write((tx) => postings().add(tx, scope, [{ id: 1, terms: 'tea milk' }]))
    const { db } = server().ctx
    const before = { accountId: first! - 1, spaceId: 7 }
    expect(await postings().findUnfolded(db, before)).toEqual(scopes[0])
    expect(await postings().findUnfolded(db, scopes[0]!)).toEqual(scopes[1])
    await fold(scopes[1]!)
    expect(await postings().findUnfolded(db, scopes[0]!)).toEqual(scopes[2])
    expect(await postings().findUnfolded(db, scopes[2]!)).toBeUndefined()
  })
})
