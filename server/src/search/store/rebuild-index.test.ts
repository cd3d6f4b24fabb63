import type { EntityWithObservations } from '@loci/contract/entities'
import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { checkIndex } from '../../features/checks/check-index.ts'
import { closeContext, openContext } from '../../open-context.ts'
import { postingsOf } from './posting-lists.ts'
import { rebuildIndex } from './rebuild-index.ts'
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
    await sql`update passages set part = part + 7`.execute(db)
    await sql`update spaces set index_version = ${indexVersion - 1}, length = length + 7`.execute(db)
  }

  const restart = async () => {
    await closeContext(await openContext(server().config, pino({ level: 'silent' })))
  }

  test('of an older program is rebuilt at the next start, for each account', async () => {
    const people = [await server().signUp('Alice'), await server().signUp('Bob')]
    for (const person of people) await storeFerry(person)
    const before = await Promise.all(people.map(countsOf))
    await makeOld()
    await restart()
    for (const person of people) await expectFound(person)
    expect(await Promise.all(people.map(countsOf))).toEqual(before)
  })

  test.each([1, 2, 3])(
    'is rebuilt from the beginning if the rebuild ended after step %i',
    async (stepsMax) => {
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
      await expect(rebuildIndex(server().ctx, scope, { onStep: endEarly, rowsPerStep: 1 })).rejects.toThrow(
        'killed',
      )
      expect(await countsOf(person)).not.toEqual(before)
      await restart()
      await expectFound(person)
      expect(await countsOf(person)).toEqual(before)
    },
  )

  test('includes what is written during the rebuild', async () => {
    const person = await server().signUp()
    await storeFerry(person)
    const scope = await scopeOf(server(), person)
    let written = 0
    const onStep = async () => {
      written += 1
      const observations = [`Seagull ${written} screams`]
      await person.rest.createEntity({ body: { name: `Bird ${written}`, type: 'bird', observations } })
    }
    await rebuildIndex(server().ctx, scope, { onStep, rowsPerStep: 1 })
    expect(written).toBeGreaterThan(3)
    const { observations } = await person.rest.searchObservations({
      query: { query: 'screaming seagulls', limit: '50' },
    })
    expect(observations.map(({ content }) => content).sort()).toEqual(
      Array.from({ length: written }, (_, i) => `Seagull ${i + 1} screams`).sort(),
    )
    await expectFound(person)
  })

  test('counts changes during the rebuild once, wherever it has got to', async () => {
    const person = await server().signUp()
    const { rest } = person
    const names = ['Ann', 'Ben', 'Cid', 'Dot']
    const entities: EntityWithObservations[] = []
    for (const name of names) {
      const body = { name, type: 'person', observations: [`${name} rows`, `${name} sings loud songs`] }
      entities.push((await rest.createEntity({ body })).entity)
    }
    const scope = await scopeOf(server(), person)
    let steps = 0
    const onStep = async () => {
      const entity = entities[[0, 3, 1, 2][steps] ?? -1]
      steps += 1
      if (entity === undefined) return
      const [row, song] = entity.observations
      await rest.updateObservation({
        params: { id: entity.id, observationId: row!.id },
        body: { content: `${entity.name} swims far out` },
      })
      await rest.deleteObservation({ params: { id: entity.id, observationId: song!.id } })
    }
    await rebuildIndex(server().ctx, scope, { onStep, rowsPerStep: 2 })
    expect(steps).toBeGreaterThan(entities.length)
    const { db, dialect } = server().ctx
    expect(await dialect.snapshot(db, (snapshot) => checkIndex(snapshot, scope))).toEqual([])
    const { observations } = await rest.searchObservations({ query: { query: 'who swims' } })
    expect(observations).toHaveLength(names.length)
    expect((await rest.searchObservations({ query: { query: 'songs' } })).observations).toEqual([])
  })

  test('is removed to the last posting, slice by slice, without affecting other accounts', async () => {
    const [alice, bob] = [await server().signUp('Carol'), await server().signUp('Dan')]
    await storeFerry(alice)
    await storeFerry(bob)
    const { db, dialect } = server().ctx
    const scope = await scopeOf(server(), alice)
    const remove = () => dialect.transaction(db, (tx) => removeIndexSlice(tx, scope, 2))
    let slices = 0
    while (await remove()) slices += 1
    expect(slices).toBeGreaterThan(3)
    const { observations, entities } = await alice.rest.searchObservations({
      query: { query: 'leaves Oslo', explain: 'true' },
    })
    expect(entities).toEqual([])
    // Only by meaning, which needs no index.
    expect(observations.filter(({ explain }) => explain?.words !== undefined)).toEqual([])
    await expectFound(bob)
    const posted = ['leav', 'anchor', '@ferri', '@oslo', '-_le', '#fer']
    expect(await postingsOf(dialect).readNewest(db, scope, posted, 10)).toEqual([])
    const other = await postingsOf(dialect).readNewest(db, await scopeOf(server(), bob), posted, 10)
    expect(other.map(({ term }) => term).sort()).toEqual(posted.toSorted())
  })
})
