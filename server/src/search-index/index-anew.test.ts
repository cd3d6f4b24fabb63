import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { scopeOf } from '../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../test/harness.ts'
import { closeContext, openContext } from '../open-context.ts'
import { indexAnew } from './index-anew.ts'
import { removeIndexSlice } from './remove-index.ts'
import { indexVersion } from './search-index.repo.ts'

describeOnBothDatabases('an index', (server) => {
  const storeFerry = async (person: Person) => {
    const metadata = { harbour: 'Oslo' }
    const observations = ['Leaves at nine', `${'It rained. '.repeat(80)}Then the anchor was lost.`]
    await person.rest.createEntity({ body: { name: 'Ferry', type: 'ship', metadata, observations } })
  }

  async function expectFound(person: Person) {
    for (const query of ['leaves nine', 'Oslo', 'ship', 'leavse']) {
      const { observations } = await person.rest.searchObservations({ query: { query } })
      expect(observations[0]?.content, query).toBe('Leaves at nine')
    }
    const { observations } = await person.rest.searchObservations({ query: { query: 'lost anchor' } })
    expect(observations[0]?.content).toContain('anchor')
  }

  const countsOf = async (person: Person) => {
    const { accountId } = await scopeOf(server(), person)
    return server()
      .ctx.db.selectFrom('spaces')
      .select(['passages', 'length', 'index_version'])
      .where('account_id', '=', accountId)
      .execute()
  }

  const makeOld = async () => {
    const { db } = server().ctx
    await sql`update passages set terms = 'rubbish', pieces = 7`.execute(db)
    await sql`update spaces set index_version = ${indexVersion - 1}`.execute(db)
  }

  const restart = async () => {
    await closeContext(await openContext(server().config, pino({ level: 'silent' })))
  }

  test('that an older program made is made anew at the next start, for each account', async () => {
    const people = [await server().signUp('Alice'), await server().signUp('Bob')]
    for (const person of people) await storeFerry(person)
    const before = await Promise.all(people.map(countsOf))
    await makeOld()
    await restart()
    for (const person of people) await expectFound(person)
    expect(await Promise.all(people.map(countsOf))).toEqual(before)
  })

  test.each([1, 2, 3])('is made anew from the start when that ended after step %i', async (stepsMax) => {
    const person = await server().signUp()
    await storeFerry(person)
    const before = await countsOf(person)
    await makeOld()
    let steps = 0
    const endEarly = async () => {
      steps += 1
      if (steps === stepsMax) throw new Error('killed')
    }
    const scope = await scopeOf(server(), person)
    await expect(indexAnew(server().ctx, scope, endEarly)).rejects.toThrow('killed')
    expect(await countsOf(person)).not.toEqual(before)
    await restart()
    await expectFound(person)
    expect(await countsOf(person)).toEqual(before)
  })

  test('has what is written while it is made anew', async () => {
    const person = await server().signUp()
    await storeFerry(person)
    const scope = await scopeOf(server(), person)
    let written = 0
    await indexAnew(server().ctx, scope, async () => {
      written += 1
      const observations = [`Seagull ${written} screams`]
      await person.rest.createEntity({ body: { name: `Bird ${written}`, type: 'bird', observations } })
    })
    const { observations } = await person.rest.searchObservations({ query: { query: 'screaming seagulls' } })
    expect(observations.map(({ content }) => content).sort()).toEqual(
      Array.from({ length: written }, (_, i) => `Seagull ${i + 1} screams`),
    )
    await expectFound(person)
  })

  test('is removed to the last posting, slice by slice, and no other account feels it', async () => {
    const [alice, bob] = [await server().signUp('Carol'), await server().signUp('Dan')]
    await storeFerry(alice)
    await storeFerry(bob)
    const { db, dialect } = server().ctx
    const scope = await scopeOf(server(), alice)
    const remove = () => dialect.transaction(db, (tx) => removeIndexSlice(tx, dialect, scope, 2))
    let slices = 0
    while (await remove()) slices += 1
    expect(slices).toBeGreaterThan(3)
    const { observations, entities } = await alice.rest.searchObservations({
      query: { query: 'leaves Oslo' },
    })
    expect([...observations, ...entities]).toEqual([])
    await expectFound(bob)
    for (const table of ['passages', 'search_words'] as const) {
      const left = await db.selectFrom(table).select('id').where('account_id', '=', scope.accountId).execute()
      expect(left, table).toEqual([])
    }
    const posted = ['leav', 'anchor', '@ferri', '@oslo', '-_le', '#fer']
    expect(await dialect.postings.readNewest(db, scope, posted, 10)).toEqual([])
    const other = await dialect.postings.readNewest(db, await scopeOf(server(), bob), posted, 10)
    expect(other.map(({ term }) => term).sort()).toEqual(posted.toSorted())
  })
})
