import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('changes of several entities', (server) => {
  async function seeded(): Promise<{ person: Person; ids: string[] }> {
    const person = await server().signUp()
    const { entities } = await person.rest.createBatch({
      body: {
        entities: ['Ada', 'Bob', 'Cleo', 'Dora'].map((name) => ({
          name,
          type: 'person',
          observations: [`${name} likes tea`, 'Lives in Kent'],
        })),
        relations: [
          { from: 'Ada', to: 'Bob', type: 'knows' },
          { from: 'Cleo', to: 'Dora', type: 'knows' },
        ],
      },
    })
    return { person, ids: entities.created.map(({ id }) => id) }
  }
  const totalsOf = async ({ rest }: Person) => {
    const { totalEntities, totalObservations, totalRelations } = await rest.analytics()
    return [totalEntities, totalObservations, totalRelations]
  }

  test('deletes them as one set, which can be undone as a whole', async () => {
    const { person, ids } = await seeded()
    const other = (await seeded()).ids[3]!
    const answer = await person.rest.deleteEntities({
      body: { ids: [ids[0]!, ids[1]!, 'ent_none', ids[0]!] },
    })
    expect(answer.changed).toBe(2)
    expect(await totalsOf(person)).toEqual([2, 4, 1])
    await person.rest.undoChangeSet({ params: { setId: answer.setId! } })
    expect(await totalsOf(person)).toEqual([4, 8, 2])
    const nothing = await person.rest.deleteEntities({
      body: { ids: ['ent_none', other.replace('ent', 'x')] },
    })
    expect(nothing).toEqual({ changed: 0, setId: null })
  })

  test('changes their type as one set; search and counts follow', async () => {
    const { person, ids } = await seeded()
    const { rest } = person
    await rest.retypeEntities({ body: { ids: [ids[3]!], type: 'captain' } })
    const answer = await rest.retypeEntities({ body: { ids: ids.slice(1), type: 'captain' } })
    expect(answer.changed).toBe(2)
    const types = async () => (await rest.listEntityTypes()).types.map(({ type, count }) => [type, count])
    expect(await types()).toEqual([
      ['captain', 3],
      ['person', 1],
    ])
    expect((await rest.listEntities({ query: { query: 'captain' } })).total).toBe(3)
    await rest.undoChangeSet({ params: { setId: answer.setId! } })
    expect(await types()).toEqual([
      ['person', 3],
      ['captain', 1],
    ])
  })

  test('merges them as one set, which can be undone as a whole', async () => {
    const { person, ids } = await seeded()
    const [ada, bob, cleo] = ids as [string, string, string]
    const answer = await person.rest.mergeEntities({ body: { ids: [ada, bob, cleo, 'ent_none'], into: ada } })
    expect(answer).toMatchObject({ changed: 2, entity: { name: 'Ada', aliases: ['Bob', 'Cleo'] } })
    // Facts that Ada had already, and the relation between the two, are dropped.
    expect(await totalsOf(person)).toEqual([2, 6, 1])
    await person.rest.undoChangeSet({ params: { setId: answer.setId! } })
    expect(await totalsOf(person)).toEqual([4, 8, 2])
  })

  test('exports only the chosen ones and the relations between them', async () => {
    const { person, ids } = await seeded()
    const path = `/api/export?format=mcp-memory&ids=${[ids[0], ids[1], ids[2]].join(',')}`
    const response = await fetch(`${person.url}${path}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ name, from, to }) => name ?? `${from}-${to}`)).toEqual([
      'Ada',
      'Bob',
      'Cleo',
      'Ada-Bob',
    ])
    const codeOf = async (query: string) =>
      (await server().call('GET', `/api/export?${query}`, { token: person.token })).body.error.code
    expect(await codeOf('ids=ent_1&asOf=1')).toBe('validation_failed')
  })

  test('refuses no ids, too many, and a target that does not exist', async () => {
    const { person, ids } = await seeded()
    const codeOf = async (call: string, body: object) => {
      const { status, body: answer } = await server().call('POST', `/api/entities/${call}`, {
        token: person.token,
        body,
      })
      return [status, answer.error.code]
    }
    expect(await codeOf('delete', { ids: [] })).toEqual([400, 'validation_failed'])
    expect(await codeOf('delete', { ids: Array(501).fill('ent_1') })).toEqual([400, 'validation_failed'])
    expect(await codeOf('retype', { ids, type: '' })).toEqual([400, 'validation_failed'])
    expect(await codeOf('merge', { ids, into: 'ent_none' })).toEqual([404, 'entity_not_found'])
  })
})
